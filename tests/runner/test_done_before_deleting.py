"""A thing is pressed, and deleted later: that it is gone proves the second press alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what becomes of a press")

PAGE = """<h1>{name}</h1><form method=post action=/things/{number}/copy><button>Duplicate</button></form>
<form method=post action=/things/{number}/delete><button>Delete</button></form><a href=/things>All</a>"""


@dataclass
class Site:
    """Things by number."""

    lies: bool = False
    """Whether it makes no copy."""
    things: dict[int, str] = field(default_factory=dict)

    def reset(self) -> None:
        self.things = {48213: "Alpha lamp", 48230: "Beta lamp", 48247: "Gamma lamp"}


@pytest.fixture
def site() -> Site:
    made = Site()
    made.reset()
    return made


@pytest.fixture
def run(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            number = int(self.path.partition("/things/")[2] or 0)
            if number in site.things:
                return self.answer(200, PAGE.format(name=site.things[number], number=number))
            rows = "".join(f"<li><a href=/things/{one}>{name}</a></li>" for one, name in site.things.items())
            self.answer(200, f"<h1>Things</h1><ul>{rows}</ul>")

        def do_POST(self) -> None:
            self.body()
            _, _, number, act = self.path.split("/")
            if act == "delete":
                del site.things[int(number)]
            elif not site.lies:
                site.things[int(number) + 7] = f"Another {site.things[int(number)].split()[0]}"
            self.answer(303, location="/things")

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        yield run


def test_what_was_done_before_is_not_proven_by_the_deletion(site: Site, run: OneRun) -> None:
    there = [call("navigate", url="/things"), call("click", selector="li:nth-of-type(2) a")]
    more = [call("navigate", url="/things"), call("click", selector="li:nth-of-type(2) a")]
    duplicate, delete = call("click", selector="Duplicate"), call("click", selector="Delete")
    told = run.record([*there, duplicate, *more, delete, call("navigate", url="/things")])
    assert all(one.success for one in told), told
    for lies in (False, True):
        site.reset()
        site.lies = lies
        replayed = run.replay()
        assert replayed["verdict"] == "passed", replayed
        assert [one["unseen"] for one in replayed["writes"]] == [["button 'Duplicate'"], []], replayed
