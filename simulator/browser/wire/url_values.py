"""Reads the values that a site generated out of a URL, by the template that a recording has of it.

Not responsible for: what such a value may be, or what it is bound to (``server_values``).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import parse_qsl, unquote

from simulator.addresses import urlsplit
from simulator.canonical import hash_route
from simulator.template import CHANGING, PLACEHOLDER

SITE = "site."
"""Begins the names of variables that a site generated."""
_ANY = "{{" + CHANGING + "}}"


def values_in(template: str, url: str, render: Callable[[str], str]) -> list[tuple[str, str]] | None:
    """Read the server-generated values of a URL template out of a URL; None where that has another shape.

    Args:
        template: of the recording.
        url: the URL now.
        render: puts values in place of other variables; secrets stay placeholders where they are such in the URL.
    """
    pattern = ""
    at = 0
    names: list[str] = []
    bare, query = _split(template)
    for match in PLACEHOLDER.finditer(bare):
        pattern += re.escape(unquote(bare[at : match.start()]))
        name = match.group(1)
        if name.startswith(SITE):
            pattern += "([^/?#]+)"
            names.append(name)
        elif name == CHANGING:
            pattern += "[^/?#]+"
        else:
            pattern += _joined(render(match.group(0)))
        at = match.end()
    pattern += re.escape(unquote(bare[at:]))
    parts = urlsplit(url)
    here = parts._replace(query="", fragment="").geturl()
    found = re.fullmatch(pattern, unquote(here))
    asked = _values_of_query(query, parts.query, parts.fragment, render)
    if found is None or asked is None:
        return None
    return [*zip(names, found.groups(), strict=True), *asked]


def _values_of_query(
    recorded: str, query: str, fragment: str, render: Callable[[str], str]
) -> list[tuple[str, str]] | None:
    """Read the server-generated values out of a query and a fragment; None when one is another."""
    wanted, _, wanted_fragment = recorded.partition("#")
    mark, route = hash_route(wanted_fragment)
    values: list[tuple[str, str]] = []
    if route:
        there = fragment.startswith(f"{mark}/")
        routed = values_in(route, fragment.removeprefix(mark), render) if there else None
        if routed is None:
            return None
        values += routed
    elif render(wanted_fragment) != fragment:
        return None
    now = parse_qsl(query, keep_blank_values=True)
    for pair in wanted.split("&") if wanted else []:
        key, _, value = (unquote(part) for part in pair.partition("="))
        generated = PLACEHOLDER.fullmatch(value)
        if generated and generated.group(1).startswith(SITE):
            found = next((given for given in now if given[0] == key), None)
            values += [(generated.group(1), found[1])] if found else []
        elif PLACEHOLDER.search(value):
            said = _as_said(value, render)
            found = next((given for given in now if given[0] == key and said.fullmatch(given[1])), None)
        else:
            found = (key, render(value))
        if found not in now:
            return None
        now.remove(found)
    return None if now else values


def _as_said(value: str, render: Callable[[str], str]) -> re.Pattern[str]:
    """Give what a value of a query may be that holds variables, or of which a part is another one each time.

    Such a part is, in a sentence, a number.
    """
    if value == _ANY:
        return re.compile(".*", re.DOTALL)
    pattern, at = "", 0
    for match in PLACEHOLDER.finditer(value):
        pattern += re.escape(value[at : match.start()])
        pattern += r"\d+" if match.group(1) == CHANGING else _joined(render(match.group(0)))
        at = match.end()
    return re.compile(pattern + re.escape(value[at:]))


def _joined(text: str) -> str:
    """Give the pattern of a value of several words: a site may join them in an address, as wikis do with ``_``."""
    return "[ _-]".join(map(re.escape, text.split(" "))) if "{{" not in text else re.escape(text)


def _split(template: str) -> tuple[str, str]:
    for at, char in enumerate(template):
        if char in "?#":
            return template[:at], template[at + (char == "?") :]
    return template, ""
