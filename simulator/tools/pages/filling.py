"""Plans what goes into each field of a form, and says why. Not responsible for: putting it there.

A password, a one-time code and a payment field are never guessed: they take what is given for them, or nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from simulator.browser.views.reading import FieldInfo, FormInfo
from simulator.date_writings import DateWriting, date_writing
from simulator.errors import ToolError
from simulator.meaning.listing import readings
from simulator.tools.pages.meanings import NEVER_GUESSED, Meaning, meaning_of, meaning_of_text, repeats
from simulator.tools.pages.options import Chosen, Option, choose, choose_several, draw
from simulator.tools.pages.vocabulary import normal

FROM_IDENTITY: Mapping[Meaning, tuple[str, ...]] = {
    "email": ("identity.email",),
    "username": ("identity.username",),
    "display_name": ("identity.display_name",),
    "full_name": ("identity.first_name", "identity.last_name"),
    "first_name": ("identity.first_name",),
    "last_name": ("identity.last_name",),
    "phone": ("identity.phone",),
    "street": ("identity.street",),
    "postcode": ("identity.postcode",),
    "city": ("identity.city",),
    "bio": ("identity.bio",),
}
_TEXTS = frozenset({"", "text", "tel", "search"})
_NO = {"", "0", "false", "no", "off"}


@dataclass(frozen=True, slots=True)
class Question:
    """What a form asks: one field, or a group of radio buttons."""

    field: FieldInfo
    meaning: Meaning | None
    radios: tuple[FieldInfo, ...] = ()

    @property
    def label(self) -> str:
        """What the question is called."""
        shown = self.field.group if self.radios else self.field.label
        return shown or self.field.caption or self.field.placeholder or self.field.name_attr or self.field.ref

    @property
    def required(self) -> bool:
        """Whether the form is refused without an answer."""
        return self.field.required or any(radio.required for radio in self.radios)

    @property
    def filled(self) -> bool:
        """Whether it has an answer already."""
        return any(radio.checked for radio in self.radios) if self.radios else self.field.value_set

    @property
    def options(self) -> tuple[Option, ...]:
        """What can be chosen; empty where one types."""
        if self.radios:
            return tuple(Option(radio.value, radio.label or radio.caption) for radio in self.radios)
        return tuple(Option(value, label) for value, label in self.field.options if value)


@dataclass(frozen=True, slots=True)
class Put:
    """Something to put into a field."""

    question: Question
    how: Literal["fill", "select", "check", "uncheck"]
    ref: str
    value: str
    """A template: what is typed, or what names the option that is chosen."""
    why: str
    source: str = ""
    """The template that a choice was made by; empty where nothing given decided it."""
    several: bool = False
    """Whether the value is all that the template names, each option in a line."""


@dataclass(frozen=True, slots=True)
class Left:
    """A field that is left as it is."""

    question: Question
    why: str


@dataclass(frozen=True, slots=True)
class Plan:
    """What is done to a form."""

    puts: tuple[Put, ...]
    left: tuple[Left, ...]

    @property
    def missing(self) -> tuple[Left, ...]:
        """Questions that must be answered and are not, with why."""
        return tuple(left for left in self.left if left.question.required and not left.question.filled)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filler:
    """Whom a form is filled for.

    Attributes:
        render: puts values in place of variables, but for secrets.
        has: returns whether a variable has a value.
        seed: what free choices are drawn from.
        skips: returns whether this user leaves the optional field of a name empty.
        answers: what the persona says to put into a field, by label, name or meaning.
        words: more phrases by meaning, of this site.
        password: template for password fields; None leaves them.
        code: template for fields that take a one-time code; None leaves them.
    """

    render: Callable[[str], str]
    has: Callable[[str], bool]
    seed: str = ""
    skips: Callable[[str], bool] = lambda name: False
    answers: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    password: str | None = None
    code: str | None = None

    def plan(self, form: FormInfo, given: Mapping[str, str], *, only_asked: bool = False) -> Plan:
        """Plan a form.

        Args:
            form: the form as it is now.
            given: values by label, placeholder, name, id, reference or meaning of a field.
            only_asked: whether what nobody asked for stays empty unless the form is refused without it.

        Raises:
            ToolError: a given value has no field, or several; or no option means it.
        """
        asked = self.questions(form)
        values = self._assign(asked, given, form)
        said = self._assign(asked, self.answers, form, strict=False)
        puts: list[Put] = []
        left: list[Left] = []
        for question in asked:
            ref = question.field.ref
            if ref in values:
                done: Put | Left = self._put(question, values[ref], "given")
            elif question.filled and question.meaning != "terms":
                done = Left(question, "filled already")
            elif ref in said:
                done = self._put(question, said[ref], "the persona's answer")
            else:
                done = self._unasked(question, asked, puts, values, only_asked=only_asked)
            (puts if isinstance(done, Put) else left).append(done)  # type: ignore[arg-type]
        return Plan(tuple(puts), tuple(left))

    def questions(self, form: FormInfo) -> tuple[Question, ...]:
        """Give what a form asks, hidden fields apart."""
        seen = [one for one in form.fields if not one.hidden or one.type == "file"]
        groups: dict[str, list[FieldInfo]] = {}
        for one in seen:
            shared = (one.name_attr or one.group) if one.type == "radio" else ""
            groups.setdefault(shared or one.ref, []).append(one)
        return tuple(
            Question(group[0], meaning_of(group[0], self.words), tuple(group) if group[0].type == "radio" else ())
            for group in groups.values()
        )

    def _assign(
        self, asked: Sequence[Question], given: Mapping[str, str], form: FormInfo, *, strict: bool = True
    ) -> dict[str, str]:
        found: dict[str, str] = {}
        for key, value in given.items():
            fitting = self._fitting(asked, key)
            if len(fitting) == 1:
                found[fitting[0].field.ref] = value
            elif strict:
                type_, said = ("ambiguous", "several fields") if fitting else ("not_found", "no field")
                names = ", ".join(repr(question.label) for question in fitting or asked)
                raise ToolError(
                    type_,  # type: ignore[arg-type]
                    f"{said} for {key!r} in the form {form.name or form.heading!r}: {names}",
                )
        return found

    def fitting(self, form: FormInfo, key: str) -> list[Question]:
        """Give the questions of a form that a label, placeholder, name, reference or meaning stands for."""
        return self._fitting(self.questions(form), key)

    def _fitting(self, asked: Sequence[Question], key: str) -> list[Question]:
        said, meaning = normal(key), meaning_of_text(key, self.words)
        tests: Iterable[Callable[[Question], bool]] = (
            lambda one: key.removeprefix("ref=") in (one.field.ref, one.field.name_attr),
            lambda one: key == one.field.id,
            lambda one: said == normal(one.label),
            lambda one: bool(said) and said == normal(one.field.placeholder),
            lambda one: one.meaning is not None and normal(one.meaning) == said,
            lambda one: one.meaning is not None and one.meaning == meaning,
        )
        return next((fitting for test in tests if (fitting := [one for one in asked if test(one)])), [])

    def _put(self, question: Question, value: str, why: str) -> Put | Left:
        kind = question.field.type
        if kind == "file":
            raise ToolError("invalid_input", f"{question.label!r} takes a file: use a tool that uploads one")
        if kind in ("checkbox", "switch"):
            how: Literal["check", "uncheck"] = "uncheck" if self.render(value).lower() in _NO else "check"
            return Put(question, how, question.field.ref, value, why)
        several = question.field.several and not question.radios
        if question.field.picker and not (several and question.options):
            return Put(question, "select", question.field.ref, value, why)
        if not question.options:
            return Put(question, "fill", question.field.ref, value, why)
        if several:
            found = choose_several(question.options, self.render(value), self.words)
            if found is None:
                raise _none_like(question, self.render(value))
            texts = "\n".join(question.options[one.place].label for one in found)
            return Put(question, "select", question.field.ref, texts, f"{why}; {found[0].why}", value, several=True)
        chosen = choose(question.options, self.render(value), self.words)
        if chosen is None:
            raise _none_like(question, value)
        return self._chosen(question, chosen, f"{why}; {chosen.why}", value)

    def _chosen(self, question: Question, chosen: Chosen, why: str, source: str = "") -> Put:
        option = question.options[chosen.place]
        text = source if self.render(source) in option else option.label
        if question.radios:
            return Put(question, "check", question.radios[chosen.place].ref, text, why, source)
        return Put(question, "select", question.field.ref, text, why, source)

    def _unasked(
        self,
        question: Question,
        asked: Sequence[Question],
        puts: Sequence[Put],
        given: Mapping[str, str],
        *,
        only_asked: bool,
    ) -> Put | Left:
        """Decide about a question for which nobody gave an answer.

        Args:
            question: the question.
            asked: all of the form.
            puts: what is put into the fields before it.
            given: what is given for fields, by their references.
            only_asked: whether it stays empty unless the form is refused without it.
        """
        meaning, info = question.meaning, question.field
        before = next((put for put in puts if put.how == "fill" and _base(put.question) == _base(question)), None)
        if before is not None and repeats(info) and (question.required or info.secret) and _base(question):
            return Put(question, "fill", info.ref, before.value, f"it repeats {before.question.label!r}")
        if meaning in ("password", "password_repeat") and self.password is not None:
            return Put(question, "fill", info.ref, self.password, "the user's password")
        if meaning == "one_time_code" and self.code is not None:
            return Put(question, "fill", info.ref, self.code, "the code of the moment")
        if meaning in NEVER_GUESSED:
            return Left(question, f"{meaning.replace('_', ' ')}: never guessed")
        if info.type == "file":
            return Left(question, "a file: use a tool that uploads one")
        if info.type in ("checkbox", "switch"):
            if info.checked:
                return Left(question, "ticked already")
            if meaning == "terms" or question.required:
                return Put(question, "check", info.ref, "true", "terms" if meaning == "terms" else "required")
            return Left(question, "optional")
        names = FROM_IDENTITY.get(meaning, ()) if meaning else ()
        others = [one for one in asked if one is not question and one.meaning == meaning]
        if (
            names
            and not question.options
            and (before is not None or any(one.filled or one.field.ref in given for one in others))
        ):
            return Left(question, f"{'required, but ' if question.required else ''}another field has the {meaning}")
        if names and only_asked and not question.required:
            return Left(question, "optional, and not asked for")
        if names and not question.options and all(self.has(name) for name in names):
            if not question.required and self.skips(info.name_attr or question.label):
                return Left(question, "optional, and this user skips it")
            told = " ".join(f"{{{{{name}}}}}" for name in names)
            # Where a form asks for the user alone, it is tried all the same: the site says then what it takes.
            if (question.required and not only_asked) or fits_pattern(self.render(told), info.pattern):
                return Put(question, "fill", info.ref, told, f"{meaning}")
        if question.required and question.options:
            chosen = draw(question.options, f"{self.seed}\n{info.name_attr or question.label}")
            return self._chosen(question, chosen, chosen.why)
        return Left(question, "required, but no value is known" if question.required else "optional")


def _none_like(question: Question, value: str) -> ToolError:
    offered = ", ".join(repr(option.label) for option in question.options)
    parts = next(readings(value), ()) if question.field.several else ()
    lacking = [part for part in parts if choose(question.options, part) is None]
    value = ", ".join(lacking) or value
    return ToolError("invalid_input", f"{question.label!r} offers none like {value!r}, but: {offered}")


def asked_date(field: FieldInfo) -> DateWriting | None:
    """Give how a field for text asks for a date, by what the page says of it; None where it does not."""
    if field.tag != "input" or field.type not in _TEXTS:
        return None
    return date_writing(field.placeholder, field.label, field.caption, field.help, pattern=field.pattern)


def fits_pattern(text: str, pattern: str) -> bool:
    """Return whether a field with a pattern takes a text; one that Python does not read says nothing.

    A field may be called as something of the user, and be another thing: the address of a page is no street.
    """
    try:
        return not pattern or re.fullmatch(pattern, text) is not None
    except re.error:
        return True


def _base(question: Question) -> Meaning | None:
    """Give what a question is about, where it is a repetition, too."""
    return "password" if question.meaning == "password_repeat" else question.meaning
