"""Writes what was found on a site as a section of ``sim.toml``, open questions beside the keys that they are about.

Not responsible for: what was found, or into which file it goes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from pydantic import ValidationError

from simulator.domain import SiteThing
from simulator.domain.data.own import TEXT
from simulator.runner.surveying.findings import Findings, FoundField, FoundThing
from simulator.runner.surveying.pages import Seen
from simulator.runner.surveying.toml_text import Said, comment, in_a_line, key, quoted, value
from simulator.template import GROUPS, OF_USERS


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """What is known of a site before it is looked at."""

    name: str
    base_url: str
    language: str
    """BCP 47 tag of the language that the site was asked for, which holds where its pages name none."""
    home: str
    """Where the look began, a path."""
    allowed: str
    """What ``allowed_hosts`` has to say before users may act there; empty: the site is on this machine."""
    account: tuple[str, str] | None = None
    """Username, and the environment variable with the password."""


def section_text(heading: Heading, findings: Findings, seen: Seen, taken: Collection[str]) -> str:
    """Write a section, with the data sets that its things are made of.

    Args:
        heading: what is known before.
        findings: what follows from the look.
        seen: the look itself.
        taken: names of data sets that there are already.
    """
    names = _data_names(heading, findings, taken)
    lines = [*_head(heading, findings, seen), *_routes(heading, findings)]
    for thing in findings.things:
        lines += ["", *_thing(heading, thing, names)]
    for thing in findings.things:
        if (data := names.get(thing.name)) is not None:
            lines += ["", *_data(data, thing.fields)]
        if (texts := names.get(f"{thing.name} message")) is not None and thing.message_field is not None:
            lines += ["", *_texts(texts, thing.message_field)]
    return "\n".join(lines) + "\n"


def _data_names(heading: Heading, findings: Findings, taken: Collection[str]) -> dict[str, str]:
    """Give the data sets of things by the thing's name, and those of what is written about them."""
    used = {*taken, *OF_USERS, *(f"{group}s" for group in GROUPS)}
    found: dict[str, str] = {}

    def named(word: str) -> str:
        plain = f"{word}s"
        own = f"{heading.name.replace('-', '_')}_{plain}"
        if plain in used and own[:1].isalpha():
            plain = own
        while plain in used:
            plain = f"{plain}_more_s"
        used.add(plain)
        return plain

    for thing in findings.things:
        if any(one.rule for one in thing.fields):
            found[thing.name] = named(thing.name)
    for thing in findings.things:
        if thing.message and thing.message_field is not None:
            found[f"{thing.name} message"] = named(f"{thing.name}_comment")
    return found


def _head(heading: Heading, findings: Findings, seen: Seen) -> Iterator[str]:
    yield comment(f"What a look at {len(seen.pages)} pages found. A line that begins with '# ?' is an open question.")
    if seen.ended:
        yield comment(seen.ended)
    yield f"[site.{heading.name}]"
    yield f"base_url = {quoted(heading.base_url)}"
    if heading.allowed:
        yield comment("may users act there? only what is listed here may be reached", question=True)
        yield f"# allowed_hosts = [{quoted(heading.allowed)}]"
    yield f"language = {quoted(findings.language or heading.language)}"
    yield comment("may what is on the site be thrown away? then true, and say how it is reset", question=True)
    yield "disposable = false"
    if findings.logged_in is not None:
        role, name = findings.logged_in
        yield _pair("logged_in", {"role": role, "name": name})
    if heading.account is not None:
        username, variable = heading.account
        yield _pair("accounts", [{"username": username, "password": {"env": variable}}])
    for question in findings.questions:
        yield comment(question, question=True)
    for told, count in sorted(seen.held.items()):
        yield comment(
            f"a page sent {told} by itself, which was held back ({count} times); what it asks for is not here"
        )
    for passed in findings.passed_over:
        yield comment(f"not taken for a thing: {passed}")


def _routes(heading: Heading, findings: Findings) -> Iterator[str]:
    routes = dict(findings.routes)
    if heading.home != "/":
        routes = {"home": heading.home, **routes}
    if routes:
        yield ""
        yield f"[site.{heading.name}.routes]"
        yield from (_pair(name, path) for name, path in routes.items())


def _thing(heading: Heading, thing: FoundThing, names: dict[str, str]) -> Iterator[str]:
    yield from _asked(thing, "")
    yield f"[site.{heading.name}.things.{thing.name}]"
    if thing.create != thing.seen_at:
        yield comment(f"the button is on {thing.seen_at}")
    yield from _asked(thing, "create")
    yield _pair("create", thing.create)
    if thing.submit and "submit" in SiteThing.model_fields:
        yield _pair("submit", thing.submit)
    yield from _asked(thing, "list")
    if thing.listed_at:
        yield _pair("list", thing.listed_at)
    if thing.name in names:
        yield _pair("data", names[thing.name])
    yield from _called(thing)
    yield from _asked(thing, "edit")
    changed = _changed(thing)
    if thing.edit is not None and changed:
        more = {"by": thing.edit, "submit": thing.edit_submit}
        yield _pair("edit", {"fields": [changed], **{name: said for name, said in more.items() if said}})
    elif thing.edit is not None:
        yield comment("edit: which column does it change? none is known but the one that names it", question=True)
    yield from _asked(thing, "delete")
    if thing.delete:
        yield _pair("delete", thing.delete)
    yield from _asked(thing, "react")
    if thing.react:
        yield _pair("react", [{"button": one} for one in thing.react])
    yield from _asked(thing, "message")
    if thing.message:
        data = names.get(f"{thing.name} message")
        yield _pair("message", {"field": thing.message, **({"data": data} if data else {})})


def _called(thing: FoundThing) -> Iterator[str]:
    """Say what fields are called that no column can be called by."""
    called: dict[str, Said] = {one.column: one.label for one in thing.fields if one.rule}
    if all(one.by_name for one in thing.fields if one.rule):
        return
    line = _pair("fields", called)
    try:
        SiteThing.model_validate({"fields": called})
    except ValidationError:
        yield comment(
            "which field does each column go into? this says it, as far as it can be said here", question=True
        )
        yield comment(line)
    else:
        yield line


def _changed(thing: FoundThing) -> str:
    """Give the column that an edit changes: one that takes any text, or else the first; never what names the thing."""
    made = [one for one in thing.fields if one.rule][1:]
    prose = sorted((one for one in made if one.prose), key=lambda one: not one.is_long)
    return next((one.column for one in [*prose, *made]), "")


def _asked(thing: FoundThing, key: str) -> Iterator[str]:
    return (comment(question, question=True) for question in thing.questions.get(key, ()))


def _data(name: str, fields: list[FoundField]) -> Iterator[str]:
    yield f"[data.{name}.make]"
    for one in fields:
        yield comment(f"{in_a_line(one.label, 80)}: {in_a_line(one.told, 160)}")
        if one.question:
            yield comment(f"{one.column}: {one.question}", question=True)
        if one.rule:
            yield _pair(one.column, one.rule)


def _texts(name: str, field: FoundField) -> Iterator[str]:
    yield f"[data.{name}.make]"
    yield comment(f"{in_a_line(field.label, 80)}: {in_a_line(field.told, 160)}")
    yield _pair(field.column if field.column != TEXT else "said", field.rule or "{{faker.sentence(8)}}")


def _pair(name: str, said: Said) -> str:
    return f"{key(name)} = {value(said)}"
