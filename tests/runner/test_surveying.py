"""What a first look at a site makes of addresses, names, patterns and strangers' texts."""

from __future__ import annotations

import re
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.domain.data.faking import fake
from simulator.domain.data.making import Fake, Made
from simulator.runner.surveying.addresses import parent_of, plain, shape_of, why_not
from simulator.runner.surveying.naming import free, one_of, thing_name
from simulator.runner.surveying.patterns import made_by
from simulator.runner.surveying.toml_text import comment, in_a_line, quoted, value


@pytest.mark.parametrize(
    ("words", "address"),
    [
        ("Log out", "/account"),
        ("Abmelden", "/konto"),
        ("", "/logout"),
        ("", "/users/sign_out"),
        ("Leave", "/session/logoff"),
        ("Löschen", "/tickets/4"),
        ("x", "/tickets/4/delete"),
        ("x", "/tickets/delete?id=4"),
        ("x", "/issue4?@action=retire"),
        ("x", "/?do=empty_bin"),
        ("x", "/items/4/upvote"),
        ("x", "/cart/add/4"),
        ("x", "/lang/fr"),
        ("x", "/invite/WyJkZW1vIl0.Xky3jL6m7fAfTiVROMw7OMyDsk8"),
        ("Pin", "/notes/2/pin?token=b596b520b9548df2cca5a26ab035a87ea85bb3c0"),
        ("Pin", "/notes/2/pin?sesskey=Qx7f2LmP0d"),
        ("Pin", "/notes/2?_nonce=284b967694"),
        ("Pin", "/notes/2/pin?csrf={{secret.address_csrf}}"),
        ("Share", "/notes/2/share?k=b596b520b9548df2cca5a26ab035a87ea85bb3c0"),
        ("x", "/report.pdf"),
        ("Publish", "/topic/publish/"),
        ("Create topic", "/topic/4/publish/"),
        ("Create a backup", "/backup/execute"),
        ("x", "https://elsewhere.example/"),
        ("x", "//elsewhere.example/"),
        ("x", "mailto:anna@example.org"),
    ],
)
def test_a_link_that_may_do_something_is_not_followed(words: str, address: str) -> None:
    assert why_not(words, address)


@pytest.mark.parametrize(
    ("words", "address"),
    [
        ("New ticket", "/tickets/new"),
        ("Create topic", "/topic/publish/"),
        ("Edit", "/tickets/4/edit"),
        ("Ticket 4", "/tickets/4"),
        ("All", "/issue?@action=search&status=1"),
        ("Ticket", "/tickets/0b2f8f6e-8a52-4a3e-9d56-0f4f3a1f7f10"),
        ("Closed tickets", "/tickets?status=open"),
        ("Ticket", "/tickets?id=0b2f8f6e-8a52-4a3e-9d56-0f4f3a1f7f10"),
        ("Next", "/tickets?page=2&per_page=50"),
        ("Route", "/#/tickets/new"),
        ("Nachrichten", "/nachrichten"),
    ],
)
def test_a_link_that_reads_is_followed(words: str, address: str) -> None:
    assert why_not(words, address) == ""


@pytest.mark.parametrize(
    ("address", "shape"),
    [
        ("/tickets/41/edit", "/tickets/{id}/edit"),
        ("/issue12", "/issue{id}"),
        ("/catalogue/the-moonstone_1/", "/catalogue/{id}/"),
        ("/tickets?page=2", "/tickets?page={id}"),
    ],
)
def test_pages_of_one_kind_have_one_shape(address: str, shape: str) -> None:
    assert shape_of(address) == shape


def test_an_address_is_written_without_what_the_site_passes_on() -> None:
    token = "Zx8kQ1pW7vB3nM5cR9tY2uI4"
    assert plain(f"/new?kind=bug&token={token}&next=/home#top") == "/new?kind=bug"
    assert plain("/leave?do=it&_formnonce=284b967694") == "/leave?do=it"
    assert plain("/issue?@template=item") == "/issue?@template=item"
    assert plain("/app#/tickets/new") == "/app#/tickets/new"


