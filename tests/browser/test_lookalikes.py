"""What looks like the recorded element and is not: in the same card, in a dialog."""

from __future__ import annotations

from typing import Any

import pytest

from simulator.errors import ToolError
from simulator.replay.resolve import Unprovable
from tests.browser.test_guard import LISTEN, query_of

pytestmark = pytest.mark.asyncio(loop_scope="session")

SAVE = "<form action=/save method=post><button id=real>Save</button></form>"
DECOY = "<form action=/letter method=post><button id=decoy>Save</button></form>"
TWIN = "<form action=/save method=post><button id=twin>Save</button></form>"
CARD = "<ul><li><h2>Emma</h2>{}</li><li><h2>Persuasion</h2></li></ul>"
OF_EMMA = {"kind": "card", "role": "listitem", "must": ["Emma"]}


async def clicked(stage: Any, site: Any, query: dict[str, Any], page: str) -> list[str]:
    await stage.show(site, LISTEN + page)
    try:
        await stage.perform("click", query)
    except ToolError:
        assert await stage.seen() == []
        return []
    return [event for event in await stage.seen() if event.startswith("click")]


@pytest.mark.parametrize(
    ("forms", "click"), [(DECOY + SAVE, ["click real"]), (SAVE + DECOY, ["click real"]), (TWIN + SAVE, [])]
)
async def test_what_leads_elsewhere_is_no_lookalike_in_a_card(
    stage: Any, site: Any, forms: str, click: list[str]
) -> None:
    await stage.show(site, CARD.format(SAVE))
    query = {**await query_of(stage, "#real"), "bound": [OF_EMMA]}
    assert await clicked(stage, site, query, CARD.format(forms)) == click


TABS = """<div role=tablist><button role=tab aria-selected=true aria-controls=a>One</button>
<button role=tab aria-controls=b>Two</button></div><div role=tabpanel id=a>{}</div>{}"""


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(f"<dialog>{TWIN}</dialog>{SAVE}", id="in a closed dialog"),
        pytest.param(f"<template>{TWIN}</template>{SAVE}", id="in a template"),
        pytest.param(TABS.format(SAVE, f"<div role=tabpanel id=b hidden>{TWIN}</div>"), id="on another tab's panel"),
        pytest.param(f"<details><summary>More</summary>{TWIN}</details>{SAVE}", id="in closed details"),
        pytest.param(f"<div style='visibility:hidden'>{TWIN}</div>{SAVE}", id="invisible"),
        pytest.param(f"<div aria-hidden=true style='display:none'>{TWIN}</div>{SAVE}", id="not displayed"),
    ],
)
async def test_what_a_user_does_not_see_is_passed_over(stage: Any, site: Any, page: str) -> None:
    await stage.show(site, SAVE)
    query = await query_of(stage, "#real")
    assert await clicked(stage, site, query, page) == ["click real"]
    await stage.show(site, LISTEN + page.replace(SAVE, ""))
    with pytest.raises(ToolError):
        await stage.perform("click", query)
    assert await stage.seen() == [], "nor is it taken where the real one is gone"


@pytest.mark.parametrize(
    "twin",
    [
        pytest.param(f"<div inert>{TWIN}</div>", id="inert"),
        pytest.param(f"<div style='position:relative'>{TWIN}<div style='position:absolute;inset:0'></div></div>",
                     id="covered"),
        pytest.param(TWIN.replace("<button", "<button disabled"), id="disabled"),
    ],
)  # fmt: skip
async def test_of_two_that_a_user_sees_none_is_taken_by_chance(stage: Any, site: Any, twin: str) -> None:
    await stage.show(site, SAVE)
    query = await query_of(stage, "#real")
    assert await clicked(stage, site, query, twin + SAVE) in ([], ["click real"])
    assert await clicked(stage, site, query, twin) == []


DIALOG = f"<dialog open>{SAVE}</dialog>"


@pytest.mark.parametrize(
    ("then", "now", "click"),
    [
        (SAVE, DIALOG, []),
        (DIALOG, SAVE, []),
        (DIALOG, f"<div role=alertdialog aria-label=Sure>{SAVE}</div>", ["click real"]),
        (SAVE, f"<div role=region aria-label=Sure>{SAVE}</div>", ["click real"]),
        (DIALOG, TWIN + DIALOG, ["click real"]),
    ],
)
async def test_what_moved_into_a_dialog_or_out_of_it_is_another(
    stage: Any, site: Any, then: str, now: str, click: list[str]
) -> None:
    await stage.show(site, then)
    query = await query_of(stage, "#real")
    assert await clicked(stage, site, query, now) == click


TITLE = "<h3><a id=title href=/books/emma title=Emma>Emma</a></h3>"
PICTURE = "<a id=picture href=/books/emma class=thumb><img alt=Emma></a>"


@pytest.mark.parametrize(
    ("beside", "led"),
    [
        pytest.param(PICTURE, True, id="to the same place"),
        pytest.param("<a href=/books/emma/lend>Emma</a>", False, id="to another place"),
        pytest.param("<a href=/books/emma data-method=delete>Emma</a>", False, id="with something else to do there"),
        pytest.param("<a href='#menu'>Emma</a>", False, id="to this very page"),
    ],
)
async def test_links_of_one_name_are_one_where_they_lead_to_the_same_place(
    stage: Any, site: Any, beside: str, led: bool
) -> None:
    site.page("/books/emma", "<h1>Emma</h1>")
    await stage.show(site, PICTURE + TITLE)
    query = await query_of(stage, "#title")
    await stage.show(site, beside + TITLE)
    try:
        await stage.perform("click", query)
    except ToolError:
        assert not led
    assert stage.actor.page.url.endswith("/books/emma") is led


async def test_two_links_to_this_very_page_are_not_one(stage: Any, site: Any) -> None:
    await stage.show(site, "<a id=one href='#'>More</a> <a href='#'>More</a>")
    with pytest.raises(Unprovable):
        await query_of(stage, "#one")


EDITOR = (
    "<section aria-labelledby={0}><h2 id={0}>{1}</h2><div><div><div><div id=in-{0} role=textbox contenteditable></div>"
)
EDITOR += "</div></div></div>{2}</section>"


async def test_an_editor_without_a_name_is_known_by_the_part_that_has_no_other_field(stage: Any, site: Any) -> None:
    body, teaser = EDITOR.format("b", "Body", ""), EDITOR.format("t", "Teaser", "")
    await stage.show(site, LISTEN + body + teaser)
    query = await query_of(stage, "#in-b")
    assert (query["by"], query["value"]) == ("caption", "Body")
    assert await clicked(stage, site, query, teaser + body) == ["click in-b"]
    assert await clicked(stage, site, query, teaser) == []
    assert await clicked(stage, site, query, teaser + EDITOR.format("b", "Body", "<textarea></textarea>")) == []
