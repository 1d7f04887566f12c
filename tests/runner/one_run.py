"""Records what a scripted model calls on a small site, and replays it strictly: the commands, in this process.

For any site whose pages a test writes; what the model was told of each call is kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from simulator.cli.main import main
from simulator.recording.reader import Recording
from simulator.recording.rows import ActionRow
from tests import seam
from tests.fakes.messages_api import KEY, Reply, Request, call, messages_api
from tests.fakes.server import served
from tests.sites.serving import PageHandler
from tests.small_run import SmallSite

TOOLSETS = ("browser", "books") if seam.PRESENT else ("browser",)
SETTINGS = """
[browser]
action_ms = 1500
resolve_ms = 1500
effect_ms = {effect_ms}
{covers}
[site.small]
base_url = "{url}"
{site}
"""
PERSONA = """
persona: tester
about: Tries every field.
locale: en_GB
tasks:
{tasks}
tools: {{toolsets: {toolsets}, max_safety: dangerous}}
limits: {{tokens: 10000000}}
"""


@dataclass(frozen=True)
class Told:
    """What the model was told of one call."""

    success: bool
    text: str

    @property
    def data(self) -> Any:
        """The result, where it was told as JSON."""
        return json.loads(self.text.split("\n\n")[0])


@pytest.fixture
def run(
    tmp_path: Path, small_site: SmallSite, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> OneRun:
    """A folder for a run on the small site, which takes what is sent to /sent; a module adds its pages."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    small_site.pages |= {"/thanks": "<h1>Thanks</h1>"}
    small_site.answers["/sent"] = lambda fields: "/thanks"
    return OneRun(tmp_path, small_site.url, capsys)


@contextmanager
def run_on(
    handler: type[PageHandler], folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    """Give a folder for a run on a site of the test's own, whose pages show at once what it has kept.

    Args:
        handler: serves the site.
        folder: where the run is recorded.
        monkeypatch: of the test.
        capsys: of the test.
    """
    monkeypatch.chdir(folder)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    with served(handler) as url:
        yield OneRun(folder, url, capsys, effect_ms=300)


@dataclass
class OneRun:
    """A folder with one recorded run."""

    folder: Path
    url: str
    capsys: pytest.CaptureFixture[str]
    site: str = ""
    """More lines of the site section."""
    covers: str = '[bookshop.covers]\nsources = ["offline"]' if seam.PRESENT else ""
    """The section of covers, where the pack is there that has them."""
    effect_ms: int = 1_000
    """How long a replay waits for what was written to show: sites whose pages show it later need more."""
    tasks: str = "  - do: Try the page."
    """Lines of the persona's tasks."""
    recording: tuple[str, ...] = ()
    """More words of the command that records."""
    told: list[Told] = field(default_factory=list)

    def record(self, turns: Iterable[Reply], *, toolsets: Sequence[str] = TOOLSETS) -> list[Told]:
        """Let the model call what it is told to, as one run; gives what it was told of each call."""
        code, out, said = self.begin(turns, toolsets=toolsets)
        assert code == 0, out + said
        return self.told

    def begin(self, turns: Iterable[Reply], *, toolsets: Sequence[str] = TOOLSETS) -> tuple[int, str, str]:
        """Let the model call what it is told to; gives exit code, standard output and standard error."""
        (self.folder / "personas").mkdir(exist_ok=True)
        persona = PERSONA.format(tasks=self.tasks, toolsets=json.dumps(list(toolsets)))
        (self.folder / "personas" / "tester.yaml").write_text(persona, "utf-8")
        (self.folder / "sim.toml").write_text(
            SETTINGS.format(url=self.url, site=self.site, covers=self.covers, effect_ms=self.effect_ms), "utf-8"
        )
        left = chain(turns, [call("complete", result="Done.")])
        self.told.clear()

        def script(request: Request) -> Reply:
            self.told += [Told(not one.get("is_error", False), _text(one)) for one in request.results]
            return next(left)

        with messages_api(script) as api, pytest.MonkeyPatch.context() as patch:
            patch.setenv("ANTHROPIC_API_KEY", KEY)
            patch.setenv("ANTHROPIC_BASE_URL", api.url)
            usual = ("--agent", "claude", "--seed", "7", "--db", "a.db")
            return self.sim("personas", "run", "tester", *usual, *self.recording)

    def actions(self) -> list[ActionRow]:
        """Give what was done in the recording."""
        with Recording.open(self.folder / "a.db") as recording:
            return [action for run in recording.runs() for action in recording.actions(run.id)]

    def effects(self) -> list[tuple[str, str, bool]]:
        """Give what was seen of the writes of the recording: its kind, its strength, and whether its place is tied."""
        with Recording.open(self.folder / "a.db") as recording:
            found = [effect for run in recording.runs() for effect in recording.effects(run.id)]
        return [(one.kind, one.strength, one.keyed) for one in found]

    def replay(self, *more: str) -> dict[str, Any]:
        """Replay the recording; gives the only run of the result, with the exit code."""
        code, out, err = self.sim("replay", "a.db", "--db", "b.db", "--json", *more)
        assert out, err
        (run,) = json.loads(out)["runs"]
        return {**run, "code": code}

    def sim(self, *arguments: str) -> tuple[int, str, str]:
        """Call the program: exit code, standard output, and standard error."""
        self.capsys.readouterr()
        code = main(list(arguments))
        return code, *self.capsys.readouterr()


def _text(result: dict[str, Any]) -> str:
    content = result.get("content") or ""
    return content if isinstance(content, str) else "\n\n".join(one.get("text", "") for one in content)
