"""Sites that say that they kept what they did not keep: no write is called proven, and honest ones are.

The site's layouts and messages are drawn by seed, and so is what it does with a write; its own store decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun
from tests.sites.receipts import FIELDS, MESSAGES, Lie, Receipts, serving_receipts
from tests.tiers import SEED, Judged

pytestmark = [pytest.mark.timeout(600), pytest.mark.promise("no lie is proven")]

NOTE = "Found in the shed behind the old mill, a little rusty."
FLOW = [
    call("navigate", url="/new"),
    call("fill", selector="Title", value="Border spade"),
    call("fill", selector="Amount", value="21.00"),
    call("fill", selector="Note", value=NOTE),
    call("select_option", selector="Kind", value="toy"),
    call("check", selector="Urgent"),
    call("click", selector="role=button[name='Save']"),
    call("click", selector="role=link[name='All things']"),
    call("click", selector="main a"),
    call("click", selector="role=link[name='Change']"),
    call("fill", selector="Amount", value="24.50"),
    call("click", selector="role=button[name='Save']"),
    call("click", selector="role=link[name='All things']"),
]
LIES = [
    *(Lie(kind, write, (name,)) for kind in ("dropped", "altered") for write in (0, 1) for name in FIELDS),
    *(Lie("swapped", write, ("title", "note")) for write in (0, 1)),
    *(Lie("swallowed", write) for write in (0, 1)),
    Lie("doubled"),
]


@pytest.fixture
def site(request: pytest.FixtureRequest) -> Iterator[Receipts]:
    with serving_receipts(request.param) as receipts:
        yield receipts


@pytest.mark.breadth(0, table=1)
@pytest.mark.parametrize("site", [11], indirect=True)
def test_a_choice_that_no_page_tells_is_not_proven(
    site: Receipts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What nobody chose is dropped, and a browser shows the first option of the list all the same."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    site.shows_first = True
    run = OneRun(tmp_path, site.url, capsys)
    told = run.record(FLOW)
    assert all(one.success for one in told), told
    site.empty()
    assert [one["unseen"] for one in run.replay()["writes"]] == [[], []]
    for write in (0, 1):
        site.empty()
        site.lie = Lie("dropped", write, ("stage",))
        replayed = run.replay()
        proven = {at for at, one in enumerate(replayed["writes"]) if not one["unseen"]}
        assert not proven & site.false, (write, replayed)


@pytest.mark.breadth(1, table=2)
@pytest.mark.parametrize("site", range(2 * len(MESSAGES)), indirect=True)
def test_a_lie_is_never_proven(
    site: Receipts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], judged: Judged
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    run = OneRun(tmp_path, site.url, capsys)
    told = run.record(FLOW)
    assert all(one.success for one in told), told
    site.empty()
    replayed = run.replay()
    assert (replayed["verdict"], site.writes, site.false) == ("passed", 2, set()), replayed
    assert [one["unseen"] for one in replayed["writes"]] == [[], []]
    for lie in Random(f"{SEED} {site.seed}").sample(LIES, 3):
        site.empty()
        site.lie = lie
        replayed = run.replay()
        proven = {at for at, one in enumerate(replayed["writes"]) if not one["unseen"]}
        judged(0, False, bool(proven & site.false))
        told_of = replayed["verdict"], replayed["drift"], replayed["writes"]
        assert not proven & site.false, f"{lie} {site.message} leads to {site.lands}: {told_of}"
