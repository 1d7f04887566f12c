"""``{{variables}}`` in text: how they are written, and what their names say.

Not responsible for: their values (``bindings``), or writing values as variables (``recognition``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from simulator.masking import ADDRESSED, MAILED
from simulator.spellings import DERIVED

CHANGING = "changing"
"""Name of what is another one each time, in a text or an address that two performances agreed on but for it."""
PLACEHOLDER = re.compile(r"\{\{\s*([a-z][\w.+-]*)\s*\}\}")
SECRET = "secret."
MAILED_SECRET = SECRET + MAILED
"""What the names of secrets begin with that came by mail: the site expects them in addresses and in any field."""
SITE_SECRETS = (MAILED_SECRET, SECRET + ADDRESSED)
"""What the names of secrets begin with that the site itself has given: an address of it may hold them."""
ADDRESSES = "made."
"""Group of the names of what holds where something is that a user has made; the value is a template."""
DRAWN = "faker."
"""Group of the names of what is drawn when it is first used: ``faker.company.1``."""
GROUPS = ("identity", "secret", "site", "file", "clock", "user", "text", "made", "faker", "choice")
"""Groups of names that are none of a data set."""
CHOICE = "choice."
"""Group of the names of what was chosen."""
MIN_RECOGNISED = 4
"""Shorter values stand in free text by chance too often. What names a row or a user is known again at any length, where
it is the whole text; what a row is called, also beside what else names the row."""


def placeholders(text: str) -> Iterator[str]:
    """Give the names of the variables in a text, in order."""
    for match in PLACEHOLDER.finditer(text):
        yield match.group(1)


def stem_of(name: str) -> str:
    """Give the variable of a name in a template: ``ticket.1.title`` of ``ticket.1.title.slug``."""
    stem, _, form = name.rpartition(".")
    return stem if form in DERIVED else name


def is_telling(value: str) -> bool:
    """Return whether a value that a site generated is hardly anywhere by chance: long, or of letters and digits."""
    mixed = any(char.isdigit() for char in value) and any(char.isalpha() for char in value)
    return len(value) >= 6 or (mixed and len(value) >= MIN_RECOGNISED)


def literal(text: str) -> str:
    """Protect a literal text, so that braces in it are not read as variables."""
    return text.replace("{{", "{{lb}}") if "{{" in text else text
