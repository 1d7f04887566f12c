"""What is drawn of a family of cases: as many as it says, the same by the same seed, and all in the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from copy import copy

import pytest

from tests.tiers import Coverage, draw

FAMILY = """
import pytest

class Row:
    def __init__(self, tool): self.tier = tool
    def __repr__(self): return self.tier

@pytest.mark.breadth(2, table=3)
@pytest.mark.parametrize("case", range(10))
def test_some(case): pass

@pytest.mark.breadth(1, by=("row",), table=-1)
@pytest.mark.parametrize("row", [Row(tool) for tool in "aabbb"], ids=repr)
def test_each(row): pass

@pytest.mark.table(days=1)
@pytest.mark.parametrize("case", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_guard(case): pass

@pytest.mark.slow
@pytest.mark.breadth(1)
@pytest.mark.parametrize("case", range(3))
def test_slow(case): pass

@pytest.mark.parametrize("case", range(4))
def test_all(case): pass

@pytest.mark.table
def test_second(): pass

@pytest.mark.breadth(0, table=1, days=2)
@pytest.mark.parametrize("case", range(3))
def test_one(case): pass
"""


def tiers(family: Sequence[pytest.Item], seed: int) -> dict[str, dict[str, set[str]]]:
    """Give the cases of each function by the tier that they are in."""
    items = [copy(item) for item in family]
    for item in items:
        item.own_markers, item.keywords = [*item.own_markers], dict(item.keywords)
    draw(items, seed)
    found: dict[str, dict[str, set[str]]] = {}
    for item in items:
        name = "table" if item.get_closest_marker("table") else "slow" if item.get_closest_marker("slow") else "quick"
        found.setdefault(item.originalname, {}).setdefault(name, set()).add(item.name)
    return found


@pytest.fixture
def family(pytester: pytest.Pytester) -> list[pytest.Item]:
    pytester.makeini("[pytest]\nmarkers =\n  slow\n  table\n  breadth\nasyncio_default_fixture_loop_scope = function\n")
    pytester.makepyfile(FAMILY)
    return pytester.inline_genitems("-p", "no:randomly", "-p", "no:xdist", "-p", "no:cacheprovider")[0]


def test_of_a_family_some_are_quick_some_in_a_table_and_the_rest_is_slow(family: list[pytest.Item]) -> None:
    found = tiers(family, 7)
    assert {name: len(cases) for name, cases in found["test_some"].items()} == {"quick": 2, "table": 3, "slow": 5}
    assert {name: len(cases) for name, cases in found["test_each"].items()} == {"quick": 2, "table": 3}
    assert {name[len("test_each[")] for name in found["test_each"]["quick"]} == {"a", "b"}
    assert found["test_guard"] == {"table": {"test_guard[0]"}, "slow": {"test_guard[1]"}}
    assert {name: len(cases) for name, cases in found["test_slow"].items()} == {"slow": 3}
    assert {name: len(cases) for name, cases in found["test_all"].items()} == {"quick": 4}


def test_what_is_marked_so_is_in_the_tables_every_third_day(family: list[pytest.Item]) -> None:
    days = [*map(sorted, (tiers(family, seed)["test_second"] for seed in range(6)))]
    assert days[:3] == days[3:]
    assert sorted(days[:3]) == [["slow"], ["slow"], ["table"]]
    cases = [tiers(family, seed)["test_one"] for seed in range(4)]
    assert sorted(len(one.get("table", ())) for one in cases) == [0, 0, 1, 1]


def test_rooms_that_guard_the_promises_have_their_whole_tests_every_day(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.tiers._ROOT", pytester.path)
    pytester.makeini("[pytest]\nmarkers =\n  slow\n  table\nasyncio_default_fixture_loop_scope = function\n")
    for name in ("conformance", "runner"):
        file = pytester.mkdir(name) / f"test_of_{name}.py"
        file.write_text("import pytest\n@pytest.mark.table\ndef test_whole(): pass\n", "utf-8")
    items = pytester.inline_genitems("-p", "no:randomly", "-p", "no:xdist", "-p", "no:cacheprovider")[0]
    days = [sorted(one.path.parent.name for one in _drawn(items, seed)) for seed in range(3)]
    assert sorted(days) == [["conformance"], ["conformance"], ["conformance", "runner"]]


def _drawn(items: Sequence[pytest.Item], seed: int) -> list[pytest.Item]:
    copies = [copy(item) for item in items]
    for item in copies:
        item.own_markers, item.keywords = [*item.own_markers], dict(item.keywords)
    draw(copies, seed)
    return [item for item in copies if item.get_closest_marker("table")]


def test_a_seed_draws_the_same_and_the_seeds_of_some_days_draw_everything(family: list[pytest.Item]) -> None:
    assert tiers(family, 7) == tiers(family, 7)
    days = [tiers(family, seed)["test_some"]["quick"] for seed in range(25)]
    assert set.union(*days) == {f"test_some[{case}]" for case in range(10)}


def test_of_a_module_of_whole_runs_one_function_is_quick_and_a_week_of_tables_has_the_others(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.tiers._ROOT", pytester.path)
    pytester.makeini("[pytest]\nmarkers =\n  slow\n  table\nasyncio_default_fixture_loop_scope = function\n")
    whole = "import pytest\n" + "".join(f"def test_{name}(): pass\n" for name in "abc")
    folder = pytester.mkdir("runner")
    for name in ("one", "two"):
        (folder / f"test_{name}.py").write_text(whole + "@pytest.mark.slow\ndef test_slow(): pass\n", "utf-8")
    runs = pytester.inline_genitems("-p", "no:randomly", "-p", "no:xdist", "-p", "no:cacheprovider")[0]
    days = []
    for seed in range(20):
        items = [copy(item) for item in runs]
        for item in items:
            item.own_markers, item.keywords = [*item.own_markers], dict(item.keywords)
        draw(items, seed)
        quick = [item for item in items if not item.get_closest_marker("slow")]
        assert [item.path.name for item in quick] == ["test_one.py", "test_two.py"]
        slow = {item.nodeid for item in items if item.get_closest_marker("slow") and item.name != "test_slow"}
        tables = {item.nodeid for item in items if item.get_closest_marker("table")}
        assert len(slow) == 4
        assert tables <= slow
        days.append((tables | {item.nodeid for item in quick}, {item.name for item in quick}))
    for first in range(len(days) - 9):
        assert len(set.union(*(run for run, _ in days[first : first + 10]))) == 6, "in ten days each of them"
    assert set.union(*(names for _, names in days)) == {"test_a", "test_b", "test_c"}


def test_modules_that_guard_a_promise_together_have_so_many_quick_functions_between_them(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.tiers._ROOT", pytester.path)
    pytester.makeini("[pytest]\nmarkers =\n  slow\n  table\n  promise\nasyncio_default_fixture_loop_scope = function\n")
    written = {
        "runner": {"one": "'shown'", "two": "'shown'", "three": "'kept'", "four": ""},
        "cli": {"learn": "'learn', quick=2", "other": ""},
    }
    for room, modules in written.items():
        folder = pytester.mkdir(room)
        for name, mark in modules.items():
            own = f"pytestmark = pytest.mark.promise({mark})\n" if mark else ""
            whole = "import pytest\n" + own + "".join(f"def test_{name}_{one}(): pass\n" for one in "abc")
            (folder / f"test_{name}.py").write_text(whole, "utf-8")
    found = pytester.inline_genitems("-p", "no:randomly", "-p", "no:xdist", "-p", "no:cacheprovider")[0]
    shown, tables = set[str](), set[str]()
    for seed in range(20):
        items = [copy(item) for item in found]
        for item in items:
            item.own_markers, item.keywords = [*item.own_markers], dict(item.keywords)
        draw(items, seed)
        quick = Counter(item.path.stem for item in items if not item.get_closest_marker("slow"))
        assert quick["test_one"] + quick["test_two"] == 1
        assert (quick["test_three"], quick["test_four"], quick["test_learn"], quick["test_other"]) == (1, 1, 2, 2)
        tables |= {item.name for item in items if item.get_closest_marker("table")}
        shown |= {item.name for item in items if not item.get_closest_marker("slow")}
    assert len(shown) == 18, "in the end each of them was quick"
    assert len(tables) > 9, "and most of them in a table on another day"


def test_what_is_covered_is_counted(request: pytest.FixtureRequest) -> None:
    (own,) = [item for item in request.session.items if item is request.node]
    others = [item for item in request.session.items if item is not own]
    told = Coverage.of([own], [own, *others])
    assert (told.tests, told.functions, told.rooms) == (1, 1, 1)
    assert told.of_tests == len(request.session.items)
    assert str(told).startswith(f"covered 1 of {told.of_tests:,} tests: ")
