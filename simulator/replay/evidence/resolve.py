"""The rule by which a replay knows an element again: what locates it, and what contradicts it.

Pure functions over evidence; the page only executes the query that is compiled here (``browser/page/5_query.js``).

Primary evidence locates, the strongest that was unique when it was recorded: test id; the lasting texts of a link or
a button that is a card; role and name, in a named scope where the page has several, or of a link with where it leads;
label in its form; ``name`` attribute in its form; the caption beside a field without a label; for what has no name,
the text that it shows, or else its picture; for what has a name and no role, that name. Tag, role, input type,
``name`` attribute, form action, what pressing it does, being in a dialog or not, a caption that is another field's now,
and scope texts that hold a variable contradict; so does every scope of what looks like many others. Id, class, CSS
path, position and box do neither, and what the site generated never locates.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import parse_qsl

from simulator.addresses import urlsplit
from simulator.browser.evidence import NAMING, FormField, Scope, Target
from simulator.canonical import calls_an_id, is_generated, is_words
from simulator.replay.evidence.query import By, CardWords, NamedPart, Query, Renamed, Render, ScopeQuery
from simulator.template import PLACEHOLDER

_DRAWN = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{6,}")
"""What a script draws for the name of a field that it adds, the time or a number at random. The page has its twin."""
_NUMBERED = re.compile(r"#\d+\b")
"""What the site generated, in a text: ``Edit #109`` is another thing's button on another day."""

_SAYING_LITTLE = ("opener", "editor")
"""What pictures begin with that many elements have: these are bound to all that is around them."""

_PUT_INTO = frozenset({"checkbox", "combobox", "listbox", "searchbox", "slider", "spinbutton", "switch", "textbox"})
"""Roles of what something is put into."""
_PRESSED = frozenset({"submit", "image", "button", "reset"})
"""Types of inputs that are buttons."""


class Unprovable(ValueError):
    """The evidence cannot prove any element."""


def compile_query(
    target: Target, render: Render, *, enters: bool = False, sets: bool = False, own: bool = False
) -> Query:
    """Compile the evidence of an element into the query that a strict replay asks.

    Args:
        target: the evidence as it was recorded, a template.
        render: puts the values of this replay into a template.
        enters: whether it is to send the form of a field, as Enter does.
        sets: whether it is known what pressing it sets in its form: that is read back.
        own: whether it is of a thing that the user had made: that tells it from those that say the same.

    Returns:
        The query, with values.

    Raises:
        Unprovable: nothing in the evidence is primary and was unique.
        TemplateError: a variable has no value.
    """
    if target.unprovable:
        raise Unprovable(f"{target.unprovable} cannot be told from another")
    by, value, scoped = _primary(target, sets=sets, own=own)
    version = target.version
    scopes = [ScopeQuery.of(scope, render, version=version) for scope in target.scopes]
    shows, also = _card_words(target, render)
    return Query(
        by=by,
        value=render(value),
        role=target.role if by in ("role", "leads") else "",
        scope=ScopeQuery.of(target.scopes[target.scope_depth], render, version=version) if scoped else None,
        scopes=tuple(scope for scope in scopes if scope.words),
        must=_must(target, by, render) | pressed(target, render, enters=enters),
        bound=tuple(
            ScopeQuery.bound(scope, render, version=version)
            for scope in target.scopes
            if scope.kind not in NAMING
            and (
                scope.separates
                or _holds_variable(scope)
                or (by == "picture" and value.startswith(_SAYING_LITTLE))
                or (by == "member" and scope.name)
            )
        ),
        named=NamedPart.of(target, render),
        hidden=target.hidden,
        shows=shows,
        also=also,
        renamed=renamed(target, render),
        offers=tuple(one for one in target.offers if "{{" not in "".join(one)),
        beside=tuple(_rendered(one, render) for one in target.fields or ()),
        twins=target.carries is not None,
    )


def _rendered(field: FormField, render: Render) -> FormField:
    return FormField.model_validate({key: render(text) for key, text in field.model_dump().items()})


def _card_words(target: Target, render: Render) -> tuple[CardWords | None, CardWords | None]:
    """Compile the words of the nearest card that has any, and those beside variables of one that is nearer."""
    cards = [CardWords.of(scope, render, version=target.version) for scope in target.scopes if scope.words]
    shows = next((card for card in cards if card.words or card.loose), None)
    also = next((card for card in cards if card.stems), None)
    return shows, None if also is shows else also


def renamed(target: Target, render: Render, *, every: bool = False) -> Renamed | None:
    """Compile when a field with another ``name`` attribute is the same one; None where it never is.

    Args:
        target: the evidence.
        render: puts the values of this replay into a template.
        every: whether more fields of its form may be renamed.
    """
    radio = "radio" in (target.type, target.role)
    if target.fields is None or not target.name_attr or (not every and (radio or target.secret)):
        return None
    if not radio and target.alike.name_attr != 1:
        return None
    return Renamed(label=render(target.label), called=render(target.name), every=every)


def bare_query(target: Target) -> Query:
    """Give the query for the page itself, where nothing is on it."""
    return Query(by="bare", value=target.tag)


def _primary(target: Target, *, sets: bool, own: bool) -> tuple[By, str, bool]:
    for strongest in primaries(target):
        return strongest
    if own and target.role and target.name and not target.hidden:
        return "role", target.name, False
    if target.member and sets:
        return "member", target.member, False
    raise Unprovable(
        f"nothing recorded of {target.words} was unique: {target.alike.role_name or target.alike.text} of its kind, "
        f"no test id, label, name, caption, text or picture of its own"
    )


