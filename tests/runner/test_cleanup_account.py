"""Closing the account of a user who is cleaned up: by the site's own page for that, and looked at afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from simulator.config import load_settings
from simulator.recording.reader import Recording
from simulator.runner.batch import RunOptions, run_batch
from simulator.runner.stop import Stop
from simulator.runner.upkeep.cleanup import CleanedUp, CleanupOptions, clean_up, plan_cleanup
from tests.runner.bench import persona
from tests.sites.office import Office, office

pytestmark = pytest.mark.promise("what users left on a site")

SETTINGS = """
[site.office]
base_url = "{url}"
routes = {{ register = "/register", login = "/login", delete_account = "/account" }}
logged_in = {{ role = "button", name = "Log out" }}
"""
MEMBER = {"persona": "member", "tasks": ["register", "login"]}


@pytest.fixture
def place() -> Iterator[Office]:
    with office() as found:
        yield found


async def cleaned(place: Office, folder: Path) -> list[CleanedUp]:
    """Let two users open an account, and clean up after them."""
    (folder / "sim.toml").write_text(SETTINGS.format(url=place.url), "utf-8")
    known = load_settings(folder / "sim.toml")
    site = known.site("office")
    options = RunOptions(
        settings=known, site=site, personas=(persona(MEMBER),), count=2, seed="7", concurrency=1,
        db=folder / "runs.db", screenshots="none",
    )  # fmt: skip
    result = await run_batch(options, lambda _: None, Stop())
    assert [(run.status, run.reason) for run in result.runs] == [("passed", "")] * 2
    assert len(place.users) == 2
    cleaning = CleanupOptions(settings=known, site=site, db=options.db, target="last", screenshots="none")
    assert plan_cleanup(cleaning).count == 2
    told = await clean_up(cleaning, lambda _: None, Stop())
    with Recording.open(options.db) as recording:
        secrets = [step.input for run in recording.runs(told.batch_id) for step in recording.steps(run.id)]
        assert "{{secret.password}}" in str(secrets)
    return list(told.cleaned)


@pytest.mark.table
@pytest.mark.parametrize("asks_again", [pytest.param(False, marks=pytest.mark.slow), True])
async def test_the_account_of_who_opened_it_is_closed(place: Office, tmp_path: Path, asks_again: bool) -> None:
    place.asks_again = asks_again
    told = await cleaned(place, tmp_path)
    assert [(one.kind, one.became, one.reason) for one in told] == [("account", "removed", "")] * 2
    assert place.users == {}


@pytest.mark.slow
async def test_an_account_that_is_there_still_is_told_as_left(place: Office, tmp_path: Path) -> None:
    place.keeps_accounts = True
    told = await cleaned(place, tmp_path)
    assert [(one.became, one.reason) for one in told] == [("left", "its user can still log in")] * 2
    assert len(place.users) == 2


async def test_accounts_that_nobody_can_close_are_named(place: Office, tmp_path: Path) -> None:
    (tmp_path / "sim.toml").write_text(SETTINGS.format(url=place.url).replace(', delete_account = "/account"', ""))
    known = load_settings(tmp_path / "sim.toml")
    site = known.site("office")
    options = RunOptions(
        settings=known, site=site, personas=(persona(MEMBER),), count=2, seed="7", concurrency=1,
        db=tmp_path / "runs.db", screenshots="none",
    )  # fmt: skip
    await run_batch(options, lambda _: None, Stop())
    cleaning = CleanupOptions(settings=known, site=site, db=options.db, target="last", screenshots="none")
    told = await clean_up(cleaning, lambda _: None, Stop())
    assert sorted(told.accounts) == sorted(place.users), told
    assert told.lines()[-1].startswith("2 accounts stay, as the site has no route 'delete_account': ")
