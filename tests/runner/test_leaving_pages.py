"""A page that routes itself shows its last form until the next is drawn: what that form says then refuses nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

pytestmark = pytest.mark.promise("what a site refuses")

__all__ = ["run", "served_site", "small_site"]

PAGE = """<form aria-label=Thing><label>Title <input id=title name=title aria-describedby=wrong></label>
<p id=wrong role=alert></p><button>Save</button></form><script>document.forms[0].onsubmit = async (event) => {
event.preventDefault();
const field = document.getElementById("title");
const answer = await fetch("/things", { method: "POST", body: new URLSearchParams({ title: field.value }) });
const [, leaves, after] = (await answer.text()).match(/(stays|leaves) after (\\d+)/);
history.pushState(null, "", "/things");
field.value = "";
field.setAttribute("aria-invalid", "true");
document.getElementById("wrong").textContent = "Title is required";
const draw = () => { if (leaves === "leaves") document.body.innerHTML = "<h1>Things</h1><p>The spade</p>"; };
if (after === "0") draw(); else setTimeout(draw, Number(after));
};</script>"""


@pytest.mark.parametrize(("answer", "verdict"), [("leaves after 1200", "passed"), ("stays after 1", "postcondition")])
def test_what_a_form_says_that_leaves_is_no_refusal(
    run: OneRun, small_site: SmallSite, answer: str, verdict: str
) -> None:
    small_site.pages |= {"/new": PAGE, "/things": "<h1>Things</h1><p>The spade</p>"}
    answers: Iterator[str] = iter(("leaves after 0", answer))
    small_site.answers["/things"] = lambda fields: (200, f"<p>{next(answers)}</p>")
    told = run.record(
        [
            call("navigate", url="/new"),
            call("fill", selector="Title", value="The spade behind the mill"),
            call("click", selector="Save"),
        ]
    )
    assert all(one.success for one in told), told
    replayed = run.replay()
    assert replayed["verdict"] == verdict, replayed
    assert verdict == "passed" or "Title is required" in replayed["drift"]["found"], replayed["drift"]


LIST = """<button id=open>All things</button><script>document.getElementById("open").onclick = async () => {
const answer = await fetch("/things", { method: "POST", body: new URLSearchParams({ all: "yes" }) });
const [, after] = (await answer.text()).match(/after (\\d+)/);
history.pushState(null, "", "/things");
document.body.innerHTML = "<h1>Things</h1>";
const sort = () => {
  history.replaceState(null, "", "/things?sort=title");
  document.body.innerHTML += "<button>Next</button>";
};
if (after === "0") sort(); else setTimeout(sort, Number(after));
};</script>"""


def test_a_page_that_writes_into_its_address_at_once_is_where_it_was_a_moment_later(
    run: OneRun, small_site: SmallSite
) -> None:
    small_site.pages |= {"/new": LIST, "/things": "<h1>Things</h1>"}
    answers: Iterator[str] = iter(("after 1500", "after 1500", "after 0", "after 0"))
    small_site.answers["/things"] = lambda fields: (200, f"<p>{next(answers)}</p>")
    calls = [
        call("navigate", url="/new"),
        call("click", selector="All things"),
        call("wait_for", selector="Next"),
        call("click", selector="Next"),
        call("navigate", url="/new"),
        call("click", selector="All things"),
    ]
    told = run.record(calls)
    assert all(one.success for one in told), told
    opened = [one.after.url for one in run.actions() if one.kind == "click" and one.after is not None]
    assert (opened[0], opened[-1]) == ("/things", "/things"), "the page was left alone before it had sorted"
    replayed = run.replay()
    assert replayed["verdict"] == "passed", replayed["drift"]
