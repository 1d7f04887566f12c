"""The agent ``openai`` through the real SDK against servers that speak its protocol, more or less: answers, errors."""

from __future__ import annotations

import asyncio
import base64
import gc
import io
import json
import re
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from PIL import Image as Pictures

from simulator.agent.autopilot import Autopilot
from simulator.agent.blocks import tool_params
from simulator.agent.contracts import ModelCalled, RunView, TaskEnded
from simulator.agent.interactions import InteractionPlan
from simulator.agent.loop import LoopEnd, run_agent
from simulator.agent.models.asking import BROKEN_STREAMS, MAX_TOKENS, RETRIES
from simulator.agent.models.model import Answer, Model, ToolUse
from simulator.agent.models.openai import DEFAULT_MODEL, ChatModel
from simulator.agent.models.text_only import LEFT_OUT, TextOnlyModel
from simulator.agent.performer import IDLE
from simulator.agent.usage import Usage
from simulator.config import Site
from simulator.errors import KeyMissing, ModelRefused, ModelUnavailable, SimulatorError, UsageError
from simulator.persona import Persona, draw_identity
from simulator.runner.performing.performers import Performers
from simulator.tools.contracts import Image, ToolCall, ToolFailure, ToolResult
from simulator.tools.metadata import CAPABILITIES
from simulator.tools.toolsets import registry_of
from tests.fakes.chat_completions import (
    ERROR,
    KEY,
    MODEL,
    ChatCompletionsApi,
    Cut,
    Dialect,
    Fault,
    Held,
    Raw,
    Reply,
    Request,
    Script,
    call,
    calls,
    chat_completions,
    say,
    use,
)

pytestmark = pytest.mark.promise("an agent of OpenAI", quick=8)

AGENTS = Path(__file__).parents[2] / "docs" / "agents.md"
SECRET = "Tr0ub4dor&3-of-the-tests"
DONE = call("complete", result="It is done.")
QUICK = {"retry-after-ms": "1"}
HELLO: Any = [{"role": "user", "content": "hello"}]


class Tools:
    """A dispatcher that answers as it is told, by tool; what is not told succeeds with a new text each time."""

    def __init__(self) -> None:
        self.called: list[ToolCall] = []
        self.answers: dict[str, ToolResult] = {}

    @property
    def names(self) -> list[str]:
        return [call.name for call in self.called]

    async def dispatch(self, call: ToolCall) -> ToolResult:
        self.called.append(call)
        data = call.input.get("result") or call.input.get("reason") or f"{call.name} number {len(self.called)}"
        return self.answers.get(call.name, ToolResult(success=True, data=data))


