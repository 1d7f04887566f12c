from __future__ import annotations

import logging
from typing import get_args

import pytest

from simulator.agent.usage import Usage
from simulator.report.events.log import log_event, logging_to
from simulator.runner.events import (
    AgentSaid,
    BatchEnded,
    BatchStarted,
    Event,
    LimitReached,
    ModelCalled,
    RunEnded,
    RunStarted,
    StepDone,
    TaskEnded,
    TaskStarted,
    ToolAnswered,
    ToolCalled,
)

MESSAGES: list[tuple[Event, str, str]] = [
    (BatchStarted("b-1", 2, 1, "7", "bookshop", "http://x"), "INFO", "batch b-1: 2 users on bookshop at http://x"),
    (RunStarted(1, "r-1", "voter", "ann", 2, "claude"), "INFO", "user 1: voter ann starts run r-1"),
    (TaskStarted(1, "do", 2, "Save\na book."), "INFO", "user 1: task 2 do: Save a book."),
    (ToolCalled(1, "s", "fill", {"value": None}), "DEBUG", 'user 1: calls fill {"value":null}'),
    (ToolAnswered(1, "s", "fill", True, 1200, 1), "DEBUG", "user 1: fill answered 1,200 characters, 1 picture"),
    (
        ToolAnswered(1, "s", "fill", False, 0, 0, "not_found", "no \x1b[31mfield"),
        "DEBUG",
        "user 1: fill failed, not_found: no  [31mfield",
    ),
    (StepDone(1, "fill", True, 0.25, "0123456789"), "DEBUG", "user 1: step 23456789 fill done in 0.250 s"),
    (AgentSaid(1, "I look."), "DEBUG", "user 1: says: I look."),
    (
        ModelCalled(1, "m", Usage(1000, 20, 300, 4), 1.5),
        "DEBUG",
        "user 1: m answered in 1.50 s, 1,320 tokens in, 4 out",
    ),
    (
        LimitReached(1, "step_limit", "60 steps are used up", True),
        "INFO",
        "user 1: ended by step_limit: 60 steps are used up",
    ),
    (TaskEnded(1, "do", "failed", 2.0, "no"), "INFO", "user 1: do failed in 2.00 s: no"),
    (RunEnded(1, "r-1", "failed", "two", "target_ambiguous"), "INFO", "user 1: target_ambiguous: two"),
    (BatchEnded("passed"), "INFO", "the batch has passed"),
]


@pytest.mark.parametrize(("event", "level", "text"), MESSAGES, ids=lambda one: type(one).__name__)
def test_an_event_is_a_message_of_one_line(
    event: Event, level: str, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "simulator")
    log_event(event)
    assert [(one.name, one.levelname, one.getMessage()) for one in caplog.records] == [
        ("simulator.events", level, text)
    ]


def test_every_kind_of_event_has_one() -> None:
    assert {type(event) for event, _, _ in MESSAGES} == set(get_args(Event))


def test_what_else_the_program_logs_is_there_too_and_only_while_it_is_wanted() -> None:
    written: list[str] = []
    log = logging.getLogger("simulator.tools.anything")
    with logging_to(written.append):
        log.debug("looked at %s", "a page")
    log.debug("nobody reads this")
    (line,) = written
    assert line.endswith("DEBUG   simulator.tools.anything: looked at a page")
