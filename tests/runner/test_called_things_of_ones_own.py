"""What a site calls by a word with a number, and names only so, is the user's own one in another performance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

pytestmark = pytest.mark.promise("what sites call things")

__all__ = ["run", "served_site", "small_site"]

NEW = "<h1>New</h1><form method=post action=/new><label>Title <input name=title></label><button>Add</button></form>"
TOPIC = """<h1>{title}</h1><form method=post action={path}><label>Remark <input name=remark></label>
<button>Say it</button></form><table><caption>Remarks</caption>{rows}</table>"""
ROW = """<tr><th><a href=/msg{number}>msg{number} (view)</a></th><th>by somebody</th>
<th><form method=post action={path}><input type=hidden name=drop value={number}><button>Remove</button></form></th></tr>
<tr><td colspan=3>{text}</td></tr>"""


@dataclass
class Board:
    """Topics with remarks, which have numbers of their own, and say nothing else beside their button."""

    site: SmallSite
    topics: dict[str, tuple[str, dict[int, str]]] = field(default_factory=dict)
    others: list[str] = field(default_factory=list)
    """What others say while somebody says something."""
    said: int = 0

    def serve(self) -> None:
        self.site.pages["/new"], self.site.answers["/new"] = NEW, self.make

    def make(self, fields: Mapping[str, str]) -> str:
        path = f"/topics/{48213 + len(self.topics)}"
        self.topics[path] = fields["title"], {}
        self.site.answers[path] = lambda sent: self.change(path, sent)
        self.show(path)
        return path

    def change(self, path: str, fields: Mapping[str, str]) -> str:
        remarks = self.topics[path][1]
        if "drop" in fields:
            del remarks[int(fields["drop"])]
        else:
            for text in (fields["remark"], *self.others):
                self.said += 1
                remarks[self.said] = text
        self.show(path)
        return path

    def show(self, path: str) -> None:
        title, remarks = self.topics[path]
        rows = "".join(ROW.format(number=number, path=path, text=remarks[number]) for number in reversed(remarks))
        self.site.pages[path] = TOPIC.format(title=title, path=path, rows=rows)


@pytest.fixture
def board(small_site: SmallSite) -> Board:
    made = Board(small_site)
    made.serve()
    return made


def record(run: OneRun) -> None:
    told = run.record(
        [
            call("navigate", url="/new"),
            call("fill", selector="Title", value="The lamp is out"),
            call("click", selector="Add"),
            *[
                one
                for text in ("It flickers, too", "Nobody came to mend it", "It was the wrong lamp")
                for one in (call("fill", selector="Remark", value=text), call("click", selector="Say it"))
            ],
            call("click", selector="tr:nth-of-type(3) button"),
        ]
    )
    assert all(one.success for one in told), told


def test_a_fresh_user_acts_on_the_one_of_its_own(run: OneRun, board: Board) -> None:
    record(run)
    replayed = run.replay("--identity", "fresh")
    assert replayed["verdict"] == "passed", replayed
    assert [list(remarks) for _, remarks in board.topics.values()] == [[1, 3], [4, 6]]
    assert run.replay("--identity", "fresh", "--seed", "another")["verdict"] == "passed"
    assert list(board.topics["/topics/48215"][1]) == [7, 9]


def test_which_of_two_new_ones_is_its_own_nobody_knows(run: OneRun, board: Board) -> None:
    record(run)
    board.others = ["Somebody else says something at the same moment"]
    replayed = run.replay("--identity", "fresh")
    assert (replayed["verdict"], "'/msg'" in str(replayed["drift"])) == ("postcondition", True), replayed
    assert list(board.topics["/topics/48214"][1]) == [4, 5, 6, 7], "nothing was removed"
