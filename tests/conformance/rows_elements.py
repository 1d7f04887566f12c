"""Rows on toolset elements: discovering elements, acting on them, opening the browser, and the documented patterns."""

from __future__ import annotations

from typing import Any

from tests.conformance.table import Stage, row

PAGE = """
<h1>Join</h1><p>Already here? <a href="/login" title="Log in here">Log in</a></p>
<form method=post action=/join>
<label>E-mail <input id=email name=email type=email placeholder="you@example.org" data-testid=email></label>
<label>About <textarea name=about></textarea></label>
<label>Town <select name=town><option>Leeds<option>York</select></label>
<label><input type=checkbox name=news> News</label>
<label><input type=radio name=kind value=a> Reader</label><label><input type=radio name=kind value=b> Seller</label>
<input type=hidden name=token value=t><input name=gone style="display:none"><button class="main wide">Join</button>
</form><img src="data:," alt="A shelf" style="width:9px;height:9px"><div id=box>A box</div><span>A span</span>
<button disabled>Later</button>"""


async def discovered(stage: Stage, action: str, **more: Any) -> list[dict[str, Any]]:
    """Call element_discovery, and give its elements."""
    data = await stage.did("element_discovery", action=action, **more)
    assert data["page_url"] == "/"
    assert data["total_found"] >= len(data["elements"])
    return list(data["elements"])


def names(elements: list[dict[str, Any]]) -> list[str]:
    """Give what elements are called."""
    return [str(one.get("name") or one.get("text", "")) for one in elements]


@row("elements", "element_discovery", "find_all_elements tells all that can be acted on, with tag, selectors and state")
async def _(stage: Stage) -> None:
    await stage.open(PAGE)
    elements = await discovered(stage, "find_all_elements")
    assert names(elements) == ["Log in", "E-mail", "About", "Town", "News", "Reader", "Seller", "Join", "Later"]
    email = elements[1]
    assert (email["tag"], email["type"], email["placeholder"]) == ("input", "email", "you@example.org")
    assert email["selector"] == email["selectors"][0] == '[data-testid="email"]'
    assert email["visible"] is email["enabled"] is True
    assert elements[-1]["enabled"] is False


@row("elements", "element_discovery", "every selector that is told fits that element alone")
async def _(stage: Stage) -> None:
    await stage.open(PAGE + "<ul><li><button>Save</button><li><button>Save</button></ul>")
    elements = await discovered(stage, "find_all_elements")
    assert len(elements) == 11
    for element in elements:
        for selector in element["selectors"]:
            again = await stage.did("element_discovery", action="analyze_element", element_selector=selector)
            assert again["element"]["ref"] == element["ref"], selector


@row("elements", "element_discovery", "find_by_type knows each of its types")
async def _(stage: Stage) -> None:
    await stage.open(PAGE)
    found = {
        kind: names(await discovered(stage, "find_by_type", element_type=kind))
        for kind in ("button", "input", "link", "field", "checkbox", "radio", "select", "image", "div", "span")
    }
    assert found == {
        "button": ["Join", "Later"],
        "input": ["E-mail", "News", "Reader", "Seller"],
        "link": ["Log in"],
        "field": ["E-mail", "About", "Town", "News", "Reader", "Seller"],
        "checkbox": ["News"],
        "radio": ["Reader", "Seller"],
        "select": ["Town"],
        "image": ["A shelf"],
        "div": ["A box"],
        "span": ["A span"],
    }
    assert [one["tag"] for one in await discovered(stage, "find_by_type", element_type="form")] == ["form"]
    assert names(await discovered(stage, "find_by_type", element_type="text"))[0] == "Join"


@row("elements", "element_discovery", "find_by_type without element_type is an error, and so is an unknown type")
async def _(stage: Stage) -> None:
    await stage.open(PAGE)
    assert "needs element_type" in (await stage.refused("element_discovery", action="find_by_type")).message
    wrong = await stage.refused("element_discovery", action="find_by_type", element_type="gadget")
    assert wrong.type == "invalid_input"
    assert "'button'" in wrong.message


@row("elements", "element_discovery", "find_by_text finds names, texts and placeholders, whatever the case")
async def _(stage: Stage) -> None:
    await stage.open(PAGE)
    assert names(await discovered(stage, "find_by_text", text_contains="LOG IN")) == ["Log in"]
    assert names(await discovered(stage, "find_by_text", text_contains="example.org")) == ["E-mail"]
    assert [one["tag"] for one in await discovered(stage, "find_by_text", text_contains="a box")] == ["div"]
    assert await discovered(stage, "find_by_text", text_contains="wheelbarrow") == []


