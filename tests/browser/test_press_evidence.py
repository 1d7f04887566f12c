"""What pressing an element does is evidence: on forms drawn at random, nothing else than what was recorded is done.

Each case is a form as it was recorded and the same form after a change: buttons renamed, moved, taken away, or sending
something else. What was done is read from what the server got.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Literal
from urllib.parse import parse_qsl

import pytest

from simulator.browser.action_recorder import ActionStart
from simulator.browser.evidence import Press, Target
from simulator.browser.find import Find
from simulator.browser.launch.script import selector
from simulator.errors import ToolError
from simulator.replay.drift import DriftReport
from simulator.replay.evidence.resolve import compile_query
from simulator.replay.healing import Healer, Mended
from simulator.replay.plan import Plan, PlannedStep
from tests.browser.conftest import Answer
from tests.replay.rows import action, run, step

pytestmark = pytest.mark.asyncio(loop_scope="session")

Way = Literal["plain", "address", "method", "value", "override"]
ACTS = ("save", "delete", "publish", "draft", "archive")
WORDS = {"save": "Save", "delete": "Delete", "publish": "Publish item", "draft": "Save as draft", "archive": "Archive"}
OTHER_WORDS = ("Keep", "Go on", "Done", "Remove for good", "Send it")


@dataclass(frozen=True)
class Button:
    """A button of a form: what it says, what pressing it does, and how the page says so."""

    act: str
    words: str
    way: Way
    id: str = ""
    test_id: str = ""
    number: int = 42
    numbered: bool = False

    @property
    def html(self) -> str:
        marks = (f" id={self.id}" if self.id else "") + (f" data-testid={self.test_id}" if self.test_id else "")
        if self.way == "address":
            marks += f" formaction=/items/{self.number}/{self.act}"
        elif self.way == "method":
            marks += f" formmethod={'get' if self.act in ('publish', 'archive') else 'post'} formaction=/do/{self.act}"
        elif self.way == "value":
            marks += f" name=op value={self.act}" + (f"-{self.number}" if self.numbered else "")
        return f"<button{marks}>{self.words}</button>"


@dataclass(frozen=True)
class Form:
    """A form with several buttons, or with one and a hidden field that says what it does."""

    buttons: tuple[Button, ...]
    number: int = 42

    @property
    def html(self) -> str:
        hidden = "".join(
            f"<input type=hidden name=_method value={'delete' if one.act == 'delete' else 'patch'}>"
            for one in self.buttons
            if one.way == "override"
        )
        inside = "<label>Title <input name=title value=Emma></label>" + "".join(one.html for one in self.buttons)
        token = "<input type=hidden name=csrf value=3f9a77c0d1e2b4a59687>"
        return f"<form aria-label=Item method=post action=/items/{self.number}>{token}{hidden}{inside}</form>"


def deed_of(asked: str, body: str) -> str:
    """Tell what a request does, as the server of such a form understands it."""
    method, _, address = asked.partition(" ")
    path, _, query = address.partition("?")
    sent = dict(parse_qsl(query if method == "GET" else body))
    if "op" in sent:
        return sent["op"].partition("-")[0]
    last = path.rpartition("/")[2]
    if not last.isdigit():
        return f"{method} {last}"
    return f"{method} {sent.get('_method', '')}"


def drawn(random: Random) -> Form:
    """Draw a form as it is when it is recorded."""
    number = random.randrange(10, 99)
    if random.random() < 0.25:
        act = random.choice(("save", "delete"))
        return Form((mark(random, Button(act, WORDS[act], "override")),), number)
    acts = random.sample(ACTS, random.randrange(1, 5))
    ways: list[Way] = [random.choice(("address", "method", "value")) for _ in acts]
    if random.random() < 0.5:
        ways[0] = "plain"
    return Form(tuple(mark(random, Button(act, WORDS[act], way)) for act, way in zip(acts, ways, strict=True)), number)


def mark(random: Random, button: Button) -> Button:
    return replace(
        button,
        id=f"b-{button.act}" if random.random() < 0.7 else "",
        test_id=f"t-{button.act}" if random.random() < 0.2 else "",
        number=random.randrange(10, 99),
        numbered=random.random() < 0.5,
    )


def changed(random: Random, form: Form, pressed: Button) -> Form:
    """Change a form as sites change; sometimes only what the site has generated is another."""
    number = random.randrange(10, 99)
    buttons = [replace(one, number=number) for one in form.buttons]
    at = [one.act for one in buttons].index(pressed.act)
    kind = random.choice(("same", "gone", "renamed", "swapped", "retargeted", "reworded", "alone", "overridden"))
    if kind == "gone":
        del buttons[at]
    elif kind == "renamed":
        buttons[at] = replace(buttons[at], words=random.choice(OTHER_WORDS))
    elif kind == "swapped":
        other = random.randrange(len(buttons))
        words = buttons[at].words, buttons[other].words
        buttons[other] = replace(buttons[other], words=words[0])
        buttons[at] = replace(buttons[at], words=words[1])
    elif kind == "retargeted":
        act = random.choice([one for one in ACTS if one != pressed.act])
        way: Way = random.choice(("address", "method", "value"))
        buttons[at] = replace(buttons[at], act=act, way=way)
    elif kind == "reworded":
        buttons = [replace(one, words=random.choice(OTHER_WORDS)) for one in buttons]
    elif kind == "alone":
        act = random.choice([one for one in ACTS if one != pressed.act])
        way = random.choice(("address", "value"))
        buttons = [replace(buttons[at], act=act, words=WORDS[act], way=way)]
    elif kind == "overridden":
        way = random.choice(("override", "plain"))
        buttons[at] = replace(buttons[at], way=way)
    return Form(tuple(buttons), number)


def answering(site: Any, form: Form) -> None:
    site.page("/", form.html)
    for path in [f"/items/{form.number}", *(f"/do/{act}" for act in ACTS)]:
        site.routes[f"POST {path}"] = site.routes[f"GET {path}"] = Answer("", 204)
    for one in form.buttons:
        site.routes[f"POST /items/{one.number}/{one.act}"] = Answer("", 204)


async def done(stage: Any, site: Any, found: str) -> str:
    """Press what a selector proves, and tell what that did; empty where it was refused."""
    before = len(site.asked)
    try:
        await stage.actor.runner.carry_out(
            ActionStart("click", stage.actor.name), lambda: stage.actor.page.click(found, timeout=1000)
        )
    except ToolError:
        assert len(site.asked) == before
        return ""
    (asked,), (body,) = site.asked[before:], site.bodies[before:]
    return deed_of(asked, body)


async def healed(stage: Any, target: Target) -> str:
    """Give the selector of what is healed onto; empty where nothing is."""
    query = compile_query(target, str)
    plan = Plan(run(), (), (), ())
    healer = Healer(plan=plan, same=True, login_path=None, recorded=())
    drift = DriftReport("target_missing", "run-1", 1, "click", "", "")
    mended = await healer.mend(stage.actor, PlannedStep(step(), ()), action("click", target, before=None), query, drift)
    if not isinstance(mended, Mended):
        return ""
    return selector("sim", {**mended.query.model_dump(exclude_defaults=True), "patience": 100.0})


async def case(stage: Any, site: Any, seed: str) -> str:
    random = Random(seed)
    form = drawn(random)
    pressed = random.choice(form.buttons)
    answering(site, form)
    await stage.actor.navigation.goto("/")
    recorded = await stage.actor.resolver.take(Find("text", pressed.words))
    await stage.actor.view.follow()
    act = await done(stage, site, selector("sim", compile_query(recorded, str).model_dump(exclude_defaults=True)))
    assert act
    now = changed(random, form, pressed)
    answering(site, now)
    await stage.actor.navigation.goto("/")
    query = compile_query(recorded, str).model_dump(exclude_defaults=True) | {"patience": 100.0}
    did = await done(stage, site, selector("sim", query))
    mode = "strict"
    if not did:
        await stage.actor.navigation.goto("/")
        found = await healed(stage, recorded)
        did, mode = await done(stage, site, found) if found else "", "healed"
    assert did in ("", act), f"{seed}: '{pressed.html}' of {form.html}\ndid {act}; {mode} of {now.html}\ndid {did}"
    return mode if did else "refused"


async def cases(stage: Any, site: Any, seeds: range) -> None:
    told = Counter([await case(stage, site, f"press {seed}") for seed in seeds])
    # No case at all is wrong; the right ones are told apart, so that refusing everything does not pass either.
    assert told["strict"] > len(seeds) // 10, told
    assert told["refused"] > len(seeds) // 4, told
    assert told["healed"] > 0, told


@pytest.mark.table
async def test_no_press_does_anything_else_than_the_recorded_one(stage: Any, site: Any) -> None:
    await cases(stage, site, range(24))


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("part", range(5))
async def test_no_press_does_anything_else_in_many_cases(stage: Any, site: Any, part: int) -> None:
    await cases(stage, site, range(1000 + part * 200, 1000 + (part + 1) * 200))


PRESSES: dict[str, tuple[str, Press]] = {
    "nothing but its form": ("<button>", Press(sends="post /items/{id}")),
    "the form's address is the page's": ("<button form=bare>", Press(sends="get /")),
    "another address": ("<button formaction=/items/7/delete>", Press(sends="post /items/{id}/delete")),
    "another method": ("<button formmethod=GET>", Press(sends="get /items/{id}")),
    "a method that there is not": ("<button formmethod=delete>", Press(sends="get /items/{id}")),
    "a value": ("<button name=op value=save>", Press(sends="post /items/{id}", submitter="op=save")),
    "a name alone": ("<button name=op>", Press(sends="post /items/{id}", submitter="op=")),
    "a value without a name": ("<button value=save>", Press(sends="post /items/{id}")),
    "an id": ("<button name=op value=delete-42>", Press(sends="post /items/{id}", submitter="op=delete-{id}")),
    "a number": ("<button name=delete value=42>", Press(sends="post /items/{id}", submitter="delete={id}")),
    "a flag": ("<button name=public value=0>", Press(sends="post /items/{id}", submitter="public=0")),
    "an id in the name": ("<button name=delete[42]>", Press(sends="post /items/{id}", submitter="delete[{id}]=")),
    "a slug": ("<button name=go value=emma-3f9a>", Press(sends="post /items/{id}", submitter="go=emma-{id}")),
    "a script": ("<button type=button name=op value=x>", Press()),
    "a link": ("<a href=/x>", Press()),
    "a link of another method": ("<a href=/x data-method=DELETE>", Press(override="data-method=delete")),
    "a request of a script": ("<button type=button hx-delete=/items/42>", Press(override="hx-delete=/items/{id}")),
}


@pytest.mark.breadth(4)
@pytest.mark.parametrize("name", PRESSES)
async def test_what_pressing_does_is_read_from_the_page(stage: Any, site: Any, name: str) -> None:
    html, press = PRESSES[name]
    await stage.show(site, f"<form id=bare></form><form method=post action=/items/42>{html.replace('>', ' id=it>')}Go")
    assert (await stage.actor.resolver.take(Find("css", "#it"))).press == press


@pytest.mark.parametrize(
    ("hidden", "override"),
    [
        ("<input type=hidden name=_method value=DELETE>", "_method=delete"),
        ("<input type=hidden name=X-HTTP-Method-Override value=PUT>", "X-HTTP-Method-Override=put"),
        ("<input type=hidden name=verb value=patch>", "verb=patch"),
        ("<input type=hidden name=_method value=destroy>", "_method=destroy"),
        ("<input type=hidden name=_method value=delete disabled>", ""),
        ("<input type=hidden name=csrf value=3f9a77c0d1e2b4a5><input type=hidden name=_token value=put-secret>", ""),
        ("<input type=hidden name=payment_method value=card>", ""),
        ("<input type=hidden name=_method value=3f9a77c0d1e2b4a596877f>", ""),
    ],
)
async def test_what_overrides_the_method_is_told_and_no_token(
    stage: Any, site: Any, hidden: str, override: str
) -> None:
    await stage.show(site, f"<form method=post action=/items/42>{hidden}<input id=field><button id=it>Go</button>")
    for css in ("#it", "#field"):
        press = (await stage.actor.resolver.take(Find("css", css))).press
        assert press == Press(sends="post /items/{id}", override=override)


ENTER = "<form method=post action=/items/42><label>Title <input id=title></label>{}</form>"


async def test_enter_in_a_field_does_what_it_did_and_filling_it_may(stage: Any, site: Any) -> None:
    await stage.show(site, ENTER.format("<button name=op value=save>Save</button>"))
    field = await stage.actor.resolver.take(Find("css", "#title"))
    await stage.actor.view.follow()
    await stage.show(site, ENTER.format("<button name=op value=drop>Drop</button><button name=op value=save>Save"))
    fills = compile_query(field, str).model_dump(exclude_defaults=True)
    await stage.perform("fill", fills, "Emma")
    enters = compile_query(field, str, enters=True).model_dump(exclude_defaults=True)
    with pytest.raises(ToolError):
        await stage.perform("press", enters | {"patience": 100.0}, "Enter")
    assert not [one for one in site.asked if one.startswith("POST")]


async def test_what_changes_between_look_and_click_is_not_pressed(stage: Any, site: Any) -> None:
    body = "<form method=post action=/items/42 id=form><button id=it name=op value=save>Save</button></form>"
    ways = (
        "it.value = 'delete'",
        "it.setAttribute('formaction', '/items/42/delete')",
        "form.insertAdjacentHTML('beforeend', '<input type=hidden name=_method value=delete>')",
    )
    for way in ways:
        await stage.show(site, body)
        query = compile_query(await stage.actor.resolver.take(Find("css", "#it")), str).model_dump(
            exclude_defaults=True
        )
        await stage.actor.view.follow()
        await stage.between(way)
        with pytest.raises(ToolError, match="no longer fits"):
            await stage.perform("click", query)
        await stage.show(site, body)
        await stage.between(way)
        with pytest.raises(ToolError, match="became another thing between look and act"):
            await stage.actor.click(Find("css", "#it"))
    assert not [one for one in site.asked if one.startswith("POST")]


async def test_what_an_older_recording_does_not_hold_is_not_asked_for(stage: Any, site: Any) -> None:
    body = "<form method=post action=/items/42><button id=it{}>Save</button></form>"
    await stage.show(site, body.format(""))
    recorded = (await stage.actor.resolver.take(Find("css", "#it"))).model_dump(exclude={"press"})
    await stage.actor.view.follow()
    site.routes["POST /items/42"] = Answer("", 204)
    await stage.show(site, body.format(" name=op value=save"))
    older = Target.model_validate(recorded)
    assert older.press is None
    # Its name attribute is older evidence, and contradicts as ever.
    query = compile_query(older, str).model_dump(exclude_defaults=True) | {"patience": 100.0}
    with pytest.raises(ToolError):
        await stage.perform("click", query)
    await stage.show(site, body.format(" formmethod=post value=x"))
    await stage.perform("click", query)
    assert site.count("POST /items/42") == 1
