"""How much of what was written is proven, for people. Not responsible for: what proves a write."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from simulator.browser.effects.model import WriteProof
from simulator.recording.rows import RunRow
from simulator.report.wording import counted, one_line

_SHOWN = 8
"""How many writes are named that are not proven, or of which something is not known."""


def proof_lines(runs: Iterable[tuple[int, Sequence[WriteProof]]]) -> list[str]:
    """Return how many writes were made and how many of them are proven, and name what nobody saw again.

    Args:
        runs: number of each user, and what they wrote.

    Returns:
        No line where nothing was written.
    """
    writes = [(number, one) for number, told in runs for one in told]
    if not writes:
        return []
    lines = [f"writes    {share_proven([[one for _, one in writes]])}"]
    alike: dict[str, list[int]] = {}
    for number, one in writes:
        if not one.proven:
            alike.setdefault(f"not seen again: {unseen_words(one)}", []).append(number)
    for number, one in writes:
        if one.offered:
            words = one_line(f"left as offered, and shown nowhere: {_called(one)}: {', '.join(one.offered)}")
            alike.setdefault(words, []).append(number)
    for words, numbers in list(alike.items())[:_SHOWN]:
        users = f"user {numbers[0]}" if len(set(numbers)) == 1 else counted(len(set(numbers)), "user")
        lines.append(f"          {words} ({users})")
    if len(alike) > _SHOWN:
        lines.append(f"          and {len(alike) - _SHOWN} more; 'sim runs show RUN' has them")
    return lines


def proofs_of(run: RunRow) -> tuple[WriteProof, ...]:
    """Give what is known of the writes of a recorded run, with values in their addresses as templates."""
    return tuple(map(_proof_of, (run.summary or {}).get("writes", ())))


def _proof_of(one: Mapping[str, Any]) -> WriteProof:
    operation, offered = one.get("operation", ""), tuple(one.get("offered", ()))
    return WriteProof(one["method"], one["url"], one["inputs"], tuple(one["unseen"]), operation, offered)


def share_proven(runs: Iterable[Sequence[WriteProof]]) -> str:
    """Say how many writes are proven; empty where nothing was written."""
    writes = [one for some in runs for one in some]
    return f"{sum(one.proven for one in writes)} of {counted(len(writes), 'write')} proven" if writes else ""


def write_rows(writes: Iterable[WriteProof]) -> list[tuple[str, str]]:
    """Give a row for each write: what was sent, and ``proven`` or the fields of which nobody saw the input again."""
    return [(_called(one), "proven" if one.proven else f"not seen again: {', '.join(one.unseen)}") for one in writes]


def unproven(runs: Iterable[Sequence[WriteProof]]) -> bool:
    """Return whether something was written and nothing of it is proven."""
    writes = [one for told in runs for one in told]
    return bool(writes) and not any(one.proven for one in writes)


def proven_percent(runs: Iterable[Sequence[WriteProof]]) -> float:
    """Give how many of a hundred writes are proven; a hundred where nothing was written."""
    writes = [one for told in runs for one in told]
    return 100 * sum(one.proven for one in writes) / len(writes) if writes else 100.0


def unseen_words(write: WriteProof) -> str:
    """Name a write and the fields of which nobody saw the input again."""
    return one_line(f"{_called(write)}: {', '.join(write.unseen)}")


def _called(write: WriteProof) -> str:
    return " ".join(filter(None, (write.method, write.url, write.operation)))
