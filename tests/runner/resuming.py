"""Runs that are killed at a chosen request, resumed, and compared with one that was never cut off."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simulator.recording.reader import Recording
from simulator.recording.upkeep.verify import verify
from simulator.runner.events import BatchResult
from simulator.runner.interrupted.resume import ResumeOptions, resume
from simulator.runner.stop import Stop
from tests.runner.bench import Bench, Shop, persona
from tests.runner.program import KEY, PATIENCE_S, SIM

SITES = Path(__file__).parent.parent / "sites"


@dataclass
class Cut:
    """A batch that was killed, and the shop as it was left."""

    bench: Bench
    db: Path
    shop: Shop

    async def resume(self, target: str = "last", **more: Any) -> BatchResult:
        options = ResumeOptions(
            settings=self.bench.settings,
            site=self.bench.site(self.shop),
            db=self.db,
            target=target,
            screenshots="none",
            **more,
        )
        result = await resume(options, lambda _: None, Stop())
        assert verify(self.db) == []
        return result

    def strike(
        self,
        command: Sequence[str],
        *,
        route: str,
        when: str,
        nth: int = 1,
        reset: bool = False,
        env: Mapping[str, str] | None = None,
        patience_s: float = PATIENCE_S,
    ) -> None:
        """Run a command, and have the site kill it at a request."""
        kill: dict[str, Any] = {"route": route, "nth": nth, "when": when, "pid": f"{self.shop.file}.pid"}
        fresh = ["--reset"] if reset else []
        server = subprocess.Popen(
            [sys.executable, str(SITES / "killing_bookshop.py"), "--port", "0", "--db", str(self.shop.file), *fresh],
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"KILL": json.dumps(kill)},
        )
        assert server.stdout is not None
        url = json.loads(server.stdout.readline())["url"]
        said = Path(f"{self.shop.file}.said")
        given = ["--base-url", url, "--db", str(self.db), "--screenshots", "none"]
        try:
            with said.open("w") as out:
                program = subprocess.Popen(
                    [SIM, *command, *given],
                    stdout=out, stderr=subprocess.STDOUT, env=os.environ | {"SIM_KEY": KEY, **(env or {})},
                )  # fmt: skip
                Path(kill["pid"]).write_text(str(program.pid))
                try:
                    assert program.wait(patience_s) == -9, said.read_text()
                finally:
                    if program.poll() is None:
                        program.kill()
                        program.wait()
        finally:
            server.kill()
            server.communicate()

    def run(self) -> str:
        with Recording.open(self.db) as recording:
            return recording.run("last").id

    def flags(self) -> list[tuple[str, str, str]]:
        """Tool, status and fate of the steps that resuming has something to say of."""
        with Recording.open(self.db) as recording:
            steps = recording.steps(recording.run("last").id)
        return [(step.tool or "", step.status, step.flags["resume"]) for step in steps if "resume" in step.flags]


def cut(
    bench: Bench,
    personas: Sequence[dict[str, Any]],
    *,
    route: str,
    when: str,
    nth: int = 1,
    seed: str = "7",
    count: int = 1,
    name: str = "cut",
    more: Sequence[str] = (),
    env: Mapping[str, str] | None = None,
) -> Cut:
    """Record a batch by the program, and have the site kill it at a request.

    Args:
        bench: where.
        personas: who acts.
        route: pattern of "METHOD path".
        when: ``before`` the effect of the request, or ``after`` it.
        nth: which of the requests.
        seed: of the batch.
        count: of users.
        name: of the files.
        more: options.
        env: variables.
    """
    folder = bench.folder / name
    (folder / "personas").mkdir(parents=True)
    for one in personas:
        whole = persona(one).model_dump(mode="json", exclude_defaults=True) | {"tasks": one["tasks"]}
        (folder / "personas" / f"{one['persona']}.yaml").write_text(json.dumps(whole))
    made = Cut(bench, bench.folder / f"{name}.db", bench.shop(name))
    recording = ["personas", "run", "--personas", str(folder / "personas"), "--count", str(count), "--seed", seed]
    made.strike([*recording, "--concurrency", "2", *more], route=route, when=when, nth=nth, reset=True, env=env)
    return made


def held(shop: Shop) -> dict[str, Any]:
    """Give what the shop holds of each user, without what it numbers, and when it was."""
    return {
        name: {kind: sorted(map(_bare, things.values())) for kind, things in part.items()}
        for name, part in shop.state.items()
    }


def _bare(thing: dict[str, Any]) -> str:
    numbered = ("id", "at", "created")
    return json.dumps({name: value for name, value in thing.items() if name not in numbered}, sort_keys=True)
