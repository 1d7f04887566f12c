"""What was sent is looked for on pages that the user knows, and no longer than until it is seen."""

from __future__ import annotations

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
