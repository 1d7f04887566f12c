"""Sites drawn from a seed, and lies about what was done there: nothing is proven that the site has not kept."""

from __future__ import annotations

import copy
import random
from pathlib import Path
from typing import Any

import pytest

from tests.runner.one_run import OneRun
from tests.sites.drafted.flow import MADE, script
from tests.sites.drafted.pages import LABELS
from tests.sites.drafted.serving import drafted
from tests.sites.drafted.site import FIELDS, Drafted, Lie
from tests.tiers import SEED

pytestmark = pytest.mark.promise("sites of any make")

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


@pytest.mark.breadth(0, table=1, days=2)
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


def touched(site: Drafted, before: dict[str, dict[str, Any]]) -> list[str]:
    """Give what was there before and is otherwise now, or gone."""

    def told(one: dict[str, Any] | None) -> dict[str, Any] | None:
        return one and {name: one[name] for name in one if name not in ("seen", "version")}

    return [called for called, one in before.items() if told(site.things.get(called)) != told(one)]


@pytest.mark.breadth(0, table=1, days=2)
@pytest.mark.parametrize("seed", range(60))
def test_on_a_site_that_is_not_restored_a_replay_acts_on_its_own_things(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    with drafted(seed) as site:
        run = OneRun(tmp_path, site.url, capsys)
        told = run.record(script(site, looks=True))
        assert all(one.success for one in told), (site.ways, [one for one in told if not one.success])
        made = {called for called, one in site.things.items() if one["title"] == MADE["Title"]}
        for lie in (None, *random.Random(f"{SEED} {seed}").sample(FIELD_LIES, 1)):
            before = copy.deepcopy(site.things)
            site.lie, site.taken = lie, {}
            again = run.replay()
            assert touched(site, before) == [], (site.ways, again["drift"])
            own = [one for called, one in site.things.items() if called not in before]
            if again["verdict"] == "passed" and not (lie and is_told(again, lie)):
                like = [site.things[called] for called in made]
                assert [told_of_thing(one) for one in own if not one["removed"]] == [*map(told_of_thing, like)], (
                    site.ways,
                    lie,
                )


def told_of_thing(thing: dict[str, Any]) -> dict[str, Any]:
    """Give what a run has made of a thing."""
    return {name: thing[name] for name in (*FIELDS, "pinned", "removed", "notes")}
