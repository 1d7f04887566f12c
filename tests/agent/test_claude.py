"""The agent ``claude`` through the real SDK against a server that speaks its protocol: every answer and error."""

from __future__ import annotations

import asyncio
import base64
import io
import json
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from PIL import Image as Pictures

from simulator.agent.autopilot import Autopilot
from simulator.agent.budget import STILL, Ledger
from simulator.agent.contracts import ModelCalled, ModelGivenUp, PatienceTried, RunView, TaskEnded
from simulator.agent.conversation import CHANGED, CHUNK, KEPT, OLD_PICTURE
from simulator.agent.interactions import InteractionPlan
from simulator.agent.loop import LoopEnd, run_agent
from simulator.agent.models.asking import BROKEN_STREAMS, RETRIES
from simulator.agent.models.claude import Claude
from simulator.agent.models.prices import Prices
from simulator.agent.performer import IDLE, ModelPerformer
from simulator.config import Models, Site
from simulator.errors import KeyMissing, ModelRefused, ModelUnavailable
from simulator.persona import Persona, draw_identity
from simulator.runner.performing.performers import Performers, open_performers
from simulator.tools.contracts import Image, ToolCall, ToolFailure, ToolResult
from simulator.tools.observing import CHANGES, PAGE, SEEN
from simulator.tools.spec import TIMEOUT
from simulator.tools.toolsets import registry_of, toolset_names
from tests.fakes.messages_api import (
    KEY,
    MODEL,
    Cut,
    Fault,
    Held,
    MessagesApi,
    Raw,
    Reply,
    Request,
    Script,
    call,
    calls,
    messages_api,
    say,
    use,
)

pytestmark = pytest.mark.promise("an agent of Claude", quick=12)

SECRET = "Tr0ub4dor&3-of-the-tests"
DONE = call("complete", result="It is done.")
QUICK = {"retry-after-ms": "1"}


class Tools:
    """A dispatcher that answers as it is told, by tool; what is not told succeeds with a new text each time."""

    def __init__(self) -> None:
        self.called: list[ToolCall] = []
        self.answers: dict[str, Callable[[ToolCall], ToolResult]] = {}

    @property
    def names(self) -> list[str]:
        return [call.name for call in self.called]

    async def dispatch(self, call: ToolCall) -> ToolResult:
        self.called.append(call)
        if call.name in self.answers:
            return self.answers[call.name](call)
        data = call.input.get("result") or call.input.get("reason") or f"{call.name} number {len(self.called)}"
        return ToolResult(success=True, data=data)


def fails(type: Any, message: str) -> Callable[[ToolCall], ToolResult]:
    return lambda _: ToolResult(success=False, error=ToolFailure(type=type, message=message))


