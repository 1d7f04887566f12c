"""``sim runs verify-site``: visits what recorded users made, and tells what is there and what is not.

Not responsible for: mending anything. Nothing is recorded, and nothing on the site is changed but a login.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from simulator.browser.actor import Actor
from simulator.canonical import content_hash
from simulator.config import Settings, Site
from simulator.errors import TemplateError, ToolError
from simulator.recording.reader import Recording
from simulator.recording.rows import CreatedRow
from simulator.runner.environment import profile_of
from simulator.runner.owners import Owner, find_owners, site_of
from simulator.runner.resources import Resources, open_resources
from simulator.runner.stop import Stop
from simulator.runner.unrecorded import Unrecorded
from simulator.secrets import Vaults
from simulator.template import Bindings
from simulator.tools.account import login
from simulator.tools.context import RunContext
from simulator.tools.created import DEED, DELETION


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
class SiteVerified:
    """What came of it."""

    visited: tuple[Visited, ...]
    differing: tuple[str, ...]
    """What differs from the state or the snapshot that was kept with the runs, in words."""
    compared: int
    """With how many kept states or snapshots the site was compared."""
    interrupted: bool = False

    @property
    def whole(self) -> bool:
        """Whether everything is as it was left."""
        return not self.differing and all(one.there for one in self.visited)

    def lines(self) -> list[str]:
        """Give the lines to show."""
        there = sum(one.there for one in self.visited)
        lines = [one.line() for one in self.visited]
        lines += [f"DIFFERS  {text}" for text in self.differing]
        lines.append(f"{there} of {len(self.visited)} are there")
        if self.compared and not self.differing:
            lines[-1] += "; the site's state is the one that was kept"
        return lines


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
    visited: list[Visited] = []
    async with open_resources(options.settings, site, vaults=vaults, headed=options.headed) as resources:
        for owner in owners:
            if stop.requested:
                break
            visited += await _look(owner, resources)
        differing, compared = await _compare(owners, resources)
    masked = tuple(Visited(one.run, one.username, one.kind, *_masked(one, vaults)) for one in visited)
    return SiteVerified(masked, differing, compared, stop.requested)


def _masked(one: Visited, vaults: Vaults) -> tuple[str, bool, str]:
    return vaults.mask(one.url), one.there, vaults.mask(one.found)


async def _look(owner: Owner, resources: Resources) -> list[Visited]:
    """Look for what one user made."""
    if not owner.made:
        return []
    identity = owner.identity
    vault = resources.vault(identity.persona, identity.seed, identity.number)
    bindings = Bindings(owner.values, secret=vault.reveal)
    kept = Unrecorded()
    session = resources.session(profile_of(identity), None, sink=kept, bindings=bindings, vault=vault)
    async with session:
        if owner.can_log_in(resources.key, resources.site):
            ctx = RunContext(
                site=resources.site,
                settings=resources.settings,
                bindings=bindings,
                vault=vault,
                covers=resources.covers,
                session=session,
                journal=kept,
                workdir=resources.folder,
            )
            try:
                await login.run(ctx)
            except ToolError as error:
                return [_visited(owner, one, f"its user cannot log in: {error.message}") for one in owner.standing()]
        return [_visited(owner, one, await _lack(session.current, one)) for one in owner.standing()]


def _visited(owner: Owner, made: CreatedRow, found: str) -> Visited:
    return Visited(owner.run.id, owner.username, made.kind, owner.shown(made.url), not found, found)


async def _lack(actor: Actor, made: CreatedRow) -> str:
    """Tell what is wrong where something was made; empty for nothing."""
    try:
        page = (await actor.goto(made.url)).page
        if made.kind == DELETION:
            return "" if page.status >= 400 else "it is still there"
        if page.status >= 400:
            return f"status {page.status}"
        missing = await actor.lacks(list(made.fields.values()), "", exact=made.kind == DEED)
        if made.kind == DEED:
            return "" if len(missing) == len(made.fields) else "it is offered again"
    except ToolError as error:
        return error.message
    except TemplateError as error:
        return str(error)
    lost = [f"{name} '{actor.bindings.render(text)}'" for name, text in made.fields.items() if text in missing]
    return f"without {', '.join(lost)}" if lost else ""


async def _compare(owners: tuple[Owner, ...], resources: Resources) -> tuple[tuple[str, ...], int]:
    """Compare what the site tells of itself with what was kept at the end of the runs."""
    kept = [(owner.username, owner.run.summary or {}) for owner in owners]
    differing: list[str] = []
    compared = 0
    if any("snapshot" in summary for _, summary in kept) and (now := await resources.control.snapshot()) is not None:
        compared += 1
        if any(summary.get("snapshot", now) != now for _, summary in kept):
            differing.append("the site's snapshot is not the one that was kept")
    users = [(name, str(summary["state"])) for name, summary in kept if "state" in summary]
    if users and resources.control.can_tell_state:
        state = await resources.control.state()
        held = state if isinstance(state, Mapping) else {}
        compared += len(users)
        differing += [
            f"what the site holds of {name} is not what was kept"
            for name, was in users
            if content_hash(held.get(name)) != was
        ]
    return tuple(differing), compared
