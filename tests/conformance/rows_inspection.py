"""Rows on the tools of toolset browser that read a page: pictures, texts, HTML, trees, elements, fields, logs."""

from __future__ import annotations

import io

from PIL import Image

from tests.conformance.table import Stage, row

SHOP = """
<nav aria-label="Main"><a href="/books">Browse</a> <a href="/basket">Basket</a></nav>
<main><h1>Second-hand books</h1>
<ul>
  <li class=book><h2><a href="/books/1">Dracula</a></h2>
  <p>Bram Stoker</p><p class=price>£7.80</p><button>Save</button></li>
  <li class=book><h2><a href="/books/2">Emma</a></h2>
  <p>Jane Austen</p><p class=price>£1,004.50</p><button>Save</button></li>
</ul>
<form aria-label="Search"><label>Words <input id=words name=q placeholder="Title or author" data-testid=search></label>
<label>Genre <select name=genre><option>Any<option selected>Crime</select></label>
<label><input type=checkbox name=new checked> Only new ones</label><button disabled>Search</button></form>
<section><h2>Delivery</h2>
<dl><dt>Delivery time</dt><dd>Three days</dd><dt>Returns</dt><dd>Within 2 weeks</dd></dl></section>
</main>"""
SECRET = "<label>Password <input type=password id=p value=served-in-html></label><button>Go</button>"


def size_of(data: bytes) -> tuple[int, int]:
    """Give a picture's width and height."""
    with Image.open(io.BytesIO(data)) as picture:
        return picture.size


async def put(stage: Stage, selector: str, value: str) -> None:
    """Let a value stand in a field, as a page's own script would put it there."""
    await stage.page.eval_on_selector(selector, "(field, value) => { field.value = value }", value)


@row("browser", "screenshot", "shows the viewport; full_page shows all of the page; selector one element")
async def _(stage: Stage) -> None:
    await stage.open(
        "<style>body, p {margin: 0}</style><div style='height:2000px'>x</div><p id=p style='width:80px;height:40px'>"
    )
    (view,) = (await stage.call("screenshot")).images
    (page,) = (await stage.call("screenshot", full_page=True)).images
    (part,) = (await stage.call("screenshot", selector="#p")).images
    assert [size_of(image.data) for image in (view, page, part)] == [(1280, 800), (1280, 2040), (80, 40)]


@row("browser", "screenshot", "full_page and selector exclude each other")
async def _(stage: Stage) -> None:
    await stage.open("<p id=p>x")
    assert (await stage.refused("screenshot", full_page=True, selector="#p")).type == "invalid_input"


@row("browser", "screenshot", "a selector that nothing fits is told")
async def _(stage: Stage) -> None:
    await stage.open("<p>x")
    assert (await stage.refused("screenshot", selector="#nothing")).type == "not_found"


@row("browser", "screenshot", "covers what stands in a password field")
async def _(stage: Stage) -> None:
    await stage.open("<input type=password style='width:200px;height:40px'>")
    (before,) = (await stage.call("screenshot", selector="input")).images
    await put(stage, "input", "a long pass word")
    (after,) = (await stage.call("screenshot", selector="input")).images
    assert before.data == after.data


@row("browser", "get_page_text", "gives 4,000 characters, and says where it cut")
async def _(stage: Stage) -> None:
    await stage.open("<p>" + "word " * 1000)
    result = await stage.call("get_page_text")
    text, _, note = str(result.data).rpartition("\n")
    assert len(text) == 4000
    assert note == "[cut: the first 4000 of 4999 characters]"
    assert result.metadata == {"cut": True, "characters": 4999}


@row("browser", "get_page_content", "gives the title and the visible text, without scripts and styles")
async def _(stage: Stage) -> None:
    await stage.open("<style>p{color:red}</style><script>var hidden = 1</script><p>Seen</p><p hidden>Unseen</p>")
    assert await stage.did("get_page_content") == "Small site\n\nSeen"


@row("browser", "get_page_content", "gives 8,000 characters, and says where it cut")
async def _(stage: Stage) -> None:
    await stage.open("<p>" + "x" * 9000)
    text = str(await stage.did("get_page_content"))
    assert text.count("x") == 8000
    assert text.endswith("[cut: the first 8000 of 9000 characters]")


