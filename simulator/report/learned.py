"""What a look at a site came to, in words. Not responsible for: looking, or the section itself."""

from __future__ import annotations

import sys
from pathlib import Path

from simulator.report.wording import counted, harmless
from simulator.runner.surveying.learning import Learned

_LONGEST = 100


def print_address(address: str) -> None:
    """Say on standard error which page is looked at."""
    shown = harmless(address)
    print(f"looking at {shown if len(shown) <= _LONGEST else f'{shown[:_LONGEST]}…'}", file=sys.stderr)


def show_learned(learned: Learned, text: str, file: Path | None) -> None:
    """Print the section where it goes into no file, and say what came of the look.

    Args:
        learned: what came of it.
        text: the section.
        file: that it was added to; None: none.
    """
    if file is None:
        sys.stdout.write(text)
    for line in _lines(learned, text, file):
        print(line, file=sys.stderr)


def _lines(learned: Learned, text: str, file: Path | None) -> list[str]:
    seen, things = learned.seen, learned.findings.things
    lines = [
        f"looked at {counted(len(seen.pages), 'page')}: {counted(len(things), 'thing')}"
        + (f" ({', '.join(thing.name for thing in things)})" if things else "")
    ]
    if held := sum(seen.held.values()):
        lines.append(f"held back {counted(held, 'request')} that pages would have written with")
    if seen.logged_in_as:
        lines.append(f"logged in as {harmless(seen.logged_in_as)}")
    elif seen.login_failed:
        lines.append(f"nobody was logged in: {harmless(seen.login_failed)}")
    if seen.registered:
        lines.append(f"left on the site: the account {harmless(seen.registered)}, which --write asked for")
    if (advice := learned.advice) is not None:
        told = f"; {harmless(advice.ended)}" if advice.ended else ""
        lines.append(
            f"the model: {counted(len(advice.taken), 'decision')} taken, {len(advice.refused)} refused; "
            f"cost: {advice.cost}{told}"
        )
        lines += [f"  taken: {harmless(one)}" for one in advice.taken]
        lines += [f"  refused: {harmless(one)}" for one in advice.refused]
    questions = sum(line.startswith("# ?") for line in text.split("\n"))
    where = f"{file}, [site.{learned.heading.name}]" if file else "above"
    lines.append(
        f"{counted(questions, 'open question')} in {where}: lines that begin with '# ?'"
        if file
        else f"{counted(questions, 'open question')}: lines that begin with '# ?'"
    )
    if file:
        lines.append(f"next: answer them, then sim personas run --site {learned.heading.name}")
    return lines
