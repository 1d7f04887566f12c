"""What evidence says of an element, and what taking it costs."""

from __future__ import annotations

from typing import Any

import pytest
from playwright._impl import transport  # the one place through which every call to the browser's driver goes

from simulator.browser.evidence import Target
from simulator.browser.find import Find
from simulator.errors import ToolError

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def take(stage: Any, css: str) -> Target:
    target: Target = await stage.actor.resolver.take(Find("css", css))
    await stage.actor.view.follow()
    return target


async def test_evidence_of_a_field(stage: Any, site: Any) -> None:
    await stage.show(
        site,
        """<main aria-label=Shop><form method=POST action="/books/42/edit?tab=1"><h2>Edit book</h2>
        <label>Title <input name=title id=f9 placeholder="A title" autocomplete=off data-testid=title></label>
        <input name=action><input name=method><input name=id value=7><input name=name></form></main>""",
    )
    target = await take(stage, "#f9")
    assert target.model_dump(
        include={"role", "name", "label", "placeholder", "test_id", "name_attr", "type", "form"}
    ) == {
        "role": "textbox",
        "name": "Title",
        "label": "Title",
        "placeholder": "A title",
        "test_id": "title",
        "name_attr": "title",
        "type": "text",
        "form": "post /books/{id}/edit?tab={id}",
    }
    assert [(scope.kind, scope.name) for scope in target.scopes] == [
        ("form", "Edit book"),
        ("section", "Edit book"),
        ("landmark", "Shop"),
    ]
    assert target.alike.model_dump() == {
        "test_id": 1, "role_name": 1, "role_name_scoped": 1, "leads": 0, "label": 1, "caption": 0, "name_attr": 1,
        "parts": 0, "plain": 1, "submit": 0, "text": 0,
    }  # fmt: skip
    for css in ("[name=action]", "[name=id]", "form"):
        assert (await take(stage, css)).form in ("post /books/{id}/edit?tab={id}", "")


CAPTIONED = """<form action=/a><p>Price <b>in pounds</b> <input id=one></p>
<table><tr><td>Title</td><td><input id=two></td><td><input id=three></td></tr></table>
<p><input id=four type=checkbox> I agree</p><p role=alert>Too short</p><input id=five>
<label for=six>Name</label> Full <input id=six>
<div><button>Photo</button><input id=seven type=file hidden></div>
<p><span>Due</span> <input type=hidden><input id=eight readonly></p>
<div><label for=none>Room</label><div><span>Select…</span><span aria-live=polite>3 results</span>
<div><input id=nine></div></div></div>
<div>Pick <span>Show<script>show()</script></span><input id=ten></div></form>"""


async def test_a_field_without_a_label_has_the_text_beside_it(stage: Any, site: Any) -> None:
    await stage.show(site, CAPTIONED)
    captions = {
        "one": "in pounds",
        "two": "Title",
        "three": "",
        "four": "I agree",
        "five": "",
        "six": "",
        "seven": "Photo",
        "eight": "Due",
        "nine": "Room",
        "ten": "Show",
    }
    for name, caption in captions.items():
        target = await take(stage, f"#{name}")
        assert (target.caption, target.alike.caption) == (caption, int(bool(caption))), name


async def test_a_calendar_that_opens_beside_its_field_takes_no_caption_from_it(stage: Any, site: Any) -> None:
    await stage.show(
        site,
        """<form><label>Title <input name=title></label><div><label for=none>Day</label>
        <div id=none><div><div><div><div><input id=day></div></div>
        <div role=dialog aria-label="Choose a date" hidden><label>Month</label>
        <select aria-label=Months><option>May</select><input id=year></div></div></div></div></div></form>""",
    )
    for opened in (False, True):
        await stage.actor.page.evaluate(f"document.querySelector('[role=dialog]').hidden = {str(not opened).lower()}")
        target = await take(stage, "#day")
        assert (target.caption, target.alike.caption) == ("Day", 1), opened
    assert (await take(stage, "#year")).caption != "Day"