@row("browser", "get_page_html", "gives the HTML of the page as it is now, without passwords")
async def _(stage: Stage) -> None:
    await stage.open(SECRET)
    await stage.page.evaluate("document.body.append(document.createElement('hr'))")
    html = str(await stage.did("get_page_html"))
    assert html.lower().startswith("<!doctype html>")
    assert "<title>Small site</title>" in html
    assert "<hr>" in html
    assert "served-in-html" not in html


@row("browser", "get_html", "gives one element; its default is the page; 60,000 characters")
async def _(stage: Stage) -> None:
    await stage.open("<p id=a class=b>one <b>two</b></p><div>" + "x" * 70_000 + "</div>")
    assert await stage.did("get_html", selector="#a") == '<p id="a" class="b">one <b>two</b></p>'
    text, _, note = str(await stage.did("get_html", selector="div")).rpartition("\n")
    assert len(text) == 60_000
    assert note == "[cut: the first 60000 of 70011 characters]"
    assert str(await stage.did("get_html")).startswith("<html")


@row("browser", "get_html", "of several elements none is guessed, they are listed with refs")
async def _(stage: Stage) -> None:
    await stage.open("<p>one<p>two")
    failure = await stage.refused("get_html", selector="p")
    assert failure.type == "ambiguous"
    assert "fits 2 elements" in failure.message
    assert "ref=e2" in failure.message


@row("browser", "get_page_url", "tells where the browser is")
async def _(stage: Stage) -> None:
    await stage.open("<p>x", "/there")
    page = await stage.did("get_page_url")
    assert page["url"] == "/there"
    assert page["status"] == 200


@row("browser", "extract", "gives the parts that answer a description, with label and headings")
async def _(stage: Stage) -> None:
    await stage.open(SHOP)
    best = (await stage.did("extract", description="delivery time"))[0]
    assert best["text"] == "Three days"
    assert best["label"] == "Delivery time"
    assert best["under"][-1] == "Delivery"


@row("browser", "extract", "finds a price by its looks under the heading that it stands under")
async def _(stage: Stage) -> None:
    await stage.open(SHOP)
    best = (await stage.did("extract", description="the price of Dracula"))[0]
    assert "£7.80" in best["text"]
    assert "Emma" not in best["text"]


@row("browser", "extract", "what no part answers is an error that tells the headings")
async def _(stage: Stage) -> None:
    await stage.open(SHOP)
    failure = await stage.refused("extract", description="wheelbarrow")
    assert failure.type == "not_found"
    assert "nothing on it says 'wheelbarrow'" in failure.message
    assert "'Delivery'" in failure.message


@row("browser", "extract", "what is asked of something that is not there is not answered by another's value")
async def _(stage: Stage) -> None:
    await stage.open(SHOP)
    for asked, unknown in (("the price of Middlemarch", "middlemarch"), ("publisher of Dracula", "publisher")):
        failure = await stage.refused("extract", description=asked)
        assert failure.type == "not_found"
        assert f"nothing on it says {unknown!r}" in failure.message


@row("browser", "extract_text", "gives the text of every element that fits")
async def _(stage: Stage) -> None:
    await stage.open(SHOP)
    result = await stage.call("extract_text", selector=".price")
    assert result.data == "£7.80\n£1,004.50"
    assert result.metadata["elements"] == 2
    assert (await stage.refused("extract_text", selector="#nothing")).type == "not_found"


BOOKS = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {"title": {"type": "string"}, "price": {"type": "number"}, "link": {"type": "string"}},
        "required": ["title", "price"],
    },
}


@row("browser", "extract_structured", "reads fields of every item, numbers and attributes included")
async def _(stage: Stage) -> None:
    await stage.open(SHOP)
    fields = {"title": "h2", "price": ".price", "link": "a@href"}
    assert await stage.did("extract_structured", schema=BOOKS, item_selector=".book", fields=fields) == [
        {"title": "Dracula", "price": 7.8, "link": "/books/1"},
        {"title": "Emma", "price": 1004.5, "link": "/books/2"},
    ]


