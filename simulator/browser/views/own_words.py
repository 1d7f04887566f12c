"""What a page says in place of the secrets that recorded evidence does not hold.

A recording says ``Copy key {{secret.access_totp}}`` of a button. No page is given a secret to find that: the page is
asked for what it says itself, that is masked as it was when it was recorded, and what is then as it was recorded is
sought in the page's own words. So the rest of a text has to be the same, and the secret in it the user's own by the
same name. Not responsible for: which evidence there is, or what it proves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from simulator.template import PLACEHOLDER, SECRET

MASKED = "{{" + SECRET
"""What stands in a text that holds a secret."""


def masked_parts(text: str) -> list[str]:
    """Give what stands around the secrets of a text."""
    return [part for part in PLACEHOLDER.split(text)[::2] if part]


def own_words(evidence: Iterable[Any], mask: Callable[[str], str]) -> Mapping[str, str]:
    """Return in which words a page says what is masked in a recording.

    Args:
        evidence: of elements of the page, as the page gives it.
        mask: puts placeholders in place of the secrets that this user has.

    Returns:
        The page's words, by what they are masked; nothing of what it says in several ways.
    """
    found: dict[str, set[str]] = {}
    for text in dict.fromkeys(text for one in evidence for text in _texts(one)):
        masked = mask(text)
        if masked == text:
            continue
        found.setdefault(masked, set()).add(text)
        secrets = list(PLACEHOLDER.finditer(masked))
        if len(secrets) == 1:
            (one,) = secrets
            found.setdefault(one.group(0), set()).add(text[one.start() : len(text) - (len(masked) - one.end())])
    return {masked: next(iter(texts)) for masked, texts in found.items() if len(texts) == 1}


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _texts(one)
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)
