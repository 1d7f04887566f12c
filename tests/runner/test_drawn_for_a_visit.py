"""A form behind an address that the site draws for each visit, by letters that look like no id."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what things are called")

FORM = "<h1>Propose</h1><form method=post><label>Title <input name=title></label><button>Keep</button></form>"


@pytest.fixture
def leads() -> list[str]:
    """Where the site leads each visit."""
    return [f"/propose/{code}/info" for code in ("ooEHxY", "M1ZRqm", "XCheyi")]


@pytest.fixture
def run(
    leads: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    kept: list[str] = []
    visits = itertools.count()

    class Handler(PageHandler):
        def do_GET(self) -> None:
            if self.path == "/propose":
                return self.answer(302, "", leads[min(next(visits), len(leads) - 1)])
            talks = "".join(f"<li>{one}</li>" for one in kept)
            self.answer(200, FORM if self.path.startswith("/propose/") else f"<h1>Talks</h1><ul>{talks}</ul>")

        def do_POST(self) -> None:
            kept.append(dict(parse_qsl(self.body().decode()))["title"])
            self.answer(303, "", "/talks")

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        fill = call("fill", selector="Title", value="Lanterns at low tide")
        told = run.record([call("navigate", url="/propose"), fill, call("click", selector="Keep")])
        assert all(one.success for one in told), told
        yield run


def test_what_a_site_draws_for_each_visit_is_no_other_page(run: OneRun) -> None:
    for _ in range(2):
        replayed = run.replay()
        assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [[]]), replayed


def test_what_a_site_draws_behind_a_link_is_no_other_page(
    leads: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    visits = itertools.count()

    class Handler(PageHandler):
        def do_GET(self) -> None:
            if self.path == "/propose":
                return self.answer(302, "", leads[min(next(visits), len(leads) - 1)])
            self.answer(200, FORM if self.path.startswith("/propose/") else "<a href=/propose>Propose a talk</a>")

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        told = run.record([call("navigate", url="/"), call("click", selector="Propose a talk")])
        assert all(one.success for one in told), told
        assert run.replay()["verdict"] == "passed"
        leads.append("/propose/closed/info")
        assert [run.replay()["verdict"] for _ in range(2)] == ["passed", "postcondition"]


@pytest.mark.parametrize("word", ["Pbqcxl", "pbyxpy", "abcde1"])
def test_a_code_that_looks_like_a_word_is_none_where_another_visit_leads_elsewhere(
    word: str, leads: list[str], run: OneRun
) -> None:
    leads[1:] = [f"/propose/{word}/info", "/propose/XCheyi/info"]
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [[]]), replayed


def test_a_word_below_the_visited_address_is_another_page(leads: list[str], run: OneRun) -> None:
    leads[1:] = ["/propose/closed/info"]
    assert run.replay()["verdict"] == "postcondition"


def test_a_link_that_says_what_was_put_in_leads_to_the_page_of_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kept: dict[str, str] = {}
    codes = iter(("U8KQNW", "QGMPTL"))

    class Handler(PageHandler):
        def do_GET(self) -> None:
            talks = "".join(f"<li><a href=/talks/{code}/>{one}</a></li>" for code, one in kept.items())
            one = kept.get(self.path.strip("/").rpartition("/")[2])
            form = FORM.replace("method=post", "method=post action=/talks/")
            pages = {"/talks/new": form, "/talks/": f"<ul>{talks}</ul>"}
            self.answer(200, f"<h1>{one}</h1>" if one else pages.get(self.path, "<h1>Home"))

        def do_POST(self) -> None:
            kept[next(codes)] = dict(parse_qsl(self.body().decode()))["title"]
            self.answer(303, "", "/talks/")

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        title = "{{identity.first_name}} on lanterns"
        told = run.record(
            [
                call("navigate", url="/talks/new"),
                call("fill", selector="Title", value=title),
                call("click", selector="Keep"),
                call("click", selector="css=li a"),
            ]
        )
        assert all(one.success for one in told), told
        kept.clear()
        assert run.replay("--identity", "fresh")["verdict"] == "passed"