@row("browser", "extract_structured", "a field without a selector is sought by the item's own marks")
async def _(stage: Stage) -> None:
    await stage.open(
        "<table><tr><th>Title<th>Price<tr><td>Emma<td>3,50 €</table><dl><dt>Town<dd>Leeds</dl><b itemprop=isbn>12"
    )
    row = {"type": "object", "properties": {"title": {"type": "string"}, "price": {"type": "number"}}}
    assert await stage.did("extract_structured", schema=row, item_selector="tr:nth-child(2)") == {
        "title": "Emma",
        "price": 3.5,
    }
    page = {"type": "object", "properties": {"town": {"type": "string"}, "isbn": {"type": "integer"}}}
    assert await stage.did("extract_structured", schema=page) == {"town": "Leeds", "isbn": 12}


@row(
    "browser", "extract_structured", "what does not fit the JSON Schema is an error that says where, with what was read"
)
async def _(stage: Stage) -> None:
    await stage.open("<div class=book><h2>Emma</h2></div>")
    result = await stage.call("extract_structured", schema=BOOKS, item_selector=".book")
    assert result.error is not None
    assert result.error.type == "invalid_input"
    assert "$[0]: 'price' is a required property" in result.error.message
    assert result.data == {"read": [{"title": "Emma"}]}


@row(
    "browser",
    "extract_structured",
    "a schema or a selector that is none is an error; a schema elsewhere is not fetched",
)
async def _(stage: Stage) -> None:
    await stage.open("<h1>x")
    broken = {"type": "nothing", "properties": {"title": {}}}
    assert "the schema is none" in (await stage.refused("extract_structured", schema=broken)).message
    fields = {"title": "h1:(", "place": "a@href"}
    assert "title: h1:(" in (await stage.refused("extract_structured", schema={}, fields=fields)).message
    away = {"properties": {"title": {"$ref": f"{stage.site.url}/schema.json"}}}
    assert "what is not in it" in (await stage.refused("extract_structured", schema=away)).message


@row("browser", "get_element_info", "tells what an element is, holds and is called by, the best selector first")
async def _(stage: Stage) -> None:
    await stage.open(SHOP)
    await put(stage, "#words", "whale")
    info = await stage.did("get_element_info", selector="Words")
    assert (info["tag"], info["role"], info["name"], info["value"]) == ("input", "textbox", "Words", "whale")
    assert info["selectors"][:3] == ['[data-testid="search"]', "#words", 'input[name="q"]']
    assert info["visible"] is info["enabled"] is info["editable"] is True
    assert info["attributes"]["placeholder"] == "Title or author"


@row("browser", "get_element_info", "tells the options of a list, and never what stands in a password field")
async def _(stage: Stage) -> None:
    await stage.open(SHOP + SECRET)
    await put(stage, "#p", "hush hush")
    assert (await stage.did("get_element_info", selector="Genre"))["options"] == ["Any", "Crime"]
    told = await stage.did("get_element_info", selector="#p")
    assert told["secret"] is True
    assert "hush" not in str(told)
    assert "served-in-html" not in str(told)


@row("browser", "read_page", "is a tree of roles, names, states and texts, with refs of what can be acted on")
async def _(stage: Stage) -> None:
    await stage.open(SHOP)
    lines = str(await stage.did("read_page")).splitlines()
    assert lines[0].startswith('- navigation "Main" [ref=')
    assert lines[1] == '  - link "Browse" [ref=e1] -> /books'
    shown = [line.strip() for line in lines]
    assert '- heading [level=1] "Second-hand books"' in shown
    assert '- "Bram Stoker"' in shown
    assert '- textbox "Words" [ref=e7] (placeholder "Title or author")' in shown
    assert '- combobox "Genre" [ref=e8]: "Crime"' in shown
    assert '- options: "Any" | "Crime"' in shown
    assert '- checkbox "Only new ones" [checked] [ref=e9]' in shown
    assert '- button "Search" [disabled] [ref=e10]' in shown


