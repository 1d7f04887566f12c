"""A site that this program was not made for: Django's admin, installed from PyPI.

A scripted model adds a group and a user; what it did is replayed by the same user on a reset site, and by fresh ones.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from simulator.cli.main import main
from tests.fakes.messages_api import KEY, call, messages_api
from tests.runner.test_honest_sites import refused
from tests.sites.django_admin import ACCOUNT, GROUP, LOGS_IN, PASSWORD, DjangoAdmin

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

SETTINGS = """
[site.admin]
base_url = "{url}"
secrets = {{ root_password = {{ env = "ROOT_PASSWORD" }} }}
routes = {{ login = "/admin/login/" }}
"""
PERSONA = """
persona: keeper
about: Keeps the accounts of a site.
locale: en_GB
tasks:
  - do: Add a group for your town, and an account for yourself.
limits: {tokens: 10000000}
"""
SCRIPT = [
    call("navigate", url="/admin/"),
    *LOGS_IN,
    call("read_page"),
    *GROUP,
    *ACCOUNT,
    call("fill", selector="First name", value="{{identity.first_name}}"),
    call("fill", selector="Email address", value="{{identity.email}}"),
    call("check", selector="Staff status"),
    call("click", selector='role=button[name="Save"]'),
    call("complete", result="Both are there."),
]
PEOPLE = "SELECT username, first_name, email, is_staff FROM auth_user WHERE username != 'root'"
GROUPS = "SELECT name FROM auth_group"


@pytest.fixture(scope="module")
def admin(tmp_path_factory: pytest.TempPathFactory) -> DjangoAdmin:
    return DjangoAdmin.install(tmp_path_factory.mktemp("django"))


def test_a_model_keeps_accounts_once_and_users_do_it_again(
    admin: DjangoAdmin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests of other sites")
    monkeypatch.setenv("ROOT_PASSWORD", PASSWORD)
    (tmp_path / "personas").mkdir()
    (tmp_path / "personas" / "keeper.yaml").write_text(PERSONA, "utf-8")
    admin.reset()
    with admin.served() as url:
        (tmp_path / "sim.toml").write_text(SETTINGS.format(url=url), "utf-8")
        with messages_api(SCRIPT) as api, monkeypatch.context() as patch:
            patch.setenv("ANTHROPIC_API_KEY", KEY)
            patch.setenv("ANTHROPIC_BASE_URL", api.url)
            code = main(["personas", "run", "keeper", "--agent", "claude", "--seed", "7", "--db", "a.db"])
        assert code == 0, capsys.readouterr()
        assert PASSWORD.encode() not in api.everything
        original = admin.rows(PEOPLE), admin.rows(GROUPS)
        assert len(original[0]) == len(original[1]) == 1
        assert PASSWORD.encode() not in (tmp_path / "a.db").read_bytes()
        assert refused(tmp_path / "a.db")[1] == []

        assert main(["replay", "a.db", "--identity", "fresh", "--seed", "3", "--db", "b.db"]) == 0, capsys.readouterr()
        people = admin.rows(PEOPLE)
        assert len({name for name, *_ in people}) == 2
        assert [staff for *_, staff in people] == [1, 1]
        assert len(admin.rows(GROUPS)) == 2, "each from a town of their own"

        admin.reset()
        capsys.readouterr()
        assert main(["replay", "a.db", "--db", "b.db", "--json"]) == 0, capsys.readouterr()
        assert (admin.rows(PEOPLE), admin.rows(GROUPS)) == original
        (run,) = json.loads(capsys.readouterr().out)["runs"]
        assert run["verdict"] == "passed"


def test_what_a_model_left_is_looked_at_and_deleted(
    admin: DjangoAdmin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By root, who came in by a secret of the site section; Django asks before it deletes, and leads to its index."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests of other sites")
    monkeypatch.setenv("ROOT_PASSWORD", PASSWORD)
    (tmp_path / "personas").mkdir()
    (tmp_path / "personas" / "keeper.yaml").write_text(PERSONA, "utf-8")
    admin.reset()
    with admin.served() as url:
        (tmp_path / "sim.toml").write_text(SETTINGS.format(url=url), "utf-8")
        with messages_api(SCRIPT) as api, monkeypatch.context() as patch:
            patch.setenv("ANTHROPIC_API_KEY", KEY)
            patch.setenv("ANTHROPIC_BASE_URL", api.url)
            assert main(["personas", "run", "keeper", "--agent", "claude", "--seed", "7", "--db", "a.db"]) == 0
        capsys.readouterr()
        assert main(["runs", "verify-site", "last", "--db", "a.db", "--json"]) == 0, capsys.readouterr()
        places = json.loads(capsys.readouterr().out)["places"]
        assert {one["became"] for one in places} == {"shown"}
        assert {"Name", "First name", "Email address"} <= {one["field"].rstrip(":") for one in places}
        main(["cleanup", "last", "--yes", "--db", "a.db", "--json"])
        cleaned = json.loads(capsys.readouterr().out)["cleaned"]
        assert [one["became"] for one in cleaned] == ["removed"] * len(cleaned), cleaned
        assert (admin.rows(PEOPLE), admin.rows(GROUPS)) == ([], [])
