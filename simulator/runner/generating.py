"""Rows of a data set and persona files that a model makes once, to be reviewed and kept.

Not responsible for: asking the model (``agent.generating``), or what is done with them.
"""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from simulator.agent.budget import Ledger
from simulator.agent.generating import Made, NotTaken, Wanted, estimate, generate
from simulator.agent.models.prices import Cost, Prices
from simulator.config import Models
from simulator.domain.data.rows import Kind, Scalar, WrongRow, as_kind, read_rows
from simulator.errors import UsageError
from simulator.persona import Persona, as_yaml, load_personas, persona_files
from simulator.runner.performing.performers import check_priced, open_model
from simulator.runner.stop import Stop

_TOKENS = 10_000_000
"""What nobody uses up; a limit of money is the one that people set."""
_CHARACTERS: Mapping[str, int] = {"text": 60, "number": 14, "whole number": 12, "true or false": 12, "date": 20}
"""Of a value as JSON with its name, about."""
_LONGEST = 2000
_JSON: Mapping[str, str] = {"number": "number", "whole number": "integer", "true or false": "boolean"}
SUFFIXES = (".csv", ".jsonl")


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratedRows:
    """What ``sim data generate`` was asked for."""

    what: str
    """In words."""
    fields: Mapping[str, Kind]
    """By name; the first one names a row."""
    count: int
    """How many rows the file is to have in the end."""
    file: Path
    """CSV or JSON Lines; rows that it has already are kept."""
    agent: str
    model: str
    models: Models
    environ: Mapping[str, str]
    limit_money: float | None = None
    language: str = ""


