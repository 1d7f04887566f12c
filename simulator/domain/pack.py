"""The pack, and the types of its parts. Not responsible for: finding or loading one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from simulator.domain.data.making import Made, Rule
from simulator.domain.data.rows import Kind
from simulator.domain.data.sections import Short
from simulator.domain.pictures import PictureSource
from simulator.domain.tasks import TaskBase, Tastes
from simulator.domain.things import Thing
from simulator.row_fields import RowFields

API_LEVEL = 1
"""Of the seam between program and packs; it is raised by what a pack of before would not survive."""

Perform = Callable[[Any, Any], Awaitable[str]]
"""Does a task: takes the :class:`simulator.agent.acting.Acting` of the run and the task, and gives why less was done
than wanted, in words, or an empty text."""
Plan = Callable[[Sequence[tuple[Any, Any]], str], Mapping[int, object]]
"""Plans whom and what each user of a batch deals with: takes persona and identity of each, and the batch's seed; gives
something by the user's place in the batch, from 1, that only the pack itself looks into. It depends on nothing else."""
Deal = Callable[[Any, tuple[str | int, ...]], Sequence[Mapping[str, Any] | str]]
"""Deals rows, or texts, to one user: takes the persona and the key of the user's draws: seed, persona, number."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DataSet:
    """Rows, or texts, that are dealt to users by seed.

    A row's values are the variables ``{{name.1.field}}``, a text is ``{{text.name.1}}``. With a user they are stored as
    a list under what they are called together.
    """

    name: str
    """One of them: ``ticket``."""
    several: str = ""
    """What they are called together; empty: the name with an ``s``."""
    deal: Deal | None = None
    """Deals them; without it, ``rows`` are dealt by the seed: no user has one twice, and the users of a persona have
    different ones for as long as there are any."""
    rows: Sequence[Mapping[str, Any] | str] = ()
    count: int = 3
    """How many of ``rows`` each user is dealt, at most as many as there are."""
    made: Mapping[str, Made] = field(default_factory=dict)
    """Fields that are made for each row that a user is dealt; without rows, there is nothing else in one."""
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    """What fields hold that are made: text, where nothing is said."""
    rules: tuple[Rule, ...] = ()
    """What has to hold of every row."""
    language: str = ""
    """The field that holds the language or locale of a row; empty: every row is for everybody."""
    weight: str = ""
    """The field that holds how often a row is dealt, relative to others; users may then share rows."""
    unique: bool = True
    """Whether the users of a persona share no row for as long as there are any."""
    short: Short = "cycle"
    """What is done where there are fewer rows than users need."""
    folder: Path | None = None
    """What the files are named relative to that rows speak of."""
    told: tuple[str, ...] = ()
    """Fields of its user's rows that a model may see."""
    listed: tuple[str, ...] = ()
    """Fields that a person is shown in a preview."""
    fields: RowFields | None = None
    """Which fields name a row, which are hardly another one's, which are anybody's; None: the first field of the thing
    that is made of it names it, or else what is usually called so (``simulator.row_fields``)."""
    example: str = ""
    """The field that a model is shown as an example of a variable; empty: none of these rows is one."""

    @property
    def key(self) -> str:
        """Under which they are stored with a user."""
        return self.several or f"{self.name}s"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pack:
    """What the program knows of one domain.

    What takes long to import stands behind functions: a pack is loaded when a persona is read, and performs later.
    """

    name: str
    version: str
    api: int
    """The :data:`API_LEVEL` that it was written for."""
    about: str = ""
    """What it is for, in a sentence."""
    tasks: tuple[type[TaskBase], ...] = ()
    performers: Callable[[], Mapping[type[TaskBase], Perform]] = dict
    """Gives how each of its tasks is done."""
    plan: Plan | None = None
    things: tuple[Thing, ...] = ()
    data: tuple[DataSet, ...] = ()
    tastes: type[Tastes] | None = None
    """The section ``tastes`` of a persona."""
    about_oneself: Callable[[str], tuple[Sequence[str], Sequence[str]]] | None = None
    """Gives, for a language (ISO 639-1), what users write about themselves in place of what they write anywhere: lines
    with ``{name}`` and ``{city}``, and mottos."""
    words: Callable[[], Mapping[str, Sequence[str]]] = dict
    """Gives what links and buttons say, by what they mean, in any language. Each meaning may be a route, too."""
    fields: Callable[[], Mapping[str, Sequence[str]]] = dict
    """Gives what fields of forms are called, by what they mean; a meaning of its own, or more of one that is there."""
    file_fields: frozenset[str] = frozenset()
    """Those of them that take a file."""
    options: Callable[[], Mapping[str, Sequence[str]]] = dict
    """Gives options that mean the same; the key is for the reader."""
    routes: Mapping[str, str] = field(default_factory=dict)
    """More routes, each with what it has to hold that tasks fill in, such as ``{query}``; empty for nothing."""
    settings: type[BaseModel] | None = None
    """The section of its name in ``sim.toml``, and of each site there: ``[helpdesk]``, ``[site.NAME.helpdesk]``. Every
    key has a default."""
    moved: Mapping[str, str] = field(default_factory=dict)
    """Keys of ``sim.toml`` that are written otherwise now, ``*`` for the name of a site: the old and the new one."""
    toolsets: Callable[[], Mapping[str, Sequence[Any]]] = dict
    """Gives its tools by toolset; those of a toolset that is there already are offered with it."""
    default_toolsets: tuple[str, ...] = ()
    """Toolsets that a persona is offered which names none."""
    pictures: Callable[[Any, Any, bool], AbstractAsyncContextManager[PictureSource]] | None = None
    """Opens where pictures come from, for the time of a batch: takes the settings, the site, and whether nothing but
    the site may be reached."""
    tally: Callable[[Mapping[str, Any]], Mapping[str, int]] | None = None
    """Counts what a site that gives its state holds of one user, by what it is called in a summary."""
    checks: Callable[[Any], Iterable[tuple[str, bool, str]]] | None = None
    """Looks whether what it takes from outside is there: takes the settings, and gives for each what it is, whether it
    is there, and a sentence."""
    starters: Callable[[], Path] | None = None
    """Gives the folder of the persona files that a new project begins with."""
