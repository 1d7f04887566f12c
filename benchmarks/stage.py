"""What the rows about users share: a bookshop, a browser, and users who have been recorded on it.

Not responsible for: measuring.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.shopper import TIMEOUT_MS, Book, Shopper
from simulator.agent.interactions import plan_batch
from simulator.bindings import Bindings
from simulator.config import Settings, Site, load_settings
from simulator.persona import Identity, Persona, draw_population
from simulator.recording.reader import Recording
from simulator.recording.recorder import Recorder
from simulator.recording.rows import ActionRow
from simulator.replay.bind import Part, bind_identity, values_of
from simulator.replay.plan import plan_run
from simulator.runner.batch_session import BatchSession, User
from simulator.runner.events import Event
from simulator.runner.peers import Board
from simulator.runner.performing.run import Member, RunMaker
from simulator.runner.stop import Stop
from simulator.runner.surroundings.environment import profile_of
from simulator.runner.surroundings.resources import Resources, open_resources
from simulator.secrets import Vaults

SEED = "bench"
_ROOT = Path(__file__).parents[1]
_NOBODY = "http://127.0.0.1:1"
"""Nothing answers here, so that the bundled bookshop is started."""
_READER = Persona.model_validate(
    {
        "persona": "reader",
        "about": "Registers, sells two books, saves one and asks about one.",
        "locale": "en_GB",
        "traits": {"typo_rate": 0.0, "skips_optional": 0.0, "description_length": "short"},
        "tastes": {"genres": ["Crime", "History"]},
        "tasks": ["register", "login", {"list_books": {"count": 2}}, "save_listings", "message_seller", "logout"],
    }
)


@dataclass(frozen=True, slots=True)
class Stage:
    """Open for the time of a row."""

    folder: Path
    settings: Settings
    resources: Resources

    @property
    def site(self) -> Site:
        """The bookshop, where it answers."""
        return self.resources.site


def ignore(event: Event) -> None:
    """Listen to nothing."""


def configured() -> Settings:
    """Give the settings of the checkout, with Playwright's own time-out wherever the alternatives have it."""
    settings = load_settings(_ROOT / "sim.toml")
    bounds = dict.fromkeys(("resolve_ms", "action_ms", "navigation_ms"), TIMEOUT_MS)
    return settings.model_copy(update={"browser": settings.browser.model_copy(update=bounds)})


def reader() -> Identity:
    """Give one user, always the same."""
    return draw_population([_READER], 1, SEED)[0]


@asynccontextmanager
async def stage() -> AsyncIterator[Stage]:
    """Start a bookshop and a browser."""
    settings = configured()
    with TemporaryDirectory(prefix="bench-", ignore_cleanup_errors=True) as folder:
        site = settings.site("bookshop").model_copy(
            update={"database": Path(folder) / "bookshop.db", "base_url": _NOBODY}
        )
        async with open_resources(settings, site, vaults=Vaults(), headed=False) as resources:
            yield Stage(Path(folder), settings, resources)


async def record(on: Stage, users: int, name: str = "recorded.db") -> Path:
    """Record users, each as if alone with the bookshop's own stock, so that none waits for another.

    Args:
        on: where.
        users: how many.
        name: of the recording.

    Returns:
        The recording.

    Raises:
        RuntimeError: one of them failed.
    """
    await on.resources.control.reset()
    path = on.folder / name
    with Recorder.open(path, mask=on.resources.vaults.mask_all) as recorder:
        batch = BatchSession(recorder=recorder, listener=ignore, stop=Stop(), sites=[on.resources])
        maker, slots = RunMaker(batch, Board(), "none"), asyncio.Semaphore(4)
        with batch.running(users, 4, seed=SEED, settings={"site": on.site.name}):
            people = []
            for number, identity in enumerate(draw_population([_READER], users, SEED), start=1):
                interactions = plan_batch([(_READER, identity)], f"{SEED} {number}")[1]
                member = Member(number, _READER, identity, interactions)
                people.append(User(f"user {number}", partial(maker.record, member), slots))
            for number, run in enumerate(await batch.all(people), start=1):
                if run.outcome.status != "passed" or any(task.status != "done" for task in run.outcome.tasks):
                    raise RuntimeError(
                        f"user {number} could not be recorded: {run.outcome.reason or run.outcome.tasks}"
                    )
            batch.status = "passed"
    return path


def parts_of(recording: Recording) -> list[Part]:
    """Plan and bind every recorded run, for the recorded users."""
    (batch,) = recording.batches()
    return [bind_identity(plan_run(recording, run), "same", SEED) for run in recording.runs(batch.id)]


def shopper(on: Stage, recording: Recording, part: Part) -> Shopper:
    """Give a recorded user to the hand-written script: the same values, in the same places."""
    identity = part.identity
    recorded = {one.name: one.value for one in part.plan.variables if one.value is not None}
    bindings = Bindings({**recorded, **values_of(part, "same")})
    actions = [action for planned in part.plan.steps for action in planned.actions]

    def name(action: ActionRow) -> str:
        assert action.target is not None
        return bindings.render(action.target.name)

    def typed(label: str) -> list[str]:
        return [
            str(one.options.get("option") or one.recorded_value or "")
            for one in actions
            if one.value is not None and one.target and name(one) == label
        ]

    def names(kind: str, role: str) -> list[str]:
        return [name(one) for one in actions if one.kind == kind and one.target and one.target.role == role]

    covers = []
    for upload in (action for action in actions if action.kind == "upload"):
        cover = on.folder / f"{upload.options['sha256'][:16]}-{upload.options['name']}"
        cover.write_bytes(recording.blobs.read(upload.options["sha256"]))
        covers.append(str(cover))
    described = zip(
        typed("Title"), typed("Author"), typed("Genre"), names("check", "radio"), typed("Price in pounds"),
        typed("Description"), covers, strict=True,
    )  # fmt: skip
    saves, asks_about = names("click", "link")
    (asked,) = [one for one in actions if one.target and one.target.name.startswith("Message to ")]
    seller = next(one.value for one in actions if one.kind == "goto" and (one.value or "").startswith("/sellers/"))
    profile = profile_of(identity)
    return Shopper(
        username=identity.username,
        display_name=identity.display_name,
        email=identity.email,
        password=on.resources.vault(identity.persona, identity.seed, identity.number).reveal("password"),
        city=typed("Town or city")[0],
        books=tuple(Book(*one) for one in described),
        seller=(seller or "").removeprefix("/sellers/"),
        seller_name=name(asked).removeprefix("Message to "),
        saves=saves,
        asks_about=asks_about,
        message=asked.recorded_value or "",
        locale=profile.locale,
        timezone=profile.timezone,
        width=profile.width,
        height=profile.height,
    )