async def test_the_tools_of_an_editor_name_no_field(stage: Any, site: Any) -> None:
    tools = "<button type=button>format_bold</button> <button type=button>code</button>"
    await stage.show(
        site,
        f"""<form><p><input name=t placeholder=Subject></p><div><nav>{tools}</nav>
        <textarea id=one></textarea></div></form>
        <form><div><p>Answer {tools}</p><textarea id=two></textarea></div></form>""",
    )
    assert ((await take(stage, "#one")).caption, (await take(stage, "#two")).caption[:6]) == ("", "Answer")


async def test_what_has_no_name_is_told_by_its_text(stage: Any, site: Any) -> None:
    await stage.show(
        site,
        """<style>.up { text-transform: uppercase }</style><div id=one class=up><b>Send <i>now</i></b></div>
        <div id=two contenteditable>Dear all</div><div hidden>Send now</div>
        <span id=three>Close</span><span>Close</span>
        <section><p><u id=four>More</u> of Emma</p></section><section><p><u>More</u> of Ivanhoe</p></section>""",
    )
    expected = {"one": ("SEND NOW", 1, -1), "two": ("", 0, -1), "three": ("Close", 2, -1), "four": ("More", 2, 0)}
    for name, told in expected.items():
        target = await take(stage, f"#{name}")
        assert (target.text, target.alike.text, target.scope_depth) == told, name


async def test_evidence_of_buttons_and_of_one_of_a_group(stage: Any, site: Any) -> None:
    await stage.show(
        site,
        """<form method=post action=/books/new><input type=radio name=state value=new aria-label=New>
        <input name=title value=Emma><button name=op value=save>Save</button>
        <button formaction=/elsewhere>Other</button></form>
        <form method=post action=/two><button>One</button><button id=b>Two</button></form>""",
    )
    assert (await take(stage, "[type=radio]")).value == "new"
    assert (await take(stage, "[name=title]")).value == ""
    save = await take(stage, "[name=op]")
    assert (save.value, save.alike.submit) == ("save", 1)
    assert (await take(stage, "#b")).alike.submit == 2


CARDS = {
    "a list": "<ul><li><h3>{0}</h3><a href=/b/{1}>Buy</a></li></ul>",
    "a table": "<table><tr><td>{0}</td><td><a href=/b/{1}>Buy</a></td></tr></table>",
    "plain boxes": "<div><div><span>{0}</span><p><a href=/b/{1}>Buy</a></p></div></div>",
}


@pytest.mark.parametrize("kind", CARDS)
async def test_a_card_is_told_by_the_fewest_texts_that_no_sibling_has(stage: Any, site: Any, kind: str) -> None:
    opening, rest = CARDS[kind].split(">", 1)
    one, _, closing = rest.rpartition("</")
    items = ["Emma, used", "Emma, new", "Dracula, used"]
    shown = [f"<b>{item.split(', ')[0]}</b><i>{item.split(', ')[1]}</i>" for item in items]
    await stage.show(site, f"{opening}>" + "".join(one.format(s, n) for n, s in enumerate(shown)) + f"</{closing}")
    target = await take(stage, "a[href='/b/0']")
    card = next(scope for scope in target.scopes if scope.kind == "card")
    assert sorted(card.texts[: card.tells]) == ["Emma", "used"]
    assert (target.alike.role_name, target.alike.role_name_scoped, target.position) == (3, 1, 0)
    alone = await take(stage, "a[href='/b/2']")
    card = next(scope for scope in alone.scopes if scope.kind == "card")
    assert card.texts[: card.tells] == ("Dracula",)
    assert target.href == "/b/{id}"


