"""A place that was there when its document was asked for once more lasts: its like is not asked for again.

What the site says once stands elsewhere, and proves nothing, whatever is known of the places that last.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite

pytestmark = pytest.mark.promise("where what was sent is seen")

__all__ = ["run"]

FORM = """<main><h1>Notes</h1><form method=post action=/notes>
<label>Note <input name=note></label><button>Keep</button></form></main>"""
TEXTS = ("Water the ferns on Tuesday", "Bring the ladder back to Ann")


class Pages(dict[str, str]):
    """Pages that are counted, and that say some things once."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = Counter[str]()
        self.said: dict[str, str] = {}

    def __getitem__(self, path: str) -> str:
        self.asked[path] += 1
        return self.said.pop(path, "") + super().__getitem__(path)


@pytest.fixture
def pages(small_site: SmallSite, monkeypatch: pytest.MonkeyPatch) -> Pages:
    """Notes, each on a page of its own."""
    pages = Pages()
    monkeypatch.setattr(small_site, "pages", pages)
    return pages


def begin(site: SmallSite, pages: Pages, *, keeps: bool = True) -> None:
    """Empty the site, which keeps what it is given or only says so."""
    pages.clear()
    pages.asked.clear()
    pages["/notes"] = FORM
    numbers = iter(range(4101, 4200))

    def answer(fields: Mapping[str, str]) -> str:
        path = f"/notes/{next(numbers)}"
        text = fields["note"] if keeps else "A note"
        pages[path] = f"<main><h1>Note</h1><p>{text}</p></main>"
        pages.said[path] = "" if keeps else f"<p>{fields['note']}</p>"
        return path

    site.answers["/notes"] = answer


def test_a_place_that_lasts_is_asked_for_once(run: OneRun, small_site: SmallSite, pages: Pages) -> None:
    begin(small_site, pages)
    told = run.record(
        [
            turn
            for text in TEXTS
            for turn in (
                call("navigate", url="/notes"),
                call("fill", selector="Note", value=text),
                call("click", selector="Keep"),
            )
        ]
    )
    assert all(one.success for one in told), told
    assert (pages.asked["/notes/4101"], pages.asked["/notes/4102"]) == (2, 1)

    begin(small_site, pages)
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [[], []]), replayed
    assert (pages.asked["/notes/4101"], pages.asked["/notes/4102"]) == (1, 1)

    begin(small_site, pages, keeps=False)
    replayed = run.replay()
    assert replayed["verdict"] == "postcondition", replayed
    assert [bool(one["unseen"]) for one in replayed["writes"]] == [True]
