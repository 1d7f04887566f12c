"""The fields of forms, as a page reports them, and what the forms of a document held when the user came to it.

And what was sent of those that the user left. Not responsible for: asking pages, or comparing (``forms``).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from simulator.browser.effects.model import Effect, Place, Write
from simulator.browser.effects.spots import is_own, words_in
from simulator.meaning import Value, likeness
from simulator.meaning.month_names import MONTHS

_MOST_DOCUMENTS = 20
"""Of how many documents it is known what their forms held."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a form on a document."""

    name: str
    kind: str
    """``field``, ``select``, ``box`` or ``radio``."""
    holds: tuple[str, ...]
    """What it would send, and how a page calls that."""
    on: bool
    """Whether a box is ticked; of a list, whether the page says that what it holds is chosen."""
    label: str
    form: str
    """Method and shape of the address of its form."""
    action: str
    seen: bool = True
    """Whether the user could see it: an editor stands in the place of one that is hidden."""

    @classmethod
    def of(cls, raw: Mapping[str, Any]) -> Field:
        """Take in what the page script reports."""
        return cls(
            raw["name"], raw["kind"], tuple(raw["holds"]), raw["on"], raw["label"], raw["form"], raw["action"],
            raw.get("seen", True),
        )  # fmt: skip

    @property
    def is_sent(self) -> bool:
        """Whether its form sends it: boxes and radio buttons are where they are on."""
        return self.kind in ("field", "select") or self.on

    @property
    def is_worded(self) -> bool:
        """Whether it is a text that somebody has written, and no choice, no number and no time."""
        texts = self.holds if self.kind == "field" else ()
        return any(words_in(text) and is_own(text) and not Value.of(text).is_moment for text in texts)

    @property
    def chosen(self) -> tuple[str, ...]:
        """The values of the options that are chosen in a list; of anything else none."""
        return self.holds[1::2] if self.kind == "select" else ()

    def is_blank(self, holds: Sequence[str]) -> bool:
        """Return whether it says nothing with what it held at some time: of a list, that nothing is chosen yet."""
        texts = holds[1::2] if self.kind == "select" else holds
        return not any(map(str.strip, texts)) and (self.kind != "select" or bool(texts))

    def is_unlike(self, sent: Collection[str]) -> bool:
        """Return whether it is a list that holds nothing of what a script has sent: another part is called alike."""
        return self.kind in ("select", "radio") and {*self.holds}.isdisjoint(sent)

    @property
    def sends(self) -> str:
        """What its form sends; of a list the value, which stands behind what the page calls it."""
        return self.holds[-1] if self.holds else ""


def _may_be_of_a_clock(text: str) -> bool:
    return any(map(str.isdigit, text)) or any(word in MONTHS for word in re.findall(r"\w+", text.casefold()))


class MetForms:
    """What the forms of the documents held that one user came to last."""

    def __init__(self) -> None:
        self._met: dict[str, Sequence[Mapping[str, Any]]] = {}

    def meet(self, document: str, raw: Sequence[Mapping[str, Any]]) -> None:
        """Know a document.

        Args:
            document: names it.
            raw: its fields, as ``readFields`` gives them.
        """
        self._met[document] = raw
        if len(self._met) > _MOST_DOCUMENTS:
            del self._met[next(iter(self._met))]

    def of(self, documents: Collection[str]) -> list[Field]:
        """Give the fields of some documents."""
        return [Field.of(one) for document in documents for one in self._met.get(document, ())]


class LeftChoices:
    """What the forms of one user have sent of the lists, boxes and radio buttons that were left as they came.

    Args:
        template: writes an absolute address as a template.
        recognise: writes a text as a template.
    """

    def __init__(self, template: Callable[[str], str], recognise: Callable[[str], str]) -> None:
        self._template, self._recognise = template, recognise
        self._sent: list[tuple[Write, Mapping[str, str], Mapping[str, str]]] = []
        """Of each form what it sent, and what its fields are called, by their names."""
        self._told: list[Effect] = []
        self.counts = True
        """Whether it is known at all, by the rules of the recording."""

    def take_in(
        self, write: Write, page: str, fields: Sequence[Field], parts: Sequence[tuple[str, str]] | None
    ) -> None:
        """Take in a form that was sent.

        Args:
            write: as what it is reported.
            page: absolute address of its document.
            fields: those of it that nobody put something into, as the user came to them.
            parts: name and text of what was sent; None where the browser does not say.
        """
        sent: dict[str, list[str]] = {}
        for name, text in parts or ():
            sent.setdefault(name, []).append(text)
        choices = _choices(fields, None if parts is None else sent) if self.counts else {}
        self._sent.append((write, choices, {one.name: one.label for one in fields if one.name in choices}))
        for name, text in choices.items():
            place = Place(self._template(page), "field", name, keyed=False)
            came = Effect(write.action_id, write.action_id, write.number, "shown", "same", place, kind="state")
            self._told.append(replace(came, shows=self._recognise(text)))

    def told(self) -> list[Effect]:
        """Give what was sent since the last call: it proves nothing."""
        told, self._told = self._told, []
        return told

    def otherwise(self, action_id: str, name: str, text: str) -> tuple[str, str] | None:
        """Give what an action has sent, in a field that its user left as it came, instead of what was recorded.

        Args:
            action_id: the action.
            name: of the field.
            text: what the recorded form had sent in it.

        Returns:
            What the field is called, and what was sent; None where that is the same, or the form has no such field.
        """
        own = ((choices, called) for write, choices, called in self._sent if write.action_id == action_id)
        sent = next((one for one in own if name in one[0]), None)
        if sent is None or text == sent[0][name] or likeness(text, sent[0][name]) in ("same", "transformed"):
            return None
        return sent[1][name] or name, sent[0][name]


def _choices(fields: Iterable[Field], sent: Mapping[str, Sequence[str]] | None) -> dict[str, str]:
    """Give what a form with some fields sends of the lists, boxes and radio buttons that its user left as they came.

    What has a digit, or says a month, a clock may have chosen: the next user's is another one.

    Args:
        fields: those of the form that nobody put something into, as the user came to them.
        sent: by name what was sent; None where the browser does not say: it is what the fields held then.
    """
    choices = [one for one in fields if one.seen and one.kind != "field"]
    alike = Counter(one.name for one in choices)
    found: dict[str, list[str]] = {}
    for one in choices:
        texts = found.setdefault(one.name, [])
        if one.kind == "select":
            kept = sent is None or [*sent.get(one.name, ())] == [*one.chosen]
            texts += one.holds[::2] if kept or sent is None else sent.get(one.name, ())
            continue
        on = one.on if sent is None else not {*one.holds}.isdisjoint(sent.get(one.name, ()))
        if one.kind == "box" and alike[one.name] == 1:
            texts.append("ticked" if on else "not ticked")
        elif on:
            texts += one.holds[:1] if one.kind == "radio" else [one.label or one.holds[0]]
    told = {name: ", ".join(texts) for name, texts in found.items()}
    return {name: text for name, text in told.items() if not _may_be_of_a_clock(text)}


def is_for_another(carried: Mapping[str, Sequence[str]], left: Collection[str], form: Iterable[Field]) -> bool:
    """Return whether an empty form is for another thing, as one in a list: no text stands there that had been left."""
    texts = [one for one in form if one.kind == "field" and one.name in left]
    worded = [one for one in texts if any(replace(one, holds=(text,)).is_worded for text in carried[one.name])]
    return bool(worded) and not any(text.strip() for one in worded for text in one.holds)
