"""Applications drawn from a seed, and lies about what was done there: nothing is proven that the site has not kept."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from tests.runner.one_run import OneRun
from tests.sites.drafted.app import LIES, App
from tests.sites.drafted.app_flow import calls
from tests.sites.drafted.app_serving import application
from tests.sites.drafted.pages import LABELS
from tests.sites.drafted.site import FIELDS, Lie
from tests.tiers import SEED

pytestmark = pytest.mark.promise("sites of any make")


def act_of(write: dict[str, Any]) -> str:
    """Give what a write does, by its operation or its address."""
    if write["operation"]:
        return str(write["operation"]).removesuffix("Thing").removeprefix("things.").removesuffix("()")
    of, act = [*write["url"].split("/")[3:], "", ""][:2]
    return "remove" if write["method"] == "DELETE" else act or ("change" if of else "make")


def is_told(replayed: dict[str, Any], lie: Lie) -> bool:
    """Whether a replay says that it has not seen what was lied about: the field, or something of the write."""
    told = [one["unseen"] for one in replayed["writes"] if act_of(one) == lie.on]
    told = told[lie.nth - 1 if lie.nth else 0 :][: 1 if lie.nth else None]
    named = {LABELS.get(lie.field, lie.field).casefold(), lie.field}
    return any(not named.isdisjoint(map(str.casefold, one)) if lie.field in FIELDS else bool(one) for one in told)


def kept_of_ours(site: App) -> list[dict[str, Any]]:
    """Give what a site keeps, without what makes its list longer."""
    return [one for one in site.kept() if not one["title"].startswith("Brick")]


@pytest.mark.breadth(0, table=1, days=2)
@pytest.mark.parametrize("seed", [*range(60), *range(160, 190), 217])
def test_what_a_drafted_application_does_not_keep_is_not_proven(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    with application(seed) as site:
        run = OneRun(tmp_path, site.url, capsys)
        told = run.record(calls(site))
        assert all(one.success for one in told), (site.ways, [one for one in told if not one.success])
        kept = site.kept()
        # Where a list comes by parts the thing may stand in another one then.
        for more in (0, 2) if site.ways["pages"] != "more" else (0,):
            site.again(more=more)
            honest = run.replay()
            assert honest["verdict"] == "passed", (site.ways, honest["drift"])
            assert kept_of_ours(site) == kept, site.ways
        wrong: list[Lie] = []
        for lie in random.Random(f"{SEED} {seed}").sample(LIES, 3):
            site.again()
            site.lie = lie
            lied = run.replay()
            if lied["verdict"] == "passed" and not is_told(lied, lie) and site.kept() != kept:
                wrong.append(lie)
        assert wrong == [], site.ways
