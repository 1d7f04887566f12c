"""What is put together on several pages, what a list sends as it is chosen, and what a link does: kept, or red."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

__all__ = ["run", "served_site", "small_site"]
pytestmark = pytest.mark.promise("success that did not happen", quick=2)

WHO = """<h1>Who</h1><form method=post action={to}><label>Name <input name=name></label>
<label>Street <input name=street></label><button>Next</button></form>"""
WHAT = """<h1>What</h1><form method=post action={to}><label>Copies <input name=copies type=number></label>
<button>Next</button></form>"""
CHECK = "<h1>Check</h1><p>{name}, {street}<p>{copies} copies<form method=post action={to}><button>Order</button></form>"
ORDER = "<h1>Order</h1><dl><dt>Name<dd>{name}<dt>Street<dd>{street}<dt>Copies<dd>{copies}</dl>"
ALTERED = {"name": "Eve Nobody-Else", "street": "1 Other Road", "copies": "9"}


@pytest.mark.parametrize("steps", [("/order/1", "/order/2", "/order/3"), ("/order/who", "/order/what", "/order/check")])
def test_an_order_shows_what_each_of_its_steps_was_told(
    run: OneRun, small_site: SmallSite, steps: tuple[str, str, str]
) -> None:
    who, what, check = steps
    session: dict[str, str] = {}

    def put_together(instead: Mapping[str, str]) -> None:
        small_site.pages |= {who: WHO.format(to=who), what: WHAT.format(to=what)}
        small_site.pages.pop("/orders/58213", None)

        def take(fields: Mapping[str, str]) -> str:
            session.update(fields)
            if "copies" in session:
                small_site.pages[check] = CHECK.format(**session, to=check)
            return check if "copies" in fields else what

        def make(fields: Mapping[str, str]) -> str:
            small_site.pages["/orders/58213"] = ORDER.format(**{**session, **instead})
            return "/orders/58213"

        small_site.answers |= {who: take, what: take, check: make}

    put_together({})
    told = run.record(
        [
            call("navigate", url=who),
            call("fill", selector="Name", value="Ada Moor-Hale"),
            call("fill", selector="Street", value="12 Harbour Lane"),
            call("click", selector="Next"),
            call("fill", selector="Copies", value="3"),
            call("click", selector="Next"),
            call("click", selector="Order"),
        ]
    )
    assert all(one.success for one in told), told
    assert run.replay()["verdict"] == "passed"
    for name, value in ALTERED.items():
        put_together({name: value})
        again = run.replay()
        assert (again["verdict"], name.capitalize() in again["drift"]["expected"]) == ("postcondition", True), again


def test_what_a_list_sends_as_it_is_chosen_is_told(run: OneRun, small_site: SmallSite) -> None:
    """The page goes away with the choice: what was chosen is not read back from it."""
    small_site.pages["/"] = """<h1>Board</h1><form method=post action=/move><select name=to aria-label="Move to"
        onchange="this.form.submit()"><option value="">Where?<option value=7>Doing<option value=8>Done</select>"""
    small_site.answers["/move"] = lambda fields: "/thanks"
    run.record([call("navigate", url="/"), call("select", selector="Move to", value="Doing")])
    (write,) = run.replay()["writes"]
    assert (write["inputs"], write["unseen"]) == (1, ["Move to"])
    assert small_site.posts[-1] == ("/move", {"to": "7"})


ROW = "<tr><td>{name}<td>{vote}<td><a href=/delete/{id}>Delete</a>"
OFFERS = {"4810": "Old shed", "4811": "Iron kettle", "4812": "Oak table"}


def _offers(left: Mapping[str, str], voted: str = "") -> str:
    rows = [ROW.format(name=n, id=i, vote="" if i == voted else f"<a href=/vote/{i}>Vote</a>") for i, n in left.items()]
    return f"<h1>Offers</h1><table>{''.join(rows)}</table>"


@pytest.mark.parametrize(
    ("link", "leads_to", "changed"),
    [
        ("Delete", "/", _offers({"4810": "Old shed", "4812": "Oak table"})),
        ("Delete", "/?deleted=1&ids=4811", _offers({"4810": "Old shed", "4812": "Oak table"})),
        ("Vote", "/", _offers(OFFERS, voted="4811")),
    ],
)
def test_what_a_link_does_is_kept_or_the_replay_stops(
    run: OneRun, small_site: SmallSite, link: str, leads_to: str, changed: str
) -> None:
    small_site.pages["/"] = _offers(OFFERS)
    small_site.opens[f"/{link.lower()}/4811"] = leads_to, changed
    turns = [call("navigate", url="/"), call("click", selector=f"a[href='/{link.lower()}/4811']")]
    told = run.record([*turns, call("navigate", url="/")])
    assert all(one.success for one in told), told
    for kept, verdict in (changed, "passed"), (_offers(OFFERS), "postcondition"):
        small_site.pages["/"] = _offers(OFFERS)
        small_site.opens[f"/{link.lower()}/4811"] = leads_to, kept
        again = run.replay()
        assert again["verdict"] == verdict, again
        assert [(one["method"], bool(one["unseen"])) for one in again["writes"]] == [("GET", verdict != "passed")]


def test_a_link_that_only_leads_on_is_no_write(run: OneRun, small_site: SmallSite) -> None:
    small_site.pages["/"] = _offers(OFFERS).replace("/delete/", "/go/")
    small_site.opens["/go/4811"] = "/iron-kettle", "<h1>Iron kettle</h1><a href=/>Offers</a>"
    run.record(
        [call("navigate", url="/"), call("click", selector="a[href='/go/4811']"), call("click", selector="Offers")]
    )
    again = run.replay()
    assert (again["verdict"], again["writes"]) == ("passed", [])


def test_a_link_that_opens_a_thing_within_its_list_is_no_write(run: OneRun, small_site: SmallSite) -> None:
    small_site.pages["/"] = _offers(OFFERS).replace("/delete/", "/go/")
    opened = small_site.pages["/"].replace("<a href=/go/4811>Delete</a>", "<p id=offer-4811>Made of iron</p>")
    small_site.pages["/?open=4811"] = opened
    small_site.opens["/go/4811"] = "/?open=4811", small_site.pages["/"]
    run.record(
        [
            call("navigate", url="/"),
            call("click", selector="a[href='/go/4811']"),
            call("navigate", url="/?open=4811"),
        ]
    )
    again = run.replay()
    assert (again["verdict"], again["writes"]) == ("passed", [])


def test_the_next_thing_that_a_link_leads_to_was_not_made_by_it(run: OneRun, small_site: SmallSite) -> None:
    """Who deletes one thing is shown the next one: that proves nothing, and a replay knows the link as a write."""
    page = "<h1>{name}</h1><details><summary>More</summary><a href=/offers/{id}/remove>Remove</a></details>"
    made = {"4810": "Old shed", "4811": "Iron kettle"}
    small_site.pages |= {f"/offers/{id}": page.format(id=id, name=name) for id, name in made.items()}
    small_site.opens["/offers/4811/remove"] = "/offers/4810", small_site.pages["/offers/4810"]
    told = run.record(
        [
            *(call("navigate", url=f"/offers/{id}") for id in made),
            call("click", selector="More"),
            call("click", selector="Remove"),
        ]
    )
    assert all(one.success for one in told), told
    assert run.effects() == []
    again = run.replay()
    assert (again["verdict"], [one["method"] for one in again["writes"]]) == ("passed", [])
