"""What was sent is looked for on pages that the user knows, and no longer than until it is seen."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from simulator.browser.find import Find
from tests.browser.conftest import Answer

pytestmark = pytest.mark.asyncio(loop_scope="session")

FORM = "<form method=post action=/notes><label>Note <input name=text></label><button>Keep</button></form>"


@pytest.mark.parametrize("shows", [True, False])
async def test_one_page_that_shows_it_is_enough(stage: Any, site: Any, shows: bool) -> None:
    for path in ("/about", "/list", "/new"):
        await stage.show(site, f"<h1>{path}</h1>{FORM if path == '/new' else ''}", path)
    site.page("/thanks", "<h1>Thanks</h1>")
    site.routes["POST /notes"] = Answer("", 303, headers={"Location": "/thanks"})
    await stage.actor.fill(Find("label", "Note"), "Paper for the printer")
    await stage.actor.click(Find("role", "button", name="Keep"))
    if shows:
        site.page("/list", "<h1>/list</h1><ul><li>Paper for the printer</ul>")
    asked = site.count("GET /list"), site.count("GET /about")
    effects = await stage.actor.effects.look_back()
    assert [effect.place.url for effect in effects] == ["/list"][:shows]
    assert site.count("GET /list") == asked[0] + 1 + shows  # what shows it is asked for once more
    assert site.count("GET /about") == asked[1] + (not shows)


async def test_a_page_that_the_user_came_to_later_needs_no_look(stage: Any, site: Any) -> None:
    """However many pages were in between: each was read as the user came to it."""
    await stage.show(site, FORM, "/new")
    site.page("/thanks", "<h1>Thanks</h1>")
    site.routes["POST /notes"] = Answer("", 303, headers={"Location": "/thanks"})
    await stage.actor.fill(Find("label", "Note"), "Paper for the printer")
    await stage.actor.click(Find("role", "button", name="Keep"))
    for number in range(15):
        await stage.show(site, f"<h1>Page {number}</h1>", f"/pages/{number}")
    await stage.show(site, "<ul><li>Paper for the printer</ul>", "/list")
    asked = site.count("GET /list"), site.count("GET /pages/14")
    assert await stage.actor.effects.look_back() == []
    assert (site.count("GET /list"), site.count("GET /pages/14")) == asked
    (told,) = stage.actor.observer.proofs.reported()
    assert told.proven


async def send(stage: Any, site: Any, text: str) -> None:
    """Send a note whose answer shows nothing of it."""
    await stage.show(site, FORM, "/new")
    await stage.actor.fill(Find("label", "Note"), text)
    await stage.actor.click(Find("role", "button", name="Keep"))


async def test_one_page_is_opened_for_all_looks_and_shows_nothing_in_between(stage: Any, site: Any) -> None:
    opened: list[Any] = []
    stage.actor.context.on("page", lambda page: opened.append(page))
    site.page("/thanks", "<h1>Thanks</h1>")
    site.routes["POST /notes"] = Answer("", 303, headers={"Location": "/thanks"})
    leaves = "<script>addEventListener('pagehide', () => navigator.sendBeacon('/left'))</script>"
    await stage.show(site, leaves, "/list")
    for number, text in enumerate(("Paper for the printer", "Ink for the pens"), start=1):
        await send(stage, site, text)
        site.page("/list", f"<ul><li>{text}</ul>{leaves}")
        assert [effect.place.url for effect in await stage.actor.effects.look_back()] == ["/list"]
        await asyncio.to_thread(site.wait_for, "POST /left", times=number + 1)  # the user had left it once
    assert len(opened) == 1
    assert stage.actor.windows.tabs()[0].page is stage.actor.page
    assert len(stage.actor.windows.tabs()) == 1


async def test_what_a_page_sends_when_it_is_left_is_no_write_of_the_user(stage: Any, site: Any) -> None:
    await stage.show(site, "<h1>List</h1>", "/list")
    site.page("/thanks", "<h1>Thanks</h1>")
    site.routes["POST /notes"] = Answer("", 303, headers={"Location": "/thanks"})
    await send(stage, site, "Paper for the printer")
    says = "fetch('/left', { method: 'POST' }); return ''"  # whoever leaves it asks that, and nobody before
    leaves = f"<script>Object.defineProperty(window, 'name', {{ get() {{ {says}; }} }})</script>"
    site.page("/list", f"<ul><li>Paper for the printer</ul>{leaves}")
    await stage.actor.effects.look_back()
    await asyncio.to_thread(site.wait_for, "POST /left")
    await stage.show(site, "<button>Go</button>", "/on")
    await stage.actor.click(Find("role", "button", name="Go"))
    assert [action for action, _ in stage.actor.observer.sending.order] == ["4"]  # the press on "Keep"


async def test_each_stretch_of_looks_finds_a_window_as_a_new_one_is(stage: Any, site: Any) -> None:
    """A script may draw what its window has kept, and never ask the site again."""
    counting = (
        "<script>sessionStorage.n = Number(sessionStorage.n || 0) + 1; fetch('/seen/' + sessionStorage.n)</script>"
    )
    site.page("/thanks", "<h1>Thanks</h1>")
    site.routes["POST /notes"] = Answer("", 303, headers={"Location": "/thanks"})
    await stage.show(site, "<h1>List</h1>", "/list")
    for text in ("Paper for the printer", "Ink for the pens"):
        await send(stage, site, text)
        site.page("/list", f"<ul><li>{text}</ul>{counting}")
        await stage.actor.effects.look_back()
    assert (site.count("GET /seen/1"), site.count("GET /seen/2")) == (2, 0)


async def test_a_page_that_does_not_answer_keeps_nobody_from_the_next_look(stage: Any, site: Any) -> None:
    site.page("/thanks", "<h1>Thanks</h1>")
    site.routes["POST /notes"] = Answer("", 303, headers={"Location": "/thanks"})
    await stage.show(site, "<h1>List</h1>", "/list")
    await send(stage, site, "Paper for the printer")
    await stage.actor.windows.open_beside()
    await stage.actor.windows.beside.close()  # as one that has crashed
    site.page("/list", "<ul><li>Paper for the printer</ul>")
    assert [effect.place.url for effect in await stage.actor.effects.look_back()] == ["/list"]


_WINDOW = """async () => {
  const picture = await new Promise((seen) => new IntersectionObserver(seen).observe(document.querySelector("#far")));
  const frame = await new Promise(requestAnimationFrame);
  const corner = document.elementFromPoint(innerWidth - 2, innerHeight - 2);
  const box = document.querySelector("#corner").getBoundingClientRect();
  return {
    size: [innerWidth, innerHeight, outerWidth, outerHeight, screen.width, screen.height, screen.availHeight],
    pixels: [devicePixelRatio, visualViewport.scale, visualViewport.width, visualViewport.height],
    turned: [screen.orientation.type, screen.orientation.angle],
    media: ["(min-width: 1000px)", "(hover)", "(pointer: fine)", "(min-resolution: 1dppx)", "(max-resolution: 1dppx)",
      "(prefers-reduced-motion)", "(orientation: landscape)"].map((one) => matchMedia(one).matches),
    box: [box.x, box.y, box.width, box.height],
    corner: corner && corner.id,
    far: picture[0].isIntersecting,
    root: picture[0].rootBounds && [picture[0].rootBounds.width, picture[0].rootBounds.height],
    stands: [document.visibilityState, document.hidden, typeof frame, matchMedia("print").matches],
    text: document.querySelector("p").innerText,
  };
}"""


async def test_a_page_finds_in_a_look_the_window_that_it_finds_otherwise(stage: Any, site: Any) -> None:
    body = (
        "<p>Small <small>and</small> large</p>"
        "<div id=corner style='position:fixed;right:0;bottom:0;width:10vw;height:10vh'></div>"
        "<div id=far style='position:absolute;top:1500px;width:20px;height:20px'></div>"
    )
    await stage.show(site, body, "/list")
    found = await stage.actor.page.evaluate(_WINDOW)
    beside = await stage.actor.windows.open_beside()
    for _ in range(2):  # a document, and the one after it
        await beside.goto(f"{site.url}/list")
        assert await beside.evaluate(_WINDOW) == found
        await beside.goto("about:blank")
    await beside.close()


APP = """<h1>Club</h1><form><label>Note <input name=text></label><button>Keep</button></form><div id=told></div><script>
const draw = () => { document.querySelector("h1").textContent = location.hash; };
addEventListener("hashchange", draw);
draw();
fetch("/told.json").then((got) => got.json()).then((notes) => {
  told.innerHTML = notes.map((one) => `<p>${one}</p>`).join("");
});
document.querySelector("form").onsubmit = (event) => {
  event.preventDefault();
  fetch("/notes", {method: "POST", body: new FormData(event.target)}).then(() => event.target.reset());
};
</script>"""


@pytest.mark.parametrize("lasts", [True, False])
async def test_each_look_at_a_view_behind_a_hash_loads_its_document(stage: Any, site: Any, lasts: bool) -> None:
    """A message that the site tells once is no proof: the second look, at the same view, does not show it."""
    told: list[list[str]] = []
    site.routes["GET /told.json"] = lambda _: Answer(
        json.dumps(told.pop(0) if told else []), media_type="application/json"
    )
    site.routes["POST /notes"] = Answer("", 204)
    site.page("/app", APP)
    await stage.actor.navigation.goto("/app#/list")
    await stage.actor.fill(Find("label", "Note"), "Paper for the printer")
    await stage.actor.click(Find("role", "button", name="Keep"))
    told += [["Paper for the printer"]] * (9 if lasts else 1)
    await stage.actor.effects.look_back()
    (write,) = stage.actor.observer.proofs.reported()
    assert write.proven is lasts


@pytest.mark.parametrize("everywhere", [True, False])
async def test_what_all_pages_send_as_they_load_is_no_act_of_one_of_them(
    stage: Any, site: Any, everywhere: bool
) -> None:
    """As a session that is drawn out: the user, who went on by steps within one document, has never seen it sent."""
    asks = "<script>fetch('/session', {method: 'POST'})</script>"
    site.routes["POST /session"] = Answer("{}", media_type="application/json")
    for path in ("/about", "/list", "/new"):
        await stage.show(site, f"<h1>{path}</h1>{FORM if path == '/new' else ''}", path)
    site.page("/thanks", "<h1>Thanks</h1>")
    site.routes["POST /notes"] = Answer("", 303, headers={"Location": "/thanks"})
    await stage.actor.fill(Find("label", "Note"), "Paper for the printer")
    await stage.actor.click(Find("role", "button", name="Keep"))
    site.page("/list", f"<h1>/list</h1><ul><li>Paper for the printer</ul>{asks}")
    for path in ("/about", "/new", "/thanks"):
        site.page(path, f"<h1>{path}</h1>{asks if everywhere else ''}")
    await stage.actor.effects.look_back(ended=True)
    (write,) = stage.actor.observer.proofs.reported()
    assert write.proven is everywhere
