"""The ways of a call and of a replayed action: through the modules that `docs/architecture.md` names, in their order.

What is entered is seen while a small site is recorded and replayed in this process.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import simulator
from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

__all__ = ["run", "served_site", "small_site"]

_ROOT = Path(simulator.__file__).parent
_PAGE = (_ROOT.parent / "docs" / "architecture.md").read_text("utf-8")

_DUTY = {
    "browser/acting/element_resolver.py": "take_at",
    "browser/effects/observer.py": "end",
    "replay/outcome.py": "check_field",
    "replay/effects/checking.py": "unlike",
    "replay/effects/sent_again.py": "unsent",
    "replay/effects/seen_again.py": "unseen",
}
"""The function by which a module does what its line says, where it is asked for other things before."""


def way(title: str) -> list[list[str]]:
    """Give the modules that each line of a way names, below ``simulator/``."""
    text = _PAGE.partition(f"## {title}\n")[2].partition("\n## ")[0]
    lines = re.split(r"^\d+\. ", text, flags=re.MULTILINE)[1:]
    assert len(lines) == 10, "a way has ten lines"
    return [[_module(name, line) for name in re.findall(r"`([\w/]+\.py)`", line)] for line in lines]


def _module(name: str, line: str) -> str:
    if (_ROOT / name).exists():
        return name
    near = {Path(one).parent for one in re.findall(r"`([\w/]+/\w+\.py)`", line)}
    found = [str(at / name) for at in near if (_ROOT / at / name).exists()]
    found = found or [str(one.relative_to(_ROOT)) for one in _ROOT.rglob(name)]
    assert len(found) == 1, f"{name} of: {line}"
    return found[0]


@contextmanager
def entered() -> Iterator[list[tuple[str, str]]]:
    """Give module and name of each function of the program that is entered meanwhile, in order."""
    seen: list[tuple[str, str]] = []
    root = f"{_ROOT}/"

    def note(frame: FrameType, event: str, _: Any) -> None:
        # A coroutine that goes on after it has waited is called, too: not at its first line.
        begins = event == "call" and frame.f_lineno == frame.f_code.co_firstlineno
        if begins and frame.f_code.co_filename.startswith(root):
            seen.append((frame.f_code.co_filename.removeprefix(root), frame.f_code.co_name))

    sys.setprofile(note)
    try:
        yield seen
    finally:
        sys.setprofile(None)


@pytest.fixture
def noted(run: OneRun, small_site: SmallSite) -> list[tuple[str, str]]:
    """A note is written and sent; gives what was entered for that."""
    form = "<form method=post action=/add><label>Title <input name=title></label><button>Add</button></form>"
    small_site.pages |= {"/": f"<h1>Notes</h1>{form}", "/n/1": "<h1>Low tide at noon</h1>"}
    small_site.answers["/add"] = lambda sent: "/n/1"
    with entered() as seen:
        run.record(
            [
                call("navigate", url="/"),
                call("fill", selector="Title", value="Low tide at noon"),
                call("click", selector="Add"),
            ]
        )
    return seen


def in_order(named: list[str], seen: list[tuple[str, str]]) -> list[str]:
    """Give the named modules as each began with its duty; at the end, in brackets, those that did not."""
    first: dict[str, int] = {}
    for at, (name, function) in enumerate(seen):
        if name in named and function == _DUTY.get(name, function):
            first.setdefault(name, at)
    return [*sorted(first, key=first.__getitem__), *(f"({name})" for name in named if name not in first)]


def last(seen: list[tuple[str, str]], name: str, function: str) -> int:
    return max(at for at, one in enumerate(seen) if one == (name, function))


def test_a_call_goes_the_way_that_is_documented(noted: list[tuple[str, str]]) -> None:
    loop, *named = dict.fromkeys(name for line in way("The way of a call") for name in line)
    assert loop == "agent/loop.py"
    click = last(noted, "tools/families/interaction.py", "click")
    begins = last(noted[:click], named[0], "dispatch")
    assert last(noted[:begins], loop, "run_agent"), "the loop had begun before"
    assert in_order(named, noted[begins:]) == named


def test_a_replayed_action_goes_the_way_that_is_documented(run: OneRun, noted: list[tuple[str, str]]) -> None:
    del noted  # it has recorded
    with entered() as seen:
        assert run.replay()["verdict"] == "passed"
    lines = way("The way of a replayed action")
    once = [name for line in lines[:2] for name in line]
    assert in_order(once, seen) == once
    named = list(dict.fromkeys(name for line in lines[2:9] for name in line))
    assert in_order(named, seen[last(seen, "replay/perform.py", "_act") :]) == named
    step = seen[last(seen, "runner/replays/step_replay.py", "replay") :]
    rooms = {name.partition("/")[0] for name, _ in step if "/" in name}
    assert rooms >= {"runner", "replay", "browser", "recording"}
    assert len(rooms) <= 8, "of the rooms that a step passes, with what is said of it at last"