@row("elements", "element_discovery", "find_form_elements tells fields and buttons of forms, with labels")
async def _(stage: Stage) -> None:
    await stage.open(PAGE)
    elements = await discovered(stage, "find_form_elements")
    assert names(elements) == ["E-mail", "About", "Town", "News", "Reader", "Seller", "Join"]
    assert elements[0]["label"] == "E-mail"
    assert elements[0]["form"] == "post /join"


@row("elements", "element_discovery", "find_by_attributes takes several, parts of values, and empty ones for any value")
async def _(stage: Stage) -> None:
    await stage.open(PAGE)
    for wanted, expected in (
        ({"type": "email", "name": "email"}, ["E-mail"]),
        ({"class": "wide"}, ["Join"]),
        ({"title": ""}, ["Log in"]),
        ({"name": "email", "type": "text"}, []),
        ({"class": "wid"}, ["Join"]),
        ({"name": "EMA"}, ["E-mail"]),
        ({"name": "email", "type": "ema"}, ["E-mail"]),
    ):
        assert names(await discovered(stage, "find_by_attributes", attribute_filter=wanted)) == expected
    assert "needs attribute_filter" in (await stage.refused("element_discovery", action="find_by_attributes")).message


@row("elements", "element_discovery", "find_by_attributes tells what has the whole value before what holds it")
async def _(stage: Stage) -> None:
    await stage.open(
        "<a href=/books/new>New books</a> <a href=/books>Books</a> <a href=/BOOKS/old>Old books</a> <a href=/b>Blog</a>"
    )
    found = await discovered(stage, "find_by_attributes", attribute_filter={"href": "/books"})
    assert names(found) == ["Books", "New books", "Old books"]


@row("elements", "element_discovery", "analyze_element tells everything of one element")
async def _(stage: Stage) -> None:
    await stage.open(PAGE)
    told = await stage.did("element_discovery", action="analyze_element", element_selector="Town")
    element = told["element"]
    assert element["options"] == ["Leeds", "York"]
    assert element["attributes"] == {"name": "town"}
    assert element["box"]["width"] > 0
    assert told["total_found"] == 1


@row("elements", "element_discovery", "visible_only is on by default; off, hidden elements are told, as such")
async def _(stage: Stage) -> None:
    await stage.open(PAGE)
    assert len(await discovered(stage, "find_by_type", element_type="input")) == 4
    every = await discovered(stage, "find_by_type", element_type="input", visible_only=False)
    assert [one["visible"] for one in every] == [True, True, True, True, False]


@row("elements", "element_discovery", "limit is 20 by default; total_found counts all")
async def _(stage: Stage) -> None:
    await stage.open("<button>x</button>" * 30)
    data = await stage.did("element_discovery", action="find_all_elements")
    assert (len(data["elements"]), data["total_found"]) == (20, 30)
    assert len((await stage.did("element_discovery", action="find_all_elements", limit=3))["elements"]) == 3
    assert (await stage.refused("element_discovery", action="find_all_elements", limit=0)).type == "invalid_input"


@row("elements", "element_interaction", "action and query come back of a call that does not fit, too")
async def _(stage: Stage) -> None:
    await stage.open("<p>Nothing</p>")
    result = await stage.call("element_interaction", action="dance", selector="p", query="to music")
    assert not result.success
    assert result.metadata == {"action": "dance", "query": "to music"}


@row("elements", "element_discovery", "action and query come back in the metadata, of a miss, too")
async def _(stage: Stage) -> None:
    await stage.open(PAGE)
    result = await stage.call("element_discovery", action="find_all_elements", query="what is here?")
    assert result.metadata == {"action": "find_all_elements", "query": "what is here?"}
    missed = await stage.call("element_discovery", action="analyze_element", element_selector="#none", query="a miss")
    assert missed.metadata == {"action": "analyze_element", "query": "a miss"}
    assert missed.error is not None
    assert missed.error.type == "not_found"
    assert missed.error.message.startswith("Element not found with selector: #none. Use element_discovery")


@row("elements", "element_discovery", "never tells what stands in a password field")
async def _(stage: Stage) -> None:
    await stage.open("<form><label>Pass <input type=password id=p value=hush-hush></label></form>")
    for action in ("find_all_elements", "find_form_elements"):
        assert "hush" not in str(await discovered(stage, action))
    assert "hush" not in str(await stage.did("element_discovery", action="analyze_element", element_selector="#p"))
    assert await discovered(stage, "find_by_attributes", attribute_filter={"value": "hush-hush"}) == []
    assert await stage.did("element_interaction", action="get_value", selector="#p") == {"value": None, "secret": True}


@row("elements", "element_interaction", "click")
async def _(stage: Stage) -> None:
    stage.site.pages["/login"] = "<h1>Log in"
    await stage.open(PAGE)
    result = await stage.call("element_interaction", action="click", selector="Log in", query="to the login")
    assert result.success
    assert result.metadata == {"action": "click", "query": "to the login"}
    assert stage.page.url.endswith("/login")


