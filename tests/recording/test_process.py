from __future__ import annotations

import dataclasses
import json
import subprocess
import sys

from simulator.recording.process import ProcessMark, current


def test_this_process_is_alive():
    assert current().alive()
    assert current() == current()


def test_an_ended_process_is_dead():
    program = (
        "import dataclasses, json; from simulator.recording.process import current; "
        "print(json.dumps(dataclasses.asdict(current())), flush=True); input()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        assert child.stdin is not None
        mark = ProcessMark(**json.loads(child.stdout.readline()))
        assert mark.pid == child.pid
        assert mark.alive()
        child.stdin.close()
        child.stdout.read()
        child.wait()
    assert not mark.alive()


def test_a_later_process_of_the_same_number_is_another():
    assert not dataclasses.replace(current(), birth="1").alive()


def test_a_process_of_another_boot_is_dead():
    assert not dataclasses.replace(current(), boot="0123456789abcdef").alive()


def test_a_process_that_cannot_be_seen_from_here_is_taken_to_be_alive():
    assert dataclasses.replace(current(), space="pid:[1]", birth="1").alive()
