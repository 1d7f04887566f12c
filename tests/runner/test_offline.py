"""The agent of a run is replayed against its recording: no site, no browser, no model, no key."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from simulator.agent import performer
from simulator.errors import RecordingError
from simulator.recording import Recording
from simulator.recording.upkeep.promote import promote
from simulator.recording.upkeep.verify import verify
from simulator.replay.requests import Difference
from simulator.report.offline_lines import offline_lines
from simulator.runner.continuing.offline import OfflineOptions, OfflineResult, replay_offline
from tests.runner import talking
from tests.runner.bench import USERS, Bench, Original, settings

pytestmark = pytest.mark.timeout(300)


def offline(source: Path, target: str = "last") -> OfflineResult:
    return asyncio.run(replay_offline(OfflineOptions(settings=settings(), source=source, target=target)))


def difference(source: Path, run: str) -> Difference:
    (found,) = offline(source, run).runs
    assert found.difference is not None
    return found.difference


def test_a_run_with_a_model_is_replayed(talked: Original) -> None:
    result = offline(talked.db)
    assert [(run.difference, run.note) for run in result.runs] == [(None, ""), (None, "")]
    reader, seller = sorted(result.runs, key=lambda run: run.persona)
    with Recording.open(talked.db) as recording:
        asked = recording.llm_calls(reader.run_id)
        steps = {step.id: step for step in recording.steps(reader.run_id)}
        assert (reader.requests, reader.calls) == (len(asked), len(steps))
        assert (seller.requests, seller.calls) == (0, recording.run(seller.run_id).steps)
    assert {call.status for call in asked} == {"done"}
    assert all(call.usage and call.usage["input"] > 0 for call in asked)
    assert [call.step_id is None for call in asked].count(True) == 1, "one answer was only talk"
    led = [steps[call.step_id].tool for call in asked if call.step_id]
    assert led[:4] == ["navigate", "click", "read_forms", "fill_form"]
    assert verify(talked.db) == []


@pytest.mark.slow
def test_sixty_steps_take_little_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(talking, "LOOKS", 52)
    made = talking.record(Bench(tmp_path, settings()))
    (reader,) = (run for run in offline(made.db).runs if run.persona == "reader")
    assert (reader.difference, reader.calls > 60) == (None, True)
    with Recording.open(made.db) as recording:
        pictures = "SELECT coalesce(sum(length(bytes)), 0) FROM blob WHERE media_type LIKE 'image/%'"
        ((pictured,),) = recording.connection.execute(pictures).fetchall()
        ((pages,),) = recording.connection.execute("PRAGMA page_count").fetchall()
        ((page,),) = recording.connection.execute("PRAGMA page_size").fetchall()
    assert pages * page - pictured < 1_500_000


def test_where_the_site_is_stands_in_no_request(talked: Original) -> None:
    with Recording.open(talked.db) as recording:
        (run,) = recording.runs(kind="record", limit=1)
        place = str(run.environment["base_url"]).removeprefix("http://")
        keys = [row["sha256"] for row in recording.connection.execute("SELECT sha256 FROM blob").fetchall()]
        assert not [key for key in keys if place.encode() in recording.blobs.read(key)]


def test_users_without_a_model_are_replayed_too(original: Original) -> None:
    result = offline(original.db)
    assert [(run.difference, run.note) for run in result.runs] == [(None, "")] * USERS
    assert sum(run.calls for run in result.runs) > 60


@pytest.mark.parametrize(
    ("change", "where", "part", "recorded", "today"),
    [
        ("task_prompt", "request 1", "message 1 block 1 (text)", "friendly message", "friendly letter"),
        ("result_block", "request 2", "message 3 block 1 (tool_result)", "http", "page"),
        ("tool_params", "request 1", "the tools", "", "without navigate"),
    ],
)
def test_the_first_difference_is_told_in_words(
    talked: Original, monkeypatch: pytest.MonkeyPatch, change: str, where: str, part: str, recorded: str, today: str
) -> None:
    old: Callable[..., Any] = getattr(performer, change)

    def changed(*given: Any) -> Any:
        made = old(*given)
        if change == "tool_params":
            return [tool for tool in made if tool["name"] != "navigate"]
        if change == "result_block":
            return {**made, "content": [{"type": "text", "text": "page: nothing"}]}
        return made.replace("friendly message", "friendly letter")

    monkeypatch.setattr(performer, change, changed)
    found = difference(talked.db, talked.runs()["reader"])
    assert found.where == where
    assert found.part.startswith(part)
    assert recorded in found.recorded or recorded == "http"
    assert today in found.today
    assert found.recorded != found.today


def test_what_this_version_words_otherwise_is_said_and_is_no_difference(
    talked: Original, monkeypatch: pytest.MonkeyPatch
) -> None:
    prompt, params = performer.system_prompt, performer.tool_params
    monkeypatch.setattr(performer, "system_prompt", lambda view: prompt(view).replace("You act only", "You only act"))
    monkeypatch.setattr(
        performer, "tool_params", lambda *given: [{**one, "description": "?"} for one in params(*given)]
    )
    result = offline(talked.db)
    assert result.passed
    reader, seller = sorted(result.runs, key=lambda run: run.persona)
    said, *tools = reader.reworded
    assert (said.part, said.where) == ("the system prompt", "request 1")
    assert ("You act only" in said.recorded, "You only act" in said.today) == (True, True)
    assert {tool.part for tool in tools} >= {"the schema of the tool click (description)"}
    assert seller.reworded == ()
    assert f"  only worded otherwise by this version: the system prompt, and {len(tools)} other texts" in offline_lines(
        result
    )


def test_another_persona_is_a_difference(talked: Original, tmp_path: Path) -> None:
    changed = tmp_path / "changed.db"
    shutil.copyfile(talked.db, changed)
    run = talked.runs()["reader"]
    with closing(sqlite3.connect(changed)) as connection, connection:
        connection.execute(
            "UPDATE run SET environment = json_set(environment, '$.persona.about', 'Sells engines.') WHERE id = ?",
            [run],
        )
    found = difference(changed, run)
    assert (found.where, found.part, found.today) == ("request 1", "the system prompt", "'Sells engines.'")


def test_an_agent_that_does_something_else_is_told(original: Original, monkeypatch: pytest.MonkeyPatch) -> None:
    from simulator.agent.account import Account

    register = Account.register

    async def twice(self: Account) -> None:
        await self._client.do("get_page_text")
        await register(self)

    monkeypatch.setattr(Account, "register", twice)
    found = difference(original.db, original.runs()["seller"])
    assert found == Difference("step 1", "the tool", "register", "get_page_text")


def test_an_agent_that_ends_early_is_told(talked: Original, monkeypatch: pytest.MonkeyPatch) -> None:
    from simulator.agent.things import OwnThings

    async def nothing(self: OwnThings, index: int, prepare: object = None) -> None:
        pass

    monkeypatch.setattr(OwnThings, "make", nothing)
    found = difference(talked.db, talked.runs()["reader"])
    assert found.part == "the order"
    assert found.where.startswith("step ")
    assert found.today == "the end of the run (finished)"


def test_what_the_recording_does_not_hold_is_told(talked: Original, original: Original, tmp_path: Path) -> None:
    alone = tmp_path / "alone.db"
    with Recording.open(original.db) as recording:
        matcher = next(run for run in recording.runs() if run.persona == "matcher")
        assert matcher.number > 1
    promote(original.db, [matcher.id], alone)
    result = offline(alone, matcher.id)
    assert [run.difference for run in result.runs if run.run_id == matcher.id] == [None]
    with pytest.raises(RecordingError, match="has no run 'nobody'"):
        offline(original.db, "nobody")


GUARD = """
import asyncio, socket, subprocess, sys
def refuse(*args, **kwargs):
    raise AssertionError(f"an offline replay reaches out: {args[:2]}")
