"""Things that a site calls by a short code in their addresses, another one each time: ``/talks/QXKBDR/``."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

pytestmark = pytest.mark.promise("what sites call things")

__all__ = ["run", "served_site", "small_site"]

FORM = """<form method=post action={path}><label>Title <input name=title value="{title}"></label>
<label>Minutes <input name=minutes value="{minutes}"></label><button>Save</button></form>"""
DOING = [
    call("navigate", url="/talks/new"),
    call("fill", selector="Title", value="Through {{identity.city}} on foot"),
    call("fill", selector="Minutes", value="25"),
    call("click", selector="Save"),
    call("navigate", url="/talks/"),
    call("click", selector="role=link[name='Through {{identity.city}} on foot']"),
    call("fill", selector="Minutes", value="35"),
    call("click", selector="Save"),
    call("navigate", url="/talks/"),
    call("click", selector="role=link[name='Through {{identity.city}} on foot']"),
]


def serve(site: SmallSite, codes: Iterator[str], lies: Mapping[str, str], at: int) -> None:
    """Let a site keep talks; it lies about one write, by number."""
    talks: dict[str, dict[str, str]] = {}
    written = 0

    def kept(fields: Mapping[str, str]) -> dict[str, str]:
        nonlocal written
        written += 1
        return {**fields, **(lies if written == at else {})}

    def show(code: str) -> str:
        path = f"/talks/{code}/"
        site.pages[path] = f"<h1>A talk</h1>{FORM.format(path=path, **talks[code])}"
        rows = "".join(f"<li><a href=/talks/{one}/>{talk['title']}</a></li>" for one, talk in talks.items())
        site.pages["/talks/"] = f"<ul>{rows}</ul>"
        return path

    def change(code: str, fields: Mapping[str, str]) -> str:
        talks[code] = kept(fields)
        return show(code)

    def make(fields: Mapping[str, str]) -> str:
        code = next(codes)
        site.answers[f"/talks/{code}/"] = lambda fields: change(code, fields)
        return change(code, fields)

    site.pages |= {"/talks/new": FORM.format(path="/talks/new", title="", minutes=""), "/talks/": "<p>None yet"}
    site.answers["/talks/new"] = make


@pytest.mark.parametrize("codes", [("QXKBDR", "NVSE9C"), ("h7Kd2p", "QWLMRT"), ("QXKBDR", "QXKBDR")])
@pytest.mark.parametrize(
    ("lies", "at", "verdict"),
    [({}, 0, "passed"), ({"minutes": "26"}, 1, "postcondition"), ({"minutes": "25"}, 2, "postcondition")],
    ids=["kept", "another number", "the change lost"],
)
def test_what_a_site_calls_by_a_code_is_known_by_whichever_it_draws(
    run: OneRun, small_site: SmallSite, codes: tuple[str, str], lies: Mapping[str, str], at: int, verdict: str
) -> None:
    serve(small_site, iter(codes), {}, 0)
    told = run.record(DOING)
    assert all(one.success for one in told), told
    serve(small_site, iter(codes[1:]), lies, at)
    replayed = run.replay()
    assert replayed["verdict"] == verdict, replayed["drift"]
    if verdict == "passed":
        assert [one["unseen"] for one in replayed["writes"]] == [[], []]


@pytest.mark.parametrize("code", ["K7MQXP", "QWLMRT"])
def test_a_code_of_letters_is_known_where_it_took_the_place_of_one_that_the_run_knows(
    run: OneRun, small_site: SmallSite, code: str
) -> None:
    form = FORM.replace("<button>", "<button name=go value=submit>") + "<dl><dt>State<dd>submitted</dl>"

    def serving(code: str) -> None:
        path = f"/talks/{code}/"

        def show(fields: Mapping[str, str]) -> str:
            small_site.pages[path] = "<h1>A talk</h1>" + form.format(path=path, **fields)
            small_site.pages["/talks/"] = f"<ul><li><a href={path}>{fields['title']}</a></ul>"
            return path

        small_site.answers["/talks/new"] = lambda fields: "/talks/" if show(fields) else ""
        small_site.answers[path] = show

    serve(small_site, iter(()), {}, 0)
    serving("KH8M3T")
    told = run.record(DOING)
    assert all(one.success for one in told), told
    serve(small_site, iter(()), {}, 0)
    serving(code)
    replayed = run.replay()
    assert replayed["verdict"] == "passed", replayed["drift"]
    assert replayed["writes"][1]["unseen"] == []


def test_a_word_where_a_code_was_is_another_page(run: OneRun, small_site: SmallSite) -> None:
    serve(small_site, iter(["QXKBDR"]), {}, 0)
    run.record(DOING[:4])
    serve(small_site, iter(["failed"]), {}, 0)
    replayed = run.replay()
    assert replayed["verdict"] == "postcondition", json.dumps(replayed)


@pytest.mark.parametrize("code", ["QXKBDR", "48213"])
def test_what_is_pressed_for_a_thing_that_is_called_by_a_code_is_told_where_nothing_shows_it(
    run: OneRun, small_site: SmallSite, code: str
) -> None:
    serve(small_site, iter([code]), {}, 0)
    small_site.pages[f"/talks/{code}/accept"] = "<h1>Sure?</h1><form method=post><button>Do it</button></form>"
    small_site.answers[f"/talks/{code}/accept"] = lambda _: f"/talks/{code}/"
    accepts = [call("navigate", url=f"/talks/{code}/accept"), call("click", selector="Do it")]
    told = run.record([*DOING[:4], *accepts])
    assert all(one.success for one in told), told
    serve(small_site, iter([code]), {}, 0)
    replayed = run.replay()
    assert [one["unseen"] for one in replayed["writes"]][1:] == [["button 'Do it'"]], replayed
