"""What pages are made of besides labelled fields and named buttons: recorded, replayed on a changed copy, and stopped
on what is another page by now.

What was done reaches the site: every page posts it. A changed copy has other ids, another order, decoys before the real
thing; the post has to be the recorded one. Of the wrong copy nothing may come.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

import pytest

from simulator.replay.drift import Drift, Verdict
from simulator.tools.toolsets import registry_of
from tests.conformance.recorded import Theatre
from tests.conformance.table import Stage
from tests.small_run import SmallSite

pytestmark = pytest.mark.asyncio(loop_scope="session")
TELL = """<script>
  const tell = (what) => fetch("/did", { method: "POST", body: new URLSearchParams({ what }) });
  const fields = () => [...document.querySelectorAll("[data-k]")];
  const tellAll = () => tell(fields().map((at) => `${at.dataset.k}=${at.value}`).sort());
</script>"""


@dataclass(frozen=True)
class Case:
    """A page, what is done on it, the same page changed, and the same page no more."""

    body: str
    act: Callable[[Stage], Awaitable[None]]
    changed: str
    wrong: str
    verdict: Verdict


def fills(selector: str, button: str = "Send") -> Callable[[Stage], Awaitable[None]]:
    async def act(stage: Stage) -> None:
        await stage.did("fill", selector=selector, value="4.50")
        await stage.did("click", selector=button)

    return act


def clicks(*selectors: str) -> Callable[[Stage], Awaitable[None]]:
    async def act(stage: Stage) -> None:
        for selector in selectors:
            await stage.did("click", selector=selector)

    return act


async def _uploads(stage: Stage) -> None:
    (stage.run.workdir / "a.png").write_bytes(b"png")
    await stage.did("upload_file", selector="input", name="a.png")


async def _denies(stage: Stage) -> None:
    await stage.did("answer_dialog", accept=False)
    await stage.did("click", selector="Delete")


async def _ticks(stage: Stage) -> None:
    await stage.did("check", selector="New")


async def _presses(stage: Stage) -> None:
    await stage.did("press_key", selector='role=slider[name="Grade"]', key="ArrowRight")


async def _slides(stage: Stage) -> None:
    await stage.did("press_key", selector="[type=range]", key="ArrowRight")
    await stage.did("click", selector="Send")


async def _answers(stage: Stage) -> None:
    await stage.did("answer_dialog", text="to {{identity.city}}")
    await stage.did("click", selector="Move")


def _stars(most: int) -> str:
    star = "<li><div role=radio aria-posinset={} aria-setsize={}>star</div></li>"
    return "".join(star.format(place, most) for place in range(1, most + 1))


SEND = "<button onclick=tellAll()>Send</button>"
PRICE, TITLE = "<div>Price</div><div><input data-k=price></div>", "<div>Title</div><div><input data-k=title></div>"
NAMED = "<p>Price <input name=price data-k=price></p><p>Title <input name=title data-k=title></p>"
KEEP, DROP_IT = "<div class=a onclick=\"tell('save')\">{}</div>", "<div class=b onclick=\"tell('drop')\">Drop</div>"
ROW = """<div class=row><b>{0}</b> <span onclick="tell('{0}')">Remove</span></div>"""
EMMA, IVANHOE, WAVERLEY = map(ROW.format, ("Emma", "Ivanhoe", "Waverley"))
WIDGET = """<select hidden><option>Red<option>Blue</select>
<div id=w1 onclick="list.hidden = false">Choose a colour</div>
<ul id=list hidden onclick="tell(event.target.textContent)">{}</ul>"""
RED, BLUE, GREEN = "<li>Red</li>", "<li>Blue</li>", "<li>Green</li>"
COMBO = """<div role=combobox aria-label=Size tabindex=0 aria-expanded=false onclick="sizes.hidden = false">Any</div>
<div role=listbox id=sizes hidden onclick="tell(event.target.textContent)">{}</div>"""
SMALL, LARGE = "<div role=option>Small</div>", "<div role=option>Large</div>"
DAYS = """<section><h3>{0}</h3><table><tr><td onclick="tell('{0}')">1</td><td>2</td></tr></table></section>"""
MAY, JUNE, JULY = map(DAYS.format, ("May", "June", "July"))
EDITOR = """<div>{0}</div>
<div contenteditable style='height:40px' oninput='this.value = this.innerText' data-k={0}></div>"""
MESSAGE, NOTE = map(EDITOR.format, ("Message", "Note"))
FAR = """<div><div><b>{0}</b></div>
<div><p><button>Tool</button></p><div><div><div><div><input type={1} data-k={0}></div></div></div></div></div></div>"""
FAR_PRICE, FAR_TITLE, FAR_GRADE = FAR.format("Price", "text"), FAR.format("Title", "text"), FAR.format("Grade", "range")
DROP = """<div>{} <input type=file hidden onchange="tell('{}')"></div>"""
PHOTO, CONTRACT = DROP.format("Photo", "photo"), DROP.format("Contract", "contract")
BARE = "<div contenteditable role=textbox style='height:40px' oninput='this.value = this.innerText' data-k={0}></div>"
SOLE = "<div><button>contains</button><select hidden></select><input data-k={}></div>"
RATING = "<ul role=radiogroup onclick='tell(event.target.ariaPosInSet)'>{}</ul>"
ROUTES = """<nav>{}</nav><main></main><script>
  const pages = {{ "#/books": "<button onclick=\\"tell('bought')\\">Buy</button>", "#/help": "<h1>Help</h1>" }};
  onhashchange = () => {{ document.querySelector("main").innerHTML = pages[location.hash] || ""; }};
