"""The shape of the code: no circle of imports, those for types included, no folder and no function too long to read."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import simulator

_ROOT = Path(simulator.__file__).parent
_MODULES = 26
"""Modules in one folder, ``__init__`` with them."""
_MODULE_LINES = 400
"""Lines of a module of the browser."""
_DECLARED = re.compile(r"^(?:async )?(?:const|let|function\*?|class) (\w+)", re.MULTILINE)
_LINES = 80
"""Lines of a function, its docstring with them."""


def _modules() -> dict[str, Path]:
    found = {}
    for path in sorted(_ROOT.rglob("*.py")):
        parts = path.relative_to(_ROOT.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def _imported(path: Path, known: Mapping[str, Path]) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module in known:
            # What a package itself gives, it has from modules of its own.
            yield from (each if (each := f"{node.module}.{one.name}") in known else node.module for one in node.names)
        elif isinstance(node, ast.Import):
            yield from (one.name for one in node.names if one.name in known)


def test_no_module_imports_itself_by_way_of_others() -> None:
    known = _modules()
    assert len(known) > 400, "the modules were not found"
    circle: list[str] = []
    try:
        TopologicalSorter({name: {*_imported(path, known)} - {name} for name, path in known.items()}).prepare()
    except CycleError as error:
        circle = error.args[1]
    assert circle == []


def test_no_folder_is_too_full_to_look_through() -> None:
    full: dict[Path, int] = {}
    for path in _modules().values():
        full[path.parent] = full.get(path.parent, 0) + 1
    assert {str(folder.relative_to(_ROOT)): modules for folder, modules in full.items() if modules > _MODULES} == {}


def test_only_the_browser_names_the_script_of_the_page() -> None:
    browser = _ROOT / "browser"
    named = [path for path in _modules().values() if "__sim" in path.read_text("utf-8")]
    assert named, "the name of the page's script is another one"
    assert [path for path in named if not path.is_relative_to(browser)] == []


def _calling(*names: str) -> set[str]:
    """Give the modules of the runner that call something of one of these names."""
    return {
        name
        for name, path in _modules().items()
        if name.startswith("simulator.runner.")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and (getattr(node.func, "attr", None) or getattr(node.func, "id", "")) in names
    }


def test_one_module_knows_the_life_of_a_batch() -> None:
    life = "begin_batch", "reopen_batch", "end_batch", "BatchStarted", "BatchEnded", "guarded"
    assert [_calling(one) for one in life] == [{"simulator.runner.batch_session"}] * len(life)


def test_one_module_makes_what_a_user_acts_with() -> None:
    assert _calling("RunContext") == _calling("Session") == {"simulator.runner.surroundings.run_setup"}


def test_one_module_puts_an_agent_at_the_tools() -> None:
    assert _calling("SafetyDispatcher") == _calling("RunLog") == {"simulator.runner.performing.harness"}


def test_one_tape_answers_an_agent_again() -> None:
    """Offline, from a step on, and after a cut, one tape and what answers from it give back what was recorded."""
    held: dict[str, set[str]] = {}
    for name, path in _modules().items():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef) and node.name.startswith("Tape"):
                held.setdefault(name, set()).add(node.name)
    assert held == {
        "simulator.replay.tape": {"Tape", "TapeEnd"},
        "simulator.runner.continuing.taped": {"TapedModel", "TapedPerformer", "TapedDispatcher", "TapedPeers"},
    }
    assert _calling("read_tape") == {"simulator.runner.continuing.offline"}


def test_one_continuation_lets_somebody_go_on() -> None:
    """Resuming and ``--from`` differ in how a run comes to its place; what goes on from there is one."""
    assert _calling("TapedDispatcher") == {
        "simulator.runner.continuing.continuation",
        "simulator.runner.continuing.offline",  # nobody goes on
        "simulator.runner.interrupted.resume",  # who is not resumed is there in mind alone
    }
    assert _calling("Reached") == {"simulator.runner.continuing.prefix", "simulator.runner.interrupted.resume_back"}
    assert _calling("RecordedFiles") == {"simulator.runner.replays.recorded_steps"}


def test_the_browser_is_composed() -> None:
    """No class of the browser inherits what a class does that inherits itself: what it needs, it is given.

    Records, which have fields alone, are not counted: the options of a click are those of anything, and more.
    """
    above: dict[str, set[str]] = {}
    acting: set[str] = set()
    for path in _modules().values():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))) if path.is_relative_to(_ROOT / "browser") else ():
            if isinstance(node, ast.ClassDef):
                bases = (ast.unparse(base).partition("[")[0].rpartition(".")[2] for base in node.bases)
                above.setdefault(node.name, set()).update(bases)
                if any(isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef) for part in node.body):
                    acting.add(node.name)
    assert {"Actor", "ActionRunner", "PageReader"} <= acting, "the classes were not found"

    def depth(name: str) -> int:
        return max(map(depth, above.get(name, ())), default=0) + (name in acting)

    assert {name: depth(name) for name in above if depth(name) > 2} == {}


def test_no_module_of_the_browser_is_too_long_to_read() -> None:
    lines = {name: path.read_text("utf-8").count("\n") for name, path in _modules().items()}
    browser = {name: many for name, many in lines.items() if name.startswith("simulator.browser.")}
    assert len(browser) > 80, "the modules were not found"
    assert {name: many for name, many in browser.items() if many > _MODULE_LINES} == {}


def _functions(path: Path) -> Iterator[tuple[str, int]]:
    name = ".".join(path.relative_to(_ROOT).with_suffix("").parts)
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{name}.{node.name}", (node.end_lineno or node.lineno) - node.lineno + 1


def test_no_two_parts_of_the_page_script_call_something_alike() -> None:
    """They share one scope: of two functions of a name the last one stood for both, and the page went on."""
    called: dict[str, list[str]] = {}
    for path in sorted((_ROOT / "browser" / "page").glob("*.js")):
        for found in _DECLARED.finditer(path.read_text("utf-8")):
            called.setdefault(found[1], []).append(path.name)
    assert len(called) > 500, "the parts were not found"
    assert {name: files for name, files in called.items() if len(files) > 1} == {}


def test_no_function_is_too_long_to_read() -> None:
    assert [one for path in _modules().values() for one in _functions(path) if one[1] > _LINES] == []
