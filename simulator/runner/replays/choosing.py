"""Which recorded runs a replay performs, on which site, and who performs each."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from simulator.config import Site
from simulator.errors import UsageError
from simulator.persona import DealtBefore
from simulator.recording.reader import Recording
from simulator.recording.rows import RunRow
from simulator.replay.before import users_before
from simulator.replay.bind import bind_identity, personas_of
from simulator.replay.plan import Plan, plan_run
from simulator.runner import events
from simulator.runner.accounts import as_account
from simulator.runner.replays.options import ReplayOptions
from simulator.runner.replays.population import Population, RecordedPopulation
from simulator.runner.replays.selecting import require_acts, select
from simulator.runner.seeding.fanned import FannedPopulation
from simulator.runner.seeding.seats import Source
from simulator.runner.stop import Stop


@dataclass(frozen=True, slots=True)
class Chosen:
    """What is replayed."""

    plans: Sequence[Plan]
    first: RunRow
    """Of all that was asked for, the share of others included."""
    seed: str
    site: Site
    result: events.ReplayResult
    """Of nothing, yet."""
    before: Sequence[DealtBefore] = ()
    """Users whose rows the site may hold already: of all that was asked for, the share of others included."""


def choose(recording: Recording, options: ReplayOptions) -> Chosen:
    """Find what a replay was asked for.

    Raises:
        SimulatorError: there is no such run, or it cannot be replayed.
    """
    selection = select(recording, options.target)
    plans: Sequence[Plan] = [plan_run(recording, run) for run in selection.runs]
    first = selection.runs[0]
    drawn = secrets.token_hex(4) if options.identity == "fresh" else str(first.environment.get("seed", "")) or first.id
    site = options.site or options.settings.site(first.site)
    require_acts(plans)
    unused = options.quarantine.unused(plans) if options.quarantine else ()
    if options.shard:
        plans = options.shard.take(plans)
    result = events.ReplayResult(
        batch_id="",
        db=options.db,
        source=Path(options.source_name or options.source),
        site=site.name,
        base_url=options.base_url or site.base_url,
        identity=options.identity,
        mode=options.mode,
        runs=(),
        seconds=0,
        shard=str(options.shard or ""),
        quarantine_unused=unused,
    )
    before = users_before(selection.runs) if options.identity == "fresh" else ()
    return Chosen(plans, first, options.seed or drawn, site, result, before)


def population_of(chosen: Chosen, options: ReplayOptions, stop: Stop) -> Population:
    """Say who performs each run.

    Raises:
        SimulatorError: nobody can.
    """
    source = source_of(options, chosen)
    if options.fan_out:
        population = FannedPopulation(options.fan_out, source, options.db, stop, options.begun)
        if population.members.varying.varies and (options.mode != "strict" or options.elsewhere):
            raise UsageError(
                "what is healed, or performed by workers of a cluster, is performed as it was recorded, and 'numbers' "
                "of a persona performs something else: leave one of them out"
            )
        return population
    domain, before, beside = source.email_domain, source.before, source.beside
    parts = [
        bind_identity(plan, options.identity, chosen.seed, email_domain=domain, before=before, beside=beside)
        for plan in chosen.plans
    ]
    if options.identity == "fresh":
        parts = [as_account(part, chosen.site) for part in parts]
    return RecordedPopulation(parts, options.identity)


def source_of(options: ReplayOptions, chosen: Chosen) -> Source:
    """Give what fresh users are made of."""
    mailed = options.settings.mailbox_for(chosen.site)
    site = chosen.site.with_base_url(options.base_url) if options.base_url and options.fan_out else chosen.site
    domain, beside = mailed.domain if mailed else None, personas_of(chosen.plans)
    return Source(chosen.plans, chosen.seed, site, domain, options.reset, chosen.before, beside)