async def test_cards_in_cards_and_cards_that_nothing_tells_apart(stage: Any, site: Any) -> None:
    await stage.show(
        site,
        """<ul><li><h2>Crime</h2><ul><li>Emma <button>Buy</button></li><li>Dracula <button>Buy</button></li></ul></li>
        <li><h2>Horror</h2><ul><li>Emma <button>Buy</button></li><li>Same <button>Buy</button></li>
        <li>Same <button>Buy</button></li></ul></li></ul>""",
    )
    first = await take(stage, "ul > li:first-child ul > li:first-child button")
    cards = [scope for scope in first.scopes if scope.kind == "card"]
    assert [card.texts[: card.tells] for card in cards] == [("Emma",), ("Crime",)]
    same = await take(stage, "ul > li:last-child ul > li:last-child button")
    assert next(scope for scope in same.scopes if scope.kind == "card").tells == 0
    assert same.alike.role_name_scoped == 5


@pytest.mark.parametrize(
    ("field", "secret"),
    [
        ("<input type=password>", True),
        ("<input autocomplete='section-a new-password'>", True),
        ("<input autocomplete=one-time-code>", True),
        ("<input type=password><script>document.querySelector('input').type = 'text'</script>", True),
        ("<input autocomplete=username name=password-hint>", False),
        ("<input type=text>", False),
    ],
)
async def test_secret_fields_are_known(stage: Any, site: Any, field: str, secret: bool) -> None:
    await stage.show(site, field)
    await stage.actor.fill(Find("css", "input"), "hunter2")
    start = stage.notes.started[-1]
    assert start.target.secret is secret
    assert (start.recorded_value is None) is secret
    assert ("hunter2" in repr(stage.notes)) is not secret


@pytest.mark.parametrize("named", ["label", "b"])
async def test_a_label_that_is_typed_into_means_its_field(stage: Any, site: Any, named: str) -> None:
    await stage.show(site, "<label for=own>Own <b>password</b></label><input id=own type=password>")
    await stage.actor.fill(Find("css", named), "hunter2")
    await stage.actor.press("!", Find("css", named))
    assert await stage.actor.page.input_value("input") == "hunter2!"
    assert [(one.target.tag, one.target.secret) for one in stage.notes.started[1:]] == [("input", True)] * 2
    assert "hunter2" not in repr(stage.notes)


async def test_a_field_with_two_labels_of_the_same_words_is_one(stage: Any, site: Any) -> None:
    await stage.show(site, "<label for=a aria-hidden=true>Name</label><label for=a>Name</label><input id=a>")
    await stage.actor.fill(Find("text", "Name"), "Ann")
    assert stage.notes.started[-1].target.label == "Name Name"


@pytest.mark.parametrize("place", ["{}", "<div><template shadowrootmode=open>{}</template></div>"])
async def test_a_secret_shown_by_a_button_stays_one(stage: Any, site: Any, place: str) -> None:
    field = "<input type=password><button onclick=\"previousSibling.type = 'text'\">Show</button>"
    await stage.show(site, place.format(field))
    await stage.actor.click(Find("text", "Show"))
    assert (await take(stage, "input")).secret


async def test_a_heading_outside_of_a_shadow_root_names_what_is_in_it(stage: Any, site: Any) -> None:
    """A browser orders nodes of different trees by where they lie in memory."""
    part = "<div><div><template shadowrootmode=open><button id=b{n:02}>Go</button></template></div></div>"
    late = "document.querySelectorAll('main > div').forEach((at, n) => {" + (
        "at.prepend(document.createElement('h2')); at.firstChild.textContent = `Part ${n}`; });"
    )
    await stage.show(site, f"<main>{''.join(part.format(n=n) for n in range(20))}</main><script>{late}</script>")
    taken = [await take(stage, f"#b{n:02}") for n in range(20)]
    sections = [[scope.name for scope in one.scopes if scope.kind == "section"] for one in taken]
    assert sections == [[f"Part {n}"] for n in range(20)]


async def test_words_in_a_shadow_root_are_found(stage: Any, site: Any) -> None:
    await stage.show(site, "<div><template shadowrootmode=open><i onclick='this.remove()'>Go</i></template></div>")
    await stage.actor.click(Find("text", "Go"))
    assert await stage.actor.page.locator("i").count() == 0


