"""Rows on moving between pages, on a page, and between tabs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.conformance.table import Stage, row

TALL = "<div style='height:4000px'>Top</div><p id=end data-testid=end>The end</p><div style='height:3000px'></div>"


def _two_pages(stage: Stage) -> None:
    stage.site.pages["/a"] = "<h1>Page A</h1><a href=/b>To B</a>"
    stage.site.pages["/b"] = "<h1>Page B</h1>"


async def _scrolled(stage: Stage) -> int:
    return int(await stage.page.evaluate("Math.round(scrollY)"))


@row("browser", "navigate", "url is a path of the site")
async def _(stage: Stage) -> None:
    _two_pages(stage)
    told = await stage.did("navigate", url="/a")
    assert told == {"url": "/a", "title": "Small site", "status": 200}
    assert await stage.page.inner_text("h1") == "Page A"


@row("browser", "navigate", "url is absolute on the site; goto is an alias")
async def _(stage: Stage) -> None:
    _two_pages(stage)
    assert (await stage.did("goto", url=f"{stage.site.url}/b"))["url"] == "/b"


@row("browser", "navigate", "url may hold variables")
async def _(stage: Stage) -> None:
    stage.site.pages["/users/ada_moor_1"] = "<h1>Ada</h1>"
    await stage.did("navigate", url="/users/{{identity.username}}")
    assert await stage.page.inner_text("h1") == "Ada"


@row("browser", "navigate", "plain http on this machine stays as it is")
async def _(stage: Stage) -> None:
    _two_pages(stage)
    assert stage.site.url.startswith("http://127.0.0.1:")
    await stage.did("navigate", url=f"{stage.site.url}/a")
    assert stage.page.url == f"{stage.site.url}/a"


@row("browser", "navigate", "plain http elsewhere is upgraded to https")
async def _(stage: Stage) -> None:
    failure = await stage.refused("navigate", url="http://shop.example:80/a?b=c")
    assert failure.type == "blocked"
    assert "'https://shop.example/a?b=c' is not on this site" in failure.message


@row("browser", "navigate", "hosts that speak plain http only are listed", site={"http_hosts": ["old.example"]})
async def _(stage: Stage) -> None:
    failure = await stage.refused("navigate", url="http://old.example/a")
    assert "'http://old.example/a' is not on this site" in failure.message


@row("browser", "navigate", "other hosts are refused, with those that may be visited")
async def _(stage: Stage) -> None:
    failure = await stage.refused("navigate", url="https://elsewhere.example/")
    assert failure.type == "blocked"
    assert stage.site.url.removeprefix("http://") in failure.message


@row("browser", "navigate", "url is required, with the schema's example")
async def _(stage: Stage) -> None:
    failure = await stage.refused("navigate")
    assert failure.type == "invalid_input"
    assert 'url: is required. Example: {"url": "/items?sort=newest"}' in failure.message


LOGIN = """<h1>Log in</h1><form method=post action=/login><label>User name <input name=username></label>
<label>Password <input type=password name=password></label><button>Log in</button></form>"""


def _behind_a_login(stage: Stage, accepts: bool) -> None:
    """/account shows the login page's address until somebody has logged in."""
    stage.site.pages["/login"] = LOGIN
    stage.site.pages["/home"] = "<h1>Home</h1><a href=/out>Sign out</a>"
    stage.site.pages["/account"] = "<script>location.replace('/login')</script>"

    def answer(fields: Mapping[str, str]) -> str | tuple[int, str]:
        if not accepts:
            return 422, f"<p role=alert>Unknown user</p>{LOGIN}"
        stage.site.pages["/account"] = "<h1>Account</h1><a href=/out>Sign out</a>"
        return "/home"

    stage.site.answers["/login"] = answer


SIGN: dict[str, Any] = {"routes": {"login": "/login"}, "logged_in": {"role": "link", "name": "Sign out"}}


@row("browser", "navigate", "a login page on the way is passed with the user's own secret", site=SIGN)
async def _(stage: Stage) -> None:
    _behind_a_login(stage, accepts=True)
    told = await stage.did("navigate", url="/account")
    assert told["url"] == "/account"
    assert "logged in as {{identity.username}}" in told["login"]
    assert await stage.page.inner_text("h1") == "Account"
    ((path, fields),) = stage.site.posts
    assert (path, fields["username"]) == ("/login", "ada_moor_1")
    assert fields["password"] not in str(told)
    # A replay begins on the site as it was.
    stage.site.pages["/account"] = "<script>location.replace('/login')</script>"


