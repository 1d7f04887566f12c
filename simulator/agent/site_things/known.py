"""Which things a site has, and what the tasks of personas need of them. Not responsible for: doing any of the tasks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import NamedTuple

from simulator.config import Site
from simulator.domain import DataSet, Thing, data_sets, things
from simulator.persona.dealing import sets_of
from simulator.persona.files import problem_of_task
from simulator.persona.model import Persona
from simulator.persona.thing_tasks import (
    BrowseThings,
    CommentThings,
    CreateThing,
    DeleteThing,
    EditThing,
    ReactToThings,
    ThingTask,
)

TEXT = "text"
"""The only column of a data set of texts."""


class Lack(NamedTuple):
    """Why a task cannot be done on a site."""

    key: str
    """Of the task's parameters, by which an error names the place in the file."""
    said: str


def things_of(site: Site) -> dict[str, Thing]:
    """Give the things that any persona's tasks deal with on a site, by name: those that no task of a pack makes.

    Args:
        site: its section says what there is, beside what packs without tasks of their own have.
    """
    of_packs = {thing.name: thing for thing in things()}
    found = {}
    for name in dict.fromkeys((*of_packs, *site.things)):
        base = of_packs.get(name) or Thing(name=name)
        if not base.made_by:
            here = base.on(site.things.get(name))
            made = {"made_by": f"site.create.{name}", "making": f"create {name}"}
            found[name] = here.model_copy(update={**made, "variable": _variable(here)})
    return found


def title_of(thing: Thing, data: DataSet) -> str:
    """Give the column that says what a thing is called: as the data set says, or else the first.

    Args:
        thing: the thing.
        data: the rows that it is made of.
    """
    named = data.fields.named if data.fields else ()
    first = next((row for row in data.rows if not isinstance(row, str)), None)
    columns = (*(first or ()), *data.made) or (TEXT,)
    return str(next(iter((*named[:1], *thing.columns, *columns))))


def _variable(thing: Thing) -> str:
    data = data_sets().get(thing.data)
    return f"{data.name}.{{index}}.{title_of(thing, data)}" if data else ""


def provided(persona: Persona, site: Site) -> Persona:
    """Give a persona with as many rows of data as its tasks need on a site, where it does not say how many itself.

    Args:
        persona: whose tasks may name things.
        site: where they are done.

    Raises:
        PersonaError: a task cannot be done there: with its place, and what to write.
    """
    tasks = [(place, task) for place, task in enumerate(persona.tasks) if isinstance(task, ThingTask)]
    if not tasks:
        return persona
    known = things_of(site)
    sets = sets_of(persona)
    for place, task in tasks:
        for lack in _lacking(task, known, site, sets):
            raise problem_of_task(persona, place, lack.key, lack.said)
    needed = rows_needed(persona, known)
    counted = {key: count for key, count in needed.items() if key not in persona.data}
    ready = persona.model_copy(update={"data": {**persona.data, **counted}})
    _check_rows(ready, needed, tasks, known)
    return ready


def rows_needed(persona: Persona, known: Mapping[str, Thing]) -> Counter[str]:
    """Count the rows that a user's tasks take of each data set: one for each thing, change and comment.

    Args:
        persona: the user's.
        known: the things of the site.
    """
    needed: Counter[str] = Counter()
    for task in persona.tasks:
        thing = known.get(task.thing) if isinstance(task, ThingTask) else None
        if thing is None or not isinstance(task, ThingTask):
            continue
        if isinstance(task, CreateThing | EditThing):
            needed[thing.data] += task.count
        elif isinstance(task, CommentThings) and thing.message:
            needed[thing.message.data] += task.count
    return needed


