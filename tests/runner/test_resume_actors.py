"""Resuming runs of several actors, and of models that are reached or act in another way."""

from __future__ import annotations

import json
from typing import Any

import pytest

from simulator.recording.reader import Recording
from tests.agent.five_tasks import TASKS, Doer, MemberHands
from tests.fakes import chat_completions, messages_api
from tests.fakes.model_server import Answer, Request, call, calls, use
from tests.runner.bench import Bench
from tests.runner.program import KEY
from tests.runner.resuming import Cut, cut

pytestmark = [pytest.mark.timeout(600), pytest.mark.slow]

SEND = "POST /sellers/[^/]+/message"
CUT_OFF = "You were at this task when your browser was lost."
ANEW = "had not taken effect"
FRIEND = {
    "username": "{{identity.username}}b",
    "display_name": "{{identity.display_name}}",
    "email": "b.{{identity.email}}",
    "password": "{{secret.password}}",
    "password_repeat": "{{secret.password}}",
    "city": "Leeds",
    "terms": "yes",
}


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIM_KEY", KEY)


def form_with(request: Request, field: str) -> str:
    """Give the selector of the form that has a field."""
    forms = json.loads(request.results[-1]["content"][0]["text"])["forms"]
    form = next(form for form in forms if f'"{field}"' in json.dumps(form))
    return f"ref={form['ref']}"


class Writer:
    """A model that writes one message, and looks first whether it has."""

    def __call__(self, request: Request) -> Answer:
        if CUT_OFF in request.task and ANEW not in request.task:
            return call("complete", result="I wrote before I was cut off.")
        return self.write(request, request.turn)

    def write(self, request: Request, turn: int) -> Answer:
        match turn:
            case 0:
                return calls(use("navigate", url="/sellers/house/message"), use("read_forms"))
            case 1:
                given = {"message": "Hello! Do you have more of these?"}
                return call("fill_form", form=form_with(request, "message"), values=given, submit=True)
            case _:
                return call("complete", result="I wrote.")


class Pair(Writer):
    """A model that opens an account for a friend, in whose browser is written first.

    Args:
        friend: whether it is the friend who logs in there.
    """

    def __init__(self, *, friend: bool) -> None:
        self._login = [use("login", username=FRIEND["username"])] if friend else []

    def __call__(self, request: Request) -> Answer:
        back = CUT_OFF in request.task
        wrote = back and ANEW not in request.task
        turn = request.turn + (2 if back else 0) + (2 if wrote else 0)
        match turn:
            case 0:
                return calls(
                    use("switch_user", name="friend"), use("navigate", url="/account/register"), use("read_forms")
                )
            case 1:
                opened = use("fill_form", form=form_with(request, "email"), values=FRIEND, submit=True)
                return calls(opened, *self._login)
            case 2 | 3:
                return self.write(request, turn - 2)
            case 4:
                here = use("switch_user", name="user")
                return calls(here, use("navigate", url="/sellers/house/message"), use("read_forms"))
            case 5:
                return self.write(request, 1)
            case _:
                return call("complete", result="Both of us wrote.")


async def goes_on(bench: Bench, killed: Cut, messages: int) -> None:
    """Resume a run, and see that nothing was done twice, and that it replays as one run."""
    result = await killed.resume()
    assert [(run.status, run.reason) for run in result.runs] == [("passed", "")]
    assert killed.shop.effects.count("message.created") == messages
    replayed = await bench.replay(killed.db, "replayed")
    assert [run.drift and run.drift.sentence for run in replayed.result.runs] == [None]
    assert replayed.shop.whole == killed.shop.whole


@pytest.mark.parametrize(("when", "friend"), [("before", True), ("after", True), ("after", False)])
async def test_each_actor_is_logged_in_again_as_whom_it_was(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, when: str, friend: bool
) -> None:
    talker = {"persona": "talker", "tasks": ["register", {"do": "Write to the seller, and a friend of yours, too."}]}
    with messages_api.messages_api(Pair(friend=friend)) as api:
        model = {"ANTHROPIC_API_KEY": messages_api.KEY, "ANTHROPIC_BASE_URL": api.url}
        for name, value in model.items():
            monkeypatch.setenv(name, value)
        killed = cut(bench, (talker,), route=SEND, when=when, more=["--agent", "claude"], env=model)
        await goes_on(bench, killed, 2)
        assert api.refused == []
    with Recording.open(killed.db) as recording:
        run = recording.run("last")
        actors = {action.actor for action in recording.actions(run.id)}
    assert actors == {"user", "user~2", "friend", "friend~2"}
    user = str((run.identity or {})["username"])
    written = [len(killed.shop.state[name].get("message", ())) for name in (user, f"{user}b")]
    assert written == ([1, 1] if friend else [2, 0])


@pytest.mark.parametrize("when", ["before", "after"])
async def test_a_model_of_another_api_goes_on(bench: Bench, monkeypatch: pytest.MonkeyPatch, when: str) -> None:
    talker = {"persona": "talker", "tasks": ["register", {"do": "Write to the seller of any book."}]}
    with chat_completions.chat_completions(Writer()) as api:
        model = {"OPENAI_API_KEY": chat_completions.KEY, "OPENAI_BASE_URL": f"{api.url}/v1"}
        for name, value in model.items():
            monkeypatch.setenv(name, value)
        more = ["--agent", "openai", "--model", "model-of-the-tests"]
        killed = cut(bench, (talker,), route=SEND, when=when, more=more, env=model)
        await goes_on(bench, killed, 1)
        assert api.refused == []


class Careful(Doer):
    """Writes by the members of a toolset, unless it has written."""

    def __call__(self, request: Request) -> Answer:
        if request.turn == 0 and CUT_OFF in request.task and ANEW not in request.task:
            return call("complete", result="I wrote before I was cut off.")
        return super().__call__(request)


@pytest.mark.parametrize("when", ["before", "after"])
async def test_who_acts_by_the_toolset_of_the_api_goes_on(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    talker: dict[str, Any] = {
        "persona": "talker",
        "tasks": ["register", {"do": TASKS["message"][0]}],
        "tools": {"toolsets": ["anthropic-browser", "books"]},
    }
    with messages_api.messages_api(Careful(MemberHands())) as api:
        model = {"ANTHROPIC_API_KEY": messages_api.KEY, "ANTHROPIC_BASE_URL": api.url}
        for name, value in model.items():
            monkeypatch.setenv(name, value)
        killed = cut(bench, (talker,), route=SEND, when=when, more=["--agent", "claude"], env=model)
        await goes_on(bench, killed, 1)
        assert api.refused == []
