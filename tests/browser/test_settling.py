"""An action is followed until its consequences are over, and no longer."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Iterator
from typing import Any

import pytest

from simulator.browser.find import Find
from simulator.browser.timeouts import Timeouts
from simulator.browser.written import NotTaken
from simulator.errors import ToolError
from tests.browser.conftest import Answer

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.promise("a page comes to rest", quick=6)]
JSON = "application/json"


async def click(stage: Any, words: str = "Go") -> Any:
    return (await stage.actor.click(Find("text", words))).outcome


async def test_a_click_is_followed_through_redirects_and_a_slow_answer(stage: Any, site: Any) -> None:
    gate = site.gate()
    site.routes["/a"] = Answer(status=302, headers={"Location": "/b"})
    site.routes["/b"] = Answer(status=303, headers={"Location": "/c"})
    site.routes["/c"] = Answer("<title>Arrived</title>", after=gate)
    await stage.show(site, "<form method=post action=/a><button>Go</button></form>")
    doing = asyncio.create_task(click(stage))
    await asyncio.to_thread(site.wait_for, "GET /c")
    assert not doing.done()
    gate.set()
    outcome = await doing
    assert (outcome.settled, outcome.after.url, outcome.after.title) == ("navigated", "/c", "Arrived")


async def test_a_page_slower_than_the_settling_bound_is_still_awaited(stage: Any, site: Any) -> None:
    site.routes["/slow"] = Answer("<title>Arrived</title>", after=(gate := site.gate()))
    await stage.show(site, "<a href=/slow>Go</a>")
    timer = asyncio.get_running_loop().call_later(stage.actor.timeouts.settle / 1000 + 0.5, gate.set)
    outcome = await click(stage)
    timer.cancel()
    assert (outcome.settled, outcome.after.title) == ("navigated", "Arrived")


async def test_a_page_whose_head_is_held_up_is_still_awaited(stage: Any, site: Any) -> None:
    """It has no body until the script has come: nobody could read anything of it."""
    site.routes["/held.js"] = Answer("window.held = 1", after=(gate := site.gate()), media_type="text/javascript")
    site.routes["/held"] = Answer("<head><title>Held</title><script src=/held.js></script></head><h1>Arrived</h1>")
    await stage.show(site, "<a href=/held>Go</a>")
    timer = asyncio.get_running_loop().call_later(stage.actor.timeouts.settle / 1000 + 0.5, gate.set)
    outcome = await click(stage)
    timer.cancel()
    assert (outcome.settled, await stage.actor.page.inner_text("h1")) == ("navigated", "Arrived")


async def test_a_page_that_never_answers_fails_and_is_recorded_so(stage: Any, site: Any) -> None:
    site.routes["/never"] = Answer("", after=site.gate())
    await stage.show(site, "<a href=/never>Go</a>")
    with pytest.raises(ToolError, match="did not answer"):
        await click(stage)
    assert stage.notes.ended[-1].status == "failed"


@pytest.mark.parametrize(
    "way",
    [
        "<meta http-equiv=refresh content='0;url=/end'>",
        "<meta http-equiv=refresh content='1; URL=/end'>",
        "<script>location.replace('/end')</script>",
        "<script>addEventListener('load', () => { location.href = '/end' })</script>",
        "<form action=/end></form><script>document.forms[0].submit()</script>",
    ],
)
async def test_a_page_that_sends_one_on_is_followed(stage: Any, site: Any, way: str) -> None:
    site.routes["/way"] = Answer(f"<title>On the way</title><body>{way}")
    site.routes["/end"] = Answer("<title>Arrived</title>")
    await stage.show(site, "<a href=/way>Go</a>")
    assert (await click(stage)).after.title == "Arrived"


async def test_requests_and_those_they_lead_to_are_awaited(stage: Any, site: Any) -> None:
    gates = [site.gate() for _ in range(3)]
    for number, gate in enumerate(gates):
        site.routes["/" + "abc"[number]] = Answer('{"n": 1}', media_type=JSON, after=gate)
    site.routes["/d"] = Answer('{"n":', media_type=JSON, rest=" 3}", rest_after=(late := site.gate()))
    await stage.show(
        site,
        """<button>Go</button><p id=out></p><script>document.querySelector("button").onclick = async () => {
          await (await fetch("/a", { method: "POST" })).json();
          await (await fetch("/b")).json();
          const xhr = new XMLHttpRequest(); xhr.open("GET", "/c");
          xhr.onload = async () => { out.textContent = (await (await fetch("/d")).json()).n; };
          xhr.send();
        };</script>""",
    )
    doing = asyncio.create_task(click(stage))
    for number, gate in enumerate([*gates, late]):
        await asyncio.to_thread(site.wait_for, f"{'POST' if number == 0 else 'GET'} /{'abcd'[number]}")
        assert not doing.done()
        gate.set()
    outcome = await doing
    assert outcome.settled == "changed"
    assert outcome.after.requests == (("POST", "/a", 200), ("GET", "/b", 200), ("GET", "/c", 200), ("GET", "/d", 200))
    assert await stage.actor.page.inner_text("#out") == "3"


@pytest.mark.parametrize(
    ("reads", "told"),
    [
        pytest.param(18, [*["/read"] * 18, "/save", "/lost"], id="all of them, in their order"),
        pytest.param(30, ["/save", "/lost", *["/read"] * 18], id="of many, those that tell something"),
    ],
)
async def test_of_many_requests_those_that_change_something_or_fail_are_told(
    stage: Any, site: Any, reads: int, told: list[str]
) -> None:
    site.routes["/read"] = site.routes["/save"] = Answer("{}", media_type=JSON)
    site.routes["/lost"] = Answer("{}", status=503, media_type=JSON)
    await stage.show(
        site,
        f"""<button>Go</button><script>document.querySelector("button").onclick = async () => {{
          await Promise.all(Array.from({{ length: {reads} }}, async () => (await fetch("/read")).json()));
          await (await fetch("/save", {{ method: "POST" }})).json();
          await (await fetch("/lost")).json();
        }};</script>""",
    )
    assert [address for _, address, _ in (await click(stage)).after.requests] == told


async def test_what_a_handler_puts_off_for_a_moment_belongs_to_the_action(stage: Any, site: Any) -> None:
    site.routes["/search"] = Answer("found", media_type="text/plain")
    await stage.show(
        site,
        """<label>Search <input id=s></label><p id=out></p><script>let timer; s.oninput = () => {
          clearTimeout(timer);
          timer = setTimeout(async () => { out.textContent = await (await fetch("/search")).text(); }, 300);
        };</script>""",
    )
    for _ in range(3):
        report = await stage.actor.type_text(Find("css", "#s"), "abc")
        assert report.outcome.after.requests == (("GET", "/search", 200),)
    assert await stage.actor.page.inner_text("#out") == "found"


async def test_what_waits_until_a_key_is_let_go_is_followed(stage: Any, site: Any) -> None:
    body = "<input onkeyup='setTimeout(() => { out.textContent = event.key; }, 300)'><output id=out></output>"
    await stage.show(site, body)
    await stage.actor.focus(Find("css", "input"))
    await stage.actor.hold("Enter", 0.05)
    assert await stage.actor.page.inner_text("#out") == "Enter"
    await stage.actor.fill(Find("css", "input"), "Emma")
    assert await stage.actor.page.inner_text("#out") == "Unidentified"


FIELDS = {
    "text": ("<input {}>", "Emma"),
    "several lines": ("<textarea {}></textarea>", "Emma"),
    "number": ("<input type=number {}>", "7"),
    "date": ("<input type=date {}>", "2026-06-04"),
    "time": ("<input type=time {}>", "09:30"),
    "editor": ("<p contenteditable=true {}></p>", "Emma"),
}


@pytest.mark.parametrize(("field", "value"), FIELDS.values(), ids=FIELDS)
async def test_what_listens_to_keys_alone_hears_of_what_is_put_in_and_taken_out(
    stage: Any, site: Any, field: str, value: str
) -> None:
    """A page that opens its button once a key is let go, and closes it again."""
    listening = "id=f onkeyup='send.disabled = !(this.value ?? this.innerText).trim()'"
    sent = "<button id=send disabled onclick='out.textContent = &quot;sent&quot;'>Go</button><output id=out></output>"
    await stage.show(site, field.format(listening) + sent)
    await stage.actor.fill(Find("css", "#f"), value)
    await click(stage)
    assert await stage.actor.page.inner_text("#out") == "sent"
    await stage.actor.fill(Find("css", "#f"), "")
    assert await stage.actor.page.is_disabled("#send")


@pytest.mark.breadth(2)
@pytest.mark.parametrize(
    "noise",
    [
        "new EventSource('/events')",
        "setInterval(() => fetch('/poll').then((r) => r.text()), 100)",
        "const poll = () => fetch('/poll').then((r) => r.text()).then(() => setTimeout(poll, 20)); poll()",
        "const wait = () => fetch('/long').then(wait); setTimeout(wait, 1)",
        "fetch('/events').then(async (r) => { for await (const part of r.body) saw(part) })",
        "setInterval(() => { document.title = Date.now() }, 200)",
        "new WebSocket('ws://' + location.host + '/socket')",
        "const tick = () => setTimeout(tick, 100); addEventListener('click', tick)",
    ],
)
async def test_what_never_ends_is_not_waited_for(stage: Any, site: Any, noise: str) -> None:
    gate = site.gate()
    site.routes["/events"] = Answer("data: x\n\n", media_type="text/event-stream", rest="x", rest_after=gate)
    site.routes["/poll"] = Answer("", media_type="text/plain")
    site.routes["/long"] = Answer("", media_type="text/plain", after=gate)
    site.routes["/save"] = Answer("", media_type="text/plain")
    await stage.show(
        site,
        f"""<button id=go>Go</button><p id=out>0</p><script>{noise};
        go.onclick = () => fetch("/save").then(() => {{ out.textContent++ }});</script>""",
    )
    for number in range(1, 4):
        outcome = await click(stage)
        assert outcome.settled == "changed"
        assert ("GET", "/save", 200) in outcome.after.requests
        assert await stage.actor.page.inner_text("#out") == str(number)


async def test_a_request_that_hangs_is_told_as_unsettled(stage: Any, site: Any) -> None:
    site.routes["/hang"] = Answer("", after=site.gate())
    await stage.show(site, """<button onclick="fetch('/hang')">Go</button>""")
    assert (await click(stage)).settled == "unsettled"


@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize(
    "answer",
    [Answer(status=204), Answer("a,b", media_type="text/csv", headers={"Content-Disposition": "attachment"})],
)
async def test_a_navigation_without_a_document_leaves_one_where_one_was(
    stage: Any, site: Any, answer: Answer, method: str
) -> None:
    site.routes["/none"] = Answer(status=302, headers={"Location": "/real"})
    site.routes["/real"] = answer
    await stage.show(site, f"<form action=/none method={method}><button>Go</button></form>")
    outcome = await click(stage)
    assert (outcome.settled, outcome.after.url, site.asked[-1]) == ("quiet", "/", "GET /real")


async def test_routes_in_the_page_are_changes_of_the_same_document(stage: Any, site: Any) -> None:
    await stage.show(
        site, """<a href=#part>Hash</a><button onclick="history.pushState(null, '', '/route')">Go</button>"""
    )
    hashed = await click(stage, "Hash")
    routed = await click(stage)
    assert (hashed.settled, hashed.after.url) == ("changed", "/#part")
    assert (routed.settled, routed.after.url) == ("changed", "/route")
    await stage.actor.navigation.back()
    assert stage.actor.here.url == "/#part"


