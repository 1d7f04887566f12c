"""An element is dragged onto another one, or not at all. What counts is what the page's own listeners saw."""

from __future__ import annotations

from typing import Any

import pytest

from simulator.browser.acting.gestures import drag
from simulator.browser.action_recorder import ActionStart
from simulator.browser.evidence import Target
from simulator.browser.find import Find
from simulator.browser.launch.script import selector
from simulator.errors import ToolError
from simulator.replay.evidence.resolve import compile_query

pytestmark = pytest.mark.asyncio(loop_scope="session")
BOX = "style='position:absolute;width:90px;height:60px;border:1px solid;left:{}px;top:{}px'"
NATIVE = f"""
<div id=card role=listitem aria-label=Card draggable=true {BOX.format(20, 20)}><b>Card</b></div>
<div id=done role=group aria-label=Done {BOX.format(300, 20)}>Done</div>
<div id=bin role=group aria-label=Bin {BOX.format(300, 200)}>Bin</div>
<script>
  for (const id of ["done", "bin"]) {{
    const place = document.getElementById(id);
    place.ondragover = (e) => e.preventDefault();
    place.ondrop = (e) => {{ saw(`drop ${{e.dataTransfer.getData("text")}} on ${{id}}`); }};
  }}
  card.ondragstart = (e) => e.dataTransfer.setData("text", "card");
</script>"""
BY_POINTER = f"""
<div id=card role=listitem aria-label=Card {BOX.format(20, 20)}>Card</div>
<div id=done role=group aria-label=Done {BOX.format(300, 20)}>Done</div>
<script>
  let held = false;
  card.onpointerdown = () => {{ held = true; }};
  onpointermove = (e) => {{
    if (held) card.style.cssText += `;left: ${{e.clientX - 40}}px; top: ${{e.clientY - 30}}px`;
  }};
  onpointerup = () => {{ if (held) saw(`left at ${{card.getBoundingClientRect().x > 200}}`); held = false; }};
</script>"""
LIST = """
<ul>{}</ul><script>
  let held;
  for (const row of document.querySelectorAll("li")) {{
    row.ondragstart = () => {{ held = row; }};
    row.ondragover = (e) => {{ e.preventDefault(); if (held !== row) row.after(held); }};
    row.ondrop = () => saw([...document.querySelectorAll("li")].map((one) => one.textContent).join());
  }}
</script>""".format("".join(f"<li draggable=true aria-label={name}>{name}</li>" for name in "ABC"))

ENTERED = LIST.replace("ondragover", "ondragenter").replace(
    "row.ondrop", "row.ondragover = (e) => e.preventDefault();\n    row.ondrop"
)


async def again(stage: Any, start: ActionStart) -> None:
    """Perform a drag as a replay does."""
    compiled = [compile_query(one, str) for one in (start.target, Target.model_validate(start.options["onto"]))]
    found, onto = (query.model_dump(exclude_defaults=True) | {"patience": 1000} for query in compiled)
    page = stage.actor.page
    await stage.actor.runner.carry_out(
        start,
        lambda: drag(page, selector("sim", found), page, selector("sim", {**onto, "onto": True}), start.options, 1500),
    )


@pytest.mark.parametrize(
    ("body", "source", "onto", "seen"),
    [
        (NATIVE, "#card", "#done", ["drop card on done"]),
        (BY_POINTER, "#card", "#done", ["left at true"]),
        (LIST, "text=A", "text=C", ["B,C,A"]),
        (ENTERED, "text=A", "text=C", ["B,C,A"]),
    ],
    ids=["native", "pointer", "sortable", "sorted as soon as it is entered"],
)
async def test_a_drag_is_done_and_done_again(
    stage: Any, site: Any, body: str, source: str, onto: str, seen: list[str]
) -> None:
    await stage.show(site, body)
    finds = [Find("text", one[5:]) if one.startswith("text=") else Find("css", one) for one in (source, onto)]
    report = await stage.actor.drag(*finds)
    assert report.outcome.status == "done"
    assert await stage.seen() == seen
    start = stage.notes.started[-1]
    assert start.target.role == "listitem"
    await stage.show(site, body)
    await again(stage, start)
    assert await stage.seen() == seen


async def test_a_word_in_a_card_drags_the_card(stage: Any, site: Any) -> None:
    await stage.show(site, NATIVE)
    report = await stage.actor.drag(Find("css", "b"), Find("text", "Done"))
    assert report.target.name == "Card"


async def test_a_card_that_looks_like_the_text_in_it_is_dragged_again(stage: Any, site: Any) -> None:
    body = ENTERED.replace("<li", "<div><div").replace("</li>", "</div></div>").replace("aria-label", "class")
    body = body.replace("<div><div draggable=true", "<div draggable=true style='padding:20px' class=row><div")
    body = body.replace('"li"', '".row"')
    await stage.show(site, body)
    await stage.actor.drag(Find("css", ".row:first-of-type"), Find("css", ".row:last-of-type"))
    assert await stage.seen() == ["B,C,A"]
    start = stage.notes.started[-1]
    await stage.show(site, body)
    await again(stage, start)
    assert await stage.seen() == ["B,C,A"]


async def test_what_has_no_place_any_more_is_not_picked_up(stage: Any, site: Any) -> None:
    await stage.show(site, NATIVE)
    await stage.actor.drag(Find("css", "#card"), Find("css", "#done"))
    start = stage.notes.started[-1]
    changed = NATIVE.replace("aria-label=Done", "aria-label=Archive").replace(
        "</script>", "card.addEventListener('pointerdown', () => saw('picked up'));</script>"
    )
    await stage.show(site, changed)
    with pytest.raises(ToolError, match="no element is proven"):
        await again(stage, start)
    assert await stage.seen() == []
    await stage.show(site, "<button onclick='saw(1)'>Next</button>")
    await stage.actor.click(Find("text", "Next"))
    assert await stage.seen() == [1]


async def test_what_lies_elsewhere_once_it_is_held_is_not_dropped(stage: Any, site: Any) -> None:
    await stage.show(site, NATIVE)
    swap = "card.addEventListener('dragstart', () => { done.setAttribute('aria-label', 'Bin'); });"
    await stage.actor.page.evaluate(swap)
    with pytest.raises(ToolError, match="became another one"):
        await stage.actor.drag(Find("css", "#card"), Find("css", "#done"))
    assert await stage.seen() == []
    assert stage.notes.ended[-1].status in ("failed", "cancelled")


async def test_a_click_drags_nothing(stage: Any, site: Any) -> None:
    await stage.show(site, NATIVE)
    await stage.actor.resolver.take(Find("css", "#card"))
    mouse = stage.actor.page.mouse
    await mouse.move(60, 50)
    await mouse.down()
    await mouse.move(340, 50, steps=4)
    await mouse.up()
    assert await stage.seen() == []
    followed = await stage.actor.view.follow()
    assert any("nothing was to be dragged" in reason for reason in followed.stopped)
