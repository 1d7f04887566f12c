"""A thing that was taken away, on a site that only says so: where it stood, it stands."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

__all__ = ["run", "served_site", "small_site"]
pytestmark = pytest.mark.promise("what is pressed alone")

THINGS = {"48213": "The spade behind the mill", "48214": "The rake under the bridge", "48215": "The hoe by the well"}
WORDS = ("us", "you", "them", "it", "all")
HOUR = "<form method=post action=/sent><label>Hour <input name=hour></label><button>Keep</button></form>"
ROW = """<tr><td>{name}<td><form method=post action=/remove><input type=hidden name=id value={id}>
<button>Remove</button></form></tr>"""
LATER = """<tr><td>{name}<td><button onclick="fetch('/remove', {{ method: 'POST', body:
new URLSearchParams({{ id: {id} }}) }}).then(() => this.closest('tr').remove())">Remove</button></tr>"""


@pytest.mark.parametrize(
    ("row", "leads_to"),
    [(ROW, "/list"), (ROW, "/list?said=The%20thing%20is%20gone"), (LATER, "")],
    ids=["its list", "its list with a message", "nowhere"],
)
def test_what_was_removed_is_looked_for_where_it_stood(
    run: OneRun, small_site: SmallSite, row: str, leads_to: str
) -> None:
    things, kept = dict(THINGS), set[str]()

    def show() -> None:
        rows = "".join(row.format(id=one, name=name) for one, name in things.items())
        small_site.pages["/list"] = f"<h1>Things</h1><table>{rows}</table>"

    def remove(fields: Mapping[str, str]) -> str | tuple[int, str]:
        if fields["id"] not in kept:
            things.pop(fields["id"])
        show()
        return leads_to or (200, "{}")

    show()
    small_site.answers["/remove"] = remove
    # What is shown nowhere is looked for on the pages that were visited: that leaves no place out where things stood.
    small_site.pages |= {f"/about/{word}": f"<h1>About {word}</h1>{HOUR}" for word in WORDS}
    told = run.record(
        [
            *(call("navigate", url=f"/about/{word}") for word in WORDS),
            call("fill", selector="Hour", value="3"),
            call("click", selector="Keep"),
            call("navigate", url="/list?said=Here%20they%20are"),
            call("click", selector="tr:nth-of-type(2) button"),
            call("navigate", url="/thanks"),
        ]
    )
    assert all(one.success for one in told), told
    assert run.effects() == [("disappearance", "kept", True)]
    for lies in (False, True):
        things = dict(THINGS)
        kept |= set(THINGS) if lies else set()
        show()
        replayed = run.replay()
        said = ("postcondition", [["Hour"], ["button 'Remove'"]]) if lies else ("passed", [["Hour"], []])
        assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == said, replayed
