"""Whose rows of data sets a site may hold before fresh users come. Not responsible for: dealing them others."""

from __future__ import annotations

from collections.abc import Iterable

from simulator.persona import DealtBefore, Identity
from simulator.recording.rows import RunRow
from simulator.replay.bind import read_row


def users_before(runs: Iterable[RunRow]) -> tuple[DealtBefore, ...]:
    """Give the users of runs who were recorded, then those who proved them.

    Args:
        runs: all that fresh users perform together.

    Raises:
        RecordingError: this program cannot read who it was.
    """
    recorded, proved = [], []
    for run in runs:
        if run.identity is not None:
            recorded.append(read_row(Identity, run.identity, run).as_dealt())
        proof = (run.summary or {}).get("proofs", {}).get("fresh")
        if proof is not None and "by" in proof:
            proved.append(read_row(DealtBefore, proof["by"], run))
    return (*recorded, *proved)
