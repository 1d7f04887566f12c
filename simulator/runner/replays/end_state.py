"""The state in which a replay left the site, compared with what the recording says. Not responsible for: reading it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from simulator.canonical import content_hash
from simulator.replay.bind import Part, values_of
from simulator.replay.plan import IdentityPolicy
from simulator.replay.shards import groups_of
from simulator.runner import events
from simulator.runner.surroundings.site_control import SiteControl


def settled(parts: Sequence[Part], runs: Sequence[events.ReplayedRun]) -> list[Part]:
    """Give the parts whose end state says something: not those that deal with a user whose drift does not count."""
    excused = {run.source_run for run in runs if run.drifted and run.quarantined}
    lost = {
        plan.run.id
        for group in groups_of([part.plan for part in parts])
        if any(plan.run.id in excused for plan in group)
        for plan in group
    }
    return [part for part in parts if part.run.id not in lost]


async def states(
    parts: Sequence[Part], policy: IdentityPolicy, controls: Mapping[str, SiteControl]
) -> tuple[str | None, str | None]:
    """Hash what the recording says the site held of some users, and what it holds now.

    Args:
        parts: theirs.
        policy: who performed them.
        controls: the site of each run, by its id.

    Returns:
        Both hashes; None for both where they cannot be compared.
    """
    sites = {part.run.id: controls[part.run.id] for part in parts}
    if policy != "same" or not parts or not all(control.reports_state for control in sites.values()):
        return None, None
    names = {part.run.id: values_of(part, policy)["identity.username"] for part in parts}
    recorded = {names[part.run.id]: (part.run.summary or {}).get("state") for part in parts}
    if None in recorded.values():
        return None, None
    held = {id(control): await control.state() for control in {id(one): one for one in sites.values()}.values()}
    now: dict[str, str] = {}
    for run_id, control in sites.items():
        state = held[id(control)]
        users = state if isinstance(state, Mapping) else {}
        now[names[run_id]] = content_hash(users.get(names[run_id]))
    return content_hash(recorded), content_hash(now)
