"""How tests are dealt to the workers of a session: file by file, and a large file in parts.

What the tests of a file share is made once. A file of some hundred rows would leave the other workers idle at the end:
it is dealt in parts, and each worker that has one makes what they share.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from hashlib import sha256

from xdist.scheduler import LoadFileScheduling

MOST = 30
"""Tests of a part, about."""


def parts(tests: Sequence[str]) -> dict[str, str]:
    """Give the part that each test belongs to, by its name alone: the order of a session is shuffled.

    Args:
        tests: all that are run.
    """
    sizes = Counter(map(_file, tests))
    return {test: f"{_file(test)} {_place(test) % -(-sizes[_file(test)] // MOST)}" for test in tests}


def _file(test: str) -> str:
    return test.partition("::")[0]


def _place(test: str) -> int:
    return int.from_bytes(sha256(test.encode()).digest()[:8])


class InParts(LoadFileScheduling):
    """Deals whole files, and large ones in parts."""

    @cached_property
    def _parts(self) -> dict[str, str]:
        assert self.collection is not None, "asked before the tests are known"
        return parts(self.collection)

    def _split_scope(self, nodeid: str) -> str:
        return self._parts[nodeid]
