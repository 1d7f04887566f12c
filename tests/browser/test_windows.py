"""Windows that a page opens, and native dialogs."""

from __future__ import annotations

from typing import Any

import pytest

from simulator.browser.find import Find
from simulator.browser.network import NetworkPolicy
from simulator.errors import ToolError
from tests.browser.conftest import Answer

pytestmark = pytest.mark.asyncio(loop_scope="session")


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


@pytest.mark.parametrize("how", [{"button": "middle"}, {"modifiers": ("ControlOrMeta",)}, {"modifiers": ("Shift",)}])
async def test_a_link_opened_beside_is_followed(stage: Any, site: Any, how: dict[str, Any]) -> None:
    site.page("/other", "<h1>Other</h1>")
    await stage.show(site, "<a href=/other><b>Go</b></a>")
    report = await stage.actor.click(Find("text", "Go"), **how)
    assert report.page.url == "/other"
    assert [tab.number for tab in stage.actor.tabs()] == [1, 2]
    assert stage.actor.tabs()[0].page.url == f"{site.url}/"


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


async def test_a_page_without_a_history_stays(stage: Any, site: Any, policy: NetworkPolicy) -> None:
    await stage.show(site, "<h1>First</h1>")
    await stage.actor.reload()
    assert stage.actor.here.url == "/"


async def test_what_is_not_there_or_there_twice_is_told(stage: Any, site: Any) -> None:
    await stage.show(site, "<button>Send</button><button>Send</button>")
    with pytest.raises(ToolError) as raised:
        await stage.actor.click(Find("text", "Absent"), timeout_ms=100)
    assert raised.value.type == "not_found"
    with pytest.raises(ToolError) as raised:
        await stage.actor.click(Find("text", "Send"))
    assert (raised.value.type, raised.value.message.count("button 'Send'")) == ("ambiguous", 2)
