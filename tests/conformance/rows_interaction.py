"""Rows on acting on one element: by pointer, by keys, and on one field."""

from __future__ import annotations

from simulator.canonical import sha256
from simulator.tools.families.interaction import click
from tests.conformance.table import Stage, row

NOTES = """<ol id=notes></ol><script>
  const note = (text) => { const li = document.createElement("li"); li.textContent = text; notes.append(li); };
</script>"""
BUTTONS = (
    """<button onclick="note('saved')">Save</button>
<button class=ghost aria-label=Cancel onclick="note('cancelled')">x</button>"""
    + NOTES
)


async def _notes(stage: Stage) -> list[str]:
    return [str(text) for text in await stage.page.locator("#notes li").all_inner_texts()]


async def _clicks(stage: Stage, selector: str, noted: str) -> None:
    await stage.open(BUTTONS)
    told = await stage.did("click", selector=selector)
    assert told["page"]["url"] == "/"
    assert await _notes(stage) == [noted]


@row("browser", "click", "selector is visible text")
async def _(stage: Stage) -> None:
    await _clicks(stage, "Save", "saved")


@row("browser", "click", "selector is CSS")
async def _(stage: Stage) -> None:
    await _clicks(stage, "button.ghost", "cancelled")


@row("browser", "click", "selector is a role and a name")
async def _(stage: Stage) -> None:
    await _clicks(stage, 'role=button[name="Cancel"]', "cancelled")


@row("browser", "click", "selector is a ref of read_page")
async def _(stage: Stage) -> None:
    await stage.open(BUTTONS)
    tree = str(await stage.did("read_page"))
    line = next(line for line in tree.splitlines() if '"Save"' in line)
    ref = line.split("[ref=")[1].split("]")[0]
    await stage.did("click", selector=f"ref={ref}")
    assert await _notes(stage) == ["saved"]


@row("browser", "click", "timeout is 5000 ms, and can be given")
async def _(stage: Stage) -> None:
    assert click.schema["properties"]["timeout"]["default"] == 5000
    await stage.open(BUTTONS)
    failure = await stage.refused("click", selector="#never", timeout=50)
    assert failure.type == "not_found"
    await stage.did("click", selector="Save", timeout=2000)
    assert await _notes(stage) == ["saved"]


@row("browser", "click", "timeout is a number above 0 within the tool's own time-out")
async def _(stage: Stage) -> None:
    for timeout in (0, 60_001):
        failure = await stage.refused("click", selector="a", timeout=timeout)
        assert failure.type == "invalid_input"
        assert "timeout: " in failure.message


@row("browser", "click", "several that fit are an error that lists them")
async def _(stage: Stage) -> None:
    await stage.open("<button>Edit</button><button>Edit</button>")
    failure = await stage.refused("click", selector="Edit")
    assert failure.type == "ambiguous"
    assert "fits 2 elements: button 'Edit'" in failure.message


@row("browser", "click", "one that is covered is told with what covers it")
async def _(stage: Stage) -> None:
    await stage.open(BUTTONS + "<div style='position:fixed;inset:0'>Cookies</div>")
    failure = await stage.refused("click", selector="Save", timeout=1000)
    assert failure.type == "not_actionable"
    assert 'it is covered by div "Cookies"' in failure.message
    assert await _notes(stage) == []


@row("browser", "click", "one that is disabled is told so")
async def _(stage: Stage) -> None:
    await stage.open("<button disabled>Save</button>")
    failure = await stage.refused("click", selector="Save", timeout=1000)
    assert (failure.type, failure.message) == ("not_actionable", "could not click button 'Save': it is disabled")


@row("browser", "click", "one that is not visible is told so")
async def _(stage: Stage) -> None:
    await stage.open("<button id=save style='visibility:hidden'>Save</button>")
    failure = await stage.refused("click", selector="css=#save", timeout=1000)
    assert failure.type == "not_actionable"
    assert "it is not visible" in failure.message


