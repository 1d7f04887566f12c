"""Lets a model name things and choose between what was seen; each decision is checked against that before it counts.

Not responsible for: asking (``agent.advising``), or what was found without a model.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from simulator.agent.advising import Undecided, decide
from simulator.agent.budget import Ledger
from simulator.agent.models.prices import Cost, Prices
from simulator.agent.usage import Usage
from simulator.config import Models
from simulator.runner.generating import Foreseen
from simulator.runner.performing.performers import check_priced, open_model
from simulator.runner.surveying.findings import Findings, FoundField, FoundThing
from simulator.runner.surveying.pages import Seen
from simulator.runner.surveying.toml_text import in_a_line

_TOKENS = 10_000_000
"""What nobody uses up; a limit of money is the one that people set."""
_NAME = re.compile(r"[a-z][a-z0-9_]{1,29}")
_ADDRESSES = 60
_ROOM, _LONG = 60, 400
"""Characters into which whatever is made fits, and a paragraph."""
_SHOWN = 120
MADE: Mapping[str, str] = {
    "sentence": "{{faker.sentence(4)}}",
    "paragraph": "{{faker.paragraph(3)}}",
    "word": "{{faker.word}}",
    "person": "{{faker.name}}",
    "first name": "{{faker.first_name}}",
    "last name": "{{faker.last_name}}",
    "username": "{{faker.user_name}}{{n}}",
    "email": "{{faker.safe_email}}",
    "phone": "{{faker.phone_number}}",
    "company": "{{faker.company}}",
    "job": "{{faker.job}}",
    "street": "{{faker.street_address}}",
    "city": "{{faker.city}}",
    "country": "{{faker.country}}",
    "postcode": "{{faker.postcode}}",
    "amount": "{{faker.random_int(5, 90)}}",
    "date": "{{faker.date_between('-30d', '+30d')}}",
    "url": "{{faker.url}}",
}
"""What a field may be filled with, by a word for it."""
_EMPTY = "nothing"
_RULES = (
    "A decision is about one thing, by its id. Leave out what you would leave as it is.",
    "keep: false where the form makes nothing that users of the site make, such as a setting or a search.",
    "name: one of them in a word, small letters, such as ticket.",
    "list: where they are listed, one of the addresses that were seen.",
    "fields: for columns without options what goes into them, by the words that are allowed.",
)
_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "keep": {"type": "boolean"},
        "name": {"type": "string"},
        "list": {"type": "string"},
        "fields": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"column": {"type": "string"}, "made": {"type": "string", "enum": [*MADE, _EMPTY]}},
                "required": ["column", "made"],
            },
        },
    },
    "required": ["id"],
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Adviser:
    """Who is asked."""

    agent: str
    model: str
    models: Models
    environ: Mapping[str, str]
    limit_money: float | None
    tell: Callable[[Foreseen], None]
    """Gets what it will take before anything is asked."""


@dataclass(slots=True)
class Advice:
    """What came of asking."""

    taken: list[str] = field(default_factory=list)
    """Decisions that count, in words."""
    refused: list[str] = field(default_factory=list)
    """Those that do not, with why."""
    cost: Cost = field(default_factory=Cost)
    ended: str = ""
    """Why there was no answer; empty where there was."""


class _Refused(ValueError):
    """A decision does not hold: why."""


async def advise(adviser: Adviser, findings: Findings, seen: Seen) -> Advice:
    """Ask a model about what was found, and take over what holds.

    Args:
        adviser: who is asked.
        findings: what was found; they are changed.
        seen: what was seen.

    Raises:
        SimulatorError: no model answers.
    """
    if not findings.things:
        return Advice(ended="there was nothing to decide")
    ids = {f"thing {number}": thing for number, thing in enumerate(findings.things, 1)}
    addresses = sorted({page.address for page in seen.pages if page.status < 400 and not page.opened_by})[:_ADDRESSES]
    undecided = Undecided(found=_for_model(ids, addresses), rules=_RULES, schema=_SCHEMA, most=len(ids) * 3)
    async with open_model(adviser.agent, adviser.environ, adviser.model, adviser.models.at_once) as opened:
        prices = Prices(adviser.models, opened.name)
        if adviser.limit_money is not None:
            check_priced(prices)
        read, written = undecided.estimate()
        adviser.tell(Foreseen(read, written, prices.cost(opened.name, Usage(input=read, output=written))))
        ledger = Ledger(_TOKENS, money=adviser.limit_money, prices=prices)
        decided = await decide(opened, undecided, ledger)
    advice = Advice(cost=ledger.cost, ended=decided.ended)
    for item in decided.items:
        _take(item, ids, addresses, findings, advice)
    return advice


def _for_model(ids: Mapping[str, FoundThing], addresses: Sequence[str]) -> str:
    """Write what was found for a model: texts of pages cut, on one line, and without what only one person has."""
    things = [
        {
            "id": name,
            "name": thing.name,
            "form at": in_a_line(thing.seen_at, _SHOWN),
            "list": in_a_line(thing.listed_at, _SHOWN),
            "fields": [_field(one) for one in thing.fields],
            "questions": [in_a_line(one, _SHOWN) for asked in thing.questions.values() for one in asked],
        }
        for name, thing in ids.items()
    ]
    found = {"things": things, "addresses": [in_a_line(one, _SHOWN) for one in addresses]}
    return json.dumps(found, ensure_ascii=False, indent=1)


def _field(one: FoundField) -> dict[str, str]:
    made = one.rule if "{{" in one.rule or "|" not in one.rule else "options"
    return {"column": one.column, "label": in_a_line(one.label, 60), "takes": in_a_line(one.told, 80), "made": made}


def _take(
    item: Any, ids: Mapping[str, FoundThing], addresses: Sequence[str], findings: Findings, advice: Advice
) -> None:
    """Take over one decision about a thing, part by part."""
    shown = in_a_line(json.dumps(item, ensure_ascii=False, default=str), _SHOWN)
    if not isinstance(item, dict) or not isinstance(item.get("id"), str) or item["id"] not in ids:
        advice.refused.append(f"{shown}: it is about nothing that was found")
        return
    thing = ids[item["id"]]
    parts: dict[str, Callable[[Any], str]] = {
        "keep": lambda keep: _keep(thing, keep, findings),
        "name": lambda name: _rename(thing, name, findings),
        "list": lambda address: _list(thing, address, addresses),
    }
    for part, given in item.items():
        if part == "id":
            continue
        for one in given if part == "fields" and isinstance(given, list) else [given]:
            try:
                if part == "fields":
                    said = _fill(thing, one)
                elif part in parts:
                    said = parts[part](one)
                else:
                    raise _Refused("it is nothing that was asked")
            except _Refused as error:
                advice.refused.append(f"{item['id']}, {in_a_line(part, 40)}: {error}")
            else:
                advice.taken += [said] if said else []


def _keep(thing: FoundThing, keep: Any, findings: Findings) -> str:
    if not isinstance(keep, bool):
        raise _Refused("expected true or false")
    if keep or thing not in findings.things:
        return ""
    findings.things.remove(thing)
    findings.passed_over.append(f"the form on {thing.seen_at}, which a model took for none")
    return f"{thing.name} is no thing"


def _rename(thing: FoundThing, name: Any, findings: Findings) -> str:
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise _Refused("expected a word of small letters")
    if name == thing.name:
        return ""
    if any(one.name == name for one in findings.things):
        raise _Refused(f"another thing is called '{name}'")
    said = f"{thing.name} is called {name}"
    thing.name = name
    thing.questions[""] = [one for one in thing.questions.get("", ()) if "called" not in one]
    return said


def _list(thing: FoundThing, address: Any, addresses: Sequence[str]) -> str:
    if not isinstance(address, str) or address not in addresses:
        raise _Refused("no page with this address was seen")
    if address == thing.listed_at:
        return ""
    thing.listed_at = address
    thing.questions.pop("list", None)
    return f"{thing.name} is listed at {address}"


def _fill(thing: FoundThing, given: Any) -> str:
    if not isinstance(given, dict) or given.keys() != {"column", "made"}:
        raise _Refused("expected a column and what it is made of")
    one = next((one for one in thing.fields if one.column == given["column"]), None)
    if one is None:
        raise _Refused(f"there is no column {in_a_line(str(given['column']), 40)!r}")
    if not one.prose:
        raise _Refused(f"what {one.column} takes is known from the page")
    if given["made"] == _EMPTY:
        if one.required:
            raise _Refused(f"{one.column} is required")
        one.rule = ""
        return f"{one.column} is left empty"
    if not isinstance(given["made"], str) or given["made"] not in MADE:
        raise _Refused(f"{one.column}: expected one of the words that are allowed")
    if 0 < one.most < (_ROOM if given["made"] != "paragraph" else _LONG):
        raise _Refused(f"{one.column} takes {one.most} characters, and that may be longer")
    numbered = " {{n}}" if one.rule.endswith("{{n}}") and not MADE[given["made"]].endswith("{{n}}") else ""
    one.rule = MADE[given["made"]] + numbered
    one.question = ""
    return f"{one.column} is {given['made']}"
