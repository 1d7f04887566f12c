"""The reference of events, made of their types. Not responsible for: the rest of the documentation.

``python -m simulator.report.events.reference docs/events.md`` renews the part between the two marks there.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from simulator.report.events.lines import event_name
from simulator.runner import events

BEGIN = "<!-- events: begin -->"
END = "<!-- events: end -->"
_JSON: Mapping[Any, str] = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}


def event_reference() -> str:
    """Write every kind of event with its fields as Markdown."""
    classes = {node.name: node for node in ast.parse(inspect.getsource(events)).body if isinstance(node, ast.ClassDef)}
    return "\n".join(line for kind in get_args(events.Event) for line in _section(kind, classes[kind.__name__]))


def renewed(text: str) -> str:
    """Give a document with the part between its marks renewed."""
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    return f"{before}{BEGIN}\n\n{event_reference()}\n{END}{after}"


def _section(kind: type[events.Event], source: ast.ClassDef) -> Iterator[str]:
    yield from (f"### `{event_name(kind)}`", "", _plain(inspect.getdoc(kind) or ""), "")
    yield from ("| field | JSON | |", "|---|---|---|")
    hints = get_type_hints(kind)
    for node, after in zip(source.body, [*source.body[1:], None], strict=True):
        if not isinstance(node, ast.AnnAssign):
            continue
        about = ""
        if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            about = _plain(str(after.value.value))
        name = ast.unparse(node.target)
        yield f"| `{name}` | {_json_type(hints[name])} | {about} |"
    yield ""


def _json_type(hint: Any) -> str:
    """Say what a value of a type is in JSON."""
    if hint in _JSON:
        return _JSON[hint]
    if get_origin(hint) is Literal:
        return ", ".join(f"`{choice}`" for choice in get_args(hint))
    if get_origin(hint) in (UnionType, Union):
        return " or ".join(dict.fromkeys(_json_type(one) for one in get_args(hint)))
    if is_dataclass(hint):
        return "object of " + ", ".join(f"`{field.name}`" for field in fields(hint))
    return "object"


def _plain(text: str) -> str:
    return re.sub(r"``(.+?)``", r"`\1`", " ".join(text.split()))


if __name__ == "__main__":
    document = Path(sys.argv[1])
    document.write_text(renewed(document.read_text("utf-8")), "utf-8")
