"""What came of a replay as JUnit XML, as CI systems read it. Not responsible for: where it is written.

Each recorded run is a test case of its persona. A drift is a failure with the verdict as its type; what kept a run from
being performed (the environment, a run it needs) is an error; a run that was not reached is skipped. Where the site's
end state was compared it is a test case of its own.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from simulator.replay.drift import Verdict
from simulator.report.proof import unseen_words
from simulator.report.replay_summary import GOOD, drift_lines
from simulator.runner.events import ReplayedRun, ReplayResult

_ERRORS: frozenset[Verdict] = frozenset({"environment", "missing_dependency", "unbound_text"})
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_xml(result: ReplayResult) -> str:
    """Write a replay as one JUnit test suite.

    Args:
        result: what came of the replay.

    Returns:
        The document, with its XML declaration.
    """
    suite = ET.Element("testsuite", name=_fit(f"{result.source.name} {result.identity}"))
    properties = ET.SubElement(suite, "properties")
    for name, value in (
        ("batch", result.batch_id),
        ("site", result.site),
        ("base_url", result.base_url),
        ("identity", result.identity),
        ("mode", result.mode),
        *([("shard", result.shard)] if result.shard else []),
    ):
        ET.SubElement(properties, "property", name=name, value=_fit(value))
    for run in result.runs:
        _case(suite, run)
    if result.state_before is not None and not result.interrupted:
        case = ET.SubElement(suite, "testcase", classname="site", name="the end state is the recorded one")
        if result.state_before != result.state_after:
            found = f"recorded {result.state_before}, now {result.state_after}"
            ET.SubElement(case, "failure", type="state", message="the site ended in another state").text = found
    suite.set("tests", str(len(suite.findall("testcase"))))
    for kind in ("failure", "error", "skipped"):
        suite.set(kind if kind == "skipped" else f"{kind}s", str(len(suite.findall(f"testcase/{kind}"))))
    suite.set("time", f"{result.seconds:.3f}")
    root = ET.Element("testsuites")
    root.append(suite)
    ET.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _case(suite: ET.Element, run: ReplayedRun) -> None:
    name = f"user {run.number} {run.username} ({run.source_run})"
    case = ET.SubElement(
        suite, "testcase", classname=_fit(run.persona or "run"), name=_fit(name), time=f"{run.seconds:.3f}"
    )
    if run.heals or run.repairs or run.skipped or run.checks or run.writes:
        told = ET.SubElement(case, "properties")
        for kind, count in run.checks.items():
            ET.SubElement(told, "property", name=f"checks {kind}", value=str(count))
        if run.writes:
            proven = sum(one.proven for one in run.writes)
            ET.SubElement(told, "property", name="writes", value=str(len(run.writes)))
            ET.SubElement(told, "property", name="writes proven", value=str(proven))
        for at, write in enumerate((one for one in run.writes if one.unseen), 1):
            ET.SubElement(told, "property", name=f"not seen again {at}", value=_fit(unseen_words(write)))
        for at, one in enumerate(run.skipped, 1):
            ET.SubElement(told, "property", name=f"skipped {at}", value=_fit(one))
        for at, heal in enumerate(run.heals, 1):
            ET.SubElement(told, "property", name=f"heal {at}", value=_fit(heal.sentence))
        for at, repair in enumerate(run.repairs, 1):
            told_of = f"{repair.sentence}; {repair.spending}"
            ET.SubElement(told, "property", name=f"repair {at}", value=_fit(told_of))
        if run.revision:
            ET.SubElement(told, "property", name="revision", value=run.revision)
    if run.verdict in GOOD:
        return
    message = run.drift.sentence if run.drift else str(run.verdict)
    if run.verdict == "interrupted" and run.drift is None:
        ET.SubElement(case, "skipped", message="stopped before its end")
        return
    if run.quarantined:
        ET.SubElement(case, "skipped", message=_fit(f"in quarantine ({run.quarantined}): {message}"))
        return
    outcome = "error" if run.verdict in _ERRORS else "failure"
    failed = ET.SubElement(case, outcome, type=run.verdict, message=_fit(message))
    failed.text = _fit("\n".join(drift_lines(run.drift))) if run.drift else None


def _fit(text: str) -> str:
    """Replace what XML cannot hold."""
    return _NOT_XML.sub("\ufffd", text)
