"""URLs as templates: what a recording wrote is found again on another site."""

from __future__ import annotations

from urllib.parse import quote, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.bindings import Bindings
from simulator.browser.wire.server_values import UrlTemplates
from simulator.secrets import Vault

WORDS = st.text(st.characters(blacklist_categories=("Cs", "Cc"), blacklist_characters="{}"), min_size=1, max_size=12)
SEGMENTS = st.lists(st.one_of(WORDS, st.integers(1, 999).map(str)), min_size=1, max_size=5)
QUERIES = st.lists(st.tuples(WORDS, WORDS), max_size=3, unique_by=lambda pair: pair[0])
VALUES = {"identity.username": "anna.smith7", "book.1.title": "Crime & Punishment", "book.1.author": "F. Dostoevsky"}


def templates(**site: str) -> UrlTemplates:
    return UrlTemplates(Bindings(VALUES | {f"site.{name}": value for name, value in site.items()}))


@given(SEGMENTS, QUERIES)
def test_a_url_is_recognised_as_itself(segments: list[str], query: list[tuple[str, str]]) -> None:
    path = "/" + "/".join(quote(segment, safe="") for segment in segments)
    url = path + ("?" + urlencode(query) if query else "")
    template, generated = templates().write(url)
    assert templates().capture(template, url) == generated
    again = templates()
    again.capture(template, url)
    assert again.write(again.render(template))[0] == template


@given(st.integers(1, 10**6), st.integers(1, 10**6))
def test_a_minted_id_is_read_out_of_the_url_that_is_there_now(then: int, now: int) -> None:
    template, generated = templates().write(f"/books/{then}/edit")
    assert (template, generated) == ("/books/{{site.books_1}}/edit", {"site.books_1": str(then)})
    replaying = templates()
    assert replaying.capture(template, f"/books/{now}/edit") == {"site.books_1": str(now)}
    assert replaying.render("/books/{{site.books_1}}") == f"/books/{now}"


SECRETS = st.text(st.sampled_from("abcXYZ0189-_.!~ &+=?/#%é"), min_size=12, max_size=24)
SECRET_PLACES = ("/at/{}", "/at/{}/edit", "/at/x-{}/7", "/at?k={}", "/at?a=1&k=x{}", "/at#{}", "/app#/of/{}/7?k={}")


def vault(secret: str) -> Vault:
    return Vault(b"0123456789abcdef", scope="tests", given={"token": secret, "other": "qM4-wZ7!kT9_pL2x"})


def knowing(secret: str) -> UrlTemplates:
    return UrlTemplates(Bindings(VALUES), vault(secret).mask)


@given(SECRETS, SECRETS, st.sampled_from(SECRET_PLACES))
def test_a_secret_in_an_address_is_the_same_secret_whatever_its_value(then: str, now: str, place: str) -> None:
    kept = {secret: quote(secret, safe="") for secret in (then, now)}
    template, _ = knowing(then).write(vault(then).mask(place.replace("{}", kept[then])))
    assert "{{secret.token}}" in template
    assert knowing(now).capture(template, place.replace("{}", kept[now])) is not None
    if then != now:
        assert knowing(now).capture(template, place.replace("{}", kept[then])) is None


def test_another_secret_in_an_address_is_another_address() -> None:
    assert knowing("s3cret-of-the-site").capture("/at/{{secret.token}}", "/at/qM4-wZ7!kT9_pL2x") is None


@pytest.mark.parametrize(
    ("url", "template"),
    [
        ("/sellers/anna.smith7", "/sellers/{{identity.username}}"),
        ("/books?q=Crime%20%26%20Punishment", "/books?q={{book.1.title}}"),
        ("/books?q=Crime+%26+Punishment&page=2", "/books?q={{book.1.title}}&page=2"),
        ("/books?q=salt+%26+pepper", "/books?q=salt %26 pepper"),
        ("/titles/Crime%20%26%20Punishment", "/titles/{{book.1.title}}"),
        ("/orders?token=3f2a90bb12cd44ef", "/orders?token={{site.token_1}}"),
        ("/this-or-that/7#votes", "/this-or-that/{{site.this_or_that_1}}#votes"),
        ("/#/books/7/edit?by=anna.smith7", "/#/books/{{site.books_1}}/edit?by={{identity.username}}"),
        ("/app?tab=all#!/titles/Crime%20%26%20Punishment", "/app?tab=all#!/titles/{{book.1.title}}"),
        ("http://other.example/books/7", "http://other.example/books/{{site.books_1}}"),
    ],
)
def test_what_is_known_becomes_a_variable(url: str, template: str) -> None:
    assert templates().write(url)[0] == template
    assert templates().capture(template, url) is not None


