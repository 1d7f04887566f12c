# ruff: noqa: E501
"""A page writes what it has loaded over what a user has put into its form: what the user put in stands there, or it is told."""

from __future__ import annotations

import asyncio
from itertools import product
from typing import Any

import pytest

from simulator.browser.find import Find
from simulator.browser.written import NotTaken
from tests.browser.conftest import Answer

pytestmark = pytest.mark.asyncio(loop_scope="session")
TITLE, PLACE, KIND, OPEN = (Find("css", f"[name={name}]") for name in ("title", "place", "kind", "open"))
FORM = """<form onsubmit="event.preventDefault(); saw(JSON.stringify(Object.fromEntries(new FormData(this)))); fetch('/save', {method: 'POST'})">
<label>Title <input name=title></label><label>Place <textarea name=place></textarea></label>
<label>Kind <select name=kind><option>A<option>B</select></label><label><input type=checkbox name=open value=yes> Open</label>
<button>Save</button></form>"""
LOADED = "{title: 'Town of Bartlett', place: 'Hill', kind: 'A', open: false}"
PLAIN = """const form = document.querySelector('form');
const write = (one) => { for (const [name, value] of Object.entries(one)) typeof value === 'boolean' ? (form.elements[name].checked = value) : (form.elements[name].value = value) };"""
ANEW = """const write = (one) => { const form = document.querySelector('form'); const html = form.outerHTML; form.outerHTML = html;
for (const [name, value] of Object.entries(one)) { const el = document.querySelector(`[name=${name}]`); typeof value === 'boolean' ? (el.checked = value) : (el.value = value) } };"""
MODEL = """const form = document.querySelector('form'); let model = {title: '', place: '', kind: 'A', open: false};
const draw = () => Promise.resolve().then(() => { for (const [name, value] of Object.entries(model)) typeof value === 'boolean' ? (form.elements[name].checked = value) : (form.elements[name].value = value) });
form.addEventListener('input', ({target}) => { model = {...model, [target.name]: target.type === 'checkbox' ? target.checked : target.value}; draw(); });
const write = (one) => { model = one; draw(); };"""
TEXT = "Town and harbour of Bartlett"


async def _saved(stage: Any) -> str:
    await stage.actor.click(Find("css", "button"))
    return (await stage.actor.page.evaluate("seen"))[-1]


@pytest.mark.parametrize(
    ("draws", "when"),
    [
        *product((PLAIN, MODEL), ("while it is filled in", "before the next", "before it is sent")),
        (ANEW, "before the next"),
        (ANEW, "before it is sent"),
    ],
)
async def test_what_was_put_in_stands_where_the_page_writes_what_it_has_loaded(
    stage: Any, site: Any, draws: str, when: str
) -> None:
    site.routes["/save"] = Answer("", media_type="text/plain")
    # What is loaded comes by itself: neither when it is asked for nor when it is there the user has done anything.
    await stage.show(
        site,
        f"""{FORM}<script>{draws} const channel = new MessageChannel();
        // Two frames later: no handler of what the user did runs any more.
        channel.port1.onmessage = () => requestAnimationFrame(() => requestAnimationFrame(() => write({LOADED})));</script>""",
    )
    page = stage.actor.page
    if when == "while it is filled in":
        await page.evaluate(
            "document.querySelector('form').addEventListener('input', () => channel.port2.postMessage(0), {once: true})"
        )
    written = (await stage.actor.fill(TITLE, TEXT)).written
    assert (written.became, written.reads) == ("held", None)
    if when == "before the next":
        await page.evaluate(f"write({LOADED})")
    await stage.actor.fill(PLACE, "Harbour")
    await stage.actor.select(KIND, "B")
    await stage.actor.check(OPEN)
    if when == "before it is sent":
        await page.evaluate(f"write({LOADED})")
    assert await _saved(stage) == f'{{"title":"{TEXT}","place":"Harbour","kind":"B","open":"yes"}}'


@pytest.mark.parametrize(
    "load",
    [
        "fetch('/data').then((answer) => answer.text()).then(loaded)",
        "const asked = new XMLHttpRequest(); asked.open('GET', '/data'); asked.onload = loaded; asked.send()",
        "fetch('/data').then((answer) => answer.text()).then(() => fetch('/more')).then(loaded)",
    ],
    ids=["fetch", "XMLHttpRequest", "one after the other"],
)
async def test_what_was_asked_for_before_is_no_answer_to_what_is_put_in(stage: Any, site: Any, load: str) -> None:
    """The application moves the focus once its data is there, and draws it at once."""
    gate = site.gate()
    site.routes |= {path: Answer("", media_type="text/plain") for path in ("/save", "/more")}
    site.routes["/data"] = Answer("", media_type="text/plain", after=gate)
    await stage.show(
        site,
        f"""{FORM}<p id=out></p><script>{MODEL}
        const loaded = () => {{ form.elements.place.focus(); write({LOADED}); out.textContent = 'drawn' }};
        {load};</script>""",
    )
    await stage.actor.fill(TITLE, TEXT)
    gate.set()
    await stage.actor.page.wait_for_function("out.textContent === 'drawn'")
    await stage.actor.fill(PLACE, "Harbour")
    await stage.actor.select(KIND, "B")
    await stage.actor.check(OPEN)
    assert await _saved(stage) == f'{{"title":"{TEXT}","place":"Harbour","kind":"B","open":"yes"}}'


