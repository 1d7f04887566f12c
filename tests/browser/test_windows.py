"""Windows that a page opens, and native dialogs."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from simulator.browser.acting.history import move_in_history
from simulator.browser.find import Find
from simulator.browser.timeouts import Timeouts
from simulator.errors import ToolError
from tests.browser.conftest import Answer

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.promise("the windows of a user", quick=4)]


@pytest.mark.parametrize(
    "way",
    [
        "<a href=/other target=_blank>Go</a>",
        "<a href=/other target=_blank rel=opener>Go</a>",
        "<button onclick=\"window.open('/other')\">Go</button>",
        "<form action=/other target=_blank><button>Go</button></form>",
        "<form action=/wrong><button formaction=/other formtarget=_blank>Go</button></form>",
    ],
)
async def test_a_new_window_is_followed_and_left_when_it_closes(stage: Any, site: Any, way: str) -> None:
    site.page("/other", "<h1>Other</h1><button onclick='saw(1); setTimeout(() => window.close(), 50)'>Close</button>")
    await stage.show(site, way)
    report = await stage.actor.click(Find("text", "Go"))
    assert (report.outcome.settled, report.page.url.partition("?")[0]) == ("navigated", "/other")
    assert report.page.status == 200
    if "rel=opener" in way or "window.open" in way:
        await stage.actor.click(Find("text", "Close"))
        assert stage.actor.here.url == "/"


POPUP = """<p id=said></p><button onclick="choose()">Choose</button><script>
  const choose = () => {{
    const chooser = window.open("about:blank", "_blank", "popup,width=300,height=200");
    chooser.document.body.innerHTML = "<button>Emma</button>{over}";
    {closing}
  }};
