"""What a single page saves by an API is told and proven as what a form sends: by a later document, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun
from tests.sites.single_page import SinglePage, Way, serving_single_page

pytestmark = pytest.mark.promise("a write in whatever way it is sent")

TITLE = "Bellows from the old forge"
SITES = [(way, at_once) for way in get_args(Way) for at_once in (False, True)]


@pytest.fixture
def site(request: pytest.FixtureRequest) -> Iterator[SinglePage]:
    way, at_once = request.param
    with serving_single_page(way, at_once=at_once) as served:
        yield served


@pytest.fixture
def run(
    tmp_path: Path, site: SinglePage, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> OneRun:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    return OneRun(tmp_path, site.url, capsys)


def made(replayed: dict[str, Any]) -> list[tuple[int, list[str]]]:
    return [(one["inputs"], one["unseen"]) for one in replayed["writes"]]


SAVE = [
    call("navigate", url="/"),
    call("click", selector="A lamp"),
    call("fill", selector="Title", value=TITLE),
    call("fill", selector="Copies", value="5"),
    call("click", selector="Save"),
    call("navigate", url="/"),
    call("click", selector=TITLE),
]


@pytest.mark.parametrize("site", SITES, indirect=True, ids=[f"{way} {at_once}" for way, at_once in SITES])
def test_what_a_single_page_saves_is_proven_by_a_later_document(run: OneRun, site: SinglePage) -> None:
    told = run.record(SAVE)
    assert all(one.success for one in told), told
    assert site.notes[48213]["title"] == TITLE
    site.fill()
    replayed = run.replay()
    assert (replayed["verdict"], made(replayed)) == ("passed", [(2, [])]), replayed
    for lie, unseen in (({"title": "Bellows"}, "Title"), ({"copies": "4"}, "Copies")):
        site.fill()
        site.lying = lie
        replayed = run.replay()
        assert replayed["verdict"] != "passed", (lie, replayed)
        assert unseen in made(replayed)[0][1], (lie, replayed)
    site.fill()
    site.lying, site.swallows = {}, True
    replayed = run.replay()
    assert replayed["verdict"] != "passed", replayed
    assert set(made(replayed)[0][1]) == {"Title", "Copies"}


@pytest.mark.parametrize("site", SITES, indirect=True, ids=[f"{way} {at_once}" for way, at_once in SITES])
def test_what_is_refused_with_200_is_no_write(run: OneRun, site: SinglePage) -> None:
    site.refuses = True
    run.record([*SAVE[:5], call("navigate", url="/")])
    assert [one for one in run.effects() if one[1] == "kept"] == []


@pytest.mark.parametrize("site", SITES, indirect=True, ids=[f"{way} {at_once}" for way, at_once in SITES])
def test_what_is_refused_with_200_in_a_replay_is_not_proven(run: OneRun, site: SinglePage) -> None:
    run.record(SAVE)
    site.fill()
    site.refuses = True
    replayed = run.replay()
    assert replayed["verdict"] != "passed", replayed
    assert made(replayed) in ([], [(2, ["Title", "Copies"])]), replayed


@pytest.mark.parametrize("site", [("put", False), ("put", True)], indirect=True, ids=["put", "put at once"])
def test_what_a_page_sent_of_itself_is_compared_with_the_data_that_it_fetches(run: OneRun, site: SinglePage) -> None:
    run.record(SAVE)
    for name, text in (("shelf", "18"), ("box", "17"), ("place", "Above the new oak stairs")):
        site.fill()
        site.lying = {name: text}
        replayed = run.replay()
        assert replayed["verdict"] == "postcondition", (text, replayed)
        assert name in made(replayed)[0][1], (text, replayed)
        assert f"{name} '{text}'" in str(replayed["drift"]), (text, replayed)
    # What the site renews itself is nobody's, also where it was much as it had been sent when it was recorded.
    site.fill()
    site.lying = {"changed": "2026-11-26T05:00:00.000"}
    replayed = run.replay()
    assert (replayed["verdict"], made(replayed)) == ("passed", [(2, [])]), replayed
