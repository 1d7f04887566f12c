"""Whether a text says in another form what a control is called: *Published* of *Publish*, *Draft* of *Save draft*.

Not responsible for: values that a user put in.
"""

from __future__ import annotations

from functools import lru_cache

from simulator.meaning.folding import typed, words

_LEAST = 5
"""Letters of a word from which on its beginning tells it from others."""
_ENDING = 2
"""Letters at its end that its other forms change."""
_ADDED = 5
"""Letters that its other forms have more, at most."""
_STATE = 4
"""Words of which a text that says a state has no more: *Published on 3 May*."""


@lru_cache(maxsize=1024)
def stems(control: str) -> tuple[str, ...]:
    """Give the beginnings by which other forms of the words of a control are known.

    Args:
        control: what it says, or is sent as.
    """
    told = (word for word in words(typed(control)).split() if len(word) >= _LEAST and word.isalpha())
    return tuple(dict.fromkeys(word[: max(_LEAST, len(word) - _ENDING)] for word in told))


def says_form_of(text: str, control: str) -> bool:
    """Return whether a text is a state that follows from a control: it begins with a form of a word of it.

    Args:
        text: all that a place shows.
        control: what the control says, or is sent as.
    """
    told = words(typed(text)).split()
    if not 0 < len(told) <= _STATE:
        return False
    return any(told[0].startswith(stem) and len(told[0]) <= len(stem) + _ADDED for stem in stems(control))
