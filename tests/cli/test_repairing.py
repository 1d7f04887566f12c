"""``sim replay --mode agent`` as a person calls it: what it needs before anything is done."""

from __future__ import annotations

from pathlib import Path

import pytest

from simulator.recording import Recording
from tests.seam import needs_bookshop

COMMITTED = Path(__file__).parents[2] / "recordings" / "bookshop.db"


@needs_bookshop
@pytest.mark.parametrize(
    ("options", "code", "told"),
    [
        ([], 3, "no key of one is set: set ANTHROPIC_API_KEY or OPENAI_API_KEY"),
        (["--agent", "claude"], 3, "ANTHROPIC_API_KEY"),
        (["--agent", "autopilot"], 2, "it has no model"),
    ],
)
def test_without_a_model_nothing_is_done(
    sim, folder: Path, monkeypatch: pytest.MonkeyPatch, options: list[str], code: int, told: str
) -> None:
    for name in (
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_AUTH_TOKEN",
        "ANTHROPIC_BASE_URL",
        "OPENAI_API_KEY",
        "OPENAI_BASE_URL",
    ):
        monkeypatch.delenv(name, raising=False)
    db = folder / "replayed.db"
    done = sim("replay", COMMITTED, "--mode", "agent", "--db", db, *options)
    assert (done.code, told in done.err) == (code, True), done.err
    if db.exists():
        with Recording.open(db) as recording:
            assert recording.batches() == []
    assert not (folder / "bookshop.db").exists(), "the shop was not even started"
