"""What a single page sends as JSON in a text is what was put in; what is deleted by the name in a route is reported."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun
from tests.sites.prompts import Prompts, serving_prompts

pytestmark = pytest.mark.promise("a write in whatever way it is sent")


@pytest.fixture
def site() -> Iterator[Prompts]:
    with serving_prompts() as served:
        yield served


@pytest.fixture
def run(tmp_path: Path, site: Prompts, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> OneRun:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    return OneRun(tmp_path, site.url, capsys)


def made(name: str, text: str, *, more: bool) -> list[Any]:
    beside = [
        call("fill", selector="Temperature", value="0.4"),
        call("fill", selector="Stop words", value="that is all, good night"),
    ]
    return [
        call("navigate", url="/#/prompts"),
        call("click", selector="New prompt"),
        call("fill", selector="Name", value=name),
        call("fill", selector="Text", value=text),
        *(beside if more else ()),
        call("click", selector="role=button[name=Create]"),
        call("wait_for", selector="Remove"),
    ]


TURNS = [
    *made("greeting-of-{{identity.username}}", "Greet the guest in one friendly sentence.", more=True),
    *made("wrong-of-{{identity.username}}", "A mistake of the first morning.", more=False),
    call("navigate", url="/#/prompts"),
    call("click", selector="wrong-of-{{identity.username}}"),
    call("click", selector="Remove"),
    call("click", selector="role=button[name=Delete]"),
    call("navigate", url="/#/prompts"),
    call("click", selector="greeting-of-{{identity.username}}"),
    call("wait_for", selector="Remove"),
]


def unseen(replayed: dict[str, Any]) -> list[tuple[str, list[str]]]:
    return [(one["method"], one["unseen"]) for one in replayed["writes"]]


def test_what_is_sent_as_json_in_a_text_is_seen_again_or_reported(run: OneRun, site: Prompts) -> None:
    told = run.record(TURNS)
    assert all(one.success for one in told), told
    assert len(site.prompts) == 1
    site.prompts.clear()
    replayed = run.replay()
    assert replayed["verdict"] == "passed", replayed
    (made, wrong, gone) = replayed["writes"]
    assert (made["inputs"], wrong["inputs"], gone["method"]) == (4, 2, "DELETE"), replayed
    assert "Stop words" in made["unseen"], "no page shows them"
    assert gone["unseen"] == ["button 'Delete'"], "nobody has seen it on a page that was loaded before"
    for lie in ({"temperature": 0.7}, {"text": "Greet nobody."}):
        site.prompts.clear()
        site.lying = lie
        replayed = run.replay()
        field = {"temperature": "Temperature", "text": "Text"}[next(iter(lie))]
        assert field in unseen(replayed)[0][1], (lie, replayed)


def test_a_site_that_deletes_nothing_by_name_is_red_or_reported(run: OneRun, site: Prompts) -> None:
    run.record(TURNS)
    site.prompts.clear()
    site.keeps_all = True
    replayed = run.replay()
    assert len(site.prompts) == 2
    assert unseen(replayed)[2][1] != [], replayed
