"""``sim runs verify-site``: visits what recorded users made, and reports what is there and what is not.

Not responsible for: mending anything. Nothing is recorded, and nothing on the site is changed but a login.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from simulator.browser.actor import Actor
from simulator.canonical import content_hash
from simulator.config import Settings, Site
from simulator.errors import TemplateError, ToolError
from simulator.recording.journal import DEED, DELETION
from simulator.recording.reader import Recording
from simulator.recording.rows import CreatedRow
from simulator.replay.left.acts import ActPlace, visit_act
from simulator.replay.left.kept import Became, Finding, KeptPlace, visit
from simulator.runner.performing.unrecorded import Unrecorded
from simulator.runner.stop import Stop
from simulator.runner.surroundings.environment import profile_of
from simulator.runner.surroundings.resources import Resources, open_resources
from simulator.runner.surroundings.run_setup import RunSetup
from simulator.runner.upkeep.owners import Nowhere, Owner, find_owners, site_of
from simulator.secrets import Vaults
from simulator.tools.families.account import login


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifySiteOptions:
    """What ``sim runs verify-site`` was asked for."""

    settings: Settings
    site: Site | None = None
    """None: the section by the name that was recorded."""
    base_url: str | None = None
    db: Path
    target: str
    headed: bool = False


@dataclass(frozen=True, slots=True)
class Visited:
    """One thing that was made, looked for where it was made."""

    run: str
    username: str
    kind: str
    url: str
    there: bool
    """Whether it is as it was left: there with its fields, or gone where it was deleted."""
    found: str = ""
    """What is there instead."""

    def line(self) -> str:
        """Give the line to show."""
        return f"{'there ' if self.there else 'MISSING'}  {self.username}  {self.kind}  {self.url}" + (
            f": {self.found}" if self.found else ""
        )


@dataclass(frozen=True, slots=True)
class Looked:
    """One place at which something that was put in or done had been seen, looked at again."""

    run: str
    username: str
    write: str
    """What sent it: method and address."""
    field: str
    """What the field is called that it was put into; of what was done without an input, what that is."""
    url: str
    became: Became
    found: str
    """What is there instead."""
    tied: bool
    """Whether the place is tied to what was written, so that it has to be there."""

    @property
    def red(self) -> bool:
        """Whether the site is not as it was left."""
        return self.tied and self.became != "shown"

    def line(self) -> str:
        """Give the line to show."""
        became = self.became.upper() if self.red else self.became
        return f"{became:12} {self.username}  {self.write}  {self.field}  {self.url}" + (
            f": {self.found}" if self.found else ""
        )


@dataclass(frozen=True, slots=True)
class SiteVerified:
    """What came of it."""

    places: tuple[Looked, ...]
    visited: tuple[Visited, ...]
    """What the journals of the runs name."""
    nowhere: tuple[Nowhere, ...]
    unseen: int
    """Of how many writes nothing was kept anywhere when they were recorded: nobody can look for them."""
    differing: tuple[str, ...]
    """What differs from the state or the snapshot that was kept with the runs, in words."""
    compared: int
    """With how many kept states or snapshots the site was compared."""
    interrupted: bool = False

    @property
    def whole(self) -> bool:
        """Whether everything is as it was left, as far as somebody could look; and somebody could, if there is any."""
        seen = not self.places or any(one.became == "shown" for one in self.places)
        red = [*(one.red for one in self.places), *(one.red for one in self.nowhere)]
        amiss = any(red) or not all(one.there for one in self.visited)
        return seen and not amiss and not self.differing

    def lines(self) -> list[str]:
        """Give the lines to show."""
        lines = [one.line() for one in self.places]
        lines += [one.line() for one in self.visited]
        lines += [one.line() for one in self.nowhere]
        lines += [f"DIFFERS  {text}" for text in self.differing]
        told: list[str] = []
        if self.places:
            shown = sum(one.became == "shown" for one in self.places)
            told.append(f"{shown} of {len(self.places)} places show what was written")
        if self.unseen:
            told.append(f"nothing was ever seen again of {self.unseen} writes, so nobody knows where to look")
        if self.visited:
            told.append(f"{sum(one.there for one in self.visited)} of {len(self.visited)} are there")
        if self.compared and not self.differing:
            told.append("the site's state is the one that was kept")
        return [*lines, "; ".join(told)] if told else lines


async def verify_site(options: VerifySiteOptions, stop: Stop) -> SiteVerified:
    """Visit what was made, each thing as the user who made it where that user can log in.

    Args:
        options: what was asked for.
        stop: asks for an early end between two users.

    Raises:
        SimulatorError: the site or the recording cannot be read.
    """
    with Recording.open(options.db) as recording:
        owners = find_owners(recording, options.target)
    site = site_of(owners, options.settings, options.site, options.base_url)
    vaults = Vaults()
    places: list[Looked] = []
    visited: list[Visited] = []
    async with open_resources(options.settings, site, vaults=vaults, headed=options.headed) as resources:
        for owner in owners:
            if stop.requested:
                break
            looked, journalled = await _look(owner, resources)
            places += looked
            visited += journalled
        differing, compared = await _compare(owners, resources)
    return SiteVerified(
        tuple(replace(one, url=vaults.mask(one.url), found=vaults.mask(one.found)) for one in places),
        tuple(replace(one, url=vaults.mask(one.url), found=vaults.mask(one.found)) for one in visited),
        tuple(one for owner in owners if (one := owner.nowhere()) is not None),
        sum(owner.unseen for owner in owners),
        differing,
        compared,
        stop.requested,
    )


async def _look(owner: Owner, resources: Resources) -> tuple[list[Looked], list[Visited]]:
    """Look at the places where a user's inputs were kept, and for what the user's journal names."""
    if not (owner.places or owner.acts or owner.made):
        return [], []
    identity = owner.identity
    setup, kept = RunSetup.of(resources, identity, owner.values), Unrecorded()
    session = setup.session(profile_of(identity), None, watch=kept)
    async with session:
        if owner.can_log_in(resources.key, resources.site):
            ctx = setup.context(session, kept)
            try:
                await login.run(ctx, **(owner.login or {}))
            except ToolError as error:
                reason = f"its user cannot log in: {error.message}"
                missed = [_looked(owner, one, Finding("not seen", reason)) for one in owner.places]
                missed += [_done(owner, one, Finding("not seen", reason)) for one in owner.acts]
                return missed, [_visited(owner, one, reason) for one in owner.standing()]
        actor, waits_s = session.current, resources.settings.browser.effect_ms / 1000
        by_address: dict[str, list[KeptPlace]] = {}
        for place in owner.places:
            by_address.setdefault(place.url, []).append(place)
        findings = {id(one): found for each in by_address.values() for one, found in await visit(actor, each, waits_s)}
        looked = [_looked(owner, one, findings[id(one)]) for one in owner.places]
        looked += [_done(owner, one, await visit_act(actor, one, waits_s)) for one in owner.acts]
        return looked, [_visited(owner, one, await _lack(actor, one)) for one in owner.standing()]


def _looked(owner: Owner, place: KeptPlace, finding: Finding) -> Looked:
    write = f"{place.write.method} {owner.shown(place.write.url)}"
    became, found = finding
    return Looked(owner.run.id, owner.username, write, place.input.called, place.url, became, found, tied=place.tied)


def _done(owner: Owner, place: ActPlace, finding: Finding) -> Looked:
    write = f"{place.write.method} {place.sent_to}"
    became, found = finding
    return Looked(
        owner.run.id,
        owner.username,
        write,
        place.words,
        place.url,
        became,
        found,
        tied=place.tied and became != "not seen",
    )


def _visited(owner: Owner, made: CreatedRow, found: str) -> Visited:
    return Visited(owner.run.id, owner.username, made.kind, owner.shown(made.url), not found, found)


async def _lack(actor: Actor, made: CreatedRow) -> str:
    """Return what is wrong where something was made; empty for nothing."""
    try:
        page = (await actor.navigation.goto(made.url)).page
        if made.kind == DELETION:
            return "" if page.status >= 400 else "it is still there"
        if page.status >= 400:
            return f"status {page.status}"
        missing = await actor.reader.lacks(list(made.fields.values()), "", exact=made.kind == DEED)
        if made.kind == DEED:
            return "" if len(missing) == len(made.fields) else "it is offered again"
    except ToolError as error:
        return error.message
    except TemplateError as error:
        return str(error)
    lost = [f"{name} '{actor.bindings.render(text)}'" for name, text in made.fields.items() if text in missing]
    return f"without {', '.join(lost)}" if lost else ""


async def _compare(owners: tuple[Owner, ...], resources: Resources) -> tuple[tuple[str, ...], int]:
    """Compare what the site says of itself with what was kept at the end of the runs."""
    kept = [(owner.username, owner.run.summary or {}) for owner in owners]
    differing: list[str] = []
    compared = 0
    if any("snapshot" in summary for _, summary in kept) and (now := await resources.control.snapshot()) is not None:
        compared += 1
        if any(summary.get("snapshot", now) != now for _, summary in kept):
            differing.append("the site's snapshot is not the one that was kept")
    users = [(name, str(summary["state"])) for name, summary in kept if "state" in summary]
    if users and resources.control.reports_state:
        state = await resources.control.state()
        held = state if isinstance(state, Mapping) else {}
        compared += len(users)
        differing += [
            f"what the site holds of {name} is not what was kept"
            for name, was in users
            if content_hash(held.get(name)) != was
        ]
    return tuple(differing), compared
