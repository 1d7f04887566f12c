"""Plays rows of the conformance table through whole runs: a scripted Messages API calls the tools for ``claude``.

The runner, the model's loop, the observer and the recorder are the program's own; so is the replay, which is strict. A
row is one user of a batch. Not responsible for: what rows show.
"""

from __future__ import annotations

import asyncio
import queue
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from simulator.canonical import canonical_json
from simulator.config import Settings, Site, load_settings
from simulator.persona import Persona
from simulator.recording.reader import Recording
from simulator.runner import events
from simulator.runner.batch import RunOptions, run_batch
from simulator.runner.replays.options import ReplayOptions
from simulator.runner.replays.replaying import replay
from simulator.runner.stop import Stop
from simulator.tools.context import RunContext
from simulator.tools.contracts import Image, ToolCall, ToolFailure, ToolResult
from simulator.tools.mail.mailbox import Inbox
from simulator.tools.mail.maildir import Maildir
from simulator.tools.observing import SEEN
from simulator.tools.spec import ToolSpec, tool
from simulator.tools.toolsets import MAIL
from simulator.tools.validation import is_text
from tests.conformance.table import Row, Stage
from tests.fakes.messages_api import Answer, Request, calls, use
from tests.small_run import VALUES, SmallSite

ENTER, SHOW = "enter_stage", "show_page"
OWN = frozenset({ENTER, SHOW})
_OPEN, LEFT, END = "/-open/", "/-left", "/-end"
_PATIENCE = 5
"""Calls in a row that fail, after which one that does not is made: a model's run gives up after some more."""
_PAUSE_S = 300
"""How long a row may take between two calls: some run programs of their own."""
_SEEN = """() => ({
  url: location.pathname + location.search,
  text: document.body.innerText,
  fields: [...document.querySelectorAll("input, select, textarea")].map(field =>
    field.type === "file" ? [...field.files].map(file => [file.name, file.size]).join()
      : ["checkbox", "radio"].includes(field.type) ? String(field.checked) : field.value),
  scroll: [Math.round(scrollX), Math.round(scrollY)],
})"""
HEAD = f"<script>addEventListener('pagehide', () => sessionStorage.left = JSON.stringify(({_SEEN})()))</script>"
"""Keeps what a page was when it was left, for the page on which a row ends."""
LAST = f"""<h1>End</h1><script>
fetch("{LEFT}", {{method: "POST", body: new URLSearchParams({{left: sessionStorage.left ?? ""}})}});
</script>"""


@dataclass(frozen=True, slots=True)
class Left:
    """What a row left behind, as the site knows it."""

    posts: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    page: str
    """The page that was looked at last: its address, text, fields and scroll position."""

    @classmethod
    def of(cls, site: SmallSite) -> Left:
        """Read it from the site."""
        posts = tuple((path, tuple(sorted(fields.items()))) for path, fields in site.posts if path != LEFT)
        pages = [fields["left"] for path, fields in site.posts if path == LEFT]
        return cls(posts, pages[-1] if pages else "")


class Ended(Protocol):
    """How a run ended."""

    @property
    def status(self) -> str | None: ...
    @property
    def reason(self) -> str | None: ...


@dataclass
class Scene:
    """What a row has put up on the site."""

    row: Row
    pages: dict[str, str] = field(default_factory=dict)
    answers: dict[str, Callable[..., Any]] = field(default_factory=dict)
    opens: dict[str, tuple[str, str]] = field(default_factory=dict)
    left: Left | None = None
    again: Left | None = None
    verdict: str = ""
    gave_up: bool = False
    """Whether its last call was ``fail``."""
    acted: bool = False
    """Whether anything that it did is performed again: what only reads, or came to nothing, leaves no trace then."""
    wrong: str = ""
    """What the row itself found wrong."""

    def problems(self, run: Ended, *, mailed: bool = False) -> list[str]:
        """Say what went wrong with the row, its recording or its replay.

        Args:
            run: as it was recorded.
            mailed: whether the row's mail came once more for its replay.
        """
        name = self.row.id
        if self.wrong:
            return [f"{name}: {self.wrong}"]
        if run.status != ("failed" if self.gave_up else "passed"):
            return [f"{name}: the run ended as {run.status}: {run.reason}"]
        if self.row.replay or (self.row.toolset == MAIL and not mailed):
            return []
        if self.verdict != "passed":
            return [f"{name}: its replay is {self.verdict}"]
        if not self.acted or self.again == self.left:
            return []
        return [f"{name}: recorded {self.left}, replayed {self.again}"]

    def set_up(self, site: SmallSite) -> None:
        """Put the site into the state in which the row finds it."""
        site.posts = []
        site.pages, site.answers, site.opens = dict(self.pages), dict(self.answers), dict(self.opens)
        site.pages[END] = LAST
        site.answers[LEFT] = lambda fields: (200, "")

    def keep(self, site: SmallSite) -> None:
        """Keep what the row has put up."""
        self.pages, self.answers, self.opens = dict(site.pages), dict(site.answers), dict(site.opens)


