"""No input reaches an element that was not proven. What counts is what the page's own listeners and the server saw."""

from __future__ import annotations

from typing import Any

import pytest

from simulator.browser.find import Find
from simulator.errors import ToolError
from simulator.replay.evidence.resolve import compile_query

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.promise("the guard of an act", quick=4)]
LISTEN = """<script>
  for (const type of ["click", "dblclick", "input", "change", "submit", "keydown"])
    document.addEventListener(type, (event) => saw(`${type} ${event.target.closest("[id]")?.id}`));
  document.addEventListener("submit", (event) => event.preventDefault());
</script>"""


async def query_of(stage: Any, css: str) -> dict[str, Any]:
    """What a recording of an action on an element comes to at replay."""
    target = await stage.actor.resolver.take(Find("css", css))
    await stage.actor.view.follow()
    query: dict[str, Any] = compile_query(target, str).model_dump(exclude_defaults=True)
    return query


async def refused(stage: Any, kind: Any, query: dict[str, Any], value: str | None = None) -> str:
    with pytest.raises(ToolError) as raised:
        await stage.perform(kind, query, value)
    assert stage.notes.ended[-1].status in ("failed", "cancelled")
    return raised.value.message


async def test_a_hidden_twin_and_a_decoy_in_another_form_are_passed_over(stage: Any, site: Any) -> None:
    form = "<form action=/order><button id=real>Send</button></form>"
    await stage.show(site, form)
    query = await query_of(stage, "#real")
    await stage.show(
        site,
        f"""{LISTEN}<form action=/order style='display:none'><button id=twin>Send</button></form>
        <form action=/cancel><button id=decoy>Send</button></form>{form}<button id=loose>Send</button>""",
    )
    await stage.perform("click", query)
    assert await stage.seen() == ["click real", "submit undefined"]


@pytest.mark.parametrize("twin", ["<button id=twin>Send</button>", "<button id=twin disabled>Send</button>"])
async def test_one_of_two_that_nothing_tells_apart_is_not_clicked(stage: Any, site: Any, twin: str) -> None:
    await stage.show(site, "<form action=/order><button id=real>Send</button></form>")
    query = await query_of(stage, "#real")
    await stage.show(site, f"{LISTEN}<form action=/order>{twin}<button id=real>Send</button></form>")
    await refused(stage, "click", query)
    assert await stage.seen() == []


async def test_a_covered_button_stops_with_the_reason(stage: Any, site: Any) -> None:
    await stage.show(
        site, f"{LISTEN}<button id=real>Send</button><div id=cover style='position:fixed;inset:0'>wait</div>"
    )
    with pytest.raises(ToolError, match="is covered by div#cover"):
        await stage.actor.click(Find("text", "Send"))
    assert await stage.seen() == []


ROWS = """<ul><li><b>Apple</b> <button>Buy</button></li><li><b>Pear</b> <button>Buy</button></li></ul>
<script>document.querySelectorAll("button").forEach((b) =>
  b.addEventListener("click", () => saw(`bought ${b.closest("li").querySelector("b").textContent}`)));</script>"""


async def test_a_list_that_sorts_itself_anew_under_the_pointer_stops_the_click(stage: Any, site: Any) -> None:
    await stage.show(site, ROWS)
    query = await query_of(stage, "li:first-child button")
    await stage.between("const list = document.querySelector('ul'); list.append(list.firstElementChild)")
    await refused(stage, "click", query)
    assert await stage.seen() == []


async def test_a_row_recycled_for_another_item_stops_the_click(stage: Any, site: Any) -> None:
    await stage.show(site, ROWS)
    query = await query_of(stage, "li:first-child button")
    await stage.between(
        "const [a, b] = document.querySelectorAll('b'); a.textContent = 'Pear'; b.textContent = 'Apple'"
    )
    message = await refused(stage, "click", query)
    assert "the proven element" in message
    assert await stage.seen() == []


HIDING = """<main id=app><span id=lab>Fruit</span><ul><li><b>Apple</b>
<button id=real aria-labelledby=lab
 onpointerdown="document.querySelector('#app').setAttribute('aria-hidden', 'true'); {}">
Pick</button></li><li><b>Pear</b> <button>Buy</button></li></ul></main>"""


async def test_a_page_that_hides_itself_from_assistive_technology_on_the_press_is_clicked(
    stage: Any, site: Any
) -> None:
    await stage.show(site, HIDING.format(""))
    query = await query_of(stage, "#real")
    await stage.show(site, LISTEN + HIDING.format(""))
    await stage.perform("click", query)
    assert await stage.seen() == ["click real"]


