"""A site that still has what the run has made before: the next performance acts on its own thing, or on none."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest

from tests.fakes.messages_api import Reply, call
from tests.runner.one_run import run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("never another element")

SIM = Path(sys.executable).with_name("sim")
TITLE = "Lantern of the old pier"
NEW = """<h1>New thing</h1><form method=post action=/new><label>Title <input name=title></label>
<button>Save</button></form>"""
EDIT = """<form method=post action={path}><label>Title <input name=title value="{title}"></label>
<button>Save</button></form>"""
ROW = """<li><a href=/things/{called}>{title}</a> <span>{likes} likes</span> <a href=/things/{called}/edit>Edit</a>
<form method=post action=/things/{called}/like><button>Like</button></form></li>"""


class Things:
    """What a site keeps, by what it calls each in its addresses."""

    def __init__(self, called: str) -> None:
        self.called = called
        self.listed = 9
        """How many of them the list shows."""
        self.opened: Callable[[], object] = lambda: None
        """Called as somebody asks for the list."""
        self.kept: dict[str, dict[str, Any]] = {"4": {"title": "Oak shelf", "likes": 0, "changed": 0}}

    def make(self, title: str) -> str:
        """Make one; a title that is taken gets a number in its address."""
        slug = re.sub(r"\W+", "-", title.lower())
        count = 4 + len(self.kept)
        name = str(count) if self.called == "number" else f"{slug}-{count}" if slug in self.kept else slug
        self.kept[name] = {"title": title, "likes": 0, "changed": 0}
        return name

    def own(self) -> list[tuple[int, int]]:
        """Give how often each that a run has made was liked and changed, the oldest first."""
        return [(one["likes"], one["changed"]) for one in self.kept.values() if one["title"].startswith(TITLE)]


def handler_of(things: Things, leads: str) -> type[PageHandler]:
    """Serve them: a list with buttons in its rows, a page for each, a form."""

    class Handler(PageHandler):
        def do_GET(self) -> None:
            steps = self.path.strip("/").split("/")
            if steps[0] == "new":
                return self.answer(200, NEW)
            if steps[0] == "things":
                one = things.kept[steps[1]]
                shown = EDIT.format(path=self.path, **one) if steps[2:] else f"<p>{one['likes']} likes</p>"
                return self.answer(200, f"<h1>{one['title']}</h1>{shown}")
            things.opened()
            rows = "".join(ROW.format(called=called, **one) for called, one in [*things.kept.items()][: things.listed])
            self.answer(200, f"<h1>Things</h1><ul>{rows}</ul><a href=/new>New</a>")

        def do_POST(self) -> None:
            steps = self.path.strip("/").split("/")
            fields = dict(parse_qsl(self.body().decode()))
            if steps[0] == "new":
                made = things.make(fields["title"])
                return self.answer(303, location={"list": "/", "thing": f"/things/{made}"}[leads])
            one = things.kept[steps[1]]
            one["likes"] += steps[2] == "like"
            one["changed"] += steps[2] == "edit"
            one["title"] = fields.get("title", one["title"])
            self.answer(303, location="/")

    return Handler


def script(*, looks: bool, act: str) -> list[Reply]:
    """Make a thing, and do something to it that the list offers."""
    row = "li:nth-of-type(2)"
    acts = {
        "like": [call("click", selector=f"{row} button")],
        "edit": [
            call("click", selector=f"{row} a[href$=edit]"),
            call("fill", selector="Title", value=f"{TITLE}, cleaned"),
            call("click", selector='role=button[name="Save"]'),
        ],
    }
    return [
        *([call("navigate", url="/")] if looks else []),
        call("navigate", url="/new"),
        call("fill", selector="Title", value=TITLE),
        call("click", selector='role=button[name="Save"]'),
        call("navigate", url="/"),
        *acts[act],
        call("navigate", url="/"),
    ]


@pytest.mark.parametrize("leads", ["list", "thing"])
@pytest.mark.parametrize("act", ["like", "edit"])
@pytest.mark.parametrize("looks", [True, False], ids=["seen before", "never seen"])
@pytest.mark.parametrize("called", ["number", "slug"])
def test_what_is_done_to_a_thing_is_done_to_ones_own_or_to_none(
    called: str, looks: bool, act: str, leads: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    things = Things(called)
    with run_on(handler_of(things, leads), tmp_path, monkeypatch, capsys) as run:
        told = run.record(script(looks=looks, act=act))
        assert [one.text for one in told if not one.success] == []
        done = (1, 0) if act == "like" else (0, 1)
        assert things.own() == [done]
        again = run.replay()

    old, new = things.own()
    assert old == done
    if looks:
        assert (again["verdict"], new) == ("passed", done), again["drift"]
    elif act == "like":
        assert (again["verdict"], new) == ("target_ambiguous", (0, 0)), again["drift"]
    else:  # the other one is called otherwise since it was changed, or nobody had seen which were there
        assert new == (done if again["verdict"] == "passed" else (0, 0)), again["drift"]


def test_other_users_who_make_things_of_one_title_act_on_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    things = Things("slug")
    with run_on(handler_of(things, "list"), tmp_path, monkeypatch, capsys) as run:
        told = run.record(script(looks=True, act="like"))
        assert [one.text for one in told if not one.success] == []
        others = [run.replay("--identity", "fresh") for _ in range(2)]

    assert [one["verdict"] for one in others] == ["passed", "passed"], [one["drift"] for one in others]
    assert things.own() == [(1, 0), (1, 0), (1, 0)]


@pytest.mark.parametrize("mode", ["strict", "heal"])
@pytest.mark.parametrize("called", ["number", "slug"])
def test_no_older_thing_is_taken_where_ones_own_is_not_there(
    called: str, mode: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    things = Things(called)
    with run_on(handler_of(things, "list"), tmp_path, monkeypatch, capsys) as run:
        told = run.record(script(looks=True, act="like"))
        assert [one.text for one in told if not one.success] == []
        things.listed = 2  # of a list with pages this is the first one
        again = run.replay("--mode", mode)

    assert things.own() == [(1, 0), (0, 0)]
    assert again["verdict"] == "target_contradicted", again["drift"]
    assert any("had stood there" in one for one in again["drift"]["contradicted"]), again["drift"]


@pytest.mark.parametrize("called", ["number", "slug"])
def test_nothing_is_healed_between_two_that_say_the_same(
    called: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    things = Things(called)
    with run_on(handler_of(things, "list"), tmp_path, monkeypatch, capsys) as run:
        told = run.record(script(looks=False, act="like"))
        assert [one.text for one in told if not one.success] == []
        again = run.replay("--mode", "heal")

    assert things.own() == [(1, 0), (0, 0)]
    assert again["verdict"] == "target_ambiguous", again["drift"]


@pytest.mark.parametrize("called", ["number", "slug"])
def test_what_was_recorded_where_an_older_thing_stood_is_known_as_ones_own(
    called: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    things = Things(called)
    things.make(TITLE)
    with run_on(handler_of(things, "list"), tmp_path, monkeypatch, capsys) as run:
        told = run.record([
            call("navigate", url="/"),
            call("navigate", url="/new"),
            call("fill", selector="Title", value=TITLE),
            call("click", selector='role=button[name="Save"]'),
            call("navigate", url="/"),
            call("click", selector="li:nth-of-type(3) button"),
        ])  # fmt: skip
        assert [one.text for one in told if not one.success] == []
        assert "could not find" not in told[-1].text
        again = run.replay()
        things.kept = dict([*things.kept.items()][:2])
        restored = run.replay()

    assert (again["verdict"], restored["verdict"]) == ("passed", "passed"), (again["drift"], restored["drift"])
    assert things.own() == [(0, 0), (1, 0)]


def test_a_replay_that_was_killed_goes_on_with_its_own_thing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    things = Things("number")
    with run_on(handler_of(things, "list"), tmp_path, monkeypatch, capsys) as run:
        told = run.record(script(looks=True, act="like"))
        assert [one.text for one in told if not one.success] == []
        del things.kept["5"]
        seed = [SIM, "seed", "a.db", "--count", "1", "--seed", "5", "--keep-words", "--yes", "--db", "b.db"]
        with subprocess.Popen(seed, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as killed:
            visits = iter((False, True))  # the answer to what was sent leads there, and then the user goes there
            things.opened = lambda: killed.kill() if things.own() and next(visits, True) else None
            told_last = killed.communicate(timeout=100)[0].decode()
        assert killed.returncode == -signal.SIGKILL, told_last
        assert things.own() == [(0, 0)]
        things.opened = lambda: None
        code, out, said = run.sim("runs", "resume", "last", "--db", "b.db")

    assert (code, things.own()) == (0, [(1, 0)]), out + said
