from __future__ import annotations

from pathlib import Path

from simulator.report.follow_up import FollowUp
from simulator.report.summary import batch_lines
from simulator.runner.events import TaskOutcome
from tests.report.batches import BATCH, batch, outcome

GOOD = outcome(1, TaskOutcome("register", "done", 1.2), TaskOutcome("list_books", "done", 3.4))
BAD = outcome(
    2, TaskOutcome("register", "done", 1.4), TaskOutcome("list_books", "failed", 2.0, "the price was refused")
)


def test_a_batch_that_passed() -> None:
    assert batch_lines(batch(GOOD, made={"users": 1, "listings": 3, "covers": 3}), FollowUp(reset=True)) == [
        "passed: 1 user, 12 steps on bookshop at http://127.0.0.1:43210 in 61 s",
        "",
        "made      1 user, 3 listings, 3 covers",
        "",
        "task        count     p50     p95     max  failed  skipped",
        "register        1  1.20 s  1.20 s  1.20 s",
        "list_books      1  3.40 s  3.40 s  3.40 s",
        "",
        f"batch     {BATCH} in /project/recordings/runs.db",
        "seed      7",
        f"replay    sim replay {BATCH} --reset",
    ]


def test_the_first_line_of_a_batch_that_failed_is_the_cause() -> None:
    lines = batch_lines(batch(GOOD, BAD), FollowUp())
    assert lines[0].startswith("failed: 1 of 2 users on bookshop")
    assert lines[0].endswith("first: collector ann2: list_books: the price was refused")


def test_each_failure_has_its_reason_and_the_command_that_shows_it() -> None:
    lines = batch_lines(batch(GOOD, BAD), FollowUp(db=Path("my runs.db")))
    at = lines.index("failed    user 2, collector ann2: list_books: the price was refused")
    assert lines[at + 1].strip() == "sim runs show 00000002 --db 'my runs.db'"
    assert next(line for line in lines if line.startswith("list_books")).split() == [
        "list_books", "2", "2.00", "s", "3.40", "s", "3.40", "s", "1",
    ]  # fmt: skip


def test_a_long_list_of_failures_is_cut() -> None:
    lines = batch_lines(batch(*[BAD] * 25), FollowUp())
    assert sum(line.startswith("failed    ") for line in lines) == 20
    assert "          and 5 more; 'sim runs list' has them" in lines


def test_a_batch_that_was_interrupted() -> None:
    lines = batch_lines(batch(GOOD, interrupted=True), FollowUp())
    assert lines[0].startswith("interrupted: 1 of 1 user that had started finished")


def test_blocked_requests_are_counted() -> None:
    lines = batch_lines(batch(GOOD, blocked=("http://ads.example/x", "http://ads.example/y")), FollowUp())
    assert "blocked   2 requests to other hosts, such as http://ads.example/x" in lines


def test_the_replay_command_goes_to_the_same_site_and_file() -> None:
    follow = FollowUp(db=Path("a.db"), base_url="http://127.0.0.1:9", reset=False)
    assert follow.replay(BATCH) == f"sim replay {BATCH} --db a.db --base-url http://127.0.0.1:9"
