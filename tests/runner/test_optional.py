"""What only dismissed something is marked, and skipped where it is not there; dismissing something new is a heal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from simulator.recording.reader import Recording
from tests.fakes.messages_api import call
from tests.fakes.server import served
from tests.runner.desk import Desk
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("the rule of evidence in whole runs")

BANNER = """<div id=banner role=dialog aria-label=Cookies style="position:fixed;inset:0;background:#fff">We use cookies.
<button type=button onclick="{effect}">{button}</button></div>"""
GONE = "document.getElementById('banner').remove()"
FORM = """<h1>Notes</h1><form method=post action=/notes><label>Note <input name=note></label><button>Keep</button>
</form><ul id=kept>{kept}</ul>"""
WAITS = "resolve_ms = 500\neffect_ms = 1000\n"
REPLAYING = "navigation_ms = 3000\n"
DISMISS = """
[[site.office.dismiss]]
name = "Cookies"
button = "Fine"
"""


@dataclass
class Site:
    """Keeps notes, under a banner or not."""

    url: str = ""
    banner: str = ""
    kept: list[str] = field(default_factory=list)

    def page(self) -> str:
        notes = "".join(f"<li>{note}</li>" for note in self.kept)
        return FORM.format(kept=notes) + self.banner


@pytest.fixture
def notes() -> Iterator[Site]:
    site = Site()

    class Handler(PageHandler):
        title = "Notes"

        def do_GET(self) -> None:
            self.answer(200, site.page())

        def do_POST(self) -> None:
            site.kept += parse_qs(self.body().decode()).get("note", [])
            self.answer(303, location="/")

    with served(Handler) as site.url:
        yield site


@pytest.fixture
def desk(notes: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Desk:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests of what is optional")
    return Desk(notes, tmp_path, capsys, waits=WAITS)


KEEP = [call("fill", selector="Note", value="Milk"), call("click", selector='role=button[name="Keep"]')]


def declare(desk: Desk, more: str) -> None:
    settings = desk.folder / "sim.toml"
    settings.write_text(settings.read_text("utf-8") + more, "utf-8")


def record(desk: Desk, *, answering: str = "Fine") -> None:
    click = [call("click", selector=f'role=button[name="{answering}"]')] if answering else []
    desk.record([call("navigate", url="/"), *click, *KEEP])
    settings = desk.folder / "sim.toml"
    settings.write_text(settings.read_text("utf-8").replace(WAITS, WAITS + REPLAYING), "utf-8")


def optional(desk: Desk) -> list[bool]:
    with Recording.open(desk.folder / "a.db") as recording:
        (run,) = recording.runs()
        return [bool(one.options.get("optional")) for one in recording.actions(run.id) if one.kind == "click"]


@pytest.mark.table
def test_a_dismissed_banner_that_is_not_there_is_skipped_and_listed(desk: Desk, notes: Site) -> None:
    notes.banner = BANNER.format(effect=GONE, button="Fine")
    record(desk)
    assert optional(desk) == [True, False]
    again = desk.replay()
    assert (again["verdict"], again["skipped"]) == ("passed", [])
    notes.banner = ""
    without = desk.replay()
    assert (without["verdict"], without["skipped"]) == ("passed", ["step 2: click button 'Fine'"])
    assert notes.kept == ["Milk"] * 3
    _, out, _ = desk.sim("replay", "a.db", "--db", "b.db")
    assert "skipped   user 1, step 2: click button 'Fine': it was not there" in out


@pytest.mark.slow
def test_a_banner_that_says_something_else_is_not_taken_for_absent(desk: Desk, notes: Site) -> None:
    notes.banner = BANNER.format(effect=GONE, button="Fine")
    record(desk)
    notes.banner = BANNER.format(effect=GONE, button="Pay 5 euros")
    replayed = desk.replay()
    assert (replayed["verdict"], replayed["skipped"], replayed["code"]) == ("target_missing", [], 1)
    assert notes.kept == ["Milk"]


@pytest.mark.parametrize(
    "effect",
    [
        pytest.param(
            f"document.querySelector('#kept').textContent = 'All deleted'; {GONE}",
            id="the page changed",
            marks=pytest.mark.slow,
        ),
        pytest.param(f"document.querySelector('[name=note]').value = 'Eggs'; {GONE}", id="a field changed"),
        pytest.param(
            f"fetch('/notes', {{method: 'POST', body: 'note=Bread'}}).then(() => {GONE})",
            id="it was sent",
            marks=pytest.mark.slow,
        ),
        pytest.param("this.textContent = 'Thanks'", id="it is still there"),
    ],
)
def test_what_did_more_than_to_go_away_is_not_optional(desk: Desk, notes: Site, effect: str) -> None:
    notes.banner = BANNER.format(effect=effect, button="Fine")
    if "Thanks" in effect:
        notes.banner = notes.banner.replace("inset:0", "left:0;bottom:0")
    record(desk)
    assert optional(desk) == [False, False]


@pytest.mark.slow
def test_a_declared_banner_is_dismissed_in_heal_and_becomes_a_step_of_the_revision(desk: Desk, notes: Site) -> None:
    record(desk, answering="")
    declare(desk, DISMISS)
    notes.banner = BANNER.format(effect=GONE, button="Fine")
    strict = desk.replay()
    assert (strict["verdict"], strict["code"]) == ("target_missing", 1)
    healed = desk.replay("a.db", "--mode", "heal")
    assert (healed["verdict"], healed["code"]) == ("healed", 0)
    assert {heal["kind"] for heal in healed["heals"]} == {"overlay"}
    assert notes.kept == ["Milk"] * 2
    again = desk.replay(healed["revision"], "--source", "b.db")
    assert (again["verdict"], again["heals"], again["skipped"]) == ("passed", [], [])
    notes.banner = ""
    without = desk.replay(healed["revision"], "--source", "b.db")
    assert without["verdict"] == "passed"
    assert without["skipped"]
    unhealed = desk.replay("a.db", "--mode", "heal", "--fail-on-heal")
    assert (unhealed["verdict"], unhealed["code"], unhealed["revision"]) == ("passed", 0, "")


@pytest.mark.slow
def test_what_many_users_heal_alike_becomes_one_revision(desk: Desk, notes: Site) -> None:
    record(desk, answering="")
    declare(desk, DISMISS)
    notes.banner = BANNER.format(effect=GONE, button="Fine")
    seeding = ("seed", "a.db", "--db", "b.db", "--count", "3", "--seed", "3", "--keep-words", "--yes", "--json")
    code, out, said = desk.sim(*seeding, "--on-drift", "heal")
    assert code == 0, said + out
    runs = json.loads(out)["runs"]
    assert [run["verdict"] for run in runs] == ["healed"] * 3
    (revision,) = {run["revision"] for run in runs}
    with Recording.open(desk.folder / "b.db") as recording:
        assert [run.id for run in recording.runs(kind="heal")] == [revision]
    assert desk.sim("replay", revision, "--source", "b.db", "--db", "b.db")[0] == 0


@pytest.mark.slow
def test_fail_on_heal(desk: Desk, notes: Site) -> None:
    record(desk, answering="")
    declare(desk, DISMISS)
    notes.banner = BANNER.format(effect=GONE, button="Fine")
    assert desk.replay("a.db", "--mode", "heal", "--fail-on-heal")["code"] == 1


@pytest.mark.slow
def test_a_banner_without_a_rule_stops_heal_too(desk: Desk, notes: Site) -> None:
    record(desk, answering="")
    notes.banner = BANNER.format(effect=GONE, button="Fine")
    healed = desk.replay("a.db", "--mode", "heal")
    assert (healed["verdict"], healed["revision"]) == ("target_missing", "")
    assert notes.kept == ["Milk"]


SAVES = f"fetch('/consent', {{method: 'POST'}}); {GONE}"
BY_ESCAPE = """<div id=banner role=dialog aria-label=News style="position:fixed;inset:0;background:#fff">We have moved.
</div><script>addEventListener("keydown", (event) => event.key === "Escape" && banner.remove())</script>"""


@pytest.mark.parametrize("saves", ["/consent", "/notes/7"])
def test_a_dialog_that_saves_a_preference_is_optional_once_two_performances_showed_it(
    desk: Desk, notes: Site, saves: str
) -> None:
    notes.banner = BANNER.format(effect=SAVES, button="Fine")
    long = call("fill", selector="Note", value="Two litres of milk for the night watch")
    desk.record([call("navigate", url="/"), call("click", selector='role=button[name="Fine"]'), long, KEEP[1]])
    settings = desk.folder / "sim.toml"
    settings.write_text(settings.read_text("utf-8").replace(WAITS, WAITS + REPLAYING), "utf-8")
    assert optional(desk) == [False, False]
    notes.kept.clear()
    # What sends something else the second time is no preference.
    notes.banner = notes.banner.replace("/consent", saves)
    code, out, said = desk.sim("prove", "last", "--db", "a.db", "--yes", "--json")
    assert code == 0, out + said
    notes.banner = ""
    without = desk.replay("a.db", "--identity", "fresh")
    skipped = ["step 2: click button 'Fine'"] if saves == "/consent" else []
    assert (without["verdict"], without["skipped"]) == ("passed" if skipped else "target_missing", skipped)


@pytest.mark.table
def test_a_dialog_that_was_closed_by_escape_is_closed_by_the_revision(desk: Desk, notes: Site) -> None:
    record(desk, answering="")
    notes.banner = BY_ESCAPE
    assert desk.replay()["verdict"] == "target_missing"
    healed = desk.replay("a.db", "--mode", "heal")
    assert (healed["verdict"], [heal["kind"] for heal in healed["heals"]]) == ("healed", ["overlay"])
    for notes.banner in (BY_ESCAPE, ""):
        again = desk.replay(healed["revision"], "--source", "b.db")
        assert (again["verdict"], again["heals"]) == ("passed", [])
    notes.banner = BY_ESCAPE.replace("News", "Your account is closed")
    assert desk.replay(healed["revision"], "--source", "b.db")["verdict"] == "target_missing"
    assert notes.kept == ["Milk"] * 4
