"""What looks like the recorded element and is not: in the same card, in a dialog."""

from __future__ import annotations

from typing import Any

import pytest

from simulator.browser.find import Find
from simulator.errors import ToolError
from simulator.replay.evidence.resolve import Unprovable, compile_query
from tests.browser.test_guard import LISTEN, query_of

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.promise("elements that look alike", quick=3)]

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


ROW = "<tr><td>{} <button id={}>Menu</button></td><td>{} <button id={}>Menu</button></td></tr>"


@pytest.mark.parametrize(
    ("user", "around", "click"),
    [("ann", "", ["click real"]), ("ben", "", []), ("ann", "<table><tr><td>{}</table>", [])],
    ids=["the same", "another user's row", "further out"],
)
async def test_a_row_may_hold_several_lookalikes_in_cells_of_their_own(
    stage: Any, site: Any, user: str, around: str, click: list[str]
) -> None:
    others = ROW.format("eve", "a", "Ivanhoe", "b")
    await stage.show(site, f"<table>{others}{ROW.format('ann', 'c', 'Emma', 'real')}</table>")
    of_ann = {"kind": "card", "role": "row", "must": ["ann"], "levels": 2}
    query = {**await query_of(stage, "#real"), "bound": [of_ann]}
    assert query["scope"]["must"] == ("Emma",)
    page = f"<table>{ROW.format(user, 'c', 'Emma', 'real')}{others}</table>"
    if around:
        page = around.format(f"ann {page.replace('ann', 'ben')}")
    assert await clicked(stage, site, query, page) == click


ADD = "<a href=# onclick='return false' id={}>Add</a>"
PART = "<div><p>{}</p><div>{}</div></div>"
THING = (
    "<div><h2>{} of ada.moor@example.org</h2><p>Oak</p><div>"
    + PART.format("Parts", ADD.format("parts"))
    + PART.format("{}", ADD.format("{}"))
    + "</div></div>"
)
OTHER = PART.format("Readers", ADD.format("readers"))


@pytest.mark.parametrize(
    ("page", "click"),
    [
        (THING.format("Bench", "Relations", "real"), ["click real"]),
        (THING.format("Desk", "Relations", "other"), []),
        (THING.format("Bench", "Ties", "real") + THING.format("Desk", "Relations", "other"), []),
        ("<div>" + THING.format("Bench", "Ties", "real") + THING.format("Desk", "Relations", "other") + "</div>", []),
    ],
    ids=["the same", "another thing", "only another thing has the part", "both further in"],
)
async def test_a_part_of_a_thing_is_told_from_its_other_parts_within_it(
    stage: Any, site: Any, page: str, click: list[str]
) -> None:
    await stage.show(site, f"<div>{OTHER}{THING.format('Bench', 'Relations', 'real')}</div>")
    target = await stage.actor.resolver.take(Find("css", "#real"))
    compiled = compile_query(target, lambda text: text.replace("{{identity.email}}", "ada.moor@example.org"))
    query = compiled.model_dump(exclude_defaults=True)
    assert query["also"]["stems"] == ("bench",)
    assert await clicked(stage, site, query, f"<div>{OTHER}{page}</div>") == click


TOPIC = "<div class=topic><a id={} href=/topic/{}>Bees</a> <a href=/club>{}</a> <i>{}</i> <i>{}</i></div>"
SEEDS = TOPIC.replace("Bees", "Seeds").format("seeds", 3, "Garden", 2, "5m")


@pytest.mark.parametrize(
    ("page", "click"),
    [
        (TOPIC.format("real", 7, "Garden", 5, "43s") + TOPIC.format("other", 8, "Music", 4, "2h"), ["click real"]),
        (TOPIC.format("other", 8, "Music", 4, "42s"), []),
    ],
    ids=["with other numbers", "gone"],
)
async def test_words_together_decide_between_cards_before_a_number_alone(
    stage: Any, site: Any, page: str, click: list[str]
) -> None:
    recorded = TOPIC.format("real", 7, "Garden", 4, "42s") + TOPIC.format("other", 8, "Music", 2, "1h")
    await stage.show(site, SEEDS + recorded)
    query = await query_of(stage, "#real")
    assert (query["scope"]["must"], query["shows"]["words"]) == (("Bees", "Garden"), ("Bees", "Garden"))
    stay = "<script>onclick = (event) => event.preventDefault()</script>"
    assert await clicked(stage, site, query, stay + SEEDS + page) == click