async def test_a_secret_goes_nowhere_but_into_a_secret_field(stage: Any, site: Any) -> None:
    await stage.show(site, "<input>")
    with pytest.raises(ToolError, match="only be typed into"):
        await stage.actor.fill(Find("css", "input"), "{{secret.password}}")
    assert await stage.actor.page.input_value("input") == ""


async def test_taking_evidence_leaves_the_references_of_a_snapshot_alone(stage: Any, site: Any) -> None:
    await stage.show(site, "<button>One</button><button>Two</button>")
    page = stage.actor.page
    snapshot = await page.aria_snapshot(mode="ai")
    ref = snapshot.partition('"Two" [ref=')[2].partition("]")[0]
    await take(stage, "button:last-child")
    assert await page.locator(f"aria-ref={ref}").inner_text() == "Two"


async def test_evidence_and_action_take_one_call_each(stage: Any, site: Any, monkeypatch: Any) -> None:
    await stage.show(site, "<input aria-label=Name><button>Send</button>")
    sent: list[str] = []
    send = transport.PipeTransport.send

    def noting(self: Any, message: dict[str, Any]) -> None:
        sent.append(message["method"])
        send(self, message)

    monkeypatch.setattr(transport.PipeTransport, "send", noting)
    await stage.actor.fill(Find("label", "Name"), "Ada")
    assert sent == ["evalOnSelector", "fill", "evaluateExpression"]
    sent.clear()
    await stage.actor.click(Find("text", "Send"))
    assert sent == ["evalOnSelector", "click", "evaluateExpression"]


@pytest.mark.parametrize(
    ("text", "is_time"),
    [
        ("November 27, 2026 at 19:23:37 GMT *", True),
        ("Nov 27, 2026, 7:23 PM CEST", True),
        ("Fri Nov 27 2026 19:23:37 GMT+0000 (Coordinated Universal Time)", True),
        ("Fri Nov 27 2026 19:23:37 GMT+0000 (Greenwich Mean Time)", True),
        ("27 November, 19:23 (UTC)", True),
        ("Film at 20:15 ARD", False),
        ("19:23:37 gmt is late", False),
        ("Gate 7 EST", False),
        ("GMT", False),
        ("Greenwich Mean Time", False),
        ("19:23 GMT at the pier", False),
    ],
)
async def test_a_time_with_its_zone_tells_no_card(stage: Any, site: Any, text: str, *, is_time: bool) -> None:
    cards = "".join(f"<li><h3>Emma</h3><p>{said}</p><button>Edit</button></li>" for said in (text, "Like new", "Worn"))
    await stage.show(site, f"<ul>{cards}</ul>")
    target = await take(stage, "li:nth-of-type(1) button")
    words = [word for scope in target.scopes if scope.kind == "card" for word in scope.words]
    assert (text not in words) == is_time, words


IN_ZONE = """<script>document.documentElement.lang = "LANGUAGE"; const Dates = Intl.DateTimeFormat;
Intl.DateTimeFormat = function (language, more) { return new Dates(language, { timeZone: "ZONE", ...more }); };
</script>"""


@pytest.mark.parametrize(
    ("language", "zone", "told"),
    [
        ("fr", "Europe/London", "19:23 heure d\u2019été britannique"),
        ("en", "America/Sao_Paulo", "19:23 GMT-3"),
        ("uk", "America/Sao_Paulo", "19:23 GMT-3"),
        ("he", "Europe/London", "19:23"),
    ],
)
async def test_a_zone_may_be_called_by_any_signs(stage: Any, site: Any, language: str, zone: str, told: str) -> None:
    cards = "".join(f"<li><h3>Emma</h3><p>{said}</p><button>Edit</button></li>" for said in (told, "Like new", "Worn"))
    await stage.show(site, f"<ul>{cards}</ul>" + IN_ZONE.replace("LANGUAGE", language).replace("ZONE", zone))
    target = await take(stage, "li:nth-of-type(1) button")
    words = [word for scope in target.scopes if scope.kind == "card" for word in scope.words]
    assert told not in words, words