def _lacking(task: ThingTask, known: Mapping[str, Thing], site: Site, sets: Mapping[str, DataSet]) -> Iterator[Lack]:
    """Give what stands in the way of a task on a site."""
    thing = known.get(task.thing)
    if thing is None:
        yield Lack("thing", _unknown(task, known, site))
        return
    section = f"[site.{site.name}.things.{thing.name}]"
    for key, there in _asked_of(task, thing):
        if not there:
            yield Lack("thing", f"a {thing.name} has no '{key}' on the site '{site.name}'; write it in {section}")
            return
    for key, name in _data_of(task, thing):
        if name not in sets:
            near = get_close_matches(name, sets, n=1)
            hint = f"did you mean '{near[0]}'?" if near else f"write [data.{name}] in sim.toml"
            yield Lack("thing", f"'{key}' of {section} names '{name}', which is no data set; {hint}")
            return
    for key, column in _columns_of(task, thing):
        there = _columns(sets[thing.data])
        if there and column not in there:
            near = get_close_matches(column, there, n=1)
            hint = f"did you mean '{near[0]}'?" if near else f"they have {', '.join(there)}"
            yield Lack("thing", f"'{key}' of {section} names '{column}', which no row of '{thing.data}' has; {hint}")
            return
    if isinstance(task, EditThing) and thing.edit and title_of(thing, sets[thing.data]) in thing.edit.fields:
        yield Lack("thing", f"'edit' of {section} changes what a {thing.name} is called, by which others know it")
    if isinstance(task, ReactToThings) and task.button:
        said = [reaction.button for reaction in thing.react]
        if task.button not in said:
            yield Lack("button", f"no reaction to a {thing.name} is '{task.button}'; known are {', '.join(said)}")


def _columns_of(task: ThingTask, thing: Thing) -> Sequence[tuple[str, str]]:
    """Give the columns that the section names for a task."""
    if isinstance(task, EditThing) and thing.edit:
        return [("edit.fields", column) for column in thing.edit.fields]
    return [("fields", column) for column in thing.columns] if isinstance(task, CreateThing) else []


def _columns(data: DataSet) -> tuple[str, ...]:
    """Give the columns of a data set; none where only a pack knows them."""
    first = next(iter(data.rows), {})
    return (TEXT,) if isinstance(first, str) else (*first, *data.made)


def _unknown(task: ThingTask, known: Mapping[str, Thing], site: Site) -> str:
    made = next((thing.made_by for thing in things() if thing.name == task.thing), "")
    if made:
        return f"things of this kind are a pack's, whose own tasks deal with them, such as '{made}'"
    near = get_close_matches(task.thing, known, n=1)
    if near:
        hint = f"did you mean '{near[0]}'?"
    elif known:
        hint = f"known are {', '.join(known)}"
    else:
        hint = f"none is known; write [site.{site.name}.things.{task.thing}] in sim.toml"
    return f"the site '{site.name}' has no thing '{task.thing}'; {hint}"


def _asked_of(task: ThingTask, thing: Thing) -> Sequence[tuple[str, object]]:
    """Give the keys of the section that a task needs, each with what stands there."""
    match task:
        case CreateThing():
            return ("create", thing.create), ("data", thing.data)
        case EditThing():
            return ("edit", thing.edit), ("list", thing.list), ("data", thing.data)
        case DeleteThing():
            return ("delete", thing.delete), ("list", thing.list), ("data", thing.data)
        case ReactToThings():
            return ("react", thing.react), ("list", thing.list), ("data", thing.data)
        case CommentThings():
            return (
                ("message", thing.message),
                ("message.data", thing.message and thing.message.data),
                ("list", thing.list),
                ("data", thing.data),
            )
        case _:
            return (("list", thing.list),)


def _data_of(task: ThingTask, thing: Thing) -> Sequence[tuple[str, str]]:
    """Give the data sets that a task takes rows of, or knows things by."""
    message = [("message.data", thing.message.data)] if isinstance(task, CommentThings) and thing.message else []
    if isinstance(task, BrowseThings) and not thing.data:
        return message
    return [("data", thing.data), *message]


def _check_rows(
    persona: Persona, needed: Counter[str], tasks: Sequence[tuple[int, ThingTask]], known: Mapping[str, Thing]
) -> None:
    """See that each user gets the rows that its tasks need.

    Raises:
        PersonaError: there are too few, with the first task that takes some of them.
    """
    sets = sets_of(persona)
    for key, count in needed.items():
        data = sets[key]
        there = min(data.count, len(data.rows)) if data.rows else data.count
        if data.deal is None and there < count:
            place = next(
                place for place, task in tasks if key in [name for _, name in _data_of(task, known[task.thing])]
            )
            raise problem_of_task(
                persona,
                place,
                "count",
                f"each user needs {count} rows of '{key}', one for each thing, change or comment, and gets {there}; "
                f"add rows to [data.{key}], or make them there",
            )