@row("browser", "navigate", "a login that fails is told as one", site=SIGN)
async def _(stage: Stage) -> None:
    _behind_a_login(stage, accepts=False)
    failure = await stage.refused("navigate", url="/account")
    assert failure.type == "rejected"
    assert "/account asks for a login first, and that failed" in failure.message
    assert "Unknown user" in failure.message


@row(
    "browser",
    "navigate",
    "the user's own secret is not tried where the site section gives those of others",
    site=SIGN | {"secrets": {"root_password": {"env": "ROOT_PASSWORD"}}},
)
async def _(stage: Stage) -> None:
    _behind_a_login(stage, accepts=False)
    told = await stage.did("navigate", url="/account")
    assert told["url"] == "/login"
    assert "nothing was tried" in told["login"]
    assert "{{secret.root_password}}" in told["login"]
    assert stage.site.posts == []


@row("browser", "navigate", "the login page itself is opened like any page", site=SIGN)
async def _(stage: Stage) -> None:
    _behind_a_login(stage, accepts=True)
    told = await stage.did("navigate", url="/login")
    assert told["url"] == "/login"
    assert "login" not in told
    assert stage.site.posts == []


@row("browser", "navigate", "a login that stands at the very address is passed, too", site=SIGN)
async def _(stage: Stage) -> None:
    _behind_a_login(stage, accepts=True)
    stage.site.pages["/account"] = LOGIN
    told = await stage.did("navigate", url="/account")
    assert "logged in as {{identity.username}}" in told["login"]
    assert await stage.page.inner_text("h1") == "Account"
    assert [path for path, _ in stage.site.posts] == ["/login"]
    stage.site.pages["/account"] = LOGIN


@row("browser", "navigate", "a page that offers a login beside what it shows is no login", site=SIGN)
async def _(stage: Stage) -> None:
    _behind_a_login(stage, accepts=True)
    stage.site.pages |= {"/account": f"<h1>Books</h1><p>Emma</p>{LOGIN}", "/": LOGIN}
    for url in ("/account", "/"):
        assert "login" not in await stage.did("navigate", url=url)
    assert stage.site.posts == []


@row("browser", "navigate", "nobody is logged in where the site does not grant it", site=SIGN | {"grants": []})
async def _(stage: Stage) -> None:
    _behind_a_login(stage, accepts=True)
    assert (await stage.did("navigate", url="/account"))["url"] == "/login"
    assert stage.site.posts == []


@row("browser", "back", "the page before this one; go_back is an alias")
async def _(stage: Stage) -> None:
    _two_pages(stage)
    for url in ("/a", "/b", "/a"):
        await stage.did("navigate", url=url)
    assert (await stage.did("back"))["url"] == "/b"
    assert (await stage.did("go_back"))["url"] == "/a"


@row("browser", "back", "within a page that routes itself, and an error where there is nothing before")
async def _(stage: Stage) -> None:
    await stage.open("<h1>Step 1</h1><button onclick=\"history.pushState(0, '', '/?step=2')\">Next</button>")
    assert (await stage.did("click", selector="Next"))["page"]["url"] == "/?step=2"
    assert (await stage.did("back"))["url"] == "/"
    failure = await stage.refused("back")
    assert (failure.type, failure.message) == ("navigation", "there is no page to go back to")
    assert await stage.page.inner_text("h1") == "Step 1"


@row("browser", "forward", "the page after this one, and an error where there is none")
async def _(stage: Stage) -> None:
    _two_pages(stage)
    await stage.did("navigate", url="/a")
    await stage.did("click", selector="To B")
    await stage.did("back")
    assert (await stage.did("forward"))["url"] == "/b"
    failure = await stage.refused("forward")
    assert (failure.type, failure.message) == ("navigation", "there is no page to go forward to")


@row("browser", "refresh", "the page is loaded again; reload is an alias")
async def _(stage: Stage) -> None:
    await stage.open("<h1></h1><script>document.querySelector('h1').append(sessionStorage.n += 'I')</script>")
    before = await stage.page.inner_text("h1")
    assert (await stage.did("refresh"))["url"] == "/"
    await stage.did("reload")
    assert await stage.page.inner_text("h1") == f"{before}II"


@row("browser", "scroll", "amount defaults to 500 px")
async def _(stage: Stage) -> None:
    await stage.open(TALL)
    await stage.did("scroll", direction="down")
    assert await _scrolled(stage) == 500


@row("browser", "scroll", "direction up and an amount in px")
async def _(stage: Stage) -> None:
    await stage.open(TALL)
    await stage.did("scroll", direction="down", amount=1200)
    await stage.did("scroll", direction="up", amount=300)
    assert await _scrolled(stage) == 900


