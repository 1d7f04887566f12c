"""A replay on a page that is another one by now stops, and does nothing to what stands there instead.

What it would do wrong reaches the site: every page posts what was done to it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from simulator.browser.timeouts import Timeouts
from simulator.replay.drift import Drift
from tests.conformance import recorded
from tests.conformance.recorded import Theatre
from tests.conformance.table import Row, Stage
from tests.small_run import SmallSite

pytestmark = pytest.mark.asyncio(loop_scope="session")
TELL = """<script>
  const tell = (what) => fetch("/did", { method: "POST", body: new URLSearchParams({ what }) });
</script>"""
MENUS = (
    TELL
    + """<ul><li>Emma <button oncontextmenu="tell('Emma')" ondblclick="tell('Emma')">More</button></li>
<li>Persuasion <button oncontextmenu="tell('Persuasion')" ondblclick="tell('Persuasion')">More</button></li></ul>"""
)
DRAG = (
    TELL
    + """<div role=listitem aria-label=Card draggable=true id=card>Card</div>
<div role=group aria-label=Done id=a style='height:60px'>Done</div>
<div role=group aria-label=Bin id=b style='height:60px'>Bin</div><script>
  for (const place of [a, b]) {
    place.ondragover = (event) => event.preventDefault();
    place.ondrop = () => tell(place.getAttribute("aria-label"));
  }
</script>"""
)
UPLOAD = TELL + """<label>Photo <input type=file onchange="tell('photo')"></label>"""
KEYS = TELL + """<label>Title <input onfocus="tell('focus')" onkeydown="tell(event.key)"></label>"""
TABS = TELL + "<a href=/other target=_blank>Other</a><button onclick=\"tell('saved')\">Save</button>"


async def _right(stage: Stage) -> None:
    await stage.did("right_click", selector="li:nth-child(1) button")


async def _double(stage: Stage) -> None:
    await stage.did("double_click", selector="li:nth-child(1) button")


async def _drag(stage: Stage) -> None:
    await stage.did("drag", source="#card", target="#a")


async def _upload(stage: Stage) -> None:
    (stage.run.workdir / "a.png").write_bytes(b"png")
    await stage.did("upload_file", selector="Photo", name="a.png")


async def _keys(stage: Stage) -> None:
    await stage.did("press_keys", selector="Title", keys=["End"])


async def _focus(stage: Stage) -> None:
    await stage.did("focus", selector="Title")


async def _tabs(stage: Stage) -> None:
    await stage.did("click", selector="Other")
    await stage.did("switch_tab", tab=1)
    await stage.did("switch_tab", tab=2)
    await stage.did("close_tab")
    await stage.did("click", selector="Save")


async def _wait(stage: Stage) -> None:
    await stage.did("wait", text="Open", timeout=5000)
    await stage.did("right_click", selector="li:nth-child(1) button")


@pytest.mark.breadth(2, table=-1)
@pytest.mark.parametrize(
    ("body", "act", "old", "new", "verdict"),
    [
        (MENUS, _right, "<li>Emma ", "<li>Sanditon ", "target_missing"),
        (MENUS, _double, "<li>Emma ", "<li>Sanditon ", "target_missing"),
        (DRAG, _drag, "aria-label=Done", "aria-label=Archive", "target_missing"),
        (DRAG, _drag, "aria-label=Card", "aria-label=Other", "target_missing"),
        (DRAG, _drag, "aria-label=Bin", "aria-label=Done", "target_ambiguous"),
        (UPLOAD, _upload, "Photo", "Contract", "target_missing"),
        (KEYS, _keys, "Title", "Price", "target_missing"),
        (KEYS, _focus, "Title", "Price", "target_missing"),
        (TABS, _tabs, " target=_blank", "", "postcondition"),
        ("<h1>Open</h1>" + MENUS, _wait, "<h1>Open", "<h1>Closed", "postcondition"),
    ],
    ids=lambda value: value.__name__.strip("_") if callable(value) else "",
)
async def test_a_replay_stops(
    theatre: Theatre,
    small_site: SmallSite,
    body: str,
    act: Callable[[Stage], Awaitable[None]],
    old: str,
    new: str,
    verdict: str,
) -> None:
    async def play(stage: Stage) -> None:
        small_site.pages["/other"] = "<h1>Other</h1>"
        small_site.answers["/did"] = lambda fields: (200, "")
        await stage.open(body)
        await act(stage)
        assert small_site.posts
        stage.opened[0] = replace(stage.opened[0], body=body.replace(old, new, 1))

    row: Any = Row("browser", "any", "a changed page", play, "", {})
    with pytest.raises(Drift) as drift:
        await theatre.play(row)
    assert drift.value.report.verdict == verdict, drift.value.report
    assert small_site.posts == []


async def test_a_page_that_freezes_is_not_waited_for_for_ever(
    theatre: Theatre, small_site: SmallSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = TELL + "<button onclick=\"tell('saved')\">Save</button>"
    freezing = "<script>onpointerdown = () => { for (;;); };</script>"

    async def play(stage: Stage) -> None:
        small_site.answers["/did"] = lambda fields: (200, "")
        await stage.open(body)
        await stage.did("click", selector="Save")
        stage.opened[0] = replace(stage.opened[0], body=body + freezing)
        monkeypatch.setattr(recorded, "_TIMEOUTS", Timeouts(action=500, navigation=1000, settle=500))

    row: Any = Row("browser", "any", "a page that freezes", play, "", {})
    with pytest.raises(Drift) as drift:
        await replace(theatre, patience_ms=500).play(row)
    assert drift.value.report.verdict == "site_error"
    assert "did not answer within 7.5 s" in drift.value.report.found
    assert small_site.posts == []
