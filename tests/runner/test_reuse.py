"""Recorded users who are on the site already log in, wherever the recording registers; who is not there registers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from simulator.recording.reader import Recording
from tests.fakes.messages_api import call
from tests.runner.bench import Bench
from tests.runner.desk import ACCOUNT, LOGIN, Desk
from tests.sites.office import Office, office

pytestmark = pytest.mark.promise("the same users again, and others")

NOTE = [
    call("fill", selector="Note", value="Good day"),
    call("click", selector='role=button[name="Keep note"]'),
]


@pytest.fixture(scope="module")
def served() -> Iterator[Office]:
    with office() as found:
        yield found


@pytest.fixture
def desk(served: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Desk:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests of the office")
    served.forget()
    return Desk(served, tmp_path, capsys)


@pytest.mark.parametrize(
    "at_once",
    [
        pytest.param(False, id="the recording logs in"),
        pytest.param(True, id="it was logged in at once", marks=pytest.mark.slow),
    ],
)
def test_who_is_there_logs_in_and_does_its_deeds_again(desk: Desk, served: Office, at_once: bool) -> None:
    served.logs_in_at_once = at_once
    desk.record([*ACCOUNT, *([] if at_once else LOGIN), *NOTE])
    who = desk.identity()
    assert list(served.users) == [who.username]

    same = desk.replay("a.db")
    assert (same["code"], same["verdict"]) == (1, "data_collision")
    assert "'Username'" in same["drift"]["expected"]

    for notes in (2, 3):
        run = desk.replay("a.db", "--identity", "reuse")
        assert (run["code"], run["verdict"], run["drift"]) == (0, "passed", None)
        assert run["username"] == who.username
        assert list(served.users) == [who.username]
        assert [owner for owner, _ in served.notes.values()] == [who.username] * notes
    with Recording.open(desk.folder / "b.db") as recording:
        told = [step.metadata["instead"] for step in recording.steps(run["run_id"]) if "instead" in step.metadata]
    (instead,) = told
    assert "logged in" in instead if at_once else "recorded login" in instead

    served.forget()
    run = desk.replay("a.db", "--identity", "reuse")
    assert run["verdict"] == "passed"
    assert list(served.users) == [who.username], "who is not there registers"


@pytest.mark.slow
def test_another_key_or_another_account_of_that_name_does_not_come_in(
    desk: Desk, served: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    served.logs_in_at_once = True
    desk.record([*ACCOUNT, *NOTE])
    who = desk.identity()
    served.users[who.username]["password"] = "of somebody else"
    run = desk.replay("a.db", "--identity", "reuse")
    assert (run["code"], run["verdict"]) == (1, "data_collision")
    assert "log in as the user who is on the site already" in run["drift"]["expected"]
    assert len(served.notes) == 1, "nothing was done as somebody else"

    monkeypatch.setenv("SIM_KEY", "another key than the one of the recording")
    served.requests.clear()
    code, out, said = desk.sim("replay", "a.db", "--db", "b.db", "--identity", "reuse")
    assert (code, out) == (3, "")
    assert "recorded with the machine key" in said
    assert set(served.requests) <= {"GET /"}


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_a_seller_comes_back_to_the_bookshop_and_offers_the_same_book_again(bench: Bench) -> None:
    lister = {"persona": "lister", "tasks": ["register", {"list_books": {"count": 1}}]}
    recorded = await bench.record("first", (lister,), count=1, concurrency=1)
    (name,) = (run.username for run in recorded.result.runs)
    replayed = await bench.replay(recorded.db, "back", shop=recorded.shop, identity="reuse")
    assert replayed.verdicts == ["passed"], replayed.result.runs[0].drift
    assert set(recorded.shop.state) == {"house", name}
    titles = [listing["title"] for listing in recorded.shop.state[name]["listing"].values()]
    assert len(titles) == 2
    assert len(set(titles)) == 1
