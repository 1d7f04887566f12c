"""YAML as plain values that know their line and column.

Responsible for reading YAML text strictly and for finding the place of a value again. A persona file is
data: tags construct nothing, anchors are refused (so a small file cannot unfold into a huge one) and size
is bounded. What the values mean is `files`. The parser is loaded by the first text: most commands read none.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from simulator.text_file import UnreadableFile, place, read_text

if TYPE_CHECKING:
    from ruamel.yaml.error import MarkedYAMLError
    from ruamel.yaml.nodes import Node, ScalarNode

SIZE_LIMIT = 64 * 1024
"""Bytes in the largest file that is read."""

Plain: TypeAlias = bool | int | float | str | list["Plain"] | dict[str, "Plain"] | None
_CORE = "tag:yaml.org,2002:"
_BEFORE = re.compile(r"\ufeff?(?:[ \t\r]*(?:#[^\n]*)?\n|%[^\n]*\n?)*")
"""Empty lines, comments and directives at the beginning of a text."""
_DIRECTIVES = re.compile(r"^%[^\n]*", re.MULTILINE)
_PLAIN_DIRECTIVE = re.compile(r"%YAML[ \t]+1\.2[ \t]*(?:#.*)?\r?")


class Position(NamedTuple):
    """A place in a file, both counted from 1."""

    line: int
    column: int


class SourceError(Exception):
    """The text cannot be read: a message and the place where it went wrong."""

    def __init__(self, message: str, position: Position = Position(1, 1)) -> None:  # noqa: B008 (immutable)
        super().__init__(message)
        self.message = message
        self.position = position


@dataclass(frozen=True, slots=True)
class Located:
    """A value with its position, and its children by key or index."""

    value: Plain
    position: Position
    children: dict[str | int, Located] = field(default_factory=dict)
    keys: dict[str, Position] = field(default_factory=dict)

    def follow(self, path: Sequence[str | int]) -> tuple[Located, int]:
        """Return the deepest value along ``path`` and how many of its parts were found."""
        here = self
        for depth, part in enumerate(path):
            if part not in here.children:
                return here, depth
            here = here.children[part]
        return here, len(path)


def read_source(path: Path) -> Located:
    """Read a YAML file.

    Raises:
        SourceError: If it is missing, too large, not UTF-8, empty or not plain YAML.
    """
    try:
        return parse_source(read_text(path, SIZE_LIMIT))
    except UnreadableFile as error:
        raise SourceError(error.message, Position(error.line, error.column)) from error


def parse_source(text: str) -> Located:
    """Read YAML text; it raises as `read_source` does."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError
    from ruamel.yaml.reader import ReaderError

    _check_directives(text)
    try:
        # Whatever its parser makes of a text that it was not made for is a mistake in that text.
        with warnings.catch_warnings(action="ignore"):
            root = YAML(typ="safe", pure=True).compose(io.StringIO(text))
        if root is None:
            raise SourceError("the file is empty; a persona starts with 'persona: its-name'")
        return _located(root)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        position = Position(mark.line + 1, mark.column + 1) if mark else Position(1, 1)
        raise SourceError(_explained(error), position) from error
    except ReaderError as error:
        raise SourceError("the file holds a control character", Position(*place(text, error.position))) from error
    except RecursionError as error:
        raise SourceError("the values are nested too deeply") from error
    except SourceError:
        raise
    except Exception as error:
        raise SourceError(f"not YAML: {' '.join(str(error).split()) or type(error).__name__}") from error


def _check_directives(text: str) -> None:
    """Refuse what stands before a document and changes how it is read."""
    head = _BEFORE.match(text)
    for found in _DIRECTIVES.finditer(head[0] if head else ""):
        if not _PLAIN_DIRECTIVE.fullmatch(found[0]):
            position = Position(*place(text, found.start()))
            raise SourceError(f"expected no {found[0].split()[0]} other than '%YAML 1.2'; leave the line out", position)


def _explained(error: MarkedYAMLError) -> str:
    problem = str(error.problem or error.context)
    if r"'\t'" in problem:
        return "found a tab; indent with spaces"
    if "another document" in problem:
        return "expected one document, found another ('---')"
    return f"not YAML: {problem}"


def _position(node: Node) -> Position:
    return Position(node.start_mark.line + 1, node.start_mark.column + 1)


def _located(node: Node) -> Located:
    from ruamel.yaml.nodes import MappingNode, ScalarNode, SequenceNode

    position = _position(node)
    if node.anchor is not None:
        raise SourceError(f"anchors such as &{node.anchor} are not supported; write the value out", position)
    if isinstance(node, ScalarNode):
        return Located(_scalar(node), position)
    if isinstance(node, SequenceNode) and node.tag == f"{_CORE}seq":
        items = [_located(item) for item in node.value]
        return Located([item.value for item in items], position, dict(enumerate(items)))
    if isinstance(node, MappingNode) and node.tag == f"{_CORE}map":
        children: dict[str | int, Located] = {}
        keys: dict[str, Position] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, ScalarNode) or key_node.anchor is not None:
                raise SourceError("expected a plain name before the colon", _position(key_node))
            key = str(key_node.value)
            if key in keys:
                raise SourceError(f"{key!r} is given twice; first on line {keys[key].line}", _position(key_node))
            keys[key] = _position(key_node)
            children[key] = _located(value_node)
        return Located({str(key): child.value for key, child in children.items()}, position, children, keys)
    raise SourceError(f"expected a plain value, found the tag {node.tag!r}", position)


def _scalar(node: ScalarNode) -> Plain:
    text = str(node.value)
    kind = str(node.tag).removeprefix(_CORE)
    if kind in ("str", "timestamp", "merge"):
        return text
    if kind == "null":
        return None
    if kind == "bool":
        return text.lower() == "true"
    try:
        if kind == "int":
            digits = text.replace("_", "")
            return int(digits, 0) if digits.lstrip("+-")[:2].lower() in ("0x", "0o", "0b") else int(digits)
        if kind == "float":
            return float(text.lower().replace("_", "").replace(".inf", "inf").replace(".nan", "nan"))
    except ValueError:
        return text
    raise SourceError(f"expected a plain value, found the tag {node.tag!r}", _position(node))
