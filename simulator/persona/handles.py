"""Usernames and e-mail addresses: readable, within usual limits, and never the same for two people.

Both end in a tail that says who it is for. Read from its end, a username is: four characters for the seed,
four for the persona, the instance number in decimal digits, and letters. The first two have a fixed width
and the letters hold no digit, so the parts can be read back, and two people of one seed get one name only
if their personas share a code. A code is 20 bits of a hash of the persona's name; a population refuses two
personas that share one (`refuse_shared_codes`). Two seeds share a code once in 923,521 pairs, and then
people would also have to draw one name.

Only [a-z0-9] are used, as nearly every site accepts them, and at most 20 characters.
"""

import hashlib
import re
from collections.abc import Iterable

from simulator.errors import PersonaError

USERNAME_LENGTH = 20
EMAIL_LENGTH = 64
NUMBER_LIMIT = 10**9
"""Instance numbers are below this, which leaves three letters of a name."""
_ALPHABET = "0123456789bcdfghjklmnpqrstvwxyz"
_CODE = 4
_CODES = len(_ALPHABET) ** _CODE


def persona_code(persona: str) -> str:
    """Return the four characters that stand for a persona in its people's handles."""
    return _encode(_hash("persona", persona))


def refuse_shared_codes(personas: Iterable[str]) -> None:
    """Raise PersonaError if two different persona names have one code, so that handles could collide."""
    owners: dict[str, str] = {}
    for name in sorted(set(personas)):
        other = owners.setdefault(persona_code(name), name)
        if other != name:
            raise PersonaError(f"personas {other!r} and {name!r} would get the same usernames; rename one of them")


def username(first_name: str, last_name: str, persona: str, number: int, seed: str, attempt: int = 0) -> str:
    """Return the username of one person.

    Args:
        first_name: In ASCII or not; its ASCII letters are used.
        last_name: Used where the first name is short.
        persona: The persona's name.
        number: The instance number, from 1.
        seed: The batch's seed.
        attempt: 0 for the first choice; each further attempt gives another name, also unique in the batch.
    """
    tail = _tail(persona, number, seed, attempt)
    letters = re.sub(r"[^a-z]", "", first_name.lower()) or re.sub(r"[^a-z]", "", last_name.lower()) or "reader"
    return letters[: USERNAME_LENGTH - len(tail)] + tail


def email(
    first_name: str, last_name: str, persona: str, number: int, seed: str, *, domain: str, attempt: int = 0
) -> str:
    """Return the e-mail address of one person; the arguments are those of `username`, and the domain."""
    tail = _tail(persona, number, seed, attempt)
    words = [re.sub(r"[^a-z]", "", name.lower())[:16] for name in (first_name, last_name)]
    room = EMAIL_LENGTH - len(tail) - len(domain) - 2
    readable = ".".join(word for word in words if word)[: max(room, 0)].strip(".")
    return f"{readable}.{tail}@{domain}" if readable else f"{tail}@{domain}"


def _tail(persona: str, number: int, seed: str, attempt: int) -> str:
    if not 0 < number < NUMBER_LIMIT:
        raise ValueError(f"expected an instance number from 1 to {NUMBER_LIMIT - 1}, found {number}")
    return f"{number}{persona_code(persona)}{_encode(_hash('seed', seed) + attempt)}"


def _hash(kind: str, text: str) -> int:
    return int.from_bytes(hashlib.sha256(f"{kind}:{text}".encode()).digest()[:8], "big")


def _encode(value: int) -> str:
    value %= _CODES
    characters = []
    for _ in range(_CODE):
        value, rest = divmod(value, len(_ALPHABET))
        characters.append(_ALPHABET[rest])
    return "".join(characters)
