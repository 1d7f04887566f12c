from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.replay.requests import compare_requests, excerpts, first_difference, reworded

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
REQUEST: dict[str, Any] = {
    "system": [{"type": "text", "text": "You are Ann, a user of a web site: retired teacher."}],
    "tools": [
        {
            "name": "click",
            "description": "Clicks.",
            "input_schema": {"properties": {"selector": {"type": "string"}}, "required": ["selector"]},
        },
        {"name": "fill", "description": "Fills.", "input_schema": {"properties": {}}},
    ],
    "messages": [
        {"role": "user", "content": [{"type": "text", "text": "Write a message."}]},
        {
            "role": "assistant",
            "content": [{"type": "tool_use", "id": "use_1", "name": "click", "input": {"selector": "Send"}}],
        },
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "use_1", "content": "Done."}]},
    ],
}


FACTS = ("Ann", "retired teacher")
USES = ({"id": "use_1", "name": "click", "toolset": "", "input": {"selector": "Send"}},)


def _system(asked: Any) -> None:
    asked["system"][0]["text"] = asked["system"][0]["text"].replace("retired", "former")


def _gone(asked: Any) -> None:
    del asked["tools"][0]


def _schema(asked: Any) -> None:
    asked["tools"][0]["input_schema"]["properties"]["selector"]["type"] = "object"


def _parameter(asked: Any) -> None:
    properties = asked["tools"][0]["input_schema"]["properties"]
    properties["element"] = properties.pop("selector")


def _demanding(asked: Any) -> None:
    asked["tools"][0]["input_schema"]["required"].append("button")


def _result(asked: Any) -> None:
    asked["messages"][2]["content"][0]["content"] = "Done!"


def _role(asked: Any) -> None:
    asked["messages"][2]["role"] = "assistant"


def _block(asked: Any) -> None:
    asked["messages"][0]["content"].append({"type": "text", "text": "Be quick."})


def _message(asked: Any) -> None:
    asked["messages"].pop()


@pytest.mark.parametrize(
    ("change", "part", "recorded", "today"),
    [
        (_gone, "the tools", "'click'", "'without click'"),
        (_schema, "what the tool click takes", """'{"selector":"Send"}'""", "'Send' is not of type 'object''"),
        (_parameter, "what the tool click takes (selector)", "'selector'", "'without selector'"),
        (_demanding, "what the tool click takes", """'{"selector":"Send"}'""", "'button' is a required property'"),
        (_result, "message 3 block 1 (tool_result) (content)", "'Done.'", "'Done!'"),
        (_role, "the order: who says message 3", "'user'", "'assistant'"),
        (_block, "the blocks of message 1", "'text'", "'text, text'"),
        (_message, "the number of messages", "'3 messages'", "'2 messages'"),
    ],
)  # fmt: skip
def test_the_first_difference_of_two_requests_is_named(
    change: Callable[[Any], None], part: str, recorded: str, today: str
) -> None:
    asked = copy.deepcopy(REQUEST)
    assert compare_requests(REQUEST, asked, facts=FACTS, uses=USES) is None
    change(asked)
    found = compare_requests(REQUEST, asked, facts=FACTS, uses=USES)
    assert found is not None
    assert (found.part, found.recorded[-len(recorded) :], found.today[-len(today) :]) == (part, recorded, today)


def _described(asked: Any) -> None:
    asked["tools"][0]["description"] = "Clicks an element."


def _order(asked: Any) -> None:
    asked["tools"].reverse()


def _idle(asked: Any) -> None:
    asked["tools"][1] = {"name": "hover", "description": "Hovers.", "input_schema": {"properties": {}}}


def _optional(asked: Any) -> None:
    asked["tools"][0]["input_schema"]["properties"]["button"] = {"type": "string"}


@pytest.mark.parametrize(
    ("change", "part"),
    [
        (_system, "the system prompt"),
        (_described, "the schema of the tool click (description)"),
        (_order, "the order of the tools"),
        (_idle, "the tools"),
        (_optional, "the schema of the tool click (input_schema.properties.button)"),
    ],
)
def test_what_the_program_words_otherwise_is_no_difference_of_the_run(change: Callable[[Any], None], part: str) -> None:
    asked = copy.deepcopy(REQUEST)
    assert reworded(REQUEST, asked) == []
    change(asked)
    assert compare_requests(REQUEST, asked, facts=["Ann"], uses=USES) is None
    assert [found.part for found in reworded(REQUEST, asked)] == [part]


def test_what_the_system_prompt_says_of_the_user_has_to_stand_in_the_recorded_one() -> None:
    found = compare_requests(REQUEST, REQUEST, facts=["Ann", 'a "keen" gardener\n'])
    assert found is not None
    assert (found.part, "gardener" in found.today) == ("the system prompt", True)


def test_a_call_that_the_recorded_tool_did_not_take_either_is_no_difference() -> None:
    use = {**USES[0], "input": {"selector": 7, "invented": 1}}
    unknown = {**USES[0], "name": "teleport"}
    asked = copy.deepcopy(REQUEST)
    _schema(asked)
    assert compare_requests(REQUEST, asked, uses=[use, unknown, {**USES[0], "input": None}]) is None


@given(JSON, JSON)
def test_two_values_differ_or_are_the_same(one: Any, other: Any) -> None:
    assert first_difference(one, copy.deepcopy(one)) is None
    same = one == other and repr(one) == repr(other)
    found = first_difference(one, other)
    assert (found is None) == same or one == other
    if found is not None:
        assert excerpts(found.recorded, found.today)


def test_an_excerpt_shows_what_is_around_the_first_character_that_differs() -> None:
    text = "a" * 100 + "X" + "b" * 100
    recorded, today = excerpts(text, text.replace("X", "Y"))
    assert recorded == "'…" + "a" * 30 + "X" + "b" * 49 + "…'"
    assert today == "'…" + "a" * 30 + "Y" + "b" * 49 + "…'"
