"""What a page puts off: a row that is taken away at once and removed in a while, a text that is saved when one rests.

The recorded user rests meanwhile; a replay, which hurries, waits for what the page sends then.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

__all__ = ["run", "served_site", "small_site"]
pytestmark = pytest.mark.promise("what is pressed alone")

THINGS = {"48213": "The spade behind the mill", "48214": "The rake under the bridge", "48215": "The hoe by the well"}
ROW = "<tr><td>{name}<td><button onclick='remove(this, {id})'>Remove</button></tr>"
LIST = """<h1>Things</h1><table>{rows}</table><p role=status></p><script>
const remove = (button, id) => {{
  const row = button.closest("tr"), said = document.querySelector("[role=status]");
  row.hidden = true;
  said.innerHTML = "It is gone. <button>Undo</button>";
  const body = new URLSearchParams({{ id }});
  const going = setTimeout(() => {{ said.textContent = ""; fetch("/remove", {{ method: "POST", body }}); }}, 1200);
  said.querySelector("button").onclick = () => {{ clearTimeout(going); row.hidden = false; said.textContent = ""; }};
}};
CLOCK
</script>"""
CLOCK = 'setInterval(() => fetch("/seen", { method: "POST", body: new URLSearchParams({ id: 48214 }) }), 400);'
"""Tells time and again that somebody looks at a thing."""
NOTE = """<h1>Note</h1><label>Note <textarea oninput="later(this)"></textarea></label><script>
let resting;
const later = (field) => {
  clearTimeout(resting);
  const body = () => new URLSearchParams({ note: field.value });
  resting = setTimeout(() => fetch("/note", { method: "POST", body: body() }), 1500);
};
</script>"""


@pytest.mark.parametrize("after", [("/about", "/list"), ()], ids=["a later visit", "nothing"])
@pytest.mark.parametrize("clock", ["", CLOCK], ids=["still", "telling"])
def test_what_a_page_removes_in_a_while_is_waited_for_and_looked_for(
    run: OneRun, small_site: SmallSite, after: tuple[str, ...], clock: str
) -> None:
    things, lies = dict(THINGS), False

    def show() -> None:
        rows = "".join(ROW.format(id=one, name=name) for one, name in things.items())
        small_site.pages["/list"] = LIST.format(rows=rows).replace("CLOCK", clock)

    def remove(fields: Mapping[str, str]) -> tuple[int, str]:
        if not lies:
            things.pop(fields["id"])
        show()
        return 200, "{}"

    show()
    small_site.pages["/about"] = "<h1>About</h1>"
    small_site.answers |= {"/remove": remove, "/seen": lambda fields: (200, "{}")}
    told = run.record(
        [
            call("navigate", url="/list"),
            call("click", selector="tr:nth-of-type(2) button"),
            call("wait", seconds=2.5),
            *(call("navigate", url=url) for url in after),
        ]
    )
    assert all(one.success for one in told), told
    assert sorted(things) == ["48213", "48215"]
    assert run.effects() == [("disappearance", "kept", True)]
    for lies in (False, True):
        things = dict(THINGS)
        show()
        replayed = run.replay()
        said = ("postcondition", [["button 'Remove'"]]) if lies else ("passed", [[]])
        assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == said, replayed
        assert sorted(things) == (sorted(THINGS) if lies else ["48213", "48215"])


def test_what_a_page_saves_when_one_rests_is_waited_for(run: OneRun, small_site: SmallSite) -> None:
    kept, lies = "", False

    def save(fields: Mapping[str, str]) -> tuple[int, str]:
        nonlocal kept
        kept = "Something else than that" if lies else fields["note"]
        small_site.pages["/read"] = f"<h1>Kept</h1><p>{kept}</p>"
        return 200, "{}"

    small_site.pages |= {"/note": NOTE, "/read": "<h1>Kept</h1>"}
    small_site.answers["/note"] = save
    text = "Oil the hinges of the garden gate"
    told = run.record(
        [
            call("navigate", url="/note"),
            call("fill", selector="Note", value=text),
            call("wait", seconds=3),
            call("navigate", url="/read"),
        ]
    )
    assert all(one.success for one in told), told
    assert kept == text
    for lies in (False, True):
        kept, small_site.pages["/read"] = "", "<h1>Kept</h1>"
        replayed = run.replay()
        assert replayed["verdict"] == "passed", replayed
        assert [one["unseen"] for one in replayed["writes"]] == ([["Note"]] if lies else [[]])
        assert kept == ("Something else than that" if lies else text)