@row(
    "browser",
    "read_page",
    "tells tables by their rows, texts as they run, long lists in short, and what is hidden not at all",
)
async def _(stage: Stage) -> None:
    await stage.open(
        "<table><caption>Prices</caption><tr><th>Book<th>Price<tr><td>Emma<td>£3"
        "<tr><td><a href=/x>Dracula</a><td>£4</table><iframe title=Advert src=about:blank></iframe>"
        "<p>Some <b>bold</b> words and <a href=#end>a link</a>, then<br>more</p>"
        "<div style='visibility:hidden'>gone <button style='visibility:visible'>Seen</button></div><p hidden>gone</p>"
        f"<select aria-label=Many>{'<option>x' * 33}</select><textarea aria-label=Note>two\nlines</textarea>"
    )
    assert str(await stage.did("read_page")).splitlines() == [
        '- table "Prices" [ref=e6]',
        '  - row "Book | Price"',
        '  - row "Emma | £3"',
        "  - row",
        '    - link "Dracula" [ref=e1] -> /x',
        '    - cell "£4"',
        '- iframe "Advert" [ref=e7]',
        '- "Some bold words and"',
        '- link "a link" [ref=e2] -> #end',
        '- ", then more"',
        '- button "Seen" [ref=e3]',
        '- combobox "Many" [ref=e4]: "x"',
        "  - options: " + " | ".join(['"x"'] * 30) + " and 3 more",
        '- textbox "Note" [ref=e5]: "two\\nlines"',
    ]


@row("browser", "read_page", "a ref addresses the element in other tools")
async def _(stage: Stage) -> None:
    stage.site.pages["/books/2"] = "<h1>Emma"
    await stage.open(SHOP)
    line = next(line for line in str(await stage.did("read_page")).splitlines() if 'link "Emma"' in line)
    await stage.did("click", selector="ref=" + line.partition("[ref=")[2].partition("]")[0])
    assert stage.page.url.endswith("/books/2")


@row("browser", "read_page", "a ref of another page means nothing any more")
async def _(stage: Stage) -> None:
    await stage.open("<button>Delete</button>")
    assert "[ref=e1]" in str(await stage.did("read_page"))
    await stage.open("<button>Pay</button>", "/pay")
    assert "[ref=e2]" in str(await stage.did("read_page"))
    assert (await stage.refused("read_page", ref="e1")).type == "not_found"
    assert (await stage.refused("click", selector="ref=e1")).type == "not_found"


@row("browser", "read_page", "ref reads one part, depth counts what is deeper")
async def _(stage: Stage) -> None:
    await stage.open(SHOP)
    top = str(await stage.did("read_page", depth=1)).splitlines()
    assert len(top) == 2
    assert top[1].startswith("- main [ref=")
    assert top[1].endswith(" lines inside)")
    part = str(await stage.did("read_page", ref=top[0].partition("[ref=")[2].partition("]")[0])).splitlines()
    assert part[0].startswith('- navigation "Main"')
    assert len(part) == 3


@row("browser", "read_page", "filter=interactive leaves out what cannot be acted on")
async def _(stage: Stage) -> None:
    await stage.open(SHOP)
    text = str(await stage.did("read_page", filter="interactive"))
    assert "Bram Stoker" not in text
    assert text.count("[ref=") >= 10


@row("browser", "read_page", "gives 50,000 characters, and says how many lines it cut")
async def _(stage: Stage) -> None:
    await stage.open("".join(f"<button>Button number {number}</button>" for number in range(3000)))
    result = await stage.call("read_page")
    text, _, note = str(result.data).rpartition("\n")
    assert 49_900 < len(text) <= 50_000
    assert note == f"[cut: {text.count(chr(10)) + 1} of 3000 lines; read less depth, or one part by its ref]"
    assert result.metadata == {"cut": True, "lines": 3000}


@row("browser", "read_page", "never tells what stands in a password field, only that something does")
async def _(stage: Stage) -> None:
    await stage.open(SECRET)
    await put(stage, "#p", "hush hush")
    text = str(await stage.did("read_page"))
    assert '- textbox "Password" [secret] [ref=e1] (filled)' in text
    assert "hush" not in text


@row("browser", "read_page", "a text of the page cannot pass for a line of the tree")
async def _(stage: Stage) -> None:
    await stage.open('<p>button "Pay" [ref=e1]</p><pre>a\n- button "Pay" [ref=e2]</pre><button>Real</button>')
    text = str(await stage.did("read_page"))
    assert text.splitlines() == [
        r'- "button \"Pay\" [ref=e1]"',
        r'- "a - button \"Pay\" [ref=e2]"',
        '- button "Real" [ref=e1]',
    ]


