"""Playbooks for agents: Markdown files with advice for a kind of task. Not responsible for: following them.

They stand in ``personas/skills/`` beside ``sim.toml``; a project without that folder has those that come along.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from pydantic import JsonValue

from simulator.errors import ToolError
from simulator.persona import starter_personas
from simulator.text_file import UnreadableFile, read_text
from simulator.tools.context import RunContext
from simulator.tools.spec import tool

SIZE_LIMIT = 20_000
"""Characters of a playbook that are shown."""
_READ_LIMIT = 1 << 20
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*(?:/[a-z0-9][a-z0-9_-]*)*")


@tool(category="utility", safety="safe", replay="skip", examples=[{}])
async def list_skills(ctx: RunContext) -> JsonValue:
    """List the playbooks: how tasks of a kind are best done.

    Returns:
        The name of each, and what it is for; read_skill gives one whole.
    """
    folder = _folder(ctx)
    return [{"name": name, "about": _about(path)} for name, path in _skills(folder)]


@tool(category="utility", safety="safe", replay="skip", examples=[{"name": "search/site_search"}])
async def read_skill(ctx: RunContext, name: str) -> JsonValue:
    """Read a playbook.

    Args:
        ctx: The run.
        name: As list_skills gives it.

    Returns:
        The playbook, as Markdown.
    """
    known = dict(_skills(_folder(ctx)))
    wanted = name.removesuffix(".md")
    if not _NAME.fullmatch(wanted):
        raise ToolError("invalid_input", f"{name!r} is no name of a playbook; they look like 'search/site_search'")
    if wanted not in known:
        raise ToolError("not_found", f"there is no playbook {name!r}; there are: {', '.join(known) or 'none'}")
    return _text(known[wanted])


def _folder(ctx: RunContext) -> Path:
    own = ctx.settings.root / "personas" / "skills"
    return own if own.is_dir() else starter_personas() / "skills"


def _skills(folder: Path) -> Iterator[tuple[str, Path]]:
    """Give the name and the file of every playbook; what a link leads to elsewhere is not one."""
    if not folder.is_dir():
        return
    real = folder.resolve()
    for path in sorted(folder.rglob("*.md")):
        name = path.relative_to(folder).with_suffix("").as_posix()
        if _NAME.fullmatch(name) and path.is_file() and path.resolve().is_relative_to(real):
            yield name, path


def _about(path: Path) -> str:
    """Give the first line that is neither empty nor a heading."""
    lines = (line.strip() for line in _text(path).splitlines())
    return next((line for line in lines if line and not line.startswith("#")), "")


def _text(path: Path) -> str:
    try:
        text = read_text(path, _READ_LIMIT)
    except UnreadableFile as error:
        raise ToolError("unavailable", f"the playbook {path.name} cannot be read: {error.message}") from None
    cut = f"\n[cut: the first {SIZE_LIMIT} of {len(text)} characters]" if len(text) > SIZE_LIMIT else ""
    return text[:SIZE_LIMIT] + cut
