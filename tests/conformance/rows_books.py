"""Rows of the toolset ``books``, and of what reads a page's forms, links and buttons for the next action."""

from __future__ import annotations

from simulator.canonical import sha256
from tests.conformance.table import Stage, row

FORM = "<form method=post action=/up enctype=multipart/form-data><label>Cover <input type=file name=cover></label>"
SHELF = """
<ul><li><h2>Emma</h2><a href=/books/emma>Details</a> <button>Keep</button></li>
<li><h2>Lorna Doone</h2><a href=/books/lorna>Details</a> <button>Keep</button></li></ul>
<form><label>Title <input name=title></label>
<label>Genre <select name=genre><option>Crime<option>Other</select></label></form>
"""


@row("books", "fetch_book_covers", "gives title, author, address and source, and a variable for each cover")
async def _(stage: Stage) -> None:
    covers = await stage.did("fetch_book_covers", query="{{book.1.title}}", count=1)
    assert [set(one) for one in covers] == [{"title", "author", "cover_url", "source"}]
    assert covers[0]["title"] == "The Moonstone"
    assert stage.run.bindings.get("file.cover_1") == covers[0]["cover_url"]


@row("books", "fetch_book_covers", "count is 4 by default and 20 at most")
async def _(stage: Stage) -> None:
    assert len(await stage.did("fetch_book_covers", query="classic crime")) == 4
    assert (
        "count: expected less than or equal to 20, found 21"
        in (await stage.refused("fetch_book_covers", query="crime", count=21)).message
    )


@row("books", "upload_cover_image", "gives a cover to the page's file field, and leaves no file behind")
async def _(stage: Stage) -> None:
    stage.site.answers["/up"] = lambda fields: (200, "<h1>Thanks</h1>")
    await stage.open(FORM + "<button>Send</button></form>")
    await stage.did("fetch_book_covers", query="{{book.1.title}}", count=1)
    told = await stage.did("upload_cover_image", cover_url="{{file.cover_1}}")
    assert await stage.page.evaluate("document.querySelector('input').files[0].size") > 1000
    assert not list(stage.run.workdir.iterdir())
    assert len(told["sha256"]) == len(sha256(b""))


@row("books", "upload_cover_image", "selector tells several file fields apart")
async def _(stage: Stage) -> None:
    await stage.open(FORM + "<label>Back <input type=file name=back></label></form>")
    await stage.did("fetch_book_covers", query="Emma", count=1)
    failure = await stage.refused("upload_cover_image", cover_url="{{file.cover_1}}")
    assert failure.type == "ambiguous"
    await stage.did("upload_cover_image", cover_url="{{file.cover_1}}", selector="Back")
    sizes = "[...document.querySelectorAll('input')].map(one => one.files.length)"
    assert await stage.page.evaluate(sizes) == [0, 1]


@row("books", "upload_cover_image", "what is no cover is refused")
async def _(stage: Stage) -> None:
    await stage.open(FORM)
    for url in ("http://127.0.0.1:1/x.png", "file:///etc/passwd", "cover:" + "0" * 64):
        assert (await stage.refused("upload_cover_image", cover_url=url)).type in ("blocked", "not_found")
    assert await stage.page.evaluate("document.querySelector('input').files.length") == 0


@row("browser", "read_forms", "gives each field with its options and a ref to act by")
async def _(stage: Stage) -> None:
    await stage.open(SHELF)
    fields = {one["name"]: one for one in (await stage.did("read_forms"))["forms"][0]["fields"]}
    assert fields["genre"]["options"] == ["Crime", "Other"]
    await stage.did("fill", selector=f"ref={fields['title']['ref']}", value="Emma")
    assert await stage.page.input_value("[name=title]") == "Emma"


@row("browser", "read_links", "contains chooses links by name, address or card")
async def _(stage: Stage) -> None:
    stage.site.pages["/books/lorna"] = "<h1>Lorna Doone</h1>"
    await stage.open(SHELF)
    links = (await stage.did("read_links", contains="lorna"))["links"]
    assert [one["href"] for one in links] == ["/books/lorna"]
    assert len((await stage.did("read_links"))["links"]) == 2
    await stage.did("click", selector=f"ref={links[0]['ref']}")
    assert await stage.page.inner_text("h1") == "Lorna Doone"


@row("browser", "read_buttons", "contains chooses buttons by name or card")
async def _(stage: Stage) -> None:
    await stage.open(SHELF)
    assert [one["name"] for one in (await stage.did("read_buttons", contains="emma"))["buttons"]] == ["Keep"]
    assert len((await stage.did("read_buttons"))["buttons"]) == 2