class OnCall(Stage):
    """A stage whose calls a model makes."""

    async def open(self, body: str, path: str = "/") -> None:
        """Serve a page's body and go there."""
        number = len(self.site.opens)
        self.site.opens[f"{_OPEN}{number}"] = (path, body)
        await self.did(SHOW, path=f"{_OPEN}{number}")


@dataclass
class Prompter:
    """What the model answers, and what it is told: the calls of the row that is played."""

    loop: asyncio.AbstractEventLoop
    moves: queue.Queue[Answer] = field(default_factory=queue.Queue)
    waiting: dict[str, asyncio.Future[dict[str, Any]]] = field(default_factory=dict)

    def __call__(self, request: Request) -> Answer:
        """Answer a request; called in the server's threads."""
        for block in request.results:
            self.loop.call_soon_threadsafe(self._tell, block)
        if request.turn == 0:
            return calls(use(ENTER))
        try:
            return self.moves.get(timeout=_PAUSE_S)
        except queue.Empty:
            return calls(use("complete", result=f"The row made no call for {_PAUSE_S} seconds."))

    def _tell(self, block: dict[str, Any]) -> None:
        future = self.waiting.pop(block["tool_use_id"], None)
        if future is not None and not future.done():
            future.set_result(block)

    def give_up(self) -> None:
        """Let nobody wait any longer: the run is over."""
        for future in self.waiting.values():
            future.cancel()
        self.waiting.clear()


@dataclass
class Relay:
    """A dispatcher whose calls the model makes; what comes of them is read in the recording."""

    prompter: Prompter
    db: Path
    ctx: RunContext
    ended: asyncio.Event
    failed: int = 0
    gave_up: bool = False
    acted: bool = False

    @property
    def run_id(self) -> str:
        return self.ctx.workdir.name

    async def dispatch(self, call: ToolCall) -> ToolResult:
        """Have the model make a call, and see that it is told what is recorded."""
        if self.failed >= _PATIENCE:
            await self._made(use(ENTER))
        result = await self._made(use(call.name, **call.input))
        self.failed = 0 if result.success else self.failed + 1
        return result

    async def _made(self, block: dict[str, Any]) -> ToolResult:
        told = self.prompter.waiting[block["id"]] = self.prompter.loop.create_future()
        self.prompter.moves.put(calls(block))
        over = asyncio.ensure_future(self.ended.wait())
        await asyncio.wait([told, over], return_when=asyncio.FIRST_COMPLETED)
        over.cancel()
        if not is_text(block["input"]):
            return _unread(told.result())
        result = self._recorded(block["id"])
        if told.done() and not told.cancelled():
            self._check(told.result(), result)
        else:
            spec = self.ctx.registry.find(block["name"])
            ends = spec is not None and spec.is_terminal and result.success
            assert ends, f"the run ended at {block['name']}"
            self.gave_up = block["name"] == "fail"
        return result

    def _recorded(self, call_id: str) -> ToolResult:
        with Recording.open(self.db) as recording:
            steps = recording.steps(self.run_id)
            step = next((one for one in steps if one.call_id == call_id), None)
            assert step is not None, f"{call_id} is not in the recording: {[(one.tool, one.call_id) for one in steps]}"
            assert step.success is not None, f"{step.tool} is still {step.status} in the recording"
            assert step.status == ("done" if step.success else "failed")
            if step.success:
                undone = [one.kind for one in recording.actions(step.id) if one.status == "pending"]
                assert not undone, f"{step.tool} succeeded with actions {undone} pending"
            images = tuple(
                Image(media_type=kind, data=recording.blobs.read(sha), sha256=sha) for sha, kind in step.images
            )
        self.acted |= step.success and step.replay == "actions" and step.tool not in OWN
        error = ToolFailure(type=step.error_type, message=step.error_message or "") if step.error_type else None
        metadata = {name: value for name, value in step.metadata.items() if name != SEEN}
        return ToolResult(success=step.success, data=step.result, error=error, images=images, metadata=metadata)

    def _check(self, told: dict[str, Any], result: ToolResult) -> None:
        """See that the model was told what is recorded."""
        text = "\n".join(block["text"] for block in told["content"] if block["type"] == "text")
        assert told["is_error"] is not result.success
        if result.error is not None:
            assert text.startswith(f"{result.error.type}: "), text
        pictures = [block for block in told["content"] if block["type"] == "image"]
        assert len(pictures) == (len(result.images) if result.success else 0)
        if isinstance(result.data, str) and result.success and len(result.data) < 1000 and "{{" not in result.data:
            assert result.data.strip() in text or not result.data.strip()


def _unread(told: dict[str, Any]) -> ToolResult:
    """Give what the model is told of an input that nobody can read: it is no call, and so no step."""
    kind, _, message = told["content"][0]["text"].partition(": ")
    assert told["is_error"]
    return ToolResult(success=False, error=ToolFailure(type=kind, message=message))


