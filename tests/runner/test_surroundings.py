"""What a site shows around every page, such as a menu of categories, says nothing of what was put into a thing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

pytestmark = pytest.mark.promise("where what was sent is seen")

__all__ = ["run", "served_site", "small_site"]

TITLE, SHELF = "Bellows from the old forge", "Kitchen garden"
MENU = "<div class=side><p>Shelves</p><p>Attic room</p><p>Kitchen garden</p></div>"
FORM = """<h1>New</h1><form method=post action=/things><label>Title <input name=title></label>
<label>Shelf <select name=shelf><option>Attic room<option>Kitchen garden</select></label><button>Save</button></form>"""
OWN = "<h1>{title}</h1><p class=at>{shelf}</p>"
AT = "/things/48213"


class Things:
    """Keeps a thing, and may keep it without its shelf."""

    def __init__(self, site: SmallSite, menu: str) -> None:
        self.site, self.menu, self.loses = site, menu, False
        site.pages |= {"/": f"{menu}<h1>Welcome</h1>", "/new": menu + FORM}
        site.answers["/things"] = self.keep
        self.clear()

    def clear(self) -> None:
        self.site.pages.pop(AT, None)

    def keep(self, fields: Mapping[str, str]) -> str:
        shelf = "" if self.loses else fields["shelf"]
        self.site.pages[AT] = self.menu + OWN.format(title=fields["title"], shelf=shelf)
        return AT


def made(replayed: dict[str, Any]) -> list[tuple[int, list[str]]]:
    return [(one["inputs"], one["unseen"]) for one in replayed["writes"]]


@pytest.mark.parametrize("menu", [MENU, ""], ids=["a menu", "no menu"])
@pytest.mark.parametrize("begins", [["/", "/new"], ["/new"]], ids=["from the first page", "from the form"])
def test_a_menu_proves_no_choice(run: OneRun, small_site: SmallSite, menu: str, begins: list[str]) -> None:
    site = Things(small_site, menu)
    told = run.record(
        [
            *(call("navigate", url=url) for url in begins),
            call("fill", selector="Title", value=TITLE),
            call("select", selector="Shelf", label=SHELF),
            call("click", selector="Save"),
            call("navigate", url=AT),
        ]
    )
    assert all(one.success for one in told), told
    for loses in (False, True):
        site.clear()
        site.loses = loses
        replayed = run.replay()
        assert made(replayed) == [(2, ["Shelf"] if loses else [])], replayed
        assert replayed["verdict"] == ("postcondition" if loses else "passed"), replayed
