from __future__ import annotations

import html
import re
import unicodedata
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from simulator.bindings import Bindings
from simulator.errors import TemplateError
from simulator.template import literal, placeholders

names = st.from_regex(
    r"(text|file|choice)\.[a-z0-9_]{1,6}|(book|site)\.[a-z0-9_]{1,4}\.(title|id)|identity\.(email|display_name|city)",
    fullmatch=True,
)
bound = st.dictionaries(names, st.text(), max_size=6)

PERSON = {
    "identity.email": "ann.smith@example.org",
    "identity.username": "ann_smith_7",
    "identity.display_name": "Ann Smith",
    "book.1.title": "The Moonstone",
    "book.2.title": "The Moonstone, Volume 2",
}


@given(st.text())
def test_a_literal_renders_to_itself(text):
    assert Bindings().render(literal(text)) == text
    assert Bindings().render(literal(text), secrets=True) == text


@given(st.text("{} lbsecrt.idny", max_size=30))
def test_a_literal_full_of_braces_renders_to_itself(text):
    assert Bindings().render(literal(text)) == text


@given(bound, st.data())
def test_a_template_renders_its_values(values, data):
    parts = data.draw(st.lists(st.text() | st.sampled_from(sorted(values) or ["lb"]).map(lambda name: [name])))
    bindings = Bindings(values)
    text = "".join(f"{{{{{part[0]}}}}}" if isinstance(part, list) else literal(part) for part in parts)
    assume("{{{" not in text)
    wanted = "".join((values | {"lb": "{{"})[part[0]] if isinstance(part, list) else part for part in parts)
    assert bindings.render(text) == wanted


@given(bound, st.data())
def test_what_is_recognised_renders_to_the_same_text(values, data):
    parts = data.draw(st.lists(st.text() | st.sampled_from([*values.values(), " ", ", "])))
    text = "".join(parts)
    bindings = Bindings(values)
    assert bindings.render(bindings.recognise(literal(text))) == text


@given(st.text("{}ab anTheMoonst.lb", max_size=40))
def test_recognition_survives_braces(text):
    bindings = Bindings(PERSON | {"x.y": "{ab}", "x.z": "a}}b", "x.w": "{{ab"})
    assert bindings.render(bindings.recognise(literal(text))) == text


@given(bound, st.text())
def test_recognising_twice_changes_nothing(values, text):
    bindings = Bindings(values)
    once = bindings.recognise(literal(text))
    assert bindings.recognise(once) == once


@pytest.mark.parametrize(
    ("text", "template"),
    [
        ("mail ann.smith@example.org!", "mail {{identity.email}}!"),
        ("The Moonstone, Volume 2", "{{book.2.title}}"),
        ("The Moonstone and more", "{{book.1.title}} and more"),
        ("/books/the-moonstone", "/books/{{book.1.title.slug}}"),
        ("the moonstone", "{{book.1.title.lower}}"),
        ("TheMoonstone", "TheMoonstone"),
        ("xann_smith_7", "xann_smith_7"),
        ("{{identity.email}} is ann.smith@example.org", "{{identity.email}} is {{identity.email}}"),
        ("", ""),
    ],
)
def test_values_are_recognised(text, template):
    assert Bindings(PERSON).recognise(text) == template


def plain(text):
    """Write a text without accents, as most sites do in slugs."""
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()


SPELLINGS = {
    "slug": lambda text: re.sub(r"[^a-z0-9]+", "-", plain(text).lower()).strip("-"),
    "lower": str.lower,
    "upper": str.upper,
    "quoted": lambda text: quote(text, safe=""),
    "plus": quote_plus,
    "html": lambda text: html.escape(text, quote=False),
    "curly": lambda text: text.replace("'", "\u2019"),
    "nbsp": lambda text: text.replace(" ", "\u00a0"),
    "nfd": lambda text: unicodedata.normalize("NFD", text),
}
TITLES = st.sampled_from(["The Pilgrim's Progress", "Crime & Punishment", "Père Goriot", "Emma", "Wives and Daughters"])