@row("browser", "scroll", "another direction, or no amount, is refused")
async def _(stage: Stage) -> None:
    assert "direction: expected 'up' or 'down'" in (await stage.refused("scroll", direction="left")).message
    assert "amount: " in (await stage.refused("scroll", direction="up", amount=0)).message


APP = """<style>html, body {{ height: 100%; margin: 0 }} main {{ height: 100%; overflow: auto }}</style>
<main>{}<p>End</p></main>"""


@row("browser", "scroll_down", "without pixels it goes to the bottom, and tells position, heights and the end")
async def _(stage: Stage) -> None:
    await stage.open(TALL + "<style>html { scroll-behavior: smooth }</style>")
    view, height = await stage.page.evaluate("[innerHeight, document.documentElement.scrollHeight]")
    first = (await stage.did("scroll_down", pixels=300))["scrolled"]
    assert first == {"position": 300, "view": view, "height": height, "at_end": False}
    last = (await stage.did("scroll_down"))["scrolled"]
    assert last == {"position": height - view, "view": view, "height": height, "at_end": True}
    assert await _scrolled(stage) == height - view
    assert (await stage.did("scroll", direction="up"))["scrolled"]["at_end"] is False


@row("browser", "scroll_down", "where the page fills the window, the part in its middle scrolls")
async def _(stage: Stage) -> None:
    await stage.open(APP.format("<p style='margin:2000px 0'>Much</p>"))
    told = (await stage.did("scroll_down"))["scrolled"]
    assert (told["position"] > 2000, told["at_end"]) == (True, True)
    assert await stage.page.evaluate("Math.round(document.querySelector('main').scrollTop)") == told["position"]


@row("browser", "scroll_down", "a page that goes on at its end says so")
async def _(stage: Stage) -> None:
    more = "<script>let left = 1; addEventListener('scroll', () => { if (left-- > 0) document.body.append(add()) });"
    more += "const add = () => Object.assign(document.createElement('p'), {style: 'height:2000px'});</script>"
    await stage.open(TALL + more)
    first = (await stage.did("scroll_down"))["scrolled"]
    assert first["at_end"] is False
    last = (await stage.did("scroll_down"))["scrolled"]
    assert (last["at_end"], last["height"] > first["position"] + 2000) == (True, True)


@row("browser", "scroll_down", "pixels can be given")
async def _(stage: Stage) -> None:
    await stage.open(TALL)
    await stage.did("scroll_down", pixels=500)
    assert await _scrolled(stage) == 500
    await stage.did("scroll_down", pixels=200)
    assert await _scrolled(stage) == 700


@row("browser", "scroll_to", "an element comes into view")
async def _(stage: Stage) -> None:
    await stage.open(TALL)
    told = await stage.did("scroll_to", selector="#end")
    assert told["element"] == "paragraph 'The end'"
    box = await stage.page.locator("#end").bounding_box()
    assert box is not None
    assert 0 <= box["y"] < 720


@row("browser", "scroll_to", "what is not there is told")
async def _(stage: Stage) -> None:
    await stage.open(TALL)
    failure = await stage.refused("scroll_to", selector="#nowhere")
    assert failure.type == "not_found"
    assert "#nowhere" in failure.message


SHOP = """<nav><a href=/new>New arrivals</a> <a href=/crime>Crime and mystery</a> <a href=/login>Log in</a></nav>
<ul><li><h3>Emma</h3><a href=/books/emma>View details</a><a href=/books/emma>Emma</a></li>
<li><h3>Persuasion</h3><a href=/books/persuasion>View details</a></li></ul>"""


async def _shop(stage: Stage) -> None:
    for path in ("/new", "/crime", "/login", "/books/emma", "/books/persuasion"):
        stage.site.pages[path] = f"<h1>{path}</h1>"
    await stage.open(SHOP)


@row("browser", "follow", "words of the link's name")
async def _(stage: Stage) -> None:
    await _shop(stage)
    told = await stage.did("follow", description="the crime section")
    assert told["page"]["url"] == "/crime"


@row("browser", "follow", "other words for the same act")
async def _(stage: Stage) -> None:
    await _shop(stage)
    assert (await stage.did("follow", description="sign in"))["page"]["url"] == "/login"


@row("browser", "follow", "words of the card that the link stands in")
async def _(stage: Stage) -> None:
    await _shop(stage)
    told = await stage.did("follow", description="view the details of Persuasion")
    assert told["page"]["url"] == "/books/persuasion"


