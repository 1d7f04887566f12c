"""``sim cleanup``: takes back what recorded users made, the newest first, and records how.

Not responsible for: how a thing is deleted on the site (``simulator.agent.cleaning``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from simulator.agent.cleaning import ACCOUNT, Cleaned, Cleaner, Thing
from simulator.agent.interactions import InteractionPlan
from simulator.config import Settings, Site
from simulator.config.settings import Screenshots
from simulator.persona import Persona
from simulator.persona.model import Limits
from simulator.recording.journal import CHANGE, DEED, DELETION, MESSAGE, SAVE
from simulator.recording.reader import Recording
from simulator.recording.recorder import Recorder
from simulator.recording.rows import CreatedRow
from simulator.replay.left.made import CLEANED
from simulator.runner import events
from simulator.runner.batch_session import BatchSession, open_batch
from simulator.runner.peers import Board
from simulator.runner.performing.run import Member, RunMaker
from simulator.runner.stop import Stop
from simulator.runner.upkeep.owners import Nowhere, Owner, find_owners, site_of
from simulator.secrets import Vaults

_NOTHING = frozenset({CHANGE, DEED, MESSAGE, SAVE})
"""What has no address of its own."""
_LIMITS = Limits(steps=10_000, minutes=240)
_NAMED = 5
"""Accounts that a line names; JSON has all of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CleanupOptions:
    """What ``sim cleanup`` was asked for."""

    settings: Settings
    site: Site | None = None
    """None: the section by the name that was recorded."""
    base_url: str | None = None
    db: Path
    """Holds the runs, and gets how they were cleaned up."""
    target: str
    headed: bool = False
    screenshots: Screenshots = "failures"
    argv: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Planned:
    """What is to be taken back of one user."""

    owner: Owner
    things: tuple[Thing, ...]
    """In the order in which they were made."""


@dataclass(frozen=True, slots=True)
class CleanupPlan:
    """What a cleanup takes back, and where."""

    site: str
    base_url: str
    users: tuple[Planned, ...]
    """The one who began last is the first."""
    nowhere: tuple[Nowhere, ...]
    """Runs of which nobody knows what they left."""
    unseen: int
    """Of how many writes nothing was ever seen again."""
    accounts: tuple[str, ...] = ()
    """Users whose accounts stay: they opened them, and nobody said where one is closed."""

    @property
    def count(self) -> int:
        """How many things there are."""
        return sum(len(user.things) for user in self.users)

    def question(self) -> str:
        """Ask whether it is meant."""
        things = f"{self.count} thing{'' if self.count == 1 else 's'}"
        users = f"{len(self.users)} user{'' if len(self.users) == 1 else 's'}"
        return f"delete {things} of {users} from the site '{self.site}' at {self.base_url}?"


@dataclass(frozen=True, slots=True)
class CleanupResult:
    """What came of it."""

    batch_id: str
    """Where it is recorded; empty where there was nothing to do."""
    cleaned: tuple[CleanedUp, ...]
    seconds: float
    nowhere: tuple[Nowhere, ...] = ()
    """Runs of which nobody knows what they left."""
    unseen: int = 0
    """Of how many writes nothing was ever seen again: what they made, if anything, is still there."""
    interrupted: bool = False
    accounts: tuple[str, ...] = ()
    """Users whose accounts stay: they opened them, and nobody said where one is closed."""

    @property
    def whole(self) -> bool:
        """Whether nothing is left, as far as anybody knows."""
        return not self.left and not any(one.red for one in self.nowhere)

    @property
    def left(self) -> int:
        """How many things are still there."""
        return sum(one.became == "left" for one in self.cleaned)

    def lines(self) -> list[str]:
        """Give the lines to show."""
        lines = [one.line() for one in self.cleaned]
        removed = sum(one.became == "removed" for one in self.cleaned)
        gone = sum(one.became == "gone" for one in self.cleaned)
        lines += [one.line() for one in self.nowhere]
        if self.unseen:
            lines.append(f"nothing was ever seen again of {self.unseen} writes: what they made, if anything, is left")
        if self.cleaned:
            lines.append(f"{removed} removed, {gone} were gone already, {self.left} are left")
        lines = lines or ["nothing to delete"]
        if self.accounts:
            stay = "1 account stays" if len(self.accounts) == 1 else f"{len(self.accounts)} accounts stay"
            more = f" and {left} more" if (left := len(self.accounts) - _NAMED) > 0 else ""
            named = ", ".join(self.accounts[:_NAMED])
            lines.append(f"{stay}, as the site has no route 'delete_account': {named}{more}")
        if self.batch_id:
            lines.append(f"recorded as batch {self.batch_id}")
        return lines


@dataclass(frozen=True, slots=True)
class CleanedUp:
    """What became of one thing."""

    run: str
    username: str
    kind: str
    url: str
    became: str
    reason: str = ""

    def line(self) -> str:
        """Give the line to show."""
        return f"{self.became:8} {self.username}  {self.kind}  {self.url}" + (f": {self.reason}" if self.reason else "")