@pytest.mark.parametrize(
    ("address", "above"),
    [("/tickets/new", "/tickets"), ("/tickets/new/", "/tickets/"), ("/issue?a=b", "/issue"), ("/new", "/"), ("/", "/")],
)
def test_the_address_above(address: str, above: str) -> None:
    assert parent_of(address) == above


@pytest.mark.parametrize(
    ("address", "texts", "name"),
    [
        ("/tickets/new", (), "ticket"),
        ("/issue?@template=item", (), "issue"),
        ("/admin/blog/category/add/", (), "category"),
        ("/projects/41/tasks/new", (), "task"),
        ("/demo/add", ("Add a new bill",), "bill"),
        ("/app#/", ("Neue Rechnung",), "rechnung"),
        ("/", ("新規作成",), "thing"),
        ("/", ("Please tell us what we can do for you today",), "thing"),
        ("/news/add", (), "news"),
        ("/topic/publish/", (), "topic"),
        ("/newticket", ("Neues Ticket",), "ticket"),
        ("/newts", ("Newts of the pond",), "newt"),
    ],
)
def test_a_thing_is_called_by_its_address_or_else_by_words(address: str, texts: tuple[str, ...], name: str) -> None:
    assert thing_name(address, {"demo"}, *texts) == name


@pytest.mark.parametrize(
    ("several", "one"),
    [("tickets", "ticket"), ("categories", "category"), ("boxes", "box"), ("status", "status"), ("class", "class"),
     ("addresses", "address"), ("news", "news"), ("bus", "bus"), ("gas", "gas")],
)  # fmt: skip
def test_several_become_one_where_that_is_safe(several: str, one: str) -> None:
    assert one_of(several) == one


def test_no_name_is_given_twice() -> None:
    taken: set[str] = set()
    assert [free("ticket", taken) for _ in range(3)] == ["ticket", "ticket_2", "ticket_3"]


@pytest.mark.parametrize(
    "pattern",
    [
        r"[A-Z]{2}-[0-9]{4}",
        r"\d{5}",
        "[a-z]+",
        r"[A-Z0-9]{8}",
        r"^\d{3}-\d{2}$",
        r"AB[0-9]{3}",
        r"\d{1,3}",
        "[a-z0-9_-]+",
        r"[-\w]+",
        "[A-Za-z_]{3,9}",
        r"[\dA-F]{4}",
    ],
)
def test_values_that_are_made_fit_the_pattern(pattern: str) -> None:
    made = Made.read(made_by(pattern))
    for seed in range(20):
        text = "".join(
            str(fake("en_GB", one.provider, one.args, dict(one.kwargs), seed=seed)) if isinstance(one, Fake) else one
            for one in made.pieces
            if isinstance(one, Fake | str)
        )
        assert re.fullmatch(pattern.removeprefix("^").removesuffix("$"), text), text


@pytest.mark.parametrize("pattern", ["(?:a|b)+", ".*", "[", "[^0-9]{3}", r"\d{1000}", "a|b", ""])
def test_a_pattern_that_says_more_is_left_to_people(pattern: str) -> None:
    assert made_by(pattern) == ""


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_of_a_page_is_read_back_from_toml(text: str) -> None:
    line = f"key = {quoted(text)}"
    assert line.count("\n") == 0
    assert tomllib.loads(line)["key"] == text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_of_a_page_stays_in_its_comment(text: str) -> None:
    said = f"{comment(text)}\n{comment(text, question=True)}\nkey = 1"
    assert said.count("\n") == 2
    assert tomllib.loads(said) == {"key": 1}
    assert in_a_line(text).isprintable()


def test_a_value_of_any_kind_is_read_back() -> None:
    said = {"a b": [True, 2, "x\ny", {"c": 1.5}], "d": {}}
    assert tomllib.loads(f"key = {value(said)}") == {"key": said}


def test_nobodys_address_is_in_a_comment() -> None:
    assert in_a_line("written by anna.verdi@privata.example today") == "written by (an e-mail address) today"