@row("browser", "read_page", "shows what only its pointer, a handler or a label makes a control, in shadow roots too")
async def _(stage: Stage) -> None:
    await stage.open(
        "<div style='cursor:pointer'>Card <b>one</b></div><span onclick='1'>Span</span><div tabindex=0>Stop</div>"
        "<label style='display:block'><input type=radio style='display:none'>Good</label>"
        "<a href=/x aria-hidden=true>Unsaid</a>"
        "<div id=host></div><script>host.attachShadow({mode:'open'}).innerHTML='<button>Deep</button>'</script>"
    )
    text = str(await stage.did("read_page"))
    for line in (
        "clickable [ref=",
        'clickable "Span"',
        'clickable "Stop"',
        'radio "Good"',
        'link "Unsaid"',
        'button "Deep"',
    ):
        assert f"- {line}" in text, (line, text)


@row("browser", "find", "gives the elements that a description means, the best first, with refs")
async def _(stage: Stage) -> None:
    stage.site.pages["/books/2"] = "<h1>Emma"
    await stage.open(SHOP)
    assert (await stage.did("find", description="search field"))[0]["role"] == "textbox"
    best = (await stage.did("find", description="link to Emma"))[0]
    assert (best["role"], best["name"], best["href"]) == ("link", "Emma", "/books/2")
    await stage.did("click", selector=f"ref={best['ref']}")
    assert stage.page.url.endswith("/books/2")


@row("browser", "find", "tells lookalikes apart by the words around them")
async def _(stage: Stage) -> None:
    await stage.open(SHOP)
    first, second = (await stage.did("find", description="save button of Emma"))[:2]
    assert first["name"] == second["name"] == "Save"
    assert first["score"] > second["score"]
    assert "Emma" in first["near"]


@row("browser", "find", "gives 20 at most, and none for what nothing means")
async def _(stage: Stage) -> None:
    await stage.open("".join(f"<button>Vote {number}</button>" for number in range(30)))
    result = await stage.call("find", description="vote button")
    assert isinstance(result.data, list)
    assert len(result.data) == 20
    assert result.metadata == {"total": 30, "cut": True}
    assert await stage.did("find", description="wheelbarrow") == []


@row("browser", "read_console", "tells what the page logged since it was opened, uncaught errors included")
async def _(stage: Stage) -> None:
    await stage.open("<script>console.log('one', 1); console.error('two'); throw new Error('three')</script>")
    lines = await stage.did("read_console")
    assert [line.partition(" (http")[0] for line in lines] == ["[log] one 1", "[error] two", "[uncaught] three"]


@row("browser", "read_console", "contains and limit choose entries, the last ones")
async def _(stage: Stage) -> None:
    await stage.open("<script>for (let at = 0; at < 9; at++) console.log('tick', at); console.warn('tock')</script>")
    result = await stage.call("read_console", contains="TICK", limit=2)
    assert isinstance(result.data, list)
    assert [str(line).partition(" (http")[0] for line in result.data] == ["[log] tick 7", "[log] tick 8"]
    assert result.metadata == {"total": 9, "cut": True}


@row("browser", "read_network", "tells what the page requested since it was opened, with its status")
async def _(stage: Stage) -> None:
    stage.site.pages["/data"] = "x"
    await stage.open("<script>fetch('/data').then(() => fetch('/none'))</script>")
    lines = await stage.did("read_network")
    assert [line for line in lines if "favicon" not in line and " 303" not in line] == [
        "GET / document 200",
        "GET /data fetch 200",
        "GET /none fetch 404",
    ]
    assert await stage.did("read_network", contains="/none") == ["GET /none fetch 404"]


@row("browser", "read_network", "masks a secret in an address and in the console")
async def _(stage: Stage) -> None:
    secret = stage.run.bindings.render("{{secret.password}}", secrets=True)
    await stage.open("<p>x")
    await stage.page.evaluate(
        "secret => { console.log(secret); return fetch('/?key=' + encodeURIComponent(secret)) }", secret
    )
    told = str([*await stage.did("read_network"), *await stage.did("read_console")])
    assert secret not in told
    assert told.count("{{secret.password}}") == 2
