"""An address that is another one each time, told from an address of something else."""

from __future__ import annotations

import pytest

from simulator.replay.varying import varying


@pytest.mark.parametrize(
    ("recorded", "now", "varies"),
    [
        ("/done?at=17", "/done?at=18", "/done?at={{changing}}"),
        (
            "/a/{{site.a_1}}?at=17&by=me",
            "/a/42?at=18&by=me",
            "/a/{{site.a_1}}?at={{changing}}&by=me",
        ),
        ("/report-q1/view", "/report-q2/view", "/{{changing}}/view"),
        ("/orders/confirmed", "/orders/failed", ""),
        ("/done?status=ok", "/done?status=error", ""),
        ("/done?at=17", "/done?at=18&error=2", ""),
        ("/done?at=17", "/done", ""),
        ("/a/1", "/a/1/edit", ""),
        ("/a/1", "/a/1", ""),
        ("/a#x1", "/a#x2", ""),
    ],
)
def test_only_what_holds_a_digit_in_both_may_change(recorded: str, now: str, varies: str) -> None:
    assert varying(recorded, now) == varies
