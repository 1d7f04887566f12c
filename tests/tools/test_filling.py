"""What fields mean and what is put into them: pure, without a browser."""

from __future__ import annotations

from typing import Any

import pytest

from simulator.bindings import Bindings
from simulator.browser.views.reading import FieldInfo, FormInfo
from simulator.errors import ToolError
from simulator.tools.pages.filling import Filler, Plan
from simulator.tools.pages.meanings import meaning_of, meaning_of_text, meanings
from simulator.tools.pages.options import Option, choose, draw
from simulator.tools.pages.vocabulary import normal, phrases, says_purpose
from tests.seam import needs_bookshop

VALUES = {
    "identity.email": "ada@example.org",
    "identity.username": "ada_1",
    "identity.first_name": "Ada",
    "identity.last_name": "Moor",
    "identity.city": "Leeds",
    "book.1.genre": "Crime",
    "book.1.condition": "Like new",
}


def field(ref: str = "e1", **given: Any) -> FieldInfo:
    return FieldInfo(
        **{
            "ref": ref, "tag": "input", "type": "text", "role": "textbox", "name_attr": "", "id": "", "label": "",
            "placeholder": "", "autocomplete": "", "required": True, "value_set": False, "checked": False,
            "value": "", "options": (), "group": "", "accept": "", "min": "", "max": "", "maxlength": 0, "error": "",
            "hidden": False, "secret": given.get("type") == "password", "caption": "",
            **given,
        }
    )  # fmt: skip


def form(*fields: FieldInfo) -> FormInfo:
    return FormInfo(ref="f1", name="", action="/send", method="post", heading="Sell a book", fields=fields, submits=())


def filler(**given: Any) -> Filler:
    bindings = Bindings(VALUES)
    return Filler(render=bindings.render, has=lambda name: bool(bindings.get(name)), seed="7", **given)


def puts(plan: Plan) -> dict[str, tuple[str, str]]:
    return {put.question.label: (put.how, put.value) for put in plan.puts}


def left(plan: Plan) -> dict[str, str]:
    return {one.question.label: one.why for one in plan.left}


# -- meanings


@pytest.mark.parametrize(
    ("given", "meaning"),
    [
        ({"autocomplete": "section-a shipping address-level2", "label": "X"}, "city"),
        ({"label": "Display name", "autocomplete": "name"}, "display_name"),
        ({"label": "Who are you?", "autocomplete": "name"}, "full_name"),
        ({"label": "Username or e-mail"}, "username"),
        ({"label": "Login", "type": "email"}, "email"),
        ({"label": "Repeat password", "type": "password"}, "password_repeat"),
        ({"label": "パスワード (確認)", "type": "password"}, "password_repeat"),
        ({"label": "Passwort", "type": "password"}, "password"),
        ({"label": "Code", "secret": True, "autocomplete": "one-time-code"}, "one_time_code"),
        ({"label": "Wie heißt das Buch?", "name_attr": "titel"}, "title"),
        ({"label": "Nom d'utilisateur"}, "username"),
        ({"label": "Preis in Euro"}, "price"),
        ({"label": "Precio"}, "price"),
        ({"label": "Beschrijving", "tag": "textarea"}, "description"),
        ({"label": "Message au vendeur", "tag": "textarea"}, "message"),
        ({"label": "メールアドレス"}, "email"),
        ({"name_attr": "firstName"}, "first_name"),
        pytest.param({"label": "Good", "group": "Condition", "type": "radio"}, "condition", marks=needs_bookshop),
        ({"label": "I accept the terms and conditions", "type": "checkbox"}, "terms"),
        ({"label": "Send me offers by e-mail", "type": "checkbox"}, "newsletter"),
        ({"label": "Accept", "type": "text"}, None),
        ({"label": "Card number"}, "payment"),
        ({"label": "Number", "autocomplete": "cc-number"}, "payment"),
        ({"label": "CVC", "type": "password"}, "payment"),
        pytest.param({"label": "Zustand"}, "condition", marks=needs_bookshop),
        ({"label": "Quux"}, None),
    ],
)
def test_meaning(given: dict[str, Any], meaning: str | None) -> None:
    assert meaning_of(field(**given)) == meaning


