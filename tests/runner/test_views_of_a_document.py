"""What a script shows on one document, view by view: links in it, and what comes when something is pressed there."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

pytestmark = pytest.mark.promise("where what was sent is seen")

__all__ = ["run", "served_site", "small_site"]

TITLE, TEXT, SHELF = "Bellows from the old forge", "Mended with the hide of a young goat", "Kitchen garden"
PAGE = """<nav><p>Attic room</p><p>Kitchen garden</p></nav><main id=main></main><script>
const notes = NOTES, ROUTED = IS_ROUTED;
const main = document.getElementById("main");
const el = (tag, text, more) => Object.assign(document.createElement(tag), {textContent: text, ...more});
const open = (one) => { if (ROUTED) history.pushState(null, "", "/notes/" + one.id);
  main.replaceChildren(el("h2", one.title), el("p", one.text), el("small", one.shelf)); };
const list = () => main.replaceChildren(el("button", "New", {onclick: make}), ...notes.map((one) => {
  const row = el("div", "", {className: "row"}), link = el("a", one.title, {href: "#/notes/" + one.title});
  link.onclick = (event) => { event.preventDefault(); open(one); };
  row.append(link); return row; }));
const make = () => { const form = el("form", ""); form.innerHTML = `<label>Title <input name=title></label>
  <label>Text <input name=text></label> <label>Shelf <input name=shelf></label> <button>Save</button>`;
  form.onsubmit = async (event) => { event.preventDefault(); const one = Object.fromEntries(new FormData(form));
    await fetch("/notes/48213", {method: "POST", body: new URLSearchParams(one)});
    notes.push({...one, id: 48213}); list(); };
  main.replaceChildren(form); };
onhashchange = () => open(notes.find((one) => "#/notes/" + one.title === decodeURI(location.hash)));
const last = location.pathname.split("/").pop();
last ? open(notes.find((one) => one.id == last)) : list();
</script>"""
LAMP = {"id": 31, "title": "A lamp", "text": "", "shelf": "Attic room"}


class Notes:
    """Keeps notes for one document, and may keep something else."""

    def __init__(self, site: SmallSite, *, routed: bool) -> None:
        self.site, self.routed, self.lying = site, routed, dict[str, str]()
        site.answers["/notes/48213"] = self.keep
        self.clear()

    def clear(self) -> None:
        self.show(LAMP)

    def show(self, *notes: Mapping[str, Any]) -> None:
        page = PAGE.replace("NOTES", json.dumps(notes)).replace("IS_ROUTED", str(self.routed).lower())
        self.site.pages |= {"/": page, "/notes/48213": page}

    def keep(self, fields: Mapping[str, str]) -> tuple[int, str]:
        self.show(LAMP, {"id": 48213, **fields, **self.lying})
        return 204, ""


def made(replayed: dict[str, Any]) -> list[tuple[int, list[str]]]:
    return [(one["inputs"], one["unseen"]) for one in replayed["writes"]]


SAVE = [
    call("navigate", url="/"),
    call("click", selector="New"),
    call("fill", selector="Title", value=TITLE),
    call("fill", selector="Text", value=TEXT),
    call("fill", selector="Shelf", value=SHELF),
    call("click", selector="Save"),
    call("navigate", url="/"),
]
LIES = [({"text": ""}, "Text"), ({"text": "Sold last week"}, "Text"), ({"shelf": ""}, "Shelf")]


@pytest.mark.parametrize("routed", [False, True], ids=["at one address", "at an address of its own"])
def test_what_is_shown_when_something_is_pressed_on_a_later_document_is_seen(
    run: OneRun, small_site: SmallSite, routed: bool
) -> None:
    notes = Notes(small_site, routed=routed)
    told = run.record([*SAVE, call("click", selector=TITLE)])
    assert all(one.success for one in told), told
    notes.clear()
    replayed = run.replay()
    assert (replayed["verdict"], made(replayed)) == ("passed", [(3, [] if routed else ["Shelf"])]), replayed
    for lie, field in LIES:
        notes.clear()
        notes.lying = lie
        replayed = run.replay()
        assert field in made(replayed)[0][1], (lie, replayed)
        assert replayed["verdict"] == ("postcondition" if routed else "passed"), (lie, replayed)


def test_what_stands_far_down_in_a_long_document_is_there_again(run: OneRun, small_site: SmallSite) -> None:
    """Some applications hold all that they know in their one document."""
    small_site.head = f"<!--{'x' * 2_100_000}-->"
    notes = Notes(small_site, routed=False)
    told = run.record(SAVE)
    assert all(one.success for one in told), told
    notes.clear()
    replayed = run.replay()
    assert (replayed["verdict"], made(replayed)) == ("passed", [(3, ["Text", "Shelf"])]), replayed


def test_what_is_shown_where_a_visit_leads_within_a_document_is_seen(run: OneRun, small_site: SmallSite) -> None:
    notes = Notes(small_site, routed=False)
    told = run.record([*SAVE, call("navigate", url="/#/notes/Bellows%20from%20the%20old%20forge")])
    assert all(one.success for one in told), told
    notes.clear()
    replayed = run.replay()
    assert (replayed["verdict"], made(replayed)) == ("passed", [(3, [])]), replayed
    for lie, field in LIES:
        notes.clear()
        notes.lying = lie
        replayed = run.replay()
        assert (replayed["verdict"], field in made(replayed)[0][1]) == ("postcondition", True), (lie, replayed)