@given(TITLES, TITLES, st.sampled_from(sorted(SPELLINGS)), st.sampled_from(["", "?q=", "/books/", "“", "see "]))
def test_a_title_is_recognised_in_any_spelling_and_means_the_new_book_in_the_same(title, other, form, before):
    bindings = Bindings({"book.1.title": title})
    text = f"{before}{SPELLINGS[form](title)}, and so on"
    template = bindings.recognise(text)
    assert bindings.render(template) == text
    assert template.startswith(before + "{{book.1.title")
    assert Bindings({"book.1.title": title}).recognise(template) == template
    if SPELLINGS[form](title) not in {SPELLINGS[each](title) for each in SPELLINGS if each != form} | {title}:
        assert Bindings({"book.1.title": other}).render(template) == f"{before}{SPELLINGS[form](other)}, and so on"


def test_a_slug_without_its_accented_letters_is_recognised():
    bindings = Bindings({"book.1.title": "Père Goriot"})
    template = bindings.recognise("/books/p-re-goriot")
    assert template.startswith("/books/{{book.1.title")
    assert bindings.render(template) == "/books/p-re-goriot"


def test_where_a_user_lives_is_recognised_beside_the_user_and_nowhere_else():
    bindings = Bindings(
        PERSON | {"identity.city": "Reading", "identity.first_name": "Ann", "identity.last_name": "Smith"}
    )
    said = "Hi, I'm Ann Smith from Reading"
    assert bindings.recognise(said) == "Hi, I'm {{identity.display_name}} from {{identity.city}}"
    assert bindings.recognise("I am {{identity.display_name}} of Reading") == (
        "I am {{identity.display_name}} of {{identity.city}}"
    )
    for text in ("Reading lists", "Smith & Sons", "Readings of ann_smith_7x"):
        assert bindings.recognise(text) == text


def test_a_first_and_a_last_name_are_known_where_they_stand_together():
    bindings = Bindings(PERSON | {"identity.first_name": "Ann", "identity.last_name": "Lee"})
    assert bindings.recognise("Sent to Ann Lee.") == "Sent to {{identity.first_name}} {{identity.last_name}}."
    assert bindings.recognise("Ann, Lee or Ann Leeds") == "Ann, Lee or Ann Leeds"
    other = Bindings({"identity.first_name": "Zoë", "identity.last_name": "de Vries"})
    for text, expected in (
        ("/by/ann-lee", "/by/zoe-de-vries"),
        ("/Notes%20of%20Ann%20Lee/save", "/Notes%20of%20Zo%C3%AB%20de%20Vries/save"),
        ("?q=Ann+Lee", "?q=Zo%C3%AB+de+Vries"),
    ):
        assert bindings.render(bindings.recognise(text)) == text
        assert other.render(bindings.recognise(text)) == expected


def test_of_names_that_read_alike_the_site_says_the_one_that_it_was_told():
    bindings = Bindings(PERSON | {"identity.first_name": "Ann", "identity.last_name": "Smith"})
    assert bindings.recognise("Ann Smith") == "{{identity.display_name}}"
    bindings.recogniser.note_given("{{identity.first_name}}")
    assert bindings.recognise("Ann Smith") == "{{identity.display_name}}"
    bindings.recogniser.note_given("{{identity.last_name.upper}}")
    assert bindings.recognise("Ann Smith") == "{{identity.first_name}} {{identity.last_name}}"
    bindings.recogniser.note_given("by {{identity.display_name}}")
    assert bindings.recognise("Ann Smith") == "{{identity.display_name}}"


def test_what_the_site_minted_is_recognised_where_it_is_hardly_there_by_chance():
    bindings = Bindings(
        {"site.order_1": "LMP-48213", "site.books_1": "48213", "site.code_1": "883920", "site.page_1": "57"}
    )
    assert bindings.recognise("Order LMP-48213, code 883920, 48213 copies, 57 pages") == (
        "Order {{site.order_1}}, code {{site.code_1}}, 48213 copies, 57 pages"
    )


def test_short_and_common_values_are_not_recognised():
    assert Bindings({"identity.city": "Leeds"}).recognise("Leeds is a city") == "Leeds is a city"
    assert Bindings({"text.note": "abc"}).recognise("abc") == "abc"
    assert Bindings({"identity.age": "42", "book.1.price": "3.5"}).recognise("42 books at 3.5") == "42 books at 3.5"


