"""Writes whose answers hold in a form what they carried, as previews do: that form sends it once more, or nothing does.

So it is with a draft that a script has saved while its fields go on holding what was put in.

Not responsible for: asking the page what its form holds (``refused``), or watching the writes (``sending``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from simulator.browser.effects.inputs import Inputs
from simulator.browser.effects.model import Carried, Write
from simulator.browser.effects.sent.batch import Batch
from simulator.browser.effects.user_input import UserInput
from simulator.browser.effects.watched import Watched


@dataclass(frozen=True, slots=True)
class _Preview:
    """An answer that holds what was sent."""

    document: str
    button: str
    """What had sent it is called; empty where that is not known."""
    draft: frozenset[str] = frozenset()
    """Of a draft the actions that put in what it has sent; empty for an answer."""
    texts: frozenset[str] = frozenset()
    """Those of them that put in a text."""

    def may_be_sent(self, batch: Batch) -> bool:
        """Return whether what is there still, and was pressed now, may send it: of a draft another button."""
        another = not self.draft or (bool(batch.button) and batch.button != self.button)
        return another and self.document in (batch.put_off or batch.before.documents)

    def is_sent_by(self, batch: Batch, earlier: Sequence[UserInput], now: Sequence[UserInput]) -> bool:
        """Return whether a later write says all that the earlier one said: from its answer, as it stands by then."""
        if not self.may_be_sent(batch):
            return False
        sent = {one.action_id for one in now}
        if self.draft:
            return self.texts <= sent
        filled = {(one.form, one.field) for one in now if one.field}
        # Where the same button sends other values each of them is a write: a remark, and another remark.
        anew = bool(self.button and batch.button) and self.button != batch.button
        return all(one.action_id in sent or (anew and (one.form, one.field) in filled) for one in earlier)


class Previews:
    """The writes of one user whose answers gave back what they carried."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, int], _Preview] = {}

    def know(self, write: Write, document: str, button: str, draft: Iterable[UserInput] = ()) -> None:
        """Know a write whose answer gave back what it carried.

        Args:
            write: the write.
            document: its answer, or the page that has saved a draft.
            button: what had sent it is called; empty where that is not known.
            draft: of a draft what it has sent.
        """
        sent = {one.action_id: one.kind for one in draft}
        texts = frozenset(one for one, kind in sent.items() if kind == "text")
        self._known[write.action_id, write.number] = _Preview(document, button, frozenset(sent), texts)

    def without_drafts(self, carried: Sequence[Carried], inputs: Inputs, batch: Batch) -> tuple[Carried, ...]:
        """Leave out what a draft has sent, unless all texts of it are sent again by another button.

        Args:
            carried: what a later write carries.
            inputs: what its user has put in.
            batch: of the later write.
        """
        sent = {one.input for one in carried}
        may_be = {one.action_id for one in inputs.may_be_sent()} - {one.action_id for one in inputs.waiting()}
        apart: set[str] = set()
        for key, one in self._known.items():
            if not (draft := one.draft & may_be):
                continue
            now = self._known[key] = replace(one, draft=draft, texts=one.texts & draft)  # some may be put in anew
            if not (now.may_be_sent(batch) and now.texts <= sent):
                apart |= draft
        return tuple(one for one in carried if one.input not in apart)

    def sent_by(self, watched: Iterable[Watched], now: Sequence[UserInput], batch: Batch) -> list[Watched]:
        """Give those writes that were a step to a later one: their answers have sent it, with all that they carried.

        Args:
            watched: the earlier writes.
            now: what the later one carries.
            batch: of the later one.
        """
        known = ((one, self._known.get((one.write.action_id, one.write.number))) for one in watched)
        return [one for one, preview in known if preview and preview.is_sent_by(batch, one.inputs, now)]

    def shown_by(self, watched: Iterable[Watched]) -> frozenset[str]:
        """Give the documents that answered some writes, and those before them: they stand at no address.

        Args:
            watched: writes that were steps to a later one.
        """
        found: set[str] = set()
        for one in watched:
            found |= {self._known[one.write.action_id, one.write.number].document, *one.previewed}
        return frozenset(found)
