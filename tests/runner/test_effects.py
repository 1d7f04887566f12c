"""What a write did, observed: proven, not seen again, or contradicted; judged by what the site itself holds."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.messages_api import Reply, call
from tests.runner.one_run import OneRun
from tests.sites.things import Things, serving_things

pytestmark = pytest.mark.promise("success that did not happen", quick=2)

NOTE = "Found in the shed behind the old mill, a little rusty."
MAKE = [
    call("navigate", url="/new"),
    call("fill", selector="Title", value="Border spade"),
    call("fill", selector="Price", value="21.00"),
    call("select_option", selector="Kind", value="toy"),
    call("check", selector="Urgent"),
    call("fill", selector="Note", value=NOTE),
    call("click", selector="button"),
]
APP = [
    call("navigate", url="/app"),
    call("wait", seconds=1),  # until its clock was heard: a look at a page that writes by itself counts for nothing
    call("fill", selector="Title", value="Border spade"),
    call("fill", selector="Price", value="21.00"),
    call("click", selector="button"),
]


@pytest.fixture
def site() -> Iterator[Things]:
    with serving_things() as things:
        yield things


@pytest.fixture
def run(tmp_path: Path, site: Things, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> OneRun:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    one = OneRun(tmp_path, site.url, capsys, 'grants = ["login", "upload"]')
    one.covers += "\n"
    return one


def recorded(run: OneRun, site: Things, calls: list[Reply]) -> None:
    told = run.record(calls)
    assert all(one.success for one in told), told
    assert len(site.things) == 1
    site.empty()


def effects(run: OneRun) -> dict[str, tuple[str, str, bool, bool]]:
    """Give the last effect of each field: strength, how its place is known, whether it is tied, whether looked for."""
    with sqlite3.connect(run.folder / "a.db") as db:
        rows = db.execute(
            "SELECT json_extract(target, '$.label'), strength, by, keyed, looked FROM effect "
            "JOIN action ON action.id = input_id WHERE effect.kind = 'echo' ORDER BY effect.rowid"
        )
        return {label: (strength, by, bool(keyed), bool(looked)) for label, strength, by, keyed, looked in rows}


def unseen(replayed: dict[str, Any]) -> list[list[str]]:
    return [one["unseen"] for one in replayed["writes"]]


def test_what_a_form_sent_is_proven_by_the_page_of_the_thing(run: OneRun, site: Things) -> None:
    recorded(run, site, MAKE)
    found = effects(run)
    assert {name: found[name][0] for name in ("Title", "Price", "Kind", "Note")} == dict.fromkeys(
        ("Title", "Price", "Kind", "Note"), "kept"
    )
    assert found["Price"] == ("kept", "label", True, False)
    replayed = run.replay()
    assert replayed["verdict"] == "passed"
    assert unseen(replayed) == [["Urgent"]]
    assert site.things[41] | {"photo": ""} == {
        "photo": "", "urgent": "yes", "title": "Border spade", "price": "21.00", "kind": "toy", "note": NOTE,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("field", "lie", "said"),
    [
        ("title", lambda text: "Border fork", "Border spade"),
        ("price", lambda text: "20.95", "'20.95' instead"),
        ("kind", lambda text: "tool", "'tool' instead"),
        ("note", lambda text: "", "without it"),
    ],
)
def test_a_site_that_keeps_something_else_is_told(
    run: OneRun, site: Things, field: str, lie: Callable[[str], str], said: str
) -> None:
    recorded(run, site, MAKE)
    site.lies[field] = lie
    replayed = run.replay()
    assert (replayed["verdict"], replayed["code"]) == ("postcondition", 1)
    assert said in json.dumps(replayed["drift"], ensure_ascii=False)
    assert all(one["unseen"] for one in replayed["writes"])


@pytest.mark.table
@pytest.mark.parametrize(
    ("field", "written", "verdict"),
    [
        ("price", "€ 21", "passed"),
        ("price", "21,00 €", "passed"),
        # What was shown as a whole is shown as a whole again: the rest may be lost.
        ("note", "Found in the shed behind the old mill, a …", "postcondition"),
    ],
)
def test_a_value_that_is_written_otherwise_is_the_same(
    run: OneRun, site: Things, field: str, written: str, verdict: str
) -> None:
    recorded(run, site, MAKE)
    site.shows[field] = lambda text: written if text else ""
    replayed = run.replay()
    assert replayed["verdict"] == verdict, replayed["drift"]
    assert unseen(replayed) == [["Urgent"]]


@pytest.mark.table
def test_what_shows_a_little_later_is_waited_for(run: OneRun, site: Things) -> None:
    run.effect_ms = 5_000
    recorded(run, site, MAKE)
    site.slow = 2
    replayed = run.replay()
    assert replayed["verdict"] == "passed", replayed["drift"]
    assert site.posts == ["/new"]


@pytest.mark.table
def test_what_a_script_sent_is_looked_for_where_the_run_was(run: OneRun, site: Things) -> None:
    """What the page draws from the answer proves nothing; another look at the page does."""
    recorded(run, site, APP)
    assert effects(run) == {"Title": ("kept", "text", True, True), "Price": ("kept", "label", True, True)}
    replayed = run.replay()
    assert (replayed["verdict"], unseen(replayed)) == ("passed", [[]])
    site.empty()
    site.swallows = True
    replayed = run.replay()
    assert replayed["verdict"] == "postcondition"
    assert site.things == {}
    site.empty()
    site.swallows, site.lies = False, {"price": lambda text: "2.10"}
    assert run.replay()["verdict"] == "postcondition"


@pytest.mark.table
def test_an_incidental_write_is_not_required(run: OneRun, site: Things) -> None:
    recorded(run, site, APP)
    with sqlite3.connect(run.folder / "a.db") as db:
        made = db.execute("SELECT url, carried <> '[]' FROM write GROUP BY 1").fetchall()
    assert ("/api/things", 1) in made
    assert all(url == "/beat" for url, carried in made if not carried)
    assert run.replay()["verdict"] == "passed"


@pytest.mark.table
def test_absence_from_a_list_is_told_and_no_drift(run: OneRun, site: Things) -> None:
    """A list may have pages, or be moderated: nothing in it is tied to what was written."""
    site.leads_to_list = True
    recorded(run, site, MAKE)
    site.swallows = True
    replayed = run.replay()
    assert (replayed["verdict"], replayed["code"]) == ("passed", 0)
    assert "Title" in unseen(replayed)[0]
    code, out, err = run.sim("replay", "a.db", "--db", "b.db", "--require-proof", "1")
    assert (code, "0 of 1 write proven" in out) == (1, True)
    assert "--require-proof" in err
    site.swallows = False
    code, _, err = run.sim("replay", "--db", "b.db", "--require-proof", "a.db")
    assert (code, "fewer than 100 %" in err) == (1, True), "Urgent is shown nowhere"


@pytest.mark.table
def test_a_list_names_the_page_of_the_thing(run: OneRun, site: Things) -> None:
    """The link that is called as what was put in leads to it: what its page shows instead contradicts."""
    site.leads_to_list = True
    recorded(run, site, [*MAKE, call("click", selector="Border spade")])
    assert effects(run)["Note"] == ("kept", "text", True, False)
    assert run.replay()["verdict"] == "passed"
    site.empty()
    site.lies["note"] = lambda text: "Found in the shed behind the new mill."
    replayed = run.replay()
    assert replayed["verdict"] == "postcondition", replayed
    assert sorted(unseen(replayed)[0]) == ["Note", "Urgent"]
    # Another thing that is called alike: none of them can be told to be this one.
    site.lies.clear()
    site.empty()
    site.keep({"title": "Border spade", "price": "21.00", "kind": "toy", "note": NOTE})
    assert run.replay()["verdict"] == "target_ambiguous"


@pytest.mark.table
def test_an_edit_is_proven_by_its_thing(run: OneRun, site: Things) -> None:
    site.keep({"title": "Old rake", "price": "3.00", "kind": "tool", "note": ""})
    told = run.record(
        [
            call("navigate", url="/things"),
            call("click", selector="Old rake"),
            call("click", selector="Change"),
            call("fill", selector="Price", value="4.25"),
            call("click", selector="button"),
        ]
    )
    assert all(one.success for one in told), told

    def again() -> dict[str, Any]:
        site.empty()
        site.keep({"title": "Old rake", "price": "3.00", "kind": "tool", "note": ""})
        return run.replay()

    replayed = again()
    assert (replayed["verdict"], unseen(replayed)) == ("passed", [[]])
    site.lies["price"] = lambda text: "3.00"
    replayed = again()
    assert replayed["verdict"] == "postcondition"
    assert "'3.00' instead" in json.dumps(replayed["drift"])


@pytest.mark.table
def test_a_playbook_holds_what_was_seen(run: OneRun, site: Things) -> None:
    recorded(run, site, MAKE)
    assert run.sim("runs", "export", "all", "--db", "a.db", "--to", "a.yaml")[0] == 0
    assert run.sim("runs", "import", "a.yaml", "--db", "c.db")[0] == 0
    site.lies["price"] = lambda text: "20.95"
    code, out, _ = run.sim("replay", "c.db", "--db", "b.db", "--json")
    assert (code, "'20.95' instead" in out) == (1, True)
    text = (run.folder / "a.yaml").read_text("utf-8")
    (run.folder / "a.yaml").write_text(text.replace("write: 0", "write: 7", 1), "utf-8")
    if "write: 0" not in text:
        (run.folder / "a.yaml").write_text(text.replace("keyed: true", "keyed: true\n          write: 7", 1), "utf-8")
    code, _, err = run.sim("runs", "import", "a.yaml", "--db", "d.db")
    assert code == 2, err


def test_no_value_stands_in_the_rows(run: OneRun, site: Things) -> None:
    recorded(run, site, MAKE)
    with sqlite3.connect(run.folder / "a.db") as db:
        rows = json.dumps([db.execute(f"SELECT * FROM {table}").fetchall() for table in ("write", "effect")])
    assert "spade" not in rows
    assert "21.00" not in rows
