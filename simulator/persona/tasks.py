"""The deeds that a persona file can name, each with its typed parameters.

Responsible for the forms a task may take in YAML (`register`, `list_books: {count: 3}`, `do: free text`) and
for nothing of how a deed is done.
"""

from difflib import get_close_matches
from typing import Annotated, Any, Literal, TypeAlias, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

Count = Annotated[int, Field(strict=True, gt=0, le=100)]
"""How often a deed is done: a whole number above 0, at most 100."""
Text = Annotated[str, Field(min_length=1, max_length=2000)]


class _Task(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Register(_Task):
    """Create the user's account."""

    deed: Literal["register"] = "register"


class Login(_Task):
    """Log in as the user."""

    deed: Literal["login"] = "login"


class Logout(_Task):
    """Log out."""

    deed: Literal["logout"] = "logout"


class ListBooks(_Task):
    """Offer books for sale."""

    deed: Literal["list_books"] = "list_books"
    count: Count = Field(default=1, description="How many books to offer.")
    query: Text | None = Field(default=None, description="Words that the books should rather fit.")


class Browse(_Task):
    """Look through the listings."""

    deed: Literal["browse"] = "browse"
    pages: Count = Field(default=1, description="How many pages of listings to look at.")
    query: Text | None = Field(default=None, description="Words to search for.")
    genre: Text | None = Field(default=None, description="A genre to look at.")


class SaveListings(_Task):
    """Mark other people's listings as saved."""

    deed: Literal["save_listings"] = "save_listings"
    count: Count = Field(default=1, description="How many listings to save.")


class MessageSeller(_Task):
    """Write to the seller of a listing."""

    deed: Literal["message_seller"] = "message_seller"
    count: Count = Field(default=1, description="How many messages to send.")
    text: Text | None = Field(default=None, description="What to write; composed for the user if left out.")


class EditListing(_Task):
    """Change one of the user's own listings."""

    deed: Literal["edit_listing"] = "edit_listing"
    count: Count = Field(default=1, description="How many listings to change.")
    field: Literal["price", "description"] = Field(default="price", description="What to change.")


class DeleteListing(_Task):
    """Withdraw one of the user's own listings."""

    deed: Literal["delete_listing"] = "delete_listing"
    count: Count = Field(default=1, description="How many listings to withdraw.")


class CreateMatchup(_Task):
    """Pit two listings against each other for a vote."""

    deed: Literal["create_matchup"] = "create_matchup"
    count: Count = Field(default=1, description="How many pairs to put up.")


class Vote(_Task):
    """Vote for one listing of a pair."""

    deed: Literal["vote"] = "vote"
    count: Count = Field(default=1, description="How many votes to cast.")


class Do(_Task):
    """Anything else, in plain words; needs a model."""

    deed: Literal["do"] = "do"
    text: Text = Field(description="What to get done, in plain words.")


TASK_TYPES: tuple[type[_Task], ...] = (
    Register,
    Login,
    ListBooks,
    Browse,
    SaveListings,
    MessageSeller,
    EditListing,
    DeleteListing,
    CreateMatchup,
    Vote,
    Logout,
    Do,
)
DEEDS: dict[str, type[_Task]] = {get_args(kind.model_fields["deed"].annotation)[0]: kind for kind in TASK_TYPES}
"""Each deed's name with its task type, in the order in which they are explained."""


def _spelled_out(value: Any) -> Any:
    """Bring the short forms of a task (a name, or one name with its parameters) to the full one."""
    if isinstance(value, _Task) or (isinstance(value, dict) and "deed" in value):
        return value
    parameters: Any
    if isinstance(value, str):
        deed, parameters = value, None
    elif isinstance(value, dict) and len(value) == 1:
        deed, parameters = next(iter(value.items()))
    else:
        raise ValueError("expected a task: its name, or its name with parameters")
    if deed not in DEEDS:
        near = get_close_matches(str(deed), DEEDS, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(DEEDS)}"
        raise ValueError(f"unknown task {deed!r}; {hint}")
    if deed == "do":
        if not isinstance(parameters, str) or not parameters.strip():
            raise ValueError("expected 'do' to be followed by what to do, in plain words")
        parameters = {"text": parameters}
    if parameters is None:
        parameters = {}
    if not isinstance(parameters, dict):
        names = ", ".join(name for name in DEEDS[deed].model_fields if name != "deed")
        expected = f"parameters such as {{{names}: …}}" if names else "no parameters"
        raise ValueError(f"expected {expected} after {deed!r}, found {parameters!r}")
    return {"deed": deed, **parameters}


Task: TypeAlias = Annotated[
    Annotated[
        Register
        | Login
        | ListBooks
        | Browse
        | SaveListings
        | MessageSeller
        | EditListing
        | DeleteListing
        | CreateMatchup
        | Vote
        | Logout
        | Do,
        Field(discriminator="deed"),
    ],
    BeforeValidator(_spelled_out),
]
"""One task of a persona, told apart by its ``deed``."""