@row("browser", "click", "aim says by which rule one of a collection was chosen")
async def _(stage: Stage) -> None:
    for path in ("/books/1", "/books/2"):
        stage.site.pages[path] = f"<h1>{path}</h1>"
    await stage.open("<ul><li><a href=/books/1>Emma</a></li><li><a href=/books/2>Persuasion</a></li></ul>")
    told = await stage.did("click", selector="Persuasion", aim={"rule": "a listing of another seller"})
    assert told["element"] == "link 'Persuasion'"
    assert stage.run.bindings.get("choice.1") == "Persuasion"


@row("browser", "double_click", "both clicks and the double click arrive")
async def _(stage: Stage) -> None:
    await stage.open("<button onclick=\"note('click')\" ondblclick=\"note('double')\">Rename</button>" + NOTES)
    await stage.did("double_click", selector="Rename")
    assert await _notes(stage) == ["click", "click", "double"]


@row("browser", "right_click", "the context menu is asked for, and no click is made")
async def _(stage: Stage) -> None:
    await stage.open("<button onclick=\"note('click')\" oncontextmenu=\"note('menu')\">Cover</button>" + NOTES)
    await stage.did("right_click", selector="Cover")
    assert await _notes(stage) == ["menu"]


@row("browser", "hover", "what shows only then is shown")
async def _(stage: Stage) -> None:
    style = "<style>#menu { display: none } button:hover + #menu { display: block }</style>"
    await stage.open(f"{style}<button>Account</button><p id=menu>Sign out</p>")
    await stage.did("hover", selector="Account")
    assert await stage.page.locator("#menu").is_visible()


@row("browser", "hover", "one that is covered is told with what covers it; so for the other pointer tools")
async def _(stage: Stage) -> None:
    await stage.open(BUTTONS + "<div style='position:fixed;inset:0'>Cookies</div>")
    for tool in ("hover", "double_click", "right_click"):
        failure = await stage.refused(tool, selector="Save", timeout=1000)
        assert failure.type == "not_actionable"
        assert 'it is covered by div "Cookies"' in failure.message
    assert await _notes(stage) == []


DRAG = (
    """<style>[role] { width: 90px; height: 60px; border: 1px solid; margin: 10px }</style>
<div role=listitem aria-label=Card draggable=true id=card>Card</div>
<div role=group aria-label=Done id=done>Done</div><div role=group aria-label=Bin id=bin>Bin</div>"""
    + NOTES
    + """
<script>
  card.ondragstart = (event) => event.dataTransfer.setData("text/plain", "card");
  for (const place of [done, bin]) {
    place.ondragover = (event) => event.preventDefault();
    place.ondrop = (event) => {
      event.preventDefault();
      note(`${event.dataTransfer.getData("text/plain")} on ${place.id}`);
    };
  }
</script>"""
)


@row("browser", "drag", "source is let go on target")
async def _(stage: Stage) -> None:
    await stage.open(DRAG)
    told = await stage.did("drag", source="#card", target="#done")
    assert told["element"] == "listitem 'Card'"
    assert await _notes(stage) == ["card on done"]


@row("browser", "drag", "a target that is not there, or is covered, keeps the source where it is")
async def _(stage: Stage) -> None:
    await stage.open(DRAG)
    assert (await stage.refused("drag", source="#card", target="#nowhere", timeout=200)).type == "not_found"
    await stage.page.evaluate("done.innerHTML = '<b style=\"position:absolute;inset:0;background:#fff\">over</b>'")
    await stage.page.evaluate("document.body.append(done.firstChild)")
    failure = await stage.refused("drag", source="#card", target="#done", timeout=1000)
    assert failure.type == "not_actionable"
    assert await _notes(stage) == []


FIELD = (
    """<label>Title <input id=title name=title value=Old></label><label>Price <input name=price></label>
<label>Secret <input type=password name=secret></label>"""
    + NOTES
    + """
<script>title.onkeydown = (event) => note(event.key)</script>"""
)


async def _value(stage: Stage, name: str) -> str:
    return await stage.page.input_value(f"[name={name}]")


