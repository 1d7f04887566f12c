"""What a user has put into the forms of pages, until it is sent.

Not responsible for: secrets, whose values never come here, or what is sent of it (``writes``).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any

from simulator.browser.action_recorder import SETS, ActionStart
from simulator.browser.effects.files import UploadedFile
from simulator.browser.effects.model import Rules
from simulator.browser.effects.pressed import generated_parts
from simulator.browser.effects.user_input import (
    ENTERS,
    PUTS_BESIDE,
    UserInput,
    input_of,
    is_into,
    is_same_field,
    is_ticked,
    key_beside,
    key_of,
    put_by_press,
)
from simulator.browser.evidence import Target
from simulator.meaning import likeness

_MOST = 200
"""How many inputs are remembered that nothing has sent."""
_MOST_SAID = 30
"""How many presses are remembered that sent nothing."""


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
        self._said: dict[str, UserInput] = {}
        """What controls say that were pressed, and are no fields, by the press: a request may say it, too."""
        self._typed: dict[str, UserInput] = {}
        """What was sent while it was put in, by action: it may yet be sent as a whole."""
        self._told_to: dict[str, tuple[str, str]] = {}
        """Where each of those was sent."""
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
        if start.kind == "press" and is_ticked(told):
            start = replace(start, kind="click")  # the key of a space ticks as a pointer does
        target = start.target
        if target is None or start.kind not in {*ENTERS, *PUTS_BESIDE}:
            return
        if target.secret:
            self._secrets[key_of(target, told)] = window, document
            return
        # In a card that names a thing a drawn box may be there to choose it, and an option in a list that stands open.
        names = generated_parts(told.get("ids") or ())
        if (box := told.get("box")) and not self._may_be_sent_with_something(box, bool(names)):
            told = {**told, "box": None}
        option = told.get("option")
        button = target.tag in ("a", "button")
        option = option if option and self.rules.takes_option(bare=bool(option.get("bare")), button=button) else None
        if option and (option["opened"] or not names):
            self._take_option(action_id, start, option, window, document)
            return
        if (
            start.kind in PUTS_BESIDE
            and not told.get(SETS)
            and not is_ticked(told)
            and (by_press := told.get("field_set"))
        ):
            self._put_by_press(action_id, by_press, window, document)
            return
        if start.kind not in ENTERS:
            return
        field = key_of(target, told)
        if start.kind == "click" and target.type != "radio" and not told.get(SETS) and not is_ticked(told):
            self._documents[action_id] = window, document
            self._pick(action_id, start, told, field)
            self._hear_said(action_id, start)
            return
        called = {target.label, target.name} - {""}
        self._waiting = {
            key: one
            for key, one in self._waiting.items()
            if key[1] != "press" or not is_same_field(one, target.form, target.name_attr, called)
        }
        if start.kind == "select":  # what takes the place of all that was chosen
            beside = key_beside(start, given)
            self._waiting = {key: one for key, one in self._waiting.items() if beside or key[:-2] != field}
            field += beside
        last = self._waiting.pop(field, None)
        emptied = last and last.kind == "text" and told.get("before") == "" and self.rules.sent_beside
        if last and emptied and not any(likeness(given, each) for each in last.spellings):
            # The page has taken it out of its field, as an editor of tags does: it may yet be sent. Another writing of
            # the same takes its place: a page empties a date that it cannot read.
            self._waiting[(*field, last.action_id)] = replace(last, loose=True)
        self._typed = {key: one for key, one in self._typed.items() if not is_into(one, target)}
        self._documents[action_id] = window, document
        if one := input_of(action_id, start, given, told, self._render):
            if one.kind == "tick" and self.rules.sent_beside:
                one = replace(one, loose=bool((told.get("box") or {}).get("alone")))
            own = start.kind == "upload" and self.rules.files_by_look
            self._waiting[field] = replace(one, file=UploadedFile(given)) if own else one
        if len(self._waiting) > _MOST:
            del self._waiting[next(iter(self._waiting))]

    def _may_be_sent_with_something(self, box: Mapping[str, Any], in_card: bool) -> bool:
        """Return whether a box is an input, not only the choice of a thing, or what opens something.

        Args:
            box: what the page reports of it.
            in_card: whether it stands in a card that names a thing.
        """
        if box["alone"]:
            return not in_card and bool(box["label"]) and box["type"] == "checkbox" and self.rules.sent_beside
        return not box["drawn"] or (not in_card and self.rules.drawn_boxes)

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

    def _put_by_press(self, action_id: str, told: Mapping[str, Any], window: int, document: str) -> None:
        """Take in what a press put into a field; it takes the place of what had been put into that."""
        key, one = put_by_press(action_id, told, self._render)
        self._waiting = {
            at: each for at, each in self._waiting.items() if not is_same_field(each, one.form, one.field, one.names)
        }
        self._waiting[key] = one
        self._documents[action_id] = window, document

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

    def _hear_said(self, action_id: str, start: ActionStart) -> None:
        """Take in what a control says that was pressed: a script may draw a field of anything, as of a calendar."""
        target = start.target
        if target is None or not self.rules.said_by_presses or leads_on(target):
            return
        texts = dict.fromkeys(self._render(text) for text in (target.name, target.text, target.value) if text.strip())
        if texts:
            self._said[action_id] = UserInput(action_id, "choice", tuple(texts), (), "", target.form, part=target.part)
        if len(self._said) > _MOST_SAID:
            del self._said[next(iter(self._said))]

    def said(self, before: str) -> tuple[UserInput, ...]:
        """Give what controls say that were pressed before an action, and that nothing has sent, the oldest first."""
        return tuple(one for key, one in self._said.items() if key != before)

    def said_by(self, action_id: str) -> UserInput | None:
        """Give what the control says that an action pressed; None where it pressed none."""
        return self._said.get(action_id)

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

    def told_as_typed(self, inputs: Iterable[UserInput], to: tuple[str, str] | None = None) -> None:
        """Know inputs as sent while they were put in: what is pressed then may send them once more.

        Args:
            inputs: what was put in.
            to: where each was sent alone; None where that is not known.
        """
        told = {one.action_id: one for one in inputs}
        self._typed |= told
        if to is not None:
            self._told_to |= dict.fromkeys(told, to)
        self._waiting = {key: one for key, one in self._waiting.items() if one.action_id not in self._typed}

    def were_told(self, to: tuple[str, str]) -> list[UserInput]:
        """Give what was sent alone as it was put in, and not as a whole since, the oldest first.

        Args:
            to: where it was sent.
        """
        return [one for key, one in self._typed.items() if self._told_to.get(key) == to]

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

    def given_back(self, inputs: Iterable[UserInput], window: int, document: str, to: tuple[str, str]) -> None:
        """Know inputs as held by the form of a page that answered them, such as a preview: it may send them once more.

        Args:
            inputs: what was put in.
            window: the window.
            document: what it shows now.
            to: where it was sent.
        """
        held = list(inputs)
        self._documents |= dict.fromkeys((one.action_id for one in held), (window, document))
        self.told_as_typed(held, to)

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
        self._said = {key: one for key, one in self._said.items() if key not in action_ids}
        self._typed = {key: one for key, one in self._typed.items() if key not in action_ids}
        self._told_to = {key: to for key, to in self._told_to.items() if key in self._typed}


def leads_on(target: Target) -> bool:
    """Return whether a pressed link leads to a page of its own: nobody has drawn a field of it.

    What is sent there later may say what the link is called, as the form of a thing says its title.
    """
    return target.role == "link" and bool(target.href) and not set("#?") & set(target.href)
