"""Sites drawn from a seed, and lies about what was done there: nothing is proven that the site has not kept."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.messages_api import Reply, call
from tests.runner.one_run import OneRun
from tests.sites.drafted import FIELDS, Drafted, Lie, drafted
from tests.tiers import SEED

pytestmark = pytest.mark.promise("sites of any make")

MADE = {
    "Title": "Lantern of the old pier",
    "Text": "Found behind the boathouse, and cleaned since.",
    "Amount": "48.5",
    "Due day": "2027-03-14",
}
SECOND = {**MADE, "Title": "Bench under the lime tree", "Text": "One plank has to be replaced soon.", "Amount": "1250"}
CHANGED = {"Text": "Rust on the handle; the glass is whole.", "Amount": "51"}


def script(site: Drafted) -> Iterator[Reply]:
    """Make two things, change one, pin it, remove the other, and look at the list in between."""
    server = site.ways["drawn"] == "server"
    asks = site.ways["removes"] == "asks" and server
    parts = {
        "edit": "a[href*=edit]",
        "more": "summary",
        "pin": "form[action*=pin] button" if server else "button[data-act=pin]",
        "remove": "a[href*=remove]" if asks else "form[action*=remove] button" if server else "button[data-act=remove]",
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

    for values, kind in ((MADE, "Repair"), (SECOND, "Wish")):
        yield call("navigate", url="/things/new")
        yield from (call("fill", selector=label, value=text) for label, text in values.items())
        yield call("select", selector="Kind", value=kind)
        if values is MADE:
            yield call("check", selector="Open")
        yield call("click", selector='role=button[name="Save"]')
        yield call("navigate", url="/things")
    yield from on_thing(MADE["Title"], "edit")
    for label, text in CHANGED.items():
        yield call("fill", selector=label, value=text)
    yield call("click", selector='role=button[name="Save"]')
    yield from look_for(MADE["Title"])
    yield within(MADE["Title"], "pin")
    yield call("navigate", url="/about")
    yield from on_thing(SECOND["Title"], *(["more"] if site.ways["removes"] == "menu" else []), "remove")
    if asks:
        yield call("click", selector='role=button[name="Yes, remove"]')
    yield call("navigate", url="/about")
    yield call("navigate", url="/things")


FIELD_LIES = [
    *(Lie("make", how, name) for how in ("drop", "alter") for name in FIELDS),
    *(Lie("change", how, name) for how in ("drop", "alter") for name in ("text", "amount")),
]
WHOLE_LIES = [Lie(on, "swallow") for on in ("make", "change", "pin", "remove")]
STEPS = {"make": ("make", "new"), "change": ("change", "edit"), "pin": ("pin",), "remove": ("remove",)}


def told_of(replayed: dict[str, Any], act: str) -> list[list[str]]:
    """Give what was not seen again of each write that a replay tells of an act."""
    steps = {f"/{step}" for step in STEPS[act]}
    return [one["unseen"] for one in replayed["writes"] if any(step in one["url"] for step in steps)]


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
        assert all(told_of(honest, act) for act in STEPS), (site.ways, honest["writes"])
        # Where a list has pages the thing may stand on another one then: a strict replay looks where it was recorded.
        site.again(more=2 if site.ways["paged"] == "no" else 0)
        shifted = run.replay()
        assert shifted["verdict"] == "passed", (site.ways, shifted["drift"])
        others = [one for one in site.kept() if not one["title"].startswith("Brick")]
        assert others == kept, site.ways
        drawn = random.Random(f"{SEED} {seed}")
        wrong: list[Lie] = []
        for lie in (*drawn.sample(WHOLE_LIES, 2), *drawn.sample(FIELD_LIES, 2)):
            site.again()
            site.lie = lie
            lied = run.replay()
            if lied["verdict"] == "passed" and not any(told_of(lied, lie.on)) and site.kept() != kept:
                wrong.append(lie)
        assert wrong == [], site.ways
