"""An address that is another one each time, told from an address of something else."""

from __future__ import annotations

import pytest

from simulator.replay.varying import varying


@pytest.mark.parametrize(
    ("recorded", "now", "varies"),
    [
        ("/done?at=1701", "/done?at=1702", "/done?at={{changing}}"),
        ("/a/{{site.a_1}}?at=1701&by=me", "/a/42?at=1702&by=me", "/a/{{site.a_1}}?at={{changing}}&by=me"),
        ("/of-2025-q1/view", "/of-2026-q2/view", "/{{changing}}/view"),
        ("/step-2", "/step-3", ""),
        ("/done?page=2", "/done?page=3", ""),
        ("/orders/confirmed", "/orders/failed", ""),
        ("/done?status=ok", "/done?status=error", ""),
        ("/done?at=1701", "/done?at=1702&error=2", ""),
        ("/done?at=1701", "/done", ""),
        ("/a/1701", "/a/1701/edit", ""),
        ("/a/1701", "/a/1701", ""),
        ("/a#x1701", "/a#x1702", ""),
    ],
)
def test_only_what_holds_several_digits_in_both_may_change(recorded: str, now: str, varies: str) -> None:
    assert varying(recorded, now) == varies