@row("elements", "element_interaction", "type_text types behind what is there, clear_and_type replaces it")
async def _(stage: Stage) -> None:
    await stage.open(PAGE)
    await stage.did("element_interaction", action="type_text", selector="#email", text="one")
    await stage.did("element_interaction", action="type_text", selector="#email", text="+two")
    assert await stage.page.input_value("#email") == "one+two"
    await stage.did("element_interaction", action="clear_and_type", selector="#email", text="{{identity.email}}")
    assert await stage.page.input_value("#email") == "ada.moor@example.org"
    assert (await stage.did("element_interaction", action="get_value", selector="#email"))["value"]


@row("elements", "element_interaction", "check_visibility, get_text and get_value only read")
async def _(stage: Stage) -> None:
    await stage.open(PAGE)
    read = {"action": "check_visibility", "selector": "input[name=gone]"}
    assert await stage.did("element_interaction", **read) == {"visible": False, "enabled": True}
    assert await stage.did("element_interaction", action="get_text", selector="h1") == {"text": "Join"}
    assert await stage.did("element_interaction", action="get_value", selector="Town") == {"value": "Leeds"}
    failure = await stage.refused("element_interaction", action="check_visibility", selector="#none")
    assert failure.message.startswith("Element not found with selector: #none.")


@row("elements", "element_interaction", "hover")
async def _(stage: Stage) -> None:
    await stage.open("<button id=menu onmouseenter='document.title=\"over\"'>Menu</button>")
    await stage.did("element_interaction", action="hover", selector="#menu")
    assert await stage.page.title() == "over"


@row("elements", "element_interaction", "scroll_to")
async def _(stage: Stage) -> None:
    await stage.open("<div style='height:4000px'></div><h2 id=end>The end</h2>")
    await stage.did("element_interaction", action="scroll_to", selector="#end")
    assert await stage.page.evaluate("scrollY") > 3000


@row("elements", "element_interaction", "press_keys presses Enter, Tab, Escape, Space and Backspace, and no other")
async def _(stage: Stage) -> None:
    await stage.open(
        "<label>One <input id=a value=ab></label><label>Two <input id=b></label><p id=said></p>"
        "<script>a.onkeydown = event => said.append(event.code + ' ')</script>"
    )
    for key in ("Enter", "Escape", "Space", "Backspace"):
        await stage.did("element_interaction", action="press_keys", selector="#a", keys=key)
    await stage.did("element_interaction", action="press_keys", keys="Tab")
    assert await stage.page.inner_text("#said") == "Enter Escape Space Backspace Tab"
    assert await stage.page.evaluate("document.activeElement.id") == "b"
    assert (
        await stage.refused("element_interaction", action="press_keys", selector="#a", keys="F1")
    ).type == "invalid_input"
    assert "needs keys" in (await stage.refused("element_interaction", action="press_keys", selector="#a")).message


@row("elements", "element_interaction", "text and selector are asked for where an action needs them")
async def _(stage: Stage) -> None:
    await stage.open(PAGE)
    assert "needs selector" in (await stage.refused("element_interaction", action="click")).message
    assert "needs text" in (await stage.refused("element_interaction", action="type_text", selector="#email")).message


@row("elements", "element_interaction", "says why an element cannot be acted on: hidden, disabled, read-only, covered")
async def _(stage: Stage) -> None:
    await stage.open(
        "<button id=hidden style='visibility:hidden'>a</button><button id=off disabled>b</button>"
        "<input id=fixed readonly>"
        "<p id=plain>text</p><button id=under style='position:absolute;left:0;top:300px'>c</button>"
        "<div id=veil style='position:absolute;left:0;top:290px;width:200px;height:90px'>Please wait</div>"
    )
    for action, selector, why in (
        ("click", "#hidden", "is not visible"),
        ("click", "#off", "is disabled"),
        ("click", "#under", 'is covered by div#veil "Please wait"'),
        ("hover", "#under", "is covered by div#veil"),
        ("clear_and_type", "#fixed", "is read-only"),
        ("type_text", "#plain", "is not editable"),
    ):
        failure = await stage.refused("element_interaction", action=action, selector=selector, text="x")
        assert failure.type == "not_actionable"
        assert f"{selector} {why}" in failure.message


@row("elements", "element_interaction", "waits a moment for an element that is about to be ready")
async def _(stage: Stage) -> None:
    await stage.open(
        "<button id=b disabled onclick='document.title=\"done\"'>Go</button>"
        "<script>setTimeout(() => { b.disabled = false }, 400)</script>"
    )
    await stage.did("element_interaction", action="click", selector="#b")
    assert await stage.page.title() == "done"