@pytest.mark.parametrize(
    "place", ["/wiki/{}", "/wiki/{}/edit", "/index?title={}", "/index?title=Walks+of+{}&action=edit"]
)
@pytest.mark.parametrize("mark", ["%20", "_", "-"])
def test_a_site_may_join_the_words_of_a_value_in_an_address(place: str, mark: str) -> None:
    """The recorded user's was one word."""
    template = place.replace("{}", "{{book.1.title}}").replace("+", " ")
    title = "Crime%20%26%20Punishment"
    assert templates().capture(template, place.replace("{}", title.replace("%20", mark))) is not None
    for other in ("Crime%26Punishment", "Punishment%20%26%20Crime", f"{title}%20II"):
        assert templates().capture(template, place.replace("{}", other)) is None


def test_one_value_is_one_variable_and_one_noun_counts() -> None:
    urls = templates()
    written = [urls.write(f"/books/{number}")[0] for number in (5, 9, 5)]
    assert written == ["/books/{{site.books_1}}", "/books/{{site.books_2}}", "/books/{{site.books_1}}"]
    assert urls.write("/this-or-that/5")[0] == "/this-or-that/{{site.this_or_that_1}}"


def test_a_token_in_a_query_is_read_again() -> None:
    replaying = templates()
    assert replaying.capture("/orders?token={{site.token_1}}", "/orders?token=99aa90bb12cd44ef") == {
        "site.token_1": "99aa90bb12cd44ef"
    }
    assert replaying.render("/pay/{{site.token_1}}") == "/pay/99aa90bb12cd44ef"


@pytest.mark.parametrize("key", ["id", "book_id", "bookId", "pk", "ID"])
def test_a_number_that_is_called_an_id_is_read_out_of_the_query(key: str) -> None:
    template, generated = templates().write(f"/shop/view.php?{key}=42&page=2")
    (name, value), *others = generated.items()
    assert (value, others) == ("42", [])
    assert template == f"/shop/view.php?{key}={{{{{name}}}}}&page=2"
    replaying = templates()
    assert replaying.capture(template, f"/shop/view.php?page=2&{key}=57") == {name: "57"}
    assert replaying.render(template) == f"/shop/view.php?{key}=57&page=2"
    for other in (f"/shop/view.php?{key}=57&page=3", f"/shop/view.php?{key}=all&page=2", "/shop/view.php?page=2"):
        assert templates().capture(template, other) is None


def test_ids_of_other_pages_are_other_variables() -> None:
    urls = templates()
    book, seller = urls.write("/book/view.php?id=4")[0], urls.write("/seller/view.php?id=4")[0]
    assert book.partition("=")[2] != seller.partition("=")[2]
    assert urls.write("/book/view.php?id=4") == (book, {})


def test_a_minted_id_is_read_out_of_a_hash_route() -> None:
    template, generated = templates().write("/#!/books/42/of/42?back=7")
    assert generated["site.books_1"] == "42"
    replaying = templates()
    assert replaying.capture(template, "/#!/books/57/of/57?back=7") == {"site.books_1": "57", "site.of_1": "57"}
    assert replaying.render("/#!/books/{{site.books_1}}") == "/#!/books/57"
    for other in ("/#!/books/57", "/#/books/57/of/57?back=7", "/#!/books/new/of/57?back=7", "/"):
        assert templates().capture(template, other) is None


@pytest.mark.parametrize(
    "url",
    [
        "/books",
        "/books/7",
        "/books/7/edit/x",
        "/sellers/7/edit",
        "/books/7/edit?page=2",
        "/books/7/edit#top",
        "/books//edit",
    ],
)
def test_another_shape_is_not_captured(url: str) -> None:
    assert templates().capture("/books/{{site.books_1}}/edit", url) is None


def test_another_things_page_is_not_captured() -> None:
    replaying = templates(books_1="42")
    assert replaying.capture("/books/{{site.books_1}}", "/books/57") is None
    assert replaying.render("{{site.books_1}}") == "42"
    assert replaying.capture("/books/{{site.books_1}}/to/{{site.books_1}}", "/books/42/to/57") is None


def test_what_a_choice_leads_to_has_a_variable_of_its_own_as_long_as_one_stays_with_it() -> None:
    urls = templates()
    urls.variables.depart("/", choosing=False)
    assert urls.write("/books/42")[0] == "/books/{{site.books_1}}"
    urls.variables.depart("/books", choosing=True)
    assert urls.write("/books/42") == ("/books/{{site.books_2}}", {"site.books_2": "42"})
    urls.variables.depart("/books/{{site.books_2}}", choosing=False)
    assert urls.write("/books/42/write") == ("/books/{{site.books_2}}/write", {})
    urls.variables.depart("/messages", choosing=False)
    assert urls.write("/books/42") == ("/books/{{site.books_3}}", {"site.books_3": "42"})
    urls.variables.depart("/books", choosing=False)
    assert urls.write("/books/42") == ("/books/{{site.books_3}}", {})


