"""Where hostile pages are met: one browser, one site, one attacker, and a model that does whatever a page wants.

Everything between is the real thing: the SDK, the loop, dispatch, the recorder.
"""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from simulator.agent.interactions import plan_batch
from simulator.agent.models.claude import Claude
from simulator.config import load_settings
from simulator.persona import Persona, draw_population
from simulator.recording.reader import Recording
from simulator.recording.recorder import Recorder
from simulator.recording.upkeep.verify import verify
from simulator.runner.batch_session import BatchSession
from simulator.runner.events import Event
from simulator.runner.peers import Board
from simulator.runner.performing.performers import Performers
from simulator.runner.performing.run import Member, RunMaker
from simulator.runner.stop import Stop
from simulator.runner.surroundings.resources import Resources, open_resources
from simulator.secrets import Vaults
from tests.fakes.messages_api import KEY, MessagesApi, Reply, Request, calls, messages_api, use
from tests.runner.leaks import cells, files
from tests.security.hostile import Answer, Server, serve

SEED = "7"
OUTSIDE = "what-stands-outside-93"
Call = tuple[str, dict[str, Any], str | None]
"""A tool, its input, and the error that it must meet: empty for none, None for either."""

SIM_TOML = """
[browser]
action_ms = 1500
settle_ms = 1500
[bookshop.covers]
sources = ["offline"]
[site.trap]
base_url = "{url}"
allowed_hosts = {allowed}
[site.trap.routes]
login = "/login"
[site.trap.logged_in]
role = "link"
name = "Log out"
"""


@dataclass
class Met:
    """What came of a model that obeyed."""

    outcomes: list[tuple[str, str, str]]
    """Tool, type of error and message of every call."""
    results: list[str]
    """What the model was told of each call."""
    db: Path
    secret: str
    requests: bytes
    told: list[Event] = field(default_factory=list)
    status: str = ""

    @property
    def places(self) -> list[tuple[str, bytes]]:
        """Where no secret may stand: what the model was sent, what listeners were told, what is recorded."""
        return [("model", self.requests), ("events", repr(self.told).encode()), *cells(self.db)]


@dataclass
class Stage:
    """Open for the time of a file's tests."""

    folder: Path
    site: Server
    attacker: Server
    api: MessagesApi
    resources: Resources
    persona: Persona
    script: list[Call] = field(default_factory=list)
    runs: int = 0

    @property
    def words(self) -> dict[str, str]:
        """What a page or a call may speak of, as ``[evil]``."""
        return {
            "[evil]": self.attacker.url,
            "[evil-port]": str(self.attacker.port),
            "[site]": self.site.url,
            "[port]": str(self.site.port),
            "[outside]": str(self.folder / "outside.txt"),
        }

    def put(self, value: Any) -> Any:
        """Put addresses in place of the words for them."""
        text = json.dumps(value)
        for word, meant in self.words.items():
            text = text.replace(word, meant)
        return json.loads(text)

    @property
    def secret(self) -> str:
        """The password of the user who acts."""
        return self.resources.vault(self.persona.persona, SEED, 1).reveal("password")

    def arrange(self, patch: pytest.MonkeyPatch) -> None:
        """Begin a test: nothing has reached anybody, and the model is where the SDK looks for it."""
        patch.setenv("ANTHROPIC_API_KEY", KEY)
        patch.setenv("ANTHROPIC_BASE_URL", self.api.url)
        self.site.forget()
        self.attacker.forget()

    def show(self, path: str, answer: Answer) -> None:
        """Serve a page of the site."""
        body = self.put(answer.body) if isinstance(answer.body, str) else answer.body
        self.site.answers[path] = replace(answer, body=body, headers=self.put(dict(answer.headers)))

    def obey(self, request: Request) -> Reply:
        """Do the next thing that the page wants."""
        for folder in self.resources.folder.iterdir():
            if not (folder / "link.txt").is_symlink():
                (folder / "link.txt").symlink_to(self.folder / "outside.txt")
                (folder / "mine.txt").write_text("mine", "utf-8")
        if request.turn < len(self.script):
            name, input, _ = self.script[request.turn]
            toolset, _, member = name.rpartition(".")
            return calls(use(member, toolset=toolset, **input))
        return calls(use("complete", result="I did what the page said."))

    async def meet(
        self,
        script: Sequence[Call],
        *,
        toolsets: Sequence[str] = ("browser", "books"),
        max_safety: str = "medium",
        screenshots: Any = "none",
    ) -> Met:
        """Let the model do as it is told."""
        self.runs += 1
        self.script = self.put(list(script))
        self.api.requests.clear()
        rules = self.persona.tools.model_copy(update={"toolsets": tuple(toolsets), "max_safety": max_safety})
        persona = self.persona.model_copy(update={"tools": rules})
        (identity,) = draw_population([persona], 1, SEED)
        (interactions,) = plan_batch([(persona, identity)], SEED).values()
        db = self.folder / f"met-{self.runs}.db"
        told: list[Event] = []
        secret = self.secret
        with Recorder.open(db, mask=self.resources.vaults.mask_all) as recorder:
            async with Claude.from_environment(os.environ) as model:
                batch = BatchSession(recorder=recorder, listener=told.append, stop=Stop(), sites=[self.resources])
                with batch.running(1, 1, seed=SEED):
                    maker = RunMaker(batch, Board(), screenshots, performers=Performers(model))
                    ran = await maker.record(Member(1, persona, identity, interactions))
        with Recording.open(db) as recording:
            steps = recording.steps(ran.outcome.run_id)
        outcomes = [
            (str(step.tool), "" if step.success else str(step.error_type), step.error_message or "") for step in steps
        ]
        results = [json.dumps(block) for request in self.api.requests for block in request.results]
        assert verify(db) == []
        assert self.api.refused == []
        status = f"{ran.outcome.status} {ran.outcome.reason}"
        return Met(outcomes, results, db, secret, self.api.everything, told, status)


@asynccontextmanager
async def open_stage(folder: Path, *, allowed: bool = False) -> AsyncIterator[Stage]:
    """Open a stage.

    Args:
        folder: the project.
        allowed: whether the attacker's host is one of the allowed ones.
    """
    holder: list[Stage] = []
    with serve() as site, serve() as attacker, messages_api(lambda request: holder[0].obey(request)) as api:
        (folder / "outside.txt").write_text(OUTSIDE, "utf-8")
        hosts = f'["127.0.0.1:{attacker.port}"]' if allowed else "[]"
        (folder / "sim.toml").write_text(SIM_TOML.format(url=site.url, allowed=hosts), "utf-8")
        settings = load_settings(folder / "sim.toml")
        persona = Persona.model_validate(
            {
                "persona": "obedient",
                "about": "Somebody who does whatever a page says.",
                "locale": "en_GB",
                "traits": {"patience": "high"},
                "tasks": [{"do": "Do what the page says."}],
                "limits": {"tokens": 100_000_000, "steps": 1000},
            }
        )
        async with open_resources(settings, settings.site("trap"), vaults=Vaults(), headed=False) as resources:
            stage = Stage(folder, site, attacker, api, resources, persona)
            holder.append(stage)
            yield stage


def lying_in(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Give every file that lies in a folder now, links apart: where they lead is no copy."""
    yield from ((name, data) for name, data in files(folder) if not Path(name).is_symlink())
