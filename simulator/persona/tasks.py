"""The tasks that a persona file can name: those that every site has, and those of the packs in use.

Responsible for the forms a task may take in YAML (`register`, `list_books: {count: 3}`, `create: ticket`, `do: free
text`) and for nothing of how it is done.
"""

from collections.abc import Mapping
from difflib import get_close_matches
from functools import lru_cache
from typing import Annotated, Any, ClassVar, TypeAlias

from pydantic import Field, GetCoreSchemaHandler, GetJsonSchemaHandler, ValidationError, ValidationInfo
from pydantic_core import CoreSchema, InitErrorDetails, core_schema

from simulator.domain import Pack, TaskBase, Text, packs_in_use
from simulator.domain.tasks import ForeignTask
from simulator.persona.thing_tasks import THING_TASKS, ThingTask

RECORDED: Mapping[str, bool] = {"recorded": True}
"""Context of a validation of what a recording holds: tasks of packs that are not in use can be read there."""
_FORMERLY = "deed"
"""What ``task_type`` was called in recordings of before."""


class Register(TaskBase):
    """Create the user's account."""

    needs_login: ClassVar[bool] = False
    task_type: str = "register"


class Login(TaskBase):
    """Log in as the user."""

    task_type: str = "login"


class Logout(TaskBase):
    """Log out."""

    needs_login: ClassVar[bool] = False
    task_type: str = "logout"


class Visit(TaskBase):
    """Open a page of the site."""

    needs_login: ClassVar[bool] = False
    task_type: str = "visit"
    path: str = Field(
        pattern=r"^/([^/].*)?$", max_length=2000, title="Path", examples=["/about"], description="Its path on the site."
    )


class Do(TaskBase):
    """Anything else, in plain words; needs a model."""

    task_type: str = "do"
    text: Text = Field(description="What to get done, in plain words.")


_FIRST: tuple[type[TaskBase], ...] = (Register, Login)
_LAST: tuple[type[TaskBase], ...] = (Visit, Logout, Do)


def task_types() -> Mapping[str, type[TaskBase]]:
    """Give each task's name with its type, in the order in which they are explained.

    A name that two packs have is there as ``pack.task`` only. One that a pack has and every site means the pack's, but
    where a thing follows; the name in full is ``site.task``.
    """
    return _types(packs_in_use())[0]


@lru_cache(maxsize=8)
def _types(packs: tuple[Pack, ...]) -> tuple[dict[str, type[TaskBase]], dict[str, list[str]]]:
    """Give the types by name, and for a name that several packs have the names to choose from."""
    own = {kind.named(): kind for kind in (*_FIRST, *_LAST)}
    offers: dict[str, list[tuple[str, type[TaskBase]]]] = {}
    for pack in packs:
        for kind in pack.tasks:
            offers.setdefault(kind.named(), []).append((f"{pack.name}.{kind.named()}", kind))
    found = {kind.named(): kind for kind in _FIRST}
    clashes: dict[str, list[str]] = {}
    for name, offered in offers.items():
        if len(offered) == 1 and name not in own:
            found[name] = offered[0][1]
            continue
        found |= dict(offered)
        if name not in own:
            clashes[name] = [full for full, _ in offered]
    for of_things in THING_TASKS:
        taken = of_things.short() in offers
        found[of_things.named() if taken else of_things.short()] = of_things
    return found | {kind.named(): kind for kind in _LAST}, clashes


def _type_of(task_type: Any) -> type[TaskBase]:
    """Give the type of a task by its name, or by the name of its pack with it."""
    found, clashes = _types(packs_in_use())
    if task_type in found:
        return found[task_type]
    for of_things in THING_TASKS:
        if task_type == of_things.named():
            return of_things
    for pack in packs_in_use():
        for kind in pack.tasks:
            if task_type == f"{pack.name}.{kind.named()}":
                return kind
    if task_type in clashes:
        raise ValueError(f"several packs have a task {task_type!r}; write {' or '.join(clashes[task_type])}")
    near = get_close_matches(str(task_type), found, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(found)}"
    raise ValueError(f"unknown task {task_type!r}; {hint}")


