"""A thing whose form goes on over several pages: each is filled and sent, and what follows is left alone."""

from __future__ import annotations

import html
import itertools
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from simulator.api import record_runs, replay_runs
from simulator.canonical import canonical_json
from simulator.recording.reader import Recording
from simulator.runner.upkeep.owners import find_owners
from tests.fakes.server import served
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("a site's own things")

SETTINGS = """
packs = []
[site.stage]
base_url = "{url}"
[site.stage.things.talk]
create = "{create}"
list = "/talks"
data = "talks"
{more}
[data.talks.make]
title = "{{{{faker.city}}}} {{{{n}}}}"
abstract = "About {{{{faker.city}}}} {{{{n}}}}"
level = "{{Easy|Hard}}"
room = "R{{{{n}}}}"
"""
PERSONA = """
persona: speaker
about: Speaks.
locale: en_GB
tasks:
  - create: {thing: talk, count: 2}
"""
LETTER = (
    "<footer><form method=post action=/letter><input type=email name=mail><button>Subscribe</button></form></footer>"
)
INFO = """<h1>New talk</h1><form method=post><label>Title <input name=title required value="{0}"></label>
<label>Abstract <textarea name=abstract required>{1}</textarea></label><button name=go value=on>Continue »</button>
<button name=go value=draft>or save as draft for now</button></form>"""
MORE = """<h1>More</h1><form method=post><label>Level of the audience <select name=level required><option value="">--
<option value=e>Easy<option value=h>Hard</select></label><label>Room <input name=room required value="{0}"></label>
{1}<button>Next</button></form>"""
SURE = "<h1>Is this right?</h1><p>{0}</p><form method=post><button>Send it in</button></form>"
TALK = """<h1>{0}</h1><form method=post action=/remarks><label>Remark <textarea name=remark required></textarea></label>
<button>Post</button></form>"""


class Talks:
    def __init__(self) -> None:
        self.kept: dict[str, dict[str, str]] = {}
        self.other: list[str] = []
        """What was sent elsewhere."""
        self.refused: set[str] = set()
        """Rooms that are taken."""
        self.ways = ("info", "more", "sure")
        self.holds = False
        """Whether the pages of a form go on to show what was put into them."""


@pytest.fixture
def talks() -> Talks:
    return Talks()


