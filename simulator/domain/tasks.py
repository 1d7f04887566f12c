"""What the parameters of tasks and the tastes of personas have in common. Not responsible for: any one of them."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import BaseModel, ConfigDict, Field

Count = Annotated[int, Field(strict=True, gt=0, le=100)]
"""How often something is done: a whole number above 0, at most 100."""
Text = Annotated[str, Field(min_length=1, max_length=2000)]


class TaskBase(BaseModel):
    """The parameters of one type of task. Its ``task_type`` has the type's name as default."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    needs_login: ClassVar[bool] = True
    """Whether the user has to be logged in for it."""
    of_others: ClassVar[bool] = False
    """Whether it deals with what other users have made."""

    task_type: str

    @classmethod
    def named(cls) -> str:
        """Give the name by which persona files call it."""
        return str(cls.model_fields["task_type"].default)


class ForeignTask(TaskBase):
    """A recorded task of a pack that is not in use: it can be read and replayed, and not be done again."""

    model_config = ConfigDict(frozen=True, extra="allow", defer_build=True)


class Tastes(BaseModel):
    """What users of a persona prefer, as far as a pack asks for it."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    def in_words(self) -> str:
        """Say it in a line, for a person."""
        return ""

    def in_prompt(self) -> str:
        """Say it to a model that acts the user, after its language, beginning with a blank; empty for nothing."""
        return ""


class ForeignTastes(Tastes):
    """Recorded tastes that a pack asks for which is not in use."""

    model_config = ConfigDict(frozen=True, extra="allow", allow_inf_nan=False)