class Stage:
    """A run of a persona whose tools are a stub, and whose model is a script."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self.tools = Tools()
        self.events: list[object] = []
        self.api: ChatCompletionsApi

    async def run(
        self,
        script: Script,
        *tasks: Any,
        dialect: Dialect | None = None,
        key: str = KEY,
        sees: bool = True,
        toolsets: tuple[str, ...] = ("browser",),
        limits: Mapping[str, float] | None = None,
    ) -> LoopEnd:
        """Let a persona with these tasks act; by default a single one in free words."""
        self.api = self._stack.enter_context(chat_completions(script, dialect))
        async with ChatModel(key, base_url=f"{self.api.url}/v1", name=MODEL) as model:
            return await self.act(
                model if sees else TextOnlyModel(model), *tasks, sees=sees, toolsets=toolsets, limits=limits
            )

    async def act(
        self,
        model: Model,
        *tasks: Any,
        sees: bool = True,
        toolsets: tuple[str, ...] = ("browser",),
        limits: Mapping[str, float] | None = None,
    ) -> LoopEnd:
        """Let the persona act by any model."""
        given: dict[str, Any] = {"persona": "guest", "about": "A guest of the tests.", "locale": "en_GB"}
        given |= {"tasks": tasks or [{"do": "Say hello."}], "limits": limits or {}}
        persona = Persona.model_validate(given)
        view = RunView(
            persona,
            draw_identity(persona, seed=7, number=1),
            Site(base_url="http://127.0.0.1:1", routes={"browse": "/books"}),
            peers=None,  # type: ignore[arg-type]
            tell=self.events.append,
            shown=str,
        )
        able = frozenset(CAPABILITIES) - (set() if sees else {"vision"})
        performer = Performers(model, agent="openai", able=able).of(
            persona,
            registry_of(toolsets).list_tools,
            lambda text: text.replace(SECRET, "{{secret.password}}"),
        )
        return await run_agent(Autopilot(InteractionPlan(1), performer), self.tools, view, ends_by_tool=False)

    @property
    def tasks(self) -> list[tuple[str, str, str]]:
        return [(event.task, event.status, event.reason) for event in self.events if isinstance(event, TaskEnded)]

    @property
    def called(self) -> list[ModelCalled]:
        return [event for event in self.events if isinstance(event, ModelCalled)]


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    with ExitStack() as stack:
        yield Stage(stack)


def requests(stage: Stage) -> list[Request]:
    assert stage.api.refused == []
    return stage.api.requests


def messages(request: Request) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = request.body["messages"]
    return told


def fails(type: Any, message: str) -> ToolResult:
    return ToolResult(success=False, error=ToolFailure(type=type, message=message))


def picture() -> Image:
    file = io.BytesIO()
    Pictures.new("RGB", (20, 10), (1, 2, 3)).save(file, "PNG")
    return Image(media_type="image/png", data=file.getvalue())


# -- answers


async def test_a_task_in_free_words_is_done_by_the_models_calls(stage: Stage) -> None:
    end = await stage.run([calls(use("navigate", url="/books"), text="I look around."), DONE])
    assert (end.end, end.status, end.steps) == ("finished", "passed", 2)
    assert stage.tools.names == ["navigate", "complete"]
    assert stage.tasks == [("do", "done", "It is done.")]
    first, second = map(messages, requests(stage))
    assert [message["role"] for message in first] == ["system", "user"]
    assert "A guest of the tests." in first[0]["content"]
    assert "Your task now: Say hello." in first[1]["content"]
    assert second[:2] == first
    asked, answered = second[2:]
    assert asked["content"] == "I look around."
    (called,) = asked["tool_calls"]
    assert called["function"] == {"name": "navigate", "arguments": '{"url": "/books"}'}
    assert answered == {"role": "tool", "tool_call_id": called["id"], "content": "navigate number 1"}
    assert stage.tools.called[0].id == called["id"]


async def test_each_call_of_an_answer_is_answered_by_one_message_in_its_place(stage: Stage) -> None:
    stage.tools.answers["fill"] = fails("not_found", "nothing is called 'Prize'; there is 'Price'")
    uses = [use("read_links"), use("fill", selector="Prize", value="4"), use("click", selector="Save")]
    await stage.run([calls(*uses), DONE])
    assert stage.tools.names == ["read_links", "fill", "complete"]
    told = messages(requests(stage)[1])[3:]
    assert [(message["role"], message["tool_call_id"]) for message in told] == [("tool", one["id"]) for one in uses]
    read, filled, clicked = (message["content"] for message in told)
    assert read == "read_links number 1"
    assert filled == f"{ERROR}not_found: nothing is called 'Prize'; there is 'Price'"
    assert clicked.startswith(f"{ERROR}Not carried out: an earlier call")


@pytest.mark.parametrize(
    "arguments", ['{"selector": "Sa', '["Save"]', '{"selector": NaN}', "Save", '{"selector": "\\ud800"}']
)
async def test_arguments_that_are_no_object_can_be_corrected(stage: Stage, arguments: str) -> None:
    broken = use("click") | {"input": arguments}
    await stage.run([calls(broken), call("click", selector="Save"), DONE])
    (result,) = requests(stage)[1].results
    assert result["is_error"]
    assert "JSON object" in requests(stage)[1].said
    assert [(one.name, one.input) for one in stage.tools.called[:1]] == [("click", {"selector": "Save"})]


async def test_no_arguments_are_an_empty_object(stage: Stage) -> None:
    await stage.run([calls(use("read_links") | {"input": ""}), DONE])
    assert stage.tools.called[0].input == {}


async def test_text_alone_is_answered_with_a_reminder_and_then_ends_the_task(stage: Stage) -> None:
    end = await stage.run([say("I would click Save.")] * IDLE)
    assert end.end == "gave_up"
    assert "no tool in 3 answers in a row (end_turn); it last said: I would click Save." in end.reason
    assert "call complete" in requests(stage)[1].said


async def test_an_empty_answer_leaves_no_empty_message(stage: Stage) -> None:
    assert (await stage.run([Reply(()), say(" "), DONE])).status == "passed"
    assert [[message["role"] for message in messages(one)] for one in requests(stage)] == [["system", "user"]] * 3
    assert "was empty" in requests(stage)[2].said


async def test_an_answer_that_was_cut_off_is_asked_for_again_shorter(stage: Stage) -> None:
    uses = [use("click", selector="New"), use("fill") | {"input": '{"selector": "Text", "value": "Dear'}]
    await stage.run([say("Once upon a", "max_tokens"), calls(*uses, stop_reason="max_tokens"), DONE])
    assert stage.tools.names == ["click", "complete"]
    assert "too long" in requests(stage)[1].said
    whole, cut = requests(stage)[2].results
    assert not whole["is_error"]
    assert "cut off" in cut["content"][0]["text"]


async def test_a_refusal_ends_the_task_and_the_run_goes_on(stage: Stage) -> None:
    refused = Reply((), "refusal", details={"explanation": "I will not."})
    end = await stage.run([refused, DONE], {"do": "Break in."}, {"do": "Say hello."})
    assert end.status == "failed"
    assert stage.tasks == [("do", "failed", "the model refused: I will not."), ("do", "done", "It is done.")]


async def test_what_the_filter_withholds_ends_the_task_and_nothing_of_it_is_done(stage: Stage) -> None:
    end = await stage.run([calls(use("click", selector="Buy"), stop_reason="content_filter")])
    assert "content filter" in end.reason
    assert stage.tools.names == []


@pytest.mark.parametrize(
    "said",
    [
        {"more": {"code": "context_length_exceeded"}},
        {"more": {"type": "exceed_context_size_error"}},
        {"message": "'max_tokens' is too large: 4096. This model's maximum context length is 8192 tokens"},
    ],
    ids=["code", "type", "words"],
)
async def test_a_full_window_ends_the_task_and_not_the_batch(stage: Stage, said: Any) -> None:
    await stage.run([Fault(400, **said), DONE], {"do": "Read all."}, {"do": "Say hello."})
    assert [status for _, status, _ in stage.tasks] == ["failed", "done"]
    assert "no longer fits the model" in stage.tasks[0][2]


async def test_a_name_that_nobody_offered_does_no_harm(stage: Stage) -> None:
    stage.tools.answers["functions.click me"] = fails("unknown_tool", "there is no tool 'functions.click me'")
    assert (await stage.run([call("functions.click me"), DONE])).status == "passed"
    assert messages(requests(stage)[1])[2]["tool_calls"][0]["function"]["name"] == "functions_click_me"


async def test_halves_of_characters_make_no_text_that_nobody_can_write(stage: Stage) -> None:
    split = [{"content": "\ud83d"}, {"content": "\ude00 and "}, {"content": "\ud83d."}]
    stream = [chunk(delta=delta) for delta in split] + [chunk(finish_reason="stop")]
    await stage.run([Raw(events(*stream)), DONE])
    assert messages(requests(stage)[1])[2] == {"role": "assistant", "content": "\U0001f600 and \ufffd."}


async def test_thoughts_are_not_taken_for_what_is_said(stage: Stage) -> None:
    thought = {"content": [{"type": "thinking", "thinking": "hm"}], "reasoning_content": "hm"}
    stream = [chunk(delta=thought), chunk(delta={"content": "I look."}), chunk(finish_reason="stop")]
    await stage.run([Raw(events(*stream)), DONE])
    assert messages(requests(stage)[1])[2] == {"role": "assistant", "content": "I look."}


# -- servers that differ


def chunk(**choice: Any) -> dict[str, Any]:
    head = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    return head | {"choices": [{"index": 0, "delta": {}, **choice}]}


def events(*chunks: dict[str, Any]) -> bytes:
    return "".join(f"data: {json.dumps(one)}\n\n" for one in chunks).encode() + b"data: [DONE]\n\n"


TWO = calls(use("click", selector="Save"), use("read_links"))
ORDERS = {
    "as the API": Dialect(),
    "one index for all": Dialect(one_index=True),
    "stop, though there are calls": Dialect(finished="stop"),
    "arguments as an object": Dialect(objects=True),
    "no ids, one index": Dialect(ids=("", ""), one_index=True, objects=True),
    "no ids": Dialect(ids=("", "")),
    "one id for all": Dialect(ids=("same", "same")),
    "no usage": Dialect(usage=False),
    "no stream_options": Dialect(refuses=("stream_options",)),
    "no max_tokens": Dialect(refuses=("max_tokens",)),
    "no bound": Dialect(refuses=("max_completion_tokens", "max_tokens")),
}


@pytest.mark.parametrize("dialect", ORDERS.values(), ids=ORDERS)
async def test_a_server_may_differ_from_the_api(stage: Stage, dialect: Dialect) -> None:
    end = await stage.run(lambda request: (TWO, TWO, DONE)[request.turn], dialect=dialect)
    assert end.status == "passed"
    if dialect.ids is not None:  # complete has one call
        return
    assert [(one.name, one.input) for one in stage.tools.called] == [
        *[("click", {"selector": "Save"}), ("read_links", {})] * 2,
        ("complete", {"result": "It is done."}),
    ]
    ids = [one.id for one in stage.tools.called]
    assert len(set(ids)) == len(ids), "a step is known by the id of its call"
    *_, last = stage.api.requests
    assert [one.usage.input > 0 for one in stage.called] == [True] * 3, "bounds hold, whether or not it counts"
    assert not {*dialect.refuses} & last.body.keys()


async def test_what_a_server_refused_is_not_sent_again(stage: Stage) -> None:
    await stage.run(
        lambda request: (TWO, DONE)[request.turn], dialect=Dialect(refuses=("max_tokens", "stream_options"))
    )
    assert [request.status for request in stage.api.requests] == [400, 400, 200, 200]
    assert "max_completion_tokens" in stage.api.requests[-1].body


async def test_the_bound_has_the_name_that_the_server_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    with chat_completions(lambda _: say("hello")) as api:
        async with ChatModel(KEY, base_url=f"{api.url}/v1", name=MODEL) as other:
            await other.ask([], [], HELLO)
        monkeypatch.setattr("simulator.agent.models.openai.DEFAULT_URL", f"{api.url}/v1")
        async with ChatModel(KEY, base_url=f"{api.url}/v1", name=MODEL) as own:
            await own.ask([], [], HELLO)
        assert api.requests[0].body["max_tokens"] == MAX_TOKENS
        assert api.requests[1].body["max_completion_tokens"] > MAX_TOKENS, "thoughts count, too"


async def test_calls_without_ids_and_places_are_told_apart(stage: Stage) -> None:
    def delta(name: str, arguments: str) -> dict[str, Any]:
        return {"tool_calls": [{"type": "function", "function": {"name": name, "arguments": arguments}}]}

    parts = [delta("click", '{"selector":'), delta("", ' "Save"}'), delta("click", '{"selector": "Next"}')]
    stream = [chunk(delta=part) for part in parts] + [chunk(finish_reason="tool_calls")]
    await stage.run([Raw(events(*stream)), DONE])
    assert [one.input for one in stage.tools.called[:2]] == [{"selector": "Save"}, {"selector": "Next"}]


async def test_a_server_without_a_key_is_sent_none(stage: Stage) -> None:
    assert (await stage.run([DONE], key="", dialect=Dialect(key=None))).status == "passed"
    assert "authorization" not in stage.api.requests[0].headers


async def test_a_server_that_wants_a_key_says_so(stage: Stage) -> None:
    with pytest.raises(ModelRefused, match=r"http://127\.0\.0\.1:\d+/v1/? wants a key .*set OPENAI_API_KEY"):
        await stage.run([DONE], key="")


async def test_tokens_are_estimated_where_a_server_does_not_count(stage: Stage) -> None:
    stage.tools.answers["screenshot"] = ToolResult(success=True, images=(picture(),))
    await stage.run([call("screenshot"), DONE], dialect=Dialect(usage=False))
    first, second = (one.usage for one in stage.called)
    characters = sum(len(message["content"]) for message in messages(stage.api.requests[0]))
    assert characters / 4 < first.input < len(json.dumps(stage.api.requests[0].body)) / 4
    assert first.input + 1_000 < second.input < first.input + 1_100, "a picture counts, and not by its bytes"
    assert first.output > 0


async def test_usage_is_told_call_by_call_without_what_the_cache_gave(stage: Stage) -> None:
    counted = {"input_tokens": 10, "output_tokens": 4, "cache_read_input_tokens": 6, "cache_creation_input_tokens": 3}
    await stage.run([calls(use("get_page_text"), **counted), DONE])
    (first, _) = stage.called
    usage = first.usage
    assert (first.model, usage.input, usage.output, usage.cache_read, usage.cache_write) == (MODEL, 10, 4, 6, 3)


# -- errors of the API


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_what_may_pass_is_tried_again(stage: Stage, status: int) -> None:
    end = await stage.run([Fault(status, headers=QUICK)] * 2 + [DONE])
    assert end.status == "passed"
    assert [request.status for request in stage.api.requests] == [status, status, 200]


async def test_retry_after_is_waited_for(stage: Stage) -> None:
    began = asyncio.get_running_loop().time()
    await stage.run([Fault(429, headers={"retry-after": "0.4"}), DONE])
    assert asyncio.get_running_loop().time() - began >= 0.4


async def test_what_does_not_pass_ends_the_run_with_what_the_api_said(stage: Stage) -> None:
    with pytest.raises(ModelUnavailable, match="answers 503 however often it is asked: too busy"):
        await stage.run([Fault(503, "too busy", QUICK)] * (RETRIES + 1))
    assert len(stage.api.requests) == RETRIES + 1


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (Fault(401), "refuses the key.*OPENAI_API_KEY"),
        (Fault(403), "refuses the key.*OPENAI_API_KEY"),
        (Fault(404), "does not know 'gpt-of-the-tests'.*--model.*OPENAI_BASE_URL"),
        (Fault(400), r"refuses the request \(400: an error of the tests\)"),
        (Fault(422), r"refuses the request \(422"),
        (Fault(429, headers={"x-should-retry": "false"}, more={"code": "insufficient_quota"}), "nothing left to pay"),
    ],
    ids=["401", "403", "404", "400", "422", "quota"],
)
async def test_what_no_retry_mends_is_said_at_once(stage: Stage, fault: Fault, said: str) -> None:
    with pytest.raises(ModelRefused, match=said):
        await stage.run([fault])
    assert len(stage.api.requests) == 1


@pytest.mark.parametrize("status", [400, 401, 404, 429])
async def test_the_key_is_in_no_message(stage: Stage, status: int) -> None:
    with pytest.raises(SimulatorError, match=r"\$OPENAI_API_KEY") as caught:
        await stage.run([Fault(status, f"the key {KEY} is not liked", {"x-should-retry": "false"})])
    assert KEY not in str(caught.value)


async def test_an_address_is_told_without_its_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simulator.agent.models.openai.RETRIES", 0)
    async with ChatModel(KEY, base_url="http://me:sesame@127.0.0.1:1/v1", name=MODEL) as model:
        with pytest.raises(ModelUnavailable, match=r"nothing answers at http://127\.0\.0\.1:1/v1") as caught:
            await model.ask([], [], HELLO)
    assert "sesame" not in str(caught.value)


async def test_a_page_instead_of_an_answer_is_told_in_a_line(stage: Stage) -> None:
    page = "<html>\n" + "<p>Not here.</p>\n" * 99
    with pytest.raises(ModelRefused) as caught:
        await stage.run([Fault(404, page)])
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 600


BROKEN = {
    "cut": Cut(call("click", selector="x"), 4),
    "cut before the end": Cut(call("click", selector="x"), 5),
    "server_error": Cut(say("x"), 2, error="server_error"),
    "ended early": Raw(events(chunk(delta={"content": "x"}))),
    "an error at the end": Raw(events(chunk(delta={}, finish_reason="error"))),
    "no JSON": Raw(b"data: {\n\n"),
    "no chunk": Raw(b'data: {"choices": [{}]}\n\ndata: [DONE]\n\n'),
    "a list": Raw(b"data: []\n\ndata: [DONE]\n\n"),
    "a number": Raw(b"data: 7\n\ndata: [DONE]\n\n"),
    "other choices": Raw(b'data: {"choices": {"a": 1}}\n\n'),
    "no event stream": Raw(b'{"object": "chat.completion"}', "application/json"),
}


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
async def test_a_broken_stream_is_asked_for_again_and_nothing_of_it_is_taken(stage: Stage, broken: Any) -> None:
    assert (await stage.run([broken, DONE])).status == "passed"
    assert stage.tools.names == ["complete"]
    first, second = requests(stage)
    assert first.body == second.body


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
async def test_a_broken_stream_is_read_to_its_end_and_left_to_nobody(broken: Any) -> None:
    left: list[str] = []
    first, close = sys.get_asyncgen_hooks()
    assert close is not None

    def told(generator: Any) -> None:
        left.append(generator.__qualname__)
        close(generator)

    with chat_completions([broken, say("hello")]) as api:
        async with ChatModel(KEY, base_url=f"{api.url}/v1", name=MODEL) as model:
            sys.set_asyncgen_hooks(first, told)
            try:
                await model.ask([], [], HELLO)
                gc.collect()
            finally:
                sys.set_asyncgen_hooks(first, close)
    assert [name for name in left if name.startswith("AsyncStream.__")] == []


async def test_streams_that_always_break_end_the_run(stage: Stage) -> None:
    with pytest.raises(ModelUnavailable, match="3 answers of the model in a row broke off"):
        await stage.run([BROKEN["cut"]] * BROKEN_STREAMS)


async def test_a_server_that_never_answers_is_given_up(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simulator.agent.models.openai.RETRIES", 0)
    monkeypatch.setattr("simulator.agent.models.openai.PATIENT_S", 0.05)
    release = threading.Event()
    with pytest.raises(ModelUnavailable, match=r"nothing answers at .*timed out"):
        await stage.run([Held(DONE, release)])
    release.set()


async def test_a_model_that_never_answers_meets_the_limit_of_minutes(stage: Stage) -> None:
    release = threading.Event()
    end = await stage.run([Held(DONE, release)], limits={"minutes": 0.005})
    release.set()
    assert end.end == "time_limit"


@pytest.mark.parametrize(
    ("environ", "name", "error", "said"),
    [
        ({}, "", KeyMissing, "OPENAI_API_KEY.*OPENAI_BASE_URL.*--agent autopilot"),
        ({"OPENAI_BASE_URL": "http://127.0.0.1:1/v1"}, "", UsageError, "--model"),
        ({"OPENAI_BASE_URL": "localhost:1/v1"}, "llama", UsageError, "OPENAI_BASE_URL is no address"),
    ],
    ids=["nothing", "no model", "no address"],
)
def test_what_is_missing_is_said(environ: dict[str, str], name: str, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        ChatModel.from_environment(environ, name=name)


async def test_a_key_alone_is_enough() -> None:
    async with ChatModel.from_environment({"OPENAI_API_KEY": KEY}) as model:
        assert model.name == DEFAULT_MODEL


async def test_no_more_requests_at_once_than_allowed() -> None:
    release, lock, under_way = threading.Event(), threading.Lock(), 0

    def hold(request: Request) -> Held:
        nonlocal under_way
        with lock:
            under_way += 1
        return Held(say("hello"), release)

    with chat_completions(hold) as api:
        async with ChatModel(KEY, base_url=f"{api.url}/v1", name=MODEL, at_once=1) as model:
            one, other = (asyncio.create_task(model.ask([], [], HELLO)) for _ in range(2))
            while under_way < 1:
                await asyncio.wait((one, other), timeout=0.01)
            await asyncio.wait((one, other), timeout=0.05)
            assert under_way == 1, "the second one has not been sent"
            release.set()
            await asyncio.gather(one, other)
            assert under_way == 2


# -- what is sent


async def test_pictures_follow_the_results_in_a_message_of_the_user(stage: Stage) -> None:
    shown = picture()
    stage.tools.answers["screenshot"] = ToolResult(success=True, images=(shown,))
    await stage.run([calls(use("screenshot"), use("read_links")), DONE])
    first, second, third = messages(requests(stage)[1])[3:]
    assert (first["role"], first["content"]) == ("tool", "The picture follows.")
    assert second["role"] == "tool"
    (part,) = third["content"]
    assert base64.b64decode(part["image_url"]["url"].removeprefix("data:image/png;base64,")) == shown.data


async def test_a_model_of_text_alone_is_offered_no_picture_and_shown_none(stage: Stage) -> None:
    stage.tools.answers["navigate"] = ToolResult(success=True, data="there", images=(picture(),))
    script = [call("navigate", url="/"), call("screenshot"), DONE]
    end = await stage.run(script, sees=False, dialect=Dialect(vision=False), toolsets=("browser", "computer"))
    assert end.status == "passed"
    offered = {*requests(stage)[0].tools}
    assert "navigate" in offered
    assert not offered & {"screenshot", "computer"}
    assert requests(stage)[1].said == f"there\n{LEFT_OUT}"


async def test_a_model_that_sees_is_offered_what_takes_pictures(stage: Stage) -> None:
    await stage.run([DONE], toolsets=("browser", "computer"))
    assert {"screenshot", "computer"} <= {*requests(stage)[0].tools}


async def test_no_secret_is_sent_wherever_it_stood(stage: Stage) -> None:
    stage.tools.answers["get_page_text"] = ToolResult(success=True, data=f"Your password is {SECRET}.")
    stage.tools.answers["click"] = fails("internal", f"it broke over {SECRET}")
    uses = [use("get_page_text"), use("click", selector=SECRET)]
    await stage.run([calls(*uses, text=f"Is it {SECRET}?"), DONE], {"do": f"Log in with {SECRET}."})
    assert SECRET.encode() not in stage.api.everything
    assert stage.api.everything.count(b"{{secret.password}}") >= 5


@pytest.mark.parametrize("toolsets", [("browser", "books", "computer", "workspace"), ("elements",), ("quickstarts",)])
async def test_a_tool_is_offered_as_to_any_other_model(stage: Stage, toolsets: tuple[str, ...]) -> None:
    await stage.run([DONE], toolsets=toolsets)
    functions = [tool["function"] for tool in requests(stage)[0].body["tools"]]
    params = {one["name"]: one for one in tool_params(registry_of(toolsets).list_tools())}
    assert functions
    for function in functions:
        own = json.loads(json.dumps(params[function["name"]]))
        assert (function["description"], function["parameters"]) == (own["description"], own["input_schema"])


@pytest.mark.parametrize(
    ("modules", "absent"),
    [
        ("simulator.cli.main, simulator.runner.batch, simulator.runner.replays.replaying", ["openai", "httpx2"]),
        ("simulator.agent.models.openai, simulator.agent.performer", ["anthropic"]),
    ],
    ids=["nothing", "openai"],
)
def test_a_client_is_imported_by_its_own_agent_alone(modules: str, absent: list[str]) -> None:
    code = f"import sys, {modules}\nprint([name for name in {absent} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


async def test_a_third_provider_is_as_short_as_the_documents_say(stage: Stage) -> None:
    (code,) = re.findall(r"```python\n(class Parrot:.*?)```", AGENTS.read_text("utf-8"), re.DOTALL)
    scope: dict[str, Any] = {"Answer": Answer, "ToolUse": ToolUse, "Usage": Usage}
    exec("from __future__ import annotations\n" + code, scope)
    parrot: Model = scope["Parrot"]()
    end = await stage.act(parrot)
    assert (end.end, end.reason) == ("gave_up", "do: I only repeat.")
    assert [(one.model, one.usage) for one in stage.called] == [("parrot-1", Usage(input=10, output=5))]