@row("browser", "type", "clears a field and puts the text into it")
async def _(stage: Stage) -> None:
    await stage.open(FIELD)
    await stage.did("type", selector="Title", text="{{book.1.title}}")
    assert await _value(stage, "title") == "The Moonstone"
    assert await _notes(stage) == []


@row("browser", "fill", "clears a field and fills it")
async def _(stage: Stage) -> None:
    await stage.open(FIELD)
    await stage.did("fill", selector="#title", value="New")
    assert await _value(stage, "title") == "New"


@row("browser", "fill", "a field that cannot be edited is told so")
async def _(stage: Stage) -> None:
    await stage.open("<label>Title <input readonly value=Old></label><label>Price <input disabled></label>")
    assert "it is read-only" in (await stage.refused("fill", selector="Title", value="New")).message
    assert "it is disabled" in (await stage.refused("fill", selector="Price", value="1")).message


@row("browser", "type_text", "key by key, after what is there")
async def _(stage: Stage) -> None:
    await stage.open(FIELD)
    await stage.page.evaluate("title.setSelectionRange(3, 3)")
    await stage.did("type_text", selector="Price", text="4.50")
    assert await _value(stage, "price") == "4.50"
    await stage.open(FIELD)
    await stage.did("type_text", selector="Title", text="ab")
    assert await _notes(stage) == ["a", "b"]
    assert await _value(stage, "title") == "Oldab"


@row("browser", "type_text", "at the end of any field, and where the caret is in one that has the focus")
async def _(stage: Stage) -> None:
    await stage.open(
        """<label>Mail <input type=email name=mail value=ada@></label>
<label>Note <textarea name=note>One\ntwo</textarea></label>
<div contenteditable aria-label=Story><p>Once</p><p>upon</p></div>"""
    )
    await stage.did("type_text", selector="Mail", text="home")
    assert await _value(stage, "mail") == "ada@home"
    await stage.did("type_text", selector="Note", text=" three")
    assert await _value(stage, "note") == "One\ntwo three"
    await stage.did("press_key", selector="Note", key="ArrowLeft")
    await stage.did("type_text", selector="Note", text="?")
    assert await _value(stage, "note") == "One\ntwo thre?e"
    await stage.did("type_text", selector="Story", text=" a time")
    assert await stage.page.locator("[contenteditable]").inner_text() == "Once\n\nupon a time"


@row("browser", "press_key", "in the element that has the focus")
async def _(stage: Stage) -> None:
    await stage.open(FIELD)
    await stage.did("focus", selector="Title")
    await stage.did("press_key", key="ArrowDown")
    assert await _notes(stage) == ["ArrowDown"]


@row("browser", "press_key", "a chord in another element")
async def _(stage: Stage) -> None:
    await stage.open(FIELD)
    await stage.did("press_key", key="Control+a", selector="Title")
    assert await _notes(stage) == ["Control", "a"]


@row("browser", "press_keys", "one key as a text")
async def _(stage: Stage) -> None:
    stage.site.pages["/search"] = "<h1>Found</h1>"
    await stage.open("<form action=/search><label>Query <input name=q></label></form>")
    told = await stage.did("press_keys", selector="Query", keys="Enter")
    assert told["page"]["url"] == "/search?q="


@row("browser", "press_keys", "several: the first in the element, the others where the focus is by then")
async def _(stage: Stage) -> None:
    await stage.open(FIELD)
    await stage.did("press_keys", selector="Title", keys=["End", "Tab", "7"])
    assert await _value(stage, "price") == "7"
    assert await _notes(stage) == ["End", "Tab"]


@row("browser", "press_keys", "no key is refused")
async def _(stage: Stage) -> None:
    await stage.open(FIELD)
    failure = await stage.refused("press_keys", selector="Title", keys=[])
    assert (failure.type, "at least one" in failure.message) == ("invalid_input", True)


@row("browser", "press_key", "a key that there is not is told")
async def _(stage: Stage) -> None:
    await stage.open(FIELD)
    failure = await stage.refused("press_key", key="Entr", selector="Title")
    assert failure.type == "not_actionable"
    assert "Entr" in failure.message


