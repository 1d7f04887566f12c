"""What pages and frames are asked about effects: where they show inputs, how things stand, what forms hold.

A page that has gone, or does not answer, shows nothing. Not responsible for: which pages, or what follows from it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import Any

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Frame, Page

from simulator.browser.effects.act import Act
from simulator.browser.effects.lasting import Lasting, holding
from simulator.browser.effects.met import MOST_TEXT
from simulator.browser.effects.model import Rules
from simulator.browser.effects.pressed import Things
from simulator.browser.effects.scene import Sight, Where
from simulator.browser.effects.sent.brought import Brought
from simulator.browser.effects.spots import DIGITS, LETTERS, Named, Reading, Spot, bare_name, words_in
from simulator.browser.effects.user_input import UserInput
from simulator.browser.effects.watched import Watched
from simulator.browser.launch.script import ask
from simulator.meaning import stems

_LOOK_S = 5.0
"""How long a page may take to report what it shows, in seconds."""
_REST_MS = 2000
"""How long a frame may take to come to rest: nobody waits for a page any longer than for what is acted on in it."""
_AGAIN_S = 4.0
"""How long a document may take to be loaded again, in seconds."""
_TRIES = 3
"""How often a frame is asked whose document goes away under the question."""
_PICTURED = "awaitPictures"
_ENDING = 2
"""Digits of a number or a date that each way of writing it has at the end of its longest run of digits."""


@dataclass(frozen=True, slots=True)
class Again:
    """What a document holds when it is loaded again."""

    places: Sequence[bool | None]
    """Of each place that was asked for, whether it is there again; None where that is not known."""
    tokens: frozenset[str] = frozenset()
    """What identifies the things on it."""
    asks: bool = True
    """Whether its HTML does not say all: it asks for more, or could not be loaded again."""


async def load_again(page: Where, spots: Sequence[Spot] = (), *, things: bool = False) -> Again:
    """Ask the site for a document once more, and report what of it is there: a message is gone then.

    The page asks, without its scripts' knowing, and nothing of the answer runs.

    Args:
        page: the page or the frame that shows the document.
        spots: the places that are looked for.
        things: whether to report what identifies the things on it.
    """
    asked = [{"kind": one.kind, "text": one.text, "labels": list(one.labels), "on": one.on} for one in spots]
    try:
        async with asyncio.timeout(_AGAIN_S):
            told = await ask(page, "readAgain", asked, things)
    except (PlaywrightError, TimeoutError):
        told = None  # the page has gone, or does not answer: what follows shows that
    return Again(told["places"], frozenset(told["tokens"]), told["asks"]) if told else Again([None] * len(spots))


class Asking:
    """Asks pages.

    Args:
        lasting: knows the places that are there again when their document is.
        own: gives the names of the user.
    """

    def __init__(self, lasting: Lasting, own: Callable[[], tuple[str, ...]]) -> None:
        self._lasting = lasting
        self._own = own
        self.brought = Brought()
        """What the site brings to the pages."""
        self.rules = Rules()
        self.asking_itself: Callable[..., AbstractContextManager[None]] = lambda *urls: nullcontext()
        """Is given the addresses that the program asks for by itself, and that no user asked for."""
        self.itself: set[str] = set()
        """Those of files: what is in one is no word of the site."""
        self.named: Callable[[Watched, Reading], Sequence[Named]] = lambda watched, reading: ()
        """Gives where a document says by the name of the user whose a thing is."""
        self.repeats: Callable[[Sequence[UserInput], str], bool] = lambda inputs, url: False
        """Returns whether a page at an address said one of some inputs before: how often it does now decides then."""

    def shown(self, inputs: Sequence[UserInput]) -> dict[str, Any]:
        """Give what a page is asked for: where it shows some inputs, and where it names the user."""
        return {**asked_of(inputs), "own": list(self._own())}

    async def read(self, page: Where, inputs: Sequence[UserInput], *, stored: bool = False) -> Reading | None:
        """Read where a page shows inputs; None where it has gone, or does not answer.

        Args:
            page: the page, or a frame.
            inputs: what is sought.
            stored: whether what the browser itself keeps is a place like any other.
        """
        asked = self.shown(inputs)
        await self._await_files(page, asked)
        raw = await _ask(page, "readShown", asked)
        if raw is None:
            return None
        reading = await self.with_whole(page, Reading.of(raw, page.url), inputs)
        return reading if stored else await self.without_stored(page, reading, inputs)

    async def with_whole(self, page: Where, reading: Reading, inputs: Sequence[UserInput]) -> Reading:
        """Give a reading with all that the document says, where a page at its address said one of the inputs before.

        Args:
            page: the page, or a frame.
            reading: what it shows.
            inputs: what is sought.
        """
        told = await self.read_whole(page) if self.repeats(inputs, reading.url) else None
        return replace(reading, whole=told["text"]) if told else reading

    async def without_stored(self, page: Where, reading: Reading, inputs: Sequence[UserInput]) -> Reading:
        """Give a reading in which what only the browser keeps says how something went, and proves nothing.

        Args:
            page: the page, or a frame.
            reading: what it shows.
            inputs: what is sought.
        """
        if not self.rules.brought:
            return reading.without_stored()
        return await self.brought.settle(page, reading, inputs, each=self.rules.brought_each)

    async def read_all(
        self, page: Where, inputs: Sequence[UserInput], things: Sequence[Mapping[str, Any]], names: Sequence[str]
    ) -> dict[str, Any] | None:
        """Read at once where a page shows inputs, how things stand, and what fields hold.

        Args:
            page: the page, or a frame.
            inputs: what is sought.
            things: what is asked of things.
            names: of the fields.

        Returns:
            The name of the document, and under ``shown``, ``things`` and ``fields`` what it shows of each; None there
            for what was not asked, and in place of all where the page does not answer.
        """
        shown = self.shown(inputs) if inputs else None
        if shown:
            await self._await_files(page, shown)
        asked = {"shown": shown, "things": list(things) or None, "names": list(names) or None}
        told: dict[str, Any] | None = await _ask(page, "readAll", asked)
        return told

    async def _await_files(self, page: Where, asked: Mapping[str, Any]) -> None:
        """Wait for the pictures of a page, and ask for the files that its links lead to, where files are sought."""
        if asked["pictures"]:
            await _ask(page, _PICTURED)
        if asked["files"] and (addresses := await _ask(page, "filesAsked", asked["files"])):
            self.itself.update(addresses)
            with self.asking_itself(*addresses):
                await _ask(page, "sumFiles", addresses)

    async def read_things(self, page: Where, asked: Sequence[Mapping[str, Any]]) -> Things | None:
        """Read whether a page shows things, and how a control of each stands; None where it does not answer."""
        raw = await _ask(page, "readThings", list(asked))
        return Things.of(raw, page.url) if raw else None

    async def read_fields(self, page: Where, names: Sequence[str] | None = None) -> dict[str, Any] | None:
        """Read what fields hold, as ``readFields`` gives it; None where the page does not answer.

        Args:
            page: the page, or a frame.
            names: of the fields; None: all.
        """
        told: dict[str, Any] | None = await _ask(page, "readFields", None if names is None else list(names))
        return told

    async def still_written(self, page: Page, frame: Frame | None, texts: Sequence[str]) -> bool:
        """Return whether one of some texts still stands in a field to write in that one can see.

        Args:
            page: the page.
            frame: the frame in it that is asked; None for the page itself.
            texts: what was put in.
        """
        return self.rules.drafts_again and any(await _ask(frame or page, "stillWritten", list(texts)) or ())

    async def said_by_hand(self, page: Page) -> Sequence[str]:
        """Give what the handlers of the last press have said on sockets, in the document that the page shows now."""
        told: list[str] | None = await _ask(page, "saidByHand") if self.rules.told_one_by_one else None
        return told or ()

    async def brought_fields(self, page: Where, fields: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
        """Leave out of the fields of a page those in which only the browser keeps what they hold.

        Args:
            page: the page, or a frame.
            fields: as ``readFields`` gives them.
        """
        return await self.brought.of_fields(page, fields) if self.rules.brought_each else fields

    async def read_whole(self, page: Where) -> dict[str, Any] | None:
        """Read all that a page says, as ``readWhole`` gives it; None where it does not answer."""
        told: dict[str, Any] | None = await _ask(page, "readWhole", MOST_TEXT, list(self._own()))
        return told

    async def documents_in(self, frames: Sequence[Frame]) -> dict[Frame, str]:
        """Give what names the document that each of some frames shows; without those that do not answer."""
        found = [(frame, await _ask(frame, "tokenOf")) for frame in frames]
        return {frame: token for frame, token in found if token}

    async def meet_in(
        self,
        frames: Sequence[Frame],
        known: Mapping[Frame, str],
        asked: Mapping[str, Any],
        inputs: Sequence[UserInput],
        acts: Sequence[Act],
    ) -> list[Sight]:
        """Look at the frames of a page once an action was followed to its end: what is new in them comes to rest first.

        Args:
            frames: the frames.
            known: the documents that they showed before.
            asked: what a document that is not known is asked for, as ``readMet`` takes it.
            inputs: those among that.
            acts: the same of what was pressed.
        """
        found: list[Sight] = []
        for frame in frames:
            before = known.get(frame, "")
            for _ in range(_TRIES):
                raw = await _ask(frame, "readMetAtRest", {**asked, "known": before}, _REST_MS)
                if raw is not None:
                    break
            if raw is None:
                continue  # it is taken out of the page, or does not answer
            met = raw["met"]
            found.append(Sight(frame, raw["document"], raw["document"] != before, met, inputs, acts))
        return found

    async def load_again(self, page: Where, spots: Sequence[Spot] = (), *, things: bool = False) -> Again:
        """Load the document of a page again, and report what of it is there."""
        with self.asking_itself(page.url.partition("#")[0]):
            return await load_again(page, spots, things=things)

    async def what_lasts(
        self, page: Where, reading: Reading, watching: Sequence[Watched], *, second: bool = False
    ) -> Reading:
        """Distinguish what a document says once from what it shows whenever it is loaded.

        Whatever would prove an input is sought in what the site answers when it is asked for the document once more.

        Args:
            page: shows the document.
            reading: what it shows.
            watching: the writes whose inputs are looked for.
            second: whether the page was loaded before for the same look.
        """
        spots: dict[Spot, bool] = {}
        for watched in watching:
            if reading.document not in watched.asked:
                for spot in (each for one in watched.lacks() for each in holding(one, reading, watched.thing)):
                    if self._lasting.knows(reading.url, spot):
                        continue
                    spots[spot] = spots.get(spot, False) or (watched.documents <= 1 and not second)
                for spot in (one.spot for one in self.named(watched, reading)):
                    if not self._lasting.knows(reading.url, spot):
                        spots.setdefault(spot, False)
        if not spots:
            return reading
        again = await self.load_again(page, list(spots))
        # The HTML does not have what a script has drawn: a document that comes later shows it.
        told = zip(spots.items(), again.places, strict=True)
        once = {spot for (spot, first), there in told if there is False or (first and not there)}
        self._lasting.take_in(reading.url, spots.keys() - once, once)
        return reading.with_said(once) if once else reading


def asked_of(inputs: Iterable[UserInput]) -> dict[str, Any]:
    """Give what a page is asked for: words of the inputs, and the names of their fields."""
    inputs = list(inputs)
    words = {hint for one in inputs for text in one.spellings if not one.sends and (hint := _hint(text))}
    words |= {stem for one in inputs if one.sends for text in one.spellings for stem in stems(text)}
    names = {bare_name(name) for one in inputs for name in one.names}
    return {
        "words": sorted(words),
        "names": sorted(name for name in names if name),
        "pictures": any(one.kind == "file" for one in inputs),
        "files": sorted({bare_name(text) for one in inputs if one.file for text in one.spellings if "." in text}),
    }


def _hint(text: str) -> str:
    """Give a part of a text that any way of writing it holds: a word, or the end of a number."""
    lower = text.lower()
    runs = DIGITS.findall(text)
    number = max(runs, key=len, default="")[-_ENDING:]
    return max(words_in(lower), key=len, default="") or number or max(LETTERS.findall(lower), key=len, default="")


async def _ask(page: Where, name: str, *asked: Any) -> Any:
    """Ask a page; None where it has gone, or does not answer."""
    try:
        async with asyncio.timeout(_LOOK_S):
            return await ask(page, name, *asked)
    except (PlaywrightError, TimeoutError):
        return None