async def test_a_page_cannot_tell_and_loses_nothing(stage: Any, site: Any) -> None:
    site.routes["/text"] = Answer("body", media_type="text/plain")
    await stage.show(site, "")
    found = await stage.actor.page.evaluate(
        """async () => ({
          natives: [fetch, setTimeout, clearTimeout, window.open, XMLHttpRequest.prototype.send].every(
            (f) => String(f).includes("[native code]")),
          names: [fetch.name, fetch.length, setTimeout.name],
          body: await (await fetch(new Request("/text"))).text(),
          failure: await fetch("http://").catch((error) => error.constructor.name),
          aborted: await fetch("/text", { signal: AbortSignal.abort() }).catch((error) => error.name),
          timer: await new Promise((go) => setTimeout((a, b) => go(a + b), 0, 1, 2)),
          globals: Object.keys(window).filter((key) => key.includes("sim")),
        })"""
    )
    assert found == {
        "natives": True,
        "names": ["fetch", 1, "setTimeout"],
        "body": "body",
        "failure": "TypeError",
        "aborted": "AbortError",
        "timer": 3,
        "globals": [],
    }


TALKING = """<label>Title <input id=title></label><button id=go>Go</button><p id=out></p><script>
  const socket = new WebSocket("ws://" + location.host + "/talk");
  socket.onmessage = (event) => { out.textContent += event.data; };
  title.oninput = () => socket.send("typed");
  go.onclick = () => socket.send("go");
</script>"""


