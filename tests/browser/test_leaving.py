"""Pages that do all they can to keep their user: another address can always be visited, and within a bound."""

from __future__ import annotations

import pytest

from simulator.browser.timeouts import Timeouts
from simulator.errors import ToolError
from tests.browser.conftest import Answer, SmallSite, Stage

pytestmark = pytest.mark.asyncio(loop_scope="session")

AWAY = "location.href = '/trap?' + Math.random()"
TRAPS = {
    "sends itself on at once": f"<script>{AWAY}</script>",
    "asks for ever": "<script>setTimeout(() => { for (;;) alert('stay') })</script>",
    "loads itself again": "<script>setInterval(() => location.reload(), 50)</script>",
    "asks whether it may be left": "<script>onbeforeunload = (e) => { e.preventDefault(); return 'stay' }</script>",
}
MORE = {
    "works for ever": "<script>setTimeout(() => { for (;;); })</script>",
    "sends itself on": f"<script>setInterval(() => {{ {AWAY} }}, 50)</script>",
    "sends itself on when loaded": f"<script>onload = () => {{ {AWAY} }}</script>",
    "replaces itself": "<script>setInterval(() => location.replace('/trap?' + Math.random()), 50)</script>",
    "refreshes": "<meta http-equiv=refresh content=0>",
    "adds to the history": "<script>let n = 0; setInterval(() => history.pushState(0, '', '/trap?' + n++), 5)</script>",
    "moves to a place in itself": "<script>let n = 0; setInterval(() => { location.hash = n++ }, 5)</script>",
    "goes back": "<script>history.pushState(0, '', '/trap?1'); setInterval(() => history.back(), 20);"
    "onpopstate = () => history.forward()</script>",
    "says something again and again": "<script>setInterval(() => alert('stay'), 1)</script>",
    "takes no answer": "<script>setTimeout(() => { for (;;) confirm('stay?') })</script>",
    "moves when it is left": f"<script>onbeforeunload = (e) => {{ setInterval(() => {{ {AWAY} }}, 1); return 'stay' }}"
    "</script>",
    "works when it is left": "<script>onbeforeunload = () => { for (;;); }</script>",
    "works when it is hidden": "<script>onpagehide = () => { for (;;); }</script>",
    "works before it is loaded": "<script>for (;;);</script>",
    "prints": "<script>setTimeout(() => { for (;;) print() })</script>",
    "asks the site and waits": "<script>setTimeout(() => { for (;;) { const ask = new XMLHttpRequest();"
    "ask.open('GET', '/quick', false); try { ask.send() } catch { } } })</script>",
    "sends its form": "<form method=post action=/trap></form>"
    "<script>setInterval(() => document.forms[0].submit(), 30)</script>",
}

BUSY = ("works for ever", "sends itself on at once")
"""These keep a processor busy until they are left."""


@pytest.fixture
def timeouts() -> Timeouts:
    """Bounds of an actor who waits for nothing for long."""
    return Timeouts(action=1000, navigation=3000, settle=500)


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    "trap",
    [
        *(name for name in TRAPS if name not in BUSY),
        *(pytest.param(name, marks=pytest.mark.table) for name in BUSY),
        *(pytest.param(name, marks=pytest.mark.slow) for name in MORE if name not in BUSY),
    ],
)
async def test_a_trap_is_left(site: SmallSite, stage: Stage, trap: str) -> None:
    site.page("/trap", f"<h1>Trap</h1>{(TRAPS | MORE)[trap]}")
    site.page("/quick", "")
    site.page("/safe", "<h1>Safe</h1><a href=/>On</a>")
    actor = stage.actor
    for _ in range(2):
        try:
            await actor.navigation.goto("/trap")
        except ToolError as error:
            assert error.type == "timeout"  # noqa: PT017 - a trap may be arrived at or not
        report = await actor.navigation.goto("/safe")
        assert (report.page.url, report.page.status) == ("/safe", 200)
    assert [link.name for link in await actor.reader.links()] == ["On"]
    assert [tab.number for tab in actor.windows.tabs()] == [1]
    assert stage.notes.ended[-1].status == "done"


async def test_a_site_that_never_answers_is_given_up_and_the_page_stays(site: SmallSite, stage: Stage) -> None:
    site.routes["/never"] = Answer("", after=site.gate())
    site.page("/safe", "<h1>Safe</h1><a href=/>On</a>")
    await stage.show(site, "<h1>First</h1><button>Stay</button>")
    await stage.actor.page.evaluate("sessionStorage.kept = 1")
    with pytest.raises(ToolError, match="could not goto /never in time"):
        await stage.actor.navigation.goto("/never")
    assert [button.name for button in await stage.actor.reader.buttons()] == ["Stay"]
    await stage.actor.navigation.goto("/safe")
    assert await stage.actor.page.evaluate("sessionStorage.kept") == "1", "it is the same window"


@pytest.mark.parametrize("answer", [Answer(status=204), Answer("a", headers={"Content-Disposition": "attachment"})])
async def test_an_answer_that_is_no_page_is_asked_for_once_and_leaves_the_page(
    site: SmallSite, stage: Stage, answer: Answer
) -> None:
    site.routes["/file"] = answer
    await stage.show(site, "<h1>First</h1><button>Stay</button>")
    with pytest.raises(ToolError):
        await stage.actor.navigation.goto("/file")
    assert site.count("GET /file") == 1
    assert [button.name for button in await stage.actor.reader.buttons()] == ["Stay"]
    assert len(stage.actor.context.pages) == 1
