"""A batch of users with accounts that is cut off: who never began comes with the account of its place."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from simulator.cli.main import main
from tests.fakes.server import served
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("going on")

NAMES = ("ada", "ben", "cyd", "dan")
SETTINGS = """
packs = []
[site.club]
base_url = "{url}"
accounts = [{accounts}]
[site.club.routes]
login = "/login"
"""
PERSONA = "persona: member\nabout: Comes in.\nlocale: en_GB\ntasks:\n  - login\n"
FORM = """<h1>Log in</h1><form method=post action=/login><label>Username <input name=user></label>
<label>Password <input name=password type=password></label><button>Log in</button></form>"""


@pytest.fixture
def came(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Who has logged in on a site that knows four users."""
    came: list[str] = []

    class Handler(PageHandler):
        def do_GET(self) -> None:
            self.answer(200, FORM if self.path == "/login" else "<h1>Club</h1><a href=/logout>Log out</a>")

        def do_POST(self) -> None:
            sent = {name: values[0] for name, values in parse_qs(self.body().decode()).items()}
            if sent["user"] not in NAMES or sent["password"] != "Lamp-9-harbour":
                return self.answer(401, f"<p role=alert>The name or the password is wrong.</p>{FORM}")
            came.append(sent["user"])
            return self.answer(303, location="/")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    monkeypatch.setenv("CLUB", "Lamp-9-harbour")
    with served(Handler) as url:
        accounts = ", ".join(f'{{ username = "{name}", password = {{ env = "CLUB" }} }}' for name in NAMES)
        (tmp_path / "sim.toml").write_text(SETTINGS.replace("{url}", url).replace("{accounts}", accounts), "utf-8")
        (tmp_path / "personas").mkdir()
        (tmp_path / "personas/member.yaml").write_text(PERSONA, "utf-8")
        yield came


def test_who_never_began_comes_with_the_account_of_its_place(came: list[str]) -> None:
    assert main(["personas", "run", "member", "--count", "4", "--seed", "7", "--db", "a.db"]) == 0
    came.clear()
    with closing(sqlite3.connect("a.db")) as database, database:  # as a kill leaves it
        late = "(select id from run where number > 2)"
        database.execute(f"delete from action where step_id in (select id from step where run_id in {late})")
        database.execute(f"delete from step where run_id in {late}")
        database.execute("delete from run where number > 2")
    assert main(["runs", "resume", "last", "--db", "a.db"]) == 0
    assert sorted(came) == [*NAMES[2:]]