def test_words_of_the_site_win() -> None:
    assert meaning_of_text("Werk", {"title": ("Werk",)}) == "title"
    assert says_purpose("Adieu", "logout", {"logout": ("adieu",)})


@needs_bookshop
def test_every_meaning_has_phrases_and_no_phrase_has_two() -> None:
    table = phrases("fields")
    assert tuple(table) == meanings()
    assert {"author", "genre", "condition", "cover"} <= table.keys()
    seen: dict[str, str] = {}
    for meaning, words in table.items():
        for phrase in words:
            assert seen.setdefault(phrase, meaning) == meaning, phrase


@pytest.mark.parametrize("text", ["firstName", "First name", "first_name", "FIRST-NAME", "Fírst  näme"])
def test_normal(text: str) -> None:
    assert normal(text) == "first name"


# -- options

GENRES = [Option("", "Choose"), Option("crime", "Crime and mystery"), Option("sf", "Science fiction")]
GENRES += [Option("nature", "Science and nature"), Option("gothic", "Gothic and horror"), Option("x", "Other")]


@pytest.mark.parametrize(
    ("wanted", "label"),
    [
        ("sf", "Science fiction"),
        ("science FICTION", "Science fiction"),
        ("Crime", "Crime and mystery"),
        pytest.param("Krimi", "Crime and mystery", marks=needs_bookshop),
        pytest.param("Science", "Science and nature", marks=needs_bookshop),
        ("gothic tales and horror", None),
        ("Poetry", "Other"),
    ],
)
def test_choose(wanted: str, label: str | None) -> None:
    options = GENRES if label else GENRES[:-1]
    chosen = choose(options, wanted)
    assert (options[chosen.place].label if chosen else None) == label


def test_choose_refuses_what_two_options_say() -> None:
    options = [Option("1", "Old prints"), Option("2", "New prints"), Option("3", "Other")]
    assert choose(options, "prints") is None


def test_draw_is_the_same_for_a_seed_and_uses_all_options() -> None:
    assert draw(GENRES, "7") == draw(GENRES, "7")
    assert {draw(GENRES, str(seed)).place for seed in range(60)} == set(range(len(GENRES)))


# -- the plan


def test_identity_fills_what_it_knows_as_variables() -> None:
    plan = filler().plan(
        form(
            field("e1", label="E-mail", type="email"),
            field("e2", label="Your name"),
            field("e3", label="Town"),
            field("e4", label="Shoe size"),
        ),
        {},
    )
    assert puts(plan) == {
        "E-mail": ("fill", "{{identity.email}}"),
        "Your name": ("fill", "{{identity.first_name}} {{identity.last_name}}"),
        "Town": ("fill", "{{identity.city}}"),
    }
    assert [one.question.label for one in plan.missing] == ["Shoe size"]


@pytest.mark.parametrize("key", ["e1", "ref=e1", "book_title", "Title of the book", "title", "Titel", "t-1"])
def test_given_values_go_by_ref_name_id_label_or_meaning(key: str) -> None:
    plan = filler().plan(form(field(label="Title of the book", name_attr="book_title", id="t-1")), {key: "Emma"})
    assert puts(plan) == {"Title of the book": ("fill", "Emma")}


def test_a_given_value_without_a_field_is_refused() -> None:
    with pytest.raises(ToolError, match="no field for 'isbn' in the form 'Sell a book': 'Title'") as caught:
        filler().plan(form(field(label="Title")), {"isbn": "1"})
    assert caught.value.type == "not_found"


def test_a_given_value_with_two_fields_is_ambiguous() -> None:
    with pytest.raises(ToolError, match=r"several fields for 'title'.*: 'German title', 'Book title'"):
        filler().plan(form(field("e1", label="German title"), field("e2", label="Book title")), {"title": "x"})


def test_passwords_codes_and_payment_are_never_guessed() -> None:
    asked = form(
        field("e1", label="Password", type="password"),
        field("e2", label="Code", secret=True, autocomplete="one-time-code"),
        field("e3", label="Card number"),
    )
    plan = filler(answers={"Shoe": "41"}).plan(asked, {})
    assert puts(plan) == {}
    assert left(plan) == {
        "Password": "password: never guessed",
        "Code": "one time code: never guessed",
        "Card number": "payment: never guessed",
    }
    registering = filler(password="{{secret.password}}").plan(asked, {})
    assert puts(registering) == {"Password": ("fill", "{{secret.password}}")}


