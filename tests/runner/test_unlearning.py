"""A word of a card that two performances showed changing is asked for no more; one that may be another card's is."""

from __future__ import annotations

import json
from dataclasses import dataclass

import pytest

from simulator.recording.reader import Recording
from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite

pytestmark = pytest.mark.promise("the rule of evidence in whole runs")

__all__ = ["run"]

NEW = "<form method=post action=/sent><label>Title <input name=title></label><button>Add</button></form>"
CARD = "<li><h3>{title}</h3><p>{badge}</p><p>For sale</p><a href='/things/{id}'>See</a></li>"
ADD = [
    call("navigate", url="/new"),
    call("fill", selector="Title", value="Border spade"),
    call("click", selector="Add"),
    call("navigate", url="/things"),
    call("click", selector="li:first-of-type a"),
]


@dataclass
class Shop:
    """Lists what is added beside what others have, each with a badge."""

    site: SmallSite
    badge: str = "Draft"
    swaps: bool = False
    """Whether the thing of somebody else takes the title and the place of the user's own."""
    made: int = 40

    def add(self, fields: object) -> str:
        self.made += 1
        own, other = f"{self.made}", "7"
        cards = [(other if self.swaps else own, "Border spade", self.badge), ("8", "Hoe", "Sold"), ("9", "Axe", "Old")]
        listed = "".join(CARD.format(id=number, title=title, badge=badge) for number, title, badge in cards)
        self.site.pages |= {f"/things/{number}": f"<h1>{title}</h1>" for number, title, _ in cards}
        self.site.pages |= {"/things": f"<h1>Things</h1><ul>{listed}</ul>", f"/things/{own}": "<h1>Border spade</h1>"}
        return f"/things/{own}"


@pytest.fixture
def shop(small_site: SmallSite, run: OneRun) -> Shop:
    shop = Shop(small_site)
    small_site.pages["/new"] = NEW
    small_site.answers["/sent"] = shop.add
    return shop


def prove(run: OneRun) -> tuple[int, str]:
    code, out, said = run.sim("prove", "last", "--db", "a.db", "--yes", "--json")
    assert out, said
    return code, json.loads(out)["runs"][0]["why_not"]


@pytest.mark.table
def test_a_word_that_two_performances_showed_changing_is_unlearnt(run: OneRun, shop: Shop) -> None:
    told = run.record(ADD)
    assert all(one.success for one in told), told
    shop.badge = "Published"
    assert run.replay("--identity", "fresh")["verdict"] == "target_contradicted", "it may be another card"
    shop.swaps = True
    code, why = prove(run)
    assert (code, why.startswith("target_contradicted")) == (1, True), "it is another card"
    shop.swaps = False
    assert prove(run) == (0, "")
    with Recording.open(run.folder / "a.db") as recording:
        *_, proven = sorted(recording.runs(), key=lambda one: one.revision)
        assert "words of the card of link 'See' are others each time" in str(proven.summary)
    assert run.replay("--identity", "fresh")["verdict"] == "passed"
    shop.badge = "Reserved"
    assert run.replay("--identity", "fresh")["verdict"] == "passed"
