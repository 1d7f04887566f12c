from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from simulator.replay.drift import DriftReport
from simulator.replay.healing import Heal
from simulator.report.as_json import json_text
from simulator.report.follow_up import FollowUp
from simulator.report.junit import junit_xml
from simulator.report.replay_summary import replay_lines
from simulator.runner.events import ReplayedRun, ReplayResult
from tests.report.batches import BATCH

DRIFT = DriftReport(
    "target_contradicted",
    "01a2-source",
    14,
    "click",
    "button 'Save' in card 'Emma'",
    "button 'Save' in card 'Persuasion'",
    agreed=("role: button", "name: Save"),
    contradicted=("scope: expected 'Emma' found 'Persuasion'",),
    candidates=("button 'Save' in card 'Walden'",),
)


def replayed(number: int, drift: DriftReport | None = None, run_id: str = "01a2-replay") -> ReplayedRun:
    verdict = drift.verdict if drift else "passed"
    return ReplayedRun(number, "01a2-source", run_id, "voter", f"ann{number}", verdict, drift, 9, 20, 4.0)


def result(*runs: ReplayedRun, **changes: Any) -> ReplayResult:
    values: dict[str, Any] = {
        "batch_id": BATCH,
        "db": Path("runs.db"),
        "source": Path("shop.db"),
        "site": "bookshop",
        "base_url": "http://127.0.0.1:43210",
        "identity": "same",
        "mode": "strict",
        "runs": runs,
        "seconds": 8.0,
        "state_before": "a" * 64,
        "state_after": "a" * 64,
    }
    return ReplayResult(**(values | changes))


def test_what_was_healed_is_listed() -> None:
    why = ("id 'price'", "form 'Sell'")
    heal = Heal("target", 3, "fill_form", "fill textbox 'Price'", "spinbutton 'Asking price'", why)
    run = replace(replayed(2), verdict="healed", heals=(heal,), revision="01a2-revision")
    lines = replay_lines(result(replayed(1), run, mode="heal"), FollowUp())
    assert lines[0] == "healed: 1 of 2 runs, by 1 heal, replayed on bookshop at http://127.0.0.1:43210 in 8.0 s"
    assert lines[lines.index("healed  user 2, voter ann2") :][1:6] == [
        "  step         3, fill_form",
        "  was          fill textbox 'Price'",
        "  is           spinbutton 'Asking price'",
        "  accepted by  id 'price', form 'Sell'",
        "  revision     sim runs show revision",
    ]
    case = ET.fromstring(junit_xml(result(run, mode="heal"))).find("testsuite/testcase")
    assert case is not None
    told = {one.get("name"): one.get("value") for one in case.iter("property")}
    assert told == {"heal 1": heal.sentence, "revision": "01a2-revision"}
    assert case.find("failure") is None


def test_a_replay_that_passed() -> None:
    assert replay_lines(result(replayed(1), replayed(2)), FollowUp()) == [
        "passed: 2 runs, 40 actions replayed on bookshop at http://127.0.0.1:43210 in 8.0 s",
        "",
        "verdicts  2 passed",
        "state     as recorded (aaaaaaaaaaaa)",
        "",
        f"recorded  as batch {BATCH} in runs.db",
    ]


def test_a_drift_is_told_with_its_step_and_the_evidence_either_way() -> None:
    lines = replay_lines(result(replayed(1), replayed(2, DRIFT), state_after=None), FollowUp())
    assert lines[0] == f"failed: 1 of 2 runs drifted; first: user 2, {DRIFT.sentence}"
    assert lines[2] == "verdicts  1 passed, 1 target_contradicted"
    assert not any(line.startswith("state") for line in lines)
    assert lines[4:] == [
        "target_contradicted  user 2, voter ann2",
        "  step         14, click",
        "  expected     button 'Save' in card 'Emma'",
        "  found        button 'Save' in card 'Persuasion'",
        "  agreed       role: button, name: Save",
        "  contradicted scope: expected 'Emma' found 'Persuasion'",
        "  candidates   button 'Save' in card 'Walden'",
        "  see          sim runs show 2-replay",
        "",
        f"recorded  as batch {BATCH} in runs.db",
    ]


