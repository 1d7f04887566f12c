"""What a dialog or a tab says of what a button is for: the same button for another thing is not pressed."""

from __future__ import annotations

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

__all__ = ["run", "served_site", "small_site"]
pytestmark = pytest.mark.promise("what is pressed")

SEND = """<script>
const send = (what) => fetch("/sent", {method: "POST", headers: {"content-type": "application/x-www-form-urlencoded"},
  body: new URLSearchParams({what})});
%s
</script>"""
# A dialog asks back for the thing whose row was pressed; `OFF` makes it that of the next row.
ASKING = (
    """<main><h1>Things</h1><ul><li>Boats <button>Remove</button></li><li>Tides <button>Remove</button></li></ul></main>
<dialog aria-label="Sure?"><p></p><button id=go>Delete</button></dialog>"""
    + SEND
    % """
let chosen = "";
const items = [...document.querySelectorAll("li")];
items.forEach((item, at) => item.querySelector("button").onclick = () => {
  chosen = items[(at + OFF) % items.length].firstChild.data.trim();
  document.querySelector("dialog p").textContent = `${chosen} will be gone.`;
  document.querySelector("dialog").showModal();
});
document.getElementById("go").onclick = () => send(chosen);"""
)
# Tabs whose panels are drawn as they are chosen.
TABS = (
    """<main><h1>Settings</h1><div role=tablist><button role=tab id=t1>Profile</button>
<button role=tab id=t2>Keys</button></div>
<div role=tabpanel aria-labelledby=t1></div></main>"""
    + SEND
    % """
const panel = document.querySelector("[role=tabpanel]");
const show = (tab) => {
  panel.setAttribute("aria-labelledby", tab.id);
  panel.innerHTML = "<p>All of it.</p><button>Reset</button>";
  panel.querySelector("button").onclick = () => send(tab.textContent);
};
const tabs = [...document.querySelectorAll("[role=tab]")];
tabs.forEach((tab, at) => tab.onclick = () => show(tabs[(at + OFF) % 2]));"""
)


@pytest.mark.parametrize(
    ("page", "presses", "was", "now"),
    [
        (ASKING, ["li:first-child button", "#go"], {"OFF": "0"}, {"OFF": "1"}),
        (TABS, ["Profile", "Reset"], {"OFF": "0"}, {"OFF": "1"}),
    ],
    ids=["dialog", "tab"],
)
def test_the_only_button_is_not_pressed_for_another_thing(
    page: str, presses: list[str], was: dict[str, str], now: dict[str, str], run: OneRun, small_site: SmallSite
) -> None:
    def serve(values: dict[str, str], around: str = "{}") -> None:
        text = page
        for name, value in values.items():
            text = text.replace(name, value)
        small_site.pages["/things"] = around.replace("{}", text)

    serve(was)
    told = run.record([call("navigate", url="/things"), *(call("click", selector=one) for one in presses)])
    assert all(one.success for one in told), [one.text for one in told if not one.success]
    recorded = list(small_site.posts)
    assert len(recorded) == 1
    serve(was, "<div><p>Something is new here.</p>{}</div>")
    replayed = run.replay()
    assert replayed["verdict"] == "passed", replayed["drift"]
    assert small_site.posts == recorded * 2
    serve(now)
    for mode in ("strict", "heal"):
        replayed = run.replay("--mode", mode)
        assert replayed["verdict"] == "target_contradicted", replayed
    assert small_site.posts == recorded * 2
