"""What requests to a model used, in tokens. Not responsible for: what that costs (``models/prices``), or any limit.

Nothing else of an agent is loaded with it: a report of a replay has the repairs of a model, too.
"""

from __future__ import annotations

from dataclasses import dataclass

CACHED_SHARE = 0.1
"""What a token read from the cache counts: about what it costs."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one request to a model, as its API counts them."""

    input: int = 0
    """What was neither read from nor written to the cache."""
    cache_write: int = 0
    cache_read: int = 0
    output: int = 0


def weighed(usage: Usage) -> float:
    """Give what a request counts against a limit of tokens."""
    return usage.input + usage.cache_write + usage.output + CACHED_SHARE * usage.cache_read
