"""Names that the page script computes are those of the browser's own accessibility tree, on pages drawn at random."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from playwright.async_api import Page

pytestmark = pytest.mark.asyncio(loop_scope="session")

QUICK = 120
WORDS = ("Save", "Edit item", "Löschen", "Add to basket", "保存", "Next", "3 left", "Сохранить", "Close", "Menu")
SIGNS = ("\ue001", "\uf0c7", "\U000f0001")
STYLE = """<style>.b::before{content:"Before "}.a::after{content:" after"}.i::before{content:"\\f0c7"}
.k::before{content:"Block";display:block}.n::before{content:"No";display:none}.t::after{content:attr(data-t)}
.sr{position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0 0 0 0)}</style>"""
_SIGNS = re.compile("[\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd]")
_OURS = (
    "() => [...document.querySelectorAll('[data-n]')].map((el) => [el.dataset.n, __sim.roleOf(el), __sim.nameOf(el)])"
)


def inside(random: Random, depth: int = 0) -> str:
    """What stands in an element that is named by its content."""
    word, sign = random.choice(WORDS), random.choice(SIGNS)
    parts = [
        word,
        f"<span>{word}</span>",
        f"<b>{word}</b>",
        f"<span hidden>{word}</span>",
        f"<span style='display:none'>{word}</span>",
        f"<span style='visibility:hidden'>{word}</span>",
        f"<span aria-hidden=true>{word}</span>",
        f"<span class=sr>{word}</span>",
        f"<i>{sign}</i>",
        "<i class=i></i>",
        "<span class=b></span>",
        f"<span class=a>{word}</span>",
        f"<span class=k>{word}</span>",
        f"<span class=n>{word}</span>",
        f"<span class=t data-t='{word}'></span>",
        f"<svg width=9 height=9><title>{word}</title><path d='M0 0L9 9'/></svg>",
        f"<svg width=9 height=9 aria-label='{word}'><path d='M0 0L9 9'/></svg>",
        "<svg width=9 height=9><path d='M0 0L9 9'/></svg>",
        f"<img alt='{word}' src='data:,'>",
        "<img alt='' src='data:,'>",
        f"<span aria-label='{word}' role=img></span>",
        f"<br>{word}",
        f"<div>{word}</div>",
        f"<span title='{word}'>{word}</span>",
    ]
    drawn = random.sample(parts, random.randrange(1, 4))
    if depth < 2 and random.random() < 0.3:
        drawn.append(f"<span>{inside(random, depth + 1)}</span>")
    return random.choice(("", " ")).join(drawn)


def attributes(random: Random, number: int) -> tuple[str, str]:
    """What else names it, and what stands beside it for that."""
    word, other = random.sample(WORDS, 2)
    given, beside = "", ""
    if random.random() < 0.2:
        given += f" aria-label='{random.choice((word, '', ' '))}'"
    if random.random() < 0.2:
        hidden = random.choice(("", "hidden", "style='display:none'", "aria-hidden=true"))
        # Of what is hidden, and named all the same, this browser leaves out what the style adds; role locators do not.
        shown = f"<b>{word}</b>" if hidden else inside(random)
        beside += f"<span id=x{number} {hidden}>{shown}</span><p id=y{number}>{other}</p>"
        referred = random.choice((
            f"x{number}", f"x{number} y{number}", f"y{number} n{number}", f"n{number} x{number}", f"n{number}", "gone",
        ))  # fmt: skip
        given += f" aria-labelledby='{referred}'"
    if random.random() < 0.25:
        given += f" title='{other}'"
    return given, beside


def specimen(random: Random, number: int) -> str:
    given, beside = attributes(random, number)
    own = f"data-n={number} id=n{number}{given}"
    word = random.choice(WORDS)
    hint = random.choice(("", f" placeholder='{word}'"))
    label = random.choice((
        "{}", "{}", f"<label for=n{number}>{inside(random)}</label>{{}}", f"<label>{inside(random)} {{}}</label>",
    ))  # fmt: skip
    kind = random.choice((
        f"<button {own}>{inside(random)}</button>",
        f"<a href=/x {own}>{inside(random)}</a>",
        f"<div role=button tabindex=0 {own}>{inside(random)}</div>",
        f"<div role=tab {own}>{inside(random)}</div>",
        f"<h2 {own}>{inside(random)}</h2>",
        f"<input type=submit {own} {random.choice(('', f'value={word!r}'))}>",
        f"<img src='data:,' {own} alt='{word}'>",
        label.format(f"<input {own}{hint}>"),
        label.format(f"<input type=checkbox {own}>"),
        label.format(f"<input type=radio {own}>"),
        label.format(f"<textarea {own}{hint}></textarea>"),
        label.format(f"<select {own}><option>{word}</option></select>"),
        f"<a href=/y>{inside(random)}</a><button {own}>{inside(random)}</button>",
    ))  # fmt: skip
    return f"<div>{beside}{kind}</div>"


BLANK = ("", " ", "<span hidden>No</span>", "<br>", "<i style='display:block'></i>", "<i class=n></i>")
REFERRING = (
    "<a href=/x {0}>Content</a>",
    "<a href=/x {0} title=Title></a>",
    "<button {0}><b>Content</b></button>",
    "<h2 {0}>Content</h2>",
    "<label>Label <input {0}></label>",
    "<input {0} placeholder=Hint>",
    "<fieldset {0}><legend>Legend</legend></fieldset>",
    "<table {0}><caption>Caption</caption><tr><td>1<td>2</table>",
    "<img src='data:,' {0} alt=Alternative>",
)
# What has words of its own. Left out is a field that nothing names but what was typed into it: that is no name to keep.
SPEAKING = (
    "<label>Label <input type=checkbox {0}></label>",
    "<label>Label <input type=radio {0}></label>",
    "<label>Label <textarea {0}>Text</textarea></label>",
    "<label>Label <select {0}><option>First<option selected>Second</select></label>",
    "<label>Label <input {0} value=Typed></label>",
    "<label>Label <input type=password {0} value=Hidden></label>",
    "<label>Label <input type=number {0} value=7></label>",
    "<label>Label <input type=range {0} value=30></label>",
    "<input type=submit {0} value=Send>",
    "<input type=submit {0}>",
    "<input type=image src='data:,' {0} alt=Go>",
    "<details><summary {0}>More</summary>Text</details>",
    "<section {0}><h2>Part</h2>Text</section>",
    "<div role=group {0}>Text</div>",
    "<div role=dialog {0}><h2>Part</h2>Text</div>",
    "<div role=button tabindex=0 {0}>Content <i hidden>no</i></div>",
    "<div role=textbox contenteditable {0}>Typed</div>",
    "<label>Label <button {0}>Content</button></label>",
    "<nav {0}><a href=/x>Content</a></nav>",
    "<svg role=img width=9 height=9 {0}><title>Drawn</title><path d='M0 0L9 9'/></svg>",
    "<progress {0} value=3 max=10></progress>",
    "<ul role=listbox {0}><li role=option aria-selected=true>One<li role=option>Two</ul>",
    "<article {0}><p>Text</p></article>",
)


async def tree(page: Page) -> dict[str, tuple[str, str]]:
    """Give role and name of each specimen as the browser's accessibility tree has them."""
    session = await page.context.new_cdp_session(page)
    try:
        await session.send("DOM.enable")
        root = await session.send("DOM.getFlattenedDocument", {"depth": -1, "pierce": True})
        numbers: dict[int, str] = {}
        for node in root["nodes"]:
            given = dict(zip(node.get("attributes", [])[::2], node.get("attributes", [])[1::2], strict=True))
            if "data-n" in given:
                numbers[node["backendNodeId"]] = given["data-n"]
        nodes = (await session.send("Accessibility.getFullAXTree"))["nodes"]
    finally:
        await session.detach()
    return {
        numbers[one["backendDOMNodeId"]]: (one["role"]["value"], one.get("name", {}).get("value", ""))
        for one in nodes
        if one.get("backendDOMNodeId") in numbers and not one["ignored"]
    }


