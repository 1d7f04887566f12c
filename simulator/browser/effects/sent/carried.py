"""What of a user's input a request holds, and in which part. Not responsible for: hearing of requests (``writes``)."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from itertools import islice

from simulator.browser.effects.model import Carried
from simulator.browser.effects.sent.beside import Beside
from simulator.browser.effects.sent.boxes import part_of_box, ticked_cards, unnamed_ticks
from simulator.browser.effects.sent.payloads import MOST_PARTS, leaves
from simulator.browser.effects.sent.sockets import Message, spells
from simulator.browser.effects.sent.writes import Sent
from simulator.browser.effects.user_input import UserInput
from simulator.meaning import Likeness, likeness
from simulator.meaning.markup import texts_of

_TELLS = 4
"""Characters from which on a text in a part of another name is taken for what was put in."""
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,2000}>")


def carried_by(
    sent: Sent,
    inputs: Sequence[UserInput],
    by_form: str = "",
    beside: Beside | None = None,
    naming: Collection[str] = (),
) -> tuple[Carried, ...]:
    """Return what of the user's input a request holds, and in which part.

    An input is in a part that is called as its field is, or that holds just its text where that text is rare. Where the
    browser does not say what was sent, it is what was put into the form that was sent: the one of the button that was
    pressed, which may send it elsewhere, or the one that goes to this address; of a script's request the one with the
    file, and what stands beside the button. Of what else may have been sent nobody knows: it counts as sent, so that
    the write is not proven without it.

    Args:
        sent: the request.
        inputs: what the user has put in.
        by_form: the form of what was acted on: method and shape of its address.
        beside: what stands beside the control that was pressed for it; None where nothing was.
        naming: by what it names its thing: that spells the title, which is not sent with it.
    """

    def is_beside(one: UserInput) -> bool:
        return beside is not None and beside.has(one)

    if sent.parts is None:
        forms = _forms_of(sent, inputs, by_form)
        put = (one for one in inputs if one.form in forms or is_beside(one))
        return tuple(Carried("", one.action_id) for one in put if not one.apart)
    found: list[Carried] = []
    texts = {text for one in inputs if one.kind == "text" for text in one.spellings}
    said = _parts_said(sent.parts)

    for one in (each for each in inputs if not each.apart):
        called = _names_of(one)
        if one.kind == "tick":
            named = _called_as(one, called, sent.parts)
            by_its_form = sent.initiator == "document" and one.form in (sent.form, by_form)
            if (ticked := part_of_box(one, named, by_its_form=by_its_form)) is not None:
                found.append(Carried(ticked, one.action_id))
            continue
        if one.several and (own := _carries_all(one, _called_as(one, called, said))) is not None:
            found.append(Carried(own, one.action_id))
            continue
        # What says no more than another input is not the beginning of this one: a text that begins with the title.
        others = texts.difference(one.spellings)
        likened = [(name, text, like) for name, text in said if (like := _likeness(one, text, others))]
        # Just what was put in comes first: before that may stand the address that a script has made of it.
        likened.sort(key=lambda each: (each[2] == "beginning", each[1].strip() not in one.spellings))
        parts = [(name, text) for name, text, _ in likened]
        own = next((name for name, _ in _called_as(one, called, parts)), None)
        apart = {*naming}.difference(one.spellings)
        mine = [(name, text) for name, text in said if text not in apart]
        telling = next(
            (name for name, text in parts if text.strip() and text not in apart and one.kind in ("text", "file")), None
        )
        if own is not None or (telling is not None and one.kind == "file"):
            found.append(Carried(own if own is not None else telling or "", one.action_id))
        elif telling is not None and any(len(each) >= _TELLS for each in one.spellings):
            found.append(Carried(telling, one.action_id))
        elif (exact := _part_that_is(one, mine, surely=one.action_id == sent.action_id or is_beside(one))) is not None:
            found.append(Carried(exact, one.action_id))
        elif one.unspelt and (named := _called_as(one, called, sent.parts)):
            found.append(Carried(named[0][0], one.action_id))
        elif isinstance(sent.request, Message) and one.kind == "text" and _is_unread(sent.parts):
            found += [Carried("", one.action_id)] if spells(sent.request.text, one.spellings) else []
    if found or (beside and sent.parts):
        found += _sent_beside(sent, inputs, found, said, beside)
    known = {each.input for each in found}
    left = [one for one in inputs if one.action_id not in known | {sent.action_id}]
    found += ticked_cards(sent.parts, left)
    if sent.initiator == "fetch":
        known = {each.input for each in found}
        found += unnamed_ticks(sent.parts, [one for one in left if one.action_id not in known], found, beside)
    return tuple(found)


def _forms_of(sent: Sent, inputs: Iterable[UserInput], by_form: str) -> set[str]:
    """Give the forms that may have been sent where the browser does not say what was."""
    if sent.initiator == "document":
        # An editor in a frame, or one that a script draws, is in no form, and is sent with the page's.
        return {sent.form, by_form, ""}
    # A script that sends a file makes a form of its own for it.
    return {sent.form, *(one.form for one in inputs if one.kind == "file")}


def _names_of(one: UserInput) -> set[str]:
    """Give what a part may be called that carries an input: ``config.temperature`` is ``temperature`` in ``config``."""
    steps = one.field.split(".") if re.fullmatch(r"\w+(?:\.[^\W\d]\w*)+", one.field) else [""]
    return {one.field.casefold(), _plain(steps[-1]), *(_plain(name) for name in one.names)} - {""}


def _parts_said(parts: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Give name and text of what the parts say; of JSON in a text also of its own parts, by the path in it."""
    return [(f"{name}.{path}" if path else name, each) for name, text in parts for path, each in _said(text)]


