"""A page whose library writes JSON otherwise is read, acted on and followed like any other."""

from __future__ import annotations

from typing import Any

import pytest

from simulator.browser.find import Find

pytestmark = pytest.mark.asyncio(loop_scope="session")
_FORM = "<form method=post action=/keep><label>Note <input name=note></label><button>Keep</button></form>"
LIBRARIES = {
    "arrays and texts that write themselves": """
        Array.prototype.toJSON = function () { return "[" + this.join(", ") + "]"; };
        String.prototype.toJSON = function () { return "text"; };
        Object.prototype.toJSON = function () { return 1; };""",
    "a JSON of its own": "window.JSON = {stringify: () => 'none', parse: () => { throw new Error('none'); }};",
    "functions of its own": "JSON.stringify = () => 'none'; JSON.parse = () => { throw new Error('none'); };",
}


@pytest.mark.parametrize("library", LIBRARIES.values(), ids=LIBRARIES)
async def test_what_a_library_makes_of_json_changes_nothing(stage: Any, site: Any, library: str) -> None:
    site.page("/keep", "<h1>Kept</h1><p role=alert>All is well</p>")
    await stage.show(site, f"<script>{library}</script>{_FORM}")
    taught = await stage.actor.page.evaluate("() => typeof Array.prototype.toJSON")
    filled = await stage.actor.fill(Find("label", "Note"), "Paper")
    assert filled.written is not None
    assert filled.written.became == "held"
    assert [field.label for form in await stage.actor.reader.forms() for field in form.fields] == ["Note"]
    assert await stage.actor.page.evaluate("() => typeof Array.prototype.toJSON") == taught
    outcome = (await stage.actor.click(Find("text", "Keep"))).outcome
    assert (outcome.settled, outcome.after.url, outcome.after.alerts) == ("navigated", "/keep", ("All is well",))
    sent = outcome.observed.writes
    assert [[one.part for one in write.carried] for write in sent] == [["note"]]