async def test_what_a_socket_answers_belongs_to_the_action(stage: Any, site: Any) -> None:
    gate, came = site.gate(), site.gate()

    def answers(words: str) -> Iterator[str]:
        came.set()
        gate.wait(5)
        yield "saved "
        yield "and told"

    site.sockets["/talk"] = answers
    await stage.show(site, TALKING)
    doing = asyncio.create_task(click(stage))
    await asyncio.to_thread(came.wait, 5)
    assert not doing.done()
    gate.set()
    assert (await doing).settled == "changed"
    assert await stage.actor.page.inner_text("#out") == "saved and told"


async def test_what_changes_in_a_shadow_root_is_a_change_of_the_page(stage: Any, site: Any) -> None:
    await stage.show(
        site,
        """<div id=host></div><script>
        host.attachShadow({mode: "open"}).innerHTML = "<button onclick='this.after(1)'>Go</button>";</script>""",
    )
    assert (await click(stage)).settled == "changed"


async def test_what_a_socket_draws_after_a_receipt_belongs_to_the_action(stage: Any, site: Any) -> None:
    def answers(words: str) -> Iterator[str]:
        yield ""
        time.sleep(0.1)
        yield "drawn"

    site.sockets["/talk"] = answers
    await stage.show(
        site, TALKING.replace("out.textContent += event.data", "if (event.data) out.textContent = event.data")
    )
    await click(stage)
    assert await stage.actor.page.inner_text("#out") == "drawn"


