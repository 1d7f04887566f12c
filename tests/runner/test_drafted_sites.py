"""Sites drawn from a seed, and lies about what was done there: nothing is proven that the site has not kept."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.messages_api import Reply, call
from tests.runner.one_run import OneRun
from tests.sites.drafted.pages import LABELS
from tests.sites.drafted.serving import drafted
from tests.sites.drafted.site import FIELDS, KINDS, Drafted, Lie
from tests.tiers import SEED

pytestmark = pytest.mark.promise("sites of any make")

MADE = {
    "Title": "Lantern of the old pier",
    "Text": "Found behind the boathouse, and cleaned since.",
    "Amount": "48.5",
    "Due day": "2027-03-14",
}
SECOND = {**MADE, "Title": "Bench under the lime tree", "Text": "One plank has to be replaced soon.", "Amount": "1250"}
NOTE = "Asked the neighbours on Sunday."
CHANGED = {"Text": "Rust on the handle; the glass is whole.", "Amount": "51"}


def chosen(site: Drafted, kind: str) -> Reply:
    """Choose the kind of a thing."""
    if site.ways["inputs"] == "radios":
        return call("check", selector=f'role=radio[name="{KINDS[kind]}"]')
    return call("select", selector="Kind", value=KINDS[kind])


def script(site: Drafted) -> Iterator[Reply]:
    """Make two things, change one, pin it, remove the other, and look at the list in between."""
    asks = site.ways["removes"] == "asks" and not site.scripted
    parts = {
        "edit": "a[href*=edit]",
        "more": "summary",
        "pin": "button[data-act=pin]" if site.scripted else "form[action*=pin] button",
        "remove": (
            "a[href*=remove]" if asks else "button[data-act=remove]" if site.scripted else "form[action*=remove] button"
        ),
    }

    def within(title: str, part: str) -> Reply:
        place = 1 + [one["title"] for one in site.listed(site.page_of(title))].index(title)
        card = {"table": "tbody tr", "cards": "section > div", "rows": "main li"}[site.ways["list"]]
        return call("click", selector=f"{card}:nth-of-type({place}) {parts[part]}")

    def look_for(title: str) -> Iterator[Reply]:
        yield call("navigate", url="/things")
        yield from (call("click", selector='role=link[name="Next"]') for _ in range(site.page_of(title) - 1))

    def on_thing(title: str, *steps: str) -> Iterator[Reply]:
        yield from look_for(title)
        if site.ways["at"] == "list":
            yield from (within(title, step) for step in steps)
        else:
            yield call("click", selector=f'role=link[name="{title}"]')
            yield from (call("click", selector=f"main {parts[step]}") for step in steps)

    for values, kind in ((MADE, "r"), (SECOND, "w")):
        if site.ways["makes"] == "dialog":
            yield call("navigate", url="/things")
            yield call("click", selector="h1 + details summary")
        else:
            yield call("navigate", url="/things/new")
        for label, text in values.items():
            yield call("fill", selector=label, value=text)
            if label == "Text" and site.ways["makes"] == "steps":
                yield call("click", selector='role=button[name="Next step"]')
        yield chosen(site, kind)
        if values is MADE:
            yield call("check", selector="Open")
        yield call("click", selector='role=button[name="Save"]')
        yield call("navigate", url="/things")
    yield from on_thing(MADE["Title"], *(["edit"] if site.ways["edits"] != "inline" else []))
    for label, text in CHANGED.items():
        if site.ways["edits"] == "inline":
            yield call("click", selector=f'role=button[name="Change {label}"]')
        yield call("fill", selector=label, value=text)
        if site.ways["edits"] == "inline":
            yield call("press_key", key="Enter", selector=label)
        elif label == "Text" and site.ways["makes"] == "steps":
            yield call("click", selector='role=button[name="Next step"]')
    if site.ways["edits"] == "form":
        yield call("click", selector='role=button[name="Save"]')
    if site.ways["notes"] == "notes":
        yield from on_thing(MADE["Title"])
        yield call("fill", selector="Note", value=NOTE)
        yield call("click", selector='role=button[name="Add note"]')
    yield from look_for(MADE["Title"])
    yield within(MADE["Title"], "pin")
    yield call("navigate", url="/about")
    if site.ways["removes"] == "many":
        yield from look_for(SECOND["Title"])
        yield call("check", selector=f"Choose {SECOND['Title']}")
        yield call("click", selector='role=button[name="Remove chosen"]')
    else:
        yield from on_thing(SECOND["Title"], *(["more"] if site.ways["removes"] == "menu" else []), "remove")
    if asks:
        yield call("click", selector='role=button[name="Yes, remove"]')
    yield call("navigate", url="/about")
    yield call("navigate", url="/things")
    if site.ways["gone"] == "bin":
        yield call("navigate", url="/bin")


FIELD_LIES = [
    *(
        Lie("make", how, name, nth)
        for how in ("drop", "alter")
        for name in FIELDS
        for nth in (1, 2)
        if (name, nth) != ("open", 2)
    ),
    *(Lie("change", how, name) for how in ("drop", "alter") for name in ("text", "amount")),
]
WHOLE_LIES = [
    *(Lie("make", "swallow", nth=nth) for nth in (1, 2)),
    *(Lie(on, "swallow") for on in ("change", "pin", "remove")),
    *(Lie(on, "other") for on in ("change", "pin", "remove")),
]
NOTE_LIES = [Lie("note", "alter", "note"), Lie("note", "swallow"), Lie("note", "other")]
STEPS = {"make": ("make", "new"), "change": ("change", "edit"), **{one: (one,) for one in ("pin", "note", "remove")}}


def told_of(replayed: dict[str, Any], act: str) -> list[list[str]]:
    """Give what was not seen again of each write that a replay lists of an act."""
    return [
        one["unseen"]
        for one in replayed["writes"]
        if any(f"/{step}" in one["url"] for step in STEPS[act]) or one["operation"] == f"{act}Thing"
    ]


def is_told(replayed: dict[str, Any], lie: Lie) -> bool:
    """Whether a replay says that it has not seen what was lied about: the field, or something of the write."""
    told = told_of(replayed, lie.on)[lie.nth - 1 if lie.nth else 0 :][: 1 if lie.nth else None]
    named = {LABELS.get(lie.field, lie.field).casefold(), lie.field}
    return any(not named.isdisjoint(map(str.casefold, one)) if lie.field in FIELDS else bool(one) for one in told)


@pytest.mark.breadth(1, table=1)
@pytest.mark.parametrize("seed", range(60))
def test_what_a_drafted_site_does_not_keep_is_not_proven(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    with drafted(seed) as site:
        run = OneRun(tmp_path, site.url, capsys)
        told = run.record(script(site))
        assert all(one.success for one in told), (site.ways, [one for one in told if not one.success])
        kept = site.kept()
        site.again()
        honest = run.replay()
        assert (honest["verdict"], site.kept()) == ("passed", kept), (site.ways, honest["drift"])
        acts = [act for act in STEPS if act != "note" or site.ways["notes"] == "notes"]
        assert all(told_of(honest, act) for act in acts), (site.ways, honest["writes"])
        # Where a list has pages the thing may stand on another one then: a strict replay looks where it was recorded.
        site.again(more=2 if site.ways["paged"] == "no" else 0)
        shifted = run.replay()
        assert shifted["verdict"] == "passed", (site.ways, shifted["drift"])
        others = [one for one in site.kept() if not one["title"].startswith("Brick")]
        assert others == kept, site.ways
        drawn = random.Random(f"{SEED} {seed}")
        wrong: list[Lie] = []
        notes = NOTE_LIES if "note" in acts else []
        for lie in (*drawn.sample([*WHOLE_LIES, *notes], 2), *drawn.sample(FIELD_LIES, 2)):
            site.again()
            site.lie = lie
            lied = run.replay()
            if lied["verdict"] == "passed" and not is_told(lied, lie) and site.kept() != kept:
                wrong.append(lie)
        assert wrong == [], site.ways
