"""Pages that are otherwise after a change of the site: shown, and recorded in a revision where a person agrees."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer

from simulator.cli.replays.accept import ask
from simulator.recording.reader import Recording
from simulator.recording.upkeep.promote import promote
from simulator.recording.upkeep.verify import verify
from simulator.runner.replays.options import ReplayOptions
from simulator.runner.replays.updating import accept, review
from simulator.runner.stop import Stop
from tests.runner.bench import Bench, Original, Shop

pytestmark = [pytest.mark.timeout(300), pytest.mark.promise("the rule of evidence in whole runs")]

ALERT = [
    (
        'id="form-title">Log in</h1>',
        'id="form-title">Log in</h1><p role="alert">From June on, log in with your e-mail.</p>',
    )
]


def options(bench: Bench, seller: Original, url: str, shop: Shop, db: Path) -> ReplayOptions:
    site = bench.site(shop).model_copy(update={"base_url": url, "bundled": False})
    return ReplayOptions(
        settings=bench.settings, site=site, source=db, target="all", db=bench.folder / "landing.db", screenshots="none"
    )


@pytest.mark.table
async def test_what_is_accepted_is_required_from_then_on(
    bench: Bench,
    seller: Original,
    spoilt: Callable[..., tuple[str, Shop]],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    mine = tmp_path / "mine.db"
    promote(seller.db, [next(iter(seller.runs().values()))], mine)
    url, shop = spoilt(replace=ALERT)
    stopped = await bench.replay(mine, "stopped", target="all", shop=shop, url=url)
    assert stopped.verdicts == ["postcondition"], "an error sign that was not there"

    url, shop = spoilt(Shop(tmp_path / "second.db"), replace=ALERT)
    reviewed = await review(options(bench, seller, url, shop, mine), lambda event: None, Stop())
    assert reviewed.result.passed
    told = "\n".join(reviewed.lines())
    assert "+ the page shows the error 'From June on, log in with your e-mail.'" in told
    assert "- " not in told.replace("---", "")

    with pytest.raises(typer.Exit) as left:
        ask(reviewed, mine, yes=False)
    assert left.value.exit_code == 1
    said = capsys.readouterr()
    assert "+ the page shows the error" in said.out
    assert said.err == f"sim: {mine} stays as it is; accept with --yes\n"
    with Recording.open(mine) as recording:
        assert len(recording.runs()) == 1

    (revision,) = accept(reviewed, mine).values()
    assert verify(mine) == []
    with Recording.open(mine) as recording:
        run = recording.run(revision)
        assert (run.revision, run.kind) == (2, "record")
        assert "From June on" in str((run.summary or {})["changes"])
    url, shop = spoilt(Shop(tmp_path / "third.db"), replace=ALERT)
    again = await bench.replay(mine, "again", target="all", shop=shop, url=url)
    assert again.verdicts == ["passed"]
    assert [run.source_run for run in again.result.runs] == [revision]


@pytest.mark.slow
@pytest.mark.parametrize(
    "spoil",
    [{"fail": "POST /account/register"}, {"replace": [("Username</label>", "Your handle</label>")]}],
    ids=["an error of the site", "another element"],
)
async def test_what_keeps_a_replay_from_passing_is_not_up_for_review(
    bench: Bench, seller: Original, spoilt: Callable[..., tuple[str, Shop]], spoil: dict[str, Any]
) -> None:
    url, shop = spoilt(**spoil)
    reviewed = await review(options(bench, seller, url, shop, seller.db), lambda event: None, Stop())
    assert not reviewed.result.passed
    assert reviewed.otherwise == {}
    assert shop.effects == []