def _sent_beside(
    sent: Sent,
    inputs: Iterable[UserInput],
    found: Sequence[Carried],
    said: Sequence[tuple[str, str]],
    beside: Beside | None,
) -> list[Carried]:
    """Give what was put into a form of which a request carries something else, and counts as sent with that.

    A request that carries nothing else is of that form where it was sent by a press in it. Of what was chosen in a list
    that a script draws nobody knows how a request says it. What stands in a field without a name a script has written
    into another one: into the only part that says just that. And a part that is called as its field says of a text what
    the page has made of it: it writes it in its own way, or has lost it.

    Args:
        sent: the request.
        inputs: what the user has put in.
        found: what the request carries for certain.
        said: name and text of what its parts say.
        beside: what stands beside the control that was pressed for it; None where nothing was.
    """
    known, taken = {each.input for each in found}, {each.part for each in found}
    sent_from = {one.stands_in for one in inputs if one.action_id in known}
    more: list[Carried] = []
    for one in inputs:
        if one.action_id in known or one.apart:
            continue
        if not (one.stands_in in sent_from if found else beside and beside.has(one) and one.unspelt and not one.loose):
            continue
        if one.unspelt:
            more.append(Carried("", one.action_id))
        elif one.kind in ("text", "choice") and one.action_id != sent.action_id:
            named = [name for name, _ in _called_as(one, _names_of(one), said) if name not in taken]
            if not (named or one.field):
                free = [(name, text) for name, text in said if name not in taken]
                just = [pair for pair in free if _part_that_is(one, [pair], surely=True) is not None]
                named = [name for name, _ in just] if len(just) == 1 else []
            more += [Carried(name, one.action_id) for name in named[:1]]
            taken |= {*named[:1]}
    return more


def _called_as(one: UserInput, called: Collection[str], parts: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Give the parts that are called as a field is: as the form calls it, else as a script may call it.

    Of the fields of a list (``quantity[41]``, ``quantity[42]``) only the whole name counts.
    """
    exact = [pair for pair in parts if one.field and pair[0] == one.field]
    return exact or [pair for pair in parts if not {last_step(pair[0]), _plain(last_step(pair[0]))}.isdisjoint(called)]


def _carries_all(one: UserInput, parts: Sequence[tuple[str, str]]) -> str | None:
    """Give the part that carries all of several options: once for each, or together; None where none does."""
    told = [text.strip().casefold() for _, text in parts]
    spelt = [{each.strip().casefold() for each in option} for option in one.several]
    together = {text for each in told for text in re.split(r"\s*[,;|]\s*", each)} | {*told}
    return parts[0][0] if parts and all(together & option for option in spelt) else None


def _part_that_is(one: UserInput, said: Iterable[tuple[str, str]], *, surely: bool) -> str | None:
    """Give the part that is just what was put in, whatever it is called: a script has names of its own for it.

    Args:
        one: what was put in.
        said: name and text of the parts.
        surely: whether it was sent as it was put in, or by a press beside it: the shortest value is no chance then.
    """
    spelt = {each.strip().casefold() for each in one.spellings if surely or len(each.strip()) >= _TELLS}
    return next((name for name, text in said if text.strip().casefold() in spelt), None)


def _likeness(one: UserInput, text: str, others: Collection[str]) -> Likeness | None:
    found = [like for each in one.spellings if (like := likeness(each, text))]
    best = next((like for like in found if like != "beginning"), next(iter(found), None))
    return None if best == "beginning" and any(likeness(other, text) == "same" for other in others) else best


@lru_cache(maxsize=256)
def _said(text: str) -> tuple[tuple[str, str], ...]:
    """Give what a part says, each with its path: an editor may put a document in JSON or HTML into one."""
    plain = tuple(("", said) for said in _read(text))
    if text[:1] not in ("{", "["):
        return plain
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return plain
    return (("", text), *((path, said) for path, each in islice(leaves(value), MOST_PARTS) for said in _read(each)))


def _read(text: str) -> tuple[str, ...]:
    """Give a text, and what its reader sees of it where it is in HTML."""
    return tuple(dict.fromkeys(texts_of(text))) if _TAG.search(text) else (text,)


def _is_unread(parts: Sequence[tuple[str, str]]) -> bool:
    """Return whether a message is of a format that nobody knows here."""
    return len(parts) == 1 and not parts[0][0]


def last_step(name: str) -> str:
    """Give the last step of a part's name: ``title`` of ``item[title]`` and of ``data.title``."""
    steps = [step for step in re.split(r"[.\[\]]+", name) if step]
    return next((step.casefold() for step in reversed(steps) if not step.isdigit()), name.casefold())


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()
