"""What was made, where no answer names it: the card in the list that was not there before is the thing."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

pytestmark = pytest.mark.promise("what sites call things")

__all__ = ["run", "served_site", "small_site"]

TITLE = "Bellows from the old forge"
LIST = """<h1>Things</h1><form method=post action=/things><label>Title <input name=title></label>
<label>Price <input name=price></label><button>Add</button></form><ul>{cards}</ul>"""
CARDS = {
    "a form": """<li><b>{title}</b> <span class=price>{price}</span> <a href=/people/7>Ann</a>
<form method=post action=/things/{id}/delete><input type=hidden name=csrf_token value={guard}>
<button>Delete</button></form></li>""",
    "data-id": """<li data-id={id}><b>{title}</b> <span class=price>{price}</span>
<form method=post action=/delete><input type=hidden name=csrf_token value={guard}>
<button name=thing value={id}>Delete</button></form></li>""",
    "a number": """<li id=thing-{id}><h2>{title}</h2> <span class=price>{price}</span>
<form method=post action=/delete><button name=thing value={id}>Delete</button></form></li>""",
}


class Register:
    """A list of things with a form above it, which leads back to it; each card is guarded anew each time."""

    def __init__(self, site: SmallSite, card: str) -> None:
        self.site, self.card = site, CARDS[card]
        self.lying, self.swallows, self.guard = dict[str, str](), False, 70_000
        site.answers |= {"/things": self.keep, "/delete": lambda fields: self.delete(int(fields["thing"]))}
        self.begin()

    def begin(self) -> None:
        self.next, self.things = 48213, {41: {"title": TITLE, "price": "3.00"}, 42: {"title": "A lamp", "price": "5"}}
        self.show()

    def show(self) -> None:
        self.guard += 1
        drawn = [self.card.format(id=key, guard=f"a{self.guard}f9e{key}", **one) for key, one in self.things.items()]
        self.site.pages["/things"] = LIST.format(cards="".join(drawn))
        for key in (*self.things, self.next):
            self.site.answers[f"/things/{key}/delete"] = lambda fields, key=key: self.delete(key)

    def keep(self, fields: Mapping[str, str]) -> str:
        if not self.swallows:
            self.things[self.next] = {**fields, **self.lying}
        self.next += 1
        self.show()
        return "/things"

    def delete(self, key: int) -> str:
        del self.things[key]
        self.show()
        return "/things"


ADD = [
    call("navigate", url="/things"),
    call("fill", selector="Title", value=TITLE),
    call("fill", selector="Price", value="21.00"),
    call("click", selector="Add"),
]


@pytest.mark.parametrize("card", CARDS)
def test_what_is_told_of_a_thing_by_its_new_card(run: OneRun, small_site: SmallSite, card: str) -> None:
    site = Register(small_site, card)
    told = run.record(ADD)
    assert all(one.success for one in told), told
    assert ("echo", "kept", True) in run.effects()

    code, out, _ = run.sim("runs", "verify-site", "last", "--db", "a.db", "--json")
    assert (code, {one["became"] for one in json.loads(out)["places"]}) == (0, {"shown"}), out
    site.things[48213]["price"] = "20.95"
    site.show()
    code, out, _ = run.sim("runs", "verify-site", "last", "--db", "a.db", "--json")
    assert (code, "contradicted" in {one["became"] for one in json.loads(out)["places"]}) == (1, True), out
    site.things[48213]["price"] = "21.00"
    site.show()

    code, out, err = run.sim("cleanup", "last", "--yes", "--db", "a.db", "--json")
    assert (code, [one["became"] for one in json.loads(out)["cleaned"]]) == (0, ["removed"]), out + err
    assert set(site.things) == {41, 42}


@pytest.mark.parametrize("card", CARDS)
def test_another_value_on_the_new_card_is_red_and_its_absence_is_told(
    run: OneRun, small_site: SmallSite, card: str
) -> None:
    """An older thing of the same title is there: it is not taken for the new one."""
    site = Register(small_site, card)
    told = run.record(ADD)
    assert all(one.success for one in told), told
    site.begin()
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [[]]), replayed
    site.begin()
    site.lying = {"price": "20.95"}
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("postcondition", [["Price"]])
    site.begin()
    site.lying, site.swallows = {}, True
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [["Title", "Price"]])