@dataclass
class Company:
    """Plays rows, one after the other, as the users of one batch."""

    site: SmallSite
    folder: Path
    rows: Sequence[Row]
    scenes: list[Scene] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.site.head = HEAD
        self.scenes = [Scene(row) for row in self.rows]
        self._tasks: list[asyncio.Task[None]] = []
        self._current = 0
        self._ended = asyncio.Event()

    @property
    def db(self) -> Path:
        return self.folder / "recorded.db"

    @property
    def scene(self) -> Scene:
        return self.scenes[self._current]

    async def record(self, prompter: Prompter) -> events.BatchResult:
        """Let the model play all rows."""
        self._prompter = prompter

        def listen(event: events.Event) -> None:
            if isinstance(event, events.RunStarted):
                self._current, self._ended = event.number - 1, asyncio.Event()
                self.scene.set_up(self.site)
            if isinstance(event, events.RunEnded):
                self._ended.set()
                prompter.give_up()
                self.scene.keep(self.site)
                self.scene.left = Left.of(self.site)

        settings, site = self._settings()
        toolset = self.rows[0].toolset
        persona = {
            "persona": "player",
            "about": "Plays a row.",
            "locale": "en_GB",
            "viewport": {"width": 1280, "height": 800},
            "traits": {"patience": "high"},
            "tasks": [{"do": "Play your part."}],
            "limits": {"steps": 10_000, "minutes": 60, "tokens": 1_000_000_000},
            "tools": {"toolsets": [toolset], "max_safety": "dangerous"},
        }
        options = RunOptions(
            settings=settings,
            site=site,
            personas=(Persona.model_validate(persona),),
            count=len(self.rows),
            seed="7",
            agent="claude",
            model="claude-of-the-tests",
            concurrency=1,
            db=self.db,
            screenshots="none",
            own_tools=self._own_tools(),
            allow_workspace=True,
        )
        result = await run_batch(options, listen, Stop())
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        return result

    async def replay(self, batch: str) -> events.ReplayResult:
        """Replay the batch strictly."""

        def listen(event: events.Event) -> None:
            if isinstance(event, events.RunStarted):
                self._current = event.number - 1
                self.scene.set_up(self.site)
            if isinstance(event, events.RunEnded):
                self.scene.again = Left.of(self.site)
                self.scene.verdict = f"{event.verdict}: {event.reason}" if event.reason else str(event.verdict)

        settings, site = self._settings()
        options = ReplayOptions(
            settings=settings,
            site=site,
            source=self.db,
            target=batch,
            concurrency=1,
            db=self.folder / "replayed.db",
            screenshots="none",
        )
        return await replay(options, listen, Stop())

    def _settings(self) -> tuple[Settings, Site]:
        found = load_settings()
        browser = found.browser.model_copy(update={"action_ms": 1_500, "resolve_ms": 1_500, "effect_ms": 1_000})
        return found.model_copy(update={"browser": browser}), Site(base_url=self.site.url, **self.rows[0].site)

    def _own_tools(self) -> tuple[ToolSpec, ...]:
        """Make the tools by which a row comes onto the stage, and changes what is on it."""

        @tool(category="utility", safety="safe", replay="skip", name=ENTER, examples=[{}])
        async def enter(ctx: RunContext) -> int:
            """Come onto the stage.

            Args:
                ctx: The run.
            """
            if len(self._tasks) <= self._current:
                self._tasks.append(asyncio.create_task(self._play(self.scene, ctx)))
            self._entered += 1
            return self._entered

        @tool(category="navigation", safety="safe", replay="actions", name=SHOW, examples=[{"path": "/"}])
        async def show(ctx: RunContext, path: str) -> str:
            """Have the site put up a page, and go there.

            Args:
                ctx: The run.
                path: Where.
            """
            await ctx.actor.navigation.goto(path)
            return path

        return (enter, show)

    _entered = 0

    async def _play(self, scene: Scene, ctx: RunContext) -> None:
        for name, value in VALUES.items():
            ctx.set_variable(name, value, kind="identity")
        mail = self.folder / f"mail-{self._current}"
        mail.mkdir()
        ctx.inbox, ctx.workspace = Inbox(Maildir(mail)), None
        relay = Relay(self._prompter, self.db, ctx, self._ended)
        stage = OnCall(self.site, ctx, relay, relay.run_id, mail)
        await played_to_its_end(scene, stage, relay)


async def played_to_its_end(scene: Scene, stage: OnCall, relay: Relay) -> None:
    """Play a row, and let the model say that it is done."""
    try:
        await scene.row.play(stage)
        scene.gave_up, scene.acted = relay.gave_up, relay.acted
        if not relay.ended.is_set():
            await stage.did(SHOW, path=END)
    except (Exception, asyncio.CancelledError) as error:
        places = [one for one in traceback.extract_tb(error.__traceback__) if "rows_" in one.filename]
        where = "".join(f" at {Path(one.filename).name}:{one.lineno}: {one.line}" for one in places[-1:])
        scene.wrong = f"{type(error).__name__}{where}: {error}"
    finally:
        if not relay.ended.is_set():
            relay.prompter.moves.put(calls(use("complete", result="Played.")))


def groups(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """Put together the rows that can be the users of one batch: of one toolset, on sites that say the same."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        if not row.alone:
            found.setdefault(canonical_json([row.toolset, row.site]), []).append(row)
    return found