async def test_an_answer_that_comes_slowly_is_heard_to_its_end(stage: Any, site: Any) -> None:
    def answers(words: str) -> Iterator[str]:
        for word in ["", *"abcdefgh"]:
            yield word
            time.sleep(0.04)

    site.sockets["/talk"] = answers
    await stage.show(site, TALKING)
    await click(stage)
    assert await stage.actor.page.inner_text("#out") == "abcdefgh"


async def test_a_socket_that_does_not_answer_is_let_go(stage: Any, site: Any) -> None:
    site.sockets["/talk"] = lambda words: ()
    await stage.show(site, TALKING)
    assert (await click(stage)).settled == "quiet"
    assert (await stage.actor.type_text(Find("css", "#title"), "Emma")).outcome.settled == "quiet"


async def test_a_socket_that_never_falls_silent_is_not_waited_for(stage: Any, site: Any) -> None:
    gate = site.gate()

    def answers(words: str) -> Iterator[str]:
        while not gate.wait(0.02):
            yield "."

    site.sockets["/talk"] = answers
    await stage.show(site, TALKING)
    for _ in range(2):
        assert (await click(stage)).settled in ("changed", "unsettled")


@pytest.mark.parametrize("way", ["<script defer src=/build.js>", "<script type=module src=/build.js>"])
async def test_a_page_that_a_script_builds_once_it_is_read_is_awaited(stage: Any, site: Any, way: str) -> None:
    gate = site.gate()
    listen = "document.querySelector('button').onclick = () => { document.querySelector('#out').textContent = 'done' }"
    site.routes["/build.js"] = Answer(listen, media_type="text/javascript", after=gate)
    doing = asyncio.create_task(stage.show(site, f"<button>Go</button><p id=out></p>{way}</script>"))
    await asyncio.to_thread(site.wait_for, "GET /build.js")
    assert not doing.done()
    gate.set()
    await doing
    await click(stage)
    assert await stage.actor.page.inner_text("#out") == "done"