def plain(name: str) -> str:
    """Give a name without signs of icon fonts, which have no meaning outside of their font, and without white space.

    Between parts beside each other this browser puts spaces where role locators, by which we name, put none.
    """
    return "".join(_SIGNS.sub(" ", name).split())


async def compared(stage: Any, site: Any, specimens: list[str]) -> None:
    made = {str(number): html for number, html in enumerate(specimens)}
    await stage.show(site, STYLE + "".join(made.values()))
    page = stage.actor.page
    theirs = await tree(page)
    wrong = [
        f"{made[number]}\n   the browser {theirs[number][1]!r}, ours {name!r} ({role})"
        for number, role, name in await page.evaluate(_OURS)
        if number in theirs and plain(theirs[number][1]) != plain(name)
    ]
    assert len(theirs) > 0.9 * len(made)
    assert not wrong, f"{len(wrong)}:\n" + "\n".join(wrong[:20])


async def test_names_are_those_of_the_accessibility_tree(stage: Any, site: Any) -> None:
    await compared(stage, site, [specimen(Random(f"name {seed}"), seed) for seed in range(QUICK)])


async def test_a_reference_to_what_says_nothing_leaves_the_name_to_what_is_asked_next(stage: Any, site: Any) -> None:
    pairs = [(blank, kind) for blank in BLANK for kind in REFERRING]
    await compared(
        stage,
        site,
        [
            f"<div id=x{number}>{blank}</div>" + kind.format(f"data-n={number} aria-labelledby='gone x{number}'")
            for number, (blank, kind) in enumerate(pairs)
        ],
    )


SELF = ("{1} {0}", "{0} {1}", "{1}", "gone {1}")
OWN = ("", "aria-label=Own", "title=Title", "aria-label=' '")


@pytest.mark.parametrize("own", OWN)
async def test_what_refers_to_itself_too_is_called_by_its_own_words_once(stage: Any, site: Any, own: str) -> None:
    pairs = [(refs, kind) for refs in SELF for kind in (*REFERRING, *SPEAKING)]
    specimens = []
    for number, (refs, kind) in enumerate(pairs):
        referred = refs.format(f"x{number}", f"n{number}")
        given = f"data-n={number} id=n{number} aria-labelledby='{referred}' {own}"
        specimens.append(f"<div id=x{number}>Heading</div>" + kind.format(given))
    await compared(stage, site, specimens)


@pytest.mark.parametrize("blank", [*BLANK, None])
async def test_a_field_keeps_its_label_beside_a_reference_to_what_says_nothing(
    stage: Any, site: Any, blank: str | None
) -> None:
    said = "" if blank is None else f"<div id=x>{blank}</div>"
    await stage.show(
        site,
        f"""{STYLE}{said}<label>Title <input name=a aria-labelledby="x"></label>
        <input name=b aria-labelledby="x n" id=n aria-label="Author">""",
    )
    described = await stage.actor.page.evaluate("() => [...document.querySelectorAll('input')].map(__sim.describe)")
    assert [(one["label"], one["name"]) for one in described] == [("Title", "Title"), ("Author", "Author")]