def _meant(task_type: Any, parameters: Any) -> type[TaskBase]:
    """Give the type of a task: of a name that a pack and every site have, that of the site where a thing follows."""
    kind = _type_of(task_type)
    of_things = next((one for one in THING_TASKS if one.short() == task_type), kind)
    follows = "thing" in parameters and "thing" not in kind.model_fields if isinstance(parameters, dict) else False
    return of_things if follows or isinstance(parameters, str) else kind


def _spelled_out(value: Any) -> tuple[str, dict[str, Any]]:
    """Bring the forms of a task (a name, or one name with its parameters, or all in one) to name and parameters."""
    parameters: Any
    if isinstance(value, dict) and "task_type" in value:
        return str(value["task_type"]), {name: given for name, given in value.items() if name != "task_type"}
    if isinstance(value, str):
        task_type, parameters = value, None
    elif isinstance(value, dict) and len(value) == 1:
        task_type, parameters = next(iter(value.items()))
    else:
        raise ValueError("expected a task: its name, or its name with parameters")
    kind = _meant(task_type, parameters)
    if kind is Do:
        if not isinstance(parameters, str) or not parameters.strip():
            raise ValueError("expected 'do' to be followed by what to do, in plain words")
        parameters = {"text": parameters}
    if issubclass(kind, ThingTask) and isinstance(parameters, str):
        parameters = {"thing": parameters}
    if parameters is None:
        parameters = {}
    if not isinstance(parameters, dict):
        names = ", ".join(name for name in kind.model_fields if name != "task_type")
        expected = f"parameters such as {{{names}: …}}" if names else "no parameters"
        raise ValueError(f"expected {expected} after {task_type!r}, found {parameters!r}")
    return task_type, parameters


def _read(value: Any, info: ValidationInfo) -> TaskBase:
    if isinstance(value, TaskBase):
        return value
    if isinstance(value, dict) and _FORMERLY in value:
        value = {"task_type": value[_FORMERLY], **{name: given for name, given in value.items() if name != _FORMERLY}}
    if isinstance(value, dict) and "task_type" in value and info.context == RECORDED:
        try:
            known = _type_of(value["task_type"])
        except ValueError:
            return ForeignTask.model_validate(value)
        if issubclass(known, ThingTask) and value["task_type"] != known.named():
            return ForeignTask.model_validate(value)  # recorded with a pack that has a task of this name
    task_type, parameters = _spelled_out(value)
    kind = _meant(task_type, parameters)
    try:
        name = kind.named() if issubclass(kind, ThingTask) else task_type
        return kind.model_validate({"task_type": name, **parameters})
    except ValidationError as error:
        raise _at(task_type, error) from None


def _at(task_type: str, error: ValidationError) -> ValidationError:
    """Give mistakes in parameters their place under the task's name."""
    details: list[InitErrorDetails] = [
        {"type": one["type"], "loc": (task_type, *one["loc"]), "input": one["input"], "ctx": one.get("ctx", {})}
        for one in error.errors(include_url=False)
    ]
    return ValidationError.from_exception_data(error.title, details)


class _AnyTask:
    """Has pydantic read a task as one of those in use."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.with_info_plain_validator_function(_read)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return {"tasks": {name: parameters_schema(kind) for name, kind in task_types().items()}}


def parameters_schema(kind: type[TaskBase]) -> dict[str, Any]:
    """Give the JSON Schema of a type of task, without references."""
    schema = kind.model_json_schema()
    parts = schema.pop("$defs", {})

    def whole(part: Any) -> Any:
        if isinstance(part, dict):
            if "$ref" in part:
                return whole(parts[part["$ref"].rpartition("/")[2]])
            return {key: whole(value) for key, value in part.items()}
        return [whole(one) for one in part] if isinstance(part, list) else part

    found: dict[str, Any] = whole(schema)
    return found


Task: TypeAlias = Annotated[TaskBase, _AnyTask()]
"""One task of a persona; its ``task_type`` says of which type."""
