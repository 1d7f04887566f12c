"""Dialogs that nobody recorded, drawn at random: one that opened by itself is closed, and that never sends anything."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from simulator.browser.acting.gestures import gesture
from simulator.browser.action_recorder import ActionKind, ActionStart
from simulator.browser.find import Find
from simulator.browser.launch.script import selector
from simulator.errors import ToolError
from simulator.replay.evidence.query import Query
from simulator.replay.evidence.resolve import compile_query
from simulator.replay.healing import Healer
from simulator.replay.plan import Plan, PlannedStep
from tests.browser.conftest import Answer
from tests.replay.rows import action, run, step

pytestmark = pytest.mark.asyncio(loop_scope="session")

SAVE = """<form method=post action=/items/42><label>Title <input name=title id=title></label>
<label>Kind <select name=kind id=kind><option>Lamp<option>Chair</select></label><button id=it>Save</button></form>"""
FIELDS: tuple[tuple[ActionKind, str, str], ...] = (
    ("fill", "#title", "Chair"), ("type", "#title", "Chair"), ("press", "#title", "C"), ("select", "#kind", "Chair"),
)  # fmt: skip
"""What is done to a field: no pointer comes there."""
CLOSERS = (
    "<button type=button onclick='gone()'>&times;</button>",
    "<button type=button aria-label=Close onclick='gone()'><svg width=9 height=9><path d='M0 0L9 9'/></svg></button>",
    "<button type=button aria-label=Schließen onclick='gone()'>✕</button>",
    "<a href='#' role=button class='modal-close' onclick='gone(); return false'><i>\ue5cd</i></a>",
    "<button type=button class=btn-close data-bs-dismiss=modal onclick='gone()'></button>",
)
OTHER_ICONS = (
    "<button type=button aria-label=Settings onclick='sent()'>⚙</button>",
    "<button type=button onclick='sent()'><svg width=9 height=9><path d='M0 0H9'/></svg></button>",
)
COVER = "position:fixed;inset:0;background:#000c;z-index:9"
BOXES = (
    f"<div id=d style='{COVER}'><div role=dialog aria-label='{{}}' style='background:#fff;margin:20%'>{{}}</div></div>",
    f"<div id=d role=dialog aria-modal=true aria-label='{{}}' style='{COVER};color:#fff'>{{}}</div>",
    "<dialog id=d aria-label='{}'>{}</dialog><script>d.showModal()</script>",
)
ESCAPES = "<script>addEventListener('keydown', (event) => event.key === 'Escape' && gone())</script>"
LIES = {
    "sends": "fetch('/seen', {method: 'POST'})",
    "sends late": "setTimeout(() => fetch('/seen', {method: 'POST'}), 60)",
    "beacon": "navigator.sendBeacon('/seen', 'x')",
    "leaves": "location.href = '/elsewhere'",
    "form": "(document.forms[0].requestSubmit())",
    "speaks": "document.body.append('Your draft is gone')",
}


@dataclass(frozen=True)
class Case:
    """A page with a dialog."""

    page: str
    honest: bool
    says: str
    modal: bool


def drawn(random: Random) -> Case:
    box, closer = random.choice(BOXES), random.choice(CLOSERS)
    kind = random.choice((*["honest"] * 5, *LIES, "icon", "filled", "alertdialog", "two", "no way"))
    inside = random.choice(("<h2>News</h2><p>We have moved.</p>", "<h2>Neu</h2><p>Mehr dazu</p><button>Mehr</button>"))
    does, escape = LIES.get(kind, ""), ""
    if kind == "honest" and random.random() < 0.3:
        closer, escape = "", ESCAPES
    elif kind == "icon":
        closer = random.choice(OTHER_ICONS)
    elif kind == "filled":
        inside += "<input value='half a letter'>"
    elif kind == "no way":
        closer = ""
        box = box.replace("<dialog ", "<dialog oncancel='return false' ")
    sent = "const sent = () => fetch('/seen', {method: 'POST'})"
    script = f"<script>{sent}; const gone = () => {{ d.remove(); {does} }}</script>"
    dialog = box.format(random.choice(("News", "Neuigkeiten", "Subscribe")), inside + closer)
    if kind == "alertdialog":
        dialog = dialog.replace("role=dialog", "role=alertdialog").replace("<dialog ", "<dialog role=alertdialog ")
    if kind == "two":
        dialog += f"<div role=dialog aria-label=Another style='{COVER};inset:90% 0 0 0'>{closer}</div>"
    # One of the browser's own goes by Escape, whatever icon it has.
    by_escape = kind == "icon" and "showModal" in box
    return Case(script + SAVE + dialog + escape, kind == "honest" or by_escape, kind, "odal" in box)


async def put(stage: Any, kind: ActionKind, query: Query, value: str) -> None:
    """Act on a field as a replay does, with little patience."""
    found = selector("sim", query.model_dump(exclude_defaults=True))
    start = ActionStart(kind, stage.actor.name)
    await stage.actor.runner.carry_out(start, lambda: gesture(stage.actor.page, kind, found, value, {}, 500))


async def case(stage: Any, site: Any, one: Case) -> str:
    site.routes |= {
        f"{method} {path}": Answer("", 204) for method in ("GET", "POST") for path in ("/seen", "/items/42")
    }
    await stage.show(site, SAVE)
    target = await stage.actor.resolver.take(Find("css", "#it"))
    await stage.actor.view.follow()
    await stage.show(site, one.page)
    query = compile_query(target, str)
    healer = Healer(Plan(run(), (), (), ()), True, None, (), pause_s=0.15)
    before = len(site.asked)
    told = await healer.close(stage.actor, PlannedStep(step(), ()), action("click"), query)
    if told != "":
        assert not site.asked[before:], f"{one.says}: {site.asked[before:]}\n{one.page}"
        return "refused"
    await stage.perform("click", query.model_dump(exclude_defaults=True))
    assert site.asked[before:] == ["POST /items/42"], f"{one.says}: {site.asked[before:]}\n{one.page}"
    assert [one.kind for one in healer.heals] == ["overlay"]
    return "closed"


async def field(stage: Any, site: Any, one: Case, kind: ActionKind, css: str, value: str) -> str:
    """Put something into a field under a dialog: never before it is closed."""
    site.routes |= {f"{method} {path}": Answer("", 204) for method in ("GET", "POST") for path in ("/seen", "/items")}
    await stage.show(site, SAVE)
    target = await stage.actor.resolver.take(Find("css", css))
    await stage.actor.view.follow()
    await stage.show(site, one.page)
    query = compile_query(target, str)
    holds = f"() => document.querySelector('{css}').value"
    before = await stage.actor.page.evaluate(holds)
    with pytest.raises(ToolError, match=r"shut off by|is covered by"):
        await put(stage, kind, query, value)
    assert await stage.actor.page.evaluate(holds) == before, f"{one.says}: written behind it\n{one.page}"
    healer = Healer(Plan(run(), (), (), ()), True, None, (), pause_s=0.15)
    asked = len(site.asked)
    told = await healer.close(stage.actor, PlannedStep(step(), ()), action(kind), query)
    assert not site.asked[asked:], f"{one.says}: {site.asked[asked:]}\n{one.page}"
    if told != "":
        return "refused"
    await put(stage, kind, query, value)
    assert await stage.actor.page.evaluate(holds) == value
    return "closed"


async def cases(stage: Any, site: Any, seeds: range) -> None:
    told: Counter[str] = Counter()
    for seed in seeds:
        one = drawn(Random(f"dialog {seed}"))
        came = await case(stage, site, one)
        assert came == ("closed" if one.honest else "refused"), f"seed {seed}, {one.says}: {came}\n{one.page}"
        told[came] += 1
    assert min(told.values()) > len(seeds) // 10
    assert len(told) == 2


async def test_a_dialog_that_opened_by_itself_is_closed_or_it_is_drift(stage: Any, site: Any) -> None:
    await cases(stage, site, range(5))


@pytest.mark.table
async def test_more_dialogs_that_opened_by_themselves(stage: Any, site: Any) -> None:
    await cases(stage, site, range(5, 30))


@pytest.mark.slow
@pytest.mark.timeout(900)
async def test_no_dialog_sends_anything_in_many_cases(stage: Any, site: Any) -> None:
    await cases(stage, site, range(1000, 1200))


@pytest.mark.parametrize(("kind", "css", "value"), FIELDS)
async def test_nothing_is_put_into_a_field_behind_a_dialog_that_opened_by_itself(
    stage: Any, site: Any, kind: ActionKind, css: str, value: str
) -> None:
    told: Counter[str] = Counter()
    drawn_from = (drawn(Random(f"field {kind} {seed}")) for seed in range(100))
    shut = [one for one in drawn_from if one.honest or one.says in ("icon", "filled", "no way")]
    for one in [one for one in shut if one.modal][:3]:
        came = await field(stage, site, one, kind, css, value)
        assert came == ("closed" if one.honest else "refused"), f"{one.says}: {came}\n{one.page}"
        told[came] += 1
    assert told["closed"]


async def test_a_field_of_a_dialog_and_one_beside_what_our_act_opened_are_written(stage: Any, site: Any) -> None:
    opens = (
        "document.body.insertAdjacentHTML('beforeend', '<div role=dialog aria-modal=true aria-label=Help>Help</div>')"
    )
    asks = "<dialog id=d aria-label=Ask><input name=why id=why></dialog><script>d.showModal()</script>"
    await stage.show(site, f'{SAVE}<button id=open onclick="{opens}">Help</button>')
    await stage.actor.click(Find("css", "#open"))
    await stage.actor.page.add_style_tag(content=f"[aria-modal] {{ {COVER} }}")
    await stage.actor.fill(Find("css", "#title"), "Chair")
    await stage.show(site, SAVE + asks, "/asks")
    await stage.actor.fill(Find("css", "#why"), "So")
    with pytest.raises(ToolError, match='shut off by dialog "Ask"'):
        await stage.actor.fill(Find("css", "#title"), "Chair")


async def test_what_our_own_act_opened_is_not_closed(stage: Any, site: Any) -> None:
    await stage.show(site, f"<script>const gone = () => d.remove()</script>{SAVE}<button id=open>Open</button>")
    target = await stage.actor.resolver.take(Find("css", "#it"))
    await stage.actor.view.follow()
    asks = f"<div id=d role=dialog aria-label=Sure? style='{COVER}'>Sure?{CLOSERS[0]}</div>".replace("'", "\\'")
    await stage.actor.page.evaluate(
        f"() => document.querySelector('#open').onclick = () => document.body.insertAdjacentHTML('beforeend', '{asks}')"
    )
    await stage.actor.click(Find("css", "#open"))
    healer = Healer(Plan(run(), (), (), ()), True, None, (), pause_s=0.1)
    assert await healer.close(stage.actor, PlannedStep(step(), ()), action("click"), compile_query(target, str)) is None
    with pytest.raises(ToolError):
        await stage.perform("click", compile_query(target, str).model_dump(exclude_defaults=True) | {"patience": 100.0})


@pytest.mark.parametrize("has", [True, False])
async def test_words_mean_a_field_of_the_modal_part_in_front_and_none_behind_it(
    stage: Any, site: Any, has: bool
) -> None:
    own = "<div>Last name</div><div><input id=own></div>" if has else "<p>Nobody</p>"
    asks = f"<div role=dialog aria-modal=true aria-label=Edit style='{COVER}'>{own}</div>".replace("'", "\\'")
    opens = f"onclick=\"document.body.insertAdjacentHTML('beforeend', '{asks}')\""
    await stage.show(site, f"<label>Last name <input id=filter></label><button id=open {opens}>Edit</button>")
    await stage.actor.click(Find("css", "#open"))
    if has:
        await stage.actor.fill(Find("label", "Last name"), "Brook")
        assert await stage.actor.page.input_value("#own") == "Brook"
    else:
        with pytest.raises(ToolError, match="fits label 'Last name'"):
            await stage.actor.fill(Find("label", "Last name"), "Brook")
    assert await stage.actor.page.input_value("#filter") == ""
