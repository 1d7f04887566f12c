"""Looks where pages show what a user has sent: in the user's own windows, or beside them.

Not responsible for: what is an effect (``effects``), or what a replay requires.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import chain
from typing import Any

from playwright.async_api import Page

from simulator.browser.acting.beside import Beside
from simulator.browser.effects.met import bare
from simulator.browser.effects.model import Effect
from simulator.browser.effects.observer import Observer
from simulator.browser.effects.pressed import Things
from simulator.browser.effects.spots import Reading
from simulator.browser.effects.user_input import UserInput
from simulator.browser.effects.watched import Watched
from simulator.browser.timeouts import Timeouts
from simulator.browser.views.site_addresses import SiteAddresses
from simulator.browser.windows import Windows


class EffectReader:
    """Looks for the effects of one user's actions.

    Args:
        windows: of the user.
        addresses: which of them may be reached.
        observer: knows what is looked for.
        timeouts: bounds.
    """

    def __init__(self, windows: Windows, addresses: SiteAddresses, observer: Observer, timeouts: Timeouts) -> None:
        self._windows = windows
        self._may_visit = addresses.may_visit
        self._observer = observer
        self._beside = Beside(windows, timeouts, observer.aside)

    def patiently(self) -> AbstractContextManager[None]:
        """Read pages beside the user's own only once they have what they asked for."""
        return self._beside.patiently()

    async def look_back(self, addresses: Sequence[str] | None = None, *, ended: bool = False) -> list[Effect]:
        """Look for what the user has sent and no later page has shown so far, beside the user's own windows.

        Args:
            addresses: where, absolute; by default wherever the user may see it.
            ended: whether the run is over.

        Returns:
            What was seen again.
        """
        found = [*(await self._observer.catch_up(self._windows.page)).effects]
        back = self._observer.look_back
        wanted = back.to_look_at(ended=ended) if addresses is None else addresses
        async with self._beside.stretch():
            for url in filter(self._may_visit, chain(wanted, filter(back.is_in_again, wanted))):
                if addresses is None and url not in back.to_look_at(ended=ended):
                    continue  # the pages before it have shown what was looked for
                found += await self._beside.look(url, back.look_at, whole=back.seeks_pictures) or ()
                if back.is_unsure(url):
                    found += await self._beside.look(url, back.look_at, whole=back.seeks_pictures) or ()
        return found

    async def reading(self, inputs: Sequence[UserInput], watched: Watched | None = None) -> Reading | None:
        """Read where the page shows inputs; None where it has gone, or does not answer.

        Args:
            inputs: what is sought.
            watched: the write that carried them: what the page says only once is how something went.
        """
        return await self._read(self._windows.page, inputs, watched)

    async def things(self, asked: Sequence[Mapping[str, Any]]) -> Things | None:
        """Read whether the page shows things, and how a control of each stands; None where it does not answer."""
        return await self._observer.pages.read_things(self._windows.page, asked)

    async def read_beside(
        self, url: str, inputs: Sequence[UserInput], watched: Watched | None = None
    ) -> Reading | None:
        """Read where a page shows inputs, beside the user's own windows; None where it does not answer.

        Args:
            url: its address, absolute.
            inputs: what is sought.
            watched: as for :meth:`reading`.
        """
        pictures = any(one.kind == "file" for one in inputs)
        async with self._beside.stretch():
            return await self._beside.look(url, lambda page, _: self._read(page, inputs, watched), whole=pictures)

    async def _read(self, page: Page, inputs: Sequence[UserInput], watched: Watched | None) -> Reading | None:
        reading = await self._observer.pages.read(page, inputs)
        return await self._observer.pages.what_lasts(page, reading, [watched]) if reading and watched else reading

    async def missing_beside(
        self,
        url: str,
        input_id: str,
        label: str,
        *,
        lasting: bool,
        stored: bool,
        whole: bool,
        other: bool,
        listed: bool,
    ) -> str | None:
        """Look once more for an input at an address, beside the user's own windows.

        Args:
            url: the address, absolute.
            input_id: the action that put it in.
            label: what its place was called when it was recorded.
            lasting: whether what the page shows once, and not when it is loaded again, does not count.
            stored: whether what the browser itself keeps counts.
            whole: whether its beginning does not do.
            other: whether it is another one than was recorded.
            listed: whether it was kept in a list.

        Returns:
            As :meth:`EffectSearch.missing`; empty, too, where the address does not answer, or leads elsewhere.
        """
        search = self._observer.search

        async def read(page: Page, _: str) -> tuple[str | None]:
            if bare(page.url) != bare(url):
                return ("",)
            counts = {"lasting": lasting, "stored": stored, "whole": whole, "other": other, "listed": listed}
            return (await search.missing((page,), input_id, label, **counts),)

        async with self._beside.stretch():
            told = await self._beside.look(url, read, whole=self._observer.look_back.seeks_pictures)
        return told[0] if told else ""

    async def things_beside(
        self, url: str, asked: Callable[[Sequence[str]], Sequence[Mapping[str, Any]]]
    ) -> Things | None:
        """Read whether a page shows things, beside the user's own windows; None where it does not answer.

        Args:
            url: its address, absolute.
            asked: gives what is asked for, by what identifies the things on the page.
        """

        async def read(page: Page, _: str) -> Things | None:
            there = await self._observer.pages.read_things(page, [])
            return there and await self._observer.pages.read_things(page, asked(sorted(there.tokens)))

        async with self._beside.stretch():
            return await self._beside.look(url, read, whole=False)

    async def look_ahead(self, addresses: Sequence[str]) -> None:
        """Know pages as they are before something is written, beside the user's own windows.

        Args:
            addresses: where, absolute.
        """

        async def know(page: Page, url: str) -> None:
            await self._observer.know(page)

        async with self._beside.stretch():
            for url in filter(self._may_visit, addresses):
                await self._beside.look(url, know, whole=False)
