from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.canonical import canonical_json, content_hash, is_generated, map_strings, sha256, url_shape

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda children: st.lists(children) | st.dictionaries(st.text(), children),
    max_leaves=20,
)


@given(json_values)
def test_canonical_json_reads_back(value):
    assert json.loads(canonical_json(value)) == value


@given(json_values)
def test_canonical_json_has_one_form(value):
    text = canonical_json(value)
    assert canonical_json(json.loads(text)) == text


@given(st.dictionaries(st.text(), st.integers(), min_size=2))
def test_the_order_of_keys_does_not_count(value):
    turned = dict(reversed(value.items()))
    assert list(turned) != list(value)
    assert canonical_json(turned) == canonical_json(value)
    assert content_hash(turned) == content_hash(value)


def test_canonical_json_and_hashes_stay_the_same_in_later_versions():
    value = {"b": [1, 2.5, True, None], "a": 'é\n"', "A": {}}
    assert canonical_json(value) == '{"A":{},"a":"é\\n\\"","b":[1,2.5,true,null]}'
    assert content_hash(value) == "4154b74e1af6c806459a4a24a8e05744ccd7b9580a9b66c2f4998bf7e4d6d666"
    assert sha256(b"abc") == sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_is_not_json_is_refused(value):
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical_json([value])


@given(json_values)
def test_map_strings_keeps_the_shape(value):
    assert map_strings(value, lambda text: text) == value
    marked = map_strings(value, lambda text: "\0" + text)
    assert map_strings(marked, lambda text: text[1:]) == value


def test_map_strings_changes_values_not_keys():
    assert map_strings({"a": ["a", 1, {"a": "a"}]}, str.upper) == {"a": ["A", 1, {"a": "A"}]}


@pytest.mark.parametrize(
    "segment",
    [
        "0",
        "42",
        "018f3b1c-7a2e-7cc1-8a54-0123456789ab",
        "a1b2c3d4e5f60718",
        "edit-109",
        "aB3dE5fG7hI9jK1l",
        "mAcyKXNnJrKqvyxH",
        "SuFJVjvsneshMVFF",
        "018F3B1C-7A2E-7CC1-8A54-0123456789AB",
    ],
)
def test_minted_segments(segment):
    assert is_generated(segment)


@pytest.mark.parametrize(
    "segment",
    [
        "",
        "books",
        "edit",
        "top-ten",
        "deadbeef",
        "history",
        "second-hand-books",
        "Privacy-and-Conditions",
        "PrivacyAndConditionsOfUse",
        "WelcomeToTheUNHCRPage",
        "HTMLToPDFConverter",
        "REPORTSOVERVIEWALL",
        "internationalization",
        "v2",
        "page2",
    ],
)
def test_words_are_not_minted(segment):
    assert not is_generated(segment)


@pytest.mark.parametrize(
    ("url", "shape"),
    [
        ("http://127.0.0.1:8000/books/42/edit?sort=title", "/books/{id}/edit?sort=title"),
        ("/books/42", "/books/{id}"),
        ("/search?q=a&page=3", "/search?page={id}&q=a"),
        ("/search?page=3&q=a", "/search?page={id}&q=a"),
        ("/a?b&c=", "/a?b&c="),
        ("/books#reviews", "/books#reviews"),
        ("/books#42", "/books"),
        ("/#/books/42/edit?tab=7&by=me", "/#/books/{id}/edit?by=me&tab={id}"),
        ("/app#!/books/42", "/app#!/books/{id}"),
        ("/#//books/42", "/#//books/42"),
        ("", ""),
    ],
)
def test_url_shapes(url, shape):
    assert url_shape(url) == shape


@given(st.text(), st.text(st.characters(exclude_characters="?#"), max_size=30))
def test_a_shape_is_its_own_shape(host, path):
    shape = url_shape("/" + path.lstrip("/"))
    assert url_shape(shape) == shape


@given(st.integers(min_value=0), st.integers(min_value=0))
def test_minted_ids_do_not_change_a_shape(first, second):
    assert url_shape(f"/books/{first}/edit?back={first}") == url_shape(f"/books/{second}/edit?back={second}")
