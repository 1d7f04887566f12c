"""What inputs went into, as far as the request that carried them says.

Not responsible for: which places are tied to it (``places``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from simulator.addresses import urlsplit
from simulator.browser.effects.addresses import codes_in, generated_in, numbered_as, numbered_in
from simulator.browser.effects.fields import Field
from simulator.browser.effects.places import Thing
from simulator.browser.effects.sent.writes import GUARDS, Sent
from simulator.browser.effects.spots import is_own
from simulator.browser.effects.user_input import UserInput
from simulator.canonical import is_generated
from simulator.meaning import is_telling

_TELLS = 3
"""Digits from which on the number in what an element is called tells things apart."""


def thing_of(
    sent: Sent,
    inputs: Sequence[UserInput],
    met: Sequence[Field],
    carrying: Collection[str],
    *,
    made: Collection[str],
    texts_apart: bool,
    rows_apart: bool = True,
) -> Thing:
    """Give what inputs went into.

    Args:
        sent: what carried them.
        inputs: the inputs.
        met: the fields of the page.
        carrying: the parts that carried them: a script calls a part otherwise than the page calls its field.
        made: what the site has called it in the address to which the answer of a form leads.
        texts_apart: whether where one text of a write stands shows no other one.
        rows_apart: whether what a card is called by goes before what its fields hold.
    """
    by_document = sent.initiator == "document"
    said = {text for _, text in sent.parts or ()}
    ids = sent.names | generated_in(sent.request.url) | set(made)
    # A request may name the card that something was put into in any of its parts.
    ids |= {name for one in inputs for name in (_calling(one, said) if rows_apart else one.ids) if name in said}
    if by_document:
        ids |= numbered_in(sent.request.url)
    texts = tuple(text for one in inputs if one.kind == "text" for text in one.spellings)
    forms = frozenset(one.form for one in inputs if one.form)
    put_in = {*carrying, *(name for one in inputs for name in one.names)}
    # What is JSON in a text is carried by a part of that.
    put_in |= {name for name, _ in sent.parts or () for part in carrying if name and part.startswith(f"{name}.")}
    filled = ((name,) for name, text in sent.parts or () if name and text.strip() and name not in put_in)
    # An editor without a name may stand for a field that is hidden.
    beside = [one for one in met if one.form in forms and one.name not in put_in and one.seen]
    # What stands where a field is called that was left empty was not put into another one either.
    empty = ((one.label, one.name) for one in beside if one.kind in ("field", "select"))
    fields = (*(one.names for one in inputs), *filled, *(tuple(filter(None, names)) for names in empty))
    # Of a form with a file the browser gives no body: its page has shown what it had filled.
    told = [text for _, text in sent.parts or ()] or [one.sends for one in beside if one.is_sent]
    own, tied = (tuple(dict.fromkeys((*texts, *filter(counts, told)))) for counts in (is_telling, is_own))
    return Thing(
        frozenset(ids), others=texts, forms=forms, fields=fields,
        texts=own if texts_apart else (), beside=tied if texts_apart else (),
        at=sent.page if sent.initiator == "fetch" else "", sent_from=sent.page,
        around=_named_around(sent, inputs, put_in), boxes=_boxes_beside(inputs, met),
        lists=frozenset(one.name for one in met if one.form in forms and one.kind == "select" and one.seen) - {""},
    )  # fmt: skip


def _calling(put: UserInput, said: Collection[str]) -> Collection[str]:
    """Give what calls the card that an input was put into: the number in ``edit-4830``, if the request says it.

    What its hidden fields hold, such as the seconds of a time, and what a box of it would send, is sent with them.
    """
    called = {numbered_as(name.removeprefix("#")) for name in put.ids if name.startswith("#")}
    return {name for name in called if len(name) >= _TELLS and name in said} or put.ids


def _boxes_beside(inputs: Iterable[UserInput], met: Iterable[Field]) -> tuple[tuple[str, str, bool], ...]:
    """Give the boxes of the forms that are called as one that was ticked, and whether each was sent ticked."""
    ticks: dict[tuple[str, str], dict[str, bool]] = {}
    for one in inputs:
        if one.kind == "tick" and one.field:
            ticks.setdefault((one.form, one.field), {}).update(dict.fromkeys(one.names, one.on))
    own = [(one, ticks[one.form, one.name]) for one in met if one.kind == "box" and (one.form, one.name) in ticks]
    return tuple((one.name, one.label, put.get(one.label, one.on)) for one, put in own)


def _named_around(sent: Sent, inputs: Sequence[UserInput], put_in: Collection[str]) -> frozenset[str]:
    """Give what a page calls the innermost element around a field that a request names, beside what was put in."""
    said = {text for name, text in sent.parts or () if name not in put_in} | generated_in(sent.request.url)
    named = ((key for key in each.around if numbered_as(key) in said or key in said) for each in inputs)
    return frozenset(key for keys in named for key in [*keys][:1])


def texts_of(sent: Sent) -> list[str]:
    """Give the texts that a request says: those of what it was sent for, no ids and nothing that guards a form.

    Args:
        sent: the request.
    """
    said = (text for name, text in sent.parts or () if not GUARDS.search(name))
    return [text for text in said if is_own(text) and not is_generated(text) and text not in (sent.called or ())]


def texts_of_form(met: Iterable[Field], forms: Collection[str]) -> list[str]:
    """Give the texts that some forms came with, and that stand nowhere by chance.

    Args:
        met: the fields of the page.
        forms: the forms that were sent.
    """
    return [text for one in met if one.form in forms for text in one.holds if is_own(text)]


def given_in(address: str, given: Collection[str]) -> frozenset[str]:
    """Give the steps of an address that the site has given to the user, such as codes.

    Args:
        address: absolute.
        given: what it has given.
    """
    return frozenset(given) & {*urlsplit(address).path.split("/")}


def made_in(sent: Sent, leads_to: str) -> set[str]:
    """Give what in an address is a code, or ends it as a word with a number: the site calls so what it has made.

    Args:
        sent: what has made it.
        leads_to: where its answer leads, absolute.
    """
    return numbered_in(leads_to) | codes_in(leads_to, (sent.request.url, sent.page))
