"""Ctrl-C, as a real signal to a real process."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

WORK = """
import asyncio, sys
from simulator.cli.execution import execute

async def work(listener, stop):
    print("ready", flush=True)
    while not stop.requested:
        await asyncio.sleep(0.005)
    print("asked", flush=True)
    if sys.argv[1] == "stubborn":
        try:
            await asyncio.Event().wait()
        finally:
            print("closed", flush=True)
    return "whole"

try:
    print(execute(work))
except KeyboardInterrupt:
    print("interrupted")
"""

Start = Callable[[str], "subprocess.Popen[str]"]


@pytest.fixture
def start() -> Iterator[Start]:
    started: list[subprocess.Popen[str]] = []

    def begin(kind: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", WORK, kind], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        started.append(process)
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        return process

    yield begin
    for process in started:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_asks_for_an_orderly_end(start: Start, kind: signal.Signals) -> None:
    process = start("polite")
    process.send_signal(kind)
    out, err = process.communicate(timeout=20)
    assert out == "asked\nwhole\n"
    assert err == "finishing the current steps; press Ctrl-C again to stop at once\n"


def test_the_second_one_stops_at_once_and_still_closes(start: Start) -> None:
    process = start("stubborn")
    process.send_signal(signal.SIGINT)
    assert process.stdout is not None
    assert process.stdout.readline() == "asked\n"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert out == "closed\ninterrupted\n"
    assert err.splitlines()[-1] == "stopped at once; what was done until then is recorded"
