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

pytestmark = pytest.mark.asyncio(loop_scope="module")
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


async def _answers(stage: Stage) -> None:
    await stage.did("answer_dialog", text="to {{identity.city}}")
    await stage.did("click", selector="Move")


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
DROP = """<div>{} <input type=file hidden onchange="tell('{}')"></div>"""
PHOTO, CONTRACT = DROP.format("Photo", "photo"), DROP.format("Contract", "contract")
ROUTES = """<nav>{}</nav><main></main><script>
  const pages = {{ "#/books": "<button onclick=\\"tell('bought')\\">Buy</button>", "#/help": "<h1>Help</h1>" }};
  onhashchange = () => {{ document.querySelector("main").innerHTML = pages[location.hash] || ""; }};
</script>"""
BOOKS, HELP = "<a href=#/books>Books</a>", "<a href=#/help>Help</a>"
FILE = "<a href=/list download>List</a><button onclick=\"tell('saved')\">Save</button>"
SAVE = "<button onclick=\"tell('saved')\">Save</button>"
ASKING = """<button onclick="tell(confirm('Delete it?'))">Delete</button>
<button onclick="tell(prompt('Where?'))">Move</button>"""
DECOY = "<button onclick=\"tell('decoy')\"{}>Save</button>"
HIDDEN_ONES = (
    f"<div hidden>{DECOY}</div><dialog>{DECOY}</dialog><template>{DECOY}</template>"
    f"<div role=tabpanel style='display:none'>{DECOY}</div><details><summary>More</summary>{DECOY}</details>"
)

CASES = {
    "caption": Case(
        PRICE + TITLE + SEND,
        fills("[data-k=price]"),
        f"<main>{TITLE}<section>{PRICE.replace('data-k', 'id=p7 data-k')}</section>{SEND}</main>",
        PRICE.replace("Price", "Weight") + TITLE + SEND,
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
        "target_ambiguous",
    ),
    "editor": Case(
        MESSAGE + NOTE + SEND, fills("[data-k=Message]"), NOTE + MESSAGE + SEND, NOTE + SEND, "target_missing"
    ),
    "file field under a button": Case(PHOTO, _uploads, CONTRACT + PHOTO, CONTRACT, "target_missing"),
    "hash routes": Case(
        ROUTES.format(HELP + BOOKS),
        clicks("Books", "Buy"),
        ROUTES.format(BOOKS + HELP),
        ROUTES.format(HELP + BOOKS.replace("#/books", "#/help")),
        "postcondition",
    ),
    "download": Case(FILE, clicks("List", "Save"), f"<main>{FILE}</main>", SAVE, "target_missing"),
    "a question that is denied": Case(
        ASKING, _denies, f"<main>{ASKING}</main>", ASKING.replace("tell(confirm('Delete it?'))", "0"), "postcondition"
    ),
    "a prompt": Case(ASKING, _answers, f"<main>{ASKING}</main>", ASKING.replace("Move", "Remove"), "target_missing"),
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