@row("browser", "follow", "two links to one place are one choice")
async def _(stage: Stage) -> None:
    await stage.open("<a href=/new>Latest books</a><footer><a href=/new>Latest books</a></footer>")
    stage.site.pages["/new"] = "<h1>New</h1>"
    assert (await stage.did("follow", description="latest books"))["page"]["url"] == "/new"


@row("browser", "follow", "several that fit as well are an error that lists them")
async def _(stage: Stage) -> None:
    await _shop(stage)
    failure = await stage.refused("follow", description="view details")
    assert failure.type == "ambiguous"
    assert "'View details' beside 'Emma' to /books/emma (ref=" in failure.message
    assert "to /books/persuasion" in failure.message


@row("browser", "follow", "nothing that fits is an error that lists what is there")
async def _(stage: Stage) -> None:
    await _shop(stage)
    failure = await stage.refused("follow", description="gardening tools")
    assert failure.type == "not_found"
    assert "'New arrivals' to /new" in failure.message


@row("browser", "open_tab", "a page in a tab of its own")
async def _(stage: Stage) -> None:
    _two_pages(stage)
    await stage.did("navigate", url="/a")
    told = await stage.did("open_tab", url="/b")
    assert told["current"] == 2
    assert [(one["tab"], one["url"]) for one in told["tabs"]] == [(1, "/a"), (2, "/b")]
    assert told["page"]["url"] == "/b"
    assert await stage.page.inner_text("h1") == "Page B"


@row("browser", "open_tab", "url defaults to a blank page")
async def _(stage: Stage) -> None:
    _two_pages(stage)
    await stage.did("navigate", url="/a")
    assert (await stage.did("open_tab"))["page"]["url"] == "about:blank"
    await stage.did("navigate", url="/b")
    assert await stage.page.inner_text("h1") == "Page B"


@row("browser", "open_tab", "other hosts are refused before a tab is opened")
async def _(stage: Stage) -> None:
    assert (await stage.refused("open_tab", url="https://elsewhere.example/")).type == "blocked"
    assert len(stage.page.context.pages) == 1


@row("browser", "switch_tab", "by its number; what is done next is done there")
async def _(stage: Stage) -> None:
    _two_pages(stage)
    await stage.did("navigate", url="/a")
    await stage.did("open_tab", url="/b")
    assert (await stage.did("switch_tab", tab=1))["page"]["url"] == "/a"
    await stage.did("click", selector="To B")
    assert [page.url.removeprefix(stage.site.url) for page in stage.page.context.pages] == ["/b", "/b"]


@row("browser", "switch_tab", "a number that no tab has is told with those there are")
async def _(stage: Stage) -> None:
    failure = await stage.refused("switch_tab", tab=3)
    assert (failure.type, failure.message) == ("not_found", "there is no tab 3; there are: 1")


@row("browser", "switch_tab", "a tab that the page opened has a number, too")
async def _(stage: Stage) -> None:
    _two_pages(stage)
    await stage.open("<a href=/b target=_blank>Beside</a>")
    await stage.did("click", selector="Beside")
    assert (await stage.did("switch_tab", tab=1))["page"]["url"] == "/"
    assert (await stage.did("switch_tab", tab=2))["page"]["url"] == "/b"


@row("browser", "close_tab", "tab defaults to the one that is looked at; the one before is shown")
async def _(stage: Stage) -> None:
    _two_pages(stage)
    await stage.did("navigate", url="/a")
    await stage.did("open_tab", url="/b")
    told = await stage.did("close_tab")
    assert (told["current"], told["page"]["url"], len(told["tabs"])) == (1, "/a", 1)
    assert await stage.page.inner_text("h1") == "Page A"


@row("browser", "close_tab", "another tab by its number; numbers are not given again")
async def _(stage: Stage) -> None:
    _two_pages(stage)
    await stage.did("navigate", url="/a")
    await stage.did("open_tab", url="/b")
    await stage.did("close_tab", tab=1)
    told = await stage.did("open_tab", url="/a")
    assert [one["tab"] for one in told["tabs"]] == [2, 3]


@row("browser", "close_tab", "the last tab stays")
async def _(stage: Stage) -> None:
    failure = await stage.refused("close_tab")
    assert failure.type == "not_allowed"
    assert "tab 1 is the only one" in failure.message


@row("browser", "list_tabs", "numbers, addresses and titles")
async def _(stage: Stage) -> None:
    _two_pages(stage)
    await stage.did("navigate", url="/a")
    await stage.did("open_tab", url="/b")
    told = await stage.did("list_tabs")
    assert told["tabs"][0] == {"tab": 1, "url": "/a", "title": "Small site"}
    assert told["current"] == 2
