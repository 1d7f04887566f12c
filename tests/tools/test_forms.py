"""Filling and sending forms, and what is learned from how a site answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
import pytest_asyncio

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.promise("forms that tools fill", quick=4)]

SELL = """
<form role=search action=/find><label>Search <input type=search name=q></label><button>Search</button></form>
<form method=post action=/sell aria-label="Sell a book">
<p role=alert>{alert}</p>
<label>Title <input name=title required value="{title}" aria-describedby=te {invalid}></label><p id=te>{error}</p>
<label>Price <input name=price required value="{price}"></label>
<label>Genre <select name=genre>
<option value="">Choose<option value=c>Crime and mystery<option value=p>Poetry</select></label>
<fieldset><legend>Condition</legend>
<label><input type=radio name=condition value=good required> Good</label>
<label><input type=radio name=condition value=worn required> Worn</label></fieldset>
<label>City <input name=city></label>
<label>Secret <input type=password name=secret></label>
<button name=go value=preview>Preview</button><button>Sell it</button>
</form>
"""


def sell(error: str = "", alert: str = "", **values: str) -> str:
    fields = {"title": "", "price": ""} | values
    return SELL.format(error=error, alert=alert, invalid="aria-invalid=true" if error else "", **fields)


@pytest_asyncio.fixture(loop_scope="session")
async def selling(run: Any, small_site: Any) -> Any:
    small_site.pages |= {"/sell": sell(), "/books/41": "<h1>Emma</h1><p role=status>It is for sale", "/": "<h1>Home"}
    small_site.answers["/sell"] = lambda fields: "/books/41"
    await run.did("navigate", url="/sell")
    return run


BOOK = {
    "title": "{{book.1.title}}",
    "price": "{{book.1.price}}",
    "genre": "{{book.1.genre}}",
    "condition": "{{book.1.condition}}",
}


async def test_a_variable_that_holds_nothing_is_no_field_that_the_page_emptied(selling: Any, small_site: Any) -> None:
    selling.ctx.bindings.set("identity.region", "")
    await selling.did("fill_form", values=BOOK | {"city": "{{identity.region}}"}, submit=True)
    assert [fields["city"] for _, fields in small_site.posts] == [""]


async def test_fill_form_fills_sends_and_says_why(selling: Any, small_site: Any) -> None:
    told = await selling.did("fill_form", values=BOOK, submit=True)
    assert small_site.posts == [
        (
            "/sell",
            {
                "title": "The Moonstone",
                "price": "4.50",
                "genre": "c",
                "condition": "good",
                "city": "",
                "secret": "",
            },
        )
    ]
    assert told["submitted"]
    assert {one["field"]: one["put"] for one in told["fields"]} == {
        "Title": "{{book.1.title}}",
        "Price": "{{book.1.price}}",
        "Genre": "Crime and mystery",
        "Condition": "{{book.1.condition}}",
    }
    assert told["left"] == [
        {"field": "City", "why": "optional, and not asked for"},
        {"field": "Secret", "why": "password: never guessed"},
    ]
    assert told["page"]["notes"] == ["It is for sale"]


async def test_what_a_form_sent_is_seen_with_its_fields(selling: Any) -> None:
    await selling.did("fill_form", values=BOOK, submit=True)
    (write,) = selling.notes.writes()
    assert write.leads_to.startswith("/books/")
    assert {one.part for one in write.carried} == {"title", "price", "genre", "condition"}


async def test_single_actions_send_something_too(selling: Any) -> None:
    await selling.did("fill", selector="Title", value="Emma")
    await selling.did("fill", selector="Price", value="3.00")
    await selling.did("fill", selector="Secret", value="hunter2")
    await selling.did("check", selector="Worn")
    await selling.did("click", selector="Sell it")
    (write,) = selling.notes.writes()
    assert {one.part for one in write.carried} == {"title", "price", "condition"}, "nothing is known of a secret"


async def test_a_search_writes_nothing(selling: Any, small_site: Any) -> None:
    small_site.pages["/find"] = "<script>location.replace('/books/41')</script>"
    await selling.did("fill_form", form="Search", values={"search": "Emma"}, submit=True)
    assert selling.notes.writes() == []


async def test_a_refusal_names_the_fields(selling: Any, small_site: Any) -> None:
    def refuse(fields: Mapping[str, str]) -> tuple[int, str]:
        return 422, sell("Enter a title.", "Please check 1 field", price=fields["price"])

    small_site.answers["/sell"] = refuse
    result = await selling.call("fill_form", values={**BOOK, "title": "?"}, submit=True)
    assert result.error.type == "rejected"
    assert result.error.message == "the site refused the form: Title: Enter a title."
    assert result.data["errors"] == [
        {"field": "title", "label": "Title", "meaning": "title", "text": "Enter a title.", "kind": "invalid"}
    ]


async def test_a_refusal_in_an_alert_alone_is_one(selling: Any, small_site: Any) -> None:
    small_site.answers["/sell"] = lambda fields: (403, "<p role=alert>You may not sell here.")
    result = await selling.call("fill_form", values=BOOK, submit=True)
    assert (result.error.type, result.error.message) == (
        "rejected",
        "the site refused the form: You may not sell here.",
    )


async def test_the_same_refusal_twice_is_two(selling: Any, small_site: Any) -> None:
    small_site.answers["/sell"] = lambda fields: (200, sell(alert="Too many books."))
    for _ in range(2):
        result = await selling.call("fill_form", values=BOOK, submit=True)
        assert (result.error.type, result.error.message) == (
            "rejected",
            "the site refused the form: Too many books.",
        )


async def test_an_error_page_without_words_is_a_refusal(selling: Any, small_site: Any) -> None:
    small_site.answers["/sell"] = lambda fields: (500, "<h1>Oh no")
    result = await selling.call("fill_form", values=BOOK, submit=True)
    assert "status 500" in result.error.message


async def test_a_form_that_the_browser_holds_back_is_a_refusal(selling: Any, small_site: Any) -> None:
    await selling.ctx.actor.page.evaluate("document.querySelector('[name=price]').type = 'email'")
    result = await selling.call("fill_form", values=BOOK, submit=True)
    assert result.error.type == "rejected"
    assert small_site.posts == []


async def test_missing_answers_are_told_before_anything_is_typed(selling: Any) -> None:
    result = await selling.call("fill_form", values={"title": "Emma"}, submit=True)
    assert result.error.type == "invalid_input"
    assert "'Price'" in result.error.message
    assert [action.kind for action in selling.notes.started] == ["goto"]


async def test_a_literal_in_a_secret_field_is_not_told(selling: Any) -> None:
    told = await selling.did("fill_form", values={"secret": "hunter2-and-more"})
    assert {one["field"]: one["put"] for one in told["fields"]}["Secret"] == "(a secret)"
    assert "hunter2" not in repr(selling.notes)


async def test_several_submit_buttons_are_told(selling: Any, small_site: Any) -> None:
    small_site.pages["/vote"] = (
        "<form method=post action=/vote><input name=why aria-label=Why>"
        "<button>This</button><button>That</button></form>"
    )
    await selling.did("navigate", url="/vote")
    result = await selling.call("fill_form", values={"Why": "x"}, submit=True)
    assert result.error.type == "ambiguous"
    assert "'This' (ref=" in result.error.message


async def test_the_form_is_chosen_by_name_or_by_what_is_given(selling: Any, small_site: Any) -> None:
    small_site.pages["/two"] = (
        "<form method=post action=/a aria-label='Ask the seller'>"
        "<label>Message <textarea name=m></textarea></label></form>"
        "<form method=post action=/b aria-label='Rate the seller'>"
        "<label>Comment <textarea name=c></textarea></label></form>"
    )
    await selling.did("navigate", url="/two")
    assert (await selling.did("fill_form", form="rate", values={"c": "Fine"}))["form"]["action"] == "/b"
    assert (await selling.did("fill_form", values={"m": "Hello"}))["form"]["action"] == "/a"
    result = await selling.call("fill_form", values={"message": "Hello"})
    assert result.error.type == "ambiguous"
    assert "Ask the seller" in result.error.message
    assert (await selling.call("fill_form", form="Sell")).error.type == "not_found"


LOOSE = {
    "section": "<section><h2>New boat</h2>{fields}<button>Save</button></section>",
    "box": "<div><h2>New boat</h2><div>{fields}</div><div><button>Cancel</button><button>Save</button></div></div>",
    "dialog": "<div role=dialog aria-label='New boat'>{fields}<button>Close</button><button>Save</button></div>",
}
LOOSE_FIELDS = """<label>Name <input id=n></label>
<div><label>Day <input id=d type=date></label><button aria-label="Open the calendar">C</button></div>
<label>Berth <select id=b><option value="">-<option>East<option>West</select></label>"""
LOOSE_PAGE = """<header><input type=search aria-label="Search boats"><button>Go</button></header><h1>Boats</h1>
<ul><li><input type=checkbox aria-label="Pick Emma"> Emma <button>Delete</button></ul>{part}<p id=said role=status></p>
<script>[...document.querySelectorAll("button")].find((one) => one.textContent === "Save").onclick = () =>
fetch("/boats", {{method: "POST", headers: {{"Content-Type": "application/x-www-form-urlencoded"}},
body: new URLSearchParams({{n: n.value, d: d.value, b: b.value}})}}).then(() => {{ said.textContent = "Kept"; }});
</script>"""


@pytest.mark.parametrize("kind", [*LOOSE])
async def test_fields_with_a_button_are_a_form_without_one(run: Any, small_site: Any, kind: str) -> None:
    small_site.pages |= {"/boats": LOOSE_PAGE.format(part=LOOSE[kind].format(fields=LOOSE_FIELDS)), "/": "<h1>Home"}
    small_site.answers["/boats"] = lambda fields: "/"
    await run.did("navigate", url="/boats")

    forms = (await run.did("read_forms"))["forms"]
    asked = [[field["label"] for field in form["fields"]] for form in forms]
    assert asked == [["Search boats"], ["Name", "Day", "Berth"]]
    await run.did("fill_form", values={"Name": "Emma", "Day": "2026-05-04", "Berth": "West"}, submit=True)
    assert small_site.posts == [("/boats", {"n": "Emma", "d": "2026-05-04", "b": "West"})]


@pytest.mark.parametrize("form", ["<form action=/found>{}</form>", "<div role=search>{}</div>"])
async def test_a_search_without_a_button_is_sent_by_enter(run: Any, small_site: Any, form: str) -> None:
    field = """<input type=search name=q aria-label="Seek" onkeydown="if (event.key === 'Enter' && !this.form)
