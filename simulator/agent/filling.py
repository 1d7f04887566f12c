"""Sends forms by what their fields mean, and mends what the site refuses. Not responsible for: which form, or why."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

from pydantic import JsonValue

from simulator.agent.reading import Field, Form, Page, Refusal
from simulator.agent.tool_client import TaskFailed, ToolClient
from simulator.date_writings import WRITINGS, date_writing
from simulator.spellings import DERIVED
from simulator.template import PLACEHOLDER, literal
from simulator.tools.pages.meanings import meaning_of_text
from simulator.tools.pages.vocabulary import normal, phrases, says

_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
_CUT = frozenset({"description", "message"})
"""Meanings whose text may be cut to what a field takes."""
_LEFT_OUT = frozenset({"description"})
"""Meanings that a user may leave empty where the field is optional."""


class Value(NamedTuple):
    """Something to put into a field."""

    template: str
    """As it is given to the tool, so that a recording can be bound to somebody else."""
    text: str
    """What it stands for now."""

    @staticmethod
    def literal(text: str) -> Value:
        """Make a value that stands for itself."""
        return Value(text, text)

    def with_comma(self) -> Value:
        """Write a number with a decimal comma."""
        template = self.template.replace("}}", ".comma}}") if "{{" in self.template else self.text.replace(".", ",")
        return Value(template, self.text.replace(".", ","))

    def as_asked(self, picture: str) -> Value:
        """Write a date as a field asks for it; any other text stays as it is.

        Args:
            picture: what a field says of it, such as ``dd.mm.yyyy``; empty: nothing.
        """
        writing, variable = date_writing(picture), PLACEHOLDER.fullmatch(self.template)
        name = variable[1] if variable else ""
        stem, _, form = name.rpartition(".")
        now = WRITINGS.get(form)
        text = writing.write(now.read(self.text) if now else self.text) if writing else self.text
        if writing is None or not text or text == self.text:
            return self
        return Value(f"{{{{{stem if now else name}.{writing.name}}}}}" if variable else text, text)

    def as_slug(self) -> Value:
        """Write it as addresses spell a text: small letters and digits, with a line between words."""
        slug = DERIVED["slug"](self.text)
        variable = PLACEHOLDER.fullmatch(self.template)
        return Value(f"{{{{{variable[1]}.slug}}}}" if variable else slug, slug)


class Sent(NamedTuple):
    """A form that the site took."""

    page: Page
    values: Mapping[str, Value]


async def form_asking(client: ToolClient, meanings: Iterable[str]) -> Form | None:
    """Give the form of the page that asks for all of some meanings; the smallest where there are several."""
    wanted = list(meanings)
    fitting = [form for form in await client.forms() if all(form.asking(meaning) for meaning in wanted)]
    return min(fitting, key=lambda form: len(form.fields)) if fitting else None


async def send(
    client: ToolClient,
    values: Mapping[str, Value],
    *,
    by: Iterable[str],
    prepare: Callable[[Form], Awaitable[None]] | None = None,
) -> Sent:
    """Fill a form of this page and send it, mending what the site refuses as often as the user has patience.

    Args:
        client: the run's tools.
        values: by meaning; those that the form does not ask for are left out.
        by: meanings that identify the form.
        prepare: done with the form each time before it is filled, such as giving it a file.

    Returns:
        The page that follows, and what went into the form in the end.

    Raises:
        TaskFailed: there is no such form, or the site refuses it for good, with what it said.
    """
    wanted = list(by)
    now = dict(values)
    for left in range(client.tries, -1, -1):
        form = await form_asking(client, wanted)
        if form is None:
            raise TaskFailed(f"no form on this page asks for {' and '.join(wanted)}")
        if prepare is not None:
            await prepare(form)
        given: dict[str, JsonValue] = {}
        for meaning, value in now.items():
            field = form.asking(meaning)
            if field is not None and (meaning in wanted or not _leaves_out(client, field)):
                answer = answer_for(client, field) if meaning not in wanted else None
                now[meaning] = answer or fitted(value, field)
                given[meaning] = now[meaning].template
        result = await client.do("fill_form", form=f"ref={form.ref}", values=given, submit=True)
        if result.error is None:
            return Sent(Page.of(result.data), now)
        mended = _mended(now, Refusal.all_of(result.data))
        if not mended or not left:
            raise TaskFailed(result.error.message)
        now |= mended
    raise AssertionError("the last try returns or raises")


def answer_for(client: ToolClient, field: Field) -> Value | None:
    """Give what the site section, or else the persona, says to put into a field; None where they do not name it.

    Args:
        client: the run's tools.
        field: known by its label, name, id, placeholder or meaning.
    """
    answers = {**client.identity.answers, **client.site.answers}
    texts = {normal(text) for text in (field.shown, field.label, field.name, field.id, field.placeholder) if text}
    texts |= {normal(field.meaning)} if field.meaning else set()
    for asked, answer in answers.items():
        if normal(asked) in texts or (field.meaning and field.meaning == meaning_of_text(asked, client.site.words)):
            return Value.literal(literal(answer))
    return None


def fitted(value: Value, field: Field) -> Value:
    """Bring a value within what a field says it takes: its minimum, maximum and length.

    Raises:
        TaskFailed: it is longer than the field takes, and would be another one if it were cut.
    """
    if field.meaning == "price":
        return _between(value, field.min, field.max)
    if not 0 < field.maxlength < len(value.text):
        return value
    if field.meaning in _CUT:
        return Value.literal(_cut(value.text, field.maxlength))
    raise TaskFailed(
        f"{field.called!r} takes {field.maxlength} characters, and {value.text[:40]!r}… has {len(value.text)}"
    )


def refused_names(refusals: Iterable[Refusal]) -> frozenset[str]:
    """Return whether a site refuses the username or the e-mail address, by the field or by what it says.

    Returns:
        ``username``, ``email``, both or neither; empty too when it refuses anything else as well.
    """
    found = set()
    for refusal in refusals:
        meaning = refusal.meaning
        if not meaning:
            said = normal(refusal.text)
            known = (
                one for one in ("username", "email") if any(says(said, phrase) for phrase in phrases("fields")[one])
            )
            meaning = next(known, "")
        found.add(meaning)
    return frozenset(found) if found <= {"username", "email"} else frozenset()


def _mended(now: Mapping[str, Value], refusals: Iterable[Refusal]) -> dict[str, Value]:
    """Change what is refused by what the site says of it; nothing, if one refusal cannot be met."""
    mended: dict[str, Value] = {}
    for refusal in refusals:
        value = now.get(refusal.meaning)
        changed = _by_words(refusal, value) if value is not None else None
        if changed is None or changed == value:
            return {}
        mended[refusal.meaning] = changed
    return mended


def _by_words(refusal: Refusal, value: Value) -> Value | None:
    numbers = _NUMBER.findall(refusal.text)
    if refusal.meaning == "price" and numbers:
        comma = any("," in number for number in numbers) and not any("." in number for number in numbers)
        if len(numbers) > 1:
            value = _between(value, numbers[0], numbers[1])
        return value.with_comma() if comma else value
    if refusal.meaning in _CUT and numbers:
        limit = int(_decimal(max(numbers, key=_decimal)))
        return Value.literal(_cut(value.text, limit)) if 0 < limit < len(value.text) else None
    return None


def _between(value: Value, low: str, high: str) -> Value:
    try:
        amount = _decimal(value.text)
        if low and amount < _decimal(low):
            return Value.literal(low)
        if high and amount > _decimal(high):
            return Value.literal(high)
    except InvalidOperation:
        return value
    return value


def _decimal(text: str) -> Decimal:
    return Decimal(text.replace(",", "."))


def _cut(text: str, limit: int) -> str:
    """Cut at a word where there is one not far before the limit."""
    if len(text) <= limit:
        return text
    head, space, _ = text[: limit + 1].rpartition(" ")
    return head if space and len(head) > limit // 2 else text[:limit]


def _leaves_out(client: ToolClient, field: Field) -> bool:
    return field.meaning in _LEFT_OUT and not field.required and client.identity.skips(field.called)
