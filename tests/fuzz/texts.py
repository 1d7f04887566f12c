"""Damaged texts of a file that is right: by a seed, the same again. Not responsible for: what becomes of them."""

# ruff: noqa: E501 (the lists of odd things stay dense)

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

JsonPath = tuple[str | int, ...]

ODD_TEXTS = (
    "", " ", "\t", "\n", "\r\n", "\x00", "\x07", "\x1b[2J", "\x85", "\u2028", "\u202e", "\ufeff", "\ufffe", "😀", "é" * 50,
    "a" * 5000, "../../etc/passwd", "/dev/zero", "~nobody/x", "{{identity.email}}", "{{", "}}", "%s%n", "'; drop table run;--",
    "http://", "http://[::1", "http://h:999999", "//evil.example", "file:///etc/passwd", "http://a b", "javascript:1", "no",
    "null", "1e999", "0x", "-", "!", "*", "&", "en_", "xx_YY", "2020-01-01", "12:30:45", "Mars/Olympus", "\ud800",
)  # fmt: skip
ODD_VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 3, 2**31, 2**63, -(2**63), 10**30, 10**4000, 0.5, -0.0, 1e308, float("inf"), float("nan"),
    [], {}, [None], [[]], [{}], {"": 1}, {"a": {"b": {"c": 1}}}, ["a", 1, None], {"deed": "vote"}, {"task_type": "vote"}, {"env": 3}, {"env": ""},
)  # fmt: skip
SNIPPETS = (
    "%YAML 9.9\n---\n", "%YAML 1.1\n---\n", "%TAG ! tag:x,1:\n---\n", "%FOO bar\n---\n", "---\n", "...\n", "--- |\n", "&a ",
    "*a", "!!python/object/apply:os.system ", "!!set ", "!!binary ", "!!omap ", "!<tag> ", "<<: ", "? ", "- - - ", ": ", ", ",
    "[" * 400, "{" * 400, "{a: " * 200, "\t", "#", "|", ">-\n", "'", '"', '"\\ud800"', '"\\x00"', '"\\e[2J"', "\x00", "\ufeff",
    "\r", "\u2028", "=", "[[x]]\n", "[x]\n", "[site.a]\n", "a.b.c=1\n", "x = '''", 'x = """', "9" * 5000, "0x" + "f" * 5000,
    "a: [&b [*b]]\n", "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n", "1979-05-27T07:32:00Z", "🙂",
)  # fmt: skip


def odd_value(random: Random, depth: int = 0) -> Any:
    """Give a value that stands nowhere."""
    kind = random.randrange(8)
    if kind < 3:
        return random.choice(ODD_TEXTS)
    if kind < 6 or depth > 2:
        return random.choice(ODD_VALUES)
    if kind == 6:
        return [odd_value(random, depth + 1) for _ in range(random.randrange(4))]
    return {random.choice(ODD_TEXTS): odd_value(random, depth + 1) for _ in range(random.randrange(4))}


def places(schema: Mapping[str, Any]) -> list[JsonPath]:
    """Give every place that a JSON Schema knows, each of its alternatives, too; keys of its own are ``*``."""
    return list(dict.fromkeys(_places(schema, schema, (), 0)))


def _places(schema: Mapping[str, Any], root: Mapping[str, Any], at: JsonPath, depth: int) -> Iterator[JsonPath]:
    while "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rsplit("/", 1)[-1]]
    yield at
    if depth > 8:
        return
    for part in ("anyOf", "oneOf", "allOf"):
        for option in schema.get(part, ()):
            yield from _places(option, root, at, depth + 1)
    for name, inner in schema.get("properties", {}).items():
        yield from _places(inner, root, (*at, name), depth + 1)
    if isinstance(schema.get("items"), Mapping):
        yield from _places(schema["items"], root, (*at, 0), depth + 1)
    if isinstance(schema.get("additionalProperties"), Mapping):
        yield from _places(schema["additionalProperties"], root, (*at, "*"), depth + 1)


