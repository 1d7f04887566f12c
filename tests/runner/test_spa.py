"""A single-page application that this program was not made for: SQLPad (React), installed from npm.

A scripted model signs up, writes a query, saves it by its shortcut and renames it. What it did is replayed by the same
user on a reset site, and by fresh ones. The truth is what the server has stored.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from simulator.cli.main import main
from tests.fakes.messages_api import KEY, call, messages_api
from tests.sites.sqlpad import SqlPad

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

SETTINGS = """
[site.pad]
base_url = "{url}"
routes = {{ login = "/signin", register = "/signup" }}
"""
PERSONA = """
persona: analyst
about: Keeps queries.
locale: en_GB
tasks:
  - do: Sign up, and keep a query about your town.
limits: {tokens: 10000000}
"""
SCRIPT = [
    call("navigate", url="/signup"),
    call("fill", selector="Email address", value="{{identity.email}}"),
    call("secure_fill", selector="role=textbox[name='Password']", secret="password"),
    call("secure_fill", selector="Confirm Password", secret="password"),
    call("click", selector="Sign up"),
    call("navigate", url="/queries/new"),
    call("fill", selector="Query name", value="Readers of {{identity.city}}"),
    call("press_key", key="Control+s"),
    call("fill", selector="Query name", value="Readers of {{identity.city}}, by {{identity.first_name}}"),
    call("press_key", key="Control+s"),
    call("click", selector="role=button[name='Queries']"),
    call("read_page"),
    call("complete", result="It is there."),
]


@pytest.fixture(scope="module")
def pad(tmp_path_factory: pytest.TempPathFactory) -> SqlPad:
    return SqlPad.install(tmp_path_factory.mktemp("sqlpad"))


def kept(pad: SqlPad) -> list[tuple[str, str, str]]:
    """Name, author and last author of each query, in the order of their names."""
    return sorted((one["name"], one["createdBy"], one["modifiedBy"]) for one in pad.rows("queries"))


def people(pad: SqlPad) -> set[str]:
    return {one["email"] for one in pad.rows("users")} - {"root@example.org"}


def test_a_model_keeps_a_query_once_and_users_do_it_again(
    pad: SqlPad, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests of other sites")
    (tmp_path / "personas").mkdir()
    (tmp_path / "personas" / "analyst.yaml").write_text(PERSONA, "utf-8")
    with pad.served() as url:
        pad.reset()
        (tmp_path / "sim.toml").write_text(SETTINGS.format(url=url), "utf-8")
        with messages_api(SCRIPT) as api, monkeypatch.context() as patch:
            patch.setenv("ANTHROPIC_API_KEY", KEY)
            patch.setenv("ANTHROPIC_BASE_URL", api.url)
            code = main(["personas", "run", "analyst", "--agent", "claude", "--seed", "7", "--db", "a.db"])
        assert code == 0, capsys.readouterr()
        original = kept(pad), people(pad)
        ((name, author, editor),) = original[0]
        assert {author, editor} == original[1]
        assert name.startswith("Readers of ")
        assert ", by " in name

        replay(["--identity", "fresh", "--seed", "3"], capsys)
        assert len(people(pad)) == 2
        again = kept(pad)
        assert len(again) == len({name for name, *_ in again}) == 2, "each about a town of their own"
        assert {author for _, author, _ in again} == {editor for *_, editor in again} == people(pad)

        pad.reset()
        replay([], capsys)
        assert (kept(pad), people(pad)) == original


def replay(options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Replay the recording strictly; it has to pass."""
    capsys.readouterr()
    code = main(["replay", "a.db", "--db", "b.db", "--json", *options])
    said: Any = capsys.readouterr()
    assert code == 0, said
    (run,) = json.loads(said.out)["runs"]
    assert run["verdict"] == "passed"
