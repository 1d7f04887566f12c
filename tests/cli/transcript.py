"""Transcripts of the command line: files that hold commands, and what each printed and exited with.

A file is blocks. A block begins with ``== what it shows`` and is played in a folder of its own; its commands follow
each other there. After a command, which stands behind ``$``, comes what it told: standard output behind ``>``, standard
error behind ``!``, and its exit code. A block with ``[browser]`` behind its title starts browsers; one with ``[model]``
is given a model that follows a script, too.

A command is ``sim`` with its words, behind variables of the environment if need be; or ``cat FILE`` or ``ls FOLDER``.
``| outline`` shows of JSON which fields it has, and of what kind, ``| outline N`` down to a depth; ``| json`` shows it
line by line; ``| head N`` shows the first lines.

Not responsible for: running ``sim``, or comparing.
"""

from __future__ import annotations

import json
import platform
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).with_name("transcripts")


class Told(NamedTuple):
    """What a command came to."""

    out: str
    err: str
    code: int


class Command(NamedTuple):
    """A line of a transcript, taken apart."""

    env: dict[str, str]
    words: list[str]
    filter: list[str]


@dataclass(frozen=True)
class Line:
    """A command, and what it told as it is committed."""

    text: str
    told: tuple[str, ...]

    @property
    def command(self) -> Command:
        """The command in its parts."""
        words = shlex.split(self.text)
        bar = words.index("|") if "|" in words else len(words)
        words, shown = words[:bar], words[bar + 1 :]
        env = dict(word.split("=", 1) for word in words[: next(n for n, word in enumerate(words) if "=" not in word)])
        return Command(env, words[len(env) :], shown)

    @property
    def code(self) -> int:
        """The exit code that is committed."""
        return int(self.told[-1].removeprefix("exit "))


@dataclass(frozen=True)
class Block:
    """Commands that follow each other in one folder."""

    file: Path
    title: str
    tags: frozenset[str]
    lines: tuple[Line, ...]

    def text(self) -> str:
        """Write it as it stands in its file."""
        tags = "".join(f" [{tag}]" for tag in sorted(self.tags))
        return "\n".join(
            [f"== {self.title}{tags}", *(part for one in self.lines for part in (f"$ {one.text}", *one.told))]
        )

    def played(self, play: Callable[[Command], Told], masked: Callable[[str], str]) -> Block:
        """Give the block as its commands are told now."""

        def told(line: Line) -> Line:
            given = play(line.command)
            out = masked(_filtered(given.out, line.command.filter))
            if "outline" in line.command.filter:
                # Names that are ids are one name now.
                out = "\n".join(sorted(set(out.splitlines())))
            said = [*_prefixed(">", out), *_prefixed("!", _short_usage(masked(given.err)))]
            return replace(line, told=(*said, f"exit {given.code}"))

        return replace(self, lines=tuple(map(told, self.lines)))


def blocks(file: Path) -> list[Block]:
    """Read a transcript."""
    _, *parts = re.split(r"^== ", file.read_text("utf-8"), flags=re.MULTILINE)
    return [_block(file, part) for part in parts]


def all_blocks() -> list[Block]:
    """Read all transcripts."""
    return [block for file in sorted(FOLDER.glob("*.txt")) for block in blocks(file)]


def renew(block: Block) -> None:
    """Write a block in its file as it is told now."""
    head = re.split(r"^== ", block.file.read_text("utf-8"), maxsplit=1, flags=re.MULTILINE)[0]
    texts = [(block if one.title == block.title else one).text() for one in blocks(block.file)]
    block.file.write_text(head + "\n\n".join(texts) + "\n", "utf-8")


def _block(file: Path, text: str) -> Block:
    title, *rest = text.rstrip().split("\n")
    tags = frozenset(re.findall(r"\[(\w+)\]", title))
    lines: list[Line] = []
    for part in re.split(r"^\$ ", "\n".join(rest), flags=re.MULTILINE)[1:]:
        command, *told = part.rstrip("\n").split("\n")
        lines.append(Line(command, tuple(told)))
    return Block(file, re.sub(r" \[\w+\]", "", title), tags, tuple(lines))


