"""Which tests `make test` runs, and which `make tables`: of a family of generated cases a few, others every day.

`make test` (``-m "not slow"``) has every room. `make tables` (``-m table``) has more of the tables that guard the
promises: what `make test` has not run of them today. `make test-all` has everything. Not responsible for: what a test
shows.

``@pytest.mark.breadth(n)`` on a parametrised test or a module keeps ``n`` of the cases quick and makes the others slow.
In rooms whose tests start browsers and programs every parametrised test has one of its own, unless it says otherwise.
``by=("row",)``, names of parameters, keeps ``n`` for each of their values, or of what these call their ``tier``.
``table=m`` gives `make tables` ``m`` more of each, ``table=-1`` all. ``@pytest.mark.table`` gives it a whole test.
``days=4`` in either mark gives it them every fourth day. A whole test is given every day in the rooms that guard the
promises, and every third day in the others.

A module is a promise. In the room of whole runs each of its functions records and replays: `make test` has one of them
a day. In the other rooms whose tests start browsers and programs it has half of them.
``@pytest.mark.promise("what a form had filled")`` on modules says that they guard one promise together, on other pages:
one function of them all is quick. ``quick=4`` keeps so many, in any room. `make tables` has a tenth of the others
each day, so ten days have each of them.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple, Protocol

import pytest

SEED = int(os.environ.setdefault("TEST_SEED", str(date.today().toordinal())))
"""What is drawn today; ``TEST_SEED=N`` draws it again. Set for the workers, too, so that midnight divides nobody."""
_ROOT = Path(__file__).parent
_FEW = {"agent": 1, "browser": 1, "cli": 1, "conformance": 2, "golden": 2, "mutations": 3, "runner": 1, "security": 1}
"""How many cases of a parametrised test are quick in rooms whose tests start browsers and programs."""
_ONE_OF_A_MODULE = frozenset({"runner"})
"""Rooms of whose modules one function is quick."""
_HALF_OF_A_MODULE = frozenset(_FEW) - _ONE_OF_A_MODULE
"""Rooms of whose modules half of the functions are quick."""
_GUARDING = frozenset({"conformance", "golden", "mutations", "security"})
"""Rooms that guard the promises: `make tables` has their whole tests every day."""
_DAYS = 10
"""So many days of `make tables` have all functions of a promise: each takes long, and guards what the others do."""


def draw(items: Iterable[pytest.Item], seed: int = SEED) -> None:
    """Mark as slow what is not drawn, and for `make tables` what it has of that.

    Args:
        items: all that were collected.
        seed: draws.
    """
    families: dict[Hashable, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("slow"):
            # A case that is slow by its own mark is none of those that its test gives to `make tables`.
            item.own_markers = [mark for mark in item.own_markers if mark.name != "table"]
            continue
        if mark := item.get_closest_marker("table"):
            item.add_marker("slow")
            # By its name with that of its case, so that a third of the cases of a test are today's.
            if not _is_today(item.nodeid, seed, mark.kwargs.get("days", 1 if room(item) in _GUARDING else 3)):
                item.own_markers = [mark for mark in item.own_markers if mark.name != "table"]
        elif hasattr(item, "callspec") and (breadth := _breadth(item)):
            given = (item.callspec.params[name] for name in breadth.kwargs.get("by", ()))
            families.setdefault((_function(item), *(getattr(one, "tier", one) for one in given)), []).append(item)
    for members in families.values():
        breadth = _breadth(members[0])
        assert breadth is not None
        today = _is_today(_function(members[0]), seed, breadth.kwargs.get("days", 1))
        quick, table = breadth.args[0], breadth.kwargs.get("table", 0) if today else 0
        # By their names, and not by their places: other plugins shuffle.
        members.sort(key=lambda item: sha256(f"{seed} {item.nodeid}".encode()).digest())
        for place, item in enumerate(members[quick:]):
            item.add_marker("slow")
            if table < 0 or place < table:
                item.add_marker("table")
    _draw_functions(items, seed)


def _draw_functions(items: Iterable[pytest.Item], seed: int) -> None:
    """Leave so many functions of a promise quick, and give `make tables` a share of the others."""
    promises: dict[Promise, dict[str, list[pytest.Item]]] = {}
    for item in items:
        if not item.get_closest_marker("slow") and (promise := _promise(item)):
            promises.setdefault(promise, {}).setdefault(_function(item), []).append(item)
    for promise, functions in promises.items():
        drawn = sorted(functions, key=lambda name: sha256(f"{seed} {name}".encode()).digest())
        for name in drawn[promise.quick or (len(drawn) + 1) // 2 :]:
            today = _is_today(name, seed, _DAYS)
            for item in functions[name]:
                item.add_marker("slow")
                if today:
                    item.add_marker("table")


def _is_today(name: str, seed: int, days: int) -> bool:
    return (sha256(name.encode()).digest()[0] + seed) % days == 0


class Promise(NamedTuple):
    """What some functions guard together, and how many of them are quick."""

    name: str
    quick: int
    """0: half of them."""


def _promise(item: pytest.Item) -> Promise | None:
    """Give the promise that a test guards; None where all functions of its module are quick."""
    if mark := item.get_closest_marker("promise"):
        return Promise(mark.args[0], mark.kwargs.get("quick", 1))
    if room(item) in _ONE_OF_A_MODULE:
        return Promise(str(item.path), 1)
    return Promise(str(item.path), 0) if room(item) in _HALF_OF_A_MODULE else None


def _breadth(item: pytest.Item) -> pytest.Mark | None:
    few = _FEW.get(room(item))
    return item.get_closest_marker("breadth") or (pytest.mark.breadth(few).mark if few else None)


def _function(item: pytest.Item) -> str:
    return item.nodeid.partition("[")[0]


def room(item: pytest.Item) -> str:
    """Tell in which room a test is; empty for those beside the rooms."""
    return _room_of(item.path)


@cache
def _room_of(file: Path) -> str:
    inside = file.is_relative_to(_ROOT) and file.parent != _ROOT
    return file.relative_to(_ROOT).parts[0] if inside else ""


@dataclass(frozen=True)
class Coverage:
    """How much of what was collected a session runs."""

    tests: int
    of_tests: int
    functions: int
    of_functions: int
    rooms: int
    of_rooms: int

    @classmethod
    def of(cls, selected: Sequence[pytest.Item], collected: Sequence[pytest.Item]) -> Coverage:
        """Count tests, the functions that they are cases of, and the rooms that these are in."""
        names = (lambda item: item.nodeid, _function, room)
        return cls(*(len(set(map(name, items))) for name in names for items in (selected, collected)))

    def __str__(self) -> str:
        return (
            f"covered {self.tests:,} of {self.of_tests:,} tests: cases of {self.functions:,} of {self.of_functions:,} "
            f"functions in {self.rooms} of {self.of_rooms} rooms (TEST_SEED={SEED}; make test-all has the rest)"
        )


JUDGED = ("wrong acts", "false greens", "called proven")
"""What is counted of replays that are judged by the site: writes that no honest replay makes; passed though the site
holds something else than a page showed; proven though the site had lied."""


class Judged(Protocol):
    """Counts a replay that was judged by the site, whatever the test makes of it."""

    def __call__(self, wrong_acts: int, false_green: bool, called_proven: bool = False) -> None: ...


def sums(counted: Iterable[Mapping[str, int]]) -> str:
    """Sum up what was counted of replays; empty where none was."""
    told = [*counted]
    return (
        f"judged {len(told):,} replays: " + ", ".join(f"{sum(one[name] for one in told):,} {name}" for name in JUDGED)
        if told
        else ""
    )
