"""What is at rest is clicked at once; what moves or is covered is waited for, and nothing else is hit."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import Error as PlaywrightError

from simulator.browser.find import Find
from simulator.browser.launch.script import ARMED, RESTING, RESTLESS, STILL

pytestmark = pytest.mark.asyncio(loop_scope="session")

HEARD = """<script>
  for (const type of ["mousedown", "click", "change"])
    document.addEventListener(type, (event) => saw(`${type} ${event.target.id || event.target.localName}`));
</script>"""
BUTTON = "<button id=real>Send</button>"
LAID = "<div id=over style='position:fixed;inset:0'>Wait</div>"
AT_REST = {
    "nothing happens": BUTTON,
    "a sign turns beside it": f"<i id=turns>o</i>{BUTTON}<script>"
    "turns.animate([{ rotate: '0deg' }, { rotate: '360deg' }], { duration: 500, iterations: Infinity });</script>",
    "it was moved before": f"{BUTTON}<script>real.animate([{{ left: 0 }}, {{ left: '9px' }}], 1);</script>",
    "a link in a text": "<p>To the <a id=real href='#there'>Send</a> of it</p>",
    "it goes over two lines": "<p style='width:60px'>So <a id=real href='#there'>Send all that was written</a></p>",
    "it is out of view": f"<p style='height:4000px'>News</p>{BUTTON}<p style='height:4000px'>News</p>",
    "half of it is in view": f"<p style='height:calc(100vh - 24px); margin:0'>News</p>{BUTTON}"
    "<p style='height:4000px'>",
}
RESTLESS_PAGES = {
    "it moves": f"{BUTTON}<script>real.animate([{{ translate: '0' }}, {{ translate: '90px' }}], 60000);</script>",
    "what it stands in moves": f"<div id=box>{BUTTON}</div><script>"
    "box.animate([{ translate: '0' }, { translate: '90px' }], { duration: 60000, iterations: Infinity });</script>",
    "what stands before it grows": f"<div id=box>News</div>{BUTTON}<script>"
    "box.animate([{ height: '0' }, { height: '400px' }], 60000);</script>",
    "the page changes all the time": f"<b id=clock></b>{BUTTON}<script>"
    "setInterval(() => { clock.textContent = Math.random(); }, 1);</script>",
    "the page is never idle": f"{BUTTON}<script>const work = new MessageChannel(); work.port1.onmessage = () => {{"
    " for (const end = performance.now() + 8; performance.now() < end; ); work.port2.postMessage(0); };"
    " work.port2.postMessage(0);</script>",
    "it is disabled": "<button id=real disabled>Send</button>",
    "it is covered": BUTTON + LAID,
    "it is out of view, and covered where it comes into view": f"<p style='height:4000px'>News</p>{BUTTON}{LAID}",
    "it is out of view, and moves": f"<p style='height:4000px'>News</p>{BUTTON}<script>"
    "real.animate([{ translate: '0' }, { translate: '90px' }], 60000);</script>",
    "it is brought into view by and by": "<style>html { scroll-behavior: smooth }</style>"
    f"<p style='height:4000px'>News</p>{BUTTON}<p style='height:4000px'>News</p>",
    "it goes over two lines, and the first is covered": "<p style='width:60px; position:relative'>"
    "<a id=real href='#there'>Send all that was written</a><b style='position:absolute; inset:0 0 auto 0; "
    "height:1.2em; background:#fff'></b></p>",
    "it is transparent to the pointer": "<button id=real style='pointer-events:none'>Send</button>",
    "a modal part is open": f"{BUTTON}<dialog id=ask>Sure?</dialog><script>ask.showModal();</script>",
}


async def _rests(stage: Any) -> bool:
    """Return whether the button is found at rest, once there was time for that."""
    page = stage.actor.page
    await page.evaluate("() => __sim.take(document.getElementById('real'))")
    await page.evaluate("() => new Promise((go) => setTimeout(go, 300))")
    try:
        return bool(await page.locator(f"{RESTING} >> {ARMED} >> {STILL}").count())
    except PlaywrightError as error:
        if RESTLESS not in error.message:
            raise
        return False


@pytest.mark.parametrize("body", AT_REST.values(), ids=AT_REST.keys())
async def test_what_stays_as_it_is_is_at_rest(stage: Any, site: Any, body: str) -> None:
    await stage.show(site, body)
    assert await _rests(stage)


@pytest.mark.parametrize("body", RESTLESS_PAGES.values(), ids=RESTLESS_PAGES.keys())
async def test_what_may_change_or_cannot_be_hit_is_not_at_rest(stage: Any, site: Any, body: str) -> None:
    await stage.show(site, body)
    assert not await _rests(stage)


COMING = {
    "it slides in": f"{BUTTON}<script>real.animate([{{ translate: '300px' }}, {{ translate: '0' }}], 600);</script>",
    "a script moves it": f"""<div id=others></div>{BUTTON}<script>
      real.style = 'position:absolute; top:100px; width:60px';
      others.innerHTML = '<button>Other</button>'.repeat(200);
      let at = 0;
      const move = () => {{ real.style.left = `${{at += 40}}px`; if (at < 800) requestAnimationFrame(move); }};
      requestAnimationFrame(move);
    </script>""",
    "what covers it fades": f"{BUTTON}{LAID}<script>"
    "over.animate([{ opacity: 1 }, { opacity: 0 }], 500).onfinish = () => over.remove();</script>",
    "it is enabled by and by": "<button id=real disabled>Send</button><script>"
    "setTimeout(() => { real.disabled = false; }, 500);</script>",
    "it is out of view": f"<p style='height:4000px'>News</p>{BUTTON}",
    "it is brought into view by and by": "<style>html { scroll-behavior: smooth }</style>"
    f"<p style='height:4000px'>News</p>{BUTTON}<p style='height:4000px'>News</p>",
    "a bar comes over it as the page is scrolled": f"<p style='height:4000px'>News</p>{BUTTON}"
    "<p style='height:4000px'>News</p><b id=bar style='position:fixed; inset:0; display:none'></b><script>"
    "addEventListener('scroll', () => { bar.style.display = 'block';"
    " setTimeout(() => { bar.style.display = 'none'; }, 300); }, { once: true });</script>",
    "it moves as the page is scrolled": f"<p style='height:4000px'>News</p>{BUTTON}<p style='height:4000px'>News</p>"
    "<script>addEventListener('scroll', () => { real.style = 'position:relative; top:60px'; }, { once: true });"
    "</script>",
    "it is in two lines": "<p style='width:60px'>So <a id=real href='#there'>Send all that was written</a></p>",
}


@pytest.mark.parametrize("body", COMING.values(), ids=COMING.keys())
async def test_what_is_not_ready_is_waited_for_and_clicked_once(stage: Any, site: Any, body: str) -> None:
    await stage.show(site, body + HEARD)
    report = await stage.actor.click(Find("css", "#real"))
    assert report.outcome.status == "done"
    assert [one for one in await stage.seen() if "click" in one] == ["click real"]
    assert {one.split()[1] for one in await stage.seen()} == {"real"}


async def test_a_document_in_which_a_click_went_astray_is_waited_for_from_then_on(stage: Any, site: Any) -> None:
    await stage.show(site, BUTTON + "<input id=box type=checkbox>" + HEARD)
    assert await _rests(stage)
    await stage.actor.page.mouse.click(2, 400)
    assert not await _rests(stage)
    report = await stage.actor.click(Find("css", "#real"))
    assert report.outcome.status == "done"
    assert await stage.seen() == ["mousedown real", "click real"]
    await stage.actor.check(Find("css", "#box"), True)
    assert await stage.seen() == ["mousedown real", "click real", "mousedown box", "click box", "change box"]