location.href = '/found?q=' + this.value">"""
    small_site.pages |= {"/": "<h1>Boats</h1><button>Menu</button>" + form.format(field), "/found": "<h1>Found</h1>"}
    await run.did("navigate", url="/")

    (asked,) = (await run.did("read_forms"))["forms"]
    told = await run.did("fill_form", form=f"ref={asked['ref']}", values={"Seek": "Emma"}, submit=True)
    assert told["page"]["url"] == "/found?q=Emma"


HINTED = """<div><h1>New survey</h1><button onclick="document.forms[0].requestSubmit()">{said}</button>
<form method=post action=/sell onsubmit="if (event.submitter) event.preventDefault()">
<label>Title <input name=title></label>
<div><p>Did you know?</p><p>Surveys can be shared.</p>
<div><button onclick="this.closest('div').remove()"><svg/></button></div></div></form></div>"""


@pytest.mark.parametrize("button", ["", "Save"])
async def test_what_closes_a_hint_in_a_form_does_not_send_it(selling: Any, small_site: Any, button: str) -> None:
    small_site.pages["/sell"] = HINTED.format(said="Save")
    await selling.did("navigate", url="/sell")
    pressed = {"button": button} if button else {}
    await selling.did("fill_form", values={"title": "{{book.1.title}}"}, submit=True, **pressed)
    assert small_site.posts == [("/sell", {"title": "The Moonstone"})]


