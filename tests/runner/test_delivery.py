"""Listeners that raise, that are slow and that hang: nothing waits for them, and what they miss is told and counted."""

from __future__ import annotations

import logging
import threading

import pytest

from simulator.runner.delivery import Losses, Outlet, TimedEvent, guarded, spread
from simulator.runner.events import BatchEnded, Event, StepDone


def steps(count: int) -> list[Event]:
    return [StepDone(1, f"tool_{place}", True, 0.1) for place in range(count)]


def test_each_gets_every_event_in_order_and_when_it_happened() -> None:
    one: list[TimedEvent] = []
    other: list[TimedEvent] = []
    losses = Losses()
    with Outlet("one", one.append, losses) as first, Outlet("other", other.append, losses) as second:
        listener = spread((first.put, second.put))
        for event in steps(50):
            listener(event)
    assert [told.event for told in one] == steps(50)
    assert one == other
    assert [told.at_ns for told in one] == sorted(told.at_ns for told in one)
    assert losses.counts == {}


def test_a_listener_that_raises_goes_on_being_told_and_its_losses_are_said_once() -> None:
    said: list[str] = []
    taken: list[int] = []
    losses = Losses(said.append)

    def picky(number: int) -> None:
        if number % 2:
            raise ValueError(f"{number} is odd")
        taken.append(number)

    with Outlet("picky", picky, losses) as outlet:
        for number in range(6):
            outlet.put(number)
    assert taken == [0, 2, 4]
    assert said == ["events are being lost: picky: ValueError: 1 is odd"]
    assert losses.counts == {"picky": 3}
    assert losses.lines() == ["3 events did not get to picky: ValueError: 1 is odd"]


def test_the_log_has_the_traceback(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "simulator")

    def broken(event: Event) -> None:
        raise KeyError("missing")

    listener = guarded(broken, Losses(lambda _: None))
    listener(BatchEnded("passed"))
    listener(BatchEnded("passed"))
    (record,) = caplog.records
    assert record.levelno == logging.INFO, "a person was told"
    assert "in broken" in (record.exc_text or "")


def test_where_nobody_can_be_told_the_log_warns(caplog: pytest.LogCaptureFixture) -> None:
    losses = Losses()
    losses.lost("a file", OSError(28, "No space left on device"))
    assert [(record.levelno, record.getMessage()) for record in caplog.records] == [
        (logging.WARNING, "a file loses events: No space left on device")
    ]


def test_a_person_who_cannot_be_told_breaks_nothing() -> None:
    def say(text: str) -> None:
        raise BrokenPipeError(32, "Broken pipe")

    losses = Losses(say)
    losses.lost("a file", "it is full")
    assert losses.counts == {"a file": 1}


def test_a_listener_that_hangs_keeps_nobody_waiting() -> None:
    begun, never = threading.Event(), threading.Event()
    said: list[str] = []
    losses = Losses(said.append)

    def hang(event: Event) -> None:
        begun.set()
        never.wait(60)

    with Outlet("a pipe", hang, losses, room=10, close_s=0.05) as outlet:
        outlet.put(steps(1)[0])
        assert begun.wait(10)
        for event in steps(25):
            outlet.put(event)
        assert losses.counts == {"a pipe": 15}, "ten wait"
        assert said == ["events are being lost: a pipe: it is too slow: 10 events wait for it"]
    assert losses.counts == {"a pipe": 26}, "also the ten, and the one in hand"
    never.set()


def test_what_is_to_be_finished_at_the_end_is_finished_after_the_last_event() -> None:
    done: list[object] = []
    with Outlet("one", done.append, Losses(), finish=lambda: done.append("finished")) as outlet:
        outlet.put("event")
    assert done == ["event", "finished"]