NEW = "<div><form><b>{0}</b><br><a href='/{1}?of={0}&size=9' id={2} {3}>New</a></form></div><div>and</div>"
ISSUE = NEW.format("Issues", "issue/new", "real", "")
KEYWORD = "<p>Keywords <a href=/keyword/new id=other>New</a></p>"


@pytest.mark.parametrize(
    ("page", "click"),
    [
        (KEYWORD + ISSUE, ["click real"]),
        (KEYWORD, []),
        (NEW.format("Issues", "keyword/new", "other", ""), []),
        (ISSUE + NEW.format("Issues", "issue/new", "twin", "onclick='saw(0)'"), []),
    ],
    ids=["another order", "gone", "leads elsewhere", "two that are alike"],
)
async def test_links_of_one_name_are_told_apart_by_where_they_lead(
    stage: Any, site: Any, page: str, click: list[str]
) -> None:
    await stage.show(site, ISSUE + KEYWORD)
    query = await query_of(stage, "#real")
    assert (query["by"], query["must"]["href"]) == ("leads", "/issue/new?of=Issues&size={id}")
    stay = "<script>onclick = (event) => event.preventDefault()</script>"
    assert await clicked(stage, site, query, stay + page) == click


@pytest.mark.parametrize("address", ["issue/41", "issue?id=41", "#/issue/41"])
async def test_where_a_link_leads_proves_nothing_where_it_is_one_of_many(stage: Any, site: Any, address: str) -> None:
    await stage.show(site, ISSUE.replace("issue/new?of=Issues&size=9", address) + KEYWORD)
    with pytest.raises(Unprovable):
        await query_of(stage, "#real")


SEARCHES = "<header><form action=/s><button id={}>Search</button></form></header>{}"
IN_MAIN = "<main><form action=/s><input aria-label=Title><button id=real>Search</button></form></main>"
IN_BOX = IN_MAIN.replace("main", "div")


@pytest.mark.parametrize(
    ("page", "click"),
    [
        (SEARCHES.format("other", f"<div>{IN_MAIN}</div>"), ["click real"]),
        (SEARCHES.format("other", IN_BOX), []),
        (SEARCHES.format("other", IN_MAIN.replace("</form>", "<button>Search</button></form>")), []),
    ],
    ids=["in another box", "not in the main part", "two in the main part"],
)
async def test_the_only_landmark_of_its_kind_needs_no_name(stage: Any, site: Any, page: str, click: list[str]) -> None:
    await stage.show(site, SEARCHES.format("other", IN_MAIN))
    query = await query_of(stage, "#real")
    assert (query["scope"]["kind"], query["scope"]["role"]) == ("landmark", "main")
    stay = "<script>onsubmit = (event) => event.preventDefault()</script>"
    assert await clicked(stage, site, query, stay + page) == click


async def test_a_landmark_without_a_name_is_no_place_where_there_are_several(stage: Any, site: Any) -> None:
    await stage.show(site, "<nav><button id=real>Open</button></nav><nav><button>Open</button></nav>")
    with pytest.raises(Unprovable):
        await query_of(stage, "#real")


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
DELETING = "<a href=/books/emma data-method=delete onclick='return false'>Emma</a>"


@pytest.mark.parametrize(
    "beside",
    [
        pytest.param(PICTURE, id="to the same place"),
        pytest.param("<a href=/books/emma/lend>Emma</a>", id="to another place"),
        pytest.param(DELETING, id="with something else to do there, so that it is known by that"),
        pytest.param("<a href='#menu'>Emma</a>", id="to this very page"),
    ],
)
async def test_of_links_of_one_name_it_is_the_one_that_leads_where_it_led(stage: Any, site: Any, beside: str) -> None:
    site.page("/books/emma", "<h1>Emma</h1>")
    await stage.show(site, PICTURE + TITLE)
    query = await query_of(stage, "#title")
    await stage.show(site, beside + TITLE)
    await stage.perform("click", query)
    assert stage.actor.page.url.endswith("/books/emma")


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


SWITCH = (
    "<div><div><label for={0}>{1}</label></div><div>{2}<fieldset>{3}<label id=in-{0} role=switch tabindex=0"
    " aria-checked=false style='display:block;width:40px;height:20px'><span aria-hidden=true></span>"
    "<input type=checkbox style='display:none'></label></fieldset></div></div>"
)
OTHER_SWITCH = SWITCH.format("b", "Public", "", "")


def switch(caption: str = "Active", before: str = "", inside: str = "") -> str:
    return SWITCH.format("a", caption, before, inside)