import anthropic
import playwright.async_api
anthropic.AsyncAnthropic.__init__ = anthropic.Anthropic.__init__ = refuse
playwright.async_api.async_playwright = refuse
pair = socket.socketpair
socket.socket.connect = socket.socket.connect_ex = socket.socket.bind = refuse
socket.create_connection = socket.getaddrinfo = refuse
asyncio.create_subprocess_exec = asyncio.create_subprocess_shell = refuse
subprocess.Popen.__init__ = refuse
from simulator.cli.main import application
application()()
"""


@pytest.mark.parametrize("changed", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_nothing_is_reached_or_started(talked: Original, tmp_path: Path, changed: bool) -> None:
    spoil = "import simulator.agent.prompt as p; p._RULES = p._RULES.replace('How you work', 'So you work')\n"
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("ANTHROPIC_", "SIM_"))}
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            (spoil if changed else "") + GUARD,
            "offline",
            "--db",
            str(talked.db),
            "last",
        ],
        env={**environ, "HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert re.search(r"passed: 2 runs of .*talked\.db", done.stdout)
    if not changed:
        return
    assert "only worded otherwise by this version: the system prompt\n" in done.stdout
    assert "How you work" in done.stdout
    assert "So you work" in done.stdout
    assert not list(tmp_path.iterdir()), "no key is made"