@pytest.mark.parametrize("ticks", [True, False])
async def test_a_box_that_a_script_ticks_in_a_moment_is_clicked_once(stage: Any, site: Any, ticks: bool) -> None:
    await stage.show(
        site,
        f"""<label><input id=box type=checkbox> Done</label><script>box.onclick = (event) => {{
          event.preventDefault();
          saw("click");
          if ({str(ticks).lower()}) setTimeout(() => {{ box.checked = true; }}, 300);
        }};</script>""",
    )
    with contextlib.nullcontext() if ticks else pytest.raises(NotTaken, match="it is not ticked"):
        await stage.actor.check(Find("css", "#box"), True)
    assert await stage.actor.page.is_checked("#box") is ticks
    assert await stage.seen() == ["click"]


async def test_a_box_that_does_not_say_whether_it_is_ticked_is_not_believed(stage: Any, site: Any) -> None:
    await stage.show(site, "<div role=checkbox tabindex=0 id=box>Done</div>")
    with pytest.raises(ToolError, match="did not change its state"):
        await stage.actor.check(Find("css", "#box"), True)


async def test_a_box_that_is_drawn_anew_when_it_is_ticked_was_ticked(stage: Any, site: Any) -> None:
    await stage.show(
        site,
        """<label id=row><input type=checkbox> Done</label><script>row.onclick = (event) => {
          event.preventDefault();
          saw("click");
          setTimeout(() => { row.innerHTML = "<input type=checkbox checked> Done"; row.onclick = null; }, 300);
        };</script>""",
    )
    assert (await stage.actor.check(Find("css", "input"), True)).outcome.status == "done"
    assert await stage.actor.page.is_checked("input")
    assert await stage.seen() == ["click"]


PARTS = {
    "an imported module": ("module", "import('/part.js')"),
    "a script put in": (
        "text/javascript",
        "const s = document.createElement('script'); s.src = '/part.js'; document.head.append(s)",
    ),
}


@pytest.mark.parametrize("way", PARTS)
async def test_a_part_of_an_application_that_comes_when_it_is_needed_is_awaited(
    stage: Any, site: Any, way: str
) -> None:
    gate = site.gate()
    kind, fetches = PARTS[way]
    site.routes["/app.js"] = Answer(
        f"document.querySelector('button').onclick = () => {{ {fetches}; }};", media_type="text/javascript"
    )
    part = "fetch('/data').then((r) => r.text()).then((text) => { document.querySelector('#out').textContent = text })"
    site.routes["/part.js"] = Answer(part, media_type="text/javascript", after=gate)
    site.routes["/data"] = Answer("the part")
    await stage.show(site, f"<button>Go</button><p id=out></p><script type={kind} src=/app.js></script>")
    doing = asyncio.create_task(click(stage))
    await asyncio.to_thread(site.wait_for, "GET /part.js")
    await asyncio.sleep(0.3)
    assert not doing.done()
    gate.set()
    outcome = await doing
    assert (outcome.settled, outcome.after.notes) == ("changed", ())
    assert await stage.actor.page.inner_text("#out") == "the part"