async def test_what_an_application_loads_again_for_another_view_is_awaited(stage: Any, site: Any) -> None:
    gate = site.gate()
    answers = iter([None, None, gate])
    site.routes["/data"] = lambda _: Answer("old", media_type="text/plain", after=next(answers))
    await stage.show(
        site,
        """<a href=# id=go>Edit</a><main></main><script>
        const main = document.querySelector('main'), steps = new MessageChannel();
        const step = () => new Promise((go) => { steps.port1.onmessage = go; steps.port2.postMessage(0); });
        const load = async () => (await fetch('/data')).text();
        const view = async () => {
          history.pushState(null, '', '/edit');
          // Its router asks and draws, in steps of its own, before the view is there that loads.
          for (const until = performance.now() + 60; performance.now() < until; main.textContent = performance.now()) await step();
          main.innerHTML = '<input id=f>';
          f.value = await load();
        };
        go.onclick = (event) => { event.preventDefault(); view(); };
        load();</script>""",
    )
    await stage.actor.click(Find("css", "#go"))

    doing = asyncio.create_task(stage.actor.click(Find("css", "#go")))
    await asyncio.to_thread(site.wait_for, "GET /data", 3)
    assert not (await asyncio.wait({doing}, timeout=0.5))[0]
    gate.set()
    await doing
    assert await stage.actor.page.input_value("#f") == "old"


async def test_a_page_that_always_writes_over_a_field_is_told(stage: Any, site: Any) -> None:
    await stage.show(
        site,
        """<input id=f><p id=out></p><script>const loop = new MessageChannel(); let until = 0;
        // Something goes on in the page until it has written, so that the fill is not over before.
        loop.port1.onmessage = () => {
          out.textContent++;
          if (performance.now() < until) loop.port2.postMessage(0);
          else f.value = 'Town of Bartlett';
        };
        f.oninput = () => { until = performance.now() + 60; loop.port2.postMessage(0); };</script>""",
    )
    with pytest.raises(NotTaken, match="the page has written 'Town of Bartlett' over it"):
        await stage.actor.fill(Find("css", "#f"), TEXT)


@pytest.mark.parametrize(
    ("does", "then"),
    [
        ("f.onblur = () => { f.value = Number(f.value).toFixed(2) }", "14.00"),
        ("other.oninput = () => { f.value = '20' }", "20"),
        (
            "other.oninput = () => fetch('/ask').then((answer) => answer.text()).then((text) => { f.value = text })",
            "20",
        ),
        ("other.oninput = () => setTimeout(() => { f.value = '' }, 50)", ""),
        ("setInterval(() => { f.value = f.value.replace(/^14$/, '14.00') }, 10)", "14.00"),
    ],
    ids=["written otherwise", "derived", "asked", "emptied", "by itself"],
)
async def test_what_a_page_makes_of_what_a_user_does_stays(stage: Any, site: Any, does: str, then: str) -> None:
    site.routes["/ask"] = Answer("20", media_type="text/plain")
    await stage.show(site, f"<input id=f><input id=other><button>Go</button><script>{does}</script>")
    await stage.actor.fill(Find("css", "#f"), "14")
    await stage.actor.fill(Find("css", "#other"), "x")
    await stage.actor.page.wait_for_function("then => f.value === then", arg=then)
    await stage.actor.click(Find("css", "button"))
    assert await stage.actor.page.input_value("#f") == then


async def test_what_a_page_does_after_a_press_stays(stage: Any, site: Any) -> None:
    await stage.show(
        site,
        """<input id=f><button onclick="const to = () => { f.value = '' }; const sent = new MessageChannel(); sent.port1.onmessage = () => setTimeout(to, 30); sent.port2.postMessage(0)">Send</button><input id=other>""",
    )
    await stage.actor.fill(Find("css", "#f"), "Hello")
    await stage.actor.click(Find("css", "button"))
    await stage.actor.page.wait_for_function("f.value === ''")
    await stage.actor.fill(Find("css", "#other"), "x")
    assert await stage.actor.page.input_value("#f") == ""


async def test_what_the_answer_of_another_field_has_emptied_is_put_in_once_more(stage: Any, site: Any) -> None:
    """The page asks as a field is left, and draws its form anew from what it has taken by then."""
    gate = site.gate()
    site.routes |= {"/save": Answer("", media_type="text/plain"), "/change": Answer("", after=gate)}
    await stage.show(
        site,
        f"""{FORM}<script>{MODEL.replace("'input'", "'change'")}
        form.elements.title.addEventListener('focusout', async () => {{ await (await fetch('/change')).text(); draw(); }})</script>""",
    )
    await stage.actor.fill(TITLE, TEXT)
    doing = asyncio.create_task(stage.actor.fill(PLACE, "Harbour"))
    await stage.actor.page.wait_for_function("form.elements.place.value === 'Harbour'")
    gate.set()
    assert (await doing).written.became == "held"
    assert '"place":"Harbour"' in await _saved(stage)


async def test_a_text_is_taken_before_the_next_field_is_chosen_in(stage: Any, site: Any) -> None:
    """The page takes a text once its field is left, and draws the form anew from what it has taken."""
    site.routes["/save"] = Answer("", media_type="text/plain")
    taken = MODEL.replace("'input'", "'change'")
    await stage.show(
        site,
        f"""{FORM}<script>{taken} const left = []; form.addEventListener('focusout', ({{target}}) => left.push(target.name))</script>""",
    )
    await stage.actor.fill(TITLE, TEXT)
    await stage.actor.select(KIND, "B")
    await stage.actor.fill(PLACE, "Harbour")
    await stage.actor.check(OPEN)
    assert await stage.actor.page.evaluate("left") == ["title", "kind", "place"]
    assert await _saved(stage) == f'{{"title":"{TEXT}","place":"Harbour","kind":"B","open":"yes"}}'
