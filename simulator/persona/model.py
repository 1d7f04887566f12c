"""The persona: a kind of user, what they are like and what they want to get done.

Responsible for the shape of a persona and the meaning of its fields. Reading it from a file, with positions
for mistakes, is `files`; drawing people from it is `identity`.
"""

from collections.abc import Iterable
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    PrivateAttr,
    ValidationInfo,
    WithJsonSchema,
    create_model,
    field_validator,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from simulator.domain import Pack, Tastes, data_sets, packs_in_use
from simulator.domain.tasks import ForeignTastes
from simulator.persona.locales import timezone_of, validate_locale, validate_timezone
from simulator.persona.numbers import Range
from simulator.persona.tasks import RECORDED, Task
from simulator.template import wrong_set

PERSONA_NAME = r"^[a-z][a-z0-9_-]{0,39}$"

Safety = Literal["safe", "low_risk", "medium", "high", "dangerous"]
"""How much harm a tool can do, from none upwards."""
Share = Annotated[float, Field(strict=True, ge=0, le=1)]
Line = Annotated[str, Field(min_length=1, max_length=500)]


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
        default="normal", description="How much they write in descriptions."
    )


@lru_cache(maxsize=8)
def _tastes_of(packs: tuple[Pack, ...]) -> type[Tastes]:
    """Give the model of the section ``tastes``: what the packs ask for, put together."""
    asked = tuple(pack.tastes for pack in packs if pack.tastes)
    return create_model("Tastes", __base__=asked) if len(asked) > 1 else next(iter(asked), Tastes)


def _read_tastes(value: Any, info: ValidationInfo) -> Tastes:
    if isinstance(value, Tastes):
        return value
    model = _tastes_of(packs_in_use())
    if isinstance(value, dict) and info.context == RECORDED and value.keys() - model.model_fields.keys():
        model = ForeignTastes
    return model.model_validate(value)


class _AnyTastes:
    """Has pydantic read tastes as those of the packs in use."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.with_info_plain_validator_function(_read_tastes)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return handler(_tastes_of(packs_in_use()).__pydantic_core_schema__)


AnyTastes: TypeAlias = Annotated[Tastes, _AnyTastes()]


def _default_toolsets() -> tuple[str, ...]:
    return ("browser", *dict.fromkeys(name for pack in packs_in_use() for name in pack.default_toolsets))


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

    toolsets: tuple[Line, ...] = Field(
        default_factory=_default_toolsets,
        description="Toolsets it is offered.",
        json_schema_extra=lambda schema: schema.update(default=list(_default_toolsets())),
    )
    max_safety: Safety = Field(default="medium", description="The most harmful level allowed.")


_MOST_ROWS = 1000


def _data_of(value: Any) -> int | tuple[str | dict[str, Any], ...]:
    """Check what a persona says of a data set: a number of rows, or the rows themselves."""
    if isinstance(value, int) and not isinstance(value, bool):
        if not 0 < value <= _MOST_ROWS:
            raise ValueError(f"expected a number from 1 to {_MOST_ROWS}, found {value}")
        return value
    if not isinstance(value, list | tuple) or not value:
        raise ValueError(f"expected a number of rows, or a list of rows or texts, found {value!r}")
    for row in value:
        scalars = isinstance(row, dict) and all(
            isinstance(name, str) and name.isidentifier() and isinstance(one, str | int | float)
            for name, one in row.items()
        )
        if not (isinstance(row, str) and row.strip()) and not scalars:
            raise ValueError(f"expected a text, or a row of texts and numbers by field, found {row!r}")
    kinds = {frozenset(row) if isinstance(row, dict) else None for row in value}
    if len(kinds) > 1:
        raise ValueError("expected rows that all have the same fields, or texts alone")
    return tuple(value)


DataOf = Annotated[
    Any,
    AfterValidator(_data_of),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "integer", "minimum": 1, "maximum": _MOST_ROWS},
                {"type": "array", "minItems": 1, "items": {"type": ["string", "object"]}},
            ]
        }
    ),
]


def _require_sets(names: Iterable[str]) -> None:
    """See that there are data sets of these names.

    Raises:
        ValueError: with the first that is not one.
    """
    wanted = list(names)
    known = data_sets() if wanted else {}
    for name in wanted:
        if name not in known:
            near = get_close_matches(name, known, n=1)
            hint = f"did you mean '{near[0]}'?" if near else f"known are {', '.join(known) or 'none'}"
            raise ValueError(f"there is no data set '{name}'; {hint}")


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
    tastes: AnyTastes = Field(
        default_factory=lambda: _tastes_of(packs_in_use())(), description="What they prefer, as the packs in use ask."
    )
    tasks: tuple[Task, ...] = Field(min_length=1, max_length=100, description="What to get done, in order.")
    limits: Limits = Field(default_factory=Limits, description="When a run is stopped.")
    tools: ToolRules = Field(default_factory=ToolRules, description="Which tools may be used.")
    answers: dict[str, str] = Field(
        default_factory=dict, description="What to put in a form's field, by the field's label or name."
    )

    data: dict[str, DataOf] = Field(
        default_factory=dict,
        description="How many rows of a data set each user is dealt, by its name; or rows or texts of its own.",
    )

    numbers: dict[str, Range] = Field(
        default_factory=dict,
        description="By data set how often users of a seeding do what was recorded for its rows, such as 0..10.",
    )

    _file: Path | None = PrivateAttr(None)

    @property
    def file(self) -> Path | None:
        """The file that it was read from; None where it was not read from one."""
        return self._file

    def read_from(self, file: Path) -> Self:
        """Note which file it was read from, so that mistakes that show later are reported with their place."""
        self._file = file
        return self

    def __eq__(self, other: object) -> bool:
        """Return whether two personas say the same, wherever they were read from."""
        return isinstance(other, Persona) and self.__dict__ == other.__dict__

    __hash__ = None  # type: ignore[assignment]

    @field_validator("numbers", mode="after")
    @classmethod
    def _numbers_of_sets(cls, value: dict[str, str], info: ValidationInfo) -> dict[str, str]:
        if info.context != RECORDED:
            _require_sets(value)
        return value

    @field_validator("data", mode="after")
    @classmethod
    def _known_sets(cls, value: dict[str, Any], info: ValidationInfo) -> dict[str, Any]:
        for name in value:
            if said := wrong_set(name, () if info.context == RECORDED else {*value, *data_sets()}):
                raise ValueError(said)
        counted = [name for name, said in value.items() if isinstance(said, int)]
        if info.context != RECORDED:
            _require_sets(counted)
        return value

    @model_validator(mode="after")
    def _has_timezone(self) -> Self:
        if self.timezone is None and timezone_of(self.locale) is None:
            raise ValueError(f"expected 'timezone' too, as none is known for locale {self.locale!r}")
        return self

    @property
    def zone(self) -> str:
        """The IANA time zone of its people: the given one, or the locale's."""
        return self.timezone or timezone_of(self.locale) or "UTC"