async def test_modules_that_stand_at_the_end_of_a_slow_document_are_known_for_what_they_are(
    stage: Any, site: Any
) -> None:
    gate, read = site.gate(), site.gate()
    site.routes["/part.js"] = Answer(
        "document.querySelector('#out').textContent = 'the part'", media_type="text/javascript", after=gate
    )
    site.routes["/slow"] = Answer(
        "<title>A page</title><button onclick=\"import('/part.js')\">Go</button><p id=out></p>",
        rest="<script type=module>0</script>",
        rest_after=read,
    )
    going = asyncio.create_task(stage.actor.navigation.goto("/slow"))
    await stage.actor.page.locator("#out").wait_for(state="attached")
    await asyncio.sleep(0.2)
    read.set()
    await going
    doing = asyncio.create_task(click(stage))
    await asyncio.to_thread(site.wait_for, "GET /part.js")
    await asyncio.sleep(0.3)
    assert not doing.done()
    gate.set()
    assert (await doing).settled == "changed"


async def test_a_part_that_has_come_is_awaited_until_it_has_run(stage: Any, site: Any) -> None:
    # Nothing tells that a module is compiled, or waits for the main thread: here it takes its time by itself.
    site.routes["/part.js"] = Answer(
        "await new Promise((go) => setTimeout(go, 100)); await fetch('/data'); history.pushState({}, '', '/view')",
        media_type="text/javascript",
    )
    site.routes["/data"] = Answer("the part")
    await stage.show(site, "<button onclick=\"import('/part.js')\">Go</button><script type=module>0</script>")
    assert (await click(stage)).after.url == "/view"


async def test_a_part_that_never_comes_is_let_go(stage: Any, site: Any) -> None:
    site.routes["/part.js"] = Answer("", media_type="text/javascript", after=site.gate())
    await stage.show(site, "<button onclick=\"import('/part.js')\">Go</button><script type=module>0</script>")
    assert (await click(stage)).status == "done"


async def test_an_application_that_imports_its_parts_while_it_starts_is_read_when_they_are_there(
    stage: Any, site: Any
) -> None:
    def slow(script: str) -> Any:
        def answer(_: str) -> Answer:
            time.sleep(0.02)
            return Answer(script, media_type="text/javascript")

        return answer

    for number in range(3):
        site.routes[f"/part{number}.js"] = slow(f"import('/part{number + 1}.js')")
    site.routes["/part3.js"] = slow("document.body.append('all of it')")
    await stage.show(site, "<script type=module>import('/part0.js')</script>")
    assert "all of it" in await stage.actor.page.inner_text("body")


async def test_an_application_is_read_when_its_parts_have_run_also_the_second_time(stage: Any, site: Any) -> None:
    # A browser has them in its cache then: they come before the document has been read, and take their time to run, a
    # piece at a time, as what is drawn by and by does.
    def slow(_: str) -> Answer:
        time.sleep(0.2)
        return Answer("", media_type="text/javascript")

    run = """
        for (let piece = 0; piece < 10; piece++) {
          await new Promise((go) => setTimeout(go, 40));
          document.body.append(piece);
        }
        await fetch("/data");
        document.body.append("all of it");
    """
    site.routes["/part.js"] = Answer(run, media_type="text/javascript")
    site.routes["/slow.js"] = slow
    site.routes["/data"] = Answer("the part")
    for _ in range(3):
        await stage.show(site, "<script type=module>import('/part.js')</script><script defer src=/slow.js></script>")
        assert "all of it" in await stage.actor.page.inner_text("body")