</script>"""
BOOKS, HELP = "<a href=#/books>Books</a>", "<a href=#/help>Help</a>"
FILE = "<a href=/list download>List</a><button onclick=\"tell('saved')\">Save</button>"
CHECKED = """<input data-k=name aria-label=Name><button>{}</button><script>
  let timer = 0, next;
  const checkFirst = (then) => {{
    next = then;
    timer ||= setTimeout(() => {{ timer = 0; fetch("/list").then(() => next()); }}, 300);
  }};
  document.querySelector("input").oninput = () => checkFirst(() => {{}});
  document.querySelector("button").onclick = () => checkFirst(tellAll);
</script>"""
SAVE = "<button onclick=\"tell('saved')\">Save</button>"
PUT_OFF = SAVE.replace("tell('saved')", "setTimeout(() => setTimeout(() => tell('saved'), 100), 0)")
TAKEN_BACK = """<button onclick="const early = new AbortController(), late = new XMLHttpRequest();
fetch('/list', {{ signal: early.signal }}).catch(() => {{}}); early.abort();
late.open('GET', '/list'); late.send(); late.{}; {}">Save</button>"""
ASKING = """<button onclick="tell(confirm('Delete it?'))">Delete</button>
<button onclick="tell(prompt('Where?'))">Move</button>"""
DECOY = "<button onclick=\"tell('decoy')\"{}>Save</button>"
HIDDEN_ONES = (
    f"<div hidden>{DECOY}</div><dialog>{DECOY}</dialog><template>{DECOY}</template>"
    f"<div role=tabpanel style='display:none'>{DECOY}</div><details><summary>More</summary>{DECOY}</details>"
)
SHAPE = """<button onclick="tell('{0}')"><svg width=20 height=20 {2}><path d='{1}'/></svg></button>"""
LENS, BIN = (SHAPE.format(what, drawn, "{}") for what, drawn in (("sought", "M2 2h9v9z"), ("binned", "M4 1h3v8z")))
LINE = """<div class=row><b>{0}</b>
<button onclick="tell('{0}')"><svg width=20 height=20><use href='/{1}.svg#bin'/></svg></button></div>"""
CART = """<a href='/#{0}' onclick="tell('cart')"><img src=/cart.svg width=20 height=20></a>"""
HOME = "<a href='/#home' onclick=\"tell('home')\"><img src=/home.svg width=20 height=20></a>"
STYLED = """<style>button {{ width: 20px; height: 20px }}
.a {{ background: url(/{0}.svg) }} .b {{ background: url(/home.svg) }}
button:hover {{ background: url(/hover.svg) }} .c i::before {{ content: "\\{1}" / ""; display: block }}</style>"""
PAINTED = "<button class=a onclick=\"tell('painted')\"></button><button class=b onclick=\"tell('home')\"></button>"
SHEET = """<style>button, img {{ width: 20px; height: 20px; background: url(/sheet.png) }}</style>
<button style="background-position: {0}px 0" onclick="tell('{0}')"></button>"""
SPACER = SHEET.replace("</button>", "<img src=/spacer.gif style='background-position: {0}px 0'></button>")
HEART = """<button onclick="tell('kept')"><svg width=20 height=20 fill={}><path d="M2 2h9v9z"/></svg></button>"""
OPENS = "<button aria-haspopup=menu style='height: 20px' onclick=\"tell('opened')\"></button>"
TILE = """<a href='/#{0}' onclick="tell('{0}')"><h3>{0}</h3><p>by {1}</p><p>{2}, <b>7 votes</b></p>
<time>{3}</time></a>"""
IVANHOE_NOW = TILE.format("Ivanhoe", "Ben", "0 / 1", "at noon")
MENUS = """<div class=row><b>{0}</b>
<button aria-expanded=false style="height:20px" onclick="tell('{0}')"></button></div>"""
TICK = "<label><input type=checkbox onchange=\"tell('{0}')\"> {0}</label>"
CHOSEN = """<div role=listbox><label role=option onclick="if (event.target !== this.control) tell('{0}')">
<input type=radio readonly style="pointer-events:none"> <span>{0}</span></label></div>"""
TUCKED = """<label><span style="position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)">
<input type=checkbox onchange="tell('{0}')"></span><i>&#x2610;</i> <b>{0}</b></label>"""
DRAWN = """<div style="position:relative"><input type=checkbox id={0} onchange="tell('{0}')" style="opacity:0">
<i style="position:absolute;inset:0 auto 0 0;width:30px"></i> <label for={0} style="margin-left:40px">{0}</label>
</div>"""
THUMB = """<p><input aria-label={0} readonly><i role=slider aria-label={0} tabindex=0 onkeydown="tell('{0}')"
style="position:absolute;width:0;height:0"><b style="position:absolute;width:9px;height:9px"></b></i></p>"""
BLOCK = """<div class=card><div><div>{0}</div></div><div>{1}</div></div>"""
TAKE_OUT = "<div><button onclick=\"tell('{}')\">Remove</button></div>"
BLOCKS = [BLOCK.format(one, TAKE_OUT.format(one)) for one in ("Emma", "Ivanhoe", "Waverley")]
STARS = """<style>.star::before {{ content: "\\2606"; display: block }}</style>
<p onclick="tell(event.target.dataset.value)">{}</p>"""
FIVE, SIX = (
    STARS.format("".join(f"<i class=star data-value={at}></i>" for at in several)) for several in ("12345", "12356")
)
SIGNED = "<button class=c onclick=\"tell('signed')\"><i></i></button>"