TOOLED = """<div><h1>New event</h1><button type=button onclick="document.forms[0].submit()">Save</button>
<form method=post action=/sell><label>Title <input name=title></label>
<div><label for=none>Day</label><div id=none><input name=day></div></div>
<div><label for=held>Note</label><div id=held><div role=textbox contenteditable=true></div></div>
<div role=button tabindex=0><svg/></div><div role=button tabindex=0>Insert paragraph</div></div>
<button type=button>Add a row</button></form></div>"""


async def test_tools_of_an_editor_do_not_send_its_form_and_a_caption_is_told(selling: Any, small_site: Any) -> None:
    small_site.pages["/sell"] = TOOLED
    await selling.did("navigate", url="/sell")
    (form,) = (await selling.did("read_forms"))["forms"]
    assert [field["label"] for field in form["fields"]] == ["Title", "Day", "Note"]
    assert form["submits"] == []
    await selling.did("fill_form", values={"Title": "{{book.1.title}}", "Day": "4"}, submit=True)
    assert small_site.posts == [("/sell", {"title": "The Moonstone", "day": "4"})]


async def test_a_button_that_a_script_draws_sends_a_form_that_has_no_other(selling: Any, small_site: Any) -> None:
    small_site.pages["/sell"] = """<form method=post action=/sell><label>Title <input name=title></label>
    <div role=button tabindex=0 onclick="document.forms[0].submit()">OK</div></form>"""
    await selling.did("navigate", url="/sell")
    await selling.did("fill_form", values={"title": "{{book.1.title}}"}, submit=True)
    assert small_site.posts == [("/sell", {"title": "The Moonstone"})]