def test_optional_fields_are_skipped_by_users_who_do() -> None:
    asked = form(field("e1", label="City", name_attr="town", required=False))
    assert puts(filler(skips=lambda name: name == "town").plan(asked, {})) == {}
    assert puts(filler(skips=lambda name: False).plan(asked, {})) == {"City": ("fill", "{{identity.city}}")}


def test_what_is_filled_stays_unless_a_value_is_given() -> None:
    asked = form(field("e1", label="City", value_set=True), field("e2", label="Title", value_set=True))
    plan = filler().plan(asked, {"title": "Emma"})
    assert puts(plan) == {"Title": ("fill", "Emma")}
    assert left(plan) == {"City": "filled already"}


def test_answers_of_the_persona_count_where_they_fit() -> None:
    plan = filler(answers={"Shoe size": "41", "Hat size": "58"}).plan(form(field(label="Shoe size")), {})
    assert puts(plan) == {"Shoe size": ("fill", "41")}


def test_selects_and_radios_take_the_option_that_is_meant() -> None:
    asked = form(
        field("e1", tag="select", type="", label="Genre", options=(("", "Choose"), ("c", "Crime and mystery"))),
        field("e2", type="radio", group="Condition", label="Like new", value="ln", name_attr="condition"),
        field("e3", type="radio", group="Condition", label="Worn", value="w", name_attr="condition"),
    )
    plan = filler().plan(asked, {"genre": "{{book.1.genre}}", "condition": "{{book.1.condition}}"})
    assert [(put.how, put.ref, put.value, put.source) for put in plan.puts] == [
        ("select", "e1", "Crime and mystery", "{{book.1.genre}}"),
        ("check", "e2", "{{book.1.condition}}", "{{book.1.condition}}"),
    ]


def test_a_select_keeps_the_variable_where_its_value_is_an_option() -> None:
    asked = form(field(tag="select", type="", label="Genre", options=(("1", "Crime"), ("2", "Poetry"))))
    assert puts(filler().plan(asked, {"genre": "{{book.1.genre}}"})) == {"Genre": ("select", "{{book.1.genre}}")}


def test_a_value_that_no_option_means_lists_them() -> None:
    asked = form(field(tag="select", type="", label="Genre", options=(("1", "Crime"), ("2", "Poetry"))))
    with pytest.raises(ToolError, match="'Genre' offers none like 'Cookery', but: 'Crime', 'Poetry'"):
        filler().plan(asked, {"genre": "Cookery"})


def test_a_required_choice_without_a_value_is_drawn_and_says_so() -> None:
    options = (("", "Choose"), ("1", "Red"), ("2", "Blue"), ("3", "Green"))
    asked = form(field(tag="select", type="", label="Colour", options=options))
    (put,) = filler().plan(asked, {}).puts
    assert put.value in ("Red", "Blue", "Green")
    assert put.why == "required; drawn from the user's seed"
    assert filler().plan(asked, {}).puts[0].value == put.value


def test_boxes_are_ticked_only_for_terms_and_where_required() -> None:
    asked = form(
        field("e1", type="checkbox", label="I accept the terms", required=False),
        field("e2", type="checkbox", label="Send me the newsletter", required=False),
        field("e3", type="checkbox", label="I am over 18", required=True),
        field("e4", type="checkbox", label="Gift", required=False),
    )
    plan = filler().plan(asked, {"Gift": "no"})
    assert puts(plan) == {
        "I accept the terms": ("check", "true"),
        "I am over 18": ("check", "true"),
        "Gift": ("uncheck", "no"),
    }


def test_hidden_fields_are_left_alone() -> None:
    assert filler().plan(form(field(label="E-mail", hidden=True)), {}) == Plan((), ())


def test_files_are_sent_to_their_tool() -> None:
    asked = form(field(type="file", label="Cover"))
    assert left(filler().plan(asked, {})) == {"Cover": "a file: use a tool that uploads one"}
    with pytest.raises(ToolError, match="use a tool that uploads one"):
        filler().plan(asked, {"Cover": "x.png"})
