"""From what was seen of a site to what a section of ``sim.toml`` says. Not responsible for: looking, or writing."""

from __future__ import annotations

from collections import Counter

from simulator.runner.surveying.entering import add_ways
from simulator.runner.surveying.findings import Findings
from simulator.runner.surveying.pages import Seen
from simulator.runner.surveying.things import find_things


def infer(seen: Seen) -> Findings:
    """Give what follows from a look.

    Args:
        seen: what was seen.
    """
    findings = Findings()
    findings.things, findings.passed_over = find_things(seen)
    languages = Counter(page.survey.language for page in seen.pages if page.survey.language)
    findings.language = languages.most_common(1)[0][0] if languages else ""
    add_ways(findings, seen)
    _ask(findings, seen)
    return findings


def _ask(findings: Findings, seen: Seen) -> None:
    if not findings.language:
        findings.questions.append(
            "in which language are its labels? its pages do not say; what was asked for stands here"
        )
    if not seen.logged_in_as and ("login" in findings.routes or seen.login_needed):
        said = f": {seen.login_failed}" if seen.login_failed else ""
        findings.questions.append(f"nobody was logged in{said}; what only users see was not looked at")
    if seen.login_needed and not seen.logged_in_as:
        some = sorted(seen.login_needed)[:5]
        findings.questions.append(f"these lead to the login: {', '.join(some)}")
    if not findings.things:
        findings.questions.append("what do users make here? no form was seen that makes something")