</script>"""


# One time in ten the window is gone before the browser answers that it was clicked in.
@pytest.mark.parametrize("often", [3, pytest.param(24, marks=pytest.mark.table)])
async def test_a_click_that_closes_its_window_has_been_made(stage: Any, site: Any, often: int) -> None:
    closing = """chooser.document.querySelector("button").onclick = () => {
      said.textContent += "Emma ";
      chooser.close();
    };"""
    await stage.show(site, POPUP.format(over="", closing=closing))
    for times in range(1, often + 1):
        await stage.actor.click(Find("text", "Choose"))
        report = await stage.actor.click(Find("css", "button"))
        assert (report.outcome.status, report.outcome.settled, report.page.url) == ("done", "navigated", "/")
        assert await stage.actor.page.inner_text("#said") == ("Emma " * times).strip()
        assert len(stage.actor.windows.tabs()) == 1


async def test_a_window_that_closes_before_it_is_clicked_in_has_not_been(stage: Any, site: Any) -> None:
    over = "<div style='position:fixed;inset:0'>Wait</div>"
    await stage.show(site, POPUP.format(over=over, closing="setTimeout(() => chooser.close(), 1200);"))
    await stage.actor.click(Find("text", "Choose"))
    with pytest.raises(ToolError) as raised:
        await stage.actor.click(Find("text", "Emma"))
    assert raised.value.type == "page_closed"
    assert stage.notes.ended[-1].status == "failed"


@pytest.mark.parametrize("how", [{"button": "middle"}, {"modifiers": ("ControlOrMeta",)}, {"modifiers": ("Shift",)}])
async def test_a_link_opened_beside_is_followed(stage: Any, site: Any, how: dict[str, Any]) -> None:
    site.page("/other", "<h1>Other</h1>")
    await stage.show(site, "<a href=/other><b>Go</b></a>")
    report = await stage.actor.click(Find("text", "Go"), **how)
    assert report.page.url == "/other"
    assert [tab.number for tab in stage.actor.windows.tabs()] == [1, 2]
    assert stage.actor.windows.tabs()[0].page.url == f"{site.url}/"


@pytest.mark.parametrize("how", [{}, {"button": "middle"}])
async def test_a_window_that_answers_late_is_waited_for(stage: Any, site: Any, how: dict[str, Any]) -> None:
    gate = site.gate()
    site.routes["/other"] = Answer("<h1>Other</h1>", after=gate)
    await stage.show(site, "<a href=/other target=_blank>Go</a>")
    threading.Timer(2.5, gate.set).start()
    report = await stage.actor.click(Find("text", "Go"), **how)
    assert report.page.url == "/other"


@pytest.mark.parametrize("timeouts", [Timeouts(action=2000, navigation=3000, settle=3000)], ids=["short"])
async def test_a_window_that_never_answers_is_no_success(stage: Any, site: Any) -> None:
    site.routes["/other"] = Answer(after=site.gate())
    await stage.show(site, "<a href=/other target=_blank>Go</a>")
    with pytest.raises(ToolError) as raised:
        await stage.actor.click(Find("text", "Go"))
    assert raised.value.type == "timeout"
    assert "did not answer within 3 s" in raised.value.message
    assert [end.status for end in stage.notes.ended][-1] == "failed"


@pytest.mark.parametrize(
    "way",
    [
        "<a href=/second target=help>Go</a>",
        "<button onclick=\"window.open('/second', 'help')\">Go</button>",
        "<form action=/second target=help><button>Go</button></form>",
    ],
)
async def test_a_window_with_a_name_is_used_again(stage: Any, site: Any, way: str) -> None:
    gate = site.gate()
    site.page("/first", "<h1>First</h1>")
    site.routes["/second"] = Answer("<title>Second</title><a href=/third target=help>On</a>", after=gate)
    site.page("/third", "<h1>Third</h1>")
    await stage.show(site, f"<a href=/first target=help>Help</a>{way}")
    await stage.actor.click(Find("text", "Help"))
    assert stage.actor.here.url == "/first"
    await stage.actor.navigation.switch_tab(1)
    threading.Timer(0.5, gate.set).start()
    report = await stage.actor.click(Find("text", "Go"))
    assert report.page.url.partition("?")[0] == "/second"
    assert [tab.number for tab in stage.actor.windows.tabs()] == [1, 2]
    await stage.actor.click(Find("text", "On"))
    assert (stage.actor.here.url, len(stage.actor.windows.tabs())) == ("/third", 2)


@pytest.mark.parametrize(
    "answer",
    [
        Answer(status=204),
        Answer("text", media_type="text/csv", headers={"Content-Disposition": "attachment; filename=list.csv"}),
    ],
)
@pytest.mark.parametrize("how", [{}, {"button": "middle"}])
async def test_a_window_without_a_page_is_not_waited_for(
    stage: Any, site: Any, answer: Answer, how: dict[str, Any]
) -> None:
    site.routes["/list"] = answer
    await stage.show(site, "<a href=/list target=_blank>List</a>")
    report = await stage.actor.click(Find("text", "List"), **how)
    assert report.outcome.status == "done"
    assert site.count("GET /list") == 1


async def test_what_opens_no_window_is_not_waited_for(stage: Any, site: Any) -> None:
    await stage.show(site, "<a href=mailto:ada@example.org target=_blank>Write</a>")
    report = await stage.actor.click(Find("text", "Write"))
    assert (report.page.url, len(stage.actor.windows.tabs())) == ("/", 1)


async def test_a_form_sent_into_a_frame_opens_nothing(stage: Any, site: Any) -> None:
    site.page("/other", "")
    await stage.show(site, "<iframe name=f></iframe><form action=/other target=f><button>Go</button></form>")
    report = await stage.actor.click(Find("text", "Go"))
    assert report.page.url == "/"


async def test_dialogs_are_answered_and_told(stage: Any, site: Any) -> None:
    site.routes["/end"] = Answer("<title>End</title>")
    await stage.show(
        site,
        """<button id=b>Delete</button><a href=/end>Leave</a><script>
          b.onclick = () => { alert("Careful"); saw(confirm("Sure?")); saw(prompt("Name?", "Ada")); };
          addEventListener("beforeunload", (event) => event.preventDefault());
        </script>""",
    )
    report = await stage.actor.click(Find("text", "Delete"))
    assert await stage.seen() == [True, "Ada"]
    assert report.page.notes == ("alert: Careful", "confirm: Sure?", "prompt: Name?")
    report = await stage.actor.click(Find("text", "Leave"))
    assert (report.page.title, report.page.notes) == ("End", ())


async def test_a_page_without_a_history_stays_as_it_is(stage: Any, site: Any) -> None:
    await stage.show(site, "<label>Note <input id=note></label>")
    await stage.actor.fill(Find("label", "Note"), "half a sentence")
    for move in (stage.actor.navigation.back, stage.actor.navigation.forward):
        with pytest.raises(ToolError, match="there is no page to go") as raised:
            await move()
        assert raised.value.type == "navigation"
    assert await stage.actor.page.input_value("#note") == "half a sentence"


async def test_back_to_an_entry_of_the_same_address(stage: Any, site: Any) -> None:
    await stage.show(
        site,
        """<h1>1</h1><button onclick="history.pushState(2, '', location.href); draw(2)">Next</button><script>
          const draw = (page) => { document.querySelector("h1").textContent = page; };
          onpopstate = (event) => draw(event.state ?? 1);
        </script>""",
    )
    await stage.actor.click(Find("text", "Next"))
    await stage.actor.navigation.back()
    assert await stage.actor.page.inner_text("h1") == "1"


async def test_back_while_the_window_is_handed_to_another_process(stage: Any, site: Any) -> None:
    await stage.show(site, "<h1>First</h1>")
    page = stage.actor.page
    for _ in range(10):
        await page.go_back(wait_until="commit")
        assert page.url == "about:blank"
        await move_in_history(page, "forward", 5000)
        assert await page.inner_text("h1") == "First"


async def test_what_is_not_there_or_there_twice_is_told(stage: Any, site: Any) -> None:
    await stage.show(site, "<button>Send</button><button>Send</button>")
    with pytest.raises(ToolError) as raised:
        await stage.actor.click(Find("text", "Absent"), timeout_ms=100)
    assert raised.value.type == "not_found"
    with pytest.raises(ToolError) as raised:
        await stage.actor.click(Find("text", "Send"))
    assert (raised.value.type, raised.value.message.count("button 'Send'")) == ("ambiguous", 2)


async def test_a_page_that_crashed_is_lost_and_a_visit_opens_another(stage: Any, site: Any) -> None:
    site.page("/other", "<h1>Other</h1>")
    await stage.show(site, "<h1>First</h1>")
    session = await stage.actor.context.new_cdp_session(stage.actor.page)
    gone = stage.actor.page.wait_for_event("crash")
    crash = asyncio.ensure_future(session.send("Page.crash"))
    await gone
    crash.cancel()
    assert stage.actor.windows.lost
    with pytest.raises(ToolError) as raised:
        await stage.actor.view.look()
    assert raised.value.type == "page_closed"
    report = await stage.actor.navigation.goto("/other")
    assert (report.page.url, report.page.status, stage.actor.windows.lost) == ("/other", 200, False)
    assert len(stage.actor.windows.tabs()) == len(stage.actor.context.pages) == 1
