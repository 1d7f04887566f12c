"""What a second user was shown, too, is required from then on; what changes is not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from simulator.recording.reader import Recording
from tests.fakes.messages_api import call
from tests.runner.desk import ACCOUNT, LOGIN, Desk
from tests.sites.office import Office, office

NOTE = [
    call("fill", selector="Note", value="Good day"),
    call("click", selector='role=button[name="Keep note"]'),
]


@pytest.fixture
def served() -> Iterator[Office]:
    with office() as found:
        yield found


@pytest.fixture
def desk(served: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Desk:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests of the office")
    return Desk(served, tmp_path, capsys)


def test_a_note_that_stood_there_twice_has_to_stand_there_and_a_counter_may_count(desk: Desk, served: Office) -> None:
    desk.record([*ACCOUNT, *LOGIN, *NOTE])
    served.says_kept = False
    assert desk.replay("a.db", "--identity", "fresh")["verdict"] == "passed", "nobody has learnt of the note yet"
    served.says_kept = True

    code, out, said = desk.sim("runs", "learn", "last", "--db", "a.db", "--json")
    assert code == 0, said
    learned = json.loads(out)
    assert learned["revision"] == 2
    required = [text for lesson in learned["lessons"] for text in lesson["required"]]
    assert "Your note is kept." in required
    assert "You are visitor {{changing}}." in required
    with Recording.open(desk.folder / "a.db") as recording:
        assert recording.run(learned["run"]).source_run == learned["source"]

    run = desk.replay("a.db", "--identity", "fresh")
    assert (run["verdict"], run["source_run"]) == ("passed", learned["run"]), "the counter is another one"
    served.says_kept = False
    run = desk.replay("a.db", "--identity", "fresh")
    assert (run["code"], run["verdict"]) == (1, "postcondition")
    assert "Your note is kept." in run["drift"]["sought"]
    assert "You are visitor" in run["drift"]["found"]
    served.says_kept = True
    served.forget()
    assert desk.replay("a.db")["verdict"] == "passed"


@pytest.mark.slow
def test_nothing_is_learnt_from_a_replay_that_drifts(desk: Desk, served: Office) -> None:
    desk.record([*ACCOUNT, *LOGIN, *NOTE])
    served.shut = True
    code, out, _ = desk.sim("runs", "learn", "last", "--db", "a.db")
    assert code == 1
    assert out.startswith("failed: ")
    with Recording.open(desk.folder / "a.db") as recording:
        assert [run.revision for run in recording.runs(kind="record")] == [1]
