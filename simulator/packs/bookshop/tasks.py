"""What users do in a bookshop, as persona files name it. Not responsible for: how it is done."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from simulator.domain import Count, TaskBase, Text


class ListBooks(TaskBase):
    """Offer books for sale."""

    task_type: str = "list_books"
    count: Count = Field(default=1, description="How many books to offer.")
    query: Text | None = Field(default=None, description="Words that the books should rather fit.")


class Browse(TaskBase):
    """Look through the listings."""

    needs_login: ClassVar[bool] = False
    task_type: str = "browse"
    pages: Count = Field(default=1, description="How many pages of listings to look at.")
    query: Text | None = Field(default=None, description="Words to search for.")
    genre: Text | None = Field(default=None, description="A genre to look at.")


class SaveListings(TaskBase):
    """Mark other people's listings as saved."""

    of_others: ClassVar[bool] = True
    task_type: str = "save_listings"
    count: Count = Field(default=1, description="How many listings to save.")


class MessageSeller(TaskBase):
    """Write to the seller of a listing."""

    of_others: ClassVar[bool] = True
    task_type: str = "message_seller"
    count: Count = Field(default=1, description="How many messages to send.")
    text: Text | None = Field(default=None, description="What to write; composed for the user if left out.")


class EditListing(TaskBase):
    """Change one of the user's own listings."""

    task_type: str = "edit_listing"
    count: Count = Field(default=1, description="How many listings to change.")
    field: Literal["price", "description"] = Field(default="price", description="What to change.")


class DeleteListing(TaskBase):
    """Withdraw one of the user's own listings."""

    task_type: str = "delete_listing"
    count: Count = Field(default=1, description="How many listings to withdraw.")


class CreateMatchup(TaskBase):
    """Pit two listings against each other for a vote."""

    of_others: ClassVar[bool] = True
    task_type: str = "create_matchup"
    count: Count = Field(default=1, description="How many pairs to put up.")


class Vote(TaskBase):
    """Vote for one listing of a pair."""

    of_others: ClassVar[bool] = True
    task_type: str = "vote"
    count: Count = Field(default=1, description="How many votes to cast.")


TASKS: tuple[type[TaskBase], ...] = (
    ListBooks,
    Browse,
    SaveListings,
    MessageSeller,
    EditListing,
    DeleteListing,
    CreateMatchup,
    Vote,
)
