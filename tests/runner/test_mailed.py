"""A site that writes to its users: what its mails bring is read anew at each replay, and stands in no recording."""

from __future__ import annotations

import json
import re
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from simulator.cli.main import main
from simulator.config import load_settings
from simulator.persona import load_personas
from simulator.recording.reader import Recording
from simulator.runner.batch import RunOptions, equipped, members
from tests.fakes.mailpit import fake_mailpit
from tests.ports import port_of_nobody
from tests.runner.leaks import cells, files, leaks
from tests.seam import needs_bookshop
from tests.sites.letters import Club, club, to_server

SETTINGS = """
[run]
screenshots = "all"
exchanges = "all"
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
    return port_of_nobody()


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


@pytest.mark.table
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
    code, out, _ = hall.sim("runs", "show", "last", "--variables", "--db", "a.db")
    assert code == 0
    assert re.search(r"secret\.mailed_code_1 +\(a secret\) +step \d+: a mail, after 'your code is'", out), out
    assert re.search(r"secret\.mailed_token_1 +\(a secret\) +step \d+: a mail, in a link", out), out
    assert re.search(r"site\.confirm_1 +MQ +step \d+: a mail, in a link", out), out
    served.forget()
    same = hall.replay("--identity", "same")
    assert (same["verdict"], same["drift"]) == ("passed", None)
    assert (served.confirmed, served.came) == ([user], [user])
    fresh = hall.replay("--identity", "fresh", "--seed", "3")
    assert (fresh["verdict"], fresh["drift"]) == ("passed", None)
    assert served.came == [user, fresh["username"]]
    assert len({*served.drawn}) == 6
    assert hall.leaks(served.drawn) == []


@pytest.mark.slow
def test_who_is_a_member_already_awaits_no_mail_about_it(hall: Hall, served: Club) -> None:
    served.asks = True
    hall.record()
    (user,) = served.members
    run = hall.replay("--identity", "reuse")
    assert (run["verdict"], run["drift"]) == ("passed", None)
    assert (served.confirmed, served.came) == ([user], [user, user])


@pytest.mark.slow
def test_a_mail_that_does_not_come_or_lacks_its_code_stops_the_replay(hall: Hall, served: Club) -> None:
    hall.record()
    shorten(hall.folder / "a.db", 500)
    served.forget()
    served.says = "Welcome back, {name}: enter {code}."
    run = hall.replay()
    assert (run["code"], run["verdict"]) == (1, "postcondition")
    assert run["drift"]["expected"].startswith("secret.mailed_code_1 after 'your code is' in a new mail to ")
    assert run["drift"]["found"] == "the mail 'Your login' without it"
    assert served.came == []

    served.forget()
    served.writes = False
    run = hall.replay()
    assert (run["code"], run["verdict"]) == (1, "postcondition")
    (address,) = [member["email"] for member in served.members.values()]
    assert run["drift"]["expected"] == f"a new mail to {address}"
    assert run["drift"]["found"].startswith(f"no new mail to {address} came within 0.5 s into the mailbox at 127.0.0.1")
    assert served.confirmed == []


@pytest.mark.slow
def test_without_a_mailbox_nothing_is_done_that_would_need_it(hall: Hall, served: Club) -> None:
    hall.record()
    served.forget()
    settings = (hall.folder / "sim.toml").read_text("utf-8").partition("[site.club.mailbox]")[0]
    (hall.folder / "sim.toml").write_text(settings, "utf-8")
    served.writes = False
    run = hall.replay()
    assert (run["verdict"], run["drift"]["found"]) == ("environment", "no mailbox in sim.toml")


@pytest.mark.slow
def test_a_link_that_leads_elsewhere_is_refused_and_the_autopilot_says_so(hall: Hall, served: Club) -> None:
    served.elsewhere = "http://club.example:8080"
    code, out, _ = hall.sim("personas", "run", "joiner", "--seed", "7", "--db", "a.db", "--json")
    assert code == 1
    (run,) = json.loads(out)["runs"]
    assert "club.example:8080/confirm/" in run["reason"]
    assert "is not on this site" in run["reason"]
    assert served.confirmed == []
    assert hall.leaks(served.drawn) == []


@pytest.mark.slow
@pytest.mark.parametrize("together", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_a_one_time_code_is_given_at_the_login(
    hall: Hall, served: Club, monkeypatch: pytest.MonkeyPatch, together: bool
) -> None:
    served.totp, served.together = "JBSWY3DPEHPK3PXP", together
    monkeypatch.setenv("CLUB_TOTP", served.totp)
    settings = (
        (hall.folder / "sim.toml").read_text("utf-8").replace("logged_in", 'totp = { env = "CLUB_TOTP" }\nlogged_in')
    )
    (hall.folder / "sim.toml").write_text(settings, "utf-8")
    hall.record()
    (user,) = served.members
    with Recording.open(hall.folder / "a.db") as recording:
        (run,) = recording.runs()
        assert "{{secret.totp}}" in [action.value for action in recording.actions(run.id)]
    served.forget()
    replayed = hall.replay()
    assert (replayed["verdict"], replayed["drift"]) == ("passed", None)
    assert served.came == [user]


@needs_bookshop
def test_everybody_is_offered_the_tools_of_mail_and_has_an_address_that_reaches_the_mailbox(hall: Hall) -> None:
    told = (hall.folder / "sim.toml").read_text("utf-8") + 'domain = "people.example.com"\n'
    (hall.folder / "sim.toml").write_text(told, "utf-8")
    settings = load_settings()
    personas = tuple(load_personas(hall.folder / "personas").values())
    options = RunOptions(
        settings=settings, site=settings.site("club"), personas=personas, count=2, seed="7", db=hall.folder / "a.db"
    )
    assert [persona.tools.toolsets for persona in equipped(options)] == [("browser", "books", "mail")]
    assert {one.identity.email.rpartition("@")[2] for one in members(options)} == {"people.example.com"}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["maildir", "mailpit"])
def test_several_users_read_their_own_mail_in_a_mailbox_of_another_kind(
    hall: Hall, served: Club, tmp_path: Path, kind: str
) -> None:
    with fake_mailpit() as mailpit:
        folder = tmp_path / "post" / "new"
        folder.mkdir(parents=True)
        lock = threading.Lock()

        def put(mail: EmailMessage) -> None:
            with lock:
                mailpit.take(mail)
                (folder / f"{len(mailpit.messages)}.host").write_bytes(mail.as_bytes())

        served.send = put
        named = f"maildir = '{folder.parent}'" if kind == "maildir" else f"mailpit = '{mailpit.url}'"
        told = (hall.folder / "sim.toml").read_text("utf-8").partition("smtp_port")[0]
        (hall.folder / "sim.toml").write_text(told + named, "utf-8")
        hall.record("--count", "3", "--concurrency", "3")
        users = sorted(served.members)
        assert sorted(served.came) == users
        assert len(users) == 3
        served.forget()
        code, out, err = hall.sim("replay", "a.db", "--db", "b.db", "--concurrency", "3")
        assert code == 0, out + err
        assert sorted(served.came) == users


@pytest.mark.slow
def test_what_reads_mail_is_no_test_on_its_own_but_a_playbook(hall: Hall, served: Club) -> None:
    hall.record()
    code, _, said = hall.sim("runs", "export", "last", "--format", "pytest", "--db", "a.db")
    assert code == 2
    assert "reads mail, which a test on its own cannot" in said
    assert hall.sim("runs", "export", "last", "--format", "playbook", "--db", "a.db", "--to", "club.yaml")[0] == 0
    served.forget()
    assert hall.sim("replay", "club.yaml", "--db", "b.db")[0] == 0
    assert len(served.came) == 1
    assert hall.leaks(served.drawn) == []


def shorten(recording: Path, timeout_ms: int) -> None:
    """Have a replay wait no longer than so for each mail."""
    with closing(sqlite3.connect(recording)) as connection:
        for step, text in connection.execute(
            "SELECT id, metadata FROM step WHERE metadata LIKE '%timeout_ms%'"
        ).fetchall():
            metadata = json.loads(text)
            metadata["mail"]["timeout_ms"] = timeout_ms
            connection.execute("UPDATE step SET metadata = ? WHERE id = ?", (json.dumps(metadata), step))
        connection.commit()
