"""URLs as templates: what a site generates in them is written as variables, and read out of the URL that is there now.

Not responsible for: values that appear only inside a page, or which variable stands for what (``server_variables``).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from urllib.parse import parse_qsl, quote, unquote

from simulator.addresses import named_again, urlsplit, without_own
from simulator.bindings import Bindings
from simulator.browser.wire.numbered_words import noun_of, worded
from simulator.browser.wire.server_variables import ServerVariables, noun_in
from simulator.browser.wire.url_values import values_in
from simulator.canonical import EVIDENCE, calls_an_id, hash_route, is_code, is_generated, is_told_code
from simulator.template import PLACEHOLDER, SECRET

_PLACEHOLDER_OF_SECRET = "{{" + SECRET
_TAIL = re.compile(r"(?=[0-9a-z]*[0-9])[0-9a-z]{4,}", re.ASCII)
_SLUG = re.compile(rf"([^/]*[a-z][^/]*)-({_TAIL.pattern})", re.ASCII)
"""A slug that ends in digits, or in letters and digits."""
_BREAKS = str.maketrans({char: quote(char) for char in "\t\n\r"})
"""What a browser takes out of an address: a site may say in two lines what was done."""
_WORD = re.compile(r"[A-Za-z\d]{5,15}", re.ASCII)
"""A word that a code of letters and digits may look like."""
_STEP = re.compile(r"([/?&=#])")
_RESERVED = str.maketrans({char: quote(char) for char in "%&+#="}) | _BREAKS
"""What would end or change a literal query value, were it written as it is."""


def _may_be_generated(value: str) -> bool:
    """Return whether a value may stand where one that looked server-generated stood, by any version of the rules."""
    by_rule = any(is_generated(value, version) for version in range(1, EVIDENCE + 1))
    return by_rule or _TAIL.fullmatch(value) is not None or is_code(value)


class UrlTemplates:
    """Writes URLs of one run as templates.

    A path segment or query value that looks server-generated becomes ``{{site.NOUN_N}}``, after the segment before it;
    the same value after the same noun is the same variable. Other values are recognised by the run's bindings.

    Some sites call things by a word with a number (``/issue1``, ``/browse/BUG-7``). So are steps of a wizard called,
    and versions of an interface: the number is a variable only where the site was seen to call things so.

    Args:
        bindings: the run's variables; server-generated ones are added to it.
        mask: puts placeholders in place of secrets, as it did in the URLs that were recorded.
        origin: of the site. What it says of that in a query is written without: it may be another one at replay.
    """

    def __init__(self, bindings: Bindings, mask: Callable[[str], str] = str, origin: str = "") -> None:
        self._bindings = bindings
        self._mask = mask
        self._origin = origin
        self.variables = ServerVariables(bindings)
        """Those that stand for what the site generated."""
        self._expected: str | None = None
        self._anew: dict[str, str] = {}

    def expect(self, template: str | None) -> None:
        """Say as what the URLs written from now on were recorded, so that their values get the recorded names.

        Args:
            template: of the recording; None where any URL may come.
        """
        self._expected = template
        self.variables.words.learn(template or "")

    def write(self, url: str, *, visited: bool = False) -> tuple[str, dict[str, str]]:
        """Write a URL as a template.

        Args:
            url: absolute, or relative to the site.
            visited: whether somebody gave this address: what another actor or another user of the batch was shown is
                then known again by its value.

        Returns:
            The template, its values decoded; and the server-generated variables that are new, or have another value.
        """
        new: dict[str, str] = {}
        if self._expected:
            before = self._bindings.values()
            captured = self.capture(self._expected, url) or {}
            new = {name: value for name, value in captured.items() if before.get(name) != value}
        return self._written(url, new, visited), new

    def recognise(self, url: str) -> str:
        """Write a URL as a template of what is known already: nothing in it becomes a variable."""
        return self._written(url, None, visited=False)

    def _written(self, url: str, new: dict[str, str] | None, visited: bool) -> str:
        """Write a URL as a template.

        Args:
            url: absolute, or relative to the site.
            new: gets the variables that appear; None: what is not known stays as it is.
            visited: whether somebody gave this address.
        """
        parts = urlsplit(url if visited else without_own(url, self._origin))
        segments: list[str] = []
        noun = "page"
        steps = parts.path.split("/")
        for at, segment in enumerate(steps):
            # What the user is called, such as McDonald, the site has not drawn.
            led_to = new is not None and self.variables.is_led_to(steps[:at], segment)
            led_to = led_to and self._bindings.recognise(segment) == segment
            if segment and (led_to or is_generated(segment) or self.variables.is_known(noun, segment)):
                if led_to:
                    self.variables.call_so(noun, segment)
                segments.append(
                    (visited and self.variables.of_another(noun, segment)) or self.variables.write(noun, segment, new)
                )
            else:
                segments.append(self._segment(noun, segment, new))
                noun = noun_of(segment) if segment else noun
        pairs, plain = [], [segment for segment in segments if segment and "{{" not in segment]
        for key, value in parse_qsl(parts.query, keep_blank_values=True):
            what = noun_of(key)
            if value.isdigit() and calls_an_id(key) and not self.variables.is_known(what, value):
                # A number may be the id of anything: what it is the id of, the page says.
                what = noun_of(" ".join([*plain, key]))
                written = (visited and self.variables.of_another(what, value)) or self.variables.write(what, value, new)
            elif (is_generated(value) and not value.isdigit()) or self.variables.is_known(what, value):
                written = self.variables.write(what, value, new)
            else:
                written = self._bindings.recognise(value)
            pairs.append(f"{key.translate(_RESERVED)}={_between(written, lambda text: text.translate(_RESERVED))}")
        text = "/".join(segments)
        if parts.netloc:
            text = f"{parts.scheme}://{parts.netloc}{text}"
        elif parts.scheme:
            text = f"{parts.scheme}:{text}"
        if pairs:
            text += "?" + "&".join(pairs)
        if parts.fragment:
            mark, route = hash_route(parts.fragment)
            written = self._written(route, new, visited) if route else self._bindings.recognise(parts.fragment)
            text += f"#{mark}{written}"
        return text

    def _segment(self, noun: str, segment: str, new: dict[str, str] | None) -> str:
        """Write the values that are known in a path segment as variables; the rest stays encoded as it is.

        A slug may end in what the site generated: ``the-moonstone-3f9a``.
        """
        if numbered := self.variables.words.parted(segment, new is not None):
            word, number = numbered
            return word + self.variables.write(noun_of(word), number, new)
        slug = _SLUG.fullmatch(segment)
        if slug and not (self._recognises(segment) or self.variables.says_own(unquote(segment))):
            head, tail = slug.groups()
            written = self._bindings.recognise(unquote(head))
            if "{{" in written or not tail.isdigit():
                return f"{_between(written, lambda text: quote(text, safe=''))}-{self.variables.write(noun, tail, new)}"
        decoded = unquote(segment)
        written = self._bindings.recognise(decoded)
        return segment if written == decoded else _between(written, lambda text: quote(text, safe=""))

    def _recognises(self, segment: str) -> bool:
        return PLACEHOLDER.fullmatch(self._bindings.recognise(unquote(segment))) is not None

    def _may_stand(self, name: str, value: str, url: str) -> bool:
        """Return whether a variable may have a value: one like that of a server, or what the site is known to draw."""
        if _may_be_generated(value):
            return True
        steps = urlsplit(url).path.split("/")
        led_to = any(step == value and self.variables.is_led_to(steps[:at], step) for at, step in enumerate(steps))
        return led_to or (is_told_code(value) and self.variables.is_known(noun_in(name), value))

    def render(self, template: str) -> str:
        """Put values into a URL template, percent-encoded where they stand.

        Raises:
            TemplateError: a variable has no value here.
        """
        self.variables.words.learn(template)
        plain = template.translate(_BREAKS)
        return self.anew(
            PLACEHOLDER.sub(lambda match: quote(self._bindings.render_on_site(match.group(0)), safe=""), plain)
        )

    def call_anew(self, name: str, now: str) -> None:
        """Know that the site calls by another name what a recording has made: that was taken, or is not taken any more.

        Args:
            name: as a step of the recorded addresses.
            now: the same with a number behind it, with another one, or without.
        """
        if name != now and (named_again(now) or now) == (named_again(name) or name):
            self._anew[name] = now

    def takes_anew(self, template: str, url: str, is_own: Callable[[str], bool]) -> bool:
        """Take in what the site calls by another name by now, where a URL differs in that alone from a recorded one.

        Args:
            template: of the recording.
            url: the URL now.
            is_own: returns whether the site calls something so that the user has made in this performance.
        """
        recorded, steps, known = _STEP.split(self._bindings.shown(template)), _STEP.split(url), dict(self._anew)
        for name, step in zip(recorded, steps, strict=False):
            if is_own(step):
                self.call_anew(name, step)
        if self._anew != known and self.capture(template, url) is not None:
            return True
        self._anew = known
        return False

    @property
    def calls_anew(self) -> bool:
        """Whether the site calls something by another name than it did in the recording."""
        return bool(self._anew)

    def anew(self, text: str) -> str:
        """Put into recorded addresses how the site calls by now what was made under another name."""
        return "".join(self._anew.get(step, step) for step in _STEP.split(text)) if self._anew else text

    def capture(self, template: str, url: str) -> dict[str, str] | None:
        """Read the server-generated values of a recorded URL template out of the URL that is there now.

        Args:
            template: as :meth:`write` gave it when it was recorded.
            url: the URL now.

        Returns:
            The site variables and their values now; None when the URL has another shape, or leads to something else.
        """
        values = self._values(template, url, partial(self._may_stand, url=url))
        for name, value in (values or {}).items():
            self.variables.learn(name, value)
        return values

    def may_lead(self, template: str, url: str) -> bool:
        """Return whether a URL is one of a recorded template, should the site tell of what looks like a code in it."""
        return self._values(template, url, lambda _, value: _may_be_generated(value) or is_told_code(value)) is not None

    def may_be_drawn(self, template: str, url: str) -> bool:
        """Return whether a URL has a word alone where a site has drawn a code for the visit of an address above it."""
        steps = urlsplit(url).path.split("/")
        words = {step for at, step in enumerate(steps) if self.variables.is_below(steps[:at]) and _WORD.fullmatch(step)}
        told = self._values(template, url, lambda _, value: value in words)
        return told is not None and self._values(template, url, partial(self._may_stand, url=url)) is None

    def _values(self, template: str, url: str, fits: Callable[[str, str], bool]) -> dict[str, str] | None:
        template, url = without_own(template, self._origin), without_own(url, self._origin)
        found = values_in(template, url, self._bindings.render_on_site)
        if found is None and self._anew:
            names = {now: name for name, now in self._anew.items()}
            recorded = "".join(names.get(step, step) for step in _STEP.split(url))
            found = values_in(template, recorded, self._bindings.render_on_site)
        if found is None and _PLACEHOLDER_OF_SECRET in template:
            found = values_in(template, self._mask(url), self._bindings.render)
        if found is None:
            return None
        values: dict[str, str] = {}
        for name, value in found:
            if values.setdefault(name, value) != value:
                return None
        known = {name: self._bindings.get(name) for name in values}
        if any(one not in (None, values[name]) for name, one in known.items()):
            return None
        if any(one is None and not fits(name, values[name]) for name, one in known.items()):
            return None  # such as /items/new, where /items/42 was recorded
        words = self.variables.words
        if any(known[name] is None and words.is_plain(word + values[name]) for word, name in worded(template)):
            return None  # where it was recorded the site had made something new
        return values


def _between(template: str, change: Callable[[str], str]) -> str:
    """Change what stands between the variables of a template."""
    parts, at = [], 0
    for match in PLACEHOLDER.finditer(template):
        parts += [change(template[at : match.start()]), match.group(0)]
        at = match.end()
    return "".join((*parts, change(template[at:])))
