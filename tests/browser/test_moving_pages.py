"""A page that moves under the pointer: a click that did nothing is tried once more; one that did something is not."""

from __future__ import annotations

from typing import Any

import pytest

from simulator.browser.find import Find
from simulator.errors import ToolError
from tests.browser.test_guard import query_of

pytestmark = pytest.mark.asyncio(loop_scope="session")

HEARD = """<script>
  for (const type of ["mousedown", "click"])
    document.addEventListener(type, (event) => saw(`${type} ${event.target.id || event.target.localName}`));
</script>"""
PANEL = """<div id=panel hidden style="height:200px">News</div><button id=real>Send</button><script>
  real.addEventListener("mouseenter", () => { panel.hidden = false; });
</script>"""
NOTE = """<label>Name <input id=name></label><p id=note hidden style="height:200px">As on your passport</p>
<button id=real>Send</button><script>
  document.getElementById("name").onfocus = () => { note.hidden = false; };
  document.getElementById("name").onblur = () => { note.hidden = true; };
</script>"""


async def test_a_panel_that_hovering_opens_is_waited_for(stage: Any, site: Any) -> None:
    await stage.show(site, PANEL + HEARD)
    report = await stage.actor.click(Find("text", "Send"))
    assert (report.outcome.status, report.outcome.stopped) == ("done", None)
    assert await stage.seen() == ["mousedown real", "click real"]
    assert [one.kind for one in stage.notes.started] == ["goto", "click"]


async def test_a_note_that_hides_when_the_focus_moves_is_waited_for(stage: Any, site: Any) -> None:
    await stage.show(site, NOTE + HEARD)
    await stage.actor.focus(Find("css", "#name"))
    report = await stage.actor.click(Find("text", "Send"))
    assert report.outcome.status == "done"
    assert await stage.seen() == ["mousedown real", "mousedown real", "click real"]


ANSWERS = {
    "a change": "note.hidden = true",
    "an attribute": "real.dataset.on = 1; note.hidden = true",
    "a request": "fetch('/asked', { method: 'POST' })",
    "a timer": "setTimeout(() => saw('later'), 10)",
    "a cookie": "document.cookie = 'pressed=1'",
    "the focus": "document.getElementById('name').blur()",
    "another address": "history.pushState({}, '', '/other')",
}


@pytest.mark.parametrize("answer", ANSWERS)
async def test_a_press_that_the_page_answers_is_not_tried_again(stage: Any, site: Any, answer: str) -> None:
    pressing = f"<script>real.addEventListener('mousedown', () => {{ {ANSWERS[answer]}; }})</script>"
    await stage.show(site, NOTE + pressing + HEARD)
    await stage.actor.focus(Find("css", "#name"))
    with pytest.raises(ToolError, match="was stopped in the page"):
        await stage.actor.click(Find("text", "Send"))
    assert (stage.notes.ended[-1].status, stage.notes.ended[-1].stopped) == ("cancelled", "pressed")
    assert [one for one in await stage.seen() if one != "later"] == ["mousedown real"]


async def test_what_stays_under_another_part_is_told_as_hovered(stage: Any, site: Any) -> None:
    body = """<button id=real>Send</button><div id=over hidden style="position:fixed;inset:0">News</div><script>
      real.addEventListener("mouseenter", () => { over.hidden = false; });
    </script>"""
    await stage.show(site, body + HEARD)
    with pytest.raises(ToolError, match=r"the proven element is button .Send.*covered by div#over"):
        await stage.actor.click(Find("text", "Send"))
    assert (stage.notes.ended[-1].status, stage.notes.ended[-1].stopped) == ("cancelled", "hovered")
    assert await stage.seen() == []


async def test_another_element_in_its_place_is_not_what_is_clicked_again(stage: Any, site: Any) -> None:
    rows = "<ul><li><b>Apple</b> <button>Buy</button></li><li><b>Pear</b> <button>Buy</button></li></ul>"
    await stage.show(site, rows + HEARD)
    await stage.between("const list = document.querySelector('ul'); list.append(list.firstElementChild)")
    with pytest.raises(ToolError, match="which is another element"):
        await stage.actor.click(Find("css", "li:first-child button"))
    assert await stage.seen() == []


async def test_a_press_that_is_done_as_it_was_recorded_is_not_released(stage: Any, site: Any) -> None:
    await stage.show(site, "<button id=real>Send</button>" + HEARD)
    query = await query_of(stage, "#real")
    await stage.perform("click", query | {"holding": True})
    assert await stage.seen() == ["mousedown real"]


MENU = """<button id=menu>Menu</button><div id=items hidden style="width:200px"><button id=item>Log out</button></div>
<p>Text over the whole width</p><script>
  menu.onclick = (event) => { items.hidden = false; event.stopPropagation(); };
  document.onclick = () => { items.hidden = true; };
</script>"""


@pytest.mark.parametrize("find", [Find("point", "600,500"), Find("css", "html")], ids=str)
async def test_a_click_on_nothing_is_done_where_nothing_is(stage: Any, site: Any, find: Find) -> None:
    await stage.show(site, MENU)
    await stage.actor.click(Find("css", "#menu"))
    report = await stage.actor.click(find)
    start = stage.notes.started[-1]
    assert (report.outcome.status, start.options["nothing"]) == ("done", True)
    assert await stage.actor.page.is_hidden("#items")


async def test_a_page_that_is_full_has_no_place_for_a_click_on_nothing(stage: Any, site: Any) -> None:
    await stage.show(site, "<button id=all style='position:fixed;inset:0'>All</button>" + HEARD)
    with pytest.raises(ToolError, match="no place in view where nothing is"):
        await stage.actor.click(Find("css", "body"))
    await stage.actor.click(Find("css", "#all"))
    assert await stage.seen() == ["mousedown all", "click all"]
