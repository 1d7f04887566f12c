"""What an action of each kind is made of: its value, its element and its options. One model per kind.

The recorder writes by these models and the reader reads by them, so that what stands in a recording is what the
browser can do. Not responsible for: doing it (``gestures``), or storing it (``simulator.recording``).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Final, Literal, NotRequired, cast, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, with_config
from typing_extensions import TypedDict

from simulator.browser.acting.dialogs import Answer
from simulator.browser.action_recorder import ActionKind, Reached
from simulator.browser.evidence import Choice, Target
from simulator.canonical import map_strings
from simulator.filenames import base_name
from simulator.template import PLACEHOLDER

Button = Literal["left", "right", "middle"]
Modifier = Literal["Alt", "Control", "ControlOrMeta", "Meta", "Shift"]
Until = Literal["element", "text", "url"]
How = Literal["css", "text", "role", "label", "ref", "focused", "point"]

MOST_CLICKS: Final = 100
"""Clicks in one go."""
MOST_MS: Final = 24 * 3600 * 1000
"""The longest that an action may wait, or hold a key, in milliseconds: a day."""
MOST_PIXELS: Final = 1e9
"""The farthest place, and the longest way to scroll, in CSS pixels."""
_SHA256 = r"^[0-9a-f]{64}$"


def _number(text: str) -> str:
    if PLACEHOLDER.search(text) is None and not abs(float(text)) <= MOST_PIXELS:
        raise ValueError("expected a number of pixels")
    return text


def _ordinal(text: str) -> str:
    if PLACEHOLDER.search(text) is None and not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise ValueError("expected the number of a window")
    return text


Pixels = Annotated[float, Field(ge=-MOST_PIXELS, le=MOST_PIXELS, allow_inf_nan=False, strict=True)]
Position = tuple[Pixels, Pixels]
Count = Annotated[int, Field(ge=1, le=MOST_CLICKS, strict=True)]
Span = Annotated[float, Field(ge=0, le=MOST_MS, allow_inf_nan=False, strict=True)]
FileName = Annotated[str, AfterValidator(base_name)]
Sha256 = Annotated[str, Field(pattern=_SHA256)]


def _scoped(target: Target) -> Target:
    if target.scope_depth >= len(target.scopes) or target.scope_depth < -1:
        raise ValueError(f"scope_depth names none of its {len(target.scopes)} scopes")
    return target


Evidence = Annotated[Target, AfterValidator(_scoped)]


@with_config(ConfigDict(extra="forbid"))
class Link(TypedDict):
    """The link by which the page before showed what was new in an address."""

    link: Evidence
    url: str
    """Where it leads, a template."""


@with_config(ConfigDict(extra="forbid"))
class ToldId(TypedDict):
    """Where the site gave an id, as ``ToldBy`` has it."""

    how: Literal["answer", "page"]
    at: str
    part: str
    nth: Annotated[int, Field(ge=0, strict=True)]


@with_config(ConfigDict(extra="forbid"))
class Made(TypedDict):
    """How the site calls a thing that the user has made."""

    part: str
    """What stands before its id where that identifies a card: ``things/``, ``?id=``."""
    nth: Annotated[int, Field(ge=1, strict=True)]
    """Which of the user's actions made it that have sent something put in, from 1."""
    how: str
    """``address``: it was led to. ``page``: it was the only new one there. Else the path in the answer that gave it."""
    was: NotRequired[str]
    """What the site called it, where that is a name; a template."""


@with_config(ConfigDict(extra="forbid"))
class AnyOptions(TypedDict, total=False):
    """What an action of any kind may have."""

    dialogs: Answer
    """How its dialogs are answered, where the agent chose."""
    optional: Annotated[bool, Field(strict=True)]
    """It did nothing but dismiss something: it is left out where that is not there."""
    put_away: Annotated[bool, Field(strict=True)]
    """It dismissed what had opened by itself, and sent something: two performances show whether that is optional."""
    closes: list[str]
    """What dialogs that open by themselves over its element are called, templates: they are closed first."""
    only: dict[str, str]
    """Values, by template, for which alone its element is known."""
    reads: str
    """What its field held afterwards, where the page made something else of what was put in; of an option that was
    chosen by another word what it says. A template."""
    answered: str
    """Where the answer of a form that a script sent leads, a template."""
    stopped: Reached
    """The guard stopped it: how much of it the page heard."""
    made_by: list[Made]
    """It is done to a thing that the user has made: how that is known."""


class VisitOptions(AnyOptions, total=False):
    """Of ``goto`` and ``open_tab``."""

    told_by: Link
    told_ids: dict[str, ToldId]
    """Where the site gave before what is new in the address, by variable."""


class PlaceOptions(AnyOptions, total=False):
    """Of what the pointer does."""

    position: Position
    """Where in the element, from its inner top left corner, in CSS pixels; its middle where it is absent."""
    nothing: Annotated[bool, Field(strict=True)]
    """It was done where nothing is on the page."""


class ClickOptions(PlaceOptions, total=False):
    """Of ``click``."""

    button: Button
    count: Count
    modifiers: list[Modifier]
    sets: Annotated[list[str], Field(min_length=2, max_length=2)]
    """Of a member of a widget: the field of the form that it set, and to what."""


class _Onto(TypedDict):
    onto: Evidence


class DragOptions(_Onto, PlaceOptions, total=False):
    """Of ``drag``: what it is dragged to, and where in that."""

    onto_position: Position


class PressOptions(AnyOptions, total=False):
    """Of ``press``."""

    hold_ms: Annotated[int, Field(ge=0, le=MOST_MS, strict=True)]