async def test_a_drawing_beside_words_sends_a_form_where_nothing_else_does(selling: Any, small_site: Any) -> None:
    form = """<form method=post action=/sell><textarea name=title aria-label=Title></textarea>
    <div><span>You may use Markdown.</span><button><svg/></button></div></form>"""
    small_site.pages["/sell"] = f"<button>Share</button>{form}"
    await selling.did("navigate", url="/sell")
    await selling.did("fill_form", values={"title": "{{book.1.title}}"}, submit=True)
    assert small_site.posts == [("/sell", {"title": "The Moonstone"})]


async def test_what_a_script_makes_tabs_of_is_no_field(run: Any, small_site: Any) -> None:
    tab = "<input type=radio name=shown role=tab id={0} {1}><label for={0}>{0}</label>"
    tabs = "<div role=tablist>" + tab.format("Text", "checked") + tab.format("Preview", "") + "</div>"
    small_site.pages["/"] = f"<form method=post>{tabs}<label>Note <textarea name=note></textarea></label><button>Save"
    await run.did("navigate", url="/")
    told = await run.did("read_forms")
    assert [field["name"] for form in told["forms"] for field in form["fields"]] == ["note"]


async def test_a_button_with_a_hint_behind_a_sign_is_called_by_its_words(selling: Any, small_site: Any) -> None:
    hint = "<span title='You may go on with it later.'><i class=sign></i></span>"
    style = "<style>.sign::before { content: '\uf059' } span::after { content: attr(title) }</style>"
    small_site.pages["/sell"] = f"""{style}<form method=post action=/sell><input name=title aria-label=Title>
    <button name=go value=on>Continue</button><button name=go value=draft>Save as draft {hint}</button></form>"""
    await selling.did("navigate", url="/sell")
    await selling.did("fill_form", values={"title": "{{book.1.title}}"}, submit=True, button="Save as draft")
    assert small_site.posts == [("/sell", {"title": "The Moonstone", "go": "draft"})]