def _prefixed(sign: str, text: str) -> Iterator[str]:
    for line in text.splitlines():
        yield f"{sign} {line}".rstrip()


def _short_usage(err: str) -> str:
    """Put the lines of a wrong usage into one: how it is called, and what is wrong."""
    return re.sub(r"^(Usage: .*?)\nTry '.* --help' for help\.\n\n(?=Error: )", r"\1 — ", err, flags=re.DOTALL)


def _filtered(out: str, words: Sequence[str]) -> str:
    match words:
        case []:
            return out
        case ["head", count]:
            lines = out.splitlines()
            return "\n".join([*lines[: int(count)], *(["…"] if len(lines) > int(count) else [])])
        case ["json"]:
            return json.dumps(_read(out), indent=1, ensure_ascii=False) if out else ""
        case ["outline", *depth]:
            return "\n".join(outline(_read(out), int(*depth) if depth else 100)) if out else ""
    raise AssertionError(f"there is no filter {' '.join(words)!r}")


def _read(out: str) -> Any:
    """Read JSON, or lines of it as a list."""
    try:
        return json.loads(out)
    except json.JSONDecodeError:
        return [json.loads(line) for line in out.splitlines()]


def outline(value: Any, depth: int) -> list[str]:
    """Tell which fields a JSON value has, and of what kind each is; the items of a list are told as one.

    Args:
        value: what is told.
        depth: below so many names nothing more is told.
    """
    kinds: dict[str, set[str]] = {}
    for path, kind in _fields(value, "", depth):
        kinds.setdefault(path, set()).add(kind)
    return [f"{path or '.'}: {' or '.join(sorted(found))}" for path, found in kinds.items()]


def _fields(value: Any, path: str, depth: int) -> Iterable[tuple[str, str]]:
    if isinstance(value, dict) and value and depth:
        for name, one in value.items():
            yield from _fields(one, f"{path}.{name}" if path else name, depth - 1)
    elif isinstance(value, list) and value:
        for one in value:
            yield from _fields(one, f"{path}[]", depth)
    else:
        yield path, _KINDS[type(value)]


_KINDS = {dict: "{}", list: "[]", str: "text", bool: "yes/no", int: "number", float: "number", type(None): "null"}
_MASKS: Sequence[tuple[str, str]] = (
    (r"\b\d{4}-\d\d-\d\d([T ])\d\d:\d\d(:\d\d(\.\d+)?)?( UTC|Z|\+00:00)?", "<time>"),
    (r"\b\d\d-\d\d \d\d:\d\d\b", "<time>"),
    (r"\b[0-9a-f]{64}\b", "<sha256>"),
    (r"\b\d+(\.\d+)? (ms|s|min)\b", "<duration>"),
    (r"\b[\d,]+ bytes\b", "<size>"),
    (r"\btime=\"[\d.]+\"", 'time="<duration>"'),
    (r"\bseed( +)\d{2,}\b", r"seed\1<seed>"),
    (r"(?m)^(\[\d+(?:/\d+)?\] \S+) \S+", r"\1 <user>"),
    (r"\b127\.0\.0\.1:\d{2,5}\b", "127.0.0.1:<port>"),
    (r"(?<![\d.])\d+\.\d+\.\d+(?![\d.])", "<version>"),
    (rf"{platform.system()} {platform.machine()}", "<machine>"),
)
_ID = re.compile(r"\b([0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-)?[0-9a-f]{8,12}\b")


def masked(text: str, place: Path, known: frozenset[str]) -> str:
    """Put names in the place of what is another one each time: ids, times, durations, sizes, folders and ports.

    Args:
        text: what a command told.
        place: the folder it was told in.
        known: ids that stay.
    """
    text = text.replace(str(place), "<folder>")
    for pattern, name in _MASKS:
        text = re.sub(pattern, name, text)
    return _ID.sub(lambda found: found[0] if found[0] in known else "<id>", text)
