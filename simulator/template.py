"""``{{variables}}`` in text: how they are written, and what their names say.

Not responsible for: their values (``bindings``), or writing values as variables (``recognition``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

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
OF_USERS = (
    "persona", "number", "seed", "locale", "timezone", "viewport", "username", "email", "email_domain", "display_name",
    "first_name", "last_name", "ascii_first_name", "ascii_last_name", "city", "street", "postcode", "phone", "bio",
    "tagline", "traits", "answers", "naming",
)  # fmt: skip
"""What every user has, and no data set is called."""
_SET = re.compile(r"[a-z][a-z0-9_]*")
CHOICE = "choice."
"""Group of the names of what was chosen."""
MIN_RECOGNISED = 4
"""Shorter values stand in free text by chance too often. What names a row or a user is known again at any length, where
it is the whole text; what a row is called, also beside what else names the row."""


def one_of(key: str) -> str:
    """Give what one row of a data set is called in the names of variables: ``tool`` of ``tools``.

    A set whose name does not end so is called as it is (``cattle``), and so is one of which a row would be called as a
    group of variables is (``files``).
    """
    name = key.removesuffix("s")
    return key if not name or name in GROUPS else name


def wrong_set(key: str, others: Iterable[str] = ()) -> str:
    """Give what is wrong with the name of a data set; empty where nothing is.

    Args:
        key: the name.
        others: the names of the other data sets.
    """
    if not _SET.fullmatch(key):
        return f"expected a name in small letters, such as tools: one is a 'tool'; found '{key}'"
    if key in GROUPS or key in OF_USERS:
        return f"'{key}' is what every user has, or a group of variables; call the data set otherwise"
    alike = [one for one in others if one != key and one_of(one) == one_of(key)]
    if alike:
        return (
            f"one row of '{key}' is called '{one_of(key)}', and so is one of '{alike[0]}'; call one of them otherwise"
        )
    return ""


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
