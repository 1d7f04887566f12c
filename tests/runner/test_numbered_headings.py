"""A heading that says a number of the site beside what is the user's own: a fresh user has another number there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("the rule of evidence in whole runs")


class Tickets(PageHandler):
    """Tickets that are numbered from one on, each with its number in the heading of its page."""

    titles: list[str]
    closed: list[int]
    beside = ""

    def do_GET(self) -> None:
        if self.path == "/new":
            self.answer(
                200, "<form method=post action=/new><label>Title <input name=title></label><button>Open</button></form>"
            )
        elif self.path.startswith("/tickets/"):
            number = int(self.path.rpartition("/")[2])
            state = "closed" if number in self.closed else "open"
            sections = [(number, f"<p>State: {state}</p>"), *([(int(self.beside), "")] if self.beside else [])]
            page = "".join(
                f"<section><h2>{self.titles[number - 1]} #{one}</h2>{said}<form method=post action=/close/{one}>"
                "<button>Close</button></form></section>"
                for one, said in reversed(sections)
            )
            self.answer(200, page)
        else:
            self.answer(200, "<h1>Tickets</h1><a href=/new>New</a>")

    def do_POST(self) -> None:
        sent = parse_qs(self.body().decode())
        if self.path == "/new":
            self.titles.append(sent["title"][0])
            self.answer(303, location=f"/tickets/{len(self.titles)}")
        else:
            self.closed.append(int(self.path.rpartition("/")[2]))
            self.answer(303, location=self.path.replace("close", "tickets"))


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[OneRun]:
    Tickets.titles, Tickets.closed, Tickets.beside = [], [], ""
    with run_on(Tickets, tmp_path, monkeypatch, capsys) as found:
        yield found


def test_another_number_beside_what_is_the_users_own_is_no_other_part(run: OneRun) -> None:
    told = run.record(
        [
            call("navigate", url="/new"),
            call("fill", selector="Title", value="Pump of {{identity.username}}"),
            call("click", selector="Open"),
            call("click", selector="Close"),
        ],
        toolsets=["browser"],
    )
    assert all(one.success for one in told), told
    fresh = run.replay("--identity", "fresh", "--seed", "5")
    assert (fresh["verdict"], Tickets.closed) == ("passed", [1, 2]), fresh
    Tickets.beside = "7"
    fresh = run.replay("--identity", "fresh", "--seed", "6")
    assert (fresh["code"], Tickets.closed) == (1, [1, 2]), "nothing tells two of one name apart"
