"""What deletes a thing stands in a closed menu, and a page asks whether one means it: judged by the site's database."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from simulator.api import record_runs
from simulator.cli.main import main
from simulator.config import load_settings
from tests.runner.site_of_things import Kept, project_of, record_and_replay

pytestmark = pytest.mark.promise("a site's own things")

SETTINGS = """
packs = []

[site.allotments]
base_url = "{url}"

[site.allotments.things.plot]
create = "/plots/new"
list = "/plots"
data = "plots"
edit = { fields = ["soil"] }
delete = true

[data.plots]
make.title = "{{faker.city}} {{n}}"
make.soil = "Dug by {{faker.company}} in spring, and dry since."
"""
PERSONA = """
persona: digger
about: Has a plot or two.
locale: en_GB
limits: {steps: 600}
tasks:
  - register
  - create: {thing: plot, count: 3}
"""
EDIT = "  - edit: plot\n"
DELETE = "  - delete: plot\n"
QUERIES = ("select owner, title, soil from plots", "select plot from refusals")


@contextmanager
def allotments(folder: Path, tasks: str, *ways: str) -> Iterator[Kept]:
    """Serve the allotments, in the folder of a project that knows them."""
    with project_of(folder, "allotments", SETTINGS, PERSONA + tasks, *ways) as file:
        yield Kept(file, QUERIES, ("people", "sessions", "plots", "refusals"))


@pytest.mark.slow
@pytest.mark.parametrize(
    "ways",
    [
        ("details", "page"),
        ("details", "row", "plain"),
        ("drawn", "page", "plain"),
        ("drawn", "row"),
        ("details", "page", "nav", "account"),
        ("drawn", "page", "nav", "account", "article"),
        ("toolbar", "page", "article"),
        ("hidden", "page"),
        ("led", "page"),
    ],
)
def test_the_menu_is_opened_and_what_asks_is_answered(ways: Sequence[str], tmp_path: Path) -> None:
    with allotments(tmp_path, EDIT + DELETE, *ways, "asks") as site:
        plots, refusals = record_and_replay(site, count=1)
        assert len(plots) == 2
        assert refusals == []
        assert len(site.rows("select name from people")) == 1


@pytest.mark.slow
def test_where_nobody_asks_the_next_thing_is_not_deleted_as_well(tmp_path: Path) -> None:
    with allotments(tmp_path, DELETE, "details", "page") as site:
        plots, _ = record_and_replay(site, count=1)
        assert len(plots) == 2


@pytest.mark.slow
def test_a_link_that_leads_on_instead_of_opening_its_menu_deletes_nothing(tmp_path: Path) -> None:
    with allotments(tmp_path, DELETE, "led", "unbound", "page") as site:
        (run,) = record_runs((), db="a.db", count=1, seed="7", agent="autopilot").runs
        assert run.tasks[-1].status == "failed"
        assert "says delete" in run.tasks[-1].reason
        assert len(site.held()[0]) == 3


@pytest.mark.slow
def test_a_thing_that_is_still_there_was_not_deleted(tmp_path: Path) -> None:
    with allotments(tmp_path, DELETE, "details", "row", "asks", "lying") as site:
        (run,) = record_runs((), db="a.db", count=1, seed="7", agent="autopilot").runs
        assert run.tasks[-1].status == "failed"
        assert "still in its list" in run.tasks[-1].reason
        assert len(site.held()[0]) == 3


@pytest.mark.slow
@pytest.mark.parametrize("place", [("row",), ("page",), ("page", "nav")])
@pytest.mark.parametrize("menu", ["details", "drawn"])
def test_a_first_look_finds_what_deletes_in_a_menu(
    menu: str, place: Sequence[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with allotments(tmp_path, "", menu, *place, "asks") as site:
        (run,) = record_runs((), db="a.db", count=1, seed="7", agent="autopilot").runs
        assert run.status == "passed"
        ((name, password),) = site.rows("select name, password from people")
        monkeypatch.setenv("PLOT_PASSWORD", str(password))
        url = load_settings().site("allotments").base_url
        looked = ["site", "learn", url, "--name", "looked", "--login", str(name), "--password-env", "PLOT_PASSWORD"]
        assert main([*looked, "--out", "looked.toml"]) == 0
        plot = load_settings(Path("looked.toml")).site("looked").things["plot"]
        assert plot.delete is True, Path("looked.toml").read_text("utf-8")
        assert len(site.held()[0]) == 3
