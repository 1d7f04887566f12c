"""Looks at the files of a run's folder and changes them. Not responsible for: which files those are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from simulator.errors import ToolError
from simulator.tools.workspace.folder import Edit, Workspace, explained

AROUND = 4
"""Lines before and behind a change that are shown with it."""
SHOWN_LIMIT = 16_000
"""Characters of a file or a list that are shown at once."""
SIZE_LIMIT = 1_000_000
"""Bytes of a file that can be edited."""


def view(workspace: Workspace, path: Path, view_range: Sequence[int] | None) -> str:
    """Show a file with its line numbers, or what is in a folder, two levels deep.

    Args:
        workspace: whose file.
        path: the file or folder.
        view_range: first and last line, from 1; -1 stands for the last one there is.
    """
    if path.is_dir():
        if view_range is not None:
            raise ToolError("invalid_input", f"{path} is a folder: it has no view_range")
        return _cut("\n".join([str(path), *_listed(workspace, path, depth=2)]))
    lines = _read(path).split("\n")
    first, last = _range(view_range, len(lines))
    return _cut(_numbered(lines[first - 1 : last], first))


def create(workspace: Workspace, path: Path, text: str) -> str:
    """Write a new file, and the folders that it needs."""
    if path.exists():
        raise ToolError("invalid_input", f"{path} is there already; change it with str_replace or insert")
    with explained(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    _write(workspace, path, None, text)
    return f"{path} was written, {text.count(chr(10)) + 1} lines"


def replace(workspace: Workspace, path: Path, old: str, new: str) -> str:
    """Put a text in place of another that stands in the file exactly once."""
    text = _read(path)
    places = list(_places(text, old)) if old else []
    if len(places) != 1:
        found = f"{len(places)} times, in lines {', '.join(map(str, places))}" if places else "nowhere"
        raise ToolError(
            "ambiguous" if places else "not_found",
            f"nothing was changed: old_str stands {found} in {path}; it has to stand there exactly once, "
            "white space included",
        )
    changed = text.replace(old, new)
    _write(workspace, path, text, changed)
    return _snippet(path, changed, places[0], new.count("\n") + 1)


def insert(workspace: Workspace, path: Path, line: int, new: str) -> str:
    """Put a text behind a line; 0 is before the first."""
    text = _read(path)
    lines = text.split("\n")
    if line > len(lines):
        raise ToolError("invalid_input", f"insert_line: expected 0 to {len(lines)}, the lines of {path}; found {line}")
    added = new.split("\n")
    changed = "\n".join([*lines[:line], *added, *lines[line:]])
    _write(workspace, path, text, changed)
    return _snippet(path, changed, line + 1, len(added))


def undo(workspace: Workspace, path: Path) -> str:
    """Take back the last change of a file, unless something else has changed it since."""
    edits = workspace.edits.get(path)
    if not edits:
        raise ToolError("not_found", f"there is no change of {path} to take back")
    last = edits[-1]
    if _read(path) != last.after:
        raise ToolError("unavailable", f"{path} was changed by something else since; nothing was taken back")
    with explained(path):
        if last.before is None:
            path.unlink()
        else:
            _put(path, last.before)
    edits.pop()
    if last.before is None:
        return f"{path} was taken away: it was new"
    return f"the last change of {path} was taken back:\n{_cut(_numbered(last.before.split(chr(10)), 1))}"


def _read(path: Path) -> str:
    with explained(path):
        if path.exists() and not path.is_file():
            raise ToolError("invalid_input", f"{path} is no file")
        if path.stat().st_size > SIZE_LIMIT:
            raise ToolError("unavailable", f"{path} is larger than {SIZE_LIMIT} bytes; look at it with bash")
        return path.read_bytes().decode()


def _write(workspace: Workspace, path: Path, before: str | None, after: str) -> None:
    with explained(path):
        _put(path, after)
    workspace.edits.setdefault(path, []).append(Edit(before, after))


def _put(path: Path, text: str) -> None:
    path.write_bytes(text.encode("utf-8", "replace"))


def _places(text: str, old: str) -> Iterator[int]:
    """Give the line of each place where a text stands, overlapping ones included."""
    at = text.find(old)
    while at >= 0:
        yield text.count("\n", 0, at) + 1
        at = text.find(old, at + 1)


def _range(view_range: Sequence[int] | None, lines: int) -> tuple[int, int]:
    if view_range is None:
        return 1, lines
    if len(view_range) == 2:
        first, last = view_range[0], lines if view_range[1] == -1 else view_range[1]
        if 1 <= first <= last <= lines:
            return first, last
    expected = f"[first, last] with 1 <= first <= last <= {lines}, or -1 as the last"
    raise ToolError("invalid_input", f"view_range: expected {expected}; found {list(view_range)}")


def _listed(workspace: Workspace, folder: Path, depth: int) -> Iterator[str]:
    with explained(folder):
        entries = sorted(folder.iterdir())
    for entry in entries:
        if entry.name.startswith("."):
            continue
        yield f"{entry}/" if entry.is_dir() else str(entry)
        if depth > 1 and entry.is_dir() and entry.resolve().is_relative_to(workspace.folder):
            yield from _listed(workspace, entry, depth - 1)


def _snippet(path: Path, text: str, line: int, changed: int) -> str:
    lines = text.split("\n")
    first = max(1, line - AROUND)
    shown = lines[first - 1 : line - 1 + changed + AROUND]
    return f"{path} is now, around the change:\n{_cut(_numbered(shown, first))}"


def _numbered(lines: Sequence[str], first: int) -> str:
    return "\n".join(f"{number:6}\t{line}" for number, line in enumerate(lines, first))


def _cut(text: str) -> str:
    if len(text) <= SHOWN_LIMIT:
        return text
    return f"{text[:SHOWN_LIMIT]}\n[cut: the first {SHOWN_LIMIT} of {len(text)} characters; use view_range]"