@given(st.sampled_from(["Kim", "She", "It", "Eos", "こころ", "猫"]), st.sampled_from(["Emma", "Ivo", "三四郎"]))
def test_what_a_row_is_called_in_a_few_letters_is_known_where_it_is_all_there_is(title, other):
    rows = {"book.1.title": title, "book.1.author": "Rudyard Kipling", "identity.first_name": "Kim"}
    bindings = Bindings(rows)
    for text, template in (
        (title, "{{book.1.title}}"),
        (f" {title}\n", " {{book.1.title}}\n"),
        (f"{title} by Rudyard Kipling", "{{book.1.title}} by {{book.1.author}}"),
    ):
        assert bindings.recognise(text) == template
        assert bindings.recognise(template) == template
        assert Bindings(rows | {"book.1.title": other}).render(template) == text.replace(title, other)
    for text in (f"{title} and more", f"by {title}", f"{title}berley by Rudyard Kipling", "Rudyard Kipling"):
        assert bindings.recognise(text) == text


def test_a_few_letters_that_name_nothing_are_not_recognised():
    assert Bindings({"book.1.title": "X"}).recognise("X") == "X", "it is what closes a dialog"
    assert Bindings({"book.1.title": "42"}).recognise("42") == "42"
    assert Bindings({"book.1.genre": "art", "choice.size": "big"}).recognise("art") == "art"


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("{{identity.display_name.first}}", "Ann"),
        ("{{ identity.display_name.upper }}", "ANN SMITH"),
        ("{{book.2.title.slug}}", "the-moonstone-volume-2"),
        ("{{identity.email.lower}}", "ann.smith@example.org"),
        ("{{lb}}x}}", "{{x}}"),
    ],
)
def test_derived_forms(template, text):
    assert Bindings(PERSON).render(template) == text


def test_a_later_value_replaces_an_earlier_one():
    bindings = Bindings({"text.note": "first"})
    assert bindings.recognise("first") == "{{text.note}}"
    bindings.set("text.note", "second")
    assert bindings.recognise("first second") == "first {{text.note}}"
    assert bindings.render("{{text.note}}") == "second"
    assert bindings.get("text.note") == "second"
    assert bindings.values() == {"text.note": "second"}


def test_an_unknown_variable_is_told():
    with pytest.raises(TemplateError) as raised:
        Bindings(PERSON).render("{{identity.mail}}")
    told = str(raised.value)
    assert told.startswith("the variable '{{identity.mail}}' has no value here; did you mean '{{identity.email}}'?")
    assert "(also known: identity." in told
    assert "book." not in told
    with pytest.raises(TemplateError, match=r"has no value here \(known groups: book, identity\)"):
        Bindings(PERSON).render("{{person.mail}}")
    with pytest.raises(TemplateError, match="known groups: none"):
        Bindings().render("{{identity.mail}}")


def test_secrets_are_revealed_on_request_only():
    bindings = Bindings(secret={"password": "hunter2"}.__getitem__)
    assert bindings.render("{{secret.password}}") == "{{secret.password}}"
    assert bindings.render("{{secret.password}}", secrets=True) == "hunter2"
    with pytest.raises(TemplateError, match=r"the secret 'secret\.password' is not available"):
        Bindings().render("{{secret.password}}", secrets=True)


def test_placeholders_are_given_in_order():
    assert list(placeholders("{{b.x}} {{ a.y }} {{b.x}} {{clock.today+1d}} { {c} } {{D}}")) == [
        "b.x",
        "a.y",
        "b.x",
        "clock.today+1d",
    ]


def test_text_for_people_has_values_where_they_are_known() -> None:
    bindings = Bindings({"book.1.title": "Emma"}, secret=lambda name: "hunter2")
    assert bindings.shown("{{book.1.title}} {{book.2.title}} {{secret.password}}") == (
        "Emma {{book.2.title}} {{secret.password}}"
    )


def test_a_demoted_group_stands_for_what_no_other_variable_has():
    bindings = Bindings({"book.1.title": "The Moonstone", "choice.1": "The Moonstone", "choice.2": "Middlemarch"})
    assert bindings.recognise("The Moonstone, Middlemarch") == "{{choice.1}}, {{choice.2}}"
    bindings.demote("choice.")
    assert bindings.recognise("The Moonstone, Middlemarch") == "{{book.1.title}}, {{choice.2}}"
    bindings.set("choice.3", "The Moonstone")
    assert bindings.recognise("The Moonstone") == "{{choice.3}}"


