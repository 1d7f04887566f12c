"""What a user has put into the forms of pages, until it is sent.

Not responsible for: secrets, whose values never come here, or what is sent of it (``writes``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from simulator.browser.action_recorder import SETS, ActionKind, ActionStart
from simulator.browser.effects.files import UploadedFile
from simulator.browser.effects.model import Rules
from simulator.browser.effects.pressed import generated_parts
from simulator.browser.evidence import Target

_MOST = 200
"""How many inputs are remembered that nothing has sent."""
_TOLD = re.compile(r"\{\{site\.[^{}]*\}\}")
InputKind = Literal["text", "choice", "tick", "file"]
_ENTERS: Mapping[ActionKind, InputKind] = {
    "fill": "text",
    "type": "text",
    "select": "choice",
    "check": "tick",
    "uncheck": "tick",
    "upload": "file",
    "click": "tick",
}


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
    ids: frozenset[str] = frozenset()
    """What the site calls the card that its field stands in."""
    unspelt: bool = False
    """Whether a request may say it in a way that no page shows: an option of a list that a script draws."""
    part: str = ""
    """What the part of the page is called that its field stands in."""
    loose: bool = False
    """Whether nothing says that its list is a field of a form: it may only sort what the page shows."""
    apart: bool = False
    """Whether its box is sent by no form: a request carries it that names the thing, and nothing waits for it."""

    @property
    def called(self) -> str:
        """What the field is called, for a person."""
        return next(iter(self.names), self.field) or self.kind

    def repeats(self, other: UserInput) -> bool:
        """Return whether it only says once more what another input says: `confirm_email` beside `email`."""
        own, its = _letters(self.field or self.called), _letters(other.field or other.called)
        same = self.kind == other.kind == "text" and self.spellings == other.spellings and self.form == other.form
        return same and own != its and bool(its) and (own.startswith(its) or own.endswith(its))


class Inputs:
    """The inputs of one user that nothing has sent yet, the newest of each field.

    Args:
        render: puts values in place of variables.
    """

    def __init__(self, render: Callable[[str], str]) -> None:
        self._render = render
        self._waiting: dict[tuple[str, ...], UserInput] = {}
        self._documents: dict[str, tuple[int, str]] = {}
        """Window and document that each was put into, by action."""
        self._picked: dict[tuple[str, ...], UserInput] = {}
        """The things of a list that are ticked by boxes which no form sends."""
        self._typed: dict[str, UserInput] = {}
        """What a socket has sent while it was put in, by action: it may yet be sent as a whole."""
        self._refused: dict[str, str] = {}
        """By what was refused the action that had sent it."""
        self.rules = Rules()
        """By which rules something counts as an input."""
        self._secrets: dict[tuple[str, ...], tuple[int, str]] = {}
        """The fields that a secret was put into which nothing has sent yet, with window and document."""

    def put(
        self, action_id: str, start: ActionStart, given: str, told: Mapping[str, Any], window: int, document: str
    ) -> None:
        """Take in what an action put into a field; a secret is not taken in.

        Args:
            action_id: the action.
            start: what it was.
            given: what it put in, without variables; the path of a file.
            told: what the page reports of the field afterwards, as ``Input.read_back`` gives it.
            window: distinguishes windows.
            document: names the document that the field is in.
        """
        target = start.target
        if target is None or start.kind not in _ENTERS:
            return
        if target.secret:
            self._secrets[_key(target, told)] = window, document
            return
        # In a card that names a thing a drawn box may be there to choose it, and an option in a list that stands open.
        names = generated_parts(told.get("ids") or ())
        if (told.get("box") or {}).get("drawn") and (names or not self.rules.drawn_boxes):
            told = {**told, "box": None}
        option = told.get("option")
        option = option if option and self.rules.takes_option(bare=bool(option.get("bare"))) else None
        if option and (option["opened"] or not names):
            self._take_option(action_id, start, option, window, document)
            return
        field = _key(target, told)
        if start.kind == "click" and target.type != "radio" and not told.get(SETS) and not _is_ticked(told):
            self._documents[action_id] = window, document
            self._pick(action_id, start, told, field)
            return
        self._waiting.pop(field, None)
        self._typed = {key: one for key, one in self._typed.items() if not _is_same(one, target)}
        self._documents[action_id] = window, document
        if one := input_of(action_id, start, given, told, self._render):
            own = start.kind == "upload" and self.rules.files_by_look
            self._waiting[field] = replace(one, file=UploadedFile(given)) if own else one
        if len(self._waiting) > _MOST:
            del self._waiting[next(iter(self._waiting))]

    def _take_option(
        self, action_id: str, start: ActionStart, option: Mapping[str, Any], window: int, document: str
    ) -> None:
        """Take in what was chosen by pressing an option of a list that a script draws, or one of its radio buttons."""
        names = tuple(dict.fromkeys(self._render(name) for name in option["names"]))
        spellings = tuple(dict.fromkeys(self._render(text) for text in (option["label"], option["value"]) if text))
        if not spellings:
            return
        key = (option["form"], "option", next(iter(names), ""), spellings[0] if option["many"] else "")
        self._waiting.pop(key, None)
        self._documents[action_id] = window, document
        # A list may be drawn far from its field, at the end of the page.
        part = option["part"] if self.rules.bare_options else start.target.part if start.target else ""
        one = UserInput(action_id, "choice", spellings, names, "", option["form"], unspelt=True, part=part)
        self._waiting[key] = replace(one, loose=bool(option.get("bare")))

    def _pick(self, action_id: str, start: ActionStart, told: Mapping[str, Any], field: tuple[str, ...]) -> None:
        """Take in a thing that a click ticked, by a box that no form sends: what is pressed then may be for it."""
        self._picked.pop(field, None)
        ids = frozenset(generated_parts(told.get("ids") or ()))
        changed = told.get("ticked") != (told.get("was") or {}).get("ticked")
        if told.get("ticked") and changed and ids and start.target is not None:
            target = start.target
            names = tuple(dict.fromkeys(self._render(name) for name in (target.label, target.name) if name))
            one = UserInput(action_id, "tick", names, names, target.name_attr, target.form, ids=ids, apart=True)
            self._picked[field] = one

    @property
    def secrets(self) -> int:
        """How many fields a secret was put into that nothing has sent yet."""
        return len(self._secrets)

    def forget_secrets(self) -> None:
        """Know the secrets that were put in as sent."""
        self._secrets.clear()

    def waiting(self) -> tuple[UserInput, ...]:
        """Give what nothing has sent yet, the oldest first."""
        return tuple(self._waiting.values())

    def may_be_sent(self) -> tuple[UserInput, ...]:
        """Give what nothing has sent yet, what was sent only while it was put in, and what is ticked in a list."""
        waiting = self.waiting()
        typed = (one for key, one in self._typed.items() if key not in {each.action_id for each in waiting})
        return (*waiting, *typed, *self._picked.values())

    def told_as_typed(self, inputs: Iterable[UserInput]) -> None:
        """Know inputs as sent while they were put in: what is pressed then may send them once more."""
        self._typed |= {one.action_id: one for one in inputs}
        self._waiting = {key: one for key, one in self._waiting.items() if one.action_id not in self._typed}

    def leave(self, window: int, documents: Collection[str]) -> None:
        """Forget what was put into documents that a window shows no more: it was sent by a visit, or given up.

        Args:
            window: the window.
            documents: what it shows now, in its page and in the frames of that.
        """
        gone = {one for one, (at, shown) in self._documents.items() if at == window and shown not in documents}
        self._documents = {one: where for one, where in self._documents.items() if one not in gone}
        self._secrets = {
            key: (at, shown) for key, (at, shown) in self._secrets.items() if at != window or shown in documents
        }
        self.sent(gone)

    def stay(self, action_ids: Collection[str], window: int, document: str, sent_by: str) -> None:
        """Know inputs that the site has refused as put into the document that followed: its form has them still.

        Args:
            action_ids: the actions that put them in.
            window: the window.
            document: what it shows now.
            sent_by: the action that sent them.
        """
        self._documents |= dict.fromkeys(action_ids, (window, document))
        self._refused |= dict.fromkeys(action_ids, sent_by)

    def given_back(self, inputs: Iterable[UserInput], window: int, document: str) -> None:
        """Know inputs as held by the form of a page that answered them, such as a preview: it may send them once more.

        Args:
            inputs: what was put in.
            window: the window.
            document: what it shows now.
        """
        held = list(inputs)
        self._documents |= dict.fromkeys((one.action_id for one in held), (window, document))
        self.told_as_typed(held)

    def refused_before(self, action_id: str, window: int) -> list[UserInput]:
        """Give what was put into a window, the site has refused, and nothing has sent since.

        Args:
            action_id: what this one sent is not given.
            window: the window.
        """
        ids = {one for one, by in self._refused.items() if by != action_id}
        here = {one for one, (at, _) in self._documents.items() if at == window}
        return [one for one in self.waiting() if one.action_id in ids & here]

    def sent(self, action_ids: set[str]) -> None:
        """Forget what has been sent."""
        self._waiting = {key: one for key, one in self._waiting.items() if one.action_id not in action_ids}
        self._picked = {key: one for key, one in self._picked.items() if one.action_id not in action_ids}
        self._typed = {key: one for key, one in self._typed.items() if key not in action_ids}


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
    target, kind = start.target, _ENTERS.get(start.kind)
    if target is None or kind is None or target.secret:
        return None
    box = told.get("box") if start.kind == "click" else None
    if box:  # a click on its label is one on the box
        known = {"type": box["type"], "name_attr": box["name"], "label": box["label"], "form": box["form"]}
        target = target.model_copy(update=known)
    radio = target.type == "radio"
    if start.kind == "click" and not radio and not _is_ticked(told):
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
    names = (target.name_attr, group) if radio else (*own[:2], target.name_attr, *own[2:], *framed)
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
        ids=frozenset(generated_parts(told.get("ids") or ())),
        unspelt=bool(picked),
        part=target.part,
    )


def _is_ticked(told: Mapping[str, Any]) -> bool:
    """Return whether a click left a box that is sent with something otherwise than it was."""
    return bool(told.get("box")) and told.get("ticked") != (told.get("was") or {}).get("ticked")


def _changes(told: Mapping[str, Any]) -> bool:
    """Return whether a field holds something else than before; it is taken to where its page does not say."""
    if "now" in told:
        return bool(told["now"] != told.get("before"))
    before = told.get("was") or {}
    return all(told.get(name) != before.get(name) for name in ("chosen", "ticked") if name in told)


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


def _is_same(one: UserInput, target: Target) -> bool:
    """Return whether an input was put into this field: what it held before is not sent any more."""
    return bool(one.field) and (one.form, one.field) == (target.form, target.name_attr)


def _letters(name: str) -> str:
    return "".join(char for char in name.casefold() if char.isalpha())


def _key(target: Target, told: Mapping[str, Any]) -> tuple[str, ...]:
    """Give what identifies a field: radio buttons of a name are one, and so is what several presses set."""
    if sets := told.get(SETS):
        return target.form, "set", sets[0]
    if target.type == "radio" and target.name_attr:
        return target.form, "radio", target.name_attr
    if box := told.get("box"):
        value = () if box["type"] == "radio" else told.get("own", ())[:1]
        return box["form"], box["type"], box["name"] or box["label"], *map(str, value)
    return target.form, target.role, target.name_attr, target.name or target.label or target.caption, target.css


def _spellings(start: ActionStart, target: Target, given: str, told: Mapping[str, Any]) -> list[str]:
    if start.kind == "upload":
        return [str(start.options.get("name", ""))]
    if start.kind in ("check", "uncheck", "click"):
        # Of a choice that depends on the user the recorded one says nothing: the page shows what was ticked.
        own = [str(text) for text in told.get("own", ())] or ([target.value] if "{{" not in target.name else [])
        return [target.name, *own] if target.type == "radio" else [*own, target.name]
    if picked := told.get("picked"):
        return [given, picked["label"], picked["value"], *(value for _, value in picked["sets"]), *picked["anew"]]
    if start.kind == "select":
        return [given, *(text for pair in told.get("chosen", ()) for text in pair)]
    now = told.get("now")
    if start.kind == "type" and isinstance(now, str):
        return [now]  # what stood there before is sent with what was typed
    return [given, *([now] if isinstance(now, str) else [])]
