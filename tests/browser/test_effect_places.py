"""Which place of a document shows what was put in, which is tied to what was written, and which says otherwise."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from simulator.addresses import asks_for
from simulator.browser.effects.asking import asked_of
from simulator.browser.effects.displaced import another
from simulator.browser.effects.echoes import Echoes
from simulator.browser.effects.lasting import Lasting
from simulator.browser.effects.met import History
from simulator.browser.effects.model import Write
from simulator.browser.effects.places import Thing, look
from simulator.browser.effects.spots import Card, Reading, Spot
from simulator.browser.effects.user_input import UserInput, telling
from simulator.browser.effects.watched import Watched

SITE = "http://127.0.0.1:8000"


def put(value: str, *names: str, kind: Any = "text", form: str = "post /new") -> UserInput:
    return UserInput("a", kind, (value,), names or ("Price", "price"), "price", form)


def spot(text: str, *labels: str, kind: str = "text", card: int = -1, **given: Any) -> Spot:
    return Spot(kind, text, (), labels, card, given.pop("says", False), kind == "field", **given)


def reading(*spots: Spot, url: str = "/things/41", cards: tuple[Card, ...] = ()) -> Reading:
    return Reading("d", SITE + url, spots, cards)


THING = Thing(names=frozenset({"41"}), own=("Ada Moor",), others=("Border spade with ash handle",))


@pytest.mark.parametrize(
    ("value", "place", "seen"),
    [
        ("21.00", spot("21,00 €", "Price"), True),
        ("21.00", spot("Price: £21", "facts"), True),
        ("21.00", spot("The 21.00 train leaves late, as ever"), True),  # at the page of the thing
        ("5", spot("5 people like this"), False),
        ("5", spot("5", "Price"), True),
        ("21.00", spot("121.00", "Price"), False),
        ("Anna", spot("Anna is here, and so are others"), False),
        ("Anna", spot("Anna"), True),
        ("yes", spot("yes"), False),
        ("舞姫", spot("舞姫"), True),
        ("舞姫", spot("舞姫を読む"), False),
    ],
)
def test_a_short_value_counts_where_its_place_is_called_so_or_says_nothing_else(
    value: str, place: Spot, seen: bool
) -> None:
    assert bool(look(put(value), reading(place), THING)) is seen


@pytest.mark.parametrize(
    ("name", "said", "seen"),
    [
        ("Days", "For 3 days from Monday", True),
        ("Days", "Only 3 day passes are left", True),  # in one and in several
        ("Number of guests", "3 guests, 2 nights", True),
        ("Anzahl Personen", "Tisch für 3 Personen", True),
        ("Days", "For 13 days", False),
        ("Days", "For 2.3 days", False),
        ("Days", "3 dahlias", False),
        ("Days", "In room 3", False),
        ("Nights", "For 3 days", False),
    ],
)
def test_a_number_before_what_its_field_is_called_counts_at_the_page_of_the_thing(
    name: str, said: str, seen: bool
) -> None:
    assert bool(look(put("3", name), reading(spot(said)), THING)) is seen
    assert not look(put("3", name), reading(spot(said), url="/things"), THING)


@pytest.mark.parametrize("value", ["21.00", "Anna"])
def test_elsewhere_a_value_that_does_not_tell_counts_in_a_place_of_its_name_alone(value: str) -> None:
    elsewhere = reading(spot(value), url="/news")
    assert look(put(value), elsewhere, THING) == []
    (found,) = look(put(value), reading(spot(value, "Price"), url="/news"), THING)
    assert not found.keyed


def test_a_field_of_a_search_and_an_alert_prove_nothing() -> None:
    searched = spot("Border spade with ash handle", "Search", kind="field", searches=True)
    value = put("Border spade with ash handle", "Title")
    assert look(value, reading(searched), THING) == []
    (found,) = look(value, reading(spot("Kept: Border spade with ash handle", says=True)), THING)
    assert found.spot.says
    assert asks_for(f"{SITE}/done?title=Border+spade+with+ash+handle", value.spellings[0])


@pytest.mark.parametrize(
    ("card", "tied"),
    [
        (Card(("/things/41",), "Border spade", -1), True),
        (Card(("41",), "Border spade", -1), True),
        (Card(("/things/7",), "Border spade", -1), False),
        (Card((), "Border spade with ash handle, of Ada Moor", -1), True),
        (Card((), "Something else of Ada Moor", -1), False),
        (Card((), "Border spade with ash handle, of somebody", -1), False),
    ],
)
def test_a_card_is_tied_by_an_id_or_by_the_user_and_another_input(card: Card, tied: bool) -> None:
    (found,) = look(put("21.00"), reading(spot("21.00", "Price", card=0), url="/things", cards=(card,)), THING)
    assert found.keyed is tied


@pytest.mark.parametrize(
    ("key", "tied"),
    [
        ("/things?maker=41", False),
        ("/things?maker__id__exact=41&q=", False),
        ("/things?makers=41", True),
        ("/things?thing=41", True),
        ("/things/41?maker=2", True),
        ("/things?maker=2#41", True),
    ],
)
def test_a_filter_by_an_option_of_its_form_is_not_of_the_thing_with_that_number(key: str, tied: bool) -> None:
    thing = replace(THING, lists=frozenset({"maker"}))
    page = reading(spot("Eppendorf", "By maker", card=0), url="/things", cards=(Card((key,), "Eppendorf", -1),))
    assert [found.keyed for found in look(put("Eppendorf", "Maker"), page, thing)] == [True] * tied


@pytest.mark.parametrize(
    ("name", "around", "before", "tied"),
    [
        ("48213", "comment-48213", frozenset({"comment-48213"}), True),
        ("48213", "comment-48214", frozenset(), False),
        ("48213", "text-48214 comment-48213", frozenset(), True),
        ("48213", "comment-48214 comment-48213", frozenset(), False),
        ("1", "isso-1", frozenset({"isso-thread"}), True),
        ("1", "tab-1", frozenset({"tab-1"}), False),
        ("1", "tab-1", None, False),
        ("1", "1", None, True),
        ("1", "field-0-1", frozenset(), False),
    ],
)
def test_an_element_that_is_called_after_the_thing_ties_what_it_holds(
    name: str, around: str, before: frozenset[str] | None, tied: bool
) -> None:
    thing = Thing(names=frozenset({name}), given={} if before is None else {name: before})
    (found,) = look(put("21.00"), reading(spot("21.00", "Price", within=tuple(around.split())), url="/all"), thing)
    assert found.keyed is tied


def test_what_the_browser_itself_keeps_only_says_how_something_went() -> None:
    page = reading(spot("21.00", "Price", kind="field", stored=True), spot("21.00", "Price")).without_stored()
    assert [one.says for one in page.spots] == [True, False]


def test_on_the_page_of_a_thing_the_card_of_another_one_is_not_tied() -> None:
    beside = Card(("/things/7",), "Old rake", -1)
    page = reading(spot("3.00", "Price", card=0), cards=(beside,))
    assert another(put("21.00"), page, THING, "Price") is None
    assert another(put("21.00"), reading(spot("3.00", "Price")), THING, "Price") == "3.00"


def test_a_form_that_was_sent_is_tied_on_a_later_document() -> None:
    thing = Thing(forms=frozenset({"post /settings"}))
    field = spot("21.00", "Price", kind="field", form="post /settings")
    (found,) = look(put("21.00"), reading(field, url="/settings"), thing)
    assert (found.keyed, found.by) == (True, "field")
    (other,) = look(put("21.00"), reading(spot("21.00", "Price", kind="field", form="post /other"), url="/o"), thing)
    assert not other.keyed


@pytest.mark.parametrize("address", ["http://[", "//[::x]/things/41", "\ud83d/41", "#/things/41", "?id=41&&=", "41"])
def test_whatever_a_page_writes_into_a_link_is_read(address: str) -> None:
    card = Card((address,), "Border spade", -1)
    assert look(put("21.00"), reading(spot("21.00", "Price", card=0), url="/things", cards=(card,)), THING)


def test_absence_is_no_contradiction() -> None:
    for place in (spot("", "Price"), spot("–", "Price"), spot("3.00", "Weight"), spot("3.00", "Price", says=True)):
        assert another(put("21.00"), reading(place), THING, "Price") is None


def test_a_page_is_asked_for_what_any_spelling_holds() -> None:
    asked = asked_of([put("1,234.50"), put("Border spade", "Title of it"), put("23 Nov 2026", "When")])
    assert asked_of([put("舞姫"), put("It", "Title"), put("M5", "Title")])["words"] == ["5", "it", "舞姫"]
    assert asked == {
        "words": ["1234"[-2:], "border", "nov"],
        "names": ["price", "titleofit", "when"],
        "pictures": False,
        "files": [],
    }


def test_what_stands_in_another_field_of_the_same_write_was_put_in_there() -> None:
    """A short value stands by chance beside the name of another field: that it was kept says nothing of this one."""
    thing = Thing(names=frozenset({"41"}), fields=(("Weight", "weight"), ("Price", "price")))
    price = UserInput("a", "text", ("100",), ("Price", "price"), "price", "post /new")
    assert look(price, reading(spot("100", "Weight")), thing) == []
    assert look(price, reading(spot("100", "Price")), thing)


def test_a_text_is_shown_where_it_stands_letter_by_letter_and_another_spelling_of_it_is_not() -> None:
    title, address = put("Old harbour wood", "Title"), put("old-harbour-wood", "Address")
    thing = Thing(names=frozenset({"41"}), texts=("Old harbour wood", "old-harbour-wood"))
    there = reading(spot("Old harbour wood"), spot("OLD HARBOUR WOOD"), spot("old-harbour-wood"))

    assert [found.spot.text for found in look(title, there, thing)] == ["Old harbour wood", "OLD HARBOUR WOOD"]
    assert [found.spot.text for found in look(address, there, thing)] == ["old-harbour-wood", "OLD HARBOUR WOOD"]

    older = replace(thing, by_spelling=False)
    assert len(look(address, there, older)) == 3


def test_a_class_calls_a_place_only_where_that_is_tied() -> None:
    title = put("5", "Title", "title")
    marked = spot("5", marks=("title",))
    assert look(title, reading(marked, url="/news"), THING) == []
    (found,) = look(title, reading(marked), THING)
    assert found.keyed


def test_a_word_that_was_chosen_counts_only_where_it_is_called_as_its_field_is() -> None:
    """Whom an issue was given to may have written it, too: the name stands on its page whatever was kept."""
    by = replace(spot("Reported by admin"), parts=("Reported by", "admin"))
    typed, chosen = put("admin", "Given to", "owner"), put("admin", "Given to", "owner", kind="choice")
    assert look(typed, reading(by), THING)
    assert look(chosen, reading(by), THING) == []
    assert look(chosen, reading(spot("admin", "Given to")), THING)


def test_of_two_things_that_are_called_alike_neither_is_tied() -> None:
    mine = Card((), "Border spade with ash handle, of Ada Moor", -1)
    place = spot("21.00", "Price", card=0)
    (one,) = look(put("21.00"), reading(place, url="/things", cards=(mine,)), THING)
    (twin,) = look(put("21.00"), reading(place, url="/things", cards=(mine, mine)), THING)
    assert (one.keyed, twin.keyed) == (True, False)


def test_what_says_nothing_of_a_write_is_not_counted() -> None:
    def field(name: str, text: str, kind: Any = "text", **more: Any) -> UserInput:
        return UserInput(name, kind, (text,), (name,), name, "post /join", **more)

    email, again = field("email", "ada@moor.example"), field("confirm_email", "ada@moor.example")
    terms, news = field("terms", "yes", "tick", required=True), field("news", "yes", "tick")
    city, place = field("city", "Leeds"), field("birthplace", "Leeds")
    counted = telling([email, again, terms, news, city, place], ("ada",), 0)
    assert counted == (email, news, city, place)
    name = field("name", "ada")
    assert telling([name, news], ("ada",), 1) == ()
    assert telling([field("name", "ada"), email, again, terms], ("ada", "ada@example.org"), 1) == (name, email)


def test_a_session_proves_of_an_account_only_what_it_was_opened_with() -> None:
    name, email, note = put("ada", "name"), put("ada@moor.example", "email"), put("ada", "title")
    echoes = Echoes(History(), str, lambda: (), Lasting(str), str)
    write = Write(0, "b", "document", "POST", "/account", "", 303, "/", ())
    account, noted = (
        Watched(write, inputs, THING, frozenset(), 0, counted=inputs, secret=secret)
        for inputs, secret in (((name, email), True), ((note,), False))
    )
    echoes.watched = [account, noted]
    echoes.have_session((name,))
    assert (account.counted, noted.counted) == ((email,), (note,))


@pytest.mark.parametrize(
    ("before", "now", "counts"),
    [
        ("/cover/2/og?c=17", "/cover/2/og?c=18", False),  # a placeholder is asked for anew, too
        ("/cover/none.png", "/cover/2.png", True),
        ("data:image/png;base64,A?", "data:image/png;base64,B?", True),
    ],
)
def test_a_picture_at_an_address_that_was_there_before_is_none_that_was_put_there(
    before: str, now: str, counts: bool
) -> None:
    history = History()
    history.meet(f"{SITE}/things/41", {"pictures": [before], "tokens": [], "ids": [], "named": [], "text": ""})
    echoes = Echoes(history, str, lambda: (), Lasting(str), str)
    cover = put("cover.jpg", "Cover", kind="file")
    write = Write(0, "b", "document", "POST", "/things/41", "", 303, "/things/41", ())
    watched = Watched(write, (cover,), THING, frozenset(), history.count)
    shown = Spot("picture", now, (now,), (), -1, False, False)
    assert bool(echoes.found(watched, cover, reading(shown))) is counts


@pytest.mark.parametrize(
    ("goal", "its", "others"),
    [
        ("/thing?id=9", "/thing?id=9", "/thing?id=10"),  # the path says nothing of the thing
        ("/thing?id=spade", "/thing?id=spade", "/thing?id=rake"),
        ("/things/41?from=list", "/things/41?from=home", "/things/42?from=list"),
        ("/border-spade-with-ash-handle?from=list", "/border-spade-with-ash-handle", "/rake?from=list"),
    ],
)
def test_a_link_that_is_called_as_the_thing_leads_to_its_page_alone(goal: str, its: str, others: str) -> None:
    thing = Thing(others=("Border spade with ash handle",))
    listed = reading(spot("Border spade with ash handle", links=(("Border spade with ash handle", goal),)), url="/list")
    thing = replace(thing, paths=frozenset(thing.named_by(listed)))
    assert (thing.is_page(SITE + its), thing.is_page(SITE + others)) == (True, False)
    before = replace(thing, by_words=False)
    assert before.named_by(listed) == {goal.partition("?")[0]}, "an older recording knew it by the path"


def test_a_link_that_only_a_script_follows_makes_its_document_no_page_of_the_thing() -> None:
    thing = Thing(others=("Border spade with ash handle",))
    listed = reading(spot("Border spade with ash handle", links=(("Border spade with ash handle", "/list#"),)), url="/")
    assert thing.named_by(listed) == set()
    assert replace(thing, by_goals=False).named_by(listed) == {"/list"}, "an older recording knew it by that"


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("/things#5LlN-w", "/things#WkUr_A", True),
        ("/things", "/things#WkUr_A", True),
        ("/#/things", "/#/crews", False),
        ("/things?page=2", "/things", True),
        ("/things/41", "/things", False),
    ],
)
def test_a_place_in_a_page_makes_it_no_other_page(one: str, other: str, alike: bool) -> None:
    assert Lasting.are_alike(one, other) is alike