def plan_cleanup(options: CleanupOptions) -> CleanupPlan:
    """Say what a cleanup would take back.

    Raises:
        RecordingError: there is no such run or batch.
        ConfigError: there is no such site.
    """
    with Recording.open(options.db) as recording:
        owners = find_owners(recording, options.target)
    site = site_of(owners, options.settings, options.site, options.base_url)
    users = tuple(Planned(owner, _things(owner, site)) for owner in reversed(owners))
    return CleanupPlan(
        site.name,
        site.base_url,
        tuple(user for user in users if user.things),
        tuple(one for user in users if not user.things and (one := user.owner.nowhere()) is not None),
        sum(owner.unseen for owner in owners),
        () if site.route("delete_account") else tuple(owner.username for owner in owners if owner.registered),
    )


async def clean_up(options: CleanupOptions, listener: events.Listener, stop: Stop) -> CleanupResult:
    """Take back what the users of a run or a batch made, each logged in as who made it.

    Args:
        options: what was asked for.
        listener: gets each event.
        stop: asks for an early end between two steps.

    Raises:
        SimulatorError: it could not start or go on.
    """
    plan = plan_cleanup(options)
    if not plan.users:
        return CleanupResult("", (), 0, plan.nowhere, plan.unseen, accounts=plan.accounts)
    site = site_of(tuple(user.owner for user in plan.users), options.settings, options.site, options.base_url)
    cleaned: list[CleanedUp] = []
    async with open_batch(options.db, listener, stop) as batch:
        await batch.open_site(options.settings, site, headed=options.headed)
        first = plan.users[0].owner.run
        with batch.running(
            len(plan.users),
            1,
            seed=str(first.environment.get("seed", "")),
            drawn=False,
            argv=options.argv,
            settings={"site": site.name, "agent": "autopilot"},
            kind="cleanup",
            source_batch=first.batch_id,
        ):
            for user in plan.users:
                if stop.requested:
                    break
                cleaned += await _clean(user, batch, options.screenshots)
            else:
                batch.status = "failed" if any(one.became == "left" for one in cleaned) else "passed"
        interrupted = batch.status == "interrupted"
        return CleanupResult(
            batch.batch_id, tuple(cleaned), batch.seconds, plan.nowhere, plan.unseen, interrupted, plan.accounts
        )


async def _clean(user: Planned, batch: BatchSession, screenshots: Screenshots) -> list[CleanedUp]:
    """Take back what one user made, and keep with the run what is gone."""
    came_of_it: list[Cleaned] = []
    maker = RunMaker(batch, Board(), screenshots, kind="cleanup", agents=partial(_cleaner, user, came_of_it.append))
    run = await maker.record(_member(user.owner))
    known = {one.id for one in user.owner.things}
    gone = [one.thing.id for one in came_of_it if one.became != "left" and one.thing.id in known]
    run.recorder.add_summary({CLEANED: gone})
    return _results(user, came_of_it, batch.recorder, batch.vaults)


def _cleaner(user: Planned, told: Callable[[Cleaned], None], *_: object) -> Cleaner:
    return Cleaner(user.things, told, login=user.owner.login)


def _things(owner: Owner, site: Site) -> tuple[Thing, ...]:
    """Give what one user left on the site; the account is older than everything in it."""
    pages = set(site.routes.values())
    standing = [one for one in owner.standing() if one.kind != DELETION]
    named = {owner.shown(one.url) for one in standing}
    things = [
        Thing(one.id, one.kind, one.url, one.fields, own=one.kind not in _NOTHING and one.url not in pages)
        for one in standing
    ]
    things += [
        Thing(
            one.id,
            one.kind,
            one.url,
            one.texts,
            own=one.own,
            card=not one.own and bool(one.url) and one.kind != CHANGE,
        )
        for one in owner.things
        if owner.shown(one.url) not in named and not (owner.made and one.kind == CHANGE)
    ]
    account = site.route("delete_account")
    if account and owner.registered:
        things.insert(0, Thing("", ACCOUNT, account, {}))
    return tuple(things)


def _member(owner: Owner) -> Member:
    persona = owner.persona or Persona.model_validate(
        {"persona": "nobody", "about": "Cleans up.", "locale": owner.identity.locale, "tasks": ["login"]}
    )
    persona = persona.model_copy(update={"limits": _LIMITS})
    nothing = InteractionPlan(owner.run.number)
    return Member(owner.run.number, persona, owner.identity, nothing, owner.values)


def _results(user: Planned, came_of_it: Sequence[Cleaned], recorder: Recorder, vaults: Vaults) -> list[CleanedUp]:
    """Mark in the journal what is gone, and say what became of everything."""
    known = {one.thing.id: one for one in came_of_it}
    told: list[CleanedUp] = []
    for thing in reversed(user.things):
        one = known.get(thing.id) or Cleaned(thing, "left", "it was not come to")
        if one.became != "left":
            for entry in _entries(user.owner.made, thing):
                recorder.mark_removed(entry.id)
        owner = user.owner
        address = vaults.mask(owner.shown(thing.url))
        told.append(
            CleanedUp(
                owner.run.id, owner.username, thing.kind, address, one.became, vaults.mask(owner.shown(one.reason))
            )
        )
    return told


def _entries(made: Sequence[CreatedRow], thing: Thing) -> list[CreatedRow]:
    """Give the entries of the journal that speak of a thing: where it was made, and where it was changed."""
    if thing.kind == ACCOUNT:
        return []
    return [one for one in made if one.id == thing.id or (one.kind == CHANGE and one.url == thing.url)]
