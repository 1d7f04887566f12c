"""Clicks of every kind, and elements that are aimed at by a point of the viewport."""

from __future__ import annotations

from typing import Any

import pytest

from simulator.browser.acting.gestures import gesture
from simulator.browser.action_recorder import ActionStart
from simulator.browser.find import Find
from simulator.browser.launch.script import selector
from simulator.errors import ToolError
from simulator.replay.evidence.resolve import compile_query

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.promise("where a click lands", quick=3)]
HEARD = """<script>
  for (const type of ["click", "dblclick", "auxclick", "contextmenu"])
    document.addEventListener(type, (e) => saw([type, e.button, e.detail, e.shiftKey, e.altKey].join()));
</script>"""
SAVE = "<button id=save style='position:absolute;left:100px;top:50px;width:80px;height:40px'><b>Save</b></button>"


async def again(stage: Any, start: ActionStart) -> None:
    """Perform an action as a replay does, by its stored evidence and options."""
    found = selector("sim", compile_query(start.target, str).model_dump(exclude_defaults=True))
    actor = stage.actor
    await actor.runner.carry_out(start, lambda: gesture(actor.page, start.kind, found, None, start.options, 1500))


@pytest.mark.parametrize(
    ("how", "heard"),
    [
        ({"button": "right"}, ["contextmenu,2,0,false,false"]),
        ({"button": "middle"}, ["auxclick,1,1,false,false"]),
        ({"count": 2}, ["click,0,1,false,false", "click,0,2,false,false", "dblclick,0,2,false,false"]),
        ({"modifiers": ("Shift", "Alt")}, ["click,0,1,true,true"]),
    ],
)
async def test_a_click_of_another_kind_is_stored_and_done_again(
    stage: Any, site: Any, how: dict[str, Any], heard: list[str]
) -> None:
    await stage.show(site, HEARD + SAVE)
    await stage.actor.click(Find("css", "#save"), **how)
    first = [one for one in await stage.seen() if not one.startswith("auxclick,2")]
    assert first == heard
    start = stage.notes.started[-1]
    assert start.options == {key: list(value) if key == "modifiers" else value for key, value in how.items()}
    await stage.show(site, HEARD + SAVE)
    await again(stage, start)
    assert [one for one in await stage.seen() if not one.startswith("auxclick,2")] == heard


async def test_a_plain_click_has_no_options(stage: Any, site: Any) -> None:
    await stage.show(site, SAVE)
    await stage.actor.click(Find("text", "Save"))
    assert stage.notes.started[-1].options == {}


async def test_a_position_is_kept_in_the_element(stage: Any, site: Any) -> None:
    body = """<button id=save style='width:200px;height:40px;border:3px solid'
      onclick='saw([event.offsetX, event.offsetY])'>Save</button>"""
    await stage.show(site, body)
    await stage.actor.click(Find("css", "#save"), position=(150, 10))
    await again(stage, stage.notes.started[-1])
    assert await stage.seen() == [[150, 10], [150, 10]]


@pytest.mark.parametrize("point", ["101,51", "140,70", "179,89"])
async def test_a_point_is_the_element_that_reacts_there(stage: Any, site: Any, point: str) -> None:
    await stage.show(site, HEARD + SAVE)
    report = await stage.actor.click(Find("point", point))
    assert (report.target.role, report.target.name) == ("button", "Save")
    assert stage.notes.started[-1].options == {}
    assert await stage.seen() == ["click,0,1,false,false"]


async def test_a_point_looks_into_open_shadow_roots(stage: Any, site: Any) -> None:
    await stage.show(
        site,
        """<x-box style='position:absolute;left:0;top:0'></x-box><script>
          document.querySelector("x-box").attachShadow({ mode: "open" }).innerHTML =
            "<button style='width:90px;height:40px'><i>Inner</i></button>";
        </script>""",
    )
    report = await stage.actor.click(Find("point", "40,20"))
    assert (report.target.role, report.target.name) == ("button", "Inner")


@pytest.mark.parametrize(
    "selector", ["li:nth-of-type(2) x-form [name=title]", "#all > li + li x-form form > [name='title']"]
)
async def test_a_selector_goes_on_in_open_shadow_roots(stage: Any, site: Any, selector: str) -> None:
    await stage.show(
        site,
        """<ul id=all><li><x-form></x-form></li><li><x-form></x-form></li></ul><script>
          for (const [at, one] of document.querySelectorAll("x-form").entries())
            one.attachShadow({ mode: "open" }).innerHTML =
              `<form><input name=title aria-label="Title ${at + 1}"></form>`;
        </script>""",
    )
    assert (await stage.actor.fill(Find("css", selector), "Low tide")).target.name == "Title 2"
    with pytest.raises(ToolError, match=r"nothing on .* fits"):
        await stage.actor.fill(Find("css", "ol x-form [name=title]"), "Low tide", timeout_ms=200)