@row("browser", "focus", "an element has the focus")
async def _(stage: Stage) -> None:
    await stage.open(FIELD + "<script>title.onfocus = () => note('focus')</script>")
    await stage.did("focus", selector="Title")
    assert await stage.page.evaluate("document.activeElement.id") == "title"
    assert await _notes(stage) == ["focus"]


LIST = """<label>Genre <select name=genre><option value=''>Choose</option><option value=p>Poetry</option>
<option value=c>Crime</option><option value=c2>Crime</option></select></label>"""


@row("browser", "select", "by value")
async def _(stage: Stage) -> None:
    await stage.open(LIST)
    await stage.did("select", selector="Genre", value="c2")
    assert await _value(stage, "genre") == "c2"


@row("browser", "select", "by label; select_option is an alias")
async def _(stage: Stage) -> None:
    await stage.open(LIST)
    await stage.did("select_option", selector="Genre", label="Poetry")
    assert await _value(stage, "genre") == "p"


@row("browser", "select", "by label, as a variable")
async def _(stage: Stage) -> None:
    await stage.open(LIST.replace("<option value=c2>Crime</option>", ""))
    await stage.did("select", selector="Genre", label="{{book.1.genre}}")
    assert await _value(stage, "genre") == "c"


@row("browser", "select", "by index, from 0")
async def _(stage: Stage) -> None:
    await stage.open(LIST)
    await stage.did("select", selector="Genre", index=3)
    assert await _value(stage, "genre") == "c2"


@row("browser", "select", "exactly one of the three")
async def _(stage: Stage) -> None:
    await stage.open(LIST)
    for given in ({}, {"value": "p", "index": 1}, {"value": "p", "label": "Poetry", "index": 1}):
        failure = await stage.refused("select", selector="Genre", **given)
        assert failure.type == "invalid_input"
        assert 'one of value, label or index. Example: {"label": "Poetry"}' in failure.message


@row("browser", "select", "an option that is not there, or not the only one, is told")
async def _(stage: Stage) -> None:
    await stage.open(LIST)
    assert "none at place 9" in (await stage.refused("select", selector="Genre", index=9)).message
    missing = await stage.refused("select", selector="Genre", label="Novel")
    assert (missing.type, "'Poetry', 'Crime'" in missing.message) == ("not_found", True)
    assert (await stage.refused("select", selector="Genre", label="Crime")).type == "ambiguous"


@row("browser", "check", "checked defaults to true, and can be false")
async def _(stage: Stage) -> None:
    await stage.open(
        "<label><input type=checkbox name=a> Terms</label><label><input type=checkbox name=b checked> News</label>"
    )
    await stage.did("check", selector="Terms")
    await stage.did("check", selector="News", checked=False)
    assert await stage.page.is_checked("[name=a]")
    assert not await stage.page.is_checked("[name=b]")


@row("browser", "check", "one that is disabled is told so; so for a list")
async def _(stage: Stage) -> None:
    await stage.open(
        LIST.replace("<select ", "<select disabled ") + "<label><input type=checkbox disabled> Terms</label>"
    )
    assert "it is disabled" in (await stage.refused("check", selector="Terms")).message
    assert "it is disabled" in (await stage.refused("select", selector="Genre", value="p")).message


@row("browser", "check", "a radio button is chosen")
async def _(stage: Stage) -> None:
    await stage.open(
        "<label><input type=radio name=c value=1> Good</label><label><input type=radio name=c value=2> Fair</label>"
    )
    await stage.did("check", selector="Fair")
    assert await stage.page.is_checked("[value='2']")


UPLOAD = """<form method=post action=/send enctype=multipart/form-data>
<label>Photo <input type=file name=photo></label><button>Send</button></form>"""


