"""How much of what was written is proven, for a terminal. Not responsible for: what proves a write."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from simulator.browser.effects.model import WriteProof
from simulator.report.wording import counted, one_line

_SHOWN = 8
"""How many writes are named that are not proven."""


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
    proven = sum(one.proven for _, one in writes)
    lines = [f"writes    {proven} of {counted(len(writes), 'write')} proven"]
    alike: dict[str, list[int]] = {}
    for number, one in writes:
        if not one.proven:
            alike.setdefault(unseen_words(one), []).append(number)
    for words, numbers in list(alike.items())[:_SHOWN]:
        users = f"user {numbers[0]}" if len(set(numbers)) == 1 else counted(len(set(numbers)), "user")
        lines.append(f"          not seen again: {words} ({users})")
    if len(alike) > _SHOWN:
        lines.append(f"          and {len(alike) - _SHOWN} more; 'sim runs show RUN' has them")
    return lines


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
    called = " ".join(filter(None, (write.method, write.url, write.operation)))
    return one_line(f"{called}: {', '.join(write.unseen)}")
