"""Writes whose answers hold in a form what they carried, as previews do: that form sends it once more, or nothing does.

So it is with a draft that a script has saved while its fields go on holding what was put in.

Not responsible for: asking the page what its form holds (``refused``), or watching the writes (``sending``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from playwright.async_api import Frame

from simulator.browser.effects.addresses import generated_in, is_of
from simulator.browser.effects.inputs import Inputs
from simulator.browser.effects.met import bare
from simulator.browser.effects.model import Carried, Write
from simulator.browser.effects.scene import Scene
from simulator.browser.effects.sent.batch import Batch
from simulator.browser.effects.sent.refused import PageSays
from simulator.browser.effects.sent.writes import Sent
from simulator.browser.effects.user_input import UserInput
from simulator.browser.effects.watched import Watched
from simulator.meaning import is_telling


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
    words: tuple[str, ...] = ()
    """What they put in."""
    frame: Frame | None = None
    """Where that stands."""
    made: frozenset[str] = frozenset()
    """What the answer called the thing that was made of it, where the button of its form has sent it."""
    at: str = ""
    """Address at which it was sent."""
    left: bool = False
    """Whether it stands in no field any more: what was pressed by then may send it yet, and nothing else."""

    def has_become_a_thing(self, url: str) -> bool:
        """Return whether an application has gone on to the page of what was made: the form there shows that thing."""
        return is_of(url, self.made) and bare(url) != bare(self.at)

    def may_be_sent(self, batch: Batch) -> bool:
        """Return whether what is there still, and was pressed now, may send it: of a draft another button."""
        another = not self.draft or (bool(batch.button) and batch.button != self.button)
        return another and self.document in (batch.put_off or batch.before.documents)

    def is_whole(self, sent: Collection[str]) -> bool:
        """Return whether all texts of the draft are sent."""
        return bool(self.texts) and self.texts <= {*sent}

    def is_sent_by(self, batch: Batch, earlier: Sequence[UserInput], now: Sequence[UserInput]) -> bool:
        """Return whether a later write says all that the earlier one said: from its answer, as it stands by then."""
        if not self.may_be_sent(batch):
            return False
        sent = {one.action_id for one in now}
        if self.draft:
            return self.is_whole(sent)
        filled = {(one.form, one.field) for one in now if one.field}
        # Where the same button sends other values each of them is a write: a remark, and another remark.
        anew = bool(self.button and batch.button) and self.button != batch.button
        return all(one.action_id in sent or (anew and (one.form, one.field) in filled) for one in earlier)


class Previews:
    """The writes of one user whose answers gave back what they carried."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, int], _Preview] = {}

    def know(self, sent: Sent, write: Write, held: Sequence[UserInput], batch: Batch) -> None:
        """Know a write whose answer gave back what it carried, or a draft that a script has saved.

        Args:
            sent: the request.
            write: the same, as it is reported.
            held: what it carried, and fields hold by now.
            batch: of the write.
        """
        preview = _Preview(batch.answer_to(sent)[0], batch.button)
        if sent.initiator in ("fetch", "socket"):
            texts = [one for one in held if one.kind == "text"]
            preview = replace(
                preview,
                draft=frozenset(one.action_id for one in held),
                texts=frozenset(one.action_id for one in texts),
                words=tuple(text for one in texts for text in one.spellings if is_telling(text)),
                frame=sent.frame,
                made=frozenset(sent.names - generated_in(sent.request.url)) if batch.submits else frozenset(),
                at=sent.page,
            )
        self._known[write.action_id, write.number] = preview

    async def look_again(self, page_says: PageSays, now: Scene) -> None:
        """Look which drafts stand in no field any more, as an action has ended: what it pressed may send them yet.

        Args:
            page_says: what the page holds.
            now: what the user looks at.
        """
        for key, one in self._known.items():
            if not one.draft or one.left:
                continue
            url = now.shown_in(one.frame)[1]
            if one.has_become_a_thing(url) or not await page_says.still_written(one.frame, one.words):
                self._known[key] = replace(one, left=True)

    def leave(self, inputs: Inputs) -> None:
        """Forget the drafts that stood in no field any more as the last action ended."""
        for key in [key for key, one in self._known.items() if one.left and one.draft]:
            inputs.sent(set(self._known.pop(key).draft) - {one.action_id for one in inputs.waiting()})

    def without_drafts(
        self, sent_now: Sent, carried: Sequence[Carried], inputs: Inputs, batch: Batch
    ) -> tuple[Carried, ...]:
        """Leave out what a draft has sent, unless all texts of it are sent again by another button.

        Where the same press sends the form after all, once the server has answered, that was no draft but a check.

        Args:
            sent_now: the request of a later write.
            carried: what that carries.
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
            checked = batch.taken and sent_now.initiator == "document" and key[0] == sent_now.action_id
            if not ((now.may_be_sent(batch) or checked) and now.is_whole(sent)):
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


class AsTyped:
    """The writes of one user that said what was put in as it was put in, until that is sent as a whole."""

    def __init__(self) -> None:
        self._told: set[tuple[str, int]] = set()
        self._refused: list[Write] = []

    def know(self, write: Write) -> None:
        """Know a write as such a one."""
        self._told.add((write.action_id, write.number))

    def refuse(self, write: Write) -> None:
        """Know one that the site has refused."""
        self._refused.append(write)

    def superseded(self, watched: Iterable[Watched], inputs: Sequence[UserInput]) -> list[Watched]:
        """Give what was watched of some inputs as they were put in: once they are sent as a whole that is the write.

        Args:
            watched: the earlier writes.
            inputs: what is sent as a whole.
        """
        sent = {one.action_id for one in inputs}
        return [
            one
            for one in watched
            if (one.write.action_id, one.write.number) in self._told
            and {each.action_id for each in one.inputs if not each.said} <= sent
        ]

    def refused_before(self, inputs: Sequence[UserInput]) -> list[Write]:
        """Give what the site refused of some inputs as they were put in, as what carried nothing now.

        Args:
            inputs: what is sent as a whole, and taken.
        """
        sent = {one.action_id for one in inputs}
        over = [one for one in self._refused if {each.input for each in one.carried} <= sent]
        self._refused = [one for one in self._refused if one not in over]
        return [replace(one, carried=()) for one in over]
