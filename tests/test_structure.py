"""The shape of the code: no circle of imports, types included; no folder, function or class too long to read."""

from __future__ import annotations

import ast
import re
from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import simulator

_ROOT = Path(simulator.__file__).parent
_MODULES = 26
"""Modules in one folder, ``__init__`` with them."""
_MODULE_LINES = 400
"""Lines of a module of the browser."""
_DECLARED = re.compile(r"^(?:async )?(?:const|let|function\*?|class) (\w+)", re.MULTILINE)
_LINES = 80
"""Lines of a function, its docstring with them."""
_METHODS = 20
"""Methods of a class."""


class _Class(NamedTuple):
    name: str
    bases: tuple[str, ...]
    methods: int
    """How many it has of its own; 0 where it has fields alone."""


@dataclass
class _Module:
    """What the tests ask of a module: each is parsed once for all of them."""

    path: Path
    text: str
    imported: list[ast.Import | ast.ImportFrom] = field(default_factory=list)
    called: set[str] = field(default_factory=set)
    """Names of what it calls, without what stands before them."""
    classes: list[_Class] = field(default_factory=list)
    functions: dict[str, int] = field(default_factory=dict)
    """Lines of each, by the name and the line where it begins."""


@cache
def _modules() -> dict[str, _Module]:
    found = {}
    for path in sorted(_ROOT.rglob("*.py")):
        parts = path.relative_to(_ROOT.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = _read(path)
    return found


def _read(path: Path) -> _Module:
    module = _Module(path, path.read_text("utf-8"))
    for node in ast.walk(ast.parse(module.text)):
        match node:
            case ast.Import() | ast.ImportFrom():
                module.imported.append(node)
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)):
                module.called.add(name)
            case ast.ClassDef():
                bases = tuple(ast.unparse(base).partition("[")[0].rpartition(".")[2] for base in node.bases)
                methods = sum(isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef) for part in node.body)
                module.classes.append(_Class(node.name, bases, methods))
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                module.functions[f"{node.name}:{node.lineno}"] = (node.end_lineno or node.lineno) - node.lineno + 1
    return module


def _imported(module: _Module, known: Container[str]) -> Iterator[str]:
    for node in module.imported:
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names if one.name in known)
        elif node.module in known:
            # What a package itself gives, it has from modules of its own.
            yield from (each if (each := f"{node.module}.{one.name}") in known else node.module for one in node.names)


def test_no_module_imports_itself_by_way_of_others() -> None:
    known = _modules()
    assert len(known) > 400, "the modules were not found"
    circle: list[str] = []
    try:
        TopologicalSorter({name: {*_imported(one, known)} - {name} for name, one in known.items()}).prepare()
    except CycleError as error:
        circle = error.args[1]
    assert circle == []


def test_no_folder_is_too_full_to_look_through() -> None:
    full: dict[Path, int] = {}
    for one in _modules().values():
        full[one.path.parent] = full.get(one.path.parent, 0) + 1
    assert {str(folder.relative_to(_ROOT)): modules for folder, modules in full.items() if modules > _MODULES} == {}


def test_only_the_browser_names_the_script_of_the_page() -> None:
    browser = _ROOT / "browser"
    named = [one.path for one in _modules().values() if "__sim" in one.text]
    assert named, "the name of the page's script is another one"
    assert [path for path in named if not path.is_relative_to(browser)] == []


def _calling(*names: str) -> set[str]:
    """Give the modules of the runner that call something of one of these names."""
    return {
        name
        for name, one in _modules().items()
        if name.startswith("simulator.runner.") and not one.called.isdisjoint(names)
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
    tapes = {
        name: {node.name for node in one.classes if node.name.startswith("Tape")} for name, one in _modules().items()
    }
    assert {name: classes for name, classes in tapes.items() if classes} == {
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
    for one in _modules().values():
        for node in one.classes if one.path.is_relative_to(_ROOT / "browser") else ():
            above.setdefault(node.name, set()).update(node.bases)
            if node.methods:
                acting.add(node.name)
    assert {"Actor", "ActionRunner", "PageReader"} <= acting, "the classes were not found"

    def depth(name: str) -> int:
        return max(map(depth, above.get(name, ())), default=0) + (name in acting)

    assert {name: depth(name) for name in above if depth(name) > 2} == {}


def test_no_module_of_the_browser_is_too_long_to_read() -> None:
    lines = {name: one.text.count("\n") for name, one in _modules().items()}
    browser = {name: many for name, many in lines.items() if name.startswith("simulator.browser.")}
    assert len(browser) > 80, "the modules were not found"
    assert {name: many for name, many in browser.items() if many > _MODULE_LINES} == {}


def test_no_two_parts_of_the_page_script_call_something_alike() -> None:
    """They share one scope: of two functions of a name the last one stood for both, and the page went on."""
    called: dict[str, list[str]] = {}
    for path in sorted((_ROOT / "browser" / "page").glob("*.js")):
        for found in _DECLARED.finditer(path.read_text("utf-8")):
            called.setdefault(found[1], []).append(path.name)
    assert len(called) > 500, "the parts were not found"
    assert {name: files for name, files in called.items() if len(files) > 1} == {}


def test_no_function_is_too_long_to_read() -> None:
    functions = {f"{name}.{said}": long for name, one in _modules().items() for said, long in one.functions.items()}
    assert len(functions) > 5000, "the functions were not found"
    assert {said: long for said, long in functions.items() if long > _LINES} == {}


def test_no_class_has_too_many_methods() -> None:
    methods = {f"{name}.{node.name}": node.methods for name, one in _modules().items() for node in one.classes}
    assert len(methods) > 900, "the classes were not found"
    assert {name: many for name, many in methods.items() if many > _METHODS} == {
        "simulator.agent.browser_toolset.BrowserToolset": 42,  # one for each member that the class of the SDK demands
    }
