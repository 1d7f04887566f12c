"""Fresh users of a persona: made of its proven run, which is recorded first where there is none."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from simulator.persona import load_persona
from simulator.runner.seeding.originals import changed_parts
from tests.fakes.messages_api import KEY, MessagesApi, Reply, call, messages_api
from tests.runner.desk import ACCOUNT, LOGIN, PERSONA, SETTINGS, WAITS, Desk
from tests.sites.office import Office, office

pytestmark = [pytest.mark.timeout(900), pytest.mark.promise("users of a persona or a scenario")]
TURNS = [
    *ACCOUNT,
    *LOGIN,
    call("fill", selector="Note", value="For {{identity.display_name}}"),
    call("click", selector='role=button[name="Keep note"]'),
    call("complete", result="Done."),
]
COUNT = ("--db", "a.db", "--yes", "--json", "--concurrency", "1", "--count")


@pytest.fixture(scope="module")
def served() -> Iterator[Office]:
    with office() as found:
        yield found


@pytest.fixture
def desk(served: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Desk:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests of the office")
    served.forget()
    served.shut, served.lists, served.takes = False, True, None
    (tmp_path / "personas").mkdir()
    (tmp_path / "personas" / "clerk.yaml").write_text(PERSONA, "utf-8")
    (tmp_path / "sim.toml").write_text(SETTINGS.format(url=served.url, waits=WAITS), "utf-8")
    return Desk(served, tmp_path, capsys)


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[MessagesApi]:
    """A model that keeps a note for whoever it acts for, again and again."""
    left: list[Reply] = []

    def script(_: Any) -> Reply:
        left.extend([] if left else TURNS)
        return left.pop(0)

    with messages_api(script) as found:
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", found.url)
        yield found


def test_one_user_is_recorded_and_proven_and_the_others_ask_no_model(
    desk: Desk, served: Office, api: MessagesApi
) -> None:
    code, out, said = desk.sim("seed", "clerk", *COUNT, "4", "--seed", "3", "--plan")
    assert (code, out, len(served.users)) == (0, "", 0), "a plan records nobody"
    assert "no run of it is recorded" in said

    code, out, said = desk.sim("seed", "clerk", *COUNT, "4", "--seed", "3")
    assert code == 0, said + out
    assert len(api.requests) == len(TURNS), "the model is asked for one user"
    assert len(served.users) == 4, "who was recorded and who proved it count"
    assert len({text for _, text in served.notes.values()}) == 4
    assert [run["verdict"] for run in json.loads(out)["runs"]] == ["passed"] * 2
    assert "users are made of run " in said
    assert "by claude, proven(fresh) " in said

    ensured = (*COUNT[:-1], "--ensure", "4", "--seed", "3")
    code, out, said = desk.sim("seed", "clerk", *ensured, "--plan")
    assert (code, json.loads(out)["users"]) == (0, 0), "a plan counts whom the recording knows on the site, too"
    assert "2 recorded on the site, and looked for when it begins: " in said
    code, out, said = desk.sim("seed", "clerk", *ensured)
    assert (code, len(served.users)) == (0, 4), said

    code, out, said = desk.sim("personas", "run", "clerk", *COUNT, "3", "--seed", "5")
    assert code == 0, said + out
    assert (len(api.requests), len(served.users)) == (len(TURNS), 5)
    assert "so no model is asked; --all-by-model asks it for every user" in said

    served.forget()
    code, out, said = desk.sim("personas", "run", "clerk", *COUNT, "3", "--seed", "6")
    assert code == 0, said + out
    assert (len(api.requests), len(served.users)) == (len(TURNS), 3), "who is not on the site does not count"

    code, out, said = desk.sim("personas", "run", "clerk", *COUNT, "2", "--seed", "8", "--all-by-model")
    assert code == 0, said + out
    assert (len(api.requests), len(served.users)) == (3 * len(TURNS), 5)


def test_a_run_that_does_not_do_says_why(desk: Desk, served: Office, api: MessagesApi) -> None:
    code, _, said = desk.sim("personas", "run", "clerk", *COUNT, "1", "--seed", "1")
    assert code == 0, said
    code, _, said = desk.sim("personas", "run", "clerk", *COUNT, "2", "--seed", "2")
    assert code == 0, said
    assert ", not proven: 'sim prove " in said
    assert "so the model is asked for each of 2 users" in said
    assert len(api.requests) == 3 * len(TURNS)

    code, out, said = desk.sim("seed", "personas/clerk.yaml", *COUNT, "3", "--seed", "4")
    assert code == 0, said + out
    assert len(api.requests) == 3 * len(TURNS), "what is recorded is proven, not recorded again"
    assert len(served.users) == 3 + 1 + 1

    file = desk.folder / "personas" / "clerk.yaml"
    file.write_text(PERSONA.replace("Keep a note.", "Keep a short note.") + "traits: {pace: fast}\n", "utf-8")
    code, out, said = desk.sim("seed", "clerk", *COUNT, "3", "--seed", "5", "--plan")
    assert (code, out) == (0, "")
    assert "the persona has changed since: tasks.1, traits.pace" in said
    code, _, said = desk.sim("seed", "clerk", *COUNT, "3", "--seed", "5", "--source", "b.db")
    assert code == 2
    assert "leave --source out" in said


def test_what_only_offers_or_bounds_is_no_other_persona(desk: Desk) -> None:
    file = desk.folder / "personas" / "clerk.yaml"
    was = load_persona(file)
    file.write_text(PERSONA.replace("10000000", "9") + "weight: 3.0\ntools: {max_safety: high}\n", "utf-8")
    assert list(changed_parts(was, load_persona(file))) == []
    file.write_text(PERSONA.replace("Keeps notes", "Keeps many notes") + "answers: {Note: Hello}\n", "utf-8")
    assert list(changed_parts(was, load_persona(file))) == ["about", "answers.Note"]


def test_without_a_model_nothing_is_recorded_of_free_words(
    desk: Desk, served: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    code, _, said = desk.sim("seed", "clerk", *COUNT, "3")
    assert (code, len(served.users)) == (3, 0)
    assert "a task in free words of the persona 'clerk' needs a model" in said
    code, _, said = desk.sim("seed", "clark", *COUNT, "3")
    assert code == 2
    assert "has no run 'clark', and no persona is called so" in said
    code, _, said = desk.sim("seed", "clerk", "--db", "a.db", "--count", "3", "--agent", "claude")
    assert code == 2
    assert "give --yes to agree" in said
