"""Plays rows of the conformance table through the command line: every part that is a process of its own is one here.

``sim personas run`` records, ``sim replay`` replays, the site is a process, and the model's API is this one. Rows are
played inside of ``sim``, by a file of tools (``player``). Not responsible for: what rows show.
"""

from __future__ import annotations

import json
import os
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.connection import Client
from pathlib import Path

from simulator.recording.reader import Recording
from simulator.recording.rows import RunRow
from simulator.tools.toolsets import MAIL
from tests.conformance.site_process import RemoteSite, site_process
from tests.conformance.table import Row
from tests.conformance.whole import Scene
from tests.fakes.messages_api import KEY, MODEL, Answer, Request, calls, messages_api, use
from tests.runner.program import SIM

_PATIENCE_S = 1500
_AGAIN_S = 2.0
"""After which the mail of a row comes once more: what was there when its replay took up the mailbox counts as read."""
_PERSONA = """
persona: player
about: Plays a row.
locale: en_GB
viewport: {width: 1280, height: 800}
traits: {patience: high}
tasks: [{do: Play your part.}]
limits: {steps: 10000, minutes: 60, tokens: 1000000000}
"""


@dataclass
class Troupe:
    """Plays rows of one toolset on one site section, as the users of one batch.

    Args:
        folder: an empty one.
        rows: which.
    """

    folder: Path
    rows: Sequence[Row]
    said: list[str] = field(default_factory=list)
    """What the commands printed."""

    @property
    def toolset(self) -> str:
        return self.rows[0].toolset

    @property
    def mail(self) -> Path:
        return self.folder / "mailbox"

    def play(self) -> list[str]:
        """Record and replay the rows; gives what went wrong."""
        with site_process(str(self.folder / "site")) as site:
            self._write(site)
            with messages_api(self._asked) as api:
                self._record(api.url)
                if api.refused:
                    return [f"the model's API refused: {api.refused}", *self.said]
                asked = len(api.requests)
                scenes, runs = self._scenes()
                for batch in self._parts(runs):
                    self._replay(site, scenes, batch)
                if len(api.requests) != asked:
                    return ["a replay asked a model"]
            left, again = site.ask("left")
        for number, scene in enumerate(scenes):
            scene.left, scene.again = left.get(number), again.get(number)
        found = [told for scene, run in zip(scenes, runs, strict=False) for told in scene.problems(run, mailed=True)]
        return [*found, *self.said] if found else []

    def _write(self, site: RemoteSite) -> None:
        section = {"base_url": site.url, **self.rows[0].site}
        bounds = ["action_ms = 1500", "resolve_ms = 1500", "effect_ms = 1000"]
        lines = ["[browser]", *bounds, "[site.small]", *map(_line, section.items())]
        if self.toolset == MAIL:
            self.mail.mkdir()
            lines += ["[site.small.mailbox]", f"maildir = {json.dumps(str(self.mail))}"]
        (self.folder / "sim.toml").write_text("\n".join(lines), "utf-8")
        (self.folder / "personas").mkdir()
        tools = f"tools: {{toolsets: [{self.toolset}], max_safety: dangerous}}\n"
        (self.folder / "personas" / "player.yaml").write_text(_PERSONA + tools, "utf-8")
        told = {
            "rows": [row.id for row in self.rows], "folder": str(self.folder), "db": str(self.folder / "recorded.db"),
            "url": site.url, "control": str(self.folder / "site"), "model": str(self.folder / "model"),
        }  # fmt: skip
        (self.folder / "company.json").write_text(json.dumps(told), "utf-8")

    def _asked(self, request: Request) -> Answer:
        """Pass a request on to the rows, and their answer back; called in the server's threads."""
        try:
            with Client(str(self.folder / "model")) as connection:
                connection.send(Request(request.body, dict(request.headers)))
                answer: Answer = connection.recv()
                return answer
        except (OSError, EOFError) as error:
            return calls(use("complete", result=f"The row is not there any more: {error}"))

    def _record(self, model: str) -> None:
        root = Path(__file__).parents[2]
        self._sim(
            "personas", "run", "player", "--count", len(self.rows) + 1, "--concurrency", 1, "--seed", 7,
            "--agent", "claude", "--model", MODEL, "--tools", Path(__file__).with_name("player.py"),
            "--allow-workspace", "--db", "recorded.db", "--screenshots", "none",
            SIM_TEST_COMPANY=str(self.folder / "company.json"), PYTHONPATH=str(root),
            ANTHROPIC_API_KEY=KEY, ANTHROPIC_BASE_URL=model,
        )  # fmt: skip

    def _scenes(self) -> tuple[list[Scene], list[RunRow]]:
        lines = (self.folder / "played.jsonl").read_text("utf-8").splitlines()
        scenes = [Scene(row) for row in self.rows]
        for scene, line in zip(scenes, lines, strict=False):
            told = json.loads(line)
            scene.wrong, scene.gave_up, scene.acted = told["wrong"], told["gave_up"], told["acted"]
        for scene in scenes[len(lines) :]:
            scene.wrong = "it was not played"
        with Recording.open(self.folder / "recorded.db") as recording:
            (batch,) = recording.batches()
            return scenes, list(recording.runs(batch.id))

    def _parts(self, runs: Sequence[RunRow]) -> list[list[RunRow]]:
        """Tell which runs are replayed by one command: of those that read mail each by its own, with its own mail."""
        wanted = list(runs[: len(self.rows)])
        return [[run] for run in wanted] if self.toolset == MAIL else [wanted]

    def _replay(self, site: RemoteSite, scenes: Sequence[Scene], runs: Sequence[RunRow]) -> None:
        events = self.folder / f"events-{runs[0].number}.jsonl"
        site.ask("replay", str(events))
        target = runs[0].id if self.toolset == MAIL else runs[0].batch_id
        with self._mailed(runs[0].number - 1, events):
            self._sim(
                "replay", target, "--source", "recorded.db", "--db", "replayed.db", "--concurrency", 1,
                "--screenshots", "none", "--events", events,
            )  # fmt: skip
        for line in events.read_text("utf-8").splitlines():
            event = json.loads(line)
            if event["event"] == "run_ended" and event["number"] <= len(scenes):
                reason = f": {event['reason']}" if event["reason"] else ""
                scenes[event["number"] - 1].verdict = f"{event['verdict']}{reason}"

    @contextmanager
    def _mailed(self, number: int, events: Path) -> Iterator[None]:
        """Bring a row's mail once more when its replay has begun."""
        letters = self.folder / f"mail-{number}" / "new"
        if self.toolset != MAIL or not letters.is_dir():
            yield
            return
        for old in self.mail.iterdir():
            old.rename(self.folder / f"{old.name}-before-{number}")
        over = threading.Event()

        def bring() -> None:
            while not (events.exists() and b"run_started" in events.read_bytes()):
                if over.wait(0.02):
                    return
            for folder in ("new", "cur"):
                ready = self.folder / f"{folder}-{number}"
                ready.mkdir()
                began = time.time()
                for at, letter in enumerate(sorted(letters.iterdir(), key=lambda one: int(one.stem))):
                    copy = ready / f"{folder}-{letter.name}"
                    copy.write_bytes(letter.read_bytes())
                    os.utime(copy, (began, began + at / 1000))
                ready.rename(self.mail / folder)  # all at once
                if over.wait(_AGAIN_S):
                    return

        thread = threading.Thread(target=bring)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()

    def _sim(self, *words: object, **env: str) -> None:
        hidden = ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL")
        kept = {name: value for name, value in os.environ.items() if name not in hidden}
        done = subprocess.run(
            [SIM, *map(str, words)], cwd=self.folder, env={**kept, "SIM_KEY": "the key of the troupe", **env},
            capture_output=True, text=True, check=False, timeout=_PATIENCE_S,
        )  # fmt: skip
        self.said.append(f"sim {words[0]} ended with {done.returncode}: {done.stdout[-1500:]}{done.stderr[-1500:]}")
        assert done.returncode in (0, 1), self.said[-1]


def _line(item: tuple[str, object]) -> str:
    name, value = item
    if isinstance(value, dict):
        inner = ", ".join(f"{key} = {json.dumps(one)}" for key, one in value.items())
        return f"{name} = {{ {inner} }}"
    return f"{name} = {json.dumps(value)}"