TITLE = "The Mystery of david1fv07dwrk"
SLUGS = {
    "The_Mystery_of_david1fv07dwrk.jpg": "{{book.1.title.underscores}}.jpg",
    "the_mystery_of_david1fv07dwrk": "{{book.1.title.snake}}",
    "the.mystery.of.david1fv07dwrk.pdf": "{{book.1.title.dotted}}.pdf",
    "The.Mystery.of.david1fv07dwrk.mkv": "{{book.1.title.dots}}.mkv",
    "/wiki/The%20Mystery%20of%20david1fv07dwrk": "/wiki/{{book.1.title.quoted}}",
    "The-Mystery-of-david1fv07dwrk": "{{book.1.title.dashes}}",
    "/File:200px-The_Mystery_of_david1fv07dwrk.jpg": "/File:200px-{{book.1.title.underscores}}.jpg",
    "Another_story_of_david1fv07dwrk.jpg": "Another_story_of_{{identity.username}}.jpg",
    "ann_smith_7_and_more": "ann_smith_7_and_more",
}


@pytest.mark.parametrize("slug", SLUGS)
def test_a_title_is_known_again_as_sites_write_it_in_names_of_files(slug: str) -> None:
    user = {"identity.username": "david1fv07dwrk", "book.1.title": TITLE, "book.2.title": "ann"}
    bindings = Bindings(user)
    assert bindings.recognise(slug) == SLUGS[slug]
    assert bindings.render(SLUGS[slug]) == slug
    other = Bindings({"identity.username": "anna2xy", "book.1.title": "A Tale", "book.2.title": "x"})
    assert "david" not in other.render(SLUGS[slug])


def test_punctuation_is_left_out_of_the_names_of_files() -> None:
    bindings = Bindings({"book.1.title": "Who's there? A Play, in 3 acts"})
    assert bindings.recognise("Whos_there_A_Play_in_3_acts.png") == "{{book.1.title.filename}}.png"


def test_a_word_beside_a_line_is_not_taken_for_a_value() -> None:
    bindings = Bindings({"book.1.title": "Emma", "identity.username": "annasmith"})
    for text in ("emma_form", "field_Emma", "on_annasmith_change"):
        assert bindings.recognise(text) == text


def test_a_whole_text_that_was_put_in_is_known_again_where_the_site_shows_it() -> None:
    bindings = Bindings({"identity.city": "Leeds", "book.1.price": "112.00", "identity.first_name": "Ann"})
    assert bindings.recognise("Delete Readers of Leeds") == "Delete Readers of Leeds"
    for template in (
        "Readers of {{identity.city}}",
        "{{book.1.price}} EUR",
        "{{identity.city}}",
        "{{secret.password}} it",
    ):
        bindings.recogniser.note_given(template)
    assert bindings.recognise("Delete Readers of Leeds (3)") == "Delete Readers of {{identity.city}} (3)"
    assert bindings.render(bindings.recognise("Readers of Leeds")) == "Readers of Leeds"
    for other in ("Reading lists of Leeds", "Readers of Leedsgate", "costs 112.00 EUR", "Leeds"):
        assert bindings.recognise(other) == other
    bindings.set("identity.city", "York")
    bindings.recogniser.note_given("Writers of {{identity.city}}")
    assert bindings.recognise("Readers of Leeds, Writers of York") == "Readers of Leeds, Writers of {{identity.city}}"


@pytest.mark.parametrize(
    ("address", "template"),
    [
        ("post /Readers%20of%20Bad%20T%C3%B6lz/save", "post /Readers%20of%20{{identity.city.quoted}}/save"),
        ("/all?of=Readers+of+Bad+T%C3%B6lz", "/all?of=Readers+of+{{identity.city.plus}}"),
        ("/Readers%20of%20Bad%20T%C3%B6lzer", "/Readers%20of%20Bad%20T%C3%B6lzer"),
        ("/Bad%20T%C3%B6lz", "/Bad%20T%C3%B6lz"),
    ],
)
def test_a_text_that_was_put_in_is_known_in_an_address_too(address: str, template: str) -> None:
    bindings = Bindings({"identity.city": "Bad Tölz"})
    bindings.recogniser.note_given("Readers of {{identity.city}}")
    assert bindings.recognise(address) == template
    assert bindings.shown(template) == address