async def test_an_application_of_several_scripts_is_read_when_they_have_run(stage: Any, site: Any) -> None:
    # As one of Next.js: what the site has drawn stands there at once, and more of it comes by and by.
    run = """
        (async () => {
          for (let piece = 0; piece < 10; piece++) {
            await new Promise((go) => setTimeout(go, 40));
            document.body.append(piece);
          }
          document.body.append("all of it");
        })();
    """
    site.routes["/frame.js"] = Answer("0", media_type="text/javascript")
    site.routes["/part.js"] = Answer(run, media_type="text/javascript")
    for _ in range(3):
        await stage.show(site, "<p>Some</p><script async src=/frame.js></script><script async src=/part.js></script>")
        assert "all of it" in await stage.actor.page.inner_text("body")


async def test_a_part_that_an_application_shows_later_than_it_comes_is_read(stage: Any, site: Any) -> None:
    # React shows what a part gives 300 ms after it has shown that it waits for that, and no earlier.
    put_in = "const s = document.createElement('script'); s.src = '/part.js'; document.head.append(s)"
    site.routes["/part.js"] = Answer(
        "setTimeout(() => document.body.append('all of it'), 300)", media_type="text/javascript"
    )
    await stage.show(site, f"<p>Some</p><script type=module>{put_in}</script>")
    assert "all of it" in await stage.actor.page.inner_text("body")


BY_ANOTHER = "<script>const one = document.createElement('script'); one.src = '/build.js'; document.head.append(one)"


@pytest.mark.parametrize("way", ["<script async src=/build.js>", BY_ANOTHER])
async def test_an_application_whose_script_runs_whenever_it_comes_is_read_when_it_has_run(
    stage: Any, site: Any, way: str
) -> None:
    def slow(_: str) -> Answer:
        time.sleep(0.4)
        return Answer("document.body.append('all of it')", media_type="text/javascript")

    site.routes["/build.js"] = slow
    await stage.show(site, f"{way}</script>")
    assert "all of it" in await stage.actor.page.inner_text("body")


async def test_an_application_that_draws_what_its_socket_tells_is_read_when_it_has_told_all(
    stage: Any, site: Any
) -> None:
    def answers(words: str) -> Iterator[str]:
        for part in ("all ", "of ", "it"):
            time.sleep(0.04)
            yield part

    site.sockets["/talk"] = answers
    await stage.show(
        site,
        """<p id=out></p><script>const socket = new WebSocket("ws://" + location.host + "/talk");
        socket.onopen = () => { out.textContent = "-"; socket.send("begin"); };
        socket.onmessage = (event) => { out.textContent += event.data; };</script>""",
    )
    assert await stage.actor.page.inner_text("#out") == "-all of it"


@pytest.mark.parametrize("timeouts", [Timeouts(action=500, navigation=500, settle=500)], ids=["short"])
@pytest.mark.parametrize("how", ["POST /in", "/in"], ids=["redirected", "at once"])
async def test_a_page_that_never_comes_is_not_waited_for_for_ever(stage: Any, site: Any, how: str) -> None:
    gate = site.gate()
    site.routes["/next"] = Answer("<h1>Next</h1>", after=gate)
    site.routes["POST /in"] = Answer("", 302, headers={"Location": "/next"})
    site.routes["/in"] = site.routes["/next"]
    method = "post" if how.startswith("POST") else "get"
    await stage.show(site, f"<form method={method} action=/in><button>Go</button></form>")
    for act in (stage.actor.click(Find("text", "Go")), stage.actor.view.look(), stage.actor.reader.links()):
        with pytest.raises(ToolError) as raised:
            await act
        assert (raised.value.type, "did not answer within 0.5 s" in raised.value.message) == ("timeout", True)
    gate.set()
    await stage.actor.page.wait_for_selector("h1")
    assert (await stage.actor.view.look()).url == ("/next" if method == "post" else "/in")
