"""In a frame, too, no input reaches what was not proven: its document may be another one by the time of the event."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from playwright.async_api import Frame

from simulator.browser.acting.gestures import gesture
from simulator.browser.action_recorder import ActionStart
from simulator.browser.evidence import Target
from simulator.browser.find import Find
from simulator.browser.launch.script import selector
from simulator.browser.views.frames import frame_at
from simulator.errors import ToolError
from simulator.replay.evidence.resolve import Unprovable, compile_query
from tests.browser.conftest import Answer

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.promise("frames of a page", quick=3)]
FRAME = "<h1>Shop</h1><iframe name=pay src=/pay></iframe>"
PAY = "<main><button id=real onclick=\"saw('paid')\">Pay</button></main>"


async def opened(stage: Any, site: Any, body: str = PAY) -> Frame:
    """Show a page with a frame, and give that."""
    site.page("/pay", body)
    await stage.show(site, FRAME)
    frame = await frame_at(stage.actor.page, ["pay"], lambda url: True, 2000)
    assert frame is not None
    await frame.wait_for_load_state()
    return frame


async def taken(stage: Any, find: Find) -> Target:
    """Give the evidence of something in the frame, as a recording has it."""
    target: Target = await stage.actor.resolver.take_at(await stage.actor.frames.place(find))
    await stage.actor.page.frames[1].evaluate("() => __sim.strays()")
    return target


async def clicked(stage: Any, frame: Frame, target: Target, before: Callable[[], Awaitable[Any]]) -> None:
    """Click as a replay does, with something that happens between the look and the click."""
    found = selector("sim", compile_query(target, str).model_dump(exclude_defaults=True) | {"patience": 1000})
    start = ActionStart("click", stage.actor.name, target=target)

    async def operation() -> None:
        mouse = frame.page.mouse
        await frame.hover(found, timeout=2000)
        await before()
        await mouse.down()
        await mouse.up()

    await stage.actor.runner.carry_out(start, operation, wheres=(frame,))


async def test_a_click_in_a_frame_reaches_what_was_proven(stage: Any, site: Any) -> None:
    frame = await opened(stage, site)
    target = await taken(stage, Find("text", "Pay"))
    assert target.frame == ("pay",)

    async def nothing() -> None:
        return

    await clicked(stage, frame, target, nothing)
    assert await frame.evaluate("() => seen") == ["paid"]
    assert stage.notes.ended[-1].status == "done"


RENAMED = "() => { real.textContent = 'Delete'; }"
OTHER = "() => { real.outerHTML = '<button id=wrong onclick=\"saw(1)\">Pay</button>'; }"


@pytest.mark.parametrize("change", [RENAMED, OTHER], ids=["another name", "another node"])
async def test_what_becomes_another_thing_between_look_and_click_is_not_clicked(
    stage: Any, site: Any, change: str
) -> None:
    frame = await opened(stage, site)
    target = await taken(stage, Find("text", "Pay"))
    with pytest.raises(ToolError, match="was stopped"):
        await clicked(stage, frame, target, lambda: frame.evaluate(change))
    assert await frame.evaluate("() => seen") == []
    assert stage.notes.ended[-1].status == "cancelled"


async def test_a_frame_that_is_loaded_again_between_look_and_click_takes_no_click(stage: Any, site: Any) -> None:
    frame = await opened(stage, site)
    target = await taken(stage, Find("text", "Pay"))
    with pytest.raises(ToolError, match="was stopped"):
        await clicked(stage, frame, target, lambda: frame.goto(frame.url))
    assert await frame.evaluate("() => seen") == []


async def test_a_frame_that_is_put_in_anew_between_look_and_click_takes_no_click(stage: Any, site: Any) -> None:
    frame = await opened(stage, site)
    page = stage.actor.page
    target = await taken(stage, Find("text", "Pay"))

    async def swap() -> None:
        await page.evaluate("""() => new Promise((loaded) => {
          const old = document.querySelector("iframe");
          const frame = Object.assign(document.createElement("iframe"), { name: "pay", src: "/pay", onload: loaded });
          old.replaceWith(frame);
        })""")

    with pytest.raises(ToolError, match="was stopped"):
        await clicked(stage, frame, target, swap)
    assert frame.is_detached()
    assert await page.frames[1].evaluate("() => seen") == []


async def test_a_frame_that_goes_once_it_was_clicked_in_has_been_clicked_in(stage: Any, site: Any) -> None:
    frame = await opened(stage, site, PAY.replace("saw('paid')", "parent.postMessage(1)"))
    page = stage.actor.page
    await page.evaluate("() => { onmessage = () => { saw('paid'); document.querySelector('iframe').remove(); }; }")
    report = await stage.actor.click(Find("text", "Pay"))
    assert report.outcome.status == "done"
    assert frame.is_detached()
    assert await stage.seen() == ["paid"]


async def test_what_the_page_does_because_of_its_frame_is_waited_for(stage: Any, site: Any) -> None:
    frame = await opened(stage, site, PAY.replace("saw('paid')", "parent.postMessage(1)"))
    site.routes["/slow"] = Answer("", after=site.gate())
    site.routes["/go"] = lambda body: (site.open[0].set(), Answer())[1]
    await stage.actor.page.evaluate("""() => {
      onmessage = async () => { await fetch("/slow", { method: "POST" }); saw("done"); };
      setTimeout(() => fetch("/go"), 300);
    }""")
    await stage.actor.click(Find("text", "Pay"))
    assert await stage.seen() == ["done"]
    assert not frame.is_detached()


async def test_what_is_in_a_closed_shadow_root_is_never_proven(stage: Any, site: Any) -> None:
    body = """<x-pay id=host data-testid=pay></x-pay><script>
      const root = host.attachShadow({ mode: "closed" });
      root.innerHTML = "<button>Pay</button>";
      root.firstChild.onclick = () => saw("paid");
    </script>"""
    await stage.show(site, body)
    with pytest.raises(ToolError, match="nothing on"):
        await stage.actor.click(Find("role", "button", "Pay"), timeout_ms=300)
    target = await stage.actor.resolver.take(Find("css", "x-pay"))
    assert "closed shadow root" in target.unprovable
    with pytest.raises(Unprovable, match="closed shadow root"):
        compile_query(target, str)


async def test_what_is_in_an_open_shadow_root_in_a_frame_is_acted_on(stage: Any, site: Any) -> None:
    frame = await opened(
        stage,
        site,
        """<x-pay id=host></x-pay><script>
          host.attachShadow({ mode: "open" }).innerHTML = "<label>Card <input></label><button>Pay</button>";
          host.shadowRoot.lastChild.onclick = () => saw(host.shadowRoot.querySelector("input").value);
        </script>""",
    )
    await stage.actor.fill(Find("label", "Card"), "4111")
    target = await taken(stage, Find("role", "button", "Pay"))
    found = selector("sim", compile_query(target, str).model_dump(exclude_defaults=True) | {"patience": 1000})
    start = ActionStart("click", stage.actor.name, target=target)
    await stage.actor.runner.carry_out(start, lambda: gesture(frame, "click", found, "", {}, 2000), wheres=(frame,))
    assert await frame.evaluate("() => seen") == ["4111"]
