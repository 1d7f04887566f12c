"""What is held still in the pages of a context: the clock, and what scripts draw at random.

Not responsible for: animations and third parties, which the context's profile and the network policy leave out.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib.resources import files

from playwright.async_api import BrowserContext

from simulator.canonical import EFFECTS, EVIDENCE, REFUSALS


@cache
def _source() -> str:
    return (files("simulator.browser") / "determinism.js").read_text("utf-8")


@dataclass(frozen=True, slots=True)
class Stillness:
    """What is held still."""

    clock: datetime | None = None
    """The time that it is in every document when it opens; None: the real one."""
    chance: str | None = None
    """What random numbers are drawn from; None: they are left alone."""
    evidence: int = EVIDENCE
    """Version of the rules by which evidence is taken and compared in them."""
    refusals: int = REFUSALS
    """The same of the rules by which their refusals are read."""
    effects: int = EFFECTS
    """The same of the rules by which effects are observed."""

    def script(self) -> str:
        """Build the script that holds it still.

        Returns:
            JavaScript for ``BrowserContext.add_init_script``; empty where nothing is held.
        """
        if self.clock is None and self.chance is None:
            return ""
        held = {"chance": self.chance, "frozen": self.clock is not None}
        return "(() => {\nconst held = " + json.dumps(held) + ";\n" + _source() + "\n})();"

    async def stop_clock(self, context: BrowserContext) -> None:
        """Stop the clock of a context; to be done before its scripts are added."""
        if self.clock is not None:
            await context.clock.set_fixed_time(self.clock)
