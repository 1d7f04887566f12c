"""Which pages are looked at beside the user's windows for what no later document has shown, and the look at one.

Not responsible for: opening them, or what is looked for on a document (``search``).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from playwright.async_api import Page

from simulator.browser.effects.acts import Acts
from simulator.browser.effects.asking import Asking
from simulator.browser.effects.echoes import Echoes
from simulator.browser.effects.inputs import Inputs
from simulator.browser.effects.met import History, bare
from simulator.browser.effects.model import Effect
from simulator.browser.effects.search import EffectSearch
from simulator.browser.effects.sent.fetched import Fetches
from simulator.browser.effects.sent.sending import Sending
from simulator.browser.effects.sent.sent_forms import SentForms
from simulator.browser.effects.spots import Reading

_MOST_LOOKS = 4
"""How many addresses are looked at between two tasks of which nothing says that something is shown there."""
_MOST_LIKELY = 8
"""How many are looked at where what is sought was shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LookBack:
    """Looks back for what one user has sent.

    Attributes:
        origin: scheme, host and port of the site.
        pages: asks pages.
        inputs: what is put in and not sent.
        history: what the user has met.
        sending: what has been sent.
        fetches: the data that pages have fetched.
        echoes: judges what shows inputs.
        acts: judges what shows that something was pressed.
        forms: judges what the forms of things show.
        search: looks on documents.
    """

    origin: str
    pages: Asking
    inputs: Inputs
    history: History
    sending: Sending
    fetches: Fetches
    echoes: Echoes
    acts: Acts
    forms: SentForms
    search: EffectSearch
    _not_again: set[str] = field(init=False, default_factory=set)
    """Addresses that are not looked at any more."""
    _sends: dict[str, frozenset[tuple[str, str]]] = field(init=False, default_factory=dict)
    """What the documents at addresses that were looked at have sent by themselves."""
    _seen: set[str] = field(init=False, default_factory=set)
    """Addresses at which something was looked for."""
    _unsure: set[str] = field(init=False, default_factory=set)
    """Addresses at which what was met may have been said once."""

    def to_look_at(self, *, ended: bool = False) -> list[str]:
        """Give the addresses at which may be seen what no later document has shown so far.

        Args:
            ended: whether the run is over: what is put in and not sent will not be any more.

        These are where what was pressed stood, where it was shown without proof, the list that the site section names
        for it, where the answer of their write led to, the pages before and after it, and what the user visited before;
        none where something is put in that nothing has sent, or that has been looked at for this write.
        """
        if not ended and any(not one.loose for one in self.inputs.waiting()):
            return []
        told = dict.fromkeys((*self.acts.likely(), *self.echoes.likely()))
        likely = [url for url in told if url.startswith(self.origin) and not self._is_out(url)][:_MOST_LIKELY]
        found: dict[str, None] = {}
        for one in self.echoes.watched:
            if one.is_open:
                own = (one.listed,) if one.listed else ()
                for url in (*own, *one.near, *(url for url in self.history.visited() if url not in one.read)):
                    if url not in one.read and not self._is_out(url):
                        found.setdefault(url)
        for act in self.acts.watched:
            if act.is_open and self.acts.is_looked_for(act):
                for url in act.near:
                    if url.startswith(self.origin) and url not in act.read and not self._is_out(url):
                        found.setdefault(url)
        for url in self.forms.to_look_at():
            if url.startswith(self.origin) and not self._is_out(url):
                found.setdefault(url)
        return [*likely, *[url for url in found if url not in likely][:_MOST_LOOKS]]

    @property
    def seeks_pictures(self) -> bool:
        """Whether a file was sent that is not settled: a page that is looked at has to have its pictures."""
        return any(one.kind == "file" for watched in self.echoes.lacking() for one in watched.lacks())

    async def look_at(self, page: Page, url: str) -> list[Effect]:
        """Look for what has not been seen again on a page beside the user's windows.

        Args:
            page: shows the address, and has come to rest.
            url: the address, absolute; where it led elsewhere, or sent something by itself, nothing counts and it is
                not looked at again, unless a document at another address sends the same.
        """
        await self.sending.learn_from_sockets()
        watching, acts = self.echoes.lacking(), self.acts.sought(everywhere=True)
        names = self.forms.names(url)
        self._sends[url] = self.sending.writes.by_itself
        if bare(page.url) != bare(url) or not (watching or acts or names):
            self._not_again.add(url)
            return []
        if self._is_out(url):
            return []
        self._seen.add(url)
        effects: list[Effect] = []
        inputs = [each for one in watching for each in one.lacks()]
        told = await self.pages.read_all(page, inputs, self.acts.asked_of(acts), names)
        if told is None:
            return []
        if told["shown"]:
            reading = await self.pages.with_whole(page, Reading.of(told["shown"], page.url), inputs)
            reading = await self.pages.without_stored(page, reading, inputs)
            lasting = await self.pages.what_lasts(page, reading, watching, second=url in self._unsure)
            effects += self.echoes.take_in(lasting, watching, lasting.document)
            await self.search.find_displaced(page, effects)
            if lasting is not reading and url not in self._unsure:
                self._unsure.add(url)
            else:
                self._unsure.discard(url)
                for one in watching:
                    one.read.add(url)
        effects += await self.search.look_for(page, acts, told=told["things"])
        if told["fields"] is not None:
            own = await self.pages.brought_fields(page, told["fields"])
            effects += self.forms.take_in(own, told["document"], page.url)
        effects += self.forms.take_in_fetched(await self.fetches.take(), page.url)
        self.forms.looked(url)
        return [replace(one, looked=True) for one in effects]

    def is_in_again(self, url: str) -> bool:
        """Return whether nothing was looked for at an address, as its document sent what others turned out to send."""
        return bool(self._sends.get(url)) and url not in self._seen and not self._is_out(url)

    def _is_out(self, url: str) -> bool:
        """Return whether an address is not looked at any more.

        What documents at two addresses send to the very same one, such as to draw out the session, is no act of a page.
        """
        others = [sent for other, sent in self._sends.items() if bare(other) != bare(url)]
        acts = [one for one in self._sends.get(url, ()) if not any(one in sent for sent in others)]
        return url in self._not_again or bool(acts)

    def is_unsure(self, url: str) -> bool:
        """Return whether a look at an address met what may have been said once: another look decides."""
        return url in self._unsure
