"""What reacts to the press itself: the rest of the click reaches nothing that the page has put in its place."""

from __future__ import annotations

from typing import Any

import pytest

from simulator.browser.find import Find
from simulator.errors import ToolError
from tests.browser.test_guard import query_of, refused

pytestmark = pytest.mark.asyncio(loop_scope="session")
HEARD = """<script>
  for (const type of ["pointerdown", "mousedown", "pointerup", "mouseup", "click"])
    document.addEventListener(type, (event) => saw(`${type} ${event.target.id || event.target.localName}`));
</script>"""
OVER = """<button id=open>Age</button><script>
  const over = Object.assign(document.createElement("div"), { id: "over", innerHTML: "<button id=yes>Yes</button>" });
  over.style = "position:fixed;inset:0";
  over.firstChild.style = "position:absolute;inset:0";
  document.getElementById("open").onmousedown = () => document.body.append(over);
</script>"""


async def test_what_is_laid_over_a_button_that_is_pressed_hears_nothing_of_it(stage: Any, site: Any) -> None:
    await stage.show(site, OVER + HEARD)
    report = await stage.actor.click(Find("css", "#open"))
    assert report.outcome.status == "done"
    assert await stage.seen() == ["pointerdown open", "mousedown open"]
    await stage.actor.click(Find("css", "#yes"))
    assert (await stage.seen())[2:] == [
        f"{one} yes" for one in ("pointerdown", "mousedown", "pointerup", "mouseup", "click")
    ]


async def test_what_is_shown_over_a_field_that_is_pressed_hears_nothing_of_it(stage: Any, site: Any) -> None:
    body = """<input id=day readonly><div id=days style="position:fixed;inset:0" hidden><b id=first>1</b></div><script>
      day.onfocus = () => { days.hidden = false; };
    </script>"""
    await stage.show(site, body + HEARD)
    report = await stage.actor.click(Find("css", "#day"))
    assert report.outcome.status == "done"
    assert await stage.seen() == ["pointerdown day", "mousedown day"]


async def test_a_message_that_is_shown_where_a_pressed_button_was_is_not_its_click(stage: Any, site: Any) -> None:
    body = """<p id=error hidden style="height:200px">Too short</p><button id=real>Save</button><script>
      real.onmousedown = () => { error.hidden = false; };
    </script>"""
    await stage.show(site, body + HEARD)
    with pytest.raises(ToolError, match="was stopped in the page"):
        await stage.actor.click(Find("css", "#real"))


async def test_what_was_under_a_choice_that_has_gone_hears_nothing_of_it(stage: Any, site: Any) -> None:
    body = """<button id=under style="position:fixed;inset:0">Delete</button>
    <div id=choice role=option style="position:fixed;inset:0">Pear</div><script>
      choice.onpointerup = () => { saw("chosen"); choice.remove(); };
    </script>"""
    await stage.show(site, body + HEARD)
    report = await stage.actor.click(Find("css", "#choice"))
    assert report.outcome.status == "done"
    assert [one for one in await stage.seen() if "under" in one] == []
    assert "chosen" in await stage.seen()


async def test_a_button_that_slides_away_under_the_pointer_was_not_clicked(stage: Any, site: Any) -> None:
    body = """<button id=other style="position:fixed;inset:0">Delete</button>
    <button id=real style="position:fixed;top:0;left:0">Save</button><script>
      real.onmousedown = () => { real.style.top = "300px"; };
    </script>"""
    await stage.show(site, body + HEARD)
    with pytest.raises(ToolError, match="was stopped in the page"):
        await stage.actor.click(Find("css", "#real"))
    assert [one for one in await stage.seen() if "other" in one] == []
    assert stage.notes.ended[-1].status == "cancelled"


async def test_a_button_that_is_made_anew_under_the_pointer_was_not_clicked(stage: Any, site: Any) -> None:
    body = """<div id=place><button id=real onclick="saw('saved')">Save</button></div><script>
      place.onmousedown = () => { place.innerHTML = place.innerHTML; };
    </script>"""
    await stage.show(site, body)
    with pytest.raises(ToolError, match="was stopped in the page"):
        await stage.actor.click(Find("css", "#real"))
    assert await stage.seen() == []


OPTIONS = """<select id=kept hidden><option value=""></option><option>Talk</option></select><p>Kind of session</p>
<div id=list role=listbox><div role=option tabindex=0>Talk</div></div><script>
  const list = document.getElementById("list"), kept = document.getElementById("kept");
  list.onmousedown = (event) => {
    if (event.target.role !== "option") return;
    list.innerHTML = "<div role=option>Talk</div>";
    %s
  };
</script>"""
CHOSEN = "kept.value = 'Talk'; kept.dispatchEvent(new CustomEvent('change', { bubbles: true }));"


async def test_an_option_that_is_chosen_as_it_is_pressed_is_chosen_where_its_like_is_drawn_in_its_place(
    stage: Any, site: Any
) -> None:
    await stage.show(site, OPTIONS % CHOSEN + HEARD)
    report = await stage.actor.click(Find("css", "[role=option]"))
    assert report.outcome.status == "done"
    assert await stage.actor.page.evaluate("kept.value") == "Talk"
    assert [one for one in await stage.seen() if one.startswith(("pointerup", "mouseup", "click"))] == []


async def test_an_option_that_is_only_made_anew_was_not_chosen(stage: Any, site: Any) -> None:
    await stage.show(site, OPTIONS % "")
    with pytest.raises(ToolError, match="was stopped in the page"):
        await stage.actor.click(Find("css", "[role=option]"))


LET_GO = """<button id=field>Daily</button><ul id=list><li id=one>Daily</li><li id=two>Weekly</li></ul><script>
  list.onmouseup = (event) => { field.textContent = event.target.textContent; list.style.display = "none"; %s };
  two.onclick = () => saw(`click ${two.textContent}`);
</script>"""


async def test_what_is_hidden_as_the_pointer_is_let_go_of_it_is_still_what_was_pressed(stage: Any, site: Any) -> None:
    await stage.show(site, LET_GO % "two.className = 'chosen';")
    await stage.perform("click", await query_of(stage, "#two"))
    assert (await stage.actor.page.text_content("#field"), await stage.seen()) == ("Weekly", ["click Weekly"])


@pytest.mark.parametrize(
    "changed",
    ["two.textContent = 'Monthly';", "two.dataset.value = 'monthly';", "two.before(document.createElement('li'));"],
    ids=["another text", "another value", "another place"],
)
async def test_what_is_hidden_and_is_another_thing_by_now_is_not_clicked(stage: Any, site: Any, changed: str) -> None:
    await stage.show(site, LET_GO % changed)
    assert "no longer fits" in await refused(stage, "click", await query_of(stage, "#two"))
    assert await stage.seen() == []