class SelectOptions(AnyOptions, total=False):
    """Of ``select``: the option that stood for the value, and what it was sent as, where that is a word.

    ``beside``: of a list that takes several, what was chosen by then stays chosen. ``several``: the value names all
    that is chosen in it; each of the options stands in a line.
    """

    option: str
    sent: str
    beside: Literal[True]
    several: Literal[True]


class _File(TypedDict):
    sha256: Sha256
    name: FileName


class UploadOptions(_File, AnyOptions, total=False):
    """Of ``upload``: the file's bytes, its name, and the template that it came from."""

    source: str


class ScrollOptions(AnyOptions, total=False):
    """Of ``scroll``: how far to the right the page goes; or how far what is around an element goes."""

    dx: Pixels
    by: Position


class _Wait(TypedDict):
    timeout: Span
    until: Until


class WaitOptions(_Wait, AnyOptions, total=False):
    """Of ``wait``: what is waited for, and how long, in milliseconds."""

    how: How
    name: str


class Options(VisitOptions, ClickOptions, PressOptions, SelectOptions, ScrollOptions, total=False):
    """The options of an action of whichever kind: its model says which of them it has."""

    onto: Target
    onto_position: Position
    sha256: str
    name: str
    source: str
    timeout: float
    until: Until
    how: How


class _Operation(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    target: Evidence | None = None
    value: str | None = None
    recorded_value: str | None = None
    aim: Literal["exact", "choice"] = "exact"
    choice: Choice | None = None


class _OnPage(_Operation):
    target: None = None
    aim: Literal["exact"] = "exact"
    choice: None = None


class _OnElement(_Operation):
    target: Evidence


class Visit(_OnPage):
    """A page is asked for by its address."""

    kind: Literal["goto"]
    value: str
    options: VisitOptions


class OpenTab(_OnPage):
    """A window is opened, and an address visited in it where there is one."""

    kind: Literal["open_tab"]
    options: VisitOptions


class Move(_OnPage):
    """The page is left for one before or after it, or loaded again."""

    kind: Literal["back", "forward", "reload"]
    options: AnyOptions


class Tab(_OnPage):
    """Another window is looked at, or one is closed, by its number."""

    kind: Literal["switch_tab", "close_tab"]
    value: Annotated[str, AfterValidator(_ordinal)]
    options: AnyOptions


class Wait(_OnPage):
    """Something is waited for."""

    kind: Literal["wait"]
    value: str
    options: WaitOptions


class Scroll(_Operation):
    """The page is scrolled, or what is around an element, or the element into view."""

    kind: Literal["scroll"]
    value: Annotated[str, AfterValidator(_number)] | None = None
    options: ScrollOptions


class Click(_OnElement):
    """An element is clicked."""

    kind: Literal["click"]
    options: ClickOptions


class Point(_OnElement):
    """An element is clicked twice, or the pointer rests on it."""

    kind: Literal["dblclick", "hover"]
    options: PlaceOptions


class Drag(_OnElement):
    """An element is dragged to another one."""

    kind: Literal["drag"]
    options: DragOptions


class Put(_OnElement):
    """A text is put into a field, at once or key by key."""

    kind: Literal["fill", "type"]
    value: str
    options: AnyOptions


class Press(_OnElement):
    """A key is pressed."""

    kind: Literal["press"]
    value: str
    options: PressOptions


class Select(_OnElement):
    """An option of a list is chosen."""

    kind: Literal["select"]
    value: str
    options: SelectOptions


class Check(_OnElement):
    """A box is ticked or cleared, or an element gets the focus."""

    kind: Literal["check", "uncheck", "focus"]
    options: AnyOptions


class Upload(_OnElement):
    """A file is given to a file field."""

    kind: Literal["upload"]
    options: UploadOptions


Operation = Visit | OpenTab | Move | Tab | Wait | Scroll | Click | Point | Drag | Put | Press | Select | Check | Upload

_MODELS: Final[dict[str, type[BaseModel]]] = {
    kind: model for model in get_args(Operation) for kind in get_args(model.model_fields["kind"].annotation)
}
_NEEDY: Final = frozenset(
    kind
    for kind, model in _MODELS.items()
    if model.model_fields["options"].annotation.__required_keys__  # type: ignore[union-attr]
)
"""Kinds whose options cannot be empty."""


def operation_of(kind: Any, **parts: Any) -> Any:
    """Read an action by the model of its kind.

    Args:
        kind: what is done.
        parts: the other fields of its model, as JSON values or as what they stand for.

    Raises:
        KeyError: there is no such kind.
        ValidationError: something does not belong to an action of this kind, with its place.
    """
    if not isinstance(kind, str):
        raise KeyError(kind)
    return _MODELS[kind].model_validate({"kind": kind, **parts})


@cache
def _options(kind: ActionKind) -> TypeAdapter[Any]:
    return TypeAdapter(cast(Any, _MODELS[kind].model_fields["options"].annotation))


def options_json(kind: ActionKind, options: Mapping[str, Any]) -> dict[str, Any]:
    """Write options as JSON values.

    Raises:
        ValidationError: one does not belong to an action of this kind, with its place.
    """
    if not options and kind not in _NEEDY:
        return {}
    adapter = _options(kind)
    written: dict[str, Any] = adapter.dump_python(
        adapter.validate_python(options), mode="json", exclude_defaults=True, exclude_none=True
    )
    return written


def map_options(kind: ActionKind, options: Mapping[str, Any], put: Any) -> Options:
    """Pass every text of options through a function."""
    changed: Options = _options(kind).validate_python(map_strings(options_json(kind, options), put))
    return changed
