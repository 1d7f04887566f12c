"""Rows ``frugality …``: how many characters a model is sent for tasks on the bookshop.

Scripted models do the same tasks, call by call, through the real client against a server that speaks its protocol. The
alternative is the same in everything, but that each action is answered with the whole page, and nothing that was said
is left out later.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from benchmarks.measure import Budget, Rounds, Row
from benchmarks.stage import SEED, Stage, ignore, stage
from simulator.agent.interactions import plan_batch
from simulator.agent.models.claude import Claude
from simulator.agent.models.model import Answer, Model
from simulator.canonical import canonical_json
from simulator.persona import Persona, draw_population
from simulator.recording.recorder import Recorder
from simulator.runner.batch_session import BatchSession
from simulator.runner.peers import Board
from simulator.runner.performing.performers import Performers
from simulator.runner.performing.run import Member, RecordedRun, RunMaker
from simulator.runner.stop import Stop
from simulator.tools.observing import LIMIT, ObservingDispatcher
from tests.fakes.messages_api import KEY, Reply, Request, call, messages_api, use

if TYPE_CHECKING:
    from anthropic.types import MessageParam, TextBlockParam, ToolUnionParam

    from simulator.agent.browser_members import BrowserMembers
    from simulator.tools.context import RunContext
    from simulator.tools.contracts import Dispatcher

Call = tuple[str, dict[str, Any]]
_SHARE = 0.33
"""What may be sent of what the alternative sends."""
_FEW = 2
"""Flows of a quick round."""


def _visit(path: str) -> Call:
    return "navigate", {"url": path}


def _click(selector: str) -> Call:
    return "click", {"selector": selector}


def _fill(selector: str, value: str) -> Call:
    return "fill", {"selector": selector, "value": value}


def _link(name: str) -> Call:
    return _click(f'role=link[name="{name}"]')


def _choose(selector: str, label: str) -> Call:
    return "select", {"selector": selector, "label": label}


def _offer(title: str, author: str, price: str, cover: int) -> tuple[Call, ...]:
    return (
        ("fetch_book_covers", {"query": title, "count": 1}),
        _visit("/books/new"),
        _fill("Title", title),
        _fill("Author", author),
        _choose("Genre", "Classics"),
        ("check", {"selector": "Good"}),
        _fill("Price in pounds", price),
        _fill("Description", f"A reading copy of {title}, with a name on the first leaf."),
        ("upload_cover_image", {"cover_url": f"{{{{file.cover_{cover}}}}}"}),
        _click("Put it up for sale"),
    )


_WRITE: tuple[Call, ...] = (
    _visit("/books"),
    _link("Dracula"),
    _fill("Message to The house shelf", "Hello! Is your Dracula still to be had? I would come for it on Saturday."),
    _click("Send message"),
)
_SAVE: tuple[Call, ...] = (
    _visit("/books"),
    _choose("Genre", "Gothic and horror"),
    _choose("Sort by", "Price, low to high"),
    _click("Show books"),
    _link("Frankenstein"),
    _click('role=button[name="Save"]'),
)
_SELL = _offer("Silas Marner", "George Eliot", "4.50", 1)
_CORRECT: tuple[Call, ...] = (
    _visit("/my/books"),
    _link("Edit"),
    _fill("Price in pounds", "-5"),
    _click("Save changes"),
    _fill("Price in pounds", "5.00"),
    _click("Save changes"),
)
_BROWSE = tuple(
    step
    for title in ("Walden", "Treasure Island", "The Time Machine", "Middlemarch", "Moby-Dick", "Leaves of Grass")
    for step in (_visit("/books"), _link(title), _click('role=button[name="Save"]'))
)


@dataclass(frozen=True, slots=True)
class Flow:
    """A task, as it is done call by call."""

    name: str
    calls: tuple[Call, ...]
    made: Mapping[str, int]
    """How much of what the site holds of the user afterwards."""


FLOWS = (
    Flow("write to a seller", _WRITE, {"message": 1}),
    Flow("save the cheapest", _SAVE, {"save": 1}),
    Flow("offer a book", _SELL, {"listing": 1}),
    Flow(
        "an afternoon",
        (
            *_SELL, *_CORRECT, *_BROWSE, *_SAVE, *_WRITE,
            *_offer("Adam Bede", "George Eliot", "6.20", 2), *_offer("Romola", "George Eliot", "3.80", 3),
        ),
        {"listing": 3, "save": 7, "message": 1},
    ),
)  # fmt: skip


class _Script:
    """A model that makes the calls of a flow, one an answer, and then completes its task."""

    def __init__(self, flow: Sequence[Call]) -> None:
        self._flow = flow
        self.failed: list[str] = []

    def __call__(self, request: Request) -> Reply:
        self.failed += [request.said for result in request.results if result.get("is_error")]
        if request.turn == len(self._flow):
            return call("complete", result="It is done.")
        name, input = self._flow[request.turn]
        return Reply((use(name, **input),), "tool_use")


class _Whole(ObservingDispatcher):
    """Answers every action with the whole page."""

    async def news(self) -> str:
        read = await self._ctx.actor.reader.tree(depth=15, limit=LIMIT)
        return f"{self._ctx.actor.here.url}\n{read.tree}"


@dataclass(frozen=True, slots=True)
class _WholePerformers(Performers):
    def observer(
        self, inner: Dispatcher, ctx: RunContext, members: BrowserMembers | None
    ) -> ObservingDispatcher | None:
        return _Whole(inner, ctx)


class _Unpruned:
    """A model that is sent everything as it was first said."""

    def __init__(self, inner: Model) -> None:
        self.name = inner.name
        self._inner = inner
        self._first: dict[str, Any] = {}

    async def ask(
        self, system: list[TextBlockParam], tools: Sequence[ToolUnionParam], messages: list[MessageParam]
    ) -> Answer:
        """Put back what was left out, and pass it on."""
        return await self._inner.ask(system, tools, [self._whole(message) for message in messages])

    def _whole(self, message: Any) -> Any:
        return {**message, "content": [self._said(block) for block in message["content"]]}

    def _said(self, block: Any) -> Any:
        if block["type"] != "tool_result":
            return block
        return {**block, "content": self._first.setdefault(block["tool_use_id"], block["content"])}


@dataclass(frozen=True, slots=True)
class _Sent:
    """What a flow took."""

    steps: int
    whole: int
    """Characters of all requests."""
    said: int
    """Those of them that are the conversation: without the system prompt and the tools, the same in each request."""


async def measure(rounds: Rounds) -> list[Row]:
    """Measure the rows: one sample of each flow, as a text is as long every time."""
    async with stage() as on:
        flows = FLOWS[:_FEW] if rounds.quick else FLOWS
        ours = [await _sent(on, flow, frugal=True) for flow in flows]
        theirs = [await _sent(on, flow, frugal=False) for flow in flows]
    return [*_rows(flows, ours, theirs)]


def _rows(flows: Sequence[Flow], ours: Sequence[_Sent], theirs: Sequence[_Sent]) -> Iterator[Row]:
    alternative = "the whole page after each action, and nothing left out"
    names = ", ".join(f"{flow.name} ({sent.steps} steps)" for flow, sent in zip(flows, ours, strict=True))
    kinds: tuple[tuple[str, Callable[[_Sent], float], str], ...] = (
        ("requests", lambda sent: sent.whole, "whole requests, with system prompt and tools"),
        ("said", lambda sent: sent.said, "what is said in them"),
    )
    for kind, size, what in kinds:
        for flow, mine, other in zip(flows, ours, theirs, strict=True):
            row = f"frugality {kind}: {flow.name}"
            yield Row(row, what, alternative, "characters", [size(mine)], [size(other)])
        steps = sum(sent.steps for sent in ours)
        sums = sum(map(size, ours)), sum(map(size, theirs))
        for unit, number, told in (("step", steps, what), ("task", len(flows), names)):
            ours_each, theirs_each = ([one / number] for one in sums)
            yield Row(
                f"frugality {kind} a {unit}", told, alternative, "characters", ours_each, theirs_each, Budget(_SHARE)
            )


async def _sent(on: Stage, flow: Flow, *, frugal: bool) -> _Sent:
    """Let a new user do a task, and count what its model is sent.

    Raises:
        RuntimeError: a call failed, or the task was not done.
    """
    await on.resources.control.reset()
    script = _Script(flow.calls)
    with messages_api(script) as api:
        async with _performers(api.url, frugal=frugal) as performers:
            run = await _act(on, performers)
        part = (await on.resources.control.state())[run.username]
        made = {kind: len(part.get(kind, ())) for kind in flow.made}
        if script.failed or api.refused or run.outcome.status != "passed" or made != flow.made:
            raise RuntimeError(f"{flow.name}: {run.outcome}, {made}, {script.failed}, {api.refused}")
        bodies = [request.body for request in api.requests]
    return _Sent(
        steps=len(bodies),
        whole=sum(len(canonical_json([body["system"], body["tools"], body["messages"]])) for body in bodies),
        said=sum(len(canonical_json(body["messages"])) for body in bodies),
    )


@asynccontextmanager
async def _performers(url: str, *, frugal: bool) -> AsyncIterator[Performers]:
    async with Claude(KEY, base_url=url) as model:
        yield Performers(model, agent="claude") if frugal else _WholePerformers(_Unpruned(model), agent="claude")


async def _act(on: Stage, performers: Performers) -> RecordedRun:
    persona = Persona.model_validate(
        {
            "persona": "errand",
            "about": "Gets things done.",
            "locale": "en_GB",
            "traits": {"patience": "high"},
            "limits": {"tokens": 100_000_000},
            "tasks": ["register", {"do": "Do what you came for."}],
        }
    )
    (identity,) = draw_population([persona], 1, SEED)
    interactions = plan_batch([(persona, identity)], SEED)[1]
    path = on.folder / "frugality.db"
    with Recorder.open(path, mask=on.resources.vaults.mask_all) as recorder:
        batch = BatchSession(recorder=recorder, listener=ignore, stop=Stop(), sites=[on.resources])
        with batch.running(1, 1, seed=SEED, settings={"site": on.site.name}):
            maker = RunMaker(batch, Board(), "none", performers=performers)
            run = await maker.record(Member(1, persona, identity, interactions))
            batch.status = run.outcome.status
    return run
