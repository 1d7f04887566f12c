"""Persona files: reading them, and reporting every mistake with its place and what was expected.

Responsible for the way from a file to a `Persona` or to problems in words. The shape of a persona is `model`,
the YAML below is `source`.
"""

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from simulator.domain import packs_in_use
from simulator.errors import PersonaError
from simulator.persona.expectations import Expectations
from simulator.persona.model import Persona
from simulator.text_file import one_sentence
from simulator.yaml_source import Located, Position, SourceError, read_source

SUFFIXES = (".yaml", ".yml")


class Problem(NamedTuple):
    """One mistake in a persona file."""

    persona: str
    """The name that the file gives, or the file's own where it gives none."""
    path: Path
    position: Position
    where: str
    """The dotted path of the value, or "" for the whole file."""
    message: str

    def __str__(self) -> str:
        """Return the problem as one line for a terminal, in the form that editors can follow."""
        where = f"{self.where}: " if self.where else ""
        line, column = self.position
        said = one_sentence(f"{where}{self.message}")
        return f"persona {_shown(self.persona)}: {self.path}:{line}:{column}: {said}"


class Checked(NamedTuple):
    """What a file holds: a persona, or the problems that keep it from being one."""

    persona: Persona | None
    problems: tuple[Problem, ...]


def check_persona(path: Path) -> Checked:
    """Read a persona file and find all of its mistakes, in the order of the file."""
    try:
        source = read_source(path)
    except SourceError as error:
        return Checked(None, (Problem(path.stem, path, error.position, "", error.message),))
    name = source.value.get("persona") if isinstance(source.value, dict) else None
    name = name if isinstance(name, str) and name else path.stem
    try:
        return Checked(Persona.model_validate(source.value).read_from(path), ())
    except ValidationError as error:
        details = error.errors(include_url=False)
        found = [_problem(detail, source, path, name) for detail in details if not _follows(detail, details)]
        return Checked(None, tuple(sorted(found, key=lambda problem: problem.position)))


def problem_of_task(persona: Persona, place: int, key: str, message: str) -> PersonaError:
    """Report a mistake in a task that shows when a run is put together, with its place where the file is known.

    Args:
        persona: whose task it is.
        place: of the task among the persona's, from 0.
        key: of its parameters.
        message: what is wrong.
    """
    name = persona.tasks[place].task_type
    if persona.file is None:
        return PersonaError(f"persona '{persona.persona}': tasks.{place}.{name}.{key}: {message}")
    try:
        source = read_source(persona.file)
    except SourceError:  # it was changed since it was read
        return PersonaError(f"persona '{persona.persona}': {persona.file}: tasks.{place}.{name}.{key}: {message}")
    task, _ = source.follow(("tasks", place))
    written = next(iter(task.value), name) if isinstance(task.value, dict) else name
    found, _ = source.follow(("tasks", place, written, key))
    return PersonaError(
        str(Problem(persona.persona, persona.file, found.position, f"tasks.{place}.{written}.{key}", message))
    )


def load_persona(path: Path | str) -> Persona:
    """Read a persona file.

    Raises:
        PersonaError: With the first mistake, its file, line and column, and how many more there are.
    """
    persona, problems = check_persona(Path(path))
    if persona is None:
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        raise PersonaError(f"{problems[0]}{more}")
    return persona


def persona_files(folder: Path | str) -> list[Path]:
    """Return the persona files of a folder, by name.

    Raises:
        PersonaError: If there is no such folder.
    """
    folder = Path(folder)
    if not folder.is_dir():
        raise PersonaError(f"there is no folder {folder} with persona files; 'sim init' makes one")
    return sorted(path for path in folder.iterdir() if path.suffix in SUFFIXES and path.is_file())


