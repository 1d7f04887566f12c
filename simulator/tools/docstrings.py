"""Reads what a tool's Google-style docstring says of the tool, its parameters and what it returns.

Not responsible for: types, which come from the signature.
"""

from __future__ import annotations

import inspect
import re
from typing import NamedTuple

_SECTION = re.compile(r"(Args|Returns|Raises):")
_ARGUMENT = re.compile(r"(\w+): (.*)")


class Doc(NamedTuple):
    """What a docstring says."""

    description: str
    arguments: dict[str, str]
    returns: str


def read_docstring(function: object) -> Doc:
    """Split a function's docstring into its description, its arguments and what it returns."""
    sections: dict[str, list[str]] = {"": []}
    current = ""
    for line in (inspect.getdoc(function) or "").splitlines():
        if match := _SECTION.fullmatch(line):
            current = match.group(1)
            sections[current] = []
        else:
            sections[current].append(line)
    return Doc(
        description=_fold(sections[""]),
        arguments=_arguments(sections.get("Args", [])),
        returns=_fold(sections.get("Returns", [])),
    )


def _arguments(lines: list[str]) -> dict[str, str]:
    found: dict[str, list[str]] = {}
    name = ""
    for line in inspect.cleandoc("\n".join(["", *lines])).splitlines():
        if match := _ARGUMENT.fullmatch(line):
            name = match.group(1)
            found[name] = [match.group(2)]
        elif name:
            found[name].append(line)
    return {name: _fold(text) for name, text in found.items()}


def _fold(lines: list[str]) -> str:
    paragraphs = "\n".join(line.strip() for line in lines).split("\n\n")
    return "\n".join(" ".join(paragraph.split()) for paragraph in paragraphs if paragraph.strip())
