"""What a seeding says of what it made."""

from __future__ import annotations

from simulator.report.seeding import seeded_lines
from simulator.runner.events import Seeded


def seeded(passed: int, there: int = 0) -> Seeded:
    return Seeded(
        asked=60, first=1, planned=60, seed="7", casts=(), shared=(), left_over=0, passed=passed, there=there,
        earlier=(), cut_off=0, not_begun=59 - passed, halted="",
    )  # fmt: skip


def test_users_who_are_there_already_are_told_with_what_adds_the_rest() -> None:
    said = "\n".join(seeded_lines(seeded(0), 3.0, collided=True))
    assert "may be users of this seed whom an earlier seeding has made" in said
    assert "sim seed … --ensure 60 --seed 7" in said


def test_the_rest_is_added_where_some_were_made() -> None:
    assert "--ensure 60" in "\n".join(seeded_lines(seeded(20), 3.0))
    assert "--ensure" not in "\n".join(seeded_lines(seeded(0), 3.0))
    assert "--ensure" not in "\n".join(seeded_lines(seeded(0), 3.0, collided=True, goes_on=True))
