"""Values that a site mints and shows in its URLs: writing them as variables, and finding them again.

Not responsible for: values that appear only inside a page.
"""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, quote, urlsplit

from simulator.canonical import is_minted
from simulator.template import PLACEHOLDER, Bindings

_SITE = "site."


def _noun(before: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", before.lower()).strip("_") or "item"


class UrlTemplates:
    """Writes URLs of one run as templates.

    A path segment or query value that looks minted becomes ``{{site.NOUN_N}}``, named after the segment before it; the
    same value after the same noun is the same variable. Other values are recognised by the run's bindings.

    Args:
        bindings: the run's variables; minted ones are added to it.
    """

    def __init__(self, bindings: Bindings) -> None:
        self._bindings = bindings
        self._known: dict[tuple[str, str], str] = {}
        self._counts: dict[str, int] = {}

    def write(self, url: str) -> tuple[str, dict[str, str]]:
        """Write a URL as a template.

        Args:
            url: absolute, or relative to the site.

        Returns:
            The template, with values decoded; and the minted variables that appeared for the first time.
        """
        parts = urlsplit(url)
        new: dict[str, str] = {}
        segments: list[str] = []
        noun = "page"
        for segment in parts.path.split("/"):
            if segment and is_minted(segment):
                segments.append(self._variable(noun, segment, new))
            else:
                segments.append(self._bindings.recognise(segment))
                noun = _noun(segment) if segment else noun
        pairs = []
        for key, value in parse_qsl(parts.query, keep_blank_values=True):
            minted = is_minted(value) and not value.isdigit()
            pairs.append(
                f"{key}={self._variable(_noun(key), value, new) if minted else self._bindings.recognise(value)}"
            )
        text = "/".join(segments)
        if parts.netloc:
            text = f"{parts.scheme}://{parts.netloc}{text}"
        if pairs:
            text += "?" + "&".join(pairs)
        if parts.fragment:
            text += "#" + self._bindings.recognise(parts.fragment)
        return text, new

    def _variable(self, noun: str, value: str, new: dict[str, str]) -> str:
        name = self._known.get((noun, value))
        if name is None:
            self._counts[noun] = self._counts.get(noun, 0) + 1
            name = f"{_SITE}{noun}_{self._counts[noun]}"
            self._known[noun, value] = name
            self._bindings.set(name, value)
            new[name] = value
        return "{{" + name + "}}"

    def render(self, template: str) -> str:
        """Put values into a URL template, percent-encoded where they stand.

        Raises:
            TemplateError: a variable has no value here.
        """
        return PLACEHOLDER.sub(lambda match: quote(self._bindings.render(match.group(0)), safe=""), template)

    def capture(self, template: str, url: str) -> dict[str, str] | None:
        """Read the minted values of a recorded URL template out of the URL that is there now.

        Args:
            template: as :meth:`write` gave it when it was recorded.
            url: the URL now.

        Returns:
            The site variables and their values now; None when the URL has another shape.
        """
        pattern = ""
        at = 0
        names: list[str] = []
        bare, query = _split(template)
        for match in PLACEHOLDER.finditer(bare):
            pattern += re.escape(bare[at : match.start()])
            name = match.group(1)
            if name.startswith(_SITE):
                pattern += "([^/?#]+)"
                names.append(name)
            else:
                pattern += re.escape(quote(self._bindings.render(match.group(0)), safe="/"))
            at = match.end()
        pattern += re.escape(bare[at:])
        parts = urlsplit(url)
        here = (f"{parts.scheme}://{parts.netloc}" if parts.netloc else "") + parts.path
        found = re.fullmatch(pattern, here)
        if found is None or not self._same_query(query, parts.query, parts.fragment):
            return None
        values: dict[str, str] = {}
        for name, value in zip(names, found.groups(), strict=True):
            if values.setdefault(name, value) != value:
                return None
        for name, value in values.items():
            self.learn(name, value)
        return values

    def learn(self, name: str, value: str) -> None:
        """Bind a minted variable to the value that it has now."""
        noun, _, count = name.removeprefix(_SITE).rpartition("_")
        self._known[noun, value] = name
        self._counts[noun] = max(self._counts.get(noun, 0), int(count))
        self._bindings.set(name, value)

    def _same_query(self, recorded: str, query: str, fragment: str) -> bool:
        wanted, _, wanted_fragment = recorded.partition("#")
        if (self._bindings.render(wanted_fragment)) != fragment:
            return False
        now = sorted(parse_qsl(query, keep_blank_values=True))
        expected = []
        for pair in wanted.split("&") if wanted else []:
            key, _, value = pair.partition("=")
            if value.startswith("{{" + _SITE):
                now = [(k, "" if k == key else v) for k, v in now]
                value = ""
            expected.append((key, self._bindings.render(value)))
        return sorted(expected) == now


def _split(template: str) -> tuple[str, str]:
    for at, char in enumerate(template):
        if char in "?#":
            return template[:at], template[at + (char == "?") :]
    return template, ""
