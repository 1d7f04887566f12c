"""The commands that a summary names. Not responsible for: carrying them out."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path

from simulator.report.wording import short_id


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowUp:
    """Writes commands that find what was just done, with the options that it was done with."""

    db: Path | None = None
    """The recording, where it is not the one that sim.toml names."""
    base_url: str | None = None
    """The site's address, where it is not the one that sim.toml names."""
    reset: bool = False
    """Whether the site may be reset."""

    def show(self, run_id: str) -> str:
        """Write the command that shows a run."""
        return shlex.join(["sim", "runs", "show", short_id(run_id), *self._db()])

    def prove(self, run_id: str) -> str:
        """Write the command that proves a run."""
        return shlex.join(["sim", "prove", short_id(run_id), *self._db()])

    def replay(self, batch_id: str) -> str:
        """Write the command that replays a batch."""
        words = ["sim", "replay", batch_id, *self._db()]
        words += ["--base-url", self.base_url] if self.base_url else []
        words += ["--reset"] if self.reset else []
        return shlex.join(words)

    def resume(self, batch_id: str) -> str:
        """Write the command that goes on with what is left of a batch."""
        words = ["sim", "runs", "resume", batch_id, *self._db()]
        words += ["--base-url", self.base_url] if self.base_url else []
        return shlex.join(words)

    def _db(self) -> list[str]:
        return ["--db", str(self.db)] if self.db else []
