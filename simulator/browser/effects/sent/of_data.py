"""Which things of a page's own data a request names, though the page shows no id of them.

Pure. Not responsible for: hearing what pages fetch (``brought``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass

from simulator.addresses import urlsplit
from simulator.browser.effects.addresses import generated_in, words_in
from simulator.browser.effects.pressed import Pressed
from simulator.browser.effects.sent.carried import last_step
from simulator.browser.effects.sent.objects import OF_LIST
from simulator.browser.effects.sent.objects import Named as Object
from simulator.browser.effects.sent.several import Several
from simulator.canonical import is_code, is_generated

_TELLS = 3
"""Characters from which on a text of a card names its thing."""


@dataclass(frozen=True, slots=True)
class Named:
    """The things of a page's data that a request names."""

    ids: frozenset[str] = frozenset()
    several: Several | None = None
    """Those that it names in one list."""
    texts: frozenset[str] = frozenset()
    """What their data says and a card shows: by these they are known on the page."""


def may_name_several(parts: Iterable[tuple[str, str]]) -> bool:
    """Return whether a request names in one list several things that a site may have named.

    Args:
        parts: name and text of each part of the request.
    """
    return any(len(set(texts)) > 1 for texts in _lists(parts, _may_be_id).values())


def things_of_data(
    address: str, parts: Sequence[tuple[str, str]], pressed: Pressed | None, objects: Sequence[Object]
) -> Named:
    """Give the ids in a request that the page's data has for several things, or for those whose cards were pressed for.

    One id alone says little: what counts presses names the user, too. A list that shows one thing alone has no card:
    there the page says of that thing what it says of no other one of its kind. What does not look like an id is one
    where the data calls it so: ``"id": "wx3aecg3hiysade"``.

    Args:
        address: of the request.
        parts: its parts, name and text of each.
        pressed: what was pressed; None: only a list counts.
        objects: in what the page has fetched, in their order.
    """
    told = {*(text for _, text in parts), *words_in(address).values()}
    sent = (
        {text for _, text in parts if is_generated(text)}
        | generated_in(urlsplit(address).path)
        | told & {each for one in objects for each in one.given}
    )
    named = [one for one in objects if not sent.isdisjoint(one.ids)] if sent else []
    ids = frozenset(text for one in named for text in one.ids & sent)
    cards = (pressed.levels, *pressed.ticked) if pressed else ()
    shown = {text.casefold() for levels in cards for one in levels for text in (one.called, *one.texts, *one.numbered)}
    shown = {text for text in shown if len(text) >= _TELLS}
    if pressed and pressed.says and not any(cards):
        shown = _shown_alone(frozenset(map(str.casefold, pressed.says)), named, objects)
    own = [(one, {text for text in one.holds.values() if text.casefold() in shown}) for one in named]
    texts = frozenset(text for _, held in own for text in held)
    for part, listed in _lists(parts, ids.__contains__).items():
        if len(ids.intersection(listed)) > 1:
            several = Several.of(part, (text for text in listed if text in ids), named)
            return Named(frozenset(several.ids), several, texts)
    return Named(frozenset(text for one, held in own if held for text in one.ids & sent), texts=texts)


def _shown_alone(said: Set[str], named: Iterable[Object], objects: Iterable[Object]) -> set[str]:
    """Give what a page says of the one thing that it shows of a list; nothing where it shows none, or more.

    Args:
        said: by the page, in lower case.
        named: the things that may be it.
        objects: all of the page's data; those of a list have values of the same names.
    """
    kinds = {frozenset(one.holds) for one in named}
    alike = [one for one in objects if frozenset(one.holds) in kinds]
    texts = {one.ids: {text.casefold() for text in one.holds.values() if len(text) >= _TELLS} for one in alike}
    times = Counter(text for held in texts.values() for text in held)
    shown = {ids: {text for text in held if times[text] == 1} & said for ids, held in texts.items()}
    there = [ids for ids, held in shown.items() if held]
    return shown[there[0]] if len(there) == 1 else set()


def _may_be_id(text: str) -> bool:
    return is_generated(text) or is_code(text)


def _lists(parts: Iterable[tuple[str, str]], is_id: Callable[[str], bool]) -> dict[str, list[str]]:
    """Give the ids in each list of a request: a list of objects is one of ids only where these hold nothing else."""
    told = [(name, text, of_list["list"] or "[]" if (of_list := OF_LIST.search(name)) else "") for name, text in parts]
    held: dict[str, set[str]] = {}
    for name, _, called in told:
        held.setdefault(called, set()).add(last_step(name))
    lists: dict[str, list[str]] = {}
    for name, text, called in told:
        if is_id(text) and (not called or len(held[called]) == 1):
            lists.setdefault(last_step(name), []).append(text)
    return lists
