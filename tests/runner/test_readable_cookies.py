"""A session's cookie that says in JSON what pages show makes no secret of that; its token stays one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun
from tests.sites.flashing import Flashing, serving_flashing

TITLE = "Old harbour walks"


@pytest.fixture
def site() -> Iterator[Flashing]:
    with serving_flashing() as served:
        yield served


@pytest.fixture
def run(tmp_path: Path, site: Flashing, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> OneRun:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    return OneRun(tmp_path, site.url, capsys)


PINS = [
    call("navigate", url="/"),
    call("fill", selector="Name", value="{{identity.username}}"),
    call("click", selector="Enter"),
    call("fill", selector="Title", value=TITLE),
    call("fill", selector="Link", value="https://harbour.example.org/{{identity.username}}/walks"),
    call("click", selector="role=button[name=Pin]"),
    call("fill", selector="Title", value="A mistake"),
    call("fill", selector="Link", value="https://harbour.example.org/wrong"),
    call("click", selector="role=button[name=Pin]"),
    call("navigate", url="/"),
    call("click", selector='tr:has(a[href$="/wrong"]) button'),
    call("navigate", url="/"),
    call("read_page"),
]


def test_what_a_readable_cookie_says_as_pages_do_is_no_secret(run: OneRun, site: Flashing) -> None:
    told = run.record(PINS)
    assert all(one.success for one in told), told
    assert not any("{{secret." in one.text for one in told), [one.text for one in told if "{{secret." in one.text]
    for _ in range(2):
        site.pins.clear()
        replayed = run.replay()
        assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [[]] * 4), replayed
        assert [one["title"] for one in site.pins.values()] == [TITLE]
    site.pins.clear()
    site.lying = {"link": "https://harbour.example.org/other"}
    assert run.replay()["verdict"] != "passed"
