"""Does the tasks that every site has for its things, and sees that the site shows what was done.

Not responsible for: which things (``plan``), or finding one (``finding``).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TypeVar

from simulator.agent.acting import Acting
from simulator.agent.contracts import Made, address_name
from simulator.agent.filling import Value
from simulator.agent.forms.guessing import Guesses
from simulator.agent.forms.row import Row
from simulator.agent.forms.sending import Sending
from simulator.agent.forms.steps import Steps, Way, below_of
from simulator.agent.site_things.confirming import asks_about, confirmed
from simulator.agent.site_things.finding import Finder, NothingSays
from simulator.agent.site_things.known import TEXT, things_of, title_of
from simulator.agent.site_things.plan import Aim, Change, ThingPlan
from simulator.agent.site_things.proving import Proof
from simulator.agent.site_things.sought import Sought
from simulator.agent.tool_client import TaskFailed, TaskSkipped, ToolClient
from simulator.domain import DataSet, Message, Reaction, Thing, data_sets
from simulator.domain.data.rows import FILES
from simulator.persona.identity import Row as DealtRow
from simulator.persona.thing_tasks import (
    BrowseThings,
    CommentThings,
    CreateThing,
    DeleteThing,
    EditThing,
    ReactToThings,
    ThingTask,
)
from simulator.template import one_of

_Item = TypeVar("_Item")


class SiteThings:
    """The tasks of one run that deal with things of the site.

    Args:
        acting: the run; its plan is a :class:`ThingPlan`, or None where nothing was planned.
    """

    def __init__(self, acting: Acting) -> None:
        self._acting = acting
        self._plan = acting.plan if isinstance(acting.plan, ThingPlan) else ThingPlan()
        self._guesses = Guesses(acting.client.identity)
        self._sending = Sending(acting.client, self._guesses)
        self._kinds: dict[str, _Kind] = {}

    async def perform(self, task: ThingTask) -> str:
        """Do a task.

        Args:
            task: the task in hand, at ``acting.index``.

        Returns:
            Why less was done than wanted, and what of the rows went nowhere; empty when all was done.

        Raises:
            TaskFailed: it could not be done, or the site does not show that it was.
            TaskSkipped: there was nothing to do it with.
        """
        kind, at, plan = self._kind(task.thing), self._acting.index, self._plan
        match task:
            case CreateThing():
                short = await self._each(task, plan.made.get(at, ()), kind.make)
                return "; ".join(filter(None, (short, kind.left_out)))
            case EditThing():
                return await self._each(task, plan.changed.get(at, ()), kind.edit)
            case DeleteThing():
                return await self._each(task, plan.deleted.get(at, ()), kind.delete)
            case ReactToThings():
                reaction = kind.reaction(task.button)
                return await self._each(task, plan.aims.get(at, ()), lambda aim: kind.react(aim, reaction))
            case CommentThings():
                pairs = list(zip(plan.aims.get(at, ()), plan.texts.get(at, ()), strict=True))
                return await self._each(task, pairs, lambda pair: kind.comment(*pair))
            case BrowseThings():
                aims = plan.aims.get(at, ())
                if not aims:
                    await kind.look_around(task.query)
                    return f"nothing was looked at: no user before has made a {task.thing}" if task.count else ""
                if task.query:
                    await kind.look_around(task.query)
                return await self._each(task, aims, kind.look_at)
            case _:
                raise AssertionError(task.task_type)

    async def _each(self, task: ThingTask, items: Sequence[_Item], act: Callable[[_Item], Awaitable[None]]) -> str:
        return await self._acting.each(task, task.count, items, act)

    def _kind(self, name: str) -> _Kind:
        if name not in self._kinds:
            thing = things_of(self._acting.client.site).get(name)
            if thing is None:
                raise TaskFailed(f"the site has no thing '{name}'")
            self._kinds[name] = _Kind(self._acting, thing, self._sending)
        return self._kinds[name]


class _Kind:
    """What one user does with things of one kind."""

    def __init__(self, acting: Acting, thing: Thing, sending: Sending) -> None:
        self._client: ToolClient = acting.client
        self._number = acting.number
        self._thing = thing
        self._sending = sending
        self._finder = Finder(acting.client, thing)
        self._proof = Proof(acting.client, self._finder)
        self._at: dict[int, str] = {}
        """Addresses of the user's own, by row."""
        self._there: list[int] = []
        """Rows of the user's own that are on the site now."""
        self._called: dict[str, str] = {}
        """What the fields are called that columns went into when one was made."""
        self._titles: dict[int, Value] = {}
        """What they are called there, where the site did not take what the row says."""
        self._homeless: dict[str, None] = {}
        """Columns that went into no field."""

    @property
    def left_out(self) -> str:
        """What of the rows went into no field of the form; empty where all of it did, or somebody said what goes in."""
        if not self._homeless or self._thing.columns:
            return ""
        key = f"site.{self._client.site.name}.things.{self._thing.name}"
        return (
            f"no field of the form is called as these columns of '{self._thing.data}': {', '.join(self._homeless)}; "
            f"where they count, write 'fields' into [{key}], with all columns and what their fields are called"
        )

    # -- the tasks

    async def make(self, row: int) -> None:
        """Make one of a row."""
        client, thing = self._client, self._thing
        assert thing.create is not None
        data = self._data(thing.data)
        title = title_of(thing, data)
        before = (await client.open(thing.create, among=thing.list)).url

        async def again() -> None:
            await client.open("home")  # from where a form of the same document is redrawn, too
            await client.open(thing.create or "", among=thing.list)

        columns = thing.columns or tuple(self._row(data, row))
        values = {name: self._value(data, row, name) for name in dict.fromkeys((title, *columns))}
        files = {name for name, kind in data.kinds.items() if kind in FILES}
        asked = Row(
            {name: value for name, value in values.items() if value.text and name not in files},
            files={name: value for name, value in values.items() if value.text and name in files},
            needed=title,
            about=f"{thing.name} {row}",
            called=thing.called,
            telling=data.fields.telling if data.fields else (),
            strict=bool(thing.columns),
            submit=thing.submit,
        )
        sent = await self._sending.send(asked, again)
        sought = self._sought(row)._replace(title=sent.values[title])
        steps = Steps(client, self._sending, lambda page: self._finder.is_told_here(sought, page))
        sent = await steps.rest(asked, sent, Way(before, below_of(thing.create, before, thing.list)))
        self._homeless.update(dict.fromkeys(one for one in sent.values if one not in self._sending.met))
        self._titles[row] = sent.values[title]
        self._called = {name: field.name or field.shown for name, field in self._sending.met.items()}
        address = await self._proof.made(self._sought(row), sent.page, before)
        self._there.append(row)
        if address:
            self._at[row] = address
        client.view.tell(Made(thing.made_by, row, address))

    async def edit(self, change: Change) -> None:
        """Change one, to what another row says."""
        client, thing = self._client, self._thing
        assert thing.edit is not None
        sought = self._own(change.row)
        data = self._data(thing.data)
        values = {name: self._changed(data, change, name) for name in thing.edit.fields}
        words = (thing.edit.by, "edit")
        row = Row(
            values,
            needed=next(iter(values)),
            about=f"{thing.name} {change.row} changed",
            called={**self._called, **thing.called},
            strict=True,
            submit=thing.edit.submit or thing.submit,
            changes=True,
        )

        async def form() -> str:
            """Go to the form, and give what the page said from which it is reached."""
            await self._finder.show(sought, listed=True)
            shown = await client.text()
            if not await self._sending.is_asked(row):
                control, _ = await self._finder.control(sought, words)
                shown = await client.text()
                await client.follow(control)
            return shown

        before = await form()
        sent = await self._sending.send(row, form)
        await self._proof.changed(sought, sent, before, form)

    async def delete(self, row: int) -> None:
        """Delete one."""
        client, thing = self._client, self._thing
        sought = self._own(row)
        words = (thing.deleting or "delete", "delete")
        try:
            control, _ = await self._finder.control(sought, words)
        except NothingSays:
            # Some sites delete a thing where it is edited, as an admin's pages do.
            ways = (thing.edit.by if thing.edit else "edit", "edit")
            there = await self._finder.control_where_edited(sought, words, ways)
            if there is None:
                raise
            control = there
        before = {one.ref for one in await client.buttons()}
        page = await client.follow(control)
        if await asks_about(client, sought.title.text, control, page, before):
            sure = await confirmed(client, page, words, before)
            if sure is not None:
                await client.follow(sure)
        await self._proof.gone(sought)
        self._there.remove(row)

    async def react(self, aim: Aim, reaction: Reaction) -> None:
        """React to one, of whomever."""
        sought = await self._aimed(aim)
        control, page = await self._finder.control(sought, (reaction.button,), buttons=True)
        await self._proof.reacted(sought, reaction, control, page)

    async def comment(self, aim: Aim, text: int) -> None:
        """Write about one, of whomever."""
        client, message = self._client, self._thing.message or Message()
        sought = await self._aimed(aim)

        async def form() -> None:
            await self._finder.show(sought)
            way = [pair for pair in await client.controls(message.by) if not pair[1].apart] if message.by else []
            if way:
                await client.follow(max(way, key=lambda pair: pair[0])[1])

        await self._finder.show(sought)
        data = self._data(message.data)
        column = title_of(Thing(name=data.name), data)
        value = self._value(data, text, column)
        before = await client.text()
        row = Row(
            {column: value},
            needed=column,
            about=f"comment {text}",
            called={column: message.field},
            strict=True,
        )
        if message.by is not None:
            await form()
        sent = await self._sending.send(row, form)
        await self._proof.written(sought, sent.page, sent.values[column], before, message.said)

    async def look_at(self, aim: Aim) -> None:
        """Look at one, of whomever."""
        await self._finder.show(await self._aimed(aim))

    async def look_around(self, query: str | None) -> None:
        """Look at the list, or at what a search of it finds."""
        await self._finder.open_list()
        if query:
            await self._finder.search(Value.literal(query))

    def reaction(self, button: str | None) -> Reaction:
        """Give the reaction that says something; the first where nothing is said."""
        return next(one for one in self._thing.react if button in (None, one.button))

    # -- what is dealt with

    def _own(self, row: int) -> Sought:
        if row not in self._there:
            raise TaskFailed(f"the user's {self._thing.name} {row} is not there: it was not made")
        return self._sought(row)

    def _sought(self, row: int) -> Sought:
        identity, data = self._client.identity, self._data(self._thing.data)
        title = title_of(self._thing, data)
        owners = (self._client.username, identity.display_name)
        others = tuple(self._value(data, other, title).text for other in self._there if other != row)
        return Sought(self._titles.get(row) or self._value(data, row, title), owners, others, self._at.get(row, ""))

    async def _aimed(self, aim: Aim) -> Sought:
        """Wait until a thing of another user is there, and give what it is called."""
        if aim.user == self._number:
            return self._own(aim.row)
        thing, client = self._thing, self._client
        values = await client.made_by(aim.user, thing.made_by, aim.row, thing)
        name = thing.known_as(aim.user, aim.row)
        if name not in values:
            raise TaskFailed(
                f"others do not know what a {thing.name} is called: 'named' of [data.{thing.data}] has no column of it"
            )
        owners = [values.get(f"user.{aim.user}.{one}", "") for one in ("username", "display_name")]
        address = values.get(f"user.{aim.user}.{address_name(thing.made_by, aim.row)}", "")
        return Sought(Value(f"{{{{{name}}}}}", values[name]), tuple(filter(None, owners)), address=address)

    def _data(self, key: str) -> DataSet:
        data = data_sets().get(key)
        if data is not None:
            return data
        rows = self._client.identity.dealt().get(key)
        if not rows:
            raise TaskFailed(f"there is no data set '{key}'")
        return DataSet(
            name=one_of(key), several=key, rows=[row.values() if isinstance(row, DealtRow) else row for row in rows]
        )

    def _row(self, data: DataSet, place: int) -> Mapping[str, object]:
        """Give a row that the user was dealt; of a data set of texts, one that has a text alone."""
        dealt = self._client.identity.dealt().get(data.key, ())
        if place > len(dealt):
            raise TaskSkipped(f"the user has {len(dealt)} rows of '{data.key}'")
        row = dealt[place - 1]
        return row.values() if isinstance(row, DealtRow) else {TEXT: row}

    def _value(self, data: DataSet, place: int, column: str) -> Value:
        """Give a value of a row, as a variable: a replay binds the row of its own user."""
        row = self._row(data, place)
        if column not in row:
            raise TaskFailed(f"the rows of '{data.key}' have no column '{column}', but {', '.join(row)}")
        value = row[column]
        said = "" if value is None else str(value)
        is_text = isinstance(self._client.identity.dealt()[data.key][place - 1], str)
        name = f"text.{data.name}.{place}" if is_text else f"{data.name}.{place}.{column}"
        return Value(f"{{{{{name}}}}}", said)

    def _changed(self, data: DataSet, change: Change, column: str) -> Value:
        """Give what a column is changed to: what another row says, of those that say something else.

        A column ``new_price`` says it of its own row.
        """
        own = self._row(data, change.row)
        if f"new_{column}" in own:
            return self._value(data, change.row, f"new_{column}")
        dealt = len(self._client.identity.dealt().get(data.key, ()))
        others = [change.to, *(place for place in range(1, dealt + 1) if place not in (change.to, change.row))]
        for place in others:
            if place <= dealt and str(self._row(data, place).get(column)) != str(own.get(column)):
                return self._value(data, place, column)
        raise TaskSkipped(f"all rows of '{data.key}' that the user has say the same {column}")
