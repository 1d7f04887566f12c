"""What a user has put into one field, as its page reports it.

Not responsible for: secrets, whose values never come here, or whether it was sent (``inputs``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from simulator.browser.action_recorder import SETS, ActionKind, ActionStart
from simulator.browser.effects.files import UploadedFile
from simulator.browser.effects.pressed import generated_parts
from simulator.browser.effects.spots import says_answer
from simulator.browser.evidence import Target

_TOLD = re.compile(r"\{\{site\.[^{}]*\}\}")
InputKind = Literal["text", "choice", "tick", "file"]
ENTERS: Mapping[ActionKind, InputKind] = {
    "fill": "text",
    "type": "text",
    "select": "choice",
    "check": "tick",
    "uncheck": "tick",
    "upload": "file",
    "click": "tick",
}
PUTS_BESIDE: frozenset[ActionKind] = frozenset({"click", "dblclick", "press", "drag"})
"""What may put something into a field beside what is pressed, or by keys that the page takes itself."""


@dataclass(frozen=True, slots=True)
class UserInput:
    """What was put into one field."""

    action_id: str
    """The action that put it in."""
    kind: InputKind
    spellings: tuple[str, ...]
    """What stands for it in a request or on a page, without variables; of a file its name."""
    names: tuple[str, ...]
    """What the field is called: its label, its name, the text beside it."""
    field: str
    """Its ``name`` attribute; empty where it has none."""
    form: str
    """Method and shape of the address of its form; empty where it is in none."""
    on: bool = True
    """False for a box that was unticked."""
    required: bool = False
    """Whether its form is not sent without it."""
    told: bool = False
    """Whether it is what the site itself had shown to the user: the number of an order, a code."""
    changes: bool = True
    """Whether the field held something else before."""
    file: UploadedFile | None = None
    """Of a file what it is; None where that is not known: a picture is known by its address alone then."""
    said: bool = False
    """Whether it is what a pressed control says, which is no field: a draft may say it, and the whole need not."""
    ids: frozenset[str] = frozenset()
    """What the site calls the card that its field stands in."""
    around: tuple[str, ...] = ()
    """What the page calls the elements around its field by a number, as ``comment-41``, the innermost first."""
    unspelt: bool = False
    """Whether a request may say it in a way that no page shows: an option of a list that a script draws."""
    part: str = ""
    """What the part of the page is called that its field stands in."""
    cards: frozenset[str] = frozenset()
    """What the cards are called that its field stands in, in no form."""
    loose: bool = False
    """Whether nothing says that its list, or its box, is a field of a form: it may only sort what the page shows."""
    sends: bool = False
    """Whether it is the button that sent the others: a page says in another form what that is called."""
    replaces: bool = False
    """Whether its field came filled, or its box ticked: what is put into an empty one may ask for something else, as to
    take a thing away."""
    apart: bool = False
    """Whether its box is sent by no form: a request carries it that names the thing, and nothing waits for it."""
    several: tuple[frozenset[str], ...] = ()
    """Of several options that were chosen in one list how each may be spelt; none where it is one."""

    @property
    def called(self) -> str:
        """What the field is called, for a person."""
        return next(iter(self.names), self.field) or self.kind

    @property
    def stands_in(self) -> tuple[str, ...]:
        """The form of its field; of a field without one the part of the page."""
        return standing(self.form, self.part)

    def repeats(self, other: UserInput) -> bool:
        """Return whether it only says once more what another input says: `confirm_email` beside `email`."""
        own, its = _letters(self.field or self.called), _letters(other.field or other.called)
        same = self.kind == other.kind == "text" and self.spellings == other.spellings and self.form == other.form
        return same and own != its and bool(its) and (own.startswith(its) or own.endswith(its))


def standing(form: str, part: str) -> tuple[str, ...]:
    """Give what a control stands in: its form; where it has none, the part of the page.

    Args:
        form: method and shape of the address of its form; empty where it is in none.
        part: what the part of the page is called.
    """
    return ("form", form) if form else ("part", part)


def input_of(
    action_id: str, start: ActionStart, given: str, told: Mapping[str, Any], render: Callable[[str], str]
) -> UserInput | None:
    """Give what an action put into a field; None where it put in nothing, or a secret.

    Args:
        action_id: the action.
        start: what it was.
        given: what it put in, without variables; the path of a file.
        told: what the page reports of the field afterwards, as ``Input.read_back`` gives it.
        render: puts values in place of variables.
    """
    target, kind = start.target, ENTERS.get(start.kind)
    if target is None or kind is None or target.secret:
        return None
    if kind == "tick" and target.caption and target.name and not target.label and says_answer(target.name) is None:
        target = target.model_copy(update={"caption": ""})  # it says its own name: what stands beside it is another's
    box = told.get("box") if start.kind == "click" or target.tag == "label" else None
    if box:  # what is done to its label is done to the box, as to one that is out of sight
        known = {"type": box["type"], "name_attr": box["name"], "label": box["label"], "form": box["form"]}
        target = target.model_copy(update=known)
    if (around := told.get("sent_around")) and not target.name_attr:
        target = target.model_copy(update={"name_attr": around})
    radio = target.type == "radio"
    if start.kind == "click" and not radio and not is_ticked(told):
        return _set_by(action_id, start, target, told, render)
    spellings = tuple(dict.fromkeys(render(text) for text in _spellings(start, target, given, told) if text.strip()))
    if not spellings:
        return None
    picked = told.get("picked") or {}
    set_in = [name for name, _ in picked.get("sets", ()) if name]
    if len(set_in) == 1 and not target.name_attr:
        target = target.model_copy(update={"name_attr": set_in[0]})
    # A script may know its field by an id alone, and an editor in a frame is often known by that alone.
    known_by = target.id if not target.name_attr and not any(map(str.isdecimal, target.id)) else ""
    # What has a caption all the same is labelled by what it shows.
    named = () if target.label and target.caption else (target.label, target.name)
    own = (*named[:1], target.caption, *named[1:], target.placeholder, known_by)
    framed = () if target.name_attr or any(own) else target.frame[-1:]
    group = next((scope.name for scope in target.scopes if scope.kind in ("form", "section") and scope.name), "")
    asked = (told.get("box") or {}).get("asked", "")
    names = (asked, target.name_attr, group) if radio else (*own[:2], target.name_attr, *own[2:], *framed)
    return UserInput(
        action_id,
        "choice" if radio else kind,
        spellings,
        tuple(dict.fromkeys(render(name) for name in names if name)),
        target.name_attr,
        target.form,
        bool(told["ticked"]) if box else start.kind != "uncheck",
        bool(told.get("required")),
        bool(_TOLD.fullmatch(start.value or "")),
        _changes(told),
        replaces=_replaces(kind, told),
        ids=frozenset(generated_parts(told.get("ids") or ())),
        around=tuple(told.get("around") or ()),
        unspelt=bool(picked),
        part=target.part,
        cards=frozenset(told.get("cards") or ()),
        several=tuple(frozenset(map(render, each)) for each in _several(start, told)),
    )


def is_ticked(told: Mapping[str, Any]) -> bool:
    """Return whether a click left a box that is sent with something otherwise than it was."""
    return bool(told.get("box")) and told.get("ticked") != (told.get("was") or {}).get("ticked")


def _changes(told: Mapping[str, Any]) -> bool:
    """Return whether a field holds something else than before; it is taken to where its page does not say."""
    if "now" in told:
        return bool(told["now"] != told.get("before"))
    before = told.get("was") or {}
    return all(told.get(name) != before.get(name) for name in ("chosen", "ticked") if name in told)


def _replaces(kind: InputKind, told: Mapping[str, Any]) -> bool:
    """Return whether a field held something before; one that does not say is taken to."""
    was = told.get("was") or {}
    if kind == "tick":
        return bool(was.get("ticked"))
    if kind == "choice":
        return bool(was.get("chosen") or told.get("before"))
    return kind != "file" and bool(told.get("before", was.get("text", "?")))


def _set_by(
    action_id: str, start: ActionStart, target: Target, told: Mapping[str, Any], render: Callable[[str], str]
) -> UserInput | None:
    """Give what pressing a member of a widget put into a field of its form, such as a star of a rating."""
    sets = told.get(SETS) or start.options.get(SETS)
    if not sets or not sets[1].strip():
        return None
    name, value = sets
    names = tuple(render(each) for each in (target.group, name) if each)
    return UserInput(action_id, "choice", (render(value),), names, name, target.form)


def put_by_press(
    action_id: str, told: Mapping[str, Any], render: Callable[[str], str]
) -> tuple[tuple[str, ...], UserInput]:
    """Give what a press put into a field beside what was pressed, as a stepper does, and what identifies that field.

    Args:
        action_id: the action.
        told: what the page reports of the field, as ``fieldSet`` gives it.
        render: puts values in place of variables.
    """
    names = tuple(dict.fromkeys(map(render, told["names"])))
    one = UserInput(
        action_id,
        "choice" if told["chosen"] else "text",
        tuple(dict.fromkeys(map(render, told["texts"]))),
        names,
        told["field"],
        told["form"],
        required=told["required"],
        replaces=told["filled"],
        ids=frozenset(generated_parts(told["ids"])),
        around=tuple(told["around"]),
        part=told["part"],
        cards=frozenset(told["cards"]),
    )
    return (told["form"], "press", told["field"] or next(iter(names), "")), one


def opens_session(inputs: Sequence[UserInput], secrets: int) -> bool:
    """Return whether a write with one secret and at most one text asks for a session: what it says is known already.

    A form that says more, or says a secret twice, makes an account.
    """
    return secrets == 1 and sum(one.kind == "text" for one in inputs) <= 1


def telling(inputs: Sequence[UserInput], own: Iterable[str], secrets: int) -> tuple[UserInput, ...]:
    """Give the inputs of a write that a page may show again, and that prove something then.

    With a secret, the session that follows proves that the terms were accepted, and, where the write asks for that
    session, the name of the user. A tick that the form requires says nothing: without it nothing is sent. What is put
    in twice is one input.

    Args:
        inputs: of the write.
        own: names of the user.
        secrets: how many secrets were sent with them.
    """
    names = {text.casefold() for text in own} if opens_session(inputs, secrets) else set()

    def tells(one: UserInput) -> bool:
        if any(text.casefold() in names for text in one.spellings):
            return False
        if one.kind == "tick" and one.on and (secrets or one.required):
            return False
        return not any(one.repeats(other) for other in inputs if other is not one)

    return tuple(filter(tells, inputs))


def is_into(one: UserInput, target: Target) -> bool:
    """Return whether an input was put into this field: what it held before is not sent any more."""
    return bool(one.field) and (one.form, one.field) == (target.form, target.name_attr)


def is_same_field(one: UserInput, form: str, field: str, names: Collection[str]) -> bool:
    """Return whether an input was put into the field of a form that has this ``name``, or is called so."""
    return one.form == form and (one.field == field if one.field and field else not set(one.names).isdisjoint(names))


def _letters(name: str) -> str:
    return "".join(char for char in name.casefold() if char.isalpha())


def key_of(target: Target, told: Mapping[str, Any]) -> tuple[str, ...]:
    """Give what identifies a field: radio buttons of a name are one, and so is what several presses set."""
    if sets := told.get(SETS):
        return target.form, "set", sets[0]
    if target.type == "radio" and target.name_attr:
        return target.form, "radio", target.name_attr
    if box := told.get("box"):
        value = () if box["type"] == "radio" else told.get("own", ())[:1]
        return box["form"], box["type"], box["name"] or box["label"], *map(str, value)
    return target.form, target.role, target.name_attr, target.name or target.label or target.caption, target.css


def key_beside(start: ActionStart, given: str) -> tuple[str, ...]:
    """Give what distinguishes an option that was chosen beside others of its list; nothing where it replaced them."""
    return ("beside", given) if start.options.get("beside") else ()


def _several(start: ActionStart, told: Mapping[str, Any]) -> list[Sequence[str]]:
    """Give how each of several options is spelt that were chosen in one list."""
    if picked := told.get("picked"):
        found = picked.get("several") or []
    else:
        found = told.get("chosen", ()) if start.options.get("several") else []
    return found if len(found) > 1 else []


def _spellings(start: ActionStart, target: Target, given: str, told: Mapping[str, Any]) -> list[str]:
    if start.kind == "upload":
        return [str(start.options.get("name", ""))]
    if start.kind in ("check", "uncheck", "click"):
        # Of a choice that depends on the user the recorded one says nothing: the page shows what was ticked.
        own = [str(text) for text in told.get("own", ())] or ([target.value] if "{{" not in target.name else [])
        called = target.name or target.label or target.caption  # a box that is out of sight has no name
        return [called, *own] if target.type == "radio" else [*own, called]
    if picked := told.get("picked"):
        return [given, picked["label"], picked["value"], *(value for _, value in picked["sets"]), *picked["anew"]]
    if start.kind == "select":
        chosen = told.get("chosen", ())
        if start.options.get("several") and len(chosen) > 1:
            return [", ".join(texts) for texts in zip(*(pair[::-1] for pair in chosen), strict=True)]
        own = [pair for pair in chosen if given in pair] if start.options.get("beside") else chosen
        return [given, *(text for pair in own for text in pair)]
    now = told.get("now")
    if start.kind == "type" and isinstance(now, str):
        return [now]  # what stood there before is sent with what was typed
    return [given, *([now] if isinstance(now, str) else [])]
