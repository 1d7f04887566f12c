"""The actors of one run: each an identity's browser context, opened when it is first needed.

Not responsible for: which actor does what.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from types import TracebackType
from typing import Self

from simulator.bindings import Bindings
from simulator.browser.acting.again import Doubt, EvidenceRule
from simulator.browser.acting.pace import Pacer
from simulator.browser.acting.sightings import Sightings
from simulator.browser.action_recorder import ActionRecorder
from simulator.browser.actor import Actor
from simulator.browser.documents import Context, Window, is_alive, open_window
from simulator.browser.effects.model import WriteProof
from simulator.browser.launch.access import Access
from simulator.browser.launch.determinism import Stillness
from simulator.browser.launch.network import NetworkPolicy
from simulator.browser.launch.pool import BrowserPool, ContextProfile
from simulator.browser.launch.third_parties import ThirdParties
from simulator.browser.secret_keeper import SecretKeeper
from simulator.browser.timeouts import Timeouts
from simulator.browser.views.script_client import References
from simulator.browser.wire.traffic import Traffic

MAIN = "user"
"""Name of the actor that every run begins with."""


class Session:
    """Opens and keeps the actors of a run; closes them all at its end.

    Args:
        pool: gives contexts.
        profile: what the site can see of the browsers.
        access: what the site demands of every request.
        policy: which hosts may be reached.
        origin: the site's scheme, host and port.
        recorder: gets every action.
        bindings: the run's variables.
        vault: the run's secrets.
        timeouts: bounds.
        opened: gets the name of every new actor.
        still: what is held still in their pages; each actor draws chance of its own.
        marking: gives the text that marks a request as synthetic, where the site wants it marked.
        traffic: makes what listens to an actor's exchanges, by its name; None: nobody does.
        third_parties: answers for other hosts; None: they do.
        pacer: lets them take the time of a person; None: things are done at once.
        rule: says at once what a replay could not find again; None: nobody asks.
        lists: gives, of the path that something is sent to, where the site lists all that its user sends there.
    """

    def __init__(
        self,
        pool: BrowserPool,
        *,
        profile: ContextProfile,
        access: Access,
        policy: NetworkPolicy,
        origin: str,
        recorder: ActionRecorder,
        bindings: Bindings,
        vault: SecretKeeper,
        timeouts: Timeouts,
        opened: Callable[[str], None],
        still: Stillness | None = None,
        marking: Callable[[], str] = str,
        traffic: Callable[[str], Traffic] | None = None,
        third_parties: ThirdParties | None = None,
        pacer: Pacer | None = None,
        rule: EvidenceRule | None = None,
        lists: Callable[[str], str] = lambda address: "",
    ) -> None:
        self._pool = pool
        self._lists = lists
        self._profile = profile
        self._access = access
        self._policy = policy
        self._origin = origin
        self._recorder = recorder
        self._bindings = bindings
        self._sightings = Sightings(bindings)
        self._vault = vault
        self._timeouts = timeouts
        self._opened = opened
        self._still = still or Stillness()
        self._marking = marking
        self._traffic = traffic
        self._third_parties = third_parties
        self._pacer = pacer
        self._references = References()
        self._rule = rule
        self.doubts: list[Doubt] = []
        """What its actors acted on, and a replay could not find again."""
        self._contexts = AsyncExitStack()
        self._actors: dict[str, Actor] = {}
        self._current: Actor | None = None

    async def __aenter__(self) -> Self:
        """Open the main actor."""
        await self._contexts.__aenter__()
        try:
            await self.open(MAIN)
        except BaseException:
            await self._contexts.aclose()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close every context."""
        await self._contexts.aclose()

    @property
    def current(self) -> Actor:
        """The actor whose browser the tools use."""
        assert self._current is not None, "use the session as a context manager"
        return self._current

    @property
    def crashed(self) -> bool:
        """Whether the process that showed the current actor's page has died."""
        return self.current.windows.crashed

    async def alive(self) -> bool:
        """Ask whether the browser behind the current actor still runs, and the driver that speaks to it."""
        return await is_alive(self.current.context, self._origin)

    async def open(self, name: str) -> Actor:
        """Make an actor the current one, with a context of its own where it is new.

        Raises:
            BrowserMissing: no browser starts.
            BrowserCrashed: it died while the context was made.
        """
        if name not in self._actors:
            still = replace(self._still, chance=self._still.chance and f"{self._still.chance}|{name}")
            context = await self._contexts.enter_async_context(
                self._pool.context(self._profile, self._access, still=still, marking=self._marking)
            )
            page = await open_window(context, self._third_parties.attend if self._third_parties else None)
            self._opened(name)
            actor = self._actors[name] = await self._actor(name, context, page)
            actor.observer.requests.lists = self._lists
        self._current = self._actors[name]
        return self._current

    async def _actor(self, name: str, context: Context, page: Window) -> Actor:
        traffic = self._traffic(name) if self._traffic else None
        actor = Actor(
            name,
            context,
            page,
            origin=self._origin,
            policy=self._policy,
            recorder=self._recorder,
            bindings=self._bindings,
            vault=self._vault,
            timeouts=self._timeouts,
            sightings=self._sightings,
            references=self._references,
            pacer=self._pacer,
            rule=self._rule,
            doubts=self.doubts,
            traffic=traffic,
        )
        if traffic is not None:
            await traffic.attend(context, actor.urls)
            self._contexts.push_async_callback(traffic.rest)
        return actor

    def proofs(self) -> tuple[WriteProof, ...]:
        """Say of each write of the run that carried inputs what was seen of them again, actor by actor."""
        mask = self._vault.mask
        writes = [proof for actor in self._actors.values() for proof in actor.observer.proofs.reported()]
        return tuple(
            replace(one, unseen=tuple(map(mask, one.unseen)), offered=tuple(map(mask, one.offered))) for one in writes
        )

    def actors(self) -> tuple[Actor, ...]:
        """Give the actors that have been opened."""
        return tuple(self._actors.values())

    def names(self) -> tuple[str, ...]:
        """Give the names of the actors that have been opened."""
        return tuple(self._actors)