CASES = {
    "one of a scale": Case(FIVE, clicks("[data-value='4']"), "<p>Rate it</p>" + FIVE, SIX, "target_missing"),
    "a link that is a card": Case(
        TILE.format("Emma", "Ann", "2 / 2", "today") + IVANHOE_NOW,
        clicks("css=a:first-of-type"),
        f"<main>{IVANHOE_NOW}{TILE.format('Emma', 'Ann', '31 / 2', 'yesterday').replace('7', '12')}</main>",
        TILE.format("Emma", "Eve", "2 / 2", "today") + IVANHOE_NOW,
        "target_missing",
    ),
    "caption": Case(
        PRICE + TITLE + SEND,
        fills("[data-k=price]"),
        f"<main>{TITLE}<section>{PRICE.replace('data-k', 'id=p7 data-k')}</section>{SEND}</main>",
        PRICE.replace("Price", "Weight") + TITLE + SEND,
        "target_missing",
    ),
    "caption of a block": Case(
        FAR_PRICE + FAR_TITLE + SEND,
        fills("[data-k=Price]"),
        f"<main>{FAR_TITLE}{FAR_PRICE}{SEND}</main>",
        FAR_TITLE + FAR_PRICE.replace("<b>Price", "<b>Weight") + SEND,
        "target_missing",
    ),
    "caption of a slider": Case(
        FAR_TITLE + FAR_GRADE + SEND,
        _slides,
        f"<main>{FAR_GRADE}{FAR_TITLE}{SEND}</main>",
        FAR_TITLE + FAR_GRADE.replace("<b>Grade", "<b>Weight") + SEND,
        "target_missing",
    ),
    "caption of two": Case(
        PRICE + TITLE + SEND, fills("[data-k=price]"), TITLE + PRICE + SEND, PRICE + PRICE + SEND, "target_ambiguous"
    ),
    "caption that moved": Case(
        NAMED + SEND,
        fills("[name=price]"),
        NAMED.replace("Title", "Name") + SEND,
        NAMED.replace("Price", "?").replace("Title", "Price").replace("?", "Title") + SEND,
        "target_contradicted",
    ),
    "text": Case(
        KEEP.format("Save") + DROP_IT,
        clicks("Save"),
        f"{DROP_IT}<main>{KEEP.format('<b>Save</b>')}</main>".replace("class=", "class=x"),
        KEEP.format("Save") + DROP_IT.replace("Drop", "Save"),
        "target_ambiguous",
    ),
    "a drawing": Case(
        LENS.format("") + BIN.format(""),
        clicks("css=button:first-of-type"),
        f"<main>{BIN.format('class=i')}{LENS.format('fill=red class=i')}</main>",
        BIN.format(""),
        "target_missing",
    ),
    "a drawing that stands there twice": Case(
        LENS.format("") + BIN.format(""),
        clicks("css=button:first-of-type"),
        f"<p>Books</p>{LENS.format('')}{BIN.format('')}",
        LENS.format("") + BIN.format("") + LENS.format(""),
        "target_ambiguous",
    ),
    "a symbol in a card": Case(
        LINE.format("Emma", "icons") + LINE.format("Ivanhoe", "icons"),
        clicks("css=.row:nth-of-type(2) button"),
        LINE.format("Waverley", "i2") + LINE.format("Ivanhoe", "i2") + LINE.format("Emma", "i2"),
        LINE.format("Waverley", "icons") + LINE.format("Emma", "icons"),
        "target_missing",
    ),
    "a small image": Case(
        HOME + CART.format("cart"),
        clicks("css=a:nth-of-type(2)"),
        f"<main>{CART.format('cart')}{HOME}</main>",
        HOME + CART.format("pay"),
        "target_contradicted",
    ),
    "a picture that the style gives": Case(
        STYLED.format("bin", "f002") + PAINTED,
        clicks("css=.a"),
        STYLED.format("bin", "f003") + f"<main>{PAINTED}</main>",
        STYLED.format("pay", "f002") + PAINTED,
        "target_missing",
    ),
    "a part of a sheet of pictures": Case(
        SHEET.format(-20) + SHEET.format(-40),
        clicks("css=button:first-of-type"),
        SHEET.format(-60) + SHEET.format(-20),
        SHEET.format(-40),
        "target_missing",
    ),
    "a part of a sheet behind an image": Case(
        SPACER.format(-20) + SPACER.format(-40),
        clicks("css=button:first-of-type"),
        SPACER.format(-60) + SPACER.format(-20),
        SPACER.format(-40),
        "target_missing",
    ),
    "a drawing that is not filled yet": Case(
        HEART.format("none"),
        clicks("css=button"),
        f"<main>{HEART.format('none class=i')}{LENS.format('')}</main>",
        HEART.format("red"),
        "target_missing",
    ),
    "what opens something and looks like nothing": Case(
        f"<main><h2>Account</h2>{OPENS}<h2>Books</h2><p>Emma</p></main>",
        clicks("css=button"),
        f"<main><h2>Books</h2><p>Ivanhoe</p><h2>Account</h2><div class=x>{OPENS}</div></main>",
        f"<main><h2>Account</h2><p>Emma</p><h2>Books</h2>{OPENS}</main>",
        "target_contradicted",
    ),
    "a sign that does not count as text": Case(
        STYLED.format("bin", "f002") + SIGNED + PAINTED,
        clicks("css=.c"),
        STYLED.format("bin", "f002") + PAINTED + SIGNED,
        STYLED.format("bin", "f003") + SIGNED + PAINTED,
        "target_missing",
    ),
    "what opens something in a card": Case(
        MENUS.format("Emma") + MENUS.format("Ivanhoe"),
        clicks("css=.row:nth-of-type(2) button"),
        f"<main>{MENUS.format('Waverley')}{MENUS.format('Ivanhoe')}{MENUS.format('Emma')}</main>",
        MENUS.format("Emma") + MENUS.format("Ivanhoe").replace("aria-expanded=false", ""),
        "target_missing",
    ),
    "a box in its label": Case(
        TICK.format("Used") + TICK.format("New"),
        clicks("New"),
        f"<main>{TICK.format('New')}{TICK.format('Used')}</main>",
        TICK.format("Used") + TICK.format("Sold"),
        "target_missing",
    ),
    "a label that is an option": Case(
        CHOSEN.format("Crime") + CHOSEN.format("Poetry"),
        clicks("Poetry"),
        f"<main>{CHOSEN.format('Poetry')}{CHOSEN.format('Crime')}</main>",
        CHOSEN.format("Crime") + CHOSEN.format("Travel"),
        "target_missing",
    ),
    "a box that is tucked away in its label": Case(
        TUCKED.format("Used") + TUCKED.format("New"),
        clicks("New"),
        f"<main>{TUCKED.format('New')}{TUCKED.format('Used')}</main>",
        TUCKED.format("Used") + TUCKED.format("Sold"),
        "target_missing",
    ),
    "a box that is drawn over": Case(
        DRAWN.format("Used") + DRAWN.format("New"),
        _ticks,
        f"<main>{DRAWN.format('New')}{DRAWN.format('Used')}</main>",
        DRAWN.format("Used") + DRAWN.format("Sold"),
        "target_missing",
    ),
    "a box that is drawn over and clicked": Case(
        DRAWN.format("Used") + DRAWN.format("New"), clicks("New"), DRAWN.format("New"), SAVE, "target_missing"
    ),
    "a thumb that takes no room": Case(
        THUMB.format("Grade") + THUMB.format("Price"),
        _presses,
        f"<main>{THUMB.format('Price')}{THUMB.format('Grade')}</main>",
        THUMB.format("Price"),
        "target_missing",
    ),
    "a card with its title in a part of its own": Case(
        "".join(BLOCKS),
        clicks("div.card:nth-child(3) button"),
        f"<main>{BLOCKS[2]}{BLOCKS[0]}{BLOCKS[1]}</main>",
        f"<main><div>{BLOCK.format('Ivanhoe', '')}{BLOCKS[2]}</div><div>{BLOCKS[0]}</div></main>",
        "target_missing",
    ),
    "text in a card": Case(
        EMMA + IVANHOE,
        clicks(".row:nth-of-type(2) span"),
        f"<main>{WAVERLEY}{IVANHOE}{EMMA}</main>".replace("row", "line"),
        EMMA + WAVERLEY,
        "target_missing",
    ),
    "select under a widget": Case(
        WIDGET.format(RED + BLUE),
        clicks("Choose a colour", "Blue"),
        WIDGET.replace("w1", "w2").format(GREEN + BLUE + RED),
        WIDGET.format(RED + GREEN),
        "target_missing",
    ),
    "combobox": Case(
        COMBO.format(SMALL + LARGE),
        clicks("role=combobox[name='Size']", "Large"),
        COMBO.replace("Any", "None").format(LARGE + SMALL),
        COMBO.format(SMALL),
        "target_missing",
    ),
    "date picker": Case(
        MAY + JUNE,
        clicks("section:nth-of-type(2) td:nth-of-type(1)"),
        f"<main>{JULY}{JUNE}{MAY}</main>",
        MAY + JULY,
        "target_contradicted",
    ),
    "editor": Case(
        MESSAGE + NOTE + SEND, fills("[data-k=Message]"), NOTE + MESSAGE + SEND, NOTE + SEND, "target_missing"
    ),
    "an editor that is the only one": Case(
        NAMED + BARE.format("body") + SEND,
        fills("[data-k=body]"),
        f"<main>{BARE.format('body')}{NAMED}{SEND}</main>",
        NAMED + BARE.format("body") + BARE.format("aside") + SEND,
        "target_ambiguous",
    ),
    "a field that is the only one without a name": Case(
        NAMED + SOLE.format("word") + SEND,
        fills("[data-k=word]"),
        f"<main>{SOLE.format('word')}{NAMED}{SEND}</main>",
        NAMED + SOLE.format("word") + SOLE.format("other") + SEND,
        "target_ambiguous",
    ),
    "a star of a rating": Case(
        RATING.format(_stars(5)),
        clicks("css=[aria-posinset='4']"),
        f"<main>{RATING.format(_stars(5))}</main>".replace("<li", "<li class=x"),
        RATING.format(_stars(10)),
        "target_contradicted",
    ),
    "file field under a button": Case(PHOTO, _uploads, CONTRACT + PHOTO, CONTRACT, "target_missing"),
    "hash routes": Case(
        ROUTES.format(HELP + BOOKS),
        clicks("Books", "Buy"),
        ROUTES.format(BOOKS + HELP),
        ROUTES.format(HELP + BOOKS.replace("#/books", "#/help")),
        "postcondition",
    ),
    "a request that is put off": Case(SAVE, clicks("Save"), PUT_OFF, "<button>Save</button>", "postcondition"),
    "a request that is taken back": Case(
        SAVE,
        clicks("Save"),
        TAKEN_BACK.format("abort()", "tell('saved')"),
        TAKEN_BACK.format("timeout = 0", "fetch('http://127.0.0.1:1/', { method: 'POST' })"),
        "site_error",
    ),
    "download": Case(FILE, clicks("List", "Save"), f"<main>{FILE}</main>", SAVE, "target_missing"),
    "a question that is denied": Case(
        ASKING, _denies, f"<main>{ASKING}</main>", ASKING.replace("tell(confirm('Delete it?'))", "0"), "postcondition"
    ),
    "a prompt": Case(ASKING, _answers, f"<main>{ASKING}</main>", ASKING.replace("Move", "Remove"), "target_missing"),
    "a check that is put off": Case(
        CHECKED.format("Create"),
        fills("[data-k=name]", "Create"),
        f"<main>{CHECKED.format('Create')}</main>",
        CHECKED.format("Delete"),
        "target_missing",
    ),
    "twins that nobody sees": Case(
        SAVE, clicks("Save"), HIDDEN_ONES.replace("{}", "") + SAVE, HIDDEN_ONES.replace("{}", ""), "target_missing"
    ),
    "a disabled twin": Case(
        SAVE, clicks("Save"), f"<main>{SAVE}</main>", DECOY.format(" disabled") + SAVE, "target_ambiguous"
    ),
    "a covered one": Case(
        SAVE,
        clicks("Save"),
        f"<main>{SAVE}</main>",
        SAVE + "<div style='position:fixed;inset:0' onclick=\"tell('cover')\"></div>",
        "target_missing",
    ),
}


