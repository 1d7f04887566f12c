"""The persona: a kind of user, what they are like and what they want to get done.

Responsible for the shape of a persona and the meaning of its fields. Reading it from a file, with positions
for mistakes, is `files`; drawing people from it is `identity`.
"""

from difflib import get_close_matches
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from simulator.persona.catalogue import GENRES
from simulator.persona.locales import timezone_of, validate_locale, validate_timezone
from simulator.persona.tasks import ListBooks, Task

PERSONA_NAME = r"^[a-z][a-z0-9_-]{0,39}$"
CURRENCY = r"^[A-Z]{3}$"

Safety = Literal["safe", "low_risk", "medium", "high", "dangerous"]
"""How much harm a tool can do, from none upwards."""
Share = Annotated[float, Field(strict=True, ge=0, le=1)]
Line = Annotated[str, Field(min_length=1, max_length=500)]


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


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Viewport(_Part):
    """The size of the page in CSS pixels."""

    width: int = Field(strict=True, ge=200, le=10000, description="Width in CSS pixels.")
    height: int = Field(strict=True, ge=200, le=10000, description="Height in CSS pixels.")


class Traits(_Part):
    """What changes how the user behaves."""

    pace: Literal["slow", "normal", "fast"] = Field(default="normal", description="How fast they act.")
    patience: Literal["low", "medium", "high"] = Field(default="medium", description="How long they wait.")
    typo_rate: float = Field(
        default=0.0,
        strict=True,
        ge=0,
        le=0.2,
        description="Share of words mistyped in descriptions and messages.",
    )
    skips_optional: Share = Field(default=0.0, description="Share of the optional fields left empty.")
    description_length: Literal["short", "normal", "long"] = Field(
        default="normal", description="How much they write about a book."
    )


class PriceRange(_Part):
    """What the user asks for a book."""

    min: float = Field(default=2.0, strict=True, ge=0, le=100000, description="The lowest price.")
    max: float = Field(default=20.0, strict=True, ge=0, le=100000, description="The highest price.")
    currency: str = Field(default="EUR", pattern=CURRENCY, description="ISO 4217 code, such as EUR.")

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.min > self.max:
            raise ValueError(f"expected min to be at most max, found min {self.min:g} and max {self.max:g}")
        return self


class Tastes(_Part):
    """Which books the user deals in."""

    genres: tuple[Genre, ...] = Field(default=(), description="Genres preferred over others.")
    price: PriceRange = Field(default_factory=PriceRange, description="The range of prices asked.")


class Limits(_Part):
    """When a run of this persona is stopped."""

    steps: int = Field(default=200, strict=True, gt=0, le=10000, description="Most steps in a run.")
    minutes: float = Field(default=10.0, strict=True, gt=0, le=1440, description="Longest run, in minutes.")
    tokens: int = Field(default=200_000, strict=True, gt=0, description="Most model tokens in a run.")
    money: float | None = Field(
        default=None, strict=True, gt=0, description="Most that models may cost in a run, in the prices' currency."
    )


class ToolRules(_Part):
    """Which tools the persona may use."""

    toolsets: tuple[Line, ...] = Field(default=("browser", "books"), description="Toolsets it is offered.")
    max_safety: Safety = Field(default="medium", description="The most harmful level allowed.")


class Persona(_Part):
    """A kind of user: traits, tastes and tasks, from which any number of identities are drawn."""

    persona: str = Field(pattern=PERSONA_NAME, description="Its name: lower-case letters, digits, _ and -.")
    about: str = Field(min_length=1, max_length=2000, description="Who this is, in a sentence or two.")
    locale: Annotated[str, AfterValidator(validate_locale)] = Field(
        description="Language and country, such as en_GB: names, cities and texts come from it."
    )
    timezone: Annotated[str, AfterValidator(validate_timezone)] | None = Field(
        default=None, description="IANA name, such as Europe/London; by the locale if left out."
    )
    weight: float = Field(
        default=1.0,
        strict=True,
        gt=0,
        le=1000,
        description="Share in a mixed population, relative to others.",
    )
    viewport: Viewport | None = Field(default=None, description="Page size; a usual one is drawn if left out.")
    traits: Traits = Field(default_factory=Traits, description="What changes how they behave.")
    tastes: Tastes = Field(default_factory=Tastes, description="Which books they deal in.")
    tasks: tuple[Task, ...] = Field(min_length=1, max_length=100, description="What to get done, in order.")
    limits: Limits = Field(default_factory=Limits, description="When a run is stopped.")
    tools: ToolRules = Field(default_factory=ToolRules, description="Which tools may be used.")
    answers: dict[str, str] = Field(
        default_factory=dict, description="What to put in a form's field, by the field's label or name."
    )

    @model_validator(mode="after")
    def _has_timezone(self) -> Self:
        if self.timezone is None and timezone_of(self.locale) is None:
            raise ValueError(f"expected 'timezone' too, as none is known for locale {self.locale!r}")
        return self

    @property
    def zone(self) -> str:
        """The IANA time zone of its people: the given one, or the locale's."""
        return self.timezone or timezone_of(self.locale) or "UTC"

    @property
    def book_count(self) -> int:
        """How many books one identity needs: those to list, and at least three where a task is free text."""
        planned = sum(task.count for task in self.tasks if isinstance(task, ListBooks))
        return max(planned, 3) if any(task.deed == "do" for task in self.tasks) else planned