@pytest.fixture
def url(talks: Talks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    begun: dict[str, dict[str, str]] = {}
    visits, made = itertools.count(1), itertools.count(48213)

    class Handler(PageHandler):
        def do_GET(self) -> None:
            visit, _, step = self.path.removeprefix("/propose/").partition("/")
            if self.path == "/propose/":
                return self.answer(302, "", f"/propose/v{next(visits)}4x7/info")
            if self.path.startswith("/propose/"):
                title, text = (html.escape(begun.get(visit, {}).get(name, "")) for name in ("title", "abstract"))
                info = INFO.format(title, text) if talks.holds else INFO.format("", "")
                said = {"info": info, "more": MORE.format("", ""), "sure": SURE.format(title)}
                return self.answer(200, said[step] + LETTER)
            if self.path in talks.kept:
                return self.answer(200, TALK.format(html.escape(talks.kept[self.path]["title"])) + LETTER)
            rows = "".join(f"<li><a href={at}>{html.escape(one['title'])}</a></li>" for at, one in talks.kept.items())
            talk = f"<h1>Talks</h1><ul>{rows}</ul><a href=/propose/>New talk</a>" + LETTER
            self.answer(200, talk if self.path == "/talks" else "<a href=/talks>Talks</a>" + LETTER)

        def do_POST(self) -> None:
            visit, _, step = self.path.removeprefix("/propose/").partition("/")
            given = dict(parse_qsl(self.body().decode()))
            if not self.path.startswith("/propose/"):
                talks.other.append(self.path)
                return self.answer(303, "", "/talks")
            if given.get("room") in talks.refused:
                taken = "<p class=error role=alert id=e>This room is taken already.</p>"
                return self.answer(200, MORE.format(given["room"], taken) + LETTER)
            begun.setdefault(visit, {}).update(given)
            onward = dict(itertools.pairwise(talks.ways)).get(step)
            if onward is not None and given.get("go") != "draft":
                return self.answer(303, "", f"/propose/{visit}/{onward}")
            at = f"/talks/{next(made)}"
            talks.kept[at] = begun[visit]
            self.answer(303, "", "/talks" if talks.holds else at)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    (tmp_path / "personas").mkdir()
    (tmp_path / "personas/speaker.yaml").write_text(PERSONA, "utf-8")
    with served(Handler) as url:
        yield url


def written(url: str, folder: Path, create: str = "/propose/", more: str = "") -> None:
    (folder / "sim.toml").write_text(SETTINGS.format(url=url, create=create, more=more), "utf-8")


def made(talks: Talks) -> list[dict[str, str]]:
    (run,) = record_runs((), db="a.db", count=1, seed="7", agent="autopilot").runs
    assert [one.status for one in run.tasks] == ["done"], run
    assert not talks.other
    return list(talks.kept.values())


@pytest.mark.parametrize("create", ["/propose/", "New talk"])
def test_all_pages_of_a_form_are_filled_and_what_stands_on_the_things_page_is_not(
    create: str, url: str, talks: Talks, tmp_path: Path
) -> None:
    talks.ways = talks.ways if create == "/propose/" else ("info", "more")
    written(url, tmp_path, create)
    kept = made(talks)
    assert len(kept) == 2
    assert all(one["go"] == "on" and one["level"] in "eh" and one["room"].startswith("R") for one in kept), kept
    talks.kept.clear()
    assert [one.verdict for one in replay_runs("a.db", db="b.db").runs] == ["passed"], replay_runs("a.db", db="bb.db")
    assert list(talks.kept.values()) == kept
    assert not talks.other


def test_the_page_of_a_form_is_not_where_what_was_made_is(url: str, talks: Talks, tmp_path: Path) -> None:
    written(url, tmp_path)
    talks.holds, talks.ways = True, ("info", "more")
    made(talks)
    at = "/propose/{{site.propose_1}}/info"
    # As of a site whose list names what is new by a code of its own.
    new = canonical_json({"at": at, "called": "", "ids": ["k3f9a1"], "new": True})
    with closing(sqlite3.connect(tmp_path / "a.db")) as database, database:
        (write,) = database.execute("SELECT id FROM write WHERE url = ?", [at]).fetchone()
        database.execute("UPDATE effect SET thing = ? WHERE write_id = ?", [new, write])
    with Recording.open(tmp_path / "a.db") as recording:
        (owner,) = find_owners(recording, recording.runs()[0].batch_id)
        (talk,) = [one for one in owner.things if one.id == write]
        assert (owner.shown(talk.url), talk.own) == ("/talks", False)
        assert [*talk.texts] == ["Title"], "a list shows no more of it: what it does not show is not gone"


def test_what_a_later_page_refuses_is_changed_there(url: str, talks: Talks, tmp_path: Path) -> None:
    written(url, tmp_path)
    talks.refused = {"R1"}
    kept = made(talks)
    assert len(kept) == 2
    assert kept[0]["room"] != "R1"
    talks.kept.clear()
    assert [one.verdict for one in replay_runs("a.db", db="b.db").runs] == ["passed"]
    assert list(talks.kept.values()) == kept


def test_a_column_that_is_named_may_have_its_field_on_a_later_page(url: str, talks: Talks, tmp_path: Path) -> None:
    written(url, tmp_path, more='fields = { title = "Title", abstract = "Abstract", room = "Room" }')
    assert len(made(talks)) == 2
    written(url, tmp_path, more='fields = { title = "Title", abstract = "Abstract", room = "Colour" }')
    (run,) = record_runs((), db="c.db", count=1, seed="8", agent="autopilot").runs
    assert "no page of the form has a field for 'room'" in run.tasks[0].reason


def test_a_draft_is_kept_where_the_section_says_so(url: str, talks: Talks, tmp_path: Path) -> None:
    written(url, tmp_path, more='submit = "or save as draft for now"')
    assert [(one["go"], "room" in one) for one in made(talks)] == [("draft", False)] * 2