@pytest.mark.parametrize(
    "change", ["lab.textContent = 'Meat'", "this.setAttribute('formaction', '/other')", "this.role = 'switch'"]
)
async def test_one_that_becomes_another_behind_it_is_not(stage: Any, site: Any, change: str) -> None:
    page = LISTEN + "<form action=/pick>" + HIDING.format(change) + "</form>"
    await stage.show(site, page)
    query = await query_of(stage, "#real")
    assert "the proven element" in await refused(stage, "click", query)
    assert await stage.seen() == []


async def test_a_list_sorted_otherwise_since_the_recording_is_clicked_in_the_right_row(stage: Any, site: Any) -> None:
    await stage.show(site, ROWS)
    query = await query_of(stage, "li:first-child button")
    await stage.actor.page.evaluate("() => { const l = document.querySelector('ul'); l.append(l.firstElementChild) }")
    await stage.perform("click", query)
    assert await stage.seen() == ["bought Apple"]


async def test_an_element_replaced_by_its_equal_is_clicked(stage: Any, site: Any) -> None:
    await stage.show(site, f"{LISTEN}<button id=real>Send</button>")
    query = await query_of(stage, "#real")
    await stage.actor.page.evaluate(
        "() => { const real = document.querySelector('#real'); setInterval(() => document.querySelector('#real')"
        ".replaceWith(real.cloneNode(true)), 300) }"
    )
    await stage.perform("click", query)
    assert await stage.seen() == ["click real"]


async def test_keys_do_not_follow_a_focus_that_moved(stage: Any, site: Any) -> None:
    body = """<form action=/a><label>Name <input id=name></label></form>
    <form action=/b><label>Other <input id=other></label></form>"""
    await stage.show(site, body)
    query = await query_of(stage, "#name")
    steal = "<script>document.querySelector('#name').addEventListener('focus', () => other.focus())</script>"
    await stage.show(site, LISTEN + body + steal)
    for kind, value in (("press", "Enter"), ("type", "x"), ("fill", "Ada")):
        with pytest.raises(ToolError):
            await stage.perform(kind, query, value)
        assert stage.notes.ended[-1].status in ("cancelled", "failed")
    assert await stage.seen() == []
    assert await stage.actor.page.input_value("#other") == ""


async def test_a_page_that_leaves_by_itself_takes_no_click_with_it(stage: Any, site: Any) -> None:
    site.page("/next", f"{LISTEN}<button id=wrong style='position:fixed;inset:0'>Delete all</button>")
    await stage.show(site, "<button id=real style='position:fixed;inset:0'>Send</button>")
    query = await query_of(stage, "#real")
    page = stage.actor.page
    await page.evaluate("() => addEventListener('pointermove', () => location.assign('/next'), { once: true })")

    async def slowly(selector: str, *, timeout: float) -> None:
        await page.hover(selector, timeout=timeout)
        await page.wait_for_url("**/next")
        await page.mouse.down()
        await page.mouse.up()

    page_click, page.click = page.click, slowly
    try:
        message = await refused(stage, "click", query)
    finally:
        page.click = page_click
    assert "no action was under way" in message
    assert await stage.seen() == []


async def test_an_action_after_a_stopped_one_refuses(stage: Any, site: Any) -> None:
    await stage.show(site, f"{LISTEN}<button id=one>One</button><button id=two>Two</button>")
    query = await query_of(stage, "#two")
    await stage.actor.page.mouse.click(20, 20)  # nobody proved anything for this
    await refused(stage, "click", query)
    await stage.actor.page.mouse.click(20, 20)
    with pytest.raises(ToolError, match="stopped"):
        await stage.actor.click(Find("css", "#two"))
    assert await stage.seen() == []
    await stage.actor.click(Find("css", "#two"))
    assert await stage.seen() == ["click two"]


async def test_a_button_in_what_is_clicked_does_not_react_instead(stage: Any, site: Any) -> None:
    await stage.show(
        site,
        f"""{LISTEN}<div id=card role=option style='padding:20px;width:100px'>
        <button id=inner style='width:100px'>x</button></div>""",
    )
    with pytest.raises(ToolError, match="stopped"):
        await stage.actor.click(Find("css", "#card"))
    assert await stage.seen() == []


async def test_a_button_that_is_all_of_a_link_is_the_link(stage: Any, site: Any) -> None:
    await stage.show(site, f"{LISTEN}<a id=link href='#there'><button>There</button></a>")
    await stage.actor.click(Find("css", "#link"))
    assert await stage.seen() == ["click link"]
    assert stage.actor.page.url.endswith("#there")


