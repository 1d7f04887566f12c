"""Playbooks as YAML that reviews and diffs well: a line for each value, evidence in the order of its weight, no ids.

Not responsible for: what a playbook says (``playbook.py``), or the files beside it.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.scalarstring import DoubleQuotedScalarString

from simulator.errors import RecordingError
from simulator.recording.upkeep.playbook import Playbook
from simulator.text_file import UnreadableFile, read_text
from simulator.yaml_source import SourceError, parse_source

SIZE_LIMIT = 32 * 1024 * 1024
"""Bytes in the largest playbook that is read."""
_IN_A_LINE = frozenset({"alike", "box", "requests", "scopes", "context", "choice", "error"})
"""Values that stand in one line each, as they change as a whole."""


def playbook_text(playbook: Playbook) -> str:
    """Write a playbook as YAML; the same playbook has the same text."""
    yaml = YAML()
    yaml.default_flow_style = False
    yaml.allow_unicode = True
    yaml.width = 1 << 20
    yaml.indent(mapping=2, sequence=2, offset=0)
    yaml.representer.ignore_aliases = lambda *_: True
    yaml.representer.add_representer(type(None), lambda dumper, _: dumper.represent_scalar(_NULL, "null"))
    out = io.StringIO()
    yaml.dump(_laid_out(playbook.model_dump(mode="json", exclude_defaults=True)), out)
    return out.getvalue()


def parse_playbook(path: Path) -> Playbook:
    """Read a playbook's YAML.

    Raises:
        RecordingError: it cannot be read, is no YAML, or says something that a playbook cannot say, with its place.
    """
    try:
        text = read_text(path, SIZE_LIMIT)
    except UnreadableFile as error:
        raise RecordingError(f"{path}:{error.line}:{error.column}: {error.message}") from None
    try:
        source = parse_source(text)
        return Playbook.model_validate(source.value)
    except SourceError as error:
        line, column = error.position
        raise RecordingError(f"{path}:{line}:{column}: {error.message}") from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = [part for part in first["loc"] if isinstance(part, str | int)]
        found, _ = source.follow(place)
        name = ".".join(map(str, place)) or "playbook"
        line, column = found.position
        raise RecordingError(f"{path}:{line}:{column}: {name}: {first['msg']}") from None


_NULL = "tag:yaml.org,2002:null"


def _laid_out(value: Any, within: str = "") -> Any:
    if isinstance(value, Mapping):
        laid = CommentedMap()
        for key, each in value.items():
            in_a_line = key in _IN_A_LINE or within == "variables"
            laid[_text(key)] = _flow(_laid_out(each)) if in_a_line else _laid_out(each, key)
        return laid if laid else _flow(laid)
    if isinstance(value, list | tuple):
        some = CommentedSeq(_laid_out(each) for each in value)
        return some if some else _flow(some)
    return _text(value) if isinstance(value, str) else value


def _flow(value: Any) -> Any:
    if isinstance(value, CommentedMap | CommentedSeq):
        value.fa.set_flow_style()
    return value


def _text(text: str) -> str:
    """Quote what YAML would fold, escape or read as something else: ``?0`` in a line begins as a key does."""
    plain = text.isprintable() and text == text.strip() and "  " not in text and not text.startswith(("?", ":"))
    return text if plain else DoubleQuotedScalarString(text)
