"""How one text names several things: as JSON, or with a line or a sign between them.

Not responsible for: what the things are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

_SIGNS = (re.compile(r"[;\n]"), re.compile(r"[,;\n]"), re.compile(r"[|]"))
"""What stands between things, the surest first: a comma may be a part of what one of them is called."""


def readings(text: str) -> Iterator[tuple[str, ...]]:
    """Give what a text may name, at least two things each, the surest reading first; nothing where it names one."""
    told: list[tuple[str, ...]] = []
    if (listed := _listed(text)) is not None:
        told.append(listed)
    else:
        told += [tuple(filter(None, map(str.strip, sign.split(text)))) for sign in _SIGNS if sign.search(text)]
    yield from dict.fromkeys(one for one in (tuple(dict.fromkeys(each)) for each in told) if one and one != (text,))


def _listed(text: str) -> tuple[str, ...] | None:
    if not text.lstrip().startswith("["):
        return None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return tuple(map(str, found)) if all(isinstance(one, str | int | float) for one in found) else None
