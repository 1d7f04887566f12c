"""Goes on through the further pages of a form that asks for one thing in several steps.

A page asks on where it has a form that the page before did not have, and either the button that led there said to go
on, or the page stands at the address of the form or below it. Everything else that follows a form is left alone: a page
that shows the thing may ask for a remark about it, and a list for the next thing. Not responsible for: filling the form
of one page (``sending``).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import NamedTuple

from simulator.agent.filling import Sent, Value
from simulator.agent.forms.meeting import Column, Met, is_free_text, meet
from simulator.agent.forms.row import Row
from simulator.agent.forms.sending import LOOKS, Sending, signature
from simulator.agent.reading import Field, Form, Page
from simulator.agent.tool_client import TaskFailed, ToolClient
from simulator.agent.words import says_word
from simulator.tools.pages.vocabulary import says_purpose

_MOST = 15
"""Pages of one form, at most."""
_APART = ("search", "password", "username")
"""What a form asks for that belongs to the site, and to no thing."""
_AGREEING = ("onward", "confirm", "yes")


class Way(NamedTuple):
    """Where a form was found."""

    at: str
    """The address of its page."""
    below: str
    """The address that is asked for, below which further pages may stand; empty for none: things are listed there."""


class Steps:
    """Fills and sends what further pages ask for.

    Args:
        client: the run's tools.
        sending: has sent the first page, and sends the others.
        is_told: returns whether a page shows the thing.
    """

    def __init__(self, client: ToolClient, sending: Sending, is_told: Callable[[Page], Awaitable[bool]]) -> None:
        self._client = client
        self._sending = sending
        self._is_told = is_told

    async def rest(self, row: Row, sent: Sent, way: Way) -> Sent:
        """Go on until a page asks for nothing more of the thing.

        Args:
            row: what goes into all of the pages.
            sent: the first page, as it was sent.
            way: where that was.

        Returns:
            The page that follows the last one, and what went into all of them.

        Raises:
            TaskFailed: a page cannot be sent, or none has a field for a column that has to have one.
        """
        met: dict[str, Field] = dict(self._sending.met)
        known = {signature(form) for form in self._sending.there}
        at = way.at
        for _ in range(_MOST):
            form = await self._next(sent.page, known, way)
            if form is None:
                break
            here = sent.page.url
            again = self._at(here) if _path(here) != _path(at) else _stay
            row = row._replace(values=sent.values, files={})
            sent = await self._sending.send(row, again, self._meeting(signature(form), row, frozenset(met)))
            met |= self._sending.met
            known |= {signature(one) for one in self._sending.there}
            at = here
        self._sending.met = met
        lacking = [name for name in sent.values if name not in met and (row.strict or name in row.called)]
        if lacking:
            raise TaskFailed(
                f"no page of the form has a field for {', '.join(map(repr, lacking))}: say in 'fields' what the field "
                "is called"
            )
        return sent

    async def _next(self, page: Page, known: Collection[object], way: Way) -> Form | None:
        """Give the form of a page that asks on; None where the page asks for nothing more of the thing."""
        says_on = self._sending.goes_on
        below = bool(way.below) and _is_below(page.url, way.below)
        if not says_on and not below:
            return None
        for left in range(LOOKS if says_on else 1, 0, -1):
            forms = [one for one in await self._client.forms() if signature(one) not in known and _may_be_one(one)]
            if forms or left == 1:
                break
            await self._client.pause()
        if len(forms) > 1:
            posting = [one for one in forms if one.method == "post"]
            forms = posting or forms
        if len(forms) != 1:
            return None
        if await self._is_told(page) and not (below and self._agrees(forms[0])):
            return None
        return forms[0]

    def _agrees(self, form: Form) -> bool:
        """Return whether a form only asks whether all of what is shown is right."""
        asked = [one for one in form.questions if is_free_text(one) and not one.filled and one.type != "hidden"]
        names = [one.name for one in form.submits]
        agreeing = [
            name
            for name in names
            if says_purpose(name, "save") or any(says_word(name, word, self._client.site.words) for word in _AGREEING)
        ]
        return not asked and bool(agreeing)

    def _meeting(
        self, wanted: object, row: Row, met: Collection[str]
    ) -> Callable[[Mapping[str, Value]], Awaitable[Met]]:
        """Give what finds the form of a step, and the fields of the columns that have none yet."""

        async def meeting(now: Mapping[str, Value]) -> Met:
            for left in range(LOOKS, 0, -1):
                self._sending.there = forms = await self._client.forms()
                form = next((one for one in forms if signature(one) == wanted), None)
                if form is not None:
                    columns = [
                        Column(name, value.text, row.called.get(name, ""), name in row.telling)
                        for name, value in now.items()
                        if name not in met
                    ]
                    return meet(form, columns, "", self._client.site.words, by_kind=False)
                if left > 1:
                    await self._client.pause()
            raise TaskFailed("the form that asks for the rest is gone from its page")

        return meeting

    def _at(self, address: str) -> Callable[[], Awaitable[object]]:
        async def again() -> None:
            await self._client.visit(address)

        return again


async def _stay() -> None:
    """Leave a page as it is: all steps have one address, and to open that would begin with the first one."""


def _may_be_one(form: Form) -> bool:
    """Return whether a form can be a step: it has something to send it by, and is not to search or to log in."""
    return bool(form.submits or form.questions) and not any(form.asking(meaning) for meaning in _APART)


def _is_below(address: str, above: str) -> bool:
    path, stem = _path(address), _path(above)
    return bool(stem) and (path == stem or path.startswith(f"{stem}/"))


def _path(address: str) -> str:
    """Give the path of an address, without a line at its end."""
    rest = address.partition("://")[2]
    path = f"/{rest.partition('/')[2]}" if rest else address
    return path.partition("?")[0].partition("#")[0].rstrip("/")


def below_of(create: str | None, at: str, listed: str | None) -> str:
    """Give the address at and below which a page belongs to the form that makes a thing.

    Args:
        create: where one is made, an address or words.
        at: the address of the page of the form.
        listed: where they are listed, an address or words.

    Returns:
        Empty where things are listed there, or where that is the first page.
    """
    stem = create if create is not None and create.startswith("/") else at
    lists = listed is not None and listed.startswith("/") and _is_below(listed, stem)
    return "" if lists or not _path(stem) else stem