def as_yaml(persona: Persona) -> str:
    """Write a persona as a file has it, without what is left out as usual."""
    import io

    from ruamel.yaml import YAML

    whole = persona.model_dump(mode="json", exclude_defaults=True)
    tasks = []
    for task in persona.tasks:
        given = task.model_dump(mode="json", exclude={"task_type"}, exclude_defaults=True)
        name = task.task_type
        tasks.append({name: given["text"]} if name == "do" else {name: given} if given else name)
    text = io.StringIO()
    writer = YAML()
    writer.default_flow_style = False
    writer.width = 100
    writer.indent(mapping=2, sequence=4, offset=2)
    writer.dump({**whole, "tasks": tasks}, text)
    return text.getvalue()


def load_personas(folder: Path | str) -> dict[str, Persona]:
    """Read every persona file of a folder.

    Returns:
        The personas by name, in order of their names.

    Raises:
        PersonaError: If there is no persona, a file has a mistake, or two files have one name.
    """
    personas: dict[str, Persona] = {}
    origin: dict[str, Path] = {}
    for path in persona_files(folder):
        persona = load_persona(path)
        name = persona.persona
        if name in personas:
            raise PersonaError(f"persona {name!r}: {path} and {origin[name]} both have this name; rename one")
        personas[name], origin[name] = persona, path
    if not personas:
        raise PersonaError(f"{Path(folder)} holds no persona file (*.yaml); 'sim init' copies some")
    return dict(sorted(personas.items()))


def select_personas(personas: dict[str, Persona], names: Sequence[str]) -> tuple[Persona, ...]:
    """Return the personas of those names, or all of them where none is named.

    Raises:
        PersonaError: If there is none of a name; the nearest one is suggested.
    """
    for name in names:
        if name not in personas:
            hint = _suggestion(name, list(personas)) or f"known are {', '.join(personas)}"
            raise PersonaError(f"there is no persona {name!r}; {hint}")
    return tuple(personas[name] for name in dict.fromkeys(names or personas))


def starter_personas() -> Path:
    """Return the folder of the persona files to start with: those of a pack in use, else the plain ones."""
    return next((pack.starters() for pack in packs_in_use() if pack.starters is not None), plain_personas())


def plain_personas() -> Path:
    """Return the folder of the persona files that suit any site."""
    return Path(__file__).with_name("starter")


def _follows(detail: ErrorDetails, details: Sequence[ErrorDetails]) -> bool:
    """Return whether a list is only too short because of mistakes in its items."""
    place = detail["loc"]
    return detail["type"] == "too_short" and any(
        other["loc"][: len(place)] == place for other in details if other is not detail
    )


def _problem(detail: ErrorDetails, source: Located, path: Path, persona: str) -> Problem:
    location = detail["loc"]
    place, depth = source.follow(location)
    position, where = place.position, location[:depth]
    if detail["type"] == "extra_forbidden":
        parent, _ = source.follow(location[:-1])
        position, where = parent.keys.get(str(location[-1]), position), location
    elif detail["type"] == "missing":
        where = location
    message = _message(detail, place.value)
    return Problem(persona, path, position, ".".join(str(part) for part in where), message)


def _message(detail: ErrorDetails, found: Any) -> str:
    expectations = Expectations.of_persona()
    location = detail["loc"]
    match detail["type"]:
        case "extra_forbidden":
            known = expectations.keys(location[:-1])
            hint = _suggestion(str(location[-1]), known) or f"known are {', '.join(known)}"
            return f"unknown key {location[-1]!r}; {hint}"
        case "missing":
            return f"missing; expected {expectations.phrase(location, 'missing')}"
        case "value_error":
            return str(detail["ctx"]["error"])
        case kind:
            return f"expected {expectations.phrase(location, kind)}, found {_shown(found)}"


def _suggestion(word: str, known: Sequence[str]) -> str | None:
    near = get_close_matches(word, known, n=1)
    return f"did you mean {near[0]!r}?" if near else None


def _shown(value: Any) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, dict):
        return "a mapping" if value else "an empty mapping"
    if isinstance(value, list):
        return "a list" if value else "an empty list"
    if isinstance(value, bool):
        return str(value).lower()
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"
