"""What a replay was asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from simulator.browser.acting.pace import Pace
from simulator.config import Settings, Site
from simulator.config.settings import Screenshots
from simulator.replay.effects.checking import SecondPerformance
from simulator.replay.plan import IdentityPolicy
from simulator.replay.review import Review
from simulator.replay.shards import Shard
from simulator.runner import events
from simulator.runner.replays.population import Elsewhere
from simulator.runner.seeding.fan_out import FanOut

if TYPE_CHECKING:
    from simulator.browser.launch.launching import Ahead
    from simulator.runner.repairs.repair import RepairOptions
    from simulator.runner.replays.begun import Begun
    from simulator.runner.replays.quarantine import Quarantine


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayOptions:
    """What ``sim replay`` was asked for."""

    settings: Settings
    site: Site | None = None
    """None: the section by the name that was recorded."""
    base_url: str | None = None
    source: Path
    source_name: str = ""
    """What the source is called; empty: its own name."""
    target: str | Sequence[str]
    """A run, a batch, the unique beginning of either's id, ``last`` or ``all``; or several."""
    identity: IdentityPolicy = "same"
    mode: events.Mode = "strict"
    """``heal``: what strict evidence does not find is looked for by weaker evidence, and becomes a new revision.
    ``agent``: what is not to be healed, either, is done by a model."""
    repair: RepairOptions | None = None
    """Who repairs, and within which bounds; needed by the mode ``agent``."""
    seed: str | None = None
    """What fresh users and new choices are drawn from; None: the recorded seed, and a random one for fresh users."""
    fan_out: FanOut | None = None
    """How many users are made of the recorded ones; None: every run is performed once."""
    concurrency: int | None = None
    beside: int = 0
    """How many users other processes let act on the site meanwhile."""
    workers: int = 1
    """Among how many sites of its own the runs are shared out."""
    shard: Shard | None = None
    """Replay this share of the runs only."""
    quarantine: Quarantine | None = None
    """Whose drifts do not count."""
    review: Review | None = None
    """Keeps what pages are otherwise, instead of stopping there."""
    second: SecondPerformance | None = None
    """Set where it is to prove what it performs."""
    freeze_clock: bool | None = None
    """Whether the clock of the pages stands; None: as it was recorded."""
    pace: Pace = "none"
    """When actions are done: at once, as it was recorded, or as a person would."""
    db: Path
    reset: bool = False
    headed: bool = False
    screenshots: Screenshots = "failures"
    ahead: Ahead | None = None
    """A browser that may have been started before."""
    argv: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    """What was gathered in a temporary source, as it was typed: a seeding that is cut off gathers it again."""
    looked_up: Path | None = None
    """Where runs and batches among :attr:`named` stand."""
    begun: Begun | None = None
    """Who had begun before, where a seeding goes on."""
    elsewhere: Callable[[ReplayOptions, Sequence[str], str], AbstractAsyncContextManager[Elsewhere]] | None = None
    """Opens what performs the users of a seeding elsewhere: from these options, the ids of the recorded runs, and the
    fingerprint of the machine key. None: this process performs them."""