@row("elements", "element_interaction", "of several elements none is guessed")
async def _(stage: Stage) -> None:
    await stage.open("<button>Save</button><button>Save</button>")
    failure = await stage.refused("element_interaction", action="click", selector="Save")
    assert failure.type == "ambiguous"
    assert "(ref=e2)" in failure.message


@row("elements", "unified_browser", "open_browser answers with the browser that runs, for chrome and chromium")
async def _(stage: Stage) -> None:
    for browser in ("chrome", "chromium"):
        told = await stage.did("unified_browser", action="open_browser", browser=browser)
        assert told["browser"] == "chromium"
        assert told["open"] is True
        assert told["version"].split(".")[0].isdigit()
        assert told["page"] is None


@row("elements", "unified_browser", "safari is told to be another browser than the run's")
async def _(stage: Stage) -> None:
    failure = await stage.refused("unified_browser", action="open_browser", browser="safari")
    assert failure.type == "unavailable"
    assert "Playwright's WebKit" in failure.message
    assert "chromium" in failure.message


@row("elements", "unified_browser", "navigate and open_and_navigate lead to a page; url is asked for")
async def _(stage: Stage) -> None:
    stage.site.pages |= {"/a": "<h1>A", "/b": "<h1>B"}
    told = await stage.did("unified_browser", action="open_and_navigate", url="/a")
    assert (told["browser"], told["page"]["url"]) == ("chromium", "/a")
    result = await stage.call("unified_browser", action="navigate", url="/b", query="on to b")
    assert result.metadata == {"action": "navigate", "query": "on to b"}
    assert stage.page.url.endswith("/b")
    assert "needs url" in (await stage.refused("unified_browser", action="navigate")).message


@row(
    "elements",
    "unified_browser",
    "close_browser closes every window; open_browser opens one again, with the session kept",
)
async def _(stage: Stage) -> None:
    stage.site.pages["/a"] = "<h1>A"
    await stage.open("<script>document.cookie = 'kept=1'</script>")
    assert await stage.did("unified_browser", action="close_browser") == {"open": False}
    assert stage.actor.context.pages == []
    assert (await stage.refused("element_discovery", action="find_all_elements")).type == "page_closed"
    assert (await stage.refused("unified_browser", action="navigate", url="/a")).type == "page_closed"
    assert (await stage.did("unified_browser", action="open_and_navigate", url="/a"))["page"]["url"] == "/a"
    assert await stage.page.evaluate("document.cookie") == "kept=1"


@row("elements", "element_interaction", "pattern: discover, then act on what was discovered")
async def _(stage: Stage) -> None:
    stage.site.pages |= {"/": PAGE, "/login": "<h1>Log in"}
    await stage.did("unified_browser", action="open_and_navigate", url="/", query="log in")
    (link,) = await discovered(stage, "find_by_text", text_contains="log in", query="the way to the login")
    await stage.did("element_interaction", action="click", selector=link["selector"], query="go there")
    assert stage.page.url.endswith("/login")


@row("elements", "element_interaction", "pattern: recover from an error by discovering what is there")
async def _(stage: Stage) -> None:
    stage.site.pages["/thanks"] = "<h1>Thanks"
    stage.site.answers["/join"] = lambda fields: "/thanks"
    await stage.open(PAGE)
    failure = await stage.refused("element_interaction", action="click", selector="#submit-button", query="join")
    assert "Use element_discovery" in failure.message
    join = next(one for one in await discovered(stage, "find_by_type", element_type="button") if one["enabled"])
    await stage.did("element_interaction", action="click", selector=join["selector"], query="join")
    assert stage.page.url.endswith("/thanks")


@row("elements", "element_interaction", "pattern: fill a form found by discovery")
async def _(stage: Stage) -> None:
    stage.site.pages["/thanks"] = "<h1>Thanks"
    stage.site.answers["/join"] = lambda fields: "/thanks"
    await stage.open(PAGE)
    form = {one["name"]: one["selector"] for one in await discovered(stage, "find_form_elements")}
    for label, text in (("E-mail", "{{identity.email}}"), ("About", "Reads a lot.")):
        await stage.did("element_interaction", action="clear_and_type", selector=form[label], text=text)
    for label in ("News", "Seller", "Join"):
        await stage.did("element_interaction", action="click", selector=form[label])
    ((path, sent),) = stage.site.posts
    assert path == "/join"
    shown = {"email": "ada.moor@example.org", "about": "Reads a lot.", "town": "Leeds", "news": "on", "kind": "b"}
    assert sent == {**shown, "token": "t", "gone": ""}


@row("elements", "complete", "a run by this toolset alone can end")
async def _(stage: Stage) -> None:
    assert await stage.did("complete", result="Joined.") == "Joined."
