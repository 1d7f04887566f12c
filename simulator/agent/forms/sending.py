"""Fills the form of a page with a row, and with what else it needs, and sends it until the site takes it.

Not responsible for: which field means what (``meeting``), what stands in for what nobody gave (``guessing``), or what
becomes of a value that is refused (``mending``).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence

from pydantic import JsonValue

from simulator.agent.filling import Sent, Value, answer_for
from simulator.agent.forms.attaching import files_of
from simulator.agent.forms.guessing import Guesses
from simulator.agent.forms.meeting import Column, Met, best_form, is_free_text, is_large
from simulator.agent.forms.mending import mended
from simulator.agent.forms.row import Row
from simulator.agent.reading import Field, Form, Page, Refusal
from simulator.agent.tool_client import TaskFailed, ToolClient
from simulator.agent.words import says_word
from simulator.tools.contracts import ToolResult
from simulator.tools.pages.filling import fits_pattern
from simulator.tools.pages.submitting import meant_to_save, words_on
from simulator.tools.pages.vocabulary import normal, says, says_purpose

_MORE_TRIES = 3
"""How often a form is sent beyond what the user has patience for: sites report one mistake after another."""
LOOKS = 4
"""How often a page is looked at for a form, until a script has drawn it."""


class Sending:
    """Sends forms for one user.

    Args:
        client: the run's tools.
        guesses: draw what nobody gave.
    """

    def __init__(self, client: ToolClient, guesses: Guesses) -> None:
        self._client = client
        self._guesses = guesses
        self.met: Mapping[str, Field] = {}
        """Into which fields the columns of the last row went."""
        self.there: Sequence[Form] = ()
        """The forms of the page on which the last one was sent."""
        self.goes_on = False
        """Whether the button that sent it says that more is asked for."""

    async def send(
        self,
        row: Row,
        again: Callable[[], Awaitable[object]],
        meeting: Callable[[Mapping[str, Value]], Awaitable[Met]] | None = None,
    ) -> Sent:
        """Fill the form that asks for a row, and send it, mending what the site refuses a bounded number of times.

        Each try begins with the form as it is at first: what a replay performs is the last one alone, and it finds no
        words of a refusal beside the fields.

        Args:
            row: what goes into it.
            again: goes to the form once more.
            meeting: finds the form, and the fields of its columns; None: it is the form of the page that takes the most
                of the row, among it what the thing is called.

        Returns:
            The page that follows, and what went into the form in the end, by column.

        Raises:
            TaskFailed: there is no such form, or the site refuses it for good, with what it said.
        """
        now = dict(row.values)
        others: dict[str, Value] = {}
        tries: dict[str, int] = {}
        for left in range(self._client.tries + _MORE_TRIES, -1, -1):
            met = await (meeting(now) if meeting is not None else self._met(row, now))
            known = set(others)
            values = self._values(row, met, now, others)
            for field, name in files_of(row, met.form, self._client.site.words):
                await self._client.must("upload_file", selector=f"ref={field.ref}", name=name.template)
            given: dict[str, JsonValue] = {key: value.template for key, value in values.items()}
            given = await self._left_to_give(met.form, given, others.keys() - known)
            result = await self._sent(row, met.form, given)
            if result.error is None:
                self.met = met.fields
                return Sent(Page.of(result.data), now)
            refusals = Refusal.all_of(result.data)
            if not left or not self._mend(refusals, met, now, others, tries):
                raise TaskFailed(result.error.message)
            await again()
        raise AssertionError("the last try returns or raises")

    async def is_asked(self, row: Row) -> bool:
        """Return whether a form of the page has a field for all columns of a row, by its words."""
        columns = [Column(name, value.text, row.called.get(name, "")) for name, value in row.values.items()]
        met = best_form(await self._client.forms(), columns, row.needed, self._client.site.words, by_kind=False)
        return met is not None and len(met.fields) == len(columns)

    async def _met(self, row: Row, now: Mapping[str, Value]) -> Met:
        columns = [
            Column(name, value.text, row.called.get(name, ""), name in row.telling) for name, value in now.items()
        ]
        met = None
        for left in range(LOOKS, 0, -1):
            self.there = forms = await self._client.forms()
            met = best_form(forms, columns, row.needed, self._client.site.words, by_kind=not row.changes)
            if met is not None or left == 1:
                break
            await self._client.pause()
        if met is None:
            asked = ", ".join(repr(field.shown) for form in forms for field in form.questions) or "nothing"
            raise TaskFailed(
                f"no form on this page has a field for {row.called.get(row.needed, row.needed)!r}; they ask for {asked}"
            )
        lacking = [name for name in now if name not in met.fields]
        if any(self._says_on(one.name) for one in met.form.submits) and not row.changes:
            return met  # a later page may have the field
        if lacking and (row.strict or any(name in row.called for name in lacking)):
            asked = ", ".join(repr(field.shown) for field in met.form.questions)
            raise TaskFailed(
                f"the form has no field for {', '.join(map(repr, lacking))}; it asks for {asked}: say in 'fields' what "
                "the field is called"
            )
        return met

    def _values(self, row: Row, met: Met, now: dict[str, Value], others: dict[str, Value]) -> dict[str, Value]:
        """Give what goes into the form, by what the form tool knows its fields by."""
        given: dict[str, Value] = {}
        columns = {field.ref: name for name, field in met.fields.items()}
        for field in met.form.questions:
            key, column = _key(field, met.form), columns.get(field.ref)
            answer = answer_for(self._client, field)
            if column is not None:
                if answer is not None and column != row.needed and not row.changes:
                    now[column] = answer
                else:
                    written = now[column].as_asked(field.dates)
                    now[column] = _fitted(written, field, whole=column == row.needed)
                given[key] = now[column]
            elif answer is not None:
                given[key] = answer
            elif key in others:
                given[key] = others[key]
            elif not field.filled and (guess := self._guess(field, row, now[row.needed])) is not None:
                others[key] = given[key] = guess
        return given

    async def _left_to_give(
        self, form: Form, given: dict[str, JsonValue], guessed: Collection[str]
    ) -> dict[str, JsonValue]:
        """Put in what is known before what is guessed: a page may make the one of the other, as an address of a title.

        Args:
            form: the form.
            given: all that goes into it.
            guessed: fields among that which nobody described, and that were empty.

        Returns:
            What is still to be put in before the form is sent.
        """
        known = {key: text for key, text in given.items() if key not in guessed}
        if not guessed or not known:
            return given
        filled = await self._client.do("fill_form", form=f"ref={form.ref}", values=known)
        if filled.error is not None:
            return given
        now = next((one for one in await self._client.forms() if one.ref == form.ref), None)
        if now is None:
            return given
        empty = {_key(field, now) for field in now.questions if not field.filled}
        return {key: text for key, text in given.items() if key in guessed and key in empty}

    def _guess(self, field: Field, row: Row, called: Value) -> Value | None:
        """Give what goes into an empty field that nobody described; None for nothing, or what the form tool knows.

        What changes a thing leaves alone what nobody wants changed: a part of the form for one more line would make
        that line where it is filled in. A field that takes no words but what an address spells takes what the thing is
        called, spelled so.
        """
        if not field.required and (row.changes or self._client.identity.skips(field.called or field.shown)):
            return None
        slug = called.as_slug()
        if field.required and field.pattern and is_free_text(field) and _takes(field, slug.text):
            return slug
        return self._guesses.value(field, row.about)

    async def _sent(self, row: Row, form: Form, given: dict[str, JsonValue]) -> ToolResult:
        """Fill and send a form, by the button that is said; of several that save, by the one that is meant."""
        client, names = self._client, [one.name for one in form.submits if normal(one.name)]
        here: dict[str, JsonValue] = {"form": f"ref={form.ref}"}
        called = {normal(text) for name in names for text in (name, words_on(name))}
        is_said = row.submit is not None and (not names or normal(row.submit) in called)
        said = row.submit if is_said and row.submit else ""
        pressing: dict[str, JsonValue] = {"button": said} if said else {}
        self.goes_on = self._says_on(said or (names[0] if len(names) == 1 else ""))
        if given:
            result = await client.do("fill_form", **here, values=given, submit=True, **pressing)
        else:
            result = await client.do("submit", **here, **pressing)
        if result.error is None:
            return result
        if said and not names and row.changes and result.error.type == "not_found":
            return await client.do("submit", **here)  # what changes a thing may say another word than what makes it
        if said or result.error.type != "ambiguous":
            return result
        button = meant_to_save(names) or ("" if row.submit or row.changes else self._onward(names))
        if not button:
            listed = ", ".join(map(repr, names)) or "around it"
            where = "'submit' of the edit" if row.changes else "'submit' of the thing"
            raise TaskFailed(f"the form has several buttons that may save it: {listed}; say which in {where}")
        self.goes_on = self._says_on(button)
        return await client.do("submit", **here, button=button)

    def _says_on(self, name: str) -> bool:
        """Return whether a button says that a form goes on behind it."""
        return bool(name) and says_word(words_on(name), "onward", self._client.site.words)

    def _onward(self, names: Sequence[str]) -> str:
        """Give which of several buttons makes the thing: the only one that keeps no draft, or else that says to go on.

        Empty where there is not one such button, or another one that saves.
        """
        more = self._client.site.words
        final = [
            name for name in names if not says_purpose(name, "aside") and not says_word(words_on(name), "draft", more)
        ]
        on = [name for name in final if self._says_on(name)]
        left = [name for name in final if name not in on and says_purpose(words_on(name), "save")]
        return final[0] if len(final) == 1 else on[0] if len(on) == 1 and not left else ""

    def _mend(
        self,
        refusals: Sequence[Refusal],
        met: Met,
        now: dict[str, Value],
        others: dict[str, Value],
        tries: dict[str, int],
    ) -> bool:
        """Change what was refused; returns whether each refusal was met by a change."""
        columns = {field.ref: name for name, field in met.fields.items()}
        said: dict[str, tuple[Field, list[Refusal]]] = {}
        for refusal in refusals:
            field = _refused(refusal, met.form) or _only_one(refusal, met, now)
            if field is None:
                return False
            said.setdefault(_key(field, met.form), (field, []))[1].append(refusal)
        for key, (field, of_field) in said.items():
            column = columns.get(field.ref)
            value = now[column] if column is not None else others.get(key, Value.literal(""))
            tries[key] = tries.get(key, 0) + 1
            ways = (mended(value, field, one, self._guesses, tries[key]) for one in of_field)
            other = next((way for way in ways if way is not None and way != value), None)
            if other is None:
                return False
            (now if column is not None else others)[column or key] = other
        return bool(said)


def signature(form: Form) -> tuple[str, ...]:
    """Give what a form is known by when its page is read again: where it is sent, and what it asks for.

    One that asks for nothing is known by its buttons.
    """
    names = [field.name or field.id or field.label for field in form.questions]
    return (form.method, form.action, *(names or [one.name for one in form.submits]))


def _takes(field: Field, text: str) -> bool:
    """Return whether a field with a pattern takes a text that is no plain word or number."""
    apart = "-" in text and not fits_pattern("Two words", field.pattern)
    return apart and fits_pattern(text, field.pattern) and not 0 < field.maxlength < len(text)


def _key(field: Field, form: Form) -> str:
    """Give what the form tool knows a field by: its name, where no other field of the form has it."""
    same = [one for one in form.questions if one.name == field.name]
    return field.name if field.name and len(same) == 1 else f"ref={field.ref}"


def _refused(refusal: Refusal, form: Form) -> Field | None:
    """Give the field that a refusal is of: by its name, or by what it is called."""
    for field in form.questions:
        if refusal.field and refusal.field in (field.name, field.id, field.ref):
            return field
    said = normal(refusal.label or refusal.field)
    called = [field for field in form.questions if said and said in (normal(field.shown), normal(field.label))]
    if len(called) == 1:
        return called[0]
    begun = [
        field for field in form.questions if field.shown and normal(refusal.text).startswith(f"{normal(field.shown)} ")
    ]
    return begun[0] if len(begun) == 1 else None


def _only_one(refusal: Refusal, met: Met, now: Mapping[str, Value]) -> Field | None:
    """Give the field that is meant by words that name none: the one whose name or value stands in them."""
    text = normal(refusal.text)
    named = [field for field in met.form.questions if field.shown and says(text, normal(field.shown))]
    if len(named) == 1:
        return named[0]
    quoted = [field for name, field in met.fields.items() if now[name].text and says(text, normal(now[name].text))]
    if len(quoted) == 1:
        return quoted[0]
    asked = [field for field in met.form.questions if field.type not in ("hidden", "checkbox")]
    return asked[0] if len(asked) == 1 else None


def _fitted(value: Value, field: Field, *, whole: bool) -> Value:
    """Cut a text to what a field takes.

    Args:
        value: what goes into it.
        field: the field.
        whole: whether it must not be cut: others know the thing by it.

    Raises:
        TaskFailed: it is longer, and would be another one if it were cut.
    """
    if not 0 < field.maxlength < len(value.text):
        return value
    if whole or not (is_free_text(field) and (is_large(field) or " " in value.text)):
        raise TaskFailed(
            f"{field.shown!r} takes {field.maxlength} characters, and {value.text[:40]!r}… has {len(value.text)}"
        )
    head, space, _ = value.text[: field.maxlength + 1].rpartition(" ")
    return Value.literal(head if space and len(head) > field.maxlength // 2 else value.text[: field.maxlength])