def test_another_end_state_is_a_failure() -> None:
    lines = replay_lines(result(replayed(1), state_after="b" * 64), FollowUp())
    assert lines[0].startswith("failed: all steps passed, but the site ended in another state than recorded")
    assert "state     differs: recorded aaaaaaaaaaaa, now bbbbbbbbbbbb" in lines


def test_a_state_without_a_recorded_one_is_only_told() -> None:
    lines = replay_lines(result(replayed(1), state_before=None), FollowUp())
    assert lines[0].startswith("passed: ")
    assert "the recording holds none to compare it with" in lines[3]


def test_a_run_that_was_not_performed_is_seen_in_its_source() -> None:
    lines = replay_lines(result(replayed(1, DRIFT, run_id="")), FollowUp())
    assert "  see          sim runs show 2-source" in lines


def test_an_interrupted_replay() -> None:
    assert replay_lines(result(replayed(1), interrupted=True), FollowUp())[0].startswith("interrupted: 1 run replayed")


def test_what_is_in_quarantine_is_told_and_does_not_count() -> None:
    known = replace(replayed(2, DRIFT), quarantined="search is being rebuilt")
    again = replace(replayed(3), quarantined="was slow")
    told = result(replayed(1), known, again, quarantine_unused=("nobody",), shard="")
    assert told.passed
    lines = replay_lines(told, FollowUp())
    assert lines[0] == (
        "passed: 3 runs, 60 actions replayed on bookshop at http://127.0.0.1:43210 in 8.0 s; 1 in quarantine drifted"
    )
    at = lines.index("quarantine")
    assert lines[at + 1 : at + 7] == [
        "  user 2, voter (search is being rebuilt)",
        f"    drifts, {DRIFT.sentence}",
        "    sim runs show 2-replay",
        "  user 3, voter (was slow)",
        "    passes again: take it off the list",
        "  'nobody' is none of these runs",
    ]
    assert not result(known, replayed(4, DRIFT)).passed
    lines = replay_lines(result(known, replayed(4, DRIFT)), FollowUp())
    assert lines[0].startswith("failed: 1 of 2 runs drifted; first: user 4, ")
    assert sum(line.startswith("target_contradicted  ") for line in lines) == 1


def test_shares_and_workers_are_named() -> None:
    assert replay_lines(result(replayed(1), shard="2/5", workers=4), FollowUp())[0] == (
        "passed: 1 run, 20 actions replayed on 4 sites of bookshop in 8.0 s, share 2/5"
    )
    assert replay_lines(result(shard="5/5"), FollowUp()) == ["passed: nothing to replay in the share 5/5"]


def test_a_run_that_was_recorded_as_failed_is_told() -> None:
    run = replace(replayed(2), source_run="another", cut_short="failed: the price was refused")
    lines = replay_lines(result(replayed(1), run), FollowUp())
    assert [line for line in lines if "was recorded as" in line] == [
        "recorded  user 2, voter: was recorded as failed: the price was refused; "
        "the replay does what it had done by then"
    ]


def test_how_much_was_checked_is_a_number_for_people_and_for_programs() -> None:
    one, other = (replace(replayed(n), checks={"address": 2, "element": n}) for n in (3, 1000))
    lines = replay_lines(result(one, other), FollowUp())
    assert "checks    1,007 made: 1,003 element, 4 address" in lines
    cases = ET.fromstring(junit_xml(result(one, other))).iter("testcase")
    told = [{each.get("name"): each.get("value") for each in case.iter("property")} for case in cases]
    assert told[:2] == [
        {"checks address": "2", "checks element": "3"},
        {"checks address": "2", "checks element": "1000"},
    ]
    assert [run["checks"] for run in json.loads(json_text(result(one, other)))["runs"]] == [one.checks, other.checks]


def test_a_replay_that_checked_nothing_says_nothing_of_checks() -> None:
    assert not any(line.startswith("checks") for line in replay_lines(result(replayed(1)), FollowUp()))
