"""Which field a column goes into, what stands in for what nobody gave, and what becomes of a value that is refused."""

from __future__ import annotations

import re
from typing import ClassVar, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.agent.filling import Value, answer_for
from simulator.agent.forms.guessing import Guesses
from simulator.agent.forms.meeting import Column, best_form, meet
from simulator.agent.forms.mending import mended
from simulator.agent.reading import Field, Form, Refusal
from simulator.agent.tool_client import ToolClient
from simulator.domain.loading import given as packs
from simulator.persona import Persona, draw_identity
from simulator.persona.draws import Draw
from simulator.persona.patterns import text_of
from simulator.tools.pages.meanings import meaning_of_text

ROW = (
    Column("headline", "Pump leaks in the cellar"),
    Column("priority", "urgent"),
    Column("report", "It starts, and then it stops after a while; nobody knows why it does so.", telling=True),
    Column("day", "2026-12-01"),
)


def form(*fields: Field, ref: str = "e1") -> Form:
    numbered = [
        one.model_copy(update={"ref": f"{ref}_{at}", "meaning": one.meaning or meaning_of_text(one.label) or ""})
        for at, one in enumerate(fields)
    ]
    return Form(ref=ref, fields=tuple(numbered))


def named(fields: dict[str, Field]) -> dict[str, str]:
    return {column: field.label for column, field in fields.items()}


FORMS = [
    ("Title", "Priority", "Description", "Due"),
    ("Betreff", "Dringlichkeit", "Beschreibung", "Fällig am"),
    ("Temat", "Pilność", "Opis", "Termin"),
    ("件名", "緊急度", "説明", "期限"),
    ("Qqqq", "Wwww", "Eeee", "Rrrr"),
]


@pytest.mark.parametrize("labels", FORMS)
def test_columns_meet_fields_in_any_language(labels: tuple[str, str, str, str]) -> None:
    title, urgency, text, day = labels
    asked = form(
        Field(ref="", type="select", label=urgency, options=("low", "urgent")),
        Field(ref="", type="date", label=day),
        Field(ref="", type="text", label=title),
        Field(ref="", type="textarea", label=text),
        Field(ref="", type="password", label="Geheim"),
    )
    met = meet(asked, ROW, "headline", {})
    assert named(dict(met.fields)) == {"headline": title, "priority": urgency, "report": text, "day": day}


@given(st.permutations(range(4)), st.sampled_from(FORMS))
def test_the_order_of_the_fields_counts_for_nothing(order: list[int], labels: tuple[str, ...]) -> None:
    fields = (
        Field(ref="", type="text", label=labels[0]),
        Field(ref="", type="select", label=labels[1], options=("low", "urgent")),
        Field(ref="", type="textarea", label=labels[2]),
        Field(ref="", type="date", label=labels[3]),
    )
    met = meet(form(*(fields[at] for at in order)), ROW, "headline", {})
    assert list(map(met.fields.__getitem__, ("headline", "priority", "report", "day"))) == [
        next(one for one in met.form.fields if one.label == label) for label in labels
    ]


def test_the_form_that_takes_the_most_is_meant_and_never_a_search_or_a_login() -> None:
    search = form(Field(ref="", type="text", label="Suche", meaning="search"), ref="e1")
    login = form(Field(ref="", type="password", label="Passwort", meaning="password"), ref="e2")
    letter = form(Field(ref="", type="text", label="Newsletter-Adresse"), ref="e3")
    ticket = form(
        Field(ref="", type="text", label="Betreff"), Field(ref="", type="textarea", label="Beschreibung"), ref="e4"
    )
    best = best_form([search, login, letter, ticket], ROW, "headline", {})
    assert best is not None
    assert best.form.ref == "e4"
    assert best_form([search, login], ROW, "headline", {}) is None


def test_a_change_goes_into_no_field_that_no_word_gives_it() -> None:
    comment = form(Field(ref="", type="textarea", label="Kommentar"))
    assert best_form([comment], [Column("breed", "Arab")], "breed", {}, by_kind=False) is None
    said = [Column("breed", "Arab", "Kommentar")]
    assert best_form([comment], said, "breed", {}, by_kind=False) is not None


def test_what_is_called_the_description_is_changed_in_no_field_that_only_means_as_much() -> None:
    row = [Column("gravity", "High"), Column("particulars", "It does not turn any more.", called="Description")]
    notes = Field(ref="", label="Notes", type="textarea")
    change = form(Field(ref="", label="Gravity", options=("Low", "High")), notes)
    assert named(dict(meet(change, row, "gravity", {}).fields))["particulars"] == "Notes"
    assert "particulars" not in meet(change, row, "gravity", {}, by_kind=False).fields


def test_what_a_field_is_called_can_be_said() -> None:
    asked = form(Field(ref="", type="text", label="Rufname"), Field(ref="", type="text", label="Zuchtname"))
    met = meet(asked, [Column("title", "Baska", "Zuchtname")], "title", {})
    assert named(dict(met.fields)) == {"title": "Zuchtname"}


_ATOM = st.sampled_from(["a", "7", r"\d", r"\w", "[A-Z]", "[a-c0-9_-]", ".", r"\.", "-", "(?:ab|c)", "(x|[yz]{2})"])
_TIMES = st.sampled_from(["", "", "?", "*", "+", "{3}", "{2,4}", "{1,}"])
_PATTERN = st.lists(st.tuples(_ATOM, _TIMES).map("".join), min_size=1, max_size=6).map("".join)


@given(_PATTERN, st.integers(0, 50))
def test_a_text_is_written_for_any_usual_pattern(pattern: str, seed: int) -> None:
    text = text_of(f"^{pattern}$", Draw("seed", seed))
    assert text is not None
    assert re.fullmatch(pattern, text)