@pytest.mark.breadth(3, table=20)
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
async def test_a_changed_page_is_acted_on_and_a_wrong_one_is_not(
    theatre: Theatre, small_site: SmallSite, case: Case
) -> None:
    small_site.answers["/did"] = lambda fields: (200, "")
    small_site.pages["/list"] = "Emma"
    async with theatre.stage(registry_of(["browser"]), {}) as stage:
        await stage.open(TELL + case.body)
        await case.act(stage)
    done = list(small_site.posts)
    assert len(done) == 1
    assert "decoy" not in done[0][1].values()

    await replayed(theatre, stage, case.changed)
    assert small_site.posts == done

    with pytest.raises(Drift) as drift:
        await replayed(theatre, stage, case.wrong)
    assert drift.value.report.verdict == case.verdict, drift.value.report
    assert small_site.posts == []


async def replayed(theatre: Theatre, stage: Stage, body: str) -> None:
    """Replay what was recorded, on another page."""
    stage.opened[0] = replace(stage.opened[0], body=TELL + body)
    await theatre.replay(stage)


@pytest.mark.parametrize(
    ("body", "call"),
    [
        ("<canvas onclick=\"tell('drawn')\" width=200 height=100></canvas>", ("click", {"selector": "canvas"})),
        (
            "<x-pay id=host></x-pay><script>host.attachShadow({mode: 'closed'}).innerHTML = "
            "'<button onclick=\"tell(`paid`)\">Pay</button>'</script>",
            ("click", {"selector": "css=x-pay"}),
        ),
        ("<h1>Keys</h1><script>onkeydown = (event) => tell(event.key);</script>", ("press_key", {"key": "n"})),
    ],
    ids=["canvas", "closed shadow root", "body"],
)
async def test_what_nothing_can_prove_is_not_acted_on(
    theatre: Theatre, small_site: SmallSite, body: str, call: tuple[str, dict[str, str]]
) -> None:
    small_site.answers["/did"] = lambda fields: (200, "")
    async with theatre.stage(registry_of(["browser"]), {}) as stage:
        await stage.open(TELL + body)
        await stage.did(call[0], **call[1])
    assert len(small_site.posts) == 1
    with pytest.raises(Drift) as drift:
        await theatre.replay(stage)
    assert drift.value.report.verdict == "target_ambiguous"
    assert "cannot be told from another" in drift.value.report.found
    assert small_site.posts == []