@pytest.mark.parametrize(
    "inside",
    [
        "<b>Lamp</b> <button>There</button>",
        "<button>There</button><button>x</button>",
        "<form><button>There</button></form>",
        "<img alt=Lamp width=9 height=9><button>There</button>",
    ],
)
async def test_a_button_beside_more_of_a_link_reacts_for_itself(stage: Any, site: Any, inside: str) -> None:
    await stage.show(site, f"{LISTEN}<a id=link href='#there' style='display:inline-flex'>{inside}</a>")
    with pytest.raises(ToolError):
        await stage.actor.click(Find("css", "#link"))
    assert await stage.seen() == []


CONTROLS = f"""{LISTEN}
<label for=box>Box</label><input id=box type=checkbox><label>Wrapped <input id=wrapped type=checkbox></label>
<label for=styled id=styledlabel style='display:inline-block;width:60px'>Styled</label>
<input id=styled type=checkbox style='position:absolute;opacity:0;width:1px;height:1px'>
<fieldset><label>Red <input id=red type=radio name=c></label>
<label>Blue <input id=blue type=radio name=c></label></fieldset>
<label>Genre <select id=genre><option value=c>Crime<option value=h>History</select></label>
<label>Date <input id=date type=date></label><label>Number <input id=number type=number></label>
<label>Range <input id=range type=range max=10></label><label>Colour <input id=colour type=color></label>
<div id=rich contenteditable aria-label=Rich style='width:200px'>old</div>
<button id=icon aria-label=Icon><svg width=30 height=30><rect width=30 height=30></rect></svg></button>
<button id=span><span>Word</span></button><details><summary id=more>More</summary>text</details>
<form action=/search><label>Query <input id=query name=q></label><button id=go>Go</button></form>"""


async def test_every_kind_of_control_is_operated_and_seen_by_the_page(stage: Any, site: Any) -> None:
    await stage.show(site, CONTROLS)
    acts: list[tuple[Any, str, str | None, str]] = [
        ("click", "#box", None, "change box"),
        ("check", "#wrapped", None, "change wrapped"),
        ("check", "#styled", None, "change styled"),
        ("check", "#blue", None, "change blue"),
        ("fill", "#date", "2026-11-21", "change date"),
        ("fill", "#number", "7", "input number"),
        ("fill", "#range", "3", "change range"),
        ("fill", "#colour", "#ff0000", "change colour"),
        ("fill", "#rich", "new", "input rich"),
        ("click", "#icon", None, "click icon"),
        ("dblclick", "#span", None, "dblclick span"),
        ("press", "#span", "Space", "click span"),
        ("click", "#more", None, "click more"),
        ("fill", "#query", "x", "input query"),
        ("type", "#query", "yz", "input query"),
        ("press", "#query", "Enter", "click go"),
        ("click", "#go", None, "submit undefined"),
    ]
    queries = {css: await query_of(stage, css) for _, css, _, _ in acts}
    for kind, css, value, expected in acts:
        await stage.actor.page.evaluate("() => void seen.splice(0)")
        await stage.perform(kind, queries[css], value)
        assert any(one.startswith(expected) for one in await stage.seen()), (kind, css, await stage.seen())
    page = stage.actor.page
    await page.evaluate("() => void seen.splice(0)")
    await stage.actor.select(Find("css", "#genre"), "History")
    assert "change genre" in await stage.seen()
    state = (
        "() => ['#date', '#number', '#range', '#colour', '#genre', '#query'].map(c => document.querySelector(c).value)"
    )
    assert await page.evaluate(state) == ["2026-11-21", "7", "3", "#ff0000", "h", "xyz"]
    assert await page.inner_text("#rich") == "new"
    assert [one.status for one in stage.notes.ended] == ["done"] * len(stage.notes.ended)


async def test_a_choice_put_into_a_recycled_field_is_kept_from_the_page(stage: Any, site: Any) -> None:
    body = "<label for=date id=l>Born</label><input id=date type=date>"
    await stage.show(site, LISTEN + body)
    query = await query_of(stage, "#date")
    await stage.actor.page.evaluate("() => date.addEventListener('focus', () => { l.textContent = 'Leaving on' })")
    message = await refused(stage, "fill", query, "2026-11-21")
    assert "no longer fits" in message
    assert await stage.seen() == []