@row("browser", "upload_file", "a file of the run's folder, sent as its bytes")
async def _(stage: Stage) -> None:
    data = b"\x89PNG\r\n\x1a\nbytes"
    (stage.run.workdir / "cover.png").write_bytes(data)
    stage.site.pages["/thanks"] = "<h1>Thanks</h1>"
    stage.site.answers["/send"] = lambda fields: "/thanks"
    await stage.open(UPLOAD)
    told = await stage.did("upload_file", selector="Photo", name="cover.png")
    assert (told["sha256"], told["media_type"], told["bytes"]) == (sha256(data), "image/png", len(data))
    (stage.run.workdir / "cover.png").unlink()
    await stage.did("click", selector="Send")
    assert stage.site.posts == [("/send", {"photo": sha256(data)})]


@row("browser", "upload_file", "a field that is hidden under its button")
async def _(stage: Stage) -> None:
    (stage.run.workdir / "a.txt").write_text("a")
    await stage.open("<form><label style='border:1px solid'>Photo <input type=file hidden name=photo></label></form>")
    await stage.did("upload_file", selector="[name=photo]", name="a.txt")
    assert await stage.page.evaluate("document.querySelector('input').files[0].name") == "a.txt"


@row("browser", "upload_file", "no path leaves the folder")
async def _(stage: Stage) -> None:
    await stage.open(UPLOAD)
    (stage.run.workdir / "link").symlink_to("/etc")
    for name in ("../secret", "/etc/passwd", "link/passwd", ".", ""):
        failure = await stage.refused("upload_file", selector="Photo", name=name)
        assert (failure.type, "run's folder" in failure.message) == ("not_allowed", True), name


@row("browser", "upload_file", "what no file can be called is told")
async def _(stage: Stage) -> None:
    await stage.open(UPLOAD)
    for name in ("a\0b", "a" * 5000, "\ud800"):
        assert (await stage.refused("upload_file", selector="Photo", name=name)).type == "invalid_input"


@row("browser", "upload_file", "a file that is not there is told with those that are")
async def _(stage: Stage) -> None:
    (stage.run.workdir / "cover.png").write_bytes(b"png")
    await stage.open(UPLOAD)
    failure = await stage.refused("upload_file", selector="Photo", name="cover.jpg")
    assert (failure.type, failure.message.endswith("there are: cover.png")) == ("not_found", True)


ASKING = (
    """<button onclick="note(confirm('Really?'))">Delete</button>
<button onclick="note(String(prompt('Where?', 'here')))">Move</button><a href=/left>Leave</a>"""
    + NOTES
)
STAYING = "<script>addEventListener('beforeunload', (event) => event.preventDefault());</script>"


@row("browser", "answer_dialog", "accept is the default, as without it")
async def _(stage: Stage) -> None:
    await stage.open(ASKING)
    assert await stage.did("answer_dialog") == {"accept": True, "text": None}
    await stage.did("click", selector="Delete")
    await stage.did("click", selector="Delete")
    assert await _notes(stage) == ["true", "true"]


@row("browser", "answer_dialog", "accept false denies, and only those of the next action")
async def _(stage: Stage) -> None:
    await stage.open(ASKING)
    for selector in ("Delete", "Move"):
        await stage.did("answer_dialog", accept=False)
        await stage.did("click", selector=selector)
    await stage.did("click", selector="Delete")
    assert await _notes(stage) == ["false", "null", "true"]


@row("browser", "answer_dialog", "accept false stays on a page that asks")
async def _(stage: Stage) -> None:
    await stage.open(ASKING + STAYING)
    await stage.did("answer_dialog", accept=False)
    told = await stage.did("click", selector="Leave")
    assert told["page"]["url"] == "/"
    await stage.did("click", selector="Delete")
    assert await _notes(stage) == ["true"]


@row("browser", "answer_dialog", "text is what a prompt is answered with")
async def _(stage: Stage) -> None:
    await stage.open(ASKING)
    await stage.did("answer_dialog", text="{{identity.city}}")
    await stage.did("click", selector="Move")
    await stage.did("click", selector="Move")
    assert await _notes(stage) == ["Leeds", "here"]


@row("browser", "answer_dialog", "text without accept is refused")
async def _(stage: Stage) -> None:
    await stage.open(ASKING)
    failure = await stage.refused("answer_dialog", accept=False, text="Leeds")
    assert failure.type == "invalid_input"