class Stage:
    """A run of a persona whose tools are a stub, and whose model is a script."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self.tools = Tools()
        self.events: list[object] = []
        self.api: MessagesApi

    async def run(
        self,
        script: Script,
        *tasks: Any,
        key: str = KEY,
        all_by_model: bool = False,
        toolsets: tuple[str, ...] = ("browser",),
        models: Models | None = None,
        **more: Any,
    ) -> LoopEnd:
        """Let a persona with these tasks act; by default a single one in free words."""
        self.api = self._stack.enter_context(messages_api(script))
        given = {"persona": "guest", "about": "A guest of the tests.", "locale": "en_GB"}
        persona = Persona.model_validate({**given, "tasks": tasks or [{"do": "Say hello."}], **more})
        view = RunView(
            persona,
            draw_identity(persona, seed=7, number=1),
            Site(base_url="http://127.0.0.1:1", routes={"browse": "/books"}),
            peers=None,  # type: ignore[arg-type]
            tell=self.events.append,
            shown=str,
        )
        async with Claude(key, base_url=self.api.url, name=MODEL) as model:
            claude = ModelPerformer(
                model,
                registry_of(toolsets).list_tools,
                ledger=Ledger(persona.limits.tokens, persona.limits.money, Prices(models or Models(), MODEL)),
                mask=lambda text: text.replace(SECRET, "{{secret.password}}"),
            )
            agent = Autopilot(InteractionPlan(1), claude, all_by_model=all_by_model)
            return await run_agent(agent, self.tools, view, ends_by_tool=False)

    @property
    def tasks(self) -> list[tuple[str, str, str]]:
        return [(event.task, event.status, event.reason) for event in self.events if isinstance(event, TaskEnded)]


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    with ExitStack() as stack:
        yield Stage(stack)


def requests(stage: Stage) -> Iterator[Request]:
    assert stage.api.refused == []
    return iter(stage.api.requests)


# -- answers


async def test_a_task_in_free_words_is_done_by_the_models_calls(stage: Stage) -> None:
    end = await stage.run([calls(use("navigate", url="/books"), text="I look around."), DONE])
    assert (end.end, end.status, end.steps) == ("finished", "passed", 2)
    assert stage.tools.names == ["navigate", "complete"]
    assert stage.tasks == [("do", "done", "It is done.")]
    first, second = requests(stage)
    assert "Your task now: Say hello." in first.said
    (result,) = second.results
    assert result["content"] == [{"type": "text", "text": "navigate number 1"}]
    assert result["is_error"] is False
    assert stage.tools.called[0].id == result["tool_use_id"]


async def test_several_calls_of_one_answer_are_done_in_order_and_answered_in_one_message(stage: Stage) -> None:
    uses = [use("navigate", url="/books"), use("read_links"), use("click", selector="Next")]
    await stage.run([calls(*uses), DONE])
    assert stage.tools.names == ["navigate", "read_links", "click", "complete"]
    assert [result["tool_use_id"] for result in list(requests(stage))[1].results] == [one["id"] for one in uses]


async def test_after_a_failed_call_what_would_change_something_is_not_done(stage: Stage) -> None:
    stage.tools.answers["fill"] = fails("not_found", "nothing is called 'Prize'; there is 'Price'")
    uses = [use("fill", selector="Prize", value="4"), use("click", selector="Save"), use("get_page_text")]
    await stage.run([calls(*uses), DONE])
    assert stage.tools.names == ["fill", "get_page_text", "complete"]
    filled, clicked, read = list(requests(stage))[1].results
    assert filled["is_error"] is True
    assert filled["content"][0]["text"] == "not_found: nothing is called 'Prize'; there is 'Price'"
    assert clicked["is_error"] is True
    assert "earlier call" in clicked["content"][0]["text"]
    assert read["is_error"] is False


@pytest.mark.parametrize("input", [["Save"], {"selector": "\ud800"}, {"selector": "Save", "n": float("nan")}])
async def test_an_input_that_is_no_object_can_be_corrected(stage: Stage, input: object) -> None:
    broken = use("click")
    broken["input"] = input
    await stage.run([calls(broken), call("click", selector="Save"), DONE])
    _, second, _ = requests(stage)
    assert second.results[0]["is_error"] is True
    assert "JSON object" in second.said
    assert stage.tools.names == ["click", "complete"]


async def test_a_failure_is_not_called_success(stage: Stage) -> None:
    end = await stage.run([call("fail", reason="There is no such seller.")])
    assert (end.end, end.status, end.reason) == ("gave_up", "failed", "do: There is no such seller.")
    assert stage.tasks == [("do", "failed", "There is no such seller.")]


async def test_complete_is_not_taken_after_a_failed_call(stage: Stage) -> None:
    stage.tools.answers["click"] = fails("not_found", "no such button")
    script = [calls(use("click", selector="Send"), use("complete", result="Sent.")), call("fail", reason="no button")]
    end = await stage.run(script)
    assert end.status == "failed"
    assert stage.tools.names == ["click", "fail"]


async def test_text_alone_is_answered_with_a_reminder_and_then_ends_the_task(stage: Stage) -> None:
    end = await stage.run([say("I would click Save.")] * IDLE)
    assert end.end == "gave_up"
    assert "no tool in 3 answers in a row (end_turn); it last said: I would click Save." in end.reason
    assert "call complete" in list(requests(stage))[1].said


async def test_text_alone_once_does_no_harm(stage: Stage) -> None:
    assert (await stage.run([say("Let me think."), DONE])).status == "passed"
    assert [len(request.body["messages"]) for request in requests(stage)] == [1, 3]


async def test_an_empty_answer_leaves_no_empty_message(stage: Stage) -> None:
    blank = Reply(({"type": "text", "text": " "},))
    assert (await stage.run([Reply(()), blank, DONE])).status == "passed"
    assert [len(request.body["messages"]) for request in requests(stage)] == [1, 1, 1]
    assert "was empty" in list(requests(stage))[2].said


async def test_empty_answers_end_the_task(stage: Stage) -> None:
    end = await stage.run([Reply(())] * IDLE)
    assert end.reason.endswith("the model called no tool in 3 answers in a row (end_turn)")


async def test_a_text_that_was_cut_off_is_asked_for_again_shorter(stage: Stage) -> None:
    assert (await stage.run([say("Once upon a", "max_tokens"), DONE])).status == "passed"
    assert "too long" in list(requests(stage))[1].said


async def test_a_call_that_was_cut_off_is_not_carried_out(stage: Stage) -> None:
    uses = [use("click", selector="New"), use("fill", selector="Text", value="Dear ")]
    await stage.run([calls(*uses, stop_reason="max_tokens"), DONE])
    assert stage.tools.names == ["click", "complete"]
    whole, cut = list(requests(stage))[1].results
    assert whole["is_error"] is False
    assert "cut off" in cut["content"][0]["text"]


async def test_a_refusal_ends_the_task_and_the_run_goes_on(stage: Stage) -> None:
    refused = Reply((), "refusal", details={"type": "refusal", "category": "cyber", "explanation": "I will not."})
    end = await stage.run([refused, DONE], {"do": "Break in."}, {"do": "Say hello."})
    assert end.status == "failed"
    assert stage.tasks == [("do", "failed", "the model refused: I will not."), ("do", "done", "It is done.")]


async def test_a_pause_is_gone_on_from(stage: Stage) -> None:
    search = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "x"}}
    assert (await stage.run([Reply((search,), "pause_turn"), DONE])).status == "passed"
    assert list(requests(stage))[1].body["messages"][-1] == {"role": "assistant", "content": [search]}


async def test_a_full_window_ends_the_task(stage: Stage) -> None:
    end = await stage.run([say("and", "model_context_window_exceeded")])
    assert "no longer fits the model" in end.reason


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (400, "prompt is too long: 208310 tokens > 200000 maximum"),
        (400, "input length and `max_tokens` exceed context limit: 198000 + 4096 > 200000, decrease either"),
        (413, "Request exceeds the maximum size"),
    ],
)
async def test_a_prompt_that_is_too_long_ends_the_task_and_not_the_batch(stage: Stage, status: int, said: str) -> None:
    await stage.run([Fault(status, said), DONE], {"do": "Read all."}, {"do": "Say hello."})
    assert [status for _, status, _ in stage.tasks] == ["failed", "done"]
    assert "no longer fits the model" in stage.tasks[0][2]


# -- errors of the API


@pytest.mark.parametrize("status", [429, 500, 529])
async def test_what_may_pass_is_tried_again(stage: Stage, status: int) -> None:
    end = await stage.run([Fault(status, headers=QUICK)] * 2 + [DONE])
    assert end.status == "passed"
    assert [request.status for request in stage.api.requests] == [status, status, 200]


async def test_retry_after_is_waited_for(stage: Stage) -> None:
    began = asyncio.get_running_loop().time()
    await stage.run([Fault(429, headers={"retry-after": "0.4"}), DONE])
    assert asyncio.get_running_loop().time() - began >= 0.3


async def test_what_does_not_pass_ends_the_run_with_what_the_api_said(stage: Stage) -> None:
    with pytest.raises(ModelUnavailable, match="answers 529 however often it is asked: too busy"):
        await stage.run([Fault(529, "too busy", QUICK)] * (RETRIES + 1))
    assert len(stage.api.requests) == RETRIES + 1


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (401, "refuses the key.*ANTHROPIC_API_KEY"),
        (404, "does not know 'claude-of-the-tests'.*--model"),
        (400, "the request"),
    ],
)
async def test_what_no_retry_mends_is_said_at_once(stage: Stage, status: int, said: str) -> None:
    with pytest.raises(ModelRefused, match=said):
        await stage.run([Fault(status)])
    assert len(stage.api.requests) == 1


async def test_a_wrong_key_is_not_repeated_in_the_message(stage: Stage) -> None:
    with pytest.raises(ModelRefused) as caught:
        await stage.run([], key="sk-wrong-key")
    assert "sk-wrong-key" not in str(caught.value)


BROKEN: dict[str, Any] = {
    "cut": Cut(call("click", selector="x"), 4),
    "overloaded": Cut(say("x"), 3, error="overloaded_error"),
    "ended early": Raw(b'event: ping\ndata: {"type": "ping"}\n\n'),
    "no JSON": Raw(b"event: message_start\ndata: {\n\n"),
    "no event stream": Raw(b'{"type": "message"}', "application/json"),
    "wrong order": Raw(b'event: content_block_stop\ndata: {"type": "content_block_stop", "index": 3}\n\n'),
}


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
async def test_a_broken_stream_is_asked_for_again_and_nothing_of_it_is_done(stage: Stage, broken: Any) -> None:
    assert (await stage.run([broken, DONE])).status == "passed"
    assert stage.tools.names == ["complete"]


async def test_streams_that_always_break_end_the_run(stage: Stage) -> None:
    with pytest.raises(ModelUnavailable, match="3 answers of the model in a row broke off"):
        await stage.run([BROKEN["cut"]] * BROKEN_STREAMS)


async def test_nobody_at_the_address(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simulator.agent.models.claude.RETRIES", 0)
    async with Claude(KEY, base_url="http://127.0.0.1:1") as model:
        with pytest.raises(ModelUnavailable, match=r"nothing answers at http://127\.0\.0\.1:1"):
            await model.ask([], [], [{"role": "user", "content": "hello"}])


def test_no_key() -> None:
    with pytest.raises(KeyMissing, match="ANTHROPIC_API_KEY"):
        Claude.from_environment({})


async def test_no_more_requests_at_once_than_allowed() -> None:
    release, under_way, most = threading.Event(), 0, 0

    def hold(request: Request) -> Held:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        if under_way == 2:
            release.set()
        return Held(say("hello"), release)

    with messages_api(hold) as api:
        async with Claude(KEY, base_url=api.url, at_once=2) as model:
            ask = [model.ask([], [], [{"role": "user", "content": "hello"}]) for _ in range(2)]
            await asyncio.gather(*ask)
            assert most == 2
        environ = {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": api.url}
        persona = Persona.model_validate({"persona": "x", "about": "x", "locale": "en_GB", "tasks": [{"do": "x"}]})
        async with open_performers("claude", [persona], environ, models=Models(at_once=1)) as performers:
            single = performers.model
            assert single is not None
            release.clear()
            one, other = (asyncio.create_task(single.ask([], [], [{"role": "user", "content": "x"}])) for _ in range(2))
            while under_way < 3:
                await asyncio.wait((one, other), timeout=0.01)
            assert under_way == 3, "the second one has not been sent"
            release.set()
            await asyncio.gather(one, other)


# -- bounds


async def test_the_limit_of_tokens_ends_the_run_by_name(stage: Stage) -> None:
    spent = calls(use("get_page_text"), input_tokens=900, output_tokens=100, cache_read_input_tokens=5000)
    end = await stage.run([spent] * 3, {"do": "Read."}, {"do": "Read on."}, limits={"tokens": 2500})
    assert (end.end, end.status) == ("token_limit", "failed")
    assert end.reason == "the persona's limit of 2500 tokens is used up (3000)"
    assert [status for _, status, _ in stage.tasks] == ["failed"]


PRICED = Models.model_validate({MODEL: {"input": 2, "cache_write": 2.5, "cache_read": 0.2, "output": 10}})


async def test_the_limit_of_money_ends_the_run_by_name(stage: Stage) -> None:
    spent = calls(use("get_page_text"), input_tokens=1000, output_tokens=100, cache_read_input_tokens=5000)
    end = await stage.run([spent] * 3, {"do": "Read."}, {"do": "Read on."}, limits={"money": 0.007}, models=PRICED)
    assert (end.end, end.status) == ("money_limit", "failed")
    assert end.reason == "the persona's limit of 0.007 USD is used up (0.0080 USD)"
    assert len(stage.api.requests) == 2


async def test_without_a_limit_of_money_a_price_ends_nothing(stage: Stage) -> None:
    spent = calls(use("get_page_text"), input_tokens=10_000, output_tokens=100)
    assert (await stage.run([spent, DONE], models=PRICED)).end == "finished"


async def test_usage_is_told_call_by_call(stage: Stage) -> None:
    await stage.run([calls(use("get_page_text"), input_tokens=10, output_tokens=4, cache_read_input_tokens=6), DONE])
    first, _ = (event for event in stage.events if isinstance(event, ModelCalled))
    assert (first.model, first.usage.input, first.usage.output, first.usage.cache_read) == (MODEL, 10, 4, 6)


async def test_the_limits_of_steps_and_minutes_hold_for_a_model_too(stage: Stage) -> None:
    end = await stage.run(lambda _: call("get_page_text"), limits={"steps": 4})
    assert (end.end, end.steps) == ("step_limit", 4)


async def test_a_model_that_never_answers_meets_the_limit_of_minutes(stage: Stage) -> None:
    release = threading.Event()
    end = await stage.run([Held(DONE, release)], limits={"minutes": 0.005})
    release.set()
    assert end.end == "time_limit"
    assert ModelGivenUp(MODEL) in stage.events, "what it used nobody knows"


async def test_the_same_call_with_the_same_effect_is_told_and_then_ends_the_task(stage: Stage) -> None:
    stage.tools.answers["click"] = lambda _: ToolResult(success=True, data="nothing happened")
    end = await stage.run(lambda _: call("click", selector="More"))
    assert end.reason == "do: went in circles: click had the same effect 6 times"
    notes = [request.turn for request in requests(stage) if "with the same effect" in request.said]
    assert notes == [3]


async def test_what_is_done_between_other_things_is_no_circle(stage: Stage) -> None:
    stage.tools.answers["navigate"] = lambda _: ToolResult(success=True, data={"url": "/books"})
    visits = [calls(use("navigate", url="/books"), use("click", selector=f"Book {place}")) for place in range(8)]
    assert (await stage.run([*visits, DONE])).status == "passed"
    assert not any("same effect" in request.said for request in requests(stage))


async def test_calls_that_show_nothing_new_are_told_and_then_end_the_task(stage: Stage) -> None:
    names = ["get_page_text", "read_links", "read_forms", "read_buttons", "get_page_url", "read_page", "list_tabs"]
    for name in names:
        stage.tools.answers[name] = lambda _: ToolResult(success=True, data="as ever")
    end = await stage.run(lambda request: call(names[request.turn % len(names)]), limits={"tokens": 10**9})
    assert end.reason == f"do: got nowhere: {2 * STILL} calls in a row showed nothing new"
    told = [request.turn for request in requests(stage) if f"last {STILL} calls showed nothing new" in request.said]
    assert told == [len(names) + STILL]
    assert len(stage.tools.called) == len(names) + 2 * STILL


async def test_a_page_that_is_otherwise_after_each_call_is_progress(stage: Stage) -> None:
    """What the call itself says is always the same; the references of the page never are."""
    shown = iter(range(99))

    def page(text: str) -> Callable[[ToolCall], ToolResult]:
        return lambda _: ToolResult(
            success=True, data="clicked", metadata={SEEN: f'{PAGE}/ "Shop"\n- {text % next(shown)}'}
        )

    stage.tools.answers["click"] = page('"page %s" [ref=e1]')
    assert (await stage.run([call("click", selector="More") for _ in range(9)] + [DONE])).status == "passed"
    stage.tools.answers["click"] = page('"the same" [ref=e%s]')
    end = await stage.run(lambda _: call("click", selector="More"))
    assert end.reason == "do: went in circles: click had the same effect 6 times"


async def test_the_same_call_with_another_effect_is_no_circle(stage: Stage) -> None:
    script = [call("click", selector="More") for _ in range(9)]
    assert (await stage.run([*script, DONE])).status == "passed"


@pytest.mark.parametrize(("patience", "calls_made"), [("low", 3), ("medium", 5), ("high", 8)])
async def test_patience_decides_how_many_failures_are_borne(stage: Stage, patience: str, calls_made: int) -> None:
    stage.tools.answers["click"] = fails("not_found", "no such button")
    place = iter(range(99))
    end = await stage.run(lambda _: call("click", selector=f"Try {next(place)}"), traits={"patience": patience})
    assert len(stage.tools.called) == calls_made
    tried = [event for event in stage.events if isinstance(event, PatienceTried)]
    assert [one.ends for one in tried] == [False, True], "told first, then ended"
    assert tried[1].reason in end.reason
    assert f"gave up after {calls_made} calls in a row that failed, the last one: no such button" in end.reason
    assert "loses patience" in stage.api.requests[-1].said


# -- what is sent


async def test_the_prompt_says_who_acts_and_how(stage: Stage) -> None:
    traits = {"pace": "fast", "patience": "low", "typo_rate": 0.1, "skips_optional": 0.3, "description_length": "short"}
    await stage.run([DONE], "register", {"do": "Say hello."}, traits=traits, answers={})
    (request,) = requests(stage)
    identity = draw_identity(Persona.model_validate(PERSON | {"tasks": ["register"]}), seed=7, number=1)
    assert f"You are {identity.display_name}" in request.system
    assert "A guest of the tests." in request.system
    assert "hurry" in request.system
    assert "patience is low" in request.system
    assert "10% of the words" in request.system
    assert "30% of the optional fields" in request.system
    assert "You write little" in request.system
    assert "{{secret.password}}" in request.system
    assert "{{book.1.title}} = " in request.system
    assert "browse: /books" in request.system
    assert "worked on these before, in this browser: register" in request.said


PERSON = {"persona": "guest", "about": "A guest of the tests.", "locale": "en_GB"}


async def test_other_traits_make_another_prompt(stage: Stage) -> None:
    await stage.run([DONE])
    (request,) = requests(stage)
    assert "fill in the optional fields" in request.system
    assert "mistype" not in request.system
    assert "hurry" not in request.system


async def test_structured_tasks_are_the_autopilots_and_the_rest_the_models(stage: Stage) -> None:
    stage.tools.answers["register"] = lambda _: ToolResult(success=True, data={}, metadata={"logged_in": True})
    end = await stage.run([DONE], "register", {"do": "Say hello."}, "logout")
    assert end.status == "passed"
    assert stage.tools.names == ["register", "complete", "logout"]
    assert len(stage.api.requests) == 1


async def test_all_tasks_can_be_the_models(stage: Stage) -> None:
    await stage.run([DONE] * 2, "register", {"list_books": {"count": 2}}, all_by_model=True)
    told = [request.said for request in requests(stage)]
    assert "Your task now: Create the user's account." in told[0]
    assert "Your task now: Offer books for sale. (count: 2)" in told[1]


async def test_a_login_of_the_model_is_known_to_the_autopilot(stage: Stage) -> None:
    await stage.run([calls(use("login"), use("complete", result="in")), DONE], {"do": "Log in."}, "login", "logout")
    assert stage.tools.names == ["login", "complete", "logout"]


async def test_tools_system_and_the_last_messages_are_marked_for_the_cache(stage: Stage) -> None:
    await stage.run([call("get_page_text"), call("get_page_text"), DONE])
    first, second, third = (
        [path for path, block in _marks(request.body) if "cache_control" in block] for request in requests(stage)
    )
    assert first == ["tools", "system", "messages.0.0"]
    assert second == ["tools", "system", "messages.0.0", "messages.2.0"]
    assert third == ["tools", "system", "messages.2.0", "messages.4.0"]
    bodies = [request.body for request in requests(stage)]
    assert all(body["tools"] == bodies[0]["tools"] and body["system"] == bodies[0]["system"] for body in bodies)


def _marks(body: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    yield from (("tools", tool) for tool in body["tools"])
    yield from (("system", block) for block in body["system"])
    for turn, message in enumerate(body["messages"]):
        yield from ((f"messages.{turn}.{place}", block) for place, block in enumerate(message["content"]))


def picture(width: int, height: int) -> Image:
    file = io.BytesIO()
    Pictures.new("RGB", (width, height), (1, 2, 3)).save(file, "PNG")
    return Image(media_type="image/png", data=file.getvalue())


async def test_older_pictures_are_replaced_in_chunks(stage: Stage) -> None:
    place = iter(range(1, 99))
    stage.tools.answers["screenshot"] = lambda _: ToolResult(
        success=True, data=f"page {next(place)}", images=(picture(20, 20),)
    )
    await stage.run([call("screenshot") for _ in range(KEPT + CHUNK + 1)] + [DONE])
    shown = [json.dumps(request.body).count('"type": "image"') for request in requests(stage)]
    assert shown == [*range(KEPT + CHUNK), KEPT, KEPT + 1]
    assert json.dumps(stage.api.requests[-1].body).count(OLD_PICTURE) == CHUNK


async def test_long_texts_of_older_pages_are_shortened(stage: Stage) -> None:
    place = iter(range(1, 99))
    stage.tools.answers["get_page_text"] = lambda _: ToolResult(
        success=True, data=f"page {next(place)} " + "word " * 900
    )
    await stage.run([call("get_page_text") for _ in range(KEPT + CHUNK)] + [DONE])
    sizes = [len(json.dumps(request.body)) for request in requests(stage)]
    assert sizes[-1] < sizes[-2] - (CHUNK - 1) * 4000
    assert "page 1 word" in json.dumps(stage.api.requests[-1].body)


async def test_a_page_that_was_left_is_one_line(stage: Stage) -> None:
    place = iter(range(1, 99))

    def another(_: ToolCall) -> ToolResult:
        number = next(place)
        page = f'{PAGE}/books/{number} "Book {number}"\n- "What book {number} is about"'
        return ToolResult(success=True, data={"page": {"url": "/"}, "settled": "navigated"}, metadata={SEEN: page})

    stage.tools.answers["click"] = another
    changed = f'{CHANGES}:\n+ "saved" ' + "and more " * 50
    stage.tools.answers["fill"] = lambda _: ToolResult(success=True, data="filled", metadata={SEEN: changed})
    script = [call("click", selector="A"), call("fill", selector="B", value="b"), call("click", selector="C"), DONE]
    await stage.run(script)
    first, second, third, last = (request.body["messages"] for request in requests(stage))
    assert first != second
    results = [message["content"][0]["content"] for message in last[1:] if message["role"] == "user"]
    assert [[block["text"] for block in content] for content in results] == [
        ['{"settled":"navigated"}', '[a page that was left: /books/1 "Book 1"]'],
        ["filled", f"{changed[:CHANGED]} …"],
        ['{"settled":"navigated"}', f'{PAGE}/books/2 "Book 2"\n- "What book 2 is about"'],
    ]
    assert third[2]["content"][0]["content"][1]["text"].endswith('- "What book 1 is about"'), "while it is open"


async def test_a_page_that_answers_with_an_error_says_so_beside_what_it_shows(stage: Stage) -> None:
    stage.tools.answers["navigate"] = lambda _: ToolResult(
        success=True, data={"url": "/x", "page": {"status": 500, "url": "/x"}}, metadata={SEEN: f'{PAGE}/x "Oh no"'}
    )
    await stage.run([call("navigate", url="/x"), DONE])
    (result,) = list(requests(stage))[1].results
    assert json.loads(result["content"][0]["text"]) == {"url": "/x", "status": 500}


async def test_a_large_picture_is_scaled_down(stage: Stage) -> None:
    stage.tools.answers["screenshot"] = lambda _: ToolResult(success=True, images=(picture(3000, 1500),))
    await stage.run([call("screenshot"), DONE])
    (result,) = list(requests(stage))[1].results
    (image,) = result["content"]
    size = Pictures.open(io.BytesIO(base64.b64decode(image["source"]["data"]))).size
    assert size == (1568, 784)


async def test_no_secret_is_sent_wherever_it_stood(stage: Stage) -> None:
    stage.tools.answers["get_page_text"] = lambda _: ToolResult(success=True, data=f"Your password is {SECRET}.")
    stage.tools.answers["read_forms"] = lambda _: ToolResult(success=True, data={"fields": [{"value": SECRET}]})
    stage.tools.answers["click"] = fails("internal", f"it broke over {SECRET}")
    uses = [use("get_page_text"), use("read_forms"), use("click", selector=SECRET)]
    await stage.run([calls(*uses, text=f"Is it {SECRET}?"), DONE], {"do": f"Log in with {SECRET}."})
    assert SECRET.encode() not in stage.api.everything
    assert stage.api.everything.count(b"{{secret.password}}") >= 6


@pytest.mark.parametrize("toolsets", [("browser", "books", "computer", "workspace"), ("elements",), ("quickstarts",)])
async def test_every_tool_of_the_registry_is_offered_with_its_schema(stage: Stage, toolsets: tuple[str, ...]) -> None:
    await stage.run([DONE], toolsets=toolsets)
    (request,) = requests(stage)
    specs = registry_of(toolsets).list_tools()
    assert request.tools == [spec.name for spec in specs]
    for spec, tool in zip(specs, request.body["tools"], strict=True):
        offered, whole = tool["input_schema"], spec.schema
        parameters = {name: one for name, one in whole["properties"].items() if name != TIMEOUT}
        assert offered["properties"].keys() == parameters.keys()
        assert offered.get("required", []) == whole.get("required", [])
        for name, parameter in parameters.items():
            assert offered["properties"][name].get("description") == parameter.get("description")
            kinds = {"type", "enum", "const", "anyOf", "items", "properties"}
            assert not parameter or kinds & offered["properties"][name].keys(), (spec.name, name)
        assert '"$' not in json.dumps(offered), spec.name


async def test_a_schema_says_nothing_twice(stage: Stage) -> None:
    await stage.run([DONE])
    (request,) = requests(stage)
    (click,) = (tool for tool in request.body["tools"] if tool["name"] == "click")
    texts = registry_of(("browser",)).get_tool("click").schema["properties"]
    assert click["input_schema"] == {
        "type": "object",
        "required": ["selector"],
        "properties": {
            "selector": {"type": "string", "description": texts["selector"]["description"]},
            "aim": {
                "type": "object",
                "description": texts["aim"]["description"],
                "required": ["rule"],
                "properties": {
                    "rule": {"type": "string", "minLength": 1},
                    "collection": {"type": "string"},
                    "seed": {"type": "string"},
                },
            },
        },
    }
    assert "Answers" not in click["description"], "its result shows the page"


async def test_a_model_can_end_its_task_whatever_toolset_it_has() -> None:
    async with Claude(KEY) as model:
        for name in toolset_names():
            registry = Performers(model).registry((name,), ())
            assert registry.get_tool("complete").is_terminal
            assert registry.get_tool("fail").is_terminal
    assert Performers().registry(("computer",), ()).find("fail") is None


async def test_half_a_character_that_a_model_says_stops_nothing(stage: Stage) -> None:
    await stage.run([calls(use("click", selector="Save"), text="Great \ud83d"), DONE])
    assert stage.tools.names == ["click", "complete"]
    (said,) = (block for block in list(requests(stage))[1].turns[1][1] if block["type"] == "text")
    assert said["text"] == "Great \ufffd"
