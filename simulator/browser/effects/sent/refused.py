"""Whether the page that follows a write says that the site did not take it: its form is there, and an error with it.

Not responsible for: what counts as an error on a page (``simulator.browser.views.refusals``), or what answers say.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from playwright.async_api import Frame, Page

from simulator.browser.effects.asking import Asking
from simulator.browser.effects.sent.writes import Sent
from simulator.browser.effects.user_input import UserInput
from simulator.browser.views.refusals import Refusal, gist, new_ones
from simulator.meaning import is_telling, likeness

_OF_FIELD = ("field", "browser")
FieldsOf = Callable[[Frame | None], Awaitable[Sequence[Mapping[str, Any]]]]
"""Gives what the fields of a page hold, or of a frame in it, as ``readFields`` gives them."""


@dataclass(slots=True)
class Refusing:
    """What the pages of one user have refused."""

    _said: set[tuple[str, ...]] = field(default_factory=set)
    """By which words something was refused: they are no notice that stands on every page."""

    def is_refused(
        self,
        sent: Sent,
        inputs: Sequence[UserInput],
        refusals: Sequence[Refusal],
        before: Iterable[Refusal],
        fields: Iterable[Mapping[str, Any]],
    ) -> bool:
        """Return whether a page refuses what was sent.

        What was put in has to stand in its field, as a form that is given back has it: a form that was taken, and is
        empty for the next thing, may complain of just that.

        Args:
            sent: the request.
            inputs: what it carried.
            refusals: what the page refuses now.
            before: the same of the page that sent it.
            fields: what the fields of the page hold now, as ``readFields`` gives them.
        """
        answer = sent.initiator == "document"
        if not any(is_held(one, fields) for one in inputs):
            return False
        new = new_ones(refusals, (one.words for one in before if gist(one.words) not in self._said))
        of_input = [one for one in (refusals if answer else new) if one.how in _OF_FIELD and _is_of(one, inputs)]
        found = [*of_input, *(new if answer else ())]
        self._said.update(gist(one.words) for one in found)
        return bool(found)


@dataclass(frozen=True, slots=True)
class PageSays:
    """What the page refuses that followed an action."""

    refusing: Refusing
    refusals: Sequence[Refusal]
    before: Sequence[Refusal]
    """The same of the page that it was done on."""
    fields_of: FieldsOf
    pages: Asking
    page: Page

    async def refuse(self, sent: Sent, inputs: Sequence[UserInput]) -> bool:
        """Return whether it refuses what was sent.

        Args:
            sent: the request.
            inputs: what it carried.
        """
        if not self.refusals or sent.leads_to or sent.initiator not in ("document", "fetch"):
            return False
        fields = await self.fields_of(sent.frame)
        return self.refusing.is_refused(sent, inputs, self.refusals, self.before, fields)

    async def still_written(self, frame: Frame | None, texts: Sequence[str]) -> bool:
        """Return whether one of some texts still stands in a field of the page, or of a frame in it."""
        return await self.pages.still_written(self.page, frame, texts)

    async def said_by_hand(self) -> Sequence[str]:
        """Give what the handlers of the last press have said on sockets."""
        return await self.pages.said_by_hand(self.page)

    async def given_back(self, sent: Sent, inputs: Sequence[UserInput]) -> list[UserInput]:
        """Give what the answer to a write holds in a form, as it was put in: a preview does, and asks for it again.

        So does the page that has saved a draft by a script, as long as a text of it stands in its field: all of it may
        be sent again then.

        Args:
            sent: the request.
            inputs: what it carried.
        """
        if sent.initiator in ("fetch", "socket"):
            texts = [text for one in inputs if one.kind == "text" for text in one.spellings if is_telling(text)]
            written = bool(texts) and await self.still_written(sent.frame, texts)
            return [one for one in inputs if one.names or one.field] if written else []
        if sent.initiator != "document" or sent.leads_to:
            return []
        fields = await self.fields_of(sent.frame)
        return [one for one in inputs if is_held(one, fields) or _is_ticked(one, fields)]


def _is_ticked(one: UserInput, fields: Iterable[Mapping[str, Any]]) -> bool:
    """Return whether the box of an input stands as the user has left it."""
    if one.kind != "tick" or not one.field:
        return False
    own = [each for each in fields if each["kind"] == "box" and (each["name"], each["form"]) == (one.field, one.form)]
    return any(each["on"] == one.on for each in own if len(own) == 1 or set(each["holds"]) & set(one.spellings))


def _is_of(refusal: Refusal, inputs: Iterable[UserInput]) -> bool:
    """Return whether it is said of a field that something was put into."""
    return any(
        (refusal.name and refusal.name == one.field) or (refusal.field and refusal.field in one.names) for one in inputs
    )


def is_held(one: UserInput, fields: Iterable[Mapping[str, Any]]) -> bool:
    """Return whether the field of an input holds what was put in."""
    if one.kind not in ("text", "choice") or not one.field:
        return False
    held = [text for each in fields if each["name"] == one.field and each["form"] == one.form for text in each["holds"]]
    return any(likeness(text, shown) == "same" for text in one.spellings for shown in held)
