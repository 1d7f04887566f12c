"""What users left on a site that no tool knows: looked at again where it was kept, judged by what the site holds."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun
from tests.runner.test_effects import APP, MAKE
from tests.sites.things import Things, serving_things

pytestmark = pytest.mark.promise("what users left on a site")


@pytest.fixture
def site() -> Iterator[Things]:
    with serving_things() as things:
        yield things


@pytest.fixture
def run(tmp_path: Path, site: Things, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> OneRun:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    return OneRun(tmp_path, site.url, capsys, 'grants = ["login", "upload"]', effect_ms=300)


def verified(run: OneRun) -> tuple[int, dict[str, tuple[str, str]]]:
    """Give the exit code, and what became of each field and what is there instead."""
    code, out, err = run.sim("runs", "verify-site", "last", "--db", "a.db", "--json")
    assert out, err
    return code, {one["field"]: (one["became"], one["found"]) for one in json.loads(out)["places"]}


def lines(run: OneRun) -> list[str]:
    return run.sim("runs", "verify-site", "last", "--db", "a.db")[1].splitlines()


def without_journal(run: OneRun) -> None:
    """Take the journal of the tools out of the recording."""
    with sqlite3.connect(run.folder / "a.db") as db:
        db.execute("DELETE FROM created")


def test_what_was_kept_is_looked_at_again(run: OneRun, site: Things) -> None:
    run.record(MAKE)
    without_journal(run)
    assert verified(run) == (0, dict.fromkeys(("Title", "Price", "Kind", "Note"), ("shown", "")))
    assert lines(run)[-1] == "4 of 4 places show what was written"

    site.things[41] |= {"price": "20.95", "note": ""}
    code, places = verified(run)
    assert (code, places["Price"]) == (1, ("contradicted", "the site shows '20.95' where '21.00' was put in"))
    assert places["Note"] == ("contradicted", "it is not there")
    assert lines(run)[-1] == "2 of 4 places show what was written"

    site.things.clear()
    code, places = verified(run)
    assert (code, set(places.values())) == (1, {("not seen", "status 404")})


@pytest.mark.table
def test_what_a_script_sent_is_looked_at_where_its_card_was(run: OneRun, site: Things) -> None:
    run.record(APP)
    code, places = verified(run)
    assert (code, set(places.values())) == (0, {("shown", "")}), places
    site.things[41]["title"] = "Border fork"
    code, places = verified(run)
    assert (code, places["Title"][0]) == (1, "contradicted")


@pytest.mark.table
def test_what_the_run_has_changed_itself_is_as_it_was_left(run: OneRun, site: Things) -> None:
    change = [call("click", selector="Change"), call("fill", selector="Price", value="4.25")]
    run.record([*MAKE, *change, call("click", selector="button")])
    assert site.things[41]["price"] == "4.25"
    code, places = verified(run)
    assert (code, places["Price"]) == (0, ("shown", ""))
    site.things[41]["price"] = "21.00"
    code, places = verified(run)
    assert (code, places["Price"][0]) == (1, "contradicted")


def test_what_the_run_has_changed_of_a_thing_that_it_found_in_a_list_is_not_looked_for(
    run: OneRun, site: Things
) -> None:
    site.leads_to_list = True
    found = [call("click", selector="Border spade"), call("click", selector="Change")]
    change = [call("fill", selector="Price", value="4.25"), call("click", selector="button")]
    run.record([*MAKE, *found, *change])
    assert site.things[41]["price"] == "4.25"
    code, places = verified(run)
    assert (code, set(places.values())) == (0, {("shown", "")}), places


@pytest.mark.table
def test_a_run_without_effects_says_so(run: OneRun, site: Things) -> None:
    run.record([call("navigate", url="/things")])
    assert lines(run)[-1].endswith(": it wrote nothing that a page could show")
    run.record(MAKE)
    without_journal(run)
    with sqlite3.connect(run.folder / "a.db") as db:
        db.execute("DELETE FROM effect")
    assert verified(run) == (1, {})
    assert lines(run)[-1] == "nothing was ever seen again of 1 writes, so nobody knows where to look"
    with sqlite3.connect(run.folder / "a.db") as db:
        db.execute("DELETE FROM write")
        db.execute("UPDATE run SET environment = json_remove(environment, '$.determinism.effects')")
        (last,) = db.execute("SELECT max(id) FROM run").fetchone()
    code, out, _ = run.sim("runs", "verify-site", last, "--db", "a.db")
    assert (code, f"recorded before effects: 'sim prove {last}'" in out) == (1, True)
    assert "0 of 0" not in out
    code, out, _ = run.sim("cleanup", last, "--yes", "--db", "a.db")
    assert (code, f"recorded before effects: 'sim prove {last}'" in out, " removed" in out) == (1, True, False)


def cleaned(run: OneRun) -> tuple[int, list[tuple[str, str, str]]]:
    """Give the exit code, and what became of each thing: its kind, what became of it, and why."""
    code, out, err = run.sim("cleanup", "last", "--yes", "--db", "a.db", "--json")
    assert out, err
    return code, [(one["kind"], one["became"], one["reason"]) for one in json.loads(out)["cleaned"]]


@pytest.mark.table
def test_what_was_created_is_deleted_and_nothing_else(run: OneRun, site: Things) -> None:
    site.keep({"title": "Border spade", "price": "21.00", "kind": "toy", "note": ""})
    change = [call("navigate", url="/things/41/edit"), call("fill", selector="Price", value="4.25")]
    run.record([*change, call("click", selector="button"), *MAKE])
    without_journal(run)
    assert cleaned(run) == (
        1,
        [("thing", "removed", ""), ("change", "left", "nothing is known that takes back a change")],
    )
    assert list(site.things) == [41]


@pytest.mark.table
def test_what_cannot_be_deleted_is_left_and_said(run: OneRun, site: Things) -> None:
    run.record(MAKE)
    without_journal(run)
    site.swallows = True
    ((kind, became, reason),) = cleaned(run)[1]
    assert (kind, became) == ("thing", "left")
    assert reason.endswith("/things/41 still shows it after it was deleted")
    site.swallows = False
    site.things[41]["title"] = "Border fork"
    ((_, became, reason),) = cleaned(run)[1]
    assert (became, reason.endswith("/things/41 shows something else now")) == ("left", True)
    site.things.clear()
    assert cleaned(run) == (0, [("thing", "gone", "")])
