"""Things in which the same value was put, on a site that calls them by words: one proves not the other."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

pytestmark = pytest.mark.promise("what sites call things")

__all__ = ["run", "served_site", "small_site"]

FORM = """<h1>{0}</h1><form method=post action={1}><label>Title <input name=title value="{2}"></label>
<label>Due day <input type=date name=due value="{3}"></label><button>Save</button></form>"""
TITLES = ("Lantern of the pier", "Bench under the lime")


class Kept:
    """What a site keeps of things that it lists by their titles, and shows nowhere but in their forms."""

    def __init__(self, site: SmallSite) -> None:
        self.site = site
        self.lies: dict[str, str] = {}
        """By title the day that is kept instead."""
        site.pages |= {"/new": FORM.format("New", "/new", "", ""), "/about": "<h1>About</h1>"}
        site.answers["/new"] = self.make
        self.again()

    def again(self) -> None:
        self.days: dict[str, str] = {"An older thing": "2026-01-01"}
        self.show()

    def make(self, fields: Mapping[str, str]) -> str:
        self.days[fields["title"]] = self.lies.get(fields["title"], fields["due"])
        self.show()
        return "/about"

    def show(self) -> None:
        def at(title: str) -> str:
            return f"/things/{title.lower().replace(' ', '-')}/edit"

        self.site.pages["/list"] = "".join(f"<ul><li><b>{one}</b> <a href={at(one)}>Edit</a></ul>" for one in self.days)
        self.site.pages["/list"] = f"<h1>Things</h1>{self.site.pages['/list'].replace('</ul><ul>', '')}"
        self.site.pages |= {at(one): FORM.format("Change", at(one), one, day) for one, day in self.days.items()}


def record(run: OneRun) -> None:
    told = run.record(
        [
            call("navigate", url="/list"),
            *(
                one
                for title in TITLES
                for one in (
                    call("navigate", url="/new"),
                    call("fill", selector="Title", value=title),
                    call("fill", selector="Due day", value="2027-03-14"),
                    call("click", selector="Save"),
                    call("navigate", url="/list"),
                )
            ),
            call("click", selector="li:nth-of-type(2) a"),
        ]
    )
    assert all(one.success for one in told), told


def test_the_form_of_one_thing_does_not_prove_the_other(run: OneRun, small_site: SmallSite) -> None:
    kept = Kept(small_site)
    record(run)
    kept.again()
    kept.lies = {TITLES[1]: "2028-11-30"}
    replayed = run.replay()
    assert [one["unseen"] for one in replayed["writes"]] == [[], ["Due day"]], replayed


def test_the_form_of_a_thing_that_is_called_by_words_contradicts(run: OneRun, small_site: SmallSite) -> None:
    kept = Kept(small_site)
    record(run)
    kept.again()
    assert run.replay()["verdict"] == "passed"
    kept.again()
    kept.lies = {TITLES[0]: "2028-11-30"}
    replayed = run.replay()
    assert (replayed["verdict"], "2028-11-30" in replayed["drift"]["found"]) == ("postcondition", True), replayed
