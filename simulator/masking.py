"""Finds secrets in text in whatever spelling they stand, and puts placeholders in their place.

Three looks: for what encoders write of a secret, by one pattern of those that can be there; for a secret in disguise,
by baring the text; and for a piece of one that was drawn at random.
Not responsible for: which secrets there are, or the forms in which they may stand (``secret_forms``).
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import quote

from simulator.needles import Needles
from simulator.secret_forms import (
    FRAGMENT,
    HEAD,
    MIN_ANYWHERE,
    MIN_WORD,
    PLACEHOLDER,
    bared_pieces,
    disguised,
    fragments_of,
    look_for,
)

MAILED = "mailed_"
"""What the names of secrets begin with that a site has sent to its user by mail."""
ADDRESSED = "address_"
"""What the names of secrets begin with that an address of the site holds under a name that says so."""
_LONGEST_END = 160
"""How far back from the end of a text that was cut off the beginning of a secret may begin."""
_CUT = "…."
_MIN_CUT = 60
"""Shorter texts were not cut off."""
_TEXT_OR_NUMBER = re.compile(
    rf"(?P<text>\"(?:\\.|[^\"\\])*\")|[-\d.eE+]*(?P<secret>{PLACEHOLDER})(?:[-\d.eE+]|{PLACEHOLDER})*"
)
"""Of JSON, a text, or a number in which a secret stood."""


def _still_json(before: str, masked: str) -> str:
    """Give JSON in which a secret stood in a number as JSON again: the number is the placeholder, in quotes."""
    if before[:1] not in "[{" or not _is_json(before) or _is_json(masked):
        return masked
    quoted = _TEXT_OR_NUMBER.sub(lambda found: found["text"] or f'"{found["secret"]}"', masked)
    return quoted if _is_json(quoted) else masked


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


class Screen:
    """Says at little cost whether a text can hold any of many secrets."""

    def __init__(self) -> None:
        self.needles = Needles()
        """Texts of which one stands in every spelling of a secret."""
        self.disguises = Needles()
        self.fragments = Needles()
        """Pieces of secrets that were drawn at random."""
        self.wholes: set[str] = set()
        """Secrets that are one only where they are the whole text."""

    def add(self, value: str, *, random: bool) -> None:
        """Take in a secret.

        Args:
            value: the secret.
            random: whether it was drawn at random: a piece of it is no word of any page.
        """
        if len(value) < MIN_WORD:
            self.wholes.add(value)
        look = look_for(value)
        for _, needle in look.spellings:
            self.needles.add(needle)
        for bare in look.disguises:
            self.disguises.add(bare)
        if random:
            for piece in fragments_of(value):
                self.fragments.add(piece)

    def suspects(self, text: str) -> bool:
        """Return whether any can stand in a text, or in several with something between them."""
        return (
            self.needles.any_in(text)
            or next(disguised(text, self.disguises), None) is not None
            or self.fragments.any_in(text)
        )


class Retired:
    """Secrets of users who are done, masked where they stand whole, in their usual encodings.

    What is kept of each is its text: so they may be many.
    """

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._needles = Needles()

    def add(self, name: str, value: str) -> None:
        """Mask one more secret.

        Args:
            name: what its placeholder says.
            value: the secret; one of a few letters stands everywhere, and is not masked.
        """
        if len(value) < MIN_ANYWHERE:
            return
        for form in {value, quote(value), quote(value, safe=""), html.escape(value), json.dumps(value)[1:-1]}:
            self._names.setdefault(form, name)
            self._needles.add(form)

    def mask_all(self, texts: Sequence[str]) -> Sequence[str]:
        """Mask several texts; gives them in their order."""
        if not self._names:
            return texts
        found = set(self._needles.found_in("\0".join(texts)))
        for form in sorted(found, key=len, reverse=True):
            texts = [text.replace(form, f"{{{{secret.{self._names[form]}}}}}") for text in texts]
        return texts


@dataclass(frozen=True, slots=True, eq=False)
class _Secret:
    name: str
    value: str
    place: int
    """How many came before."""


class Masker:
    """Masks the secrets of a vault; which of them can be in a text is asked first, at little cost.

    Args:
        values: the secrets by name.
        random: names of those that were drawn at random: a piece of one is no word of any page.
    """

    def __init__(self, values: Mapping[str, str], random: Collection[str] = ()) -> None:
        self._secrets: dict[str, _Secret] = {}
        self._screens: list[Screen] = []
        self._screen = Screen()
        self._whole: dict[str, str] = {}
        self._by_needle: dict[str, list[_Secret]] = {}
        self._by_disguise: dict[str, _Secret] = {}
        self._by_fragment: dict[str, _Secret] = {}
        self._by_head: dict[str, list[tuple[str, _Secret]]] = {}
        self._random: set[str] = set()
        for name, value in values.items():
            self.add(name, value, random=name in random)

    def add(self, name: str, value: str, *, random: bool = False) -> None:
        """Mask one more secret; one that had this name is masked no longer.

        Args:
            name: what its placeholder says.
            value: the secret.
            random: whether it was drawn at random.
        """
        self.remove(name)
        secret = self._secrets[name] = _Secret(name, value, len(self._secrets))
        if len(value) < MIN_WORD:
            self._whole[value] = name
        for screen in (self._screen, *self._screens):
            screen.add(value, random=random)
        look = look_for(value)
        for _, needle in look.spellings:
            self._by_needle.setdefault(needle, []).append(secret)
        for bare in look.disguises:
            known = self._by_disguise.get(bare)
            if known is None or not self._is_masked(known) or len(known.value) < len(value):
                self._by_disguise[bare] = secret
        for form in look.forms:
            self._by_head.setdefault(form[:HEAD], []).append((form, secret))
        if random:
            self._random.add(name)
            self._by_fragment.update(dict.fromkeys(fragments_of(value), secret))

    def remove(self, name: str) -> None:
        """Mask a secret no longer, if there is one of this name."""
        if (secret := self._secrets.pop(name, None)) is not None:
            if self._whole.get(secret.value) == name:
                del self._whole[secret.value]
            self._random.discard(name)

    def feed(self, screen: Screen, *, instead_of: Screen | None = None) -> None:
        """Let a screen know all secrets that there are, and those that come.

        Args:
            screen: the screen.
            instead_of: one that gets none any more.
        """
        self._screens = [one for one in self._screens if one is not instead_of] + [screen]
        for secret in self._secrets.values():
            screen.add(secret.value, random=secret.name in self._random)

    def mask(self, text: str) -> str:
        """Put placeholders in place of secrets."""
        if text in self._whole:
            return f"{{{{secret.{self._whole[text]}}}}}"
        before = text
        screen = self._screen
        if found := {one for needle in screen.needles.found_in(text) for one in self._by_needle[needle]}:
            secrets = sorted(filter(self._is_masked, found), key=lambda one: (-len(one.value), one.place))
            text = _replaced(text, tuple((one.name, one.value) for one in secrets))
        if bares := sorted(set(disguised(text, screen.disguises)), key=len, reverse=True):
            for tags in (False, True):
                text = self._undisguised(text, tags, bares)
        if len(text) >= FRAGMENT and (pieces := set(screen.fragments.found_in(text))):
            text = self._whole_fragments(text, pieces)
        text = self._without_end(text) if len(text) >= _MIN_CUT else text
        return _still_json(before, text) if text is not before else text

    def _without_end(self, text: str) -> str:
        """Put a placeholder in place of the beginning of a secret with which a text ends that was cut off."""
        end = len(text.rstrip(_CUT))
        for at in range(max(0, end - _LONGEST_END), end - HEAD + 1):
            for form, secret in self._by_head.get(text[at : at + HEAD], ()):
                if self._is_masked(secret) and form.startswith(text[at:end]):
                    return f"{text[:at]}{{{{secret.{secret.name}}}}}{text[end:]}"
        return text

    def _is_masked(self, secret: _Secret) -> bool:
        return self._secrets.get(secret.name) is secret

    def _whole_fragments(self, text: str, pieces: Collection[str]) -> str:
        """Put placeholders in place of pieces of random secrets, each as long as it is."""
        secrets = {self._by_fragment[piece].name: self._by_fragment[piece] for piece in pieces}
        for secret in filter(self._is_masked, secrets.values()):
            value = secret.value
            longest = (
                re.escape(value[at:end]) for at in range(len(value)) for end in range(len(value), at + FRAGMENT - 1, -1)
            )
            text = re.sub("|".join(longest), f"{{{{secret.{secret.name}}}}}", text)
        return text

    def _undisguised(self, text: str, tags: bool, disguises: Iterable[str]) -> str:
        """Put placeholders in place of what bares to a secret, from its first character to its last."""
        pieces = list(bared_pieces(text, tags))
        bare = "".join(char for char, _, _ in pieces)
        for disguise in disguises:
            secret = self._by_disguise[disguise]
            while self._is_masked(secret) and (at := bare.find(disguise)) >= 0:
                start, end = pieces[at][1], pieces[at + len(disguise) - 1][2]
                text = f"{text[:start]}{{{{secret.{secret.name}}}}}{text[end:]}"
                pieces = list(bared_pieces(text, tags))
                bare = "".join(char for char, _, _ in pieces)
        return text


def _replaced(text: str, secrets: tuple[tuple[str, str], ...]) -> str:
    """Put placeholders in place of what encoders write of some secrets, which are given by name, the longest first."""
    if not secrets:
        return text
    pattern, names = _compiled(secrets)
    return pattern.sub(
        lambda match: match.group(0) if match.lastindex is None else f"{{{{secret.{names[match.lastindex - 1]}}}}}",
        text,
    )


@lru_cache(maxsize=128)
def _compiled(secrets: tuple[tuple[str, str], ...]) -> tuple[re.Pattern[str], list[str]]:
    """Give one pattern of all spellings of some secrets, and the name that each of its groups stands for."""
    spelled = [(name, pattern) for name, value in secrets for pattern, _ in look_for(value).spellings]
    return (
        re.compile("|".join([PLACEHOLDER, *(f"({pattern})" for _, pattern in spelled)])),
        [name for name, _ in spelled],
    )
