"""Boxes of one name that are sent by the numbers of what they stand for: each is an input of its own."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

pytestmark = pytest.mark.promise("what fields are given")

__all__ = ["run", "served_site", "small_site"]

PEOPLE = {"1": "Ada", "2": "Bea", "3": "Cyd"}
DOING = [
    call("navigate", url="/new"),
    call("fill", selector="What", value="A boat across the lake"),
    call("check", selector="Cyd", checked=False),
    call("click", selector="Save"),
    call("navigate", url="/bills/48213/edit"),
]


def form(action: str, what: str, paid: str) -> str:
    boxes = "".join(
        f"<label><input type=checkbox name=paid value={one} {'checked' if one in paid else ''}> {name}</label>"
        for one, name in PEOPLE.items()
    )
    return f"<form method=post action={action}><label>What <input name=what value='{what}'></label>{boxes}<button>Save"


@pytest.mark.parametrize(("lies", "verdict"), [("", "passed"), ("3", "postcondition")])
def test_a_box_of_a_group_that_was_cleared_is_sent_by_what_is_not_sent(
    run: OneRun, small_site: SmallSite, lies: str, verdict: str
) -> None:
    small_site.pages |= {"/new": form("/bills", "", "123"), "/bills/48213": "<h1>Kept</h1>"}
    kept = "12"

    def keep(fields: Mapping[str, str]) -> str:
        small_site.pages["/bills/48213/edit"] = form("/bills/48213", fields["what"], kept)
        return "/bills/48213"

    small_site.answers["/bills"] = keep
    told = run.record(DOING)
    assert all(one.success for one in told), told
    kept += lies
    small_site.pages.pop("/bills/48213/edit")
    replayed = run.replay()
    assert replayed["verdict"] == verdict, replayed
    (write,) = replayed["writes"]
    assert (write["inputs"], write["unseen"]) == (2, ["Cyd"] if lies else [])
