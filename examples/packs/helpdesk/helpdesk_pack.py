"""A pack for helpdesks: users open tickets, comment on those of others, and close their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from pydantic import Field

from simulator.domain import Count, DataSet, Message, Pack, Reaction, TaskBase, Thing
from simulator.persona.draws import Draw

PARTS = ("printer", "login page", "invoice export", "search", "mobile app", "newsletter")
TROUBLES = ("is slow", "shows an error", "stays blank", "forgets my settings", "asks twice")
REMARKS = ("It is the same for me.", "Did you try it in another browser?", "It works again since this morning.")

CLOSE = Reaction(button="Close ticket", once=True)
TICKET = Thing(
    name="ticket",
    made_by="open_ticket",
    variable="ticket.{index}.title",
    create="New ticket",
    list="All tickets",
    data="tickets",
    fields=("title", "description"),
    react=(CLOSE,),
    message=Message(data="remarks"),
)


class OpenTicket(TaskBase):
    """Open tickets."""

    task_type: str = "open_ticket"
    count: Count = Field(default=1, description="How many tickets to open.")


class CommentTicket(TaskBase):
    """Comment on tickets of others."""

    of_others: ClassVar[bool] = True
    task_type: str = "comment_ticket"
    count: Count = Field(default=1, description="How many comments to write.")


class CloseTicket(TaskBase):
    """Close the oldest of one's own tickets."""

    task_type: str = "close_ticket"
    count: Count = Field(default=1, description="How many tickets to close.")


class Ticket(NamedTuple):
    """A ticket of a user of the batch; both counted from 1."""

    user: int
    which: int


class Planned(NamedTuple):
    """Which tickets one user deals with, by the place of the task."""

    own: Mapping[int, Sequence[int]]
    others: Mapping[int, Sequence[Ticket]]


def deal_tickets(persona: Any, key: tuple[str | int, ...]) -> list[dict[str, str]]:
    """Give a user as many tickets as its tasks open, no two alike."""
    count = sum(task.count for task in persona.tasks if isinstance(task, OpenTicket))
    subjects = Draw(*key, "ticket").shuffled([f"The {part} {trouble}" for part in PARTS for trouble in TROUBLES])
    case = Draw(*key, "case").below(10**8)
    return [
        {
            "title": f"{subject} (case {case}.{n + 1})",
            "description": f"{subject}, since today.",
        }
        for n, subject in enumerate(subjects[:count])
    ]


def deal_remarks(persona: Any, key: tuple[str | int, ...]) -> list[str]:
    """Give a user as many remarks as its tasks write."""
    count = sum(task.count for task in persona.tasks if isinstance(task, CommentTicket))
    return [Draw(*key, "remark", n).choice(REMARKS) for n in range(count)]


def plan(population: Sequence[tuple[Any, Any]], seed: str) -> Mapping[int, object]:
    """Plan who comments on whose tickets: those that users before have opened, and leave open."""
    planned: dict[int, object] = {}
    there: list[Ticket] = []
    for number, (persona, _) in enumerate(population, start=1):
        own: dict[int, list[int]] = {}
        others: dict[int, list[Ticket]] = {}
        open_ones: list[int] = []
        opened = 0
        for place, task in enumerate(persona.tasks, start=1):
            if isinstance(task, OpenTicket):
                own[place] = list(range(opened + 1, opened + task.count + 1))
                open_ones += own[place]
                opened += task.count
            elif isinstance(task, CloseTicket):
                own[place], open_ones = open_ones[: task.count], open_ones[task.count :]
            elif isinstance(task, CommentTicket):
                others[place] = Draw(seed, "comments", number, place).shuffled(there)[: task.count]
        planned[number] = Planned(own, others)
        there += [Ticket(number, index) for index in open_ones]
    return planned


def performers() -> Mapping[type[TaskBase], Any]:
    """Give how the tasks are done; imported when the first one is."""
    from helpdesk_doing import close_ticket, comment_ticket, open_ticket

    return {OpenTicket: open_ticket, CommentTicket: comment_ticket, CloseTicket: close_ticket}


PACK = Pack(
    name="helpdesk",
    version="0.1",
    api=1,
    about="Tickets: opening, commenting and closing them.",
    tasks=(OpenTicket, CommentTicket, CloseTicket),
    performers=performers,
    plan=plan,
    things=(TICKET,),
    data=(
        DataSet(name="ticket", deal=deal_tickets, told=("title", "description"), listed=("title",)),
        DataSet(name="remark", deal=deal_remarks),
    ),
)
