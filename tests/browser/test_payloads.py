"""What requests and answers in JSON say: parts by name, operations, and refusals."""

from __future__ import annotations

from typing import Any

import pytest

from simulator.browser.effects.sent.answers import refuses
from simulator.browser.effects.sent.payloads import only_asks, operation_of, parts_of

SAVE = {"query": 'mutation Save { save(title: "Border \\"spade\\"", copies: 5, id: $id) { id } }'}
ASK = {"operationName": "All", "query": "query All { all { id } }"}


@pytest.mark.parametrize(
    ("value", "parts"),
    [
        ({"data": {"title": "a", "tags": ["b"], "none": None}}, [("data.title", "a"), ("data.tags.0", "b")]),
        ([{"op": "replace", "path": "/place/0", "value": 5}], [("place.0", "5")]),
        ([{"op": "remove", "path": "/place"}], []),
        ([{"op": "seen", "at": "x"}], [("0.op", "seen"), ("0.at", "x")]),
        ({"query": "a: 5"}, [("query", "a: 5"), ("a", "5")]),
    ],
)
def test_each_part_has_a_name(value: Any, parts: list[tuple[str, str]]) -> None:
    assert list(parts_of(value)) == parts


def test_what_stands_in_a_query_is_a_part() -> None:
    assert parts_of(SAVE)[1:] == (("title", 'Border "spade"'), ("copies", "5"))


@pytest.mark.parametrize(
    ("value", "operation"),
    [
        (SAVE, "Save"),
        ([ASK, SAVE], "Save"),
        ([SAVE, {"operationName": "Seen", "query": "mutation Seen { seen }"}], "Save Seen"),
        (ASK, None),
        ({"query": "border spade"}, ""),
        ([{"title": "a"}, SAVE], ""),
    ],
)
def test_operations_are_named(value: Any, operation: str | None) -> None:
    assert operation_of(value) == operation


@pytest.mark.parametrize(
    ("answer", "refused"),
    [
        ({"errors": [{"message": "no"}]}, True),
        ({"errors": [{"message": "no"}], "data": None}, True),
        ({"errors": [{"message": "no"}], "data": {"save": None}}, True),
        ({"errors": [{"message": "no avatar"}], "data": {"save": {"id": 4}}}, False),
        ({"data": {"save": {"__typename": "Saved", "note": None, "userErrors": [{"message": "no"}]}}}, True),
        ({"data": {"save": {"note": {"id": 4}, "userErrors": []}}}, False),
        ({"data": {"save": {"ok": True}}}, False),
        ({"data": {"save": None}}, False),
        ({"error": {"message": "no"}}, True),
        ({"errors": []}, False),
        ({"id": 4}, False),
        ([{"errors": ["no"]}], False),
        ("no", False),
    ],
)
def test_an_answer_that_gives_nothing_but_errors_refuses(answer: Any, refused: bool) -> None:
    assert refuses(answer) is refused


@pytest.mark.parametrize(
    ("body", "asks"),
    [
        (b'{"query": "query Things { things { id } }"}', True),
        (b'{"query": "mutation Drop { drop(id: 3) { id } }"}', False),
        (b'[{"query": "{ things { id } }"}, {"query": "mutation { drop(id: 3) { id } }"}]', False),
        (b'{"title": "Oak shelf"}', False),
        (b"title=Oak+shelf", False),
        (b"\xff\xfe", False),
        (b"", False),
    ],
)
def test_only_a_query_of_graphql_only_asks(body: bytes, asks: bool) -> None:
    assert only_asks(body) is asks
