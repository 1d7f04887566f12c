"""What a model made once, and what that takes, in words. Not responsible for: making it."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict

from simulator.report.wording import counted
from simulator.runner.generating import Foreseen, Generated


def print_estimate(foreseen: Foreseen) -> None:
    """Say on standard error what it will take, about."""
    print(
        f"about {foreseen.read:,} tokens to read and {foreseen.written:,} to write; cost: {foreseen.cost}",
        file=sys.stderr,
    )


def show_generated(made: Generated, count: int, what: str, where: str, *, as_json: bool) -> None:
    """Print what came of it.

    Args:
        made: what came of it.
        count: how many there were to be.
        what: one of them, in a word.
        where: where they are kept.
        as_json: whether for a program.
    """
    if as_json:
        print(json.dumps({**asdict(made), "cost": str(made.cost), "asked": count}, ensure_ascii=False, indent=2))
        return
    kept = f", {made.there} were there" if made.there else ""
    asked = f"; {counted(made.answers, 'answer')}; {made.refused} refused; cost: {made.cost}" if made.answers else ""
    print(f"made {counted(made.made, what)} in {where}{kept}{asked}")
    if made.ended:
        print(f"{made.there + made.made} of {count}: {made.ended}")