def put(document: Any, path: Sequence[str | int], value: Any) -> Any:
    """Give a document with another value at a place; what is missing on the way is made, what is in the way goes."""
    if not path:
        return value
    part, rest = path[0], path[1:]
    if isinstance(part, int):
        items = list(document) if isinstance(document, list) else []
        inner = items[part] if part < len(items) else None
        return [*items[:part], put(inner, rest, value), *items[part + 1 :]]
    held = dict(document) if isinstance(document, dict) else {}
    return {**held, part: put(held.get(part), rest, value)}


def wrong_document(random: Random, document: Any, known: Sequence[JsonPath]) -> Any:
    """Give a document with odd values, odd keys and missing parts at places of its schema."""
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        path = random.choice(known)
        path = tuple(random.choice(ODD_TEXTS) if part == "*" else part for part in path)
        if random.random() < 0.15:
            path = (*path, random.choice(ODD_TEXTS))
        document = put(document, path, odd_value(random))
    return document


def damaged(random: Random, text: str) -> bytes:
    """Give a text as bytes that something has happened to."""
    for _ in range(random.choice((0, 1, 1, 1, 2, 5))):
        at = random.randrange(len(text) + 1)
        text = random.choice(_DAMAGES)(random, text, at)
    encoded = text.encode("utf-8", "surrogatepass")
    kind = random.randrange(20)
    if kind == 0:
        return text.encode("utf-16", "surrogatepass")
    if kind == 1:
        return text.encode("utf-32", "surrogatepass")
    if kind == 2:
        return b"\xef\xbb\xbf" + encoded
    if kind == 3 and encoded:
        changed = bytearray(encoded)
        for _ in range(random.randrange(1, 6)):
            changed[random.randrange(len(changed))] ^= 1 << random.randrange(8)
        return bytes(changed)
    if kind == 4:
        return random.randbytes(random.randrange(200))
    return encoded


def _insert(random: Random, text: str, at: int) -> str:
    return text[:at] + random.choice(SNIPPETS) + text[at:]


def _line(random: Random, text: str, at: int) -> str:
    start = text.rfind("\n", 0, at) + 1
    return text[:start] + random.choice(SNIPPETS) + text[start:]


def _head(random: Random, text: str, at: int) -> str:
    return random.choice(SNIPPETS) + text


def _cut(random: Random, text: str, at: int) -> str:
    return text[:at]


def _drop(random: Random, text: str, at: int) -> str:
    return text[:at] + text[at + random.randrange(1, 30) :]


def _twice(random: Random, text: str, at: int) -> str:
    lines = text.split("\n")
    number = random.randrange(len(lines))
    return "\n".join([*lines[: number + 1], lines[number], *lines[number + 1 :]])


def _indent(random: Random, text: str, at: int) -> str:
    start = text.rfind("\n", 0, at) + 1
    return text[:start] + random.choice((" ", "  ", "\t")) + text[start:]


_DAMAGES: tuple[Callable[[Random, str, int], str], ...] = (_insert, _line, _head, _cut, _drop, _twice, _indent)


def as_toml(value: Any) -> str:
    """Write a value in TOML, on one line; what TOML has no form for is left out, or an empty text."""
    if isinstance(value, Mapping):
        pairs = (f"{json.dumps(key)} = {as_toml(one)}" for key, one in value.items() if one is not None)
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(as_toml(one) for one in value)}]"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return f"{value:#x}" if value > 10**100 else str(value)
    return repr(value) if isinstance(value, float) else json.dumps(value if value is not None else "")


def toml_document(document: Any) -> str:
    """Write a whole ``sim.toml``: each section, and each site, as a table."""
    if not isinstance(document, Mapping):
        return as_toml(document)
    lines = []
    for section, value in document.items():
        if section == "site" and isinstance(value, Mapping):
            for name, site in value.items():
                lines += _table(("site", name), site)
        else:
            lines += _table((section,), value)
    return "\n".join(lines) + "\n"


def _table(path: Sequence[str], value: Any) -> list[str]:
    name = ".".join(map(json.dumps, path))
    if not isinstance(value, Mapping):
        return [f"{name} = {as_toml(value)}"]
    return [f"[{name}]", *(f"{json.dumps(key)} = {as_toml(one)}" for key, one in value.items() if one is not None)]
