"""Resuming users who deal with each other, and users who are led by a model."""

from __future__ import annotations

import json
from typing import Any

import pytest

from simulator.recording.reader import Recording
from tests.fakes.messages_api import KEY as API_KEY
from tests.fakes.messages_api import Answer, Request, call, calls, messages_api, use
from tests.runner.bench import Bench
from tests.runner.program import KEY
from tests.runner.resuming import cut

pytestmark = [pytest.mark.timeout(600), pytest.mark.promise("a run that was cut off goes on", quick=2)]

SELLER: dict[str, Any] = {"persona": "aseller", "tasks": ["register", {"list_books": {"count": 2}}]}
BUYER: dict[str, Any] = {"persona": "buyer", "tasks": ["register", {"message_seller": {"count": 2}}, "save_listings"]}
TALKER: dict[str, Any] = {"persona": "talker", "tasks": ["register", {"do": "Write to the seller of any book."}]}
SEND = "POST /sellers/[^/]+/message"


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIM_KEY", KEY)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("route", "nth", "when"), [(SEND, 2, "after"), ("POST /books/new", 2, "before"), ("POST /books/new", 2, "after")]
)
async def test_users_of_a_batch_find_each_other_again(bench: Bench, route: str, nth: int, when: str) -> None:
    whole = await bench.record("whole", (SELLER, BUYER), count=2, concurrency=2)
    killed = cut(bench, (SELLER, BUYER), route=route, nth=nth, when=when, count=2)
    result = await killed.resume()
    assert {(run.status, run.reason) for run in result.runs} == {("passed", "")}
    assert killed.shop.whole == whole.shop.whole
    replayed = await bench.replay(killed.db, "replayed")
    assert [run.drift and run.drift.sentence for run in replayed.result.runs] == [None, None]
    assert replayed.result.passed
    assert replayed.shop.whole == whole.shop.whole


class Talker:
    """A model that writes one message; once it is told that it had been cut off, it looks and goes on."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def __call__(self, request: Request) -> Answer:
        task = request.body["messages"][0]["content"][0]["text"]
        if request.turn == 0:
            self.told.append(task)
        sent = "fill_form" in task and '"submit": true' in task
        if sent and "had not taken effect" not in task:
            return call("complete", result="I wrote before I was cut off.")
        match request.turn:
            case 0:
                return calls(use("navigate", url="/sellers/house/message"), use("read_forms"))
            case 1:
                forms = json.loads(request.results[-1]["content"][0]["text"])["forms"]
                form = next(form for form in forms if '"meaning": "message"' in json.dumps(form))
                given = {"message": "Hello! Do you have more of these?"}
                return calls(use("fill_form", form=f"ref={form['ref']}", values=given, submit=True))
            case _:
                return call("complete", result="I wrote.")


@pytest.mark.slow
@pytest.mark.parametrize("when", ["after", "before"])
async def test_a_model_is_told_what_it_had_done(bench: Bench, monkeypatch: pytest.MonkeyPatch, when: str) -> None:
    talker = Talker()
    with messages_api(talker) as api:
        model = {"ANTHROPIC_API_KEY": API_KEY, "ANTHROPIC_BASE_URL": api.url}
        for name, value in model.items():
            monkeypatch.setenv(name, value)
        killed = cut(bench, (TALKER,), route=SEND, when=when, more=["--agent", "claude"], env=model)
        result = await killed.resume()
        assert api.refused == []
    assert [(run.status, run.reason) for run in result.runs] == [("passed", "")]
    assert [(task.task, task.status) for task in result.runs[0].tasks] == [("register", "done"), ("do", "done")]
    assert killed.shop.effects.count("message.created") == 1
    first, again = talker.told
    assert again.startswith(first.partition("\n")[0])
    assert "You were at this task when your browser was lost." in again
    assert "- navigate " in again
    assert ("Your last call, fill_form, had not taken effect" in again) == (when == "before")
    with Recording.open(killed.db) as recording:
        row = recording.run(result.runs[0].run_id)
        assert (row.agent, row.status) == ("claude", "passed")
    replayed = await bench.replay(killed.db, "replayed")
    assert [run.drift and run.drift.sentence for run in replayed.result.runs] == [None]
    assert replayed.shop.whole == killed.shop.whole
