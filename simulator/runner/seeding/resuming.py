"""Going on with a seeding that was cut off: who is done stays, who was cut off goes on, who never began is made.

Not responsible for: bringing a user back (``replays.coming_back``), or making any.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from simulator.browser.acting.pace import Pace
from simulator.config import Settings, Site
from simulator.config.settings import Screenshots
from simulator.errors import RecordingError, UsageError
from simulator.persona.numbers import parse_range
from simulator.recording.reader import Recording
from simulator.recording.rows import BatchRow, RunRow
from simulator.recording.tables import LAST
from simulator.runner import events
from simulator.runner.replays.begun import Begun, goes_on
from simulator.runner.replays.gathering import gathered
from simulator.runner.replays.options import ReplayOptions
from simulator.runner.replays.replaying import replay
from simulator.runner.seeding.fan_out import FanOut, Tolerance, parse_ranges, ranges
from simulator.runner.stop import Stop

_MOST = 1_000_000


class _GoingOn(BaseModel):
    """What is stored of how a seeding goes on."""

    model_config = ConfigDict(frozen=True, strict=True)

    source: str
    named: tuple[str, ...] = Field(strict=False)
    performed: tuple[str, ...] = Field(strict=False, min_length=1)
    numbers: str = Field(pattern=r"^[0-9,-]*$")
    mode: Literal["strict", "heal"]
    pace: Pace
    freeze_clock: bool | None
    first: Annotated[int, Field(ge=1, le=_MOST)]
    ensure: bool
    max_failures: str
    on_drift: Literal["stop", "skip"]
    interval_s: float
    ramp_s: float
    known: dict[str, tuple[dict[str, str], ...]] = Field(default_factory=dict, strict=False)
    """What was known of users made before with whom these deal."""
    given: tuple[int, ...] = Field((), strict=False)
    """Numbers of the users whom workers of a cluster were given."""
    casts: tuple[Annotated[str, Field(pattern=r"^[0-9,-]+$")], ...] = Field((), strict=False)
    """The same cast by cast, as ranges: by them the scheduler keeps what is recorded of them."""


class _Seeding(BaseModel):
    """What is stored of a seeding with its batch."""

    model_config = ConfigDict(frozen=True, strict=True)

    count: Annotated[int, Field(ge=1, le=_MOST)]
    mix: dict[str, int]
    shared: tuple[str, ...] = Field(strict=False)
    deals_with: tuple[str, ...] = Field((), strict=False)
    numbers: dict[str, str] = Field(default_factory=dict)
    numbers_of: dict[str, dict[str, str]] = Field(default_factory=dict)
    going_on: _GoingOn | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedingResumption:
    """What ``sim runs resume`` was asked for, where it means a seeding."""

    settings: Settings
    site: Site | None = None
    """None: the section by the name that was recorded."""
    base_url: str | None = None
    db: Path
    batch: BatchRow
    run: RunRow | None = None
    """The one user who goes on; None: all who are left."""
    source: Path | None = None
    """The recording that users are made of; None: where it was."""
    concurrency: int | None = None
    headed: bool = False
    screenshots: Screenshots = "failures"
    assumed: Mapping[int, bool] = field(default_factory=dict)
    """What a person says of steps of the run, by their place from 1: whether each took effect."""
    scheduler: str = ""
    """Address of the cluster whose workers were given users; empty: they are left out. No recording has it: whoever
    answers there is trusted."""


def find_seeding(recording: Recording, target: str) -> tuple[BatchRow, RunRow | None] | None:
    """Find the seeding that a target means.

    Args:
        recording: where to look.
        target: a run or a batch, by its id, the beginning or the end of one, or ``last``.

    Returns:
        The batch, and the run where the target is one; None where it means no seeding.

    Raises:
        RecordingError: there is no such run or batch, or several.
    """
    batches = recording.batches()
    if target == LAST:
        acted = [batch for batch in batches if batch.kind == "record" or is_seeding(batch)]
        newest = max(acted, key=lambda batch: batch.id, default=None)
        return (newest, None) if newest is not None and is_seeding(newest) else None
    if any(batch.id.startswith(target) or batch.id.endswith(target) for batch in batches):
        batch = recording.batch(target)
        return (batch, None) if is_seeding(batch) else None
    run = recording.run(target)
    batch = recording.batch(run.batch_id)
    return (batch, run) if is_seeding(batch) else None


def is_seeding(batch: BatchRow) -> bool:
    """Return whether a batch made fresh users of recorded ones."""
    return batch.kind == "replay" and isinstance(batch.settings.get("seeding"), dict)


async def resume_seeding(options: SeedingResumption, listener: events.Listener, stop: Stop) -> events.ReplayResult:
    """Go on with a seeding.

    Args:
        options: what was asked for.
        listener: gets each event; what it raises is counted in the result, and breaks nothing.
        stop: asks for an early end between two steps.

    Raises:
        SimulatorError: nothing is left to do, or it cannot go on.
    """
    with ready(replace(options, batch=await _taken_back(options, stop))) as replaying:
        return await replay(replaying, listener, stop)


async def _taken_back(options: SeedingResumption, stop: Stop) -> BatchRow:
    """Take back what workers of a cluster did for the command that began the seeding, and died.

    Returns:
        The batch as it is then.

    Raises:
        SimulatorError: the cluster cannot be asked.
    """
    batch = options.batch
    how = _stored(batch, options.db).going_on
    if how is None or not options.scheduler or batch.status == "running":
        return batch
    from simulator.runner.cluster.taking_back import take_back

    with Recording.open(options.db) as recording:
        known = {run.number for run in recording.runs(batch.id, kind="replay")}
    lost = [cast for cast in how.casts if not known.issuperset(parse_ranges(cast))]
    await take_back(options.scheduler, options.db, batch.id, lost, stop)
    with Recording.open(options.db) as recording:
        return recording.batch(batch.id)


@contextmanager
def ready(options: SeedingResumption) -> Iterator[ReplayOptions]:
    """Give what is performed to go on with a seeding; its source may be gathered for that time.

    Raises:
        RecordingError: nothing is left to do, or the seeding cannot be gone on with.
        UsageError: the recording that its users are made of is not there, or something is said of steps of several.
    """
    batch, stored = options.batch, _stored(options.batch, options.db)
    how = stored.going_on
    if how is None:
        raise RecordingError(
            f"the batch {batch.id} does not say how it was seeded: an earlier version made it; add who is lacking "
            f"with 'sim seed … --ensure {stored.count} --seed {batch.seed}'"
        )
    with Recording.open(options.db) as recording:
        runs = {run.number: run for run in recording.runs(batch.id, kind="replay")}
    numbers = _numbers(how.numbers, batch, options.db)
    given = frozenset(how.given) - runs.keys()
    _require_left(batch, runs, numbers, given, options)
    site = options.site or options.settings.site(str(batch.settings.get("site", "")))
    at = _address(runs, site) if options.base_url is None and options.site is None else options.base_url
    with gathered(how.named or (str(_source(how, options)),), _source(how, options), landing=options.db) as found:
        yield ReplayOptions(
            settings=options.settings,
            site=options.site or site,
            base_url=at,
            source=found.source,
            source_name=found.name,
            target=how.performed,
            identity="fresh",
            mode=how.mode,
            seed=batch.seed,
            fan_out=FanOut(
                count=stored.count,
                first=how.first,
                ensure=how.ensure,
                mix=stored.mix,
                shared=stored.shared,
                deals_with=stored.deals_with,
                known=how.known,
                numbers=parse_range(stored.numbers),
                numbers_of={name: parse_range(said) for name, said in stored.numbers_of.items()},
                keep_words=True,  # it was judged when it began
                max_failures=Tolerance.parse(how.max_failures),
                on_drift=how.on_drift,
                interval_s=how.interval_s,
                ramp_s=0,
            ),
            begun=Begun(
                options.db,
                batch.id,
                numbers,
                runs,
                options.assumed,
                options.run.number if options.run else None,
                given,
            ),
            concurrency=options.concurrency,
            freeze_clock=how.freeze_clock,
            pace=how.pace,
            db=options.db,
            headed=options.headed,
            screenshots=options.screenshots,
        )


def _stored(batch: BatchRow, db: Path) -> _Seeding:
    told: Any = batch.settings["seeding"]  # type: ignore[typeddict-item]
    try:
        return _Seeding.model_validate(told)
    except ValidationError as error:
        wrong = ", ".join(".".join(map(str, one["loc"])) for one in error.errors(include_url=False))
        raise RecordingError(f"{db}: the batch {batch.id} holds no seeding that can be gone on with: {wrong}") from None


def _numbers(text: str, batch: BatchRow, db: Path) -> tuple[int, ...]:
    try:
        numbers = parse_ranges(text)
    except ValueError:
        numbers = ()
    if not numbers or len(numbers) > _MOST:
        raise RecordingError(f"{db}: the batch {batch.id} does not say which users it was to make: {text[:80]!r}")
    return numbers


def _require_left(
    batch: BatchRow,
    runs: Mapping[int, RunRow],
    numbers: tuple[int, ...],
    given: frozenset[int],
    options: SeedingResumption,
) -> None:
    """See that something is left to do, and that nobody does it right now."""
    if batch.status == "running":
        raise RecordingError(f"the batch {batch.id} is being performed right now, by a process that is alive")
    if (run := options.run) is not None and not goes_on(run):
        raise RecordingError(
            f"the run {run.id} cannot be resumed: "
            + ("it has passed, and nothing is left to do" if run.status == "passed" else f"it has {run.ending}")
        )
    if options.assumed and options.run is None:
        raise UsageError("say of one run what its steps did: name the run instead of its batch")
    if batch.status != "interrupted" and options.run is None:
        more = f"; add who is lacking with 'sim seed … --ensure {len(numbers)} --seed {batch.seed}'"
        ended = batch.status == "passed"
        raise RecordingError(
            f"nothing is left to do in the batch {batch.id}: it has {batch.status}{'' if ended else more}"
        )
    left = [number for number in numbers if number not in runs or goes_on(runs[number])]
    if left and given.issuperset(left):
        raise RecordingError(
            f"nobody knows what became of the users {ranges(left)} of the batch {batch.id}: workers of a cluster were "
            f"given them; take back what they did with --scheduler ADDRESS, or make others with "
            f"'sim seed … --ensure {len(numbers)} --seed {batch.seed}'"
        )


def _address(runs: Mapping[int, RunRow], site: Site) -> str | None:
    """Give the address where the users acted, unless the program itself may have served the site there."""
    first = next(iter(runs.values()), None)
    if first is None or (first.environment.get("bundled") is not False and site.bundled):
        return None
    there = str(first.environment.get("base_url", ""))
    return there if there and there != site.base_url else None


def _source(how: _GoingOn, options: SeedingResumption) -> Path:
    """Find the recording that users are made of: where it was named, or beside the seeding.

    Raises:
        UsageError: it is not there.
    """
    if options.source:
        return options.source
    if not how.source:
        return options.db
    told = Path(how.source)
    for path in (told, options.db.parent / told.name):
        if path.exists():
            return path
    raise UsageError(f"the recording that its users are made of is not there: {told}; name it with --source FILE")
