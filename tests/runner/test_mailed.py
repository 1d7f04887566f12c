"""A site that writes to its users: what its mails bring is read anew at each replay, and stands in no recording."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from simulator.cli.main import main
from simulator.recording.reader import Recording
from tests.runner.leaks import cells, files, leaks
from tests.sites.letters import Club, club, to_server

SETTINGS = """
[run]
screenshots = "all"
[site.club]
base_url = "{url}"
logged_in = {{ role = "button", name = "Log out" }}
[site.club.mailbox]
smtp_port = {port}
"""
PERSONA = """
persona: joiner
about: Joins a club.
locale: en_GB
tasks: [register, login, logout]
"""


@dataclass(frozen=True)
class Hall:
    """A folder with recordings of the club."""

    club: Club
    folder: Path
    capfd: pytest.CaptureFixture[str]
    said: list[str]

    def sim(self, *arguments: str) -> tuple[int, str, str]:
        """Call the program: exit code, standard output, and standard error."""
        self.capfd.readouterr()
        code = main(list(arguments))
        out, err = self.capfd.readouterr()
        self.said.extend((out, err))
        return code, out, err

    def record(self, *more: str) -> None:
        code, out, err = self.sim("personas", "run", "joiner", "--seed", "7", "--db", "a.db", *more)
        assert code == 0, out + err

    def replay(self, *more: str) -> dict[str, Any]:
        """Replay the recording; gives the only run of the result, with the exit code."""
        code, out, err = self.sim("replay", "a.db", "--db", "b.db", "--json", *more)
        assert out, err
        (run,) = json.loads(out)["runs"]
        return {**run, "code": code}

    def leaks(self, secrets: Sequence[str]) -> list[str]:
        """Tell where any of the secrets stands: in a file, in a value of a recording, or in what was said."""
        said = [("said", text.encode()) for text in self.said]
        places = [*files(self.folder), *said]
        for name in ("a.db", "b.db"):
            if (self.folder / name).exists():
                places += cells(self.folder / name)
        return leaks(places, secrets)


@pytest.fixture
def port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@pytest.fixture
def served(port: int) -> Iterator[Club]:
    with club(to_server(port)) as found:
        yield found


@pytest.fixture
def hall(
    served: Club, port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Hall:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests of the club")
    (tmp_path / "sim.toml").write_text(SETTINGS.format(url=served.url, port=port), "utf-8")
    (tmp_path / "personas").mkdir()
    (tmp_path / "personas" / "joiner.yaml").write_text(PERSONA, "utf-8")
    return Hall(served, tmp_path, capfd, [])


@pytest.mark.parametrize(
    ("asks", "plain", "markup"),
    [
        pytest.param(False, False, False, id="text"),
        pytest.param(True, True, True, id="html", marks=pytest.mark.slow),
    ],
)
def test_the_autopilot_confirms_its_address_and_gives_the_code(
    hall: Hall, served: Club, asks: bool, plain: bool, markup: bool
) -> None:
    served.asks, served.plain, served.markup = asks, plain, markup
    hall.record()
    (user,) = served.members
    assert (served.confirmed, served.came) == ([user], [user])
    with Recording.open(hall.folder / "a.db") as recording:
        (run,) = recording.runs()
        tools = [step.tool for step in recording.steps(run.id)]
        assert {"open_mail_link", "read_mail"} <= {*tools}
        values = [action.value for action in recording.actions(run.id)]
        assert "{{secret.mailed_code_1}}" in values
        (visited,) = [value for value in values if value and "mailed_token_1" in value]
        assert visited == "/confirm/{{site.confirm_1}}/{{secret.mailed_token_1}}?mail={{identity.email}}"
        held = {one.name: (one.kind, one.value) for one in recording.variables(run.id)}
    assert held["secret.mailed_code_1"] == held["secret.mailed_token_1"] == ("secret", None)
    served.forget()
    same = hall.replay("--identity", "same")
    assert (same["verdict"], same["drift"]) == ("passed", None)
    assert (served.confirmed, served.came) == ([user], [user])
    fresh = hall.replay("--identity", "fresh", "--seed", "3")
    assert (fresh["verdict"], fresh["drift"]) == ("passed", None)
    assert served.came == [user, fresh["username"]]
    assert len({*served.drawn}) == 6
    assert hall.leaks(served.drawn) == []
