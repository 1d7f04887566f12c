"""``sim doctor``: whether everything is there that a run needs. Not responsible for: looking."""

from __future__ import annotations

import sys

import typer

from simulator.cli.options import Json


def doctor(as_json: Json = False) -> None:
    """Check that everything a run needs is there."""
    from simulator.cli.output import print_json, print_lines
    from simulator.report.diagnosis import diagnose

    findings = []
    for finding in diagnose():
        findings.append(finding)
        if not as_json:
            print_lines([f"{'ok' if finding.ok else 'WRONG':<6} {finding.name:<15} {finding.detail}"])
    if as_json:
        print_json(findings)
    wrong = [finding for finding in findings if not finding.ok]
    if wrong:
        print(f"sim: {wrong[0].detail}", file=sys.stderr)
        raise typer.Exit(max(finding.exit_code for finding in wrong))
