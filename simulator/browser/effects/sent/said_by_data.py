"""What data that a page has fetched says of what its script had sent of several things, or of a whole list.

Pure. Not responsible for: one thing (``forms``), or fetching (``fetched``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from simulator.browser.effects.sent.carried import last_step
from simulator.browser.effects.sent.fetched import Fetched
from simulator.browser.effects.sent.objects import OF_LIST, Written
from simulator.browser.effects.sent.several import Several, in_order

Says = Callable[[str, str], str | None]
"""Gives what a text says instead of what was sent in a part; empty where it says that, None for nothing."""
_MEMBER = re.compile(r"\.\d+$")
_STEPS = re.compile(r"[/?=&#]")


def says_more_than_names(sent: Iterable[Sequence[str]], data: Written | None, method: str) -> bool:
    """Return whether what was sent says more than which thing is meant: only then its data may prove a press.

    Several things that are named say their order. What is still there says nothing of its deletion.

    Args:
        sent: of each part its texts.
        data: as what its data is known.
        method: of the request.
    """
    ids = data.ids if data else frozenset[str]()
    named = [ids.intersection(_STEPS.split(text)) for texts in sent for text in texts if text.strip()]
    return method != "DELETE" and bool(named) and (not all(named) or len(frozenset().union(*named)) > 1)


def parts_of_the_object(carried: Collection[str], put: Collection[str]) -> list[str]:
    """Give the parts of the object in a request that holds what was put in; all, where several do, or none does.

    Around it stands what is for the site: a list of orders, of which one has the object with it.

    Args:
        carried: the names of all parts.
        put: those that were put in.
    """
    within = {_MEMBER.sub("", name).rpartition(".")[0] for name in carried if name in put}
    base = within.pop() if len(within) == 1 else ""
    return [name for name in carried if not base or name.startswith(f"{base}.")]


def said_of_several(
    several: Several,
    data: Written | None,
    carried: Mapping[str, Sequence[str]],
    fetched: Sequence[Fetched],
    says: Says,
) -> dict[str, str]:
    """Give, by name, what data of several things says instead of what was sent of them; empty where it says that.

    Each of them has to say it. What was sent of none of them but their order the order of a list says, where it was
    another one before.

    Args:
        several: the things.
        data: as what their data is known.
        carried: by the name of each part its values.
        fetched: objects.
        says: compares a text with a part.
    """
    own = [one for one in fetched if data and data.is_(one.named, one.at)]
    held = {text: one.named for one in own for text in one.named.ids}
    if not held.keys() >= {*several.ids}:
        return {}
    listed = {name for name in carried if last_step(name) == several.part}
    others = {last_step(name): name for name in carried.keys() - listed}
    instead: dict[str, list[str]] = {}
    for text in several.ids:
        for key, value in held[text].holds.items():
            if (name := others.get(key.casefold())) and (told := says(name, value)) is not None:
                instead.setdefault(name, []).append(told)
    found = {name: next(filter(None, told), "") for name, told in instead.items() if len(told) == len(several.ids)}
    if others:
        return found | (dict.fromkeys(listed, "") if found and not any(found.values()) else {})
    if not several.moves:
        return {}
    last = [one.named for one in own if one.at == own[-1].at]
    is_so = in_order(several.ids, last) == list(several.ids)
    return dict.fromkeys(listed, "" if is_so else "'in another order'")


def said_of_list(
    data: Written | None,
    put: Collection[str],
    there: Collection[str],
    carried: Mapping[str, Sequence[str]],
    fetched: Sequence[Fetched],
    says: Says,
    called: Mapping[str, str],
) -> dict[str, str]:
    """Give, by name, what is wrong with what was put into a list of a resource that was sent as a whole.

    Empty where the resource has it by now; what it had held before says nothing.

    Args:
        data: as what the resource is known.
        put: the parts that were put in.
        there: what the resource had held before.
        carried: by the name of each part its values.
        fetched: objects.
        says: compares a text with a part.
        called: what the user knows the parts as.
    """
    whole = next((one for one in reversed(fetched) if data and data.at_path in one.named.ids), None)
    if whole is None or data is None:
        return {}
    lists = {key.casefold(): texts for key, texts in whole.named.lists.items()}
    told: dict[str, str] = {}
    for name in carried.keys() & {*put}:
        of_list = OF_LIST.search(name)
        texts = lists.get((of_list["list"] or "").casefold()) if of_list else None
        if texts is None or not {*there}.isdisjoint(carried[name]):
            continue
        if any(says(name, text) == "" for text in texts):
            told[name] = ""
        elif whole.at == data.at:
            told[name] = f"{called.get(name) or name} 'not there'"
    return told
