"""Chooses among the options of a select or of radio buttons. Not responsible for: what is wanted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from simulator.canonical import sha256
from simulator.meaning.listing import readings
from simulator.tools.pages.vocabulary import normal, phrases, says


class Option(NamedTuple):
    """One thing that can be chosen."""

    value: str
    label: str


class Chosen(NamedTuple):
    """Which option, and why."""

    place: int
    why: str


def choose(options: Sequence[Option], wanted: str, more: Mapping[str, tuple[str, ...]] | None = None) -> Chosen | None:
    """Choose the option that a value means.

    Args:
        options: what can be chosen.
        wanted: the value: a label, a site's own value, or words.
        more: words that stand for others on this site.

    Returns:
        The option, or None when none or several fit.
    """
    said = normal(wanted)
    for place, option in enumerate(options):
        if wanted in (option.label, option.value):
            return Chosen(place, "the same text")
    exact = [place for place, option in enumerate(options) if said in (normal(option.label), normal(option.value))]
    if len(exact) == 1:
        return Chosen(exact[0], "the same words")
    words = _synonyms(said, more or {})
    alike = [place for place, option in enumerate(options) if normal(option.label) in words]
    if len(alike) == 1:
        return Chosen(alike[0], f"means {wanted!r}")
    within = [place for place, option in enumerate(options) if _within(said, normal(option.label))]
    if len(within) == 1:
        return Chosen(within[0], f"says {wanted!r}")
    others = phrases("options")["other"]
    other = [place for place, option in enumerate(options) if normal(option.label) in others]
    return Chosen(other[0], f"nothing like {wanted!r} is offered") if len(other) == 1 and not within else None


def choose_several(
    options: Sequence[Option], wanted: str, more: Mapping[str, tuple[str, ...]] | None = None
) -> list[Chosen] | None:
    """Choose all options that a value names, one or several.

    Args:
        options: what can be chosen.
        wanted: what one of them is called, or several, with signs between them or as a JSON list.
        more: words that stand for others on this site.

    Returns:
        The options, or None where something that the value names is none of them, or several.
    """
    whole = next((place for place, option in enumerate(options) if wanted in option), None)
    if whole is not None:
        return [Chosen(whole, "the same text")]
    told = [*readings(wanted)]
    for parts in told or [(wanted,)]:
        found = [choose(options, part, more) for part in parts]
        chosen = [one for one in found if one is not None]
        if len({one.place for one in chosen}) == len(parts):
            return chosen
    return None


def draw(options: Sequence[Option], seed: str) -> Chosen:
    """Choose any option, the same for the same seed and options."""
    key = "\n".join([seed, *(option.label for option in options)])
    return Chosen(int(sha256(key)[:12], 16) % len(options), "required; drawn from the user's seed")


def _synonyms(said: str, more: Mapping[str, tuple[str, ...]]) -> set[str]:
    found = {normal(word) for key, words in more.items() if normal(key) == said for word in words}
    return found.union(*(words for words in phrases("options").values() if said in words))


def _within(said: str, label: str) -> bool:
    return bool(said and label) and (says(label, said) or says(said, label))
