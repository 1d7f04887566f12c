"""YAML as plain values that know their line and column.

Responsible for reading YAML text strictly and for finding the place of a value again. A persona file is
data: tags construct nothing, anchors are refused (so a small file cannot unfold into a huge one) and size
is bounded. What the values mean is `files`.
"""

import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TypeAlias

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
from ruamel.yaml.reader import ReaderError

SIZE_LIMIT = 64 * 1024
"""Bytes in the largest file that is read."""

Plain: TypeAlias = bool | int | float | str | list["Plain"] | dict[str, "Plain"] | None
_CORE = "tag:yaml.org,2002:"


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
    children: dict[str | int, "Located"] = field(default_factory=dict)
    keys: dict[str, Position] = field(default_factory=dict)

    def follow(self, path: Sequence[str | int]) -> tuple["Located", int]:
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
        with path.open("rb") as file:
            data = file.read(SIZE_LIMIT + 1)
    except FileNotFoundError:
        raise SourceError("there is no such file") from None
    except OSError as error:
        raise SourceError(f"the file cannot be read: {error.strerror}") from error
    if len(data) > SIZE_LIMIT:
        raise SourceError(f"expected at most {SIZE_LIMIT // 1024} KiB")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        position = Position(before.count(b"\n") + 1, error.start - before.rfind(b"\n"))
        raise SourceError("expected UTF-8 text; save the file in that encoding", position) from error
    return parse_source(text)


def parse_source(text: str) -> Located:
    """Read YAML text; it raises as `read_source` does."""
    try:
        root = YAML(typ="safe", pure=True).compose(io.StringIO(text))
        if root is None:
            raise SourceError("the file is empty; a persona starts with 'persona: its-name'")
        return _located(root)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        position = Position(mark.line + 1, mark.column + 1) if mark else Position(1, 1)
        raise SourceError(_explained(error), position) from error
    except ReaderError as error:
        before = text[: error.position]
        position = Position(before.count("\n") + 1, error.position - before.rfind("\n"))
        raise SourceError("the file holds a control character", position) from error
    except RecursionError as error:
        raise SourceError("the values are nested too deeply") from error
    except YAMLError as error:
        raise SourceError(f"not YAML: {error}") from error


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