@dataclass(frozen=True, slots=True)
class Generated:
    """What came of it."""

    there: int
    """Things that were there before."""
    made: int
    answers: int
    refused: int
    cost: Cost
    ended: str
    """Why there are fewer than were asked for; empty where there are as many."""


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What it will take, about."""

    read: int
    """Tokens."""
    written: int
    cost: Cost


async def generate_rows(options: GeneratedRows, stop: Stop, tell: Callable[[Foreseen], None]) -> Generated:
    """Have a model make rows, and write them after each answer.

    Args:
        options: what was asked for.
        stop: asks for an end between two answers.
        tell: gets what it will take before anything is asked.

    Raises:
        UsageError: the file is not one that can be written, or holds other fields.
        SimulatorError: no model answers.
    """
    if options.file.suffix not in SUFFIXES:
        raise UsageError(f"{options.file}: expected a file that ends with {' or '.join(SUFFIXES)}")
    there = _rows_there(options)
    first = next(iter(options.fields))
    language = f"Texts are in the language '{options.language}'." if options.language else ""
    wanted: Wanted[dict[str, Scalar]] = Wanted(
        what=options.what,
        count=options.count,
        rules=[
            "Every row is different from the others, believable, and complete.",
            "Write plain texts: no markup, no placeholders, no real persons, addresses or companies.",
            *([language] if language else []),
        ],
        schema={
            "type": "object",
            "properties": {name: {"type": _JSON.get(kind, "string")} for name, kind in options.fields.items()},
            "required": list(options.fields),
        },
        check=partial(_row, options.fields),
        name=lambda row: str(row[first]),
    )
    characters = sum(_CHARACTERS.get(kind, 60) for kind in options.fields.values())
    return await _generate(
        wanted, there, characters, options.agent, options.model, options.models, options.environ, options.limit_money,
        partial(_write, options.file, list(options.fields)), stop, tell,
    )  # fmt: skip


async def _generate(
    wanted: Wanted[Any],
    there: Sequence[Any],
    characters: int,
    agent: str,
    model: str,
    models: Models,
    environ: Mapping[str, str],
    limit_money: float | None,
    keep: Callable[[Sequence[Any]], None],
    stop: Stop,
    tell: Callable[[Foreseen], None],
) -> Generated:
    left = wanted.count - len(there)
    if left <= 0:
        return Generated(len(there), 0, 0, 0, Cost(), "")
    async with open_model(agent, environ, model, models.at_once) as opened:
        prices = Prices(models, opened.name)
        if limit_money is not None:
            check_priced(prices)
        read, written = estimate(wanted, left, characters)
        tell(Foreseen(read, written, _foreseen(prices, opened.name, read, written)))
        ledger = Ledger(_TOKENS, money=limit_money, prices=prices)
        made: Made[Any] = await generate(
            opened, wanted, there, ledger=ledger, keep=keep, stopped=lambda: stop.requested
        )
    return Generated(len(there), len(made.things) - len(there), made.answers, made.refused, ledger.cost, made.ended)


def _foreseen(prices: Prices, name: str, read: int, written: int) -> Cost:
    from simulator.agent.usage import Usage

    return prices.cost(name, Usage(input=read, output=written))


def _row(fields: Mapping[str, Kind], given: Any) -> dict[str, Scalar]:
    """Give a row as it is kept.

    Raises:
        NotTaken: it is not one.
    """
    if not isinstance(given, dict):
        raise NotTaken("expected a row with fields")
    lacking = [name for name in fields if given.get(name) in (None, "")]
    strange = [name for name in given if name not in fields]
    if lacking or strange:
        raise NotTaken(
            f"expected the fields {', '.join(fields)}; "
            + (f"'{lacking[0]}' is missing" if lacking else f"'{strange[0]}' is none")
        )
    row: dict[str, Scalar] = {}
    for name, kind in fields.items():
        value = given[name]
        if not isinstance(value, str | int | float):
            raise NotTaken(f"{name}: expected one value")
        if kind == "text" and not isinstance(value, str):
            value = str(value)
        if isinstance(value, str) and (
            len(value) > _LONGEST or "{{" in value or not value.strip() or not _is_plain(value)
        ):
            raise NotTaken(f"{name}: expected a text of at most {_LONGEST} characters without braces")
        try:
            row[name] = as_kind(value.strip() if isinstance(value, str) else value, kind)
        except ValueError as error:
            raise NotTaken(f"{name}: {error}") from None
    return row


def _is_plain(text: str) -> bool:
    return all(char.isprintable() or char in "\n\t" for char in text)


def _rows_there(options: GeneratedRows) -> list[dict[str, Scalar]]:
    if not options.file.exists():
        return []
    try:
        rows = read_rows(options.file, options.fields)
    except WrongRow as error:
        raise UsageError(f"{error}; the rows that a file has are kept, so it has to be right") from None
    found = [row for row in rows if not isinstance(row, str)]
    if not found or found[0].keys() != options.fields.keys():
        has = ", ".join(found[0]) if found else "texts"
        raise UsageError(f"{options.file}: it has {has}, and --fields asks for {', '.join(options.fields)}")
    return found


def _write(path: Path, fields: Sequence[str], rows: Sequence[Mapping[str, Scalar]]) -> None:
    """Write rows whole, or leave the file as it was."""
    text = io.StringIO()
    if path.suffix == ".csv":
        writer = csv.DictWriter(text, fields, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    else:
        text.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    beside = path.with_name(f".{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(text.getvalue(), "utf-8")
        os.replace(beside, path)
    except OSError as error:
        raise UsageError(f"{path}: cannot be written ({error.strerror})") from None


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratedPersonas:
    """What ``sim personas generate`` was asked for."""

    what: str
    """Of which site and which users, in words."""
    count: int
    """How many persona files the folder is to have in the end."""
    folder: Path
    agent: str
    model: str
    models: Models
    environ: Mapping[str, str]
    limit_money: float | None = None


async def generate_personas(options: GeneratedPersonas, stop: Stop, tell: Callable[[Foreseen], None]) -> Generated:
    """Have a model make personas, and write a file of each; those that are there are kept.

    Args:
        options: what was asked for.
        stop: asks for an end between two answers.
        tell: gets what it will take before anything is asked.

    Raises:
        PersonaError: a file that is there cannot be read.
        UsageError: the folder cannot be written to.
        SimulatorError: no model answers.
    """
    there = (
        list(load_personas(options.folder).values())
        if options.folder.is_dir() and persona_files(options.folder)
        else []
    )
    wanted: Wanted[Persona] = Wanted(
        what=f"personas of users of {options.what}",
        count=options.count,
        rules=[
            "A persona is a kind of user of the site: who they are, and what they get done there, in order.",
            "Personas differ in what they want, in language and country, in pace and patience.",
            "Their first task is register. Every other task is a sentence that says what to get done on the site, "
            "in plain words, without made-up names of things.",
            "Users are no real persons.",
        ],
        schema=_PERSONA_SCHEMA,
        check=_persona,
        name=lambda persona: persona.persona,
    )
    return await _generate(
        wanted, there, 700, options.agent, options.model, options.models, options.environ, options.limit_money,
        partial(_write_personas, options.folder), stop, tell,
    )  # fmt: skip


_PERSONA_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "persona": {"type": "string", "description": "Its name: small letters, digits, _ and -."},
        "about": {"type": "string", "description": "Who this is, in a sentence or two."},
        "locale": {"type": "string", "description": "Such as en_GB."},
        "weight": {"type": "number", "description": "Share among the users, relative to others; 1 is usual."},
        "pace": {"type": "string", "enum": ["slow", "normal", "fast"]},
        "patience": {"type": "string", "enum": ["low", "medium", "high"]},
        "description_length": {"type": "string", "enum": ["short", "normal", "long"]},
        "tasks": {"type": "array", "items": {"type": "string"}, "description": "register, and sentences."},
    },
    "required": ["persona", "about", "locale", "pace", "patience", "tasks"],
}
_TRAITS = ("pace", "patience", "description_length")
_BY_NAME = ("register", "login", "logout")


def _persona(given: Any) -> Persona:
    """Give a persona as it is kept.

    Raises:
        NotTaken: it is not one.
    """
    if not isinstance(given, dict) or not isinstance(given.get("tasks"), list):
        raise NotTaken("expected a persona with tasks")
    tasks = [task if task in _BY_NAME else {"do": task} for task in given["tasks"]]
    if tasks[:1] != ["register"]:
        raise NotTaken("expected 'register' as the first task")
    whole = {name: given[name] for name in ("persona", "about", "locale", "weight") if name in given}
    if isinstance(whole.get("weight"), int):
        whole["weight"] = float(whole["weight"])
    whole |= {"traits": {name: given[name] for name in _TRAITS if name in given}, "tasks": tasks}
    strange = sorted(given.keys() - _PERSONA_SCHEMA["properties"].keys())
    if strange:
        raise NotTaken(f"'{strange[0]}' is no field of a persona here")
    try:
        return Persona.model_validate(whole)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise NotTaken(f"{'.'.join(map(str, first['loc']))}: {first['msg'].removeprefix('Value error, ')}") from None


def _write_personas(folder: Path, personas: Sequence[Persona]) -> None:
    """Write a file of each persona that has none."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for persona in personas:
            path = folder / f"{persona.persona}.yaml"
            if not path.exists():
                path.write_text(as_yaml(persona), "utf-8")
    except OSError as error:
        raise UsageError(f"{folder}: cannot be written to ({error.strerror})") from None