async def test_a_point_of_a_slider_is_where_it_is_pressed(stage: Any, site: Any) -> None:
    body = """<input type=range aria-label=Price min=0 max=100 value=0
      style='position:absolute;left:10px;top:10px;width:200px;margin:0' onchange='saw(value)'>"""
    await stage.show(site, body)
    await stage.actor.click(Find("point", "110,18"))
    await stage.actor.page.evaluate("() => { document.querySelector('input').value = 0; }")
    await again(stage, stage.notes.started[-1])
    assert await stage.seen() == ["50", "50"]


async def test_nothing_is_at_a_point_outside_the_viewport(stage: Any, site: Any) -> None:
    await stage.show(site, SAVE)
    with pytest.raises(ToolError, match=r"nothing on .* fits point '9000,9000'"):
        await stage.actor.click(Find("point", "9000,9000"), timeout_ms=200)


SAID = """<style>li {{ cursor: pointer }}</style><button onclick="saw('button')">text str</button>
<ul>{}</ul><script>document.querySelector("ul").onclick = (e) => saw(e.target.closest("li").id);</script>"""


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("<li id=it>Speech <svg width=8 height=8><title>Arrow</title></svg></li><li id=other>Text</li>", "Speech"),
        ("<li id=it>Old <b>books</b> only</li><li id=other>books</li>", "Old books only"),
        ("<li id=other>text size</li><li id=it>text</li>", "text"),
        ("<li id=other>text size</li><li id=it><i>Text</i></li>", "text"),
    ],
    ids=["beside a drawing", "partly in bold", "a part of what a button says", "in another case"],
)
async def test_plain_text_is_clicked_by_just_its_words(stage: Any, site: Any, body: str, words: str) -> None:
    await stage.show(site, SAID.format(body))
    await stage.actor.click(Find("text", words))
    assert await stage.seen() == ["it"]
    start = stage.notes.started[-1]
    await stage.show(site, SAID.format(body))
    await again(stage, start)
    assert await stage.seen() == ["it"]


async def test_what_only_a_tooltip_names_is_clicked_by_it(stage: Any, site: Any) -> None:
    ann = "<div title=ann@example.org style='cursor:pointer' onclick=\"saw('ann')\">AN</div>"
    await stage.show(site, f"{ann}<a href=/book>Book ann@example.org</a>")
    await stage.actor.click(Find("text", "ann@example.org"))
    assert await stage.seen() == ["ann"]


async def test_words_that_only_a_button_says_among_others_mean_it(stage: Any, site: Any) -> None:
    await stage.show(site, SAID.format("").replace("</ul>", "</ul><h2>text</h2>"))
    await stage.actor.click(Find("text", "text"))
    assert await stage.seen() == ["button"]


async def test_a_box_that_says_more_than_a_text_is_not_meant_by_that(stage: Any, site: Any) -> None:
    row = "<tr onclick=\"saw('row')\"><td><input type=checkbox aria-label='Select {0} 6' onclick='saw(1)'><td>{0}</tr>"
    await stage.show(site, f"<table>{row.format('Mend the slipway')}{row.format('Paint the boat')}</table>")
    await stage.actor.click(Find("text", "Mend the slipway"))
    assert await stage.seen() == ["row"]
    await stage.actor.click(Find("text", "Select Paint the boat"))
    assert await stage.seen() == ["row", 1, "row"], "what no text says a box may say among others"


async def test_a_label_without_a_control_does_not_react_for_what_is_in_it(stage: Any, site: Any) -> None:
    swatch = "<i id={} style='display:inline-block;width:20px;height:20px' onclick='saw(this.id)'></i>"
    swatches = "".join(map(swatch.format, "abc"))
    await stage.show(site, f"<label style='display:block'>Colour {swatches}<input type=hidden name=colour></label>")
    await stage.actor.click(Find("css", "#c"))
    assert await stage.seen() == ["c"]
    assert stage.notes.started[-1].target.tag == "i"


async def test_a_row_is_clicked_where_its_middle_is_between_two_cells(stage: Any, site: Any) -> None:
    row = """<tr onclick='saw("{0}")'><td><input type=checkbox></td><td>{0}</td><td>Leeds</td><td></td></tr>"""
    body = "<style>td {{ width: 80px; height: 30px }} table {{ border-spacing: 30px }}</style><table>{}</table>"
    await stage.show(site, body.format(row.format("Ann") + row.format("Ben")))
    await stage.actor.click(Find("role", "row", "Ben Leeds"))
    await again(stage, stage.notes.started[-1])
    assert await stage.seen() == ["Ben", "Ben"]
