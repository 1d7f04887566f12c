"""Tasks that every site has for what users make there: the things of its section. Not responsible for: doing them.

A persona does not know the site. It names a thing, and which things there are is looked up when a run is put together
(``agent.site_things``). The full names begin with ``site.``; recordings hold those, so that a pack may have a task
``browse`` of its own.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from pydantic import Field

from simulator.domain import Count, TaskBase, Text

PREFIX = "site."
"""How the full names of these tasks begin."""
ThingName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=60)]
_NAMED: dict[str, Any] = {
    "title": "Name of a thing",
    "examples": ["ticket"],
    "description": "What is dealt with, as the site names it.",
}


class ThingTask(TaskBase):
    """Deal with things of a kind."""

    thing: ThingName = Field(json_schema_extra=_NAMED)
    count: Count = 1

    @classmethod
    def short(cls) -> str:
        """Give the name that it has where no pack has a task of that name."""
        return cls.named().removeprefix(PREFIX)


class CreateThing(ThingTask):
    """Make things of the user's own."""

    task_type: str = "site.create"
    count: Count = Field(default=1, description="How many to make.")


class EditThing(ThingTask):
    """Change the user's own things."""

    task_type: str = "site.edit"
    count: Count = Field(default=1, description="How many to change.")


class DeleteThing(ThingTask):
    """Delete the user's own things."""

    task_type: str = "site.delete"
    count: Count = Field(default=1, description="How many to delete.")


class BrowseThings(ThingTask):
    """Look for things in their list, and look at some."""

    needs_login: ClassVar[bool] = False
    of_others: ClassVar[bool] = True
    task_type: str = "site.browse"
    count: Count = Field(default=1, description="How many to look at.")
    query: Text | None = Field(default=None, description="Words to search for.")


class ReactToThings(ThingTask):
    """React to things of others."""

    of_others: ClassVar[bool] = True
    task_type: str = "site.react"
    count: Count = Field(default=1, description="How many to react to.")
    query: Text | None = Field(default=None, description="Words that they hold.")
    button: Text | None = Field(default=None, description="Which reaction, where there are several.")


class CommentThings(ThingTask):
    """Write about things of others."""

    of_others: ClassVar[bool] = True
    task_type: str = "site.comment"
    count: Count = Field(default=1, description="How many to write about.")
    query: Text | None = Field(default=None, description="Words that they hold.")


THING_TASKS: tuple[type[ThingTask], ...] = (
    CreateThing,
    EditThing,
    DeleteThing,
    BrowseThings,
    ReactToThings,
    CommentThings,
)
