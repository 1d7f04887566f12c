"""Which tests are about the bookshop: where neither its pack nor its site is there, they are left out.

Those that import either, themselves or by way of another module of the tests, are found. A test that only names a task
of the pack says so: by :data:`needs_bookshop`, or a module whose import fails by ``pytest.importorskip``.
"""

from __future__ import annotations

import ast
import shutil
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

PACK, SITE = "simulator.packs.bookshop", "simulator.demo"
PRESENT = find_spec(PACK) is not None and find_spec(SITE) is not None
needs_bookshop = pytest.mark.skipif(not PRESENT, reason="it is about what the pack of the bookshop has")
_TESTS = Path(__file__).parent


@cache
def about_the_bookshop() -> frozenset[Path]:
    """Give the modules of the tests that cannot be imported without the bookshop, and folders whose fixtures cannot."""
    root = _TESTS.parent
    files = [*_TESTS.rglob("*.py"), *(root / "benchmarks").rglob("*.py")]
    modules = {".".join(path.relative_to(root).with_suffix("").parts): path for path in files}
    imported = {name: _imported(path) for name, path in modules.items()}
    found = {name for name, names in imported.items() if any(one.startswith((PACK, SITE)) for one in names)}
    while more := {name for name, names in imported.items() if name not in found and not names.isdisjoint(found)}:
        found |= more
    paths = {modules[name] for name in found}
    return frozenset(paths | {path.parent for path in paths if path.name == "conftest.py"})


def copy_without_the_bookshop(folder: Path) -> None:
    """Copy the project into a folder, but for the bookshop: its pack, its site, their tests, and the pack's lines."""
    root = _TESTS.parent
    leave = shutil.ignore_patterns("bookshop", "demo", "__pycache__")
    for name in ("simulator", "tests", "docs", "examples", "benchmarks", "recordings"):
        shutil.copytree(root / name, folder / name, ignore=leave)
    for name in ("README.md", "LICENSE", "CHANGELOG.md", "constraints.txt", "zensical.toml"):
        shutil.copy(root / name, folder)
    assert not (folder / "simulator" / "demo").exists()
    assert not (folder / "simulator" / "packs" / "bookshop").exists()
    text = (root / "pyproject.toml").read_text("utf-8")
    for line in (f'bookshop = "{PACK}.pack:PACK"\n', '"personas" = "simulator/packs/bookshop/starter"\n'):
        assert line in text, "the project names its pack in another way"
        text = text.replace(line, "")
    (folder / "pyproject.toml").write_text(text, "utf-8")


def _imported(path: Path) -> set[str]:
    """Give what a module imports as it is loaded."""
    names: set[str] = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.Import):
            names |= {one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{one.name}" for one in node.names)}
    return names
