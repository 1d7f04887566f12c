"""A file of tools for ``sim personas run --tools``: by them rows of the table are played inside of the program.

The model is elsewhere, and asks here what to call. ``SIM_TEST_COMPANY`` names the file that says which rows, and where
the site and the model are. Not responsible for: what rows show, or judging what came of them.
"""

from __future__ import annotations

import asyncio
import json
import os
import threading
from multiprocessing.connection import Listener
from pathlib import Path
from typing import Any, cast

from simulator.recording.reader import Recording
from simulator.tools.context import RunContext
from simulator.tools.mail.mailbox import Inbox
from simulator.tools.mail.maildir import Maildir
from simulator.tools.spec import tool
from tests.conformance.site_process import RemoteSite
from tests.conformance.table import all_rows
from tests.conformance.whole import ENTER, SHOW, OnCall, Prompter, Relay, Scene, played_to_its_end
from tests.fakes.messages_api import calls, use
from tests.small_run import VALUES, SmallSite

_LOOK_S = 0.02


class _OwnEnd(Relay):
    """A relay that sees in the recording when a tool has ended its run: nobody tells it."""

    async def _made(self, block: dict[str, Any]) -> Any:
        spec = self.ctx.registry.find(block["name"])
        watch = asyncio.create_task(self._watch(block["id"])) if spec is not None and spec.is_terminal else None
        try:
            return await super()._made(block)
        finally:
            if watch is not None:
                watch.cancel()

    async def _watch(self, call_id: str) -> None:
        while not self.ended.is_set():
            await asyncio.sleep(_LOOK_S)
            with Recording.open(self.db) as recording:
                if any(step.call_id == call_id and step.success for step in recording.steps(self.run_id)):
                    self.ended.set()
                    self.prompter.give_up()


class _Player:
    """Plays the rows, one a run."""

    def __init__(self, told: dict[str, Any]) -> None:
        rows = {row.id: row for row in all_rows()}
        self.rows = [rows[name] for name in told["rows"]]
        self.folder, self.db = Path(told["folder"]), Path(told["db"])
        self.site = RemoteSite(told["url"], told["control"])
        self.prompter = Prompter(cast(asyncio.AbstractEventLoop, None))
        self.entered = 0
        self._runs: list[str] = []
        self._tasks: list[asyncio.Task[None]] = []
        listener = Listener(told["model"])
        threading.Thread(target=self._answer, args=(listener,), daemon=True).start()

    def _answer(self, listener: Listener) -> None:
        while True:
            connection = listener.accept()
            threading.Thread(target=self._one, args=(connection,), daemon=True).start()

    def _one(self, connection: Any) -> None:
        with connection:
            connection.send(self.prompter(connection.recv()))

    def enter(self, ctx: RunContext) -> int:
        self.prompter.loop = asyncio.get_running_loop()
        if ctx.workdir.name not in self._runs:
            self._runs.append(ctx.workdir.name)
            number = len(self._runs) - 1
            if number < len(self.rows):
                self._tasks.append(asyncio.create_task(self._play(number, ctx)))
            else:  # the curtain: by now the last row knows how its run has ended
                self.prompter.moves.put(calls(use("complete", result="Played.")))
        self.entered += 1
        return self.entered

    async def _play(self, number: int, ctx: RunContext) -> None:
        scene = Scene(self.rows[number])
        self.site.begin()
        await asyncio.to_thread(self.site.ask, "begin", number)
        for name, value in VALUES.items():
            ctx.set_variable(name, value, kind="identity")
        mail = self.folder / f"mail-{number}"
        mail.mkdir()
        ctx.inbox, ctx.workspace = Inbox(Maildir(mail)), None
        relay = _OwnEnd(self.prompter, self.db, ctx, asyncio.Event())
        stage = OnCall(cast(SmallSite, self.site), ctx, relay, relay.run_id, mail)
        await played_to_its_end(scene, stage, relay)
        told = {"wrong": scene.wrong, "gave_up": scene.gave_up, "acted": scene.acted}
        with (self.folder / "played.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(told) + "\n")


_player = _Player(json.loads(Path(os.environ["SIM_TEST_COMPANY"]).read_text("utf-8")))


@tool(category="utility", safety="safe", replay="skip", name=ENTER, examples=[{}])
async def enter(ctx: RunContext) -> int:
    """Come onto the stage.

    Args:
        ctx: The run.
    """
    return _player.enter(ctx)


@tool(category="navigation", safety="safe", replay="actions", name=SHOW, examples=[{"path": "/"}])
async def show(ctx: RunContext, path: str) -> str:
    """Have the site put up a page, and go there.

    Args:
        ctx: The run.
        path: Where.
    """
    await ctx.actor.navigation.goto(path)
    return path
