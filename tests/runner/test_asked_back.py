"""What asks back, or a menu, may stand far from the row whose button has opened it: a press there is for that row."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

pytestmark = pytest.mark.promise("what is pressed")

__all__ = ["run", "served_site", "small_site"]

THINGS = [(4, "Boats for hire"), (5, "Tide tables"), (6, "The ferry"), (7, "About the harbour")]
ROW = """<tr><td><a href="/things/show/{at}">Show</a> <a href="/things/edit/{at}">Edit</a>
<a class=removes href="#">Delete</a><td>{called}</tr>"""
ASKS = {
    "a dialog": "<div id=asks role=dialog hidden><p>Are you sure?</p><a id=goes href='#'>Confirm</a></div>",
    "a dialog whose buttons a style names": "<style>button::before { content: attr(label) }</style>"
    "<button label=Help></button><div id=asks data-anew hidden><p>Are you sure?</p>"
    "<button id=goes label=Confirm></button></div>",
    "a menu": "<ul id=asks hidden><li><a id=goes href='#'>Remove for good</a></li></ul>",
}
SCRIPT = """<form id=sends method=post></form><script>
const sends = document.querySelector("#sends");
for (const one of document.querySelectorAll(".removes")) one.onclick = (event) => {
  event.preventDefault();
  sends.action = one.previousElementSibling.getAttribute("href").replace("edit", "delete");
  const asks = document.querySelector("#asks"), anew = "anew" in asks.dataset ? asks.cloneNode(true) : asks;
  asks.replaceWith(anew);
  anew.hidden = false;
};
document.onclick = (event) => {
  if (!event.target.closest("#goes")) return;
  event.preventDefault();
  sends.submit();
};
</script>"""


def listed(left: Sequence[tuple[int, str]], asks: str) -> str:
    """Write the list."""
    rows = "".join(ROW.format(at=at, called=called) for at, called in left)
    return f"<h1>Things</h1><table>{rows}</table>{ASKS[asks]}{SCRIPT}"


def serve(site: SmallSite, asks: str, removes: Callable[[int], bool]) -> None:
    """Let a site list things; each is removed or only said to be."""
    site.pages["/things"] = listed(THINGS, asks)

    def remover(number: int) -> Callable[[Mapping[str, str]], str]:
        def answer(_: Mapping[str, str]) -> str:
            left = [one for one in THINGS if one[0] != number or not removes(number)]
            site.pages["/things"] = listed(left, asks)
            return "/things"

        return answer

    for at, _ in THINGS:
        site.answers[f"/things/delete/{at}"] = remover(at)


@pytest.mark.parametrize("asks", ASKS)
@pytest.mark.parametrize("removes", [True, False], ids=["removed", "kept"])
def test_what_was_asked_for_has_to_be_gone(run: OneRun, small_site: SmallSite, asks: str, *, removes: bool) -> None:
    serve(small_site, asks, lambda _: True)
    told = run.record(
        [
            call("navigate", url="/things"),
            call("click", selector="tr:nth-of-type(3) .removes"),
            call("click", selector="#goes"),
            call("navigate", url="/things"),
        ]
    )
    assert all(one.success for one in told), told
    serve(small_site, asks, lambda _: removes)
    replayed = run.replay()
    assert replayed["verdict"] == ("passed" if removes else "postcondition"), replayed["drift"]
    unseen: list[list[str]] = [[] for one in replayed["writes"] if removes]
    assert not removes or [one["unseen"] for one in replayed["writes"]] == unseen != [], replayed["writes"]