def primaries(target: Target) -> Iterator[tuple[By, str, bool]]:
    """Give the primary evidence that was unique when it was recorded, the strongest first.

    Yields:
        Its kind, its value as a template, and whether it was unique only in the scope at ``scope_depth``.
    """
    alike = target.alike
    by_test_id = target.test_id and alike.test_id == 1 and not is_generated(target.test_id, target.version)
    # What is called by a variable alone stands for its value: another value is another element's.
    stands = PLACEHOLDER.fullmatch(target.name or target.label)
    if by_test_id and not stands:
        yield "test_id", target.test_id, False
    if target.parts and alike.parts == 1 and not target.hidden and not _NUMBERED.search(target.parts):
        yield "parts", target.parts, False
    if target.role and target.name and not target.hidden and not _NUMBERED.search(target.name):
        if alike.role_name == 1:
            yield "role", target.name, False
        elif alike.role_name > 1 and alike.role_name_scoped == 1 and _decides(target):
            yield "role", target.name, True
        elif alike.leads == 1 and not _leads_to_one_of_many(target.href):
            yield "leads", target.name, False
    if target.label and alike.label == 1 and not _NUMBERED.search(target.label):
        yield "label", target.label, False
    if by_test_id and stands:
        yield "test_id", target.test_id, False
    if target.name_attr and alike.name_attr == 1 and not is_generated(target.name_attr, target.version):
        yield "name_attr", target.name_attr, False
    nameless = target.role in _PUT_INTO and not (target.name or target.text or target.picture or target.hidden)
    in_row = nameless and alike.role_name > 1 and alike.role_name_scoped == 1 and _decides(target)
    if in_row and (target.column or _counts_beside(target)):
        yield "role", "", True
    if target.caption and alike.caption == 1 and not _NUMBERED.search(target.caption):
        yield "caption", target.caption, False
    by, told = _told_by(target)
    if told and not target.hidden and not _NUMBERED.search(told):
        if alike.text == 1:
            yield by, told, False
        elif alike.text > 1 and _decides(target):
            yield by, told, True
    # A box in a row often has no name: it is the only one there.
    if in_row and not (target.column or _counts_beside(target)):
        yield "role", "", True


def _counts_beside(target: Target) -> bool:
    """Return whether a number or a time stands beside what has no name in a card with words: it changes."""
    in_card = _decides(target) and target.scopes[target.scope_depth].kind == "card"
    return target.version > 2 and in_card and not target.name and any(map(str.isdigit, target.caption))


def _decides(target: Target) -> bool:
    """Return whether the scope in which an element was alone is known by more than numbers and times.

    What these are changes from day to day: of two cards of one title the price names neither. A variable explains them.
    """
    if target.scope_depth < 0:
        return False
    scope = target.scopes[target.scope_depth]
    return not scope.numbered or any("{{" in text for text in scope.texts[: scope.tells])


def _leads_to_one_of_many(href: str) -> bool:
    """Whether a part of the address is an id: the link is that of one thing, and another day of another."""
    parts = urlsplit(href)
    ids = [key for key, value in parse_qsl(parts.query) if "{id}" in value and calls_an_id(key)]
    return "{id}" in parts.path + parts.fragment or bool(ids)


def _told_by(target: Target) -> tuple[By, str]:
    """Give what stands for an element that has not both a role and a name; empty where nothing does."""
    if target.name:
        return "named", "" if target.role else target.name
    if target.text:
        return "text", target.text
    # A link to one of many things shows that thing, or the picture of those that have none of their own.
    return "picture", "" if "{id}" in target.href else target.picture


def _must(target: Target, by: By, render: Render) -> dict[str, str]:
    must = {"tag": target.tag, "role": target.role, "type": target.type}
    if by != "name_attr" and _DRAWN.search(target.name_attr) and "{{" not in target.name_attr:
        must["name_shape"] = _DRAWN.sub("{id}", target.name_attr)
    elif not is_generated(target.name_attr, target.version):
        must["name_attr"] = target.name_attr
    # The text beside the first field of a row is what its row is called: its column says which one it is.
    if target.caption and not (by in ("role", "picture") and (target.column or _counts_beside(target))):
        must["caption"] = target.caption
    if target.column:
        must["column"] = target.column
    if target.in_set:
        must["in_set"] = target.in_set
    # Where a variable says which one of several it is, another user's is sent as something else.
    if target.type in ("radio", "checkbox") and is_words(target.value) and "{{" not in target.name + target.label:
        must["value"] = target.value
    if target.shares:
        must["shares"] = target.shares
    if by == "member":
        must["group"] = target.group
    if target.tag != "a":
        must["form"] = target.form
    elif by in ("picture", "parts", "leads"):
        must["href"] = target.href
    elif target.href:
        must["led"] = target.href
        if target.column is not None:
            must["led_by_any"] = "1"
    must["place"] = "dialog" if any(scope.kind == "dialog" for scope in target.scopes) else "page"
    return {key: render(value) for key, value in must.items()}


def pressed(target: Target, render: Render, *, enters: bool = False) -> dict[str, str]:
    """Give what an element has to do when it is pressed; nothing of what is not recorded, and of a field that is not.

    Args:
        target: the evidence.
        render: puts the values of this replay into a template.
        enters: whether a field is pressed, too: by Enter in it.
    """
    is_field = target.tag == "input" and target.type not in _PRESSED
    if target.press is None or (is_field and not enters):
        return {}
    carries = {"carries": target.carries} if target.carries is not None and target.tag != "a" else {}
    words = {"hidden_words": target.hidden_words} if target.hidden_words else {}
    return {key: render(value) for key, value in (target.press.model_dump() | carries | words).items()}


def _holds_variable(scope: Scope) -> bool:
    if scope.names and scope.kind != "card":
        return "{{" in scope.name and scope.kind != "part"
    return "{{" in scope.name or any("{{" in text for text in scope.texts)