NAME = "<form method=post action=/name><label>Name <input name=user{}></label><button>Next</button></form>"
WORD = (
    "<form method=post action=/word><label>Password <input name=word type=password></label><button>In</button></form>"
)


async def test_a_login_in_two_steps(theatre: Theatre, small_site: SmallSite) -> None:
    small_site.answers |= {"/name": lambda fields: "/word", "/word": lambda fields: "/in"}
    small_site.pages |= {"/word": WORD, "/in": "<h1>Welcome</h1>"}
    async with theatre.stage(registry_of(["browser"]), {}) as stage:
        await stage.open(NAME.format(""))
        await stage.did("fill", selector="Name", value="{{identity.username}}")
        await stage.did("click", selector="Next")
        await stage.did("secure_fill", selector="Password", secret="password")
        await stage.did("click", selector="role=button[name='In']")
    done = list(small_site.posts)
    assert [path for path, _ in done] == ["/name", "/word"]
    assert set(done[1][1]) == {"word"}

    small_site.pages["/word"] = f"<h1>Welcome back</h1><main>{WORD.replace('<input', '<input id=w')}</main>"
    await replayed(theatre, stage, f"<section>{NAME.format(' id=u')}</section>")
    assert small_site.posts == done

    small_site.pages["/word"] = WORD.replace("type=password", "type=text")
    with pytest.raises(Drift) as drift:
        await replayed(theatre, stage, NAME.format(""))
    assert drift.value.report.verdict in ("target_missing", "target_contradicted")
    assert [path for path, _ in small_site.posts] == ["/name"], "no password went into a field that shows it"
