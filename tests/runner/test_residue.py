"""Words of recorded users that no variable stands for: listed, settled in a new revision, and then said by nobody."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from simulator.persona import Identity, draw_identity
from simulator.persona.files import load_persona
from simulator.recording.reader import Recording
from simulator.replay.residue import Recorded
from tests.fakes.messages_api import Reply, call
from tests.runner.desk import ACCOUNT, LOGIN, PERSONA, Desk
from tests.sites.office import Office, office


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


def recorded_user(folder: Path) -> Identity:
    """Give who will be recorded, before that happens."""
    file = folder / "clerk.yaml"
    file.write_text(PERSONA, "utf-8")
    return draw_identity(load_persona(file), seed="7", number=1)


def note(text: str) -> list[Reply]:
    return [
        call("fill", selector="Note", value=text),
        call("click", selector='role=button[name="Keep note"]'),
    ]


@pytest.mark.table
def test_words_of_the_recorded_user_are_listed_settled_and_not_said_again(
    desk: Desk, served: Office, tmp_path: Path
) -> None:
    who = recorded_user(tmp_path)
    desk.record([*ACCOUNT, *LOGIN, *note(f"Posted in {who.city.upper()}, for {who.first_name} of {who.street}")])
    served.forget()

    run = desk.replay("a.db", "--identity", "fresh", "--seed", "3")
    assert (run["code"], run["verdict"]) == (1, "unbound_text")
    assert set(served.requests) == {"GET /"}, "it looked whether the site answers, and did nothing"

    code, out, _ = desk.sim("runs", "show", "last", "--residue", "--db", "a.db")
    assert code == 0
    assert re.search(r"^step 6\.1, fill 'Note': 'Posted in", out, re.M), out
    assert who.city in out
    assert "{{identity.city}}" in out

    code, _, said = desk.sim("runs", "edit", "last", "--rewrite", "6", "From {{identity.town}}", "--db", "a.db")
    assert code == 2
    assert "identity.town" in said
    code, _, said = desk.sim("runs", "edit", "last", "--rewrite", "77", "From nowhere", "--db", "a.db")
    assert code == 2
    assert "no step '77'" in said
    text = "Posted in {{identity.city}}, for {{identity.first_name}} of {{identity.street}}"
    code, out, _ = desk.sim("runs", "edit", "last", "--rewrite", "6", text, "--db", "a.db", "--json")
    assert code == 0
    edited = json.loads(out)
    assert edited["revision"] == 2
    with Recording.open(desk.folder / "a.db") as recording:
        first, second = recording.run(edited["source"]), recording.run(edited["run"])
        assert (first.revision, second.source_run) == (1, first.id)
        assert any(who.city.upper() in (one.value or "") for one in recording.actions(first.id)), "it stays as it was"

    run = desk.replay("a.db", "--identity", "fresh", "--seed", "3")
    assert (run["verdict"], run["drift"], run["source_run"]) == ("passed", None, second.id)
    sent = "\n".join(served.requests)
    recorded = Recorded(who.variables(), who.naming)
    assert recorded.look(f"So {who.first_name} of {who.city} said"), "what would be found"
    assert recorded.look(sent) == []
    for name in ("username", "email", "display_name", "first_name", "last_name", "city", "street", "postcode"):
        assert not re.search(rf"(?<!\w){re.escape(str(getattr(who, name)))}(?!\w)", sent, re.I), name
    served.forget()
    same = desk.replay("a.db")
    assert same["verdict"] == "passed"
    assert [text for _, text in served.notes.values()] == [
        f"Posted in {who.city}, for {who.first_name} of {who.street}"
    ]


@pytest.mark.slow
def test_words_that_are_to_be_kept_are_said(desk: Desk, served: Office, tmp_path: Path) -> None:
    who = recorded_user(tmp_path)
    desk.record([*ACCOUNT, *LOGIN, *note(f"Posted in {who.city}")], name="c.db")
    assert desk.replay("c.db", "--identity", "fresh")["verdict"] == "unbound_text"
    code, _, said = desk.sim("runs", "edit", "last", "--keep", "7", "--db", "c.db")
    assert (code, "step 7 says nothing" in said) == (2, True), said
    code, _, said = desk.sim("runs", "edit", "last", "--keep", "6", "--db", "c.db")
    assert code == 0, said
    served.forget()
    assert desk.replay("c.db", "--identity", "fresh")["verdict"] == "passed"
    assert [text for _, text in served.notes.values()] == [f"Posted in {who.city}"]
    code, out, _ = desk.sim("runs", "show", "last", "--residue", "--db", "c.db")
    assert "nothing in it" in out
