"""What was sent is looked for between two tasks while the model thinks about the next one, and not after that."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.messages_api import Reply, call
from tests.runner.one_run import OneRun
from tests.sites.things import Things, serving_things

pytestmark = pytest.mark.promise("where what was sent is seen")

MAKE = [
    call("navigate", url="/new"),
    call("fill", selector="Title", value="Border spade"),
    call("check", selector="Urgent"),
    call("click", selector="button"),
    call("complete", result="It is kept."),
]
LONGEST_S = 30


@pytest.fixture
def site() -> Iterator[Things]:
    with serving_things() as things:
        yield things


def test_the_model_is_not_kept_waiting(
    tmp_path: Path, site: Things, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No page shows whether a thing is urgent, so pages are looked at again: as soon as the task is over."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    run = OneRun(tmp_path, site.url, capsys, tasks="  - do: Keep a spade.\n  - do: See what there is.")
    meanwhile: list[str] = []

    def turns() -> Iterator[Reply]:
        yield from MAKE
        ends = time.monotonic() + LONGEST_S
        before = len(site.looks)
        while len(site.looks) == before and time.monotonic() < ends:
            time.sleep(0.01)
        meanwhile.extend(site.looks[before:])
        yield call("navigate", url="/things")

    assert all(told.success for told in run.record(turns()))
    assert meanwhile, "nothing was looked at before the model had answered"
    assert site.things[41]["urgent"] == "yes"
    later = site.looks.index("/things")
    assert all(look in site.looks[:later] for look in meanwhile)