async def test_a_switch_in_a_fieldset_of_its_own_is_known_by_the_text_beside_that(stage: Any, site: Any) -> None:
    await stage.show(site, LISTEN + switch() + OTHER_SWITCH)
    query = await query_of(stage, "#in-a")
    assert (query["by"], query["value"]) == ("caption", "Active")
    assert (await clicked(stage, site, query, OTHER_SWITCH + switch()))[:1] == ["click in-a"]


@pytest.mark.parametrize(
    "lookalike",
    [
        pytest.param(OTHER_SWITCH, id="it is gone"),
        pytest.param(switch() + switch(), id="two are called so"),
        pytest.param(switch("Public") + OTHER_SWITCH, id="it is called as the other one"),
        pytest.param(switch(before="<input value=x>"), id="another field stands before it"),
        pytest.param(switch(inside="<input value=x>"), id="its fieldset has another field before it"),
        pytest.param(switch(inside="<legend>Guests</legend>"), id="its fieldset has a name of its own"),
        pytest.param(switch(inside="<b>Guests</b>"), id="a text of its own stands before it"),
        pytest.param(
            OTHER_SWITCH.replace("Public", "Active").replace("role=switch", "role=radio"), id="a radio button"
        ),
    ],
)
async def test_no_other_switch_is_pressed(stage: Any, site: Any, lookalike: str) -> None:
    await stage.show(site, LISTEN + switch() + OTHER_SWITCH)
    query = await query_of(stage, "#in-a")
    assert await clicked(stage, site, query, lookalike) == []


COUNTED = "<div class=card><h3>{}</h3><p>{}</p><p><a href=# onclick='return false' id={}>Open</a></p></div>"


@pytest.mark.parametrize(
    ("now", "click"),
    [
        ("by Ann · 1 vote", ["click real"]),
        ("by Ann · 12 votes", ["click real"]),
        ("by Ben · 2 votes", []),
        ("by Ann · 2 notes", []),
    ],
)
async def test_what_a_number_counts_may_be_one_or_several(stage: Any, site: Any, now: str, click: list[str]) -> None:
    recorded = COUNTED.format("Bees", "by Ann · 2 votes", "real") + COUNTED.format("Moths", "by Kim · 4 votes", "other")
    await stage.show(site, LISTEN + recorded)
    query = await query_of(stage, "#real")
    page = COUNTED.format("Bees", now, "real") + COUNTED.format("Moths", "by Kim · 4 votes", "other")
    assert await clicked(stage, site, query, page) == click


async def test_what_is_only_drawn_around_a_link_is_no_more_of_its_card(stage: Any, site: Any) -> None:
    card = COUNTED.replace("</a>", "</a> <a href=#>Remove</a>")
    recorded = card.format("Bees", "by Ann", "real") + card.format("Moths", "by Kim", "other")
    await stage.show(site, LISTEN + recorded)
    query = await query_of(stage, "#real")
    assert await clicked(
        stage, site, query, recorded.replace("<a", "<span><span><a").replace("</a>", "</a></span></span>")
    ) == ["click real"]


LISTED = (
    "<section><div><label>{0}</label><div><div><input role=combobox id={0}></div></div></div></section>"
    "<script>document.getElementById('{0}').on{1} = (event) => {{"
    "  const list = document.createElement('div');"
    "  list.innerHTML = '<p>Crime</p><p>History</p><p>Travel</p>';"
    "  event.target.parentElement.after(list);{2}"
    "}}</script>"
)
ANOTHER = "event.target.closest('section').querySelector('label').textContent = 'Room';"


@pytest.mark.parametrize(
    ("by", "also", "done"),
    [("mousedown", "", True), ("mousedown", ANOTHER, False), ("focus", "", True), ("focus", ANOTHER, False)],
    ids=["a press", "a press that makes it another field", "the focus", "the focus, and it is another field"],
)
async def test_what_an_action_has_opened_in_a_card_is_no_more_of_it(
    stage: Any, site: Any, by: str, also: str, done: bool
) -> None:
    fields = "<form>" + LISTED.format("Shelf", by, also) + LISTED.format("State", by, "") + "</form>"
    await stage.show(site, LISTEN + fields)
    query = await query_of(stage, "#Shelf")
    assert query["shows"]["loose"] == ("Shelf",)
    if by == "mousedown":
        assert await clicked(stage, site, query, fields) == (["click Shelf"] if done else [])
        return
    if done:
        await stage.perform("fill", query, "History")
        return
    with pytest.raises(ToolError):
        await stage.perform("fill", query, "History")