async def test_a_file_goes_to_the_field_hidden_under_its_button(stage: Any, site: Any, tmp_path: Any) -> None:
    await stage.show(
        site,
        f"""{LISTEN}<label style='border:1px solid'>Cover <input id=cover type=file style='display:none'></label>
        <script>cover.addEventListener("change", async () => saw(await cover.files[0].text()))</script>""",
    )
    (tmp_path / "a.txt").write_text("bytes")
    await stage.actor.upload(Find("css", "#cover"), path=tmp_path / "a.txt", sha256="0")
    await stage.actor.page.wait_for_function("() => seen.includes('bytes')")
    assert stage.notes.started[-1].target.hidden


async def test_input_that_reached_no_listener_is_not_called_done(stage: Any, site: Any) -> None:
    """A frame that slides under the pointer takes the click: the page itself never sees one."""
    site.page("/frame", f"{LISTEN}<button id=wrong style='position:fixed;inset:0'>Delete</button>")
    await stage.show(site, f"{LISTEN}<button id=real>Send</button>")
    query = await query_of(stage, "#real")
    page = stage.actor.page

    async def slowly(selector: str, *, timeout: float) -> None:
        await page.hover(selector, timeout=timeout)
        await page.evaluate("""() => new Promise((loaded) => {
          const frame = document.createElement("iframe");
          Object.assign(frame, { src: "/frame", onload: loaded, style: "position:fixed;inset:0" });
          document.body.append(frame);
        })""")
        await page.mouse.down()
        await page.mouse.up()

    page_click, page.click = page.click, slowly
    try:
        message = await refused(stage, "click", query)
    finally:
        page.click = page_click
    assert "no input event reached the page" in message
    assert await page.frames[1].evaluate("() => seen") == []


SLIDING = """<style>nav span { display: none } nav:hover span, nav.open span { display: inline }</style>
<nav><a id=real href="#edit" title="Edit this page [e]"><span>Edit this page</span>
<svg width=20 height=20 viewBox="0 0 9 9"><path d="M0 0h9v9z" /></svg></a></nav>"""
BY_SCRIPT = """<style>nav span { display: none } nav.open span { display: inline }</style>
<nav onmouseenter="this.className = 'open'"><a id=real href="#edit" title="Edit this page [e]">
<span>Edit this page</span><b>&#9998;</b></a></nav>"""


HINTED = """<nav><a id=real href="#edit" title="Edit this page [e]" onmouseover="{}"><b>&#9998;</b></a></nav>"""
LOSES = "this.removeAttribute('title')"
DESCRIBES = (
    "this.title = ''; this.setAttribute('aria-describedby', 'tip'); this.dataset.originalTitle = 'Edit this page [e]'"
)
OTHERS = ("this.title = 'Delete it'", f"{LOSES}; this.href = '#delete'", f"{LOSES}; this.firstChild.textContent = 'x'")


@pytest.mark.parametrize("other", OTHERS)
async def test_what_loses_more_than_its_title_as_the_pointer_comes_is_not_clicked(
    stage: Any, site: Any, other: str
) -> None:
    await stage.show(site, HINTED.format(""))
    query = await query_of(stage, "#real")
    await stage.show(site, LISTEN + HINTED.format(other))
    await refused(stage, "click", query)
    assert await stage.seen() == []


@pytest.mark.parametrize("page", [SLIDING, BY_SCRIPT, HINTED.format(LOSES), HINTED.format(DESCRIBES)])
async def test_what_is_called_otherwise_once_the_pointer_is_on_it_is_clicked(stage: Any, site: Any, page: str) -> None:
    await stage.show(site, LISTEN + page)
    query = await query_of(stage, "#real")
    await stage.actor.click(Find("text", "Edit this page [e]"))
    assert await stage.seen() == ["click real"]
    await stage.show(site, LISTEN + page)
    await stage.perform("click", query)
    assert await stage.seen() == ["click real"]


SWITCHING = """<style>@keyframes in {{ from {{ margin-left: 0 }} to {{ margin-left: 60px }} }}
#card {{ animation: in 0.9s linear }} .off .yes, .on .no {{ display: none }}</style>
<div id=card class=off onanimationend="{}"><button id=real><i class=no>Follow</i><i class=yes>Unfollow</i></button>
<button id=other>Mute</button></div>"""


@pytest.mark.parametrize("end", ["this.className = 'on'", "real.append('ed')"])
async def test_what_is_called_otherwise_before_the_pointer_comes_is_not(stage: Any, site: Any, end: str) -> None:
    await stage.show(site, SWITCHING.format(""))
    query = await query_of(stage, "#real")
    await stage.show(site, LISTEN + SWITCHING.format(end))
    await refused(stage, "click", query)
    assert await stage.seen() == []
