"""What is pressed on the page of a thing, and sends no text: a copy, a vote. What counts presses does so, too."""

from __future__ import annotations

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

__all__ = ["run", "served_site", "small_site"]
pytestmark = pytest.mark.promise("what is pressed alone")

PAGE = """<h1>Plain soup</h1><p>Serves four.</p><button>Duplicate</button> <button>Larger</button><script>
const send = (act) => fetch("/api/recipes/48213/" + act, { method: "POST" });
const [copy, larger] = document.querySelectorAll("button");
COMES
copy.onclick = () => { COPIES };
larger.onclick = () => { document.body.style.fontSize = "20px"; LARGER };
</script>"""
WAYS = {
    "a copy": ("", 'send("copy")', "", ["copy"]),
    "a copy beside what counts": ("", 'send("press"); send("copy")', 'send("press")', ["copy"]),
    "what counts": ("", 'send("press")', 'send("press")', []),
    "what tells that somebody is there": ('send("here");', 'send("here")', "", []),
}


@pytest.mark.parametrize("way", WAYS)
def test_what_a_script_sends_for_the_things_page_is_told_and_what_counts_is_not(
    run: OneRun, small_site: SmallSite, way: str
) -> None:
    comes, copies, larger, told_of = WAYS[way]
    page = PAGE.replace("COMES", comes).replace("COPIES", copies).replace("LARGER", larger)
    small_site.pages |= {"/recipes": "<h1>Recipes</h1><a href=/recipes/48213>Plain soup</a>", "/recipes/48213": page}
    small_site.answers |= {f"/api/recipes/48213/{act}": lambda fields: (204, "") for act in ("copy", "press", "here")}
    presses = [call("click", selector=name) for name in ("Duplicate", "Larger")]
    told = run.record([call("navigate", url="/recipes/48213"), *presses, call("navigate", url="/recipes")])
    assert all(one.success for one in told), told
    replayed = run.replay()
    writes = [(one["url"].rpartition("/")[2], one["unseen"]) for one in replayed["writes"]]
    expected = ("passed", [(act, ["button 'Duplicate'"]) for act in told_of])
    assert (replayed["verdict"], writes) == expected, replayed