@given(st.text(max_size=12), st.integers(0, 5))
def test_of_a_pattern_that_is_not_understood_no_wrong_text_is_written(pattern: str, seed: int) -> None:
    text = text_of(pattern, Draw("seed", seed))
    assert text is None or re.fullmatch(pattern, text)


@pytest.fixture
def guesses() -> Guesses:
    with packs(use=()):
        one = Persona.model_validate({"persona": "a", "about": "b", "locale": "de_DE", "tasks": ["register"]})
        return Guesses(draw_identity(one, seed=1, number=1))


GUESSED = [
    (Field(ref="e1", type="number", label="Plätze", min="3", max="5"), r"\{\{faker\.between_3_5\.1\}\}", r"[345]"),
    (Field(ref="e1", type="number", label="Anteil", min="0", max="1", step="0.25"), r"0\.5", r"0\.5"),
    (
        Field(ref="e1", type="text", label="Kennzeichen", pattern="[A-Z]{2}-[0-9]{3}"),
        r"\{\{faker\.like_",
        r"[A-Z]{2}-\d{3}",
    ),
    (Field(ref="e1", type="text", label="Firma"), r"\{\{faker\.company\.1\}\}", ".+"),
    (Field(ref="e1", type="url", label="Seite"), r"\{\{faker\.url\.1\}\}", "https?://.+"),
    (Field(ref="e1", type="date", label="Beginn"), r"\{\{faker\.future_date\.1\}\}", r"\d{4}-\d\d-\d\d"),
    (Field(ref="e1", type="date", label="Beginn", min="2031-01-01"), "2031-01-02", "2031-01-02"),
    (Field(ref="e1", type="text", label="Zzz", required=True), r"\{\{faker\.sentence\.1\}\}", ".+"),
    (
        Field(ref="e1", type="textarea", label="Zzz", required=True, minlength=300),
        r"\{\{faker\.paragraph\.1\}\} \{\{",
        ".{300,}",
    ),
]


@pytest.mark.parametrize(("field", "template", "text"), GUESSED)
def test_what_nobody_described_is_drawn_by_what_it_means(
    guesses: Guesses, field: Field, template: str, text: str
) -> None:
    value = guesses.value(field, "ticket 1")
    assert value is not None
    assert re.match(template, value.template), value
    assert re.fullmatch(text, value.text), value
    assert guesses.value(field, "ticket 1") == value


@pytest.mark.parametrize(
    "field",
    [
        Field(ref="e1", type="text", label="Zzz"),
        Field(ref="e1", type="password", label="PIN", required=True),
        Field(ref="e1", type="text", label="Card number", meaning="payment", required=True),
        Field(ref="e1", type="file", label="Photo", required=True),
    ],
)
def test_what_is_unknown_and_optional_or_a_secret_is_left(guesses: Guesses, field: Field) -> None:
    assert guesses.value(field, "ticket 1") is None


REFUSED = [
    ("short", "Must be at least 10 characters", "invalid", ".{10,}"),
    ("kurz", "Bitte mindestens 10 Zeichen eingeben", "invalid", ".{10,}"),
    ("a text of far too many words", "Za długie: najwyżej 12 znaków", "invalid", ".{1,12}"),
    ("3", "value must be between 5 and 9", "invalid", "5"),
    ("30", "zwischen 5 und 9", "invalid", "9"),
    ("7", "must be greater than 7", "invalid", "8"),
    ("18.5", "the two nearest valid values are 18 and 19", "invalid", "18|19"),
    ("2", "trop petit : au moins 4,50", "invalid", "4,5"),
    ("many", "must be a number", "invalid", r"\d+"),
    ("viele", "Das muss eine Zahl sein", "invalid", r"\d+"),
    ("2020-01-01", "Choose a date in the future", "invalid", r"20(2[6-9]|[3-9]\d)-\d\d-\d\d"),
    ("2020-01-01", "Data musi być w przyszłości", "invalid", r"20(2[6-9]|[3-9]\d)-\d\d-\d\d"),
    ("Pump", "This name is already taken", "taken", "Pump 2"),
    ("nowhere", "Enter a valid URL", "invalid", "https?://.+"),
]


@pytest.mark.parametrize(("text", "said", "kind", "expected"), REFUSED)
def test_what_is_refused_is_changed_by_what_the_site_says(
    guesses: Guesses, text: str, said: str, kind: str, expected: str
) -> None:
    field = Field(ref="e1", type="text", label="Zzz")
    now = mended(Value(text, text), field, Refusal(text=said, kind=kind), guesses, 1)
    assert now is not None
    assert re.fullmatch(expected, now.text), now


def test_words_that_are_not_understood_change_nothing(guesses: Guesses) -> None:
    field = Field(ref="e1", type="text", label="Zzz")
    assert mended(Value("Pump", "Pump"), field, Refusal(text="Nope.", kind="invalid"), guesses, 1) is None


class Client:
    """As much of a client as answers are asked of."""

    class identity:
        answers: ClassVar = {"genre": "Poetry", "Cost centre": "of the persona"}

    class site:
        answers: ClassVar = {"Cost centre": "4711"}
        words: ClassVar[dict[str, tuple[str, ...]]] = {}


@pytest.mark.parametrize(
    ("field", "answer"),
    [
        (Field(ref="e1", label="Cost centre"), "4711"),
        (Field(ref="e1", name="cost_centre"), "4711"),
        (Field(ref="e1", label="Rodzaj", meaning="genre"), "Poetry"),
        (Field(ref="e1", label="Cost"), None),
    ],
)
def test_answers_are_found_by_what_a_field_is_called_and_those_of_the_site_come_first(
    field: Field, answer: str | None
) -> None:
    found = answer_for(cast("ToolClient", Client), field)
    assert (found and found.text) == answer
