from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree as ET

from simulator.report.junit import junit_xml
from simulator.runner.events import ReplayResult
from tests.report.test_replay_summary import DRIFT, replayed, result


def suite(told: ReplayResult) -> ET.Element:
    (found,) = ET.fromstring(junit_xml(told))
    return found


def counts(found: ET.Element) -> tuple[str | None, ...]:
    return tuple(found.get(name) for name in ("tests", "failures", "errors", "skipped"))


def test_every_run_is_a_case_and_so_is_the_end_state() -> None:
    found = suite(result(replayed(1), replayed(2)))
    assert counts(found) == ("3", "0", "0", "0")
    cases = [(case.get("classname"), case.get("name"), case.get("time")) for case in found.findall("testcase")]
    assert cases[0] == ("voter", "user 1 ann1 (01a2-source)", "4.000")
    assert cases[2][:2] == ("site", "the end state is the recorded one")
    assert found.find("properties/property[@name='site']").get("value") == "bookshop"  # type: ignore[union-attr]


def test_a_drift_is_a_failure_with_its_evidence() -> None:
    found = suite(result(replayed(1), replayed(2, DRIFT), state_after=None, state_before=None))
    assert counts(found) == ("2", "1", "0", "0")
    failure = found.find("testcase/failure")
    assert failure is not None
    assert (failure.get("type"), failure.get("message")) == ("target_contradicted", DRIFT.sentence)
    assert "scope: expected 'Emma' found 'Persuasion'" in (failure.text or "")


def test_what_could_not_be_performed_is_an_error_and_what_was_stopped_is_skipped() -> None:
    down = replace(DRIFT, verdict="environment")
    stopped = replace(replayed(3), verdict="interrupted")
    found = suite(result(replayed(1, down), stopped, interrupted=True))
    assert counts(found) == ("2", "0", "1", "1")


def test_another_end_state_is_a_failure() -> None:
    found = suite(result(replayed(1), state_after="b" * 64))
    assert counts(found) == ("2", "1", "0", "0")


def test_what_xml_cannot_hold_is_replaced() -> None:
    odd = replace(DRIFT, found="a\x00b\x1b[31m <b>&\ud800")
    failure = suite(result(replayed(1, odd), state_before=None)).find("testcase/failure")
    assert failure is not None
    assert "found a\ufffdb\ufffd[31m <b>&\ufffd" in str(failure.get("message"))


def test_a_drift_in_quarantine_is_skipped_with_its_cause() -> None:
    known = replace(replayed(2, DRIFT), quarantined="search is being rebuilt")
    again = replace(replayed(3), quarantined="was slow")
    found = suite(result(replayed(1), known, again, state_after=None, state_before=None, shard="2/5"))
    assert counts(found) == ("3", "0", "0", "1")
    skipped = found.find("testcase/skipped")
    assert skipped is not None
    assert skipped.get("message") == f"in quarantine (search is being rebuilt): {DRIFT.sentence}"
    assert found.find("properties/property[@name='shard']").get("value") == "2/5"  # type: ignore[union-attr]
