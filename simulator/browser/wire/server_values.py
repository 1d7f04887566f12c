"""Values that a site generates and shows in its URLs: writing them as variables, and finding them again.

Not responsible for: values that appear only inside a page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from urllib.parse import parse_qsl, quote, unquote

from simulator.addresses import urlsplit
from simulator.bindings import Bindings
from simulator.browser.wire.numbered_words import NumberedWords, noun_of, worded
from simulator.browser.wire.url_values import SITE, values_in
from simulator.canonical import EVIDENCE, calls_an_id, hash_route, is_code, is_generated
from simulator.template import CHOICE, PLACEHOLDER, SECRET, is_telling, placeholders

_PLACEHOLDER_OF_SECRET = "{{" + SECRET
_TAIL = re.compile(r"(?=[0-9a-z]*[0-9])[0-9a-z]{4,}", re.ASCII)
_SLUG = re.compile(rf"([^/]*[a-z][^/]*)-({_TAIL.pattern})", re.ASCII)
"""A slug that ends in digits, or in letters and digits."""
_BREAKS = str.maketrans({char: quote(char) for char in "\t\n\r"})
"""What a browser takes out of an address: a site may say in two lines what was done."""
_RESERVED = str.maketrans({char: quote(char) for char in "%&+#="}) | _BREAKS
"""What would end or change a literal query value, were it written as it is."""


def _may_be_generated(value: str) -> bool:
    """Tell whether a value may stand where one that looked server-generated stood, by whichever rules that was told."""
    by_rule = any(is_generated(value, version) for version in range(1, EVIDENCE + 1))
    return by_rule or _TAIL.fullmatch(value) is not None or is_code(value)


class UrlTemplates:
    """Writes URLs of one run as templates.

    A path segment or query value that looks server-generated becomes ``{{site.NOUN_N}}``, after the segment before it;
    the same value after the same noun is the same variable. Other values are recognised by the run's bindings.

    Some sites call things by a word with a number (``/issue1``, ``/browse/BUG-7``). So are steps of a wizard called,
    and versions of an interface: the number is a variable only of :attr:`words`.

    What a choice leads to has variables of its own, for as long as the user goes on from there: a replay may choose
    another thing, and who comes to the same thing on another way does not follow it.

    Args:
        bindings: the run's variables; server-generated ones are added to it.
        mask: puts placeholders in place of secrets, as it did in the URLs that were recorded.
    """

    def __init__(self, bindings: Bindings, mask: Callable[[str], str] = str) -> None:
        self._bindings = bindings
        self._mask = mask
        self._known: dict[tuple[str, str], str] = {}
        self._counts: dict[str, int] = {}
        self._expected: str | None = None
        self._told: set[tuple[str, str]] = set()
        """Values, with what stands before them, that are server-generated whatever they look like."""
        self.words = NumberedWords()
        """By which the site calls things, with a number."""
        self._chosen: set[str] = set()
        """Variables that choices gave."""
        self._left: set[str] = set()
        """Variables that do not stand for what the user comes to now, even where the values are the same."""
        self._choosing = False

    def reserve(self, names: Iterable[str]) -> None:
        """Keep names of server-generated variables for the values that a recording has under them."""
        for name in names:
            noun, _, count = name.removeprefix(SITE).rpartition("_")
            self._counts[noun] = max(self._counts.get(noun, 0), int(count))

    def depart(self, known: str, *, choosing: bool) -> None:
        """Say what leads to the URLs written from now on.

        Args:
            known: URL templates whose variables go on to stand for their values: of the page that is left, and of the
                address that is visited.
            choosing: whether any of a collection would have done as well.
        """
        kept = set(placeholders(known))
        self._left = {name for name in self._known.values() if name not in kept and (choosing or name in self._chosen)}
        self._choosing = choosing

    def leads_on(self, template: str) -> bool:
        """Tell whether a URL template holds what a choice gave."""
        return any(name in self._chosen or name.startswith(CHOICE) for name in placeholders(template))

    def expect(self, template: str | None) -> None:
        """Say as what the URLs written from now on were recorded, so that their values get the recorded names.

        Args:
            template: of the recording; None where any URL may come.
        """
        self._expected = template
        self.words.learn(template or "")

    def call(self, address: str, given: Collection[str]) -> None:
        """Know how the site calls what it has just made.

        Args:
            address: of that.
            given: what in it the site has given: a word with a number at its end, or codes.
        """
        self.words.call(address)
        noun = "page"
        for segment in urlsplit(address).path.split("/"):
            if segment in given and is_code(segment):
                self._told.add((noun, segment))
            elif segment and not is_generated(segment):
                noun = noun_of(segment)

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
        parts = urlsplit(url)
        segments: list[str] = []
        noun = "page"
        for segment in parts.path.split("/"):
            if segment and (is_generated(segment) or (noun, segment) in self._told):
                segments.append(self._given(noun, segment, visited) or self._variable(noun, segment, new))
            else:
                segments.append(self._segment(noun, segment, new))
                noun = noun_of(segment) if segment else noun
        pairs, plain = [], [segment for segment in segments if segment and "{{" not in segment]
        for key, value in parse_qsl(parts.query, keep_blank_values=True):
            what = noun_of(key)
            if value.isdigit() and calls_an_id(key) and (what, value) not in self._told:
                # A number may be the id of anything: what it is the id of, the page says.
                what = noun_of(" ".join([*plain, key]))
                told = self._given(what, value, visited) or self._variable(what, value, new)
            elif (is_generated(value) and not value.isdigit()) or (what, value) in self._told:
                told = self._variable(what, value, new)
            else:
                told = self._bindings.recognise(value)
            pairs.append(f"{key.translate(_RESERVED)}={_between(told, lambda text: text.translate(_RESERVED))}")
        text = "/".join(segments)
        if parts.netloc:
            text = f"{parts.scheme}://{parts.netloc}{text}"
        elif parts.scheme:
            text = f"{parts.scheme}:{text}"
        if pairs:
            text += "?" + "&".join(pairs)
        if parts.fragment:
            mark, route = hash_route(parts.fragment)
            told = self._written(route, new, visited) if route else self._bindings.recognise(parts.fragment)
            text += f"#{mark}{told}"
        return text

    def _segment(self, noun: str, segment: str, new: dict[str, str] | None) -> str:
        """Write the values that are known in a path segment as variables; the rest stays encoded as it is.

        A slug may end in what the site generated: ``the-moonstone-3f9a``.
        """
        if numbered := self.words.parted(segment, new is not None):
            word, number = numbered
            return word + self._variable(noun_of(word), number, new)
        slug = _SLUG.fullmatch(segment)
        if slug and not self._recognises(segment):
            head, tail = slug.groups()
            written = self._bindings.recognise(unquote(head))
            if "{{" in written or not tail.isdigit():
                return f"{_between(written, lambda text: quote(text, safe=''))}-{self._variable(noun, tail, new)}"
        decoded = unquote(segment)
        written = self._bindings.recognise(decoded)
        return segment if written == decoded else _between(written, lambda text: quote(text, safe=""))

    def _variable(self, noun: str, value: str, new: dict[str, str] | None) -> str:
        name = self._known.get((noun, value)) or self._shown(value)
        if name is None or name in self._left:
            if new is None:
                return value
            name = None
            # The actors of a run share its variables: a name that is taken stands for another's value.
            while name is None or self._bindings.get(name) is not None:
                self._counts[noun] = self._counts.get(noun, 0) + 1
                name = f"{SITE}{noun}_{self._counts[noun]}"
            self._known[noun, value] = name
            self._bindings.set(name, value)
            if self._choosing:
                self._chosen.add(name)
            new[name] = value
        return "{{" + name + "}}"

    def _recognises(self, segment: str) -> bool:
        return PLACEHOLDER.fullmatch(self._bindings.recognise(unquote(segment))) is not None

    def _given(self, noun: str, value: str, visited: bool) -> str:
        """Write a value that somebody else was shown after the same noun; empty where nobody was."""
        if not visited or (noun, value) in self._known:
            return ""
        known, ending = self._bindings.values(), re.compile(rf"(?:user\.\d+\.)?site\.{re.escape(noun)}_\d+")
        name = next((name for name in known if known[name] == value and ending.fullmatch(name)), "")
        return "{{" + name + "}}" if name else ""

    def _shown(self, value: str) -> str | None:
        """Give the variable of a telling value that the site has shown elsewhere; a mere number may be anything's."""
        if self._choosing or not is_telling(value):
            return None
        known = self._bindings.values()
        return next((name for name in known if name.startswith(SITE) and known[name] == value), None)

    def render(self, template: str) -> str:
        """Put values into a URL template, percent-encoded where they stand.

        Raises:
            TemplateError: a variable has no value here.
        """
        self.words.learn(template)
        plain = template.translate(_BREAKS)
        return PLACEHOLDER.sub(lambda match: quote(self._bindings.render_on_site(match.group(0)), safe=""), plain)

    def capture(self, template: str, url: str) -> dict[str, str] | None:
        """Read the server-generated values of a recorded URL template out of the URL that is there now.

        Args:
            template: as :meth:`write` gave it when it was recorded.
            url: the URL now.

        Returns:
            The site variables and their values now; None when the URL has another shape, or leads to something else.
        """
        found = values_in(template, url, self._bindings.render_on_site)
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
        if any(one is None and not _may_be_generated(values[name]) for name, one in known.items()):
            return None  # such as /items/new, where /items/42 was recorded
        if any(known[name] is None and self.words.is_plain(word + values[name]) for word, name in worded(template)):
            return None  # where it was recorded the site had made something new
        for name, value in values.items():
            self.learn(name, value)
        return values

    def learn(self, name: str, value: str) -> None:
        """Bind a server-generated variable to the value that it has now."""
        noun, _, count = name.removeprefix(SITE).rpartition("_")
        self._known[noun, value] = name
        if is_code(value):
            self._told.add((noun, value))
        self._counts[noun] = max(self._counts.get(noun, 0), int(count))
        if self._choosing and self._bindings.get(name) is None:
            self._chosen.add(name)
        self._left.discard(name)
        self._bindings.set(name, value)

    def tell(self, name: str, value: str) -> None:
        """Bind a server-generated variable that the site has told beside its pages, whatever its value looks like."""
        self.learn(name, value)
        self._told.add((name.removeprefix(SITE).rpartition("_")[0], value))

    def write_told(self, text: str) -> str:
        """Write the values that were told as variables, where they stand in the addresses of a text."""
        for noun, value in self._told & self._known.keys():
            pattern = rf"(?<=[/=]){re.escape(value)}(?=[/?&#\s]|$)"
            text = re.sub(pattern, "{{" + self._known[noun, value] + "}}", text)
        for word in self.words.known:
            noun = noun_of(word)
            pattern = rf"(?<=/{re.escape(word)})\d+(?=[/?&#\s]|$)"
            text = re.sub(pattern, lambda found, noun=noun: self._number(noun, found[0]), text)  # type: ignore[misc]
        return text

    def _number(self, noun: str, number: str) -> str:
        name = self._known.get((noun, number))
        return "{{" + name + "}}" if name else number

    def forget(self, name: str) -> None:
        """Take a variable out: where its value is met again, it is server-generated anew."""
        self._known = {seen: known for seen, known in self._known.items() if known != name}
        self._told &= self._known.keys()
        self._chosen.discard(name)
        self._left.discard(name)
        self._bindings.forget(name)


def _between(template: str, change: Callable[[str], str]) -> str:
    """Change what stands between the variables of a template."""
    parts, at = [], 0
    for match in PLACEHOLDER.finditer(template):
        parts += [change(template[at : match.start()]), match.group(0)]
        at = match.end()
    return "".join((*parts, change(template[at:])))
