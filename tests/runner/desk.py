"""Records what a scripted model does on a small site, and replays it: the commands, in this process."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from simulator.cli.main import main
from simulator.persona import Identity
from simulator.recording.reader import Recording
from tests.fakes.messages_api import KEY, Reply, call, messages_api
from tests.sites.office import Office

WAITS = """
resolve_ms = 1500
effect_ms = 1000
"""
"""How long a replay waits for what does not come."""
SETTINGS = """
[browser]
{waits}
[site.office]
base_url = "{url}"
routes = {{ login = "/login", register = "/register" }}
"""
PERSONA = """
persona: clerk
about: Keeps notes.
locale: en_GB
tasks:
  - do: Keep a note.
limits: {tokens: 10000000}
"""
Turn = Reply | Callable[[Any], Reply]
"""A call, or what makes one of the request: it may speak of what was read before."""

ACCOUNT = [
    call("navigate", url="/register"),
    call(
        "fill_form",
        values={
            "Username": "{{identity.username}}",
            "Name": "{{identity.display_name}}",
            "E-mail": "{{identity.email}}",
            "Password": "{{secret.password}}",
        },
    ),
    call("click", selector='role=button[name="Create account"]'),
]
LOGIN = [
    call("fill_form", values={"Username": "{{identity.username}}", "Password": "{{secret.password}}"}),
    call("click", selector='role=button[name="Log in"]'),
]


@dataclass(frozen=True)
class Desk:
    """A folder with a recording of the office, and what was recorded in it."""

    office: Office
    folder: Path
    capsys: pytest.CaptureFixture[str]
    more: str = ""
    """What else its settings say, of the site first."""
    waits: str = WAITS
    """What its settings say of the browser."""

    def record(self, turns: Sequence[Turn], *, name: str = "a.db", seed: str = "7") -> Path:
        """Let the model do what it is told, as one run."""
        (self.folder / "personas").mkdir(exist_ok=True)
        (self.folder / "personas" / "clerk.yaml").write_text(PERSONA, "utf-8")
        (self.folder / "sim.toml").write_text(
            SETTINGS.format(url=self.office.url, waits=self.waits) + self.more, "utf-8"
        )
        left = iter([*turns, call("complete", result="Done.")])

        def script(request: Any) -> Reply:
            turn = next(left)
            return turn if isinstance(turn, Reply) else turn(request)

        with messages_api(script) as api, pytest.MonkeyPatch.context() as patch:
            patch.setenv("ANTHROPIC_API_KEY", KEY)
            patch.setenv("ANTHROPIC_BASE_URL", api.url)
            code, _, said = self.sim("personas", "run", "clerk", "--agent", "claude", "--seed", seed, "--db", name)
        assert code == 0, said
        return self.folder / name

    def sim(self, *arguments: str) -> tuple[int, str, str]:
        """Call the program: exit code, standard output, and standard error."""
        self.capsys.readouterr()
        code = main(list(arguments))
        return code, *self.capsys.readouterr()

    def replay(self, source: str = "a.db", *more: str) -> dict[str, Any]:
        """Replay a recording; gives the only run of the result, with the exit code."""
        code, out, err = self.sim("replay", source, "--db", "b.db", "--json", *more)
        assert out, err
        (run,) = json.loads(out)["runs"]
        return {**run, "code": code}

    def identity(self, name: str = "a.db") -> Identity:
        with Recording.open(self.folder / name) as recording:
            return Identity.model_validate(next(run.identity for run in recording.runs()))
