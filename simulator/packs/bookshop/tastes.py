"""The section ``tastes`` of a persona: which books its users deal in. Not responsible for: dealing them."""

from difflib import get_close_matches
from typing import Annotated, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from simulator.domain import Tastes
from simulator.packs.bookshop.catalogue import GENRES
from simulator.persona.model import Persona


def _genre(value: object) -> object:
    if not isinstance(value, str):
        return value
    known = {genre.casefold(): genre for genre in GENRES}
    wanted = value.strip().replace("-", " ").replace("_", " ").casefold()
    if wanted not in known:
        near = get_close_matches(wanted, known, n=1)
        hint = f"did you mean {known[near[0]]!r}?" if near else f"known are {', '.join(GENRES)}"
        raise ValueError(f"unknown genre {value!r}; {hint}")
    return known[wanted]


Genre = Annotated[
    str, BeforeValidator(_genre), Field(json_schema_extra={"anyOf": [{"enum": list(GENRES)}, {"type": "string"}]})
]


class PriceRange(BaseModel):
    """What the user asks for a book."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    min: float = Field(default=2.0, strict=True, ge=0, le=100000, description="The lowest price.")
    max: float = Field(default=20.0, strict=True, ge=0, le=100000, description="The highest price.")
    currency: str = Field(
        default="EUR",
        pattern=r"^[A-Z]{3}$",
        title="Currency code",
        examples=["EUR"],
        description="ISO 4217 code, such as EUR.",
    )

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.min > self.max:
            raise ValueError(f"expected min to be at most max, found min {self.min:g} and max {self.max:g}")
        return self


class BookTastes(Tastes):
    """Which books the user deals in."""

    genres: tuple[Genre, ...] = Field(default=(), description="Genres preferred over others.")
    price: PriceRange = Field(default_factory=PriceRange, description="The range of prices asked.")

    def in_words(self) -> str:
        """Say it in a line."""
        genres = ", ".join(self.genres) or "any genre"
        return f"{genres}; {self.price.min:g} to {self.price.max:g} {self.price.currency}"

    def in_prompt(self) -> str:
        """Say it to a model that acts the user."""
        genres = f" You like {', '.join(self.genres)}." if self.genres else ""
        return f"{genres} You ask {self.price.min:g} to {self.price.max:g} {self.price.currency} for a book."


def tastes_of(persona: Persona) -> BookTastes:
    """Give what a persona prefers; of one that was read without this pack, what it says of it."""
    tastes = persona.tastes
    return tastes if isinstance(tastes, BookTastes) else BookTastes.model_validate(tastes.model_dump())
