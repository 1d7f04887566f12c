"""What a page says on a socket is taken apart in each usual format, and heartbeats are told from what saves a form."""

from __future__ import annotations

import json
import re

import pytest

from simulator.browser.effects.sent.sockets import Message, asks_only, names_beside, parts_of, spells

TEXT = "Green bicycle & bell"
NOTE = {"note": {"text": TEXT, "rank": 3}}
NAMES = re.compile("^id$")


@pytest.mark.parametrize(
    ("message", "name"),
    [
        (json.dumps(NOTE), "note.text"),
        ("42" + json.dumps(["save", NOTE]), "1.note.text"),
        ("42/board,7" + json.dumps(["save", NOTE]), "1.note.text"),
        (json.dumps({"type": 1, "target": "Save", "arguments": [NOTE]}) + "\x1e", "arguments.0.note.text"),
        (f"SEND\ndestination:/app/save\n\n{json.dumps(NOTE)}\x00", "note.text"),
        (json.dumps({"command": "message", "data": json.dumps(NOTE)}), "data.note.text"),
        (json.dumps([json.dumps(NOTE)]), "0.note.text"),
        (json.dumps(["4", "9", "lv:1", "event", {"value": "note=1&text=Green+bicycle+%26+bell"}]), "4.value.text"),
        ("text=Green+bicycle+%26+bell&rank=3", "text"),
    ],
    ids=["json", "socket.io", "namespace", "signalr", "stomp", "actioncable", "sockjs", "liveview", "form"],
)
def test_a_part_has_its_name_in_every_format(message: str, name: str) -> None:
    assert (name, TEXT) in parts_of(message)


def test_of_an_unknown_format_whole_words_count() -> None:
    message = f"\x01\x07save\x02{TEXT}\x03"
    assert parts_of(message)[0][0] == ""
    assert spells(message, [TEXT])
    assert not spells(f"{TEXT}s", [TEXT])
    assert not spells("a bed", ["bed"]), "short"


def test_kinds_of_messages_are_told_apart_by_what_stands_where() -> None:
    def kind(value: object) -> str:
        return Message.of("ws://h/live?csrf=1", "http://h/", json.dumps(value)).kind

    assert kind(["hb", 17]) == kind(["hb", 18])
    assert kind(["hb", 17]) != kind({"event": "save", "data": {"text": TEXT}})
    assert Message.of("wss://h/live?csrf=1", "https://h/", b"\xff").url == "https://h/live"


def test_an_answer_names_the_thing_in_which_it_repeats_what_was_put_in() -> None:
    answer = json.dumps({"id": 1, "all": [{"id": 7, "text": "Another's"}, {"id": 8, "text": TEXT}]})
    assert names_beside(answer, {TEXT}, NAMES) == {"8"}


def test_a_query_on_a_socket_changes_nothing() -> None:
    def asked(query: str) -> str:
        return json.dumps({"id": "1", "type": "subscribe", "payload": {"query": query}})

    assert asks_only(asked("subscription { notes { id } }"))
    assert not asks_only(asked("mutation Save { save { id } }"))
    assert not asks_only(json.dumps(NOTE))