def test_who_chooses_among_the_things_of_one_stays_with_that_one() -> None:
    urls = templates()
    assert urls.write("/shelves/7")[0] == "/shelves/{{site.shelves_1}}"
    urls.variables.depart("/shelves/{{site.shelves_1}}", choosing=True)
    assert urls.write("/shelves/7/books/42")[0] == "/shelves/{{site.shelves_1}}/books/{{site.books_1}}"


def test_an_address_that_names_what_was_chosen_leads_on_with_it() -> None:
    urls = templates()
    urls.variables.depart("/books", choosing=True)
    template, _ = urls.write("/books/42")
    urls.variables.depart("/inbox", choosing=False)
    assert urls.write("/inbox") == ("/inbox", {})
    assert urls.variables.leads_on(template)
    assert not urls.variables.leads_on("/books/{{site.books_9}}")
    urls.variables.depart(f"/inbox {template}", choosing=False)
    assert urls.write("/books/42") == (template, {})


def test_an_expected_url_gets_the_recorded_names() -> None:
    replaying = templates()
    replaying.variables.reserve(["site.books_1", "site.books_2"])
    replaying.expect("/books/{{site.books_2}}")
    assert replaying.write("/books/88") == ("/books/{{site.books_2}}", {"site.books_2": "88"})
    assert replaying.write("/books/88") == ("/books/{{site.books_2}}", {})
    replaying.expect(None)
    assert replaying.write("/books/90") == ("/books/{{site.books_3}}", {"site.books_3": "90"})


def test_two_actors_of_a_run_never_share_a_name() -> None:
    shared = Bindings(VALUES)
    seller, buyer = UrlTemplates(shared), UrlTemplates(shared)
    assert seller.write("/books/5")[0] == "/books/{{site.books_1}}"
    assert buyer.write("/books/9")[0] == "/books/{{site.books_2}}"
    assert seller.render("/books/{{site.books_1}}") == "/books/5"


def test_a_word_is_no_minted_value() -> None:
    assert templates().capture("/books/{{site.books_1}}", "/books/new") is None
    assert templates().capture("/books/{{site.books_1}}", "/books/42") == {"site.books_1": "42"}


def test_an_address_that_another_actor_was_shown_is_the_same_thing_to_who_visits_it() -> None:
    bindings = Bindings({"user.2.site.books_1": "57"})
    seller, buyer = UrlTemplates(bindings), UrlTemplates(bindings)
    assert seller.write("/books/91")[0] == "/books/{{site.books_1}}"
    assert buyer.write("/books/91/message", visited=True) == ("/books/{{site.books_1}}/message", {})
    assert buyer.write("/books/57", visited=True)[0] == "/books/{{user.2.site.books_1}}", "another user's"
    assert buyer.write("/orders/57", visited=True)[0] == "/orders/{{site.orders_1}}", "another thing"
    assert buyer.write("/books/91")[0] == "/books/{{site.books_2}}", "come to on a way of its own"

    now = Bindings({"user.2.site.books_1": "8", "site.books_1": "9"})
    assert UrlTemplates(now).render("/books/{{user.2.site.books_1}}") == "/books/8"
    assert UrlTemplates(now).capture("/books/{{user.2.site.books_1}}", "/books/8") == {}
    assert UrlTemplates(now).capture("/books/{{user.2.site.books_1}}", "/books/9") is None


def test_a_telling_value_is_the_same_wherever_the_site_shows_it() -> None:
    bindings = Bindings({"site.order_number_1": "LMP-48213", "site.page_1": "57"})
    assert UrlTemplates(bindings).write("/orders/LMP-48213")[0] == "/orders/{{site.order_number_1}}"
    assert UrlTemplates(bindings).write("/orders/57")[0] == "/orders/{{site.orders_1}}"


@pytest.mark.parametrize(
    ("url", "template"),
    [
        ("/books/crime-punishment-3f9a/edit", "/books/{{book.1.title.slug}}-{{site.books_1}}/edit"),
        ("/books/crime-punishment-2024", "/books/{{book.1.title.slug}}-{{site.books_1}}"),
        ("/notes/spring-cleaning-9k2b", "/notes/spring-cleaning-{{site.notes_1}}"),
        ("/archive/summer-sale-2024", "/archive/summer-sale-2024"),
        ("/books/crime-punishment", "/books/{{book.1.title.slug}}"),
    ],
)
def test_a_slug_may_end_in_what_the_site_minted(url: str, template: str) -> None:
    assert templates().write(url)[0] == template
    other = UrlTemplates(Bindings({**VALUES, "book.1.title": "Emma"}))
    now = (
        url.replace("crime-punishment", "emma").replace("3f9a", "77b0").replace("9k2b", "1c1c").replace("2024", "2031")
    )
    captured = other.capture(template, now)
    assert (captured is None) == ("summer" in url)
    assert captured is None or all(value in now for value in captured.values())
