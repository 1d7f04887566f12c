"""``sim runs resume`` as a person calls it, after the program was killed without a warning."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.runner.bench import Shop
from tests.runner.program import PATIENCE_S, Project, project

pytestmark = pytest.mark.timeout(600)

SITES = Path(__file__).parent.parent / "sites"
WRITER = """
persona: writer
about: Somebody who opens an account and writes to a seller.
locale: en_GB
tasks: [register, message_seller]
"""
INBOX = re.compile(
    r'^(inbox|sent) = .*\n|^\[\[site\.bookshop\.listed\]\]\nsent_to = "/sellers/"\nat = .*\n', re.MULTILINE
)
"""All that ``sim.toml`` says of where a message is seen that was sent."""
NARROW = {"COLUMNS": "80"}
"""A terminal of 80 columns."""


def killed_at(ours: Project, *arguments: str, route: str, when: str, env: dict[str, str] | None = None) -> None:
    """Run a command of a project, whose bookshop kills it at a request and is gone, too."""
    (address,) = re.findall(r'^base_url = "(http://127\.0\.0\.1:(\d+))"', (ours.folder / "sim.toml").read_text(), re.M)
    pid = ours.folder / "pid"
    ours.shop.parent.mkdir(exist_ok=True)
    kill = json.dumps({"route": route, "nth": 1, "when": when, "pid": str(pid)})
    server = subprocess.Popen(
        [sys.executable, str(SITES / "killing_bookshop.py"), "--port", address[1], "--db", str(ours.shop)],
        stdout=subprocess.PIPE, text=True, env=os.environ | {"KILL": kill},
    )  # fmt: skip
    assert server.stdout is not None
    try:
        assert json.loads(server.stdout.readline())["url"] == address[0]
        with (ours.folder / "said.txt").open("w") as said:
            program = ours.start(*arguments, stdout=said, stderr=subprocess.STDOUT)
            pid.write_text(str(program.pid))
            assert program.wait(PATIENCE_S) == -9, (ours.folder / "said.txt").read_text()
    finally:
        server.kill()
        server.communicate()


def resumed(ours: Project, *arguments: str, **env: str) -> tuple[int, str, str]:
    done = ours.sim("runs", "resume", *arguments, **NARROW, **env)
    return done.returncode, done.stdout, done.stderr


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """A project whose one user was killed before a message was sent."""
    with project(tmp_path_factory.mktemp("before")) as made:
        made.add_persona(WRITER)
        killed_at(
            made, "personas", "run", "writer", "--agent", "autopilot", "--seed", "7",
            route="POST /sellers/[^/]+/message", when="before",
        )  # fmt: skip
        yield made


@pytest.fixture
def killed(before: Project, tmp_path: Path) -> Project:
    """The same, in a folder of its own."""
    shutil.copytree(before.folder, tmp_path / "project", ignore=shutil.ignore_patterns("tmp"))
    return Project(tmp_path / "project", before.env)


def messages(ours: Project) -> int:
    return Shop(ours.shop).effects.count("message.created")


@pytest.mark.slow
def test_a_killed_run_goes_on_to_its_end(killed: Project) -> None:
    listed = killed.sim("runs", "list", **NARROW)
    assert "interrupted" in listed.stdout
    code, out, err = resumed(killed, "last")
    assert code == 0, out + err
    assert out.startswith("passed: 1 user, ")
    assert "go on  " not in out
    assert messages(killed) == 1
    assert killed.sim("runs", "verify").returncode == 0
    again = resumed(killed, "last")
    assert again[0] == 2
    assert again[2].startswith("sim: nothing is left to do in the batch ")
    replayed = killed.sim("replay", "last", "--reset")
    assert replayed.returncode == 0, replayed.stdout + replayed.stderr


@pytest.mark.slow
def test_what_cannot_be_told_is_asked_of_the_person(killed: Project) -> None:
    toml = killed.folder / "sim.toml"
    toml.write_text(INBOX.sub("", toml.read_text()))
    code, out, err = resumed(killed, "last")
    assert code == 1
    assert out.startswith("unfinished: 1 of 1 user cannot go on ")
    assert "go on     sim runs resume " in out
    (told,) = [line for line in err.splitlines() if line.startswith("sim: ")]
    asked = re.search(r"--assume-done (\d+) or --assume-not-done \1$", told)
    assert asked, told
    assert "(fill_form: 'Send message') took effect is not known" in told
    assert "Look at the site, and say it" in told
    place = asked[1]
    assert messages(killed) == 0

    both = resumed(killed, "last", "--assume-done", place, "--assume-not-done", place)
    assert (both[0], both[2]) == (2, f"sim: step {place} cannot be both done and not done\n")
    code, out, err = resumed(killed, "last", "--assume-done", "2")
    assert code == 2
    assert err.endswith(f"took effect is not in question; step {place} is\n")

    code, out, err = resumed(killed, "last", "--assume-not-done", place, "--json")
    assert code == 0, out + err
    (run,) = json.loads(out)["runs"]
    assert (run["status"], [task["status"] for task in run["tasks"]]) == ("passed", ["done", "done"])
    assert messages(killed) == 1


@pytest.mark.slow
def test_what_a_person_says_was_done_is_not_done_again(killed: Project) -> None:
    toml = killed.folder / "sim.toml"
    toml.write_text(INBOX.sub("", toml.read_text()))
    _, _, err = resumed(killed, "last")
    asked = re.search(r"--assume-done (\d+)", err)
    assert asked, err
    code, out, err = resumed(killed, "last", "--assume-done", asked[1], "--json")
    assert code == 0, out + err
    (run,) = json.loads(out)["runs"]
    assert run["status"] == "passed"
    assert messages(killed) == 0, "the site never got it, and the person said otherwise"


@pytest.mark.slow
def test_what_keeps_it_from_being_resumed(killed: Project, tmp_path: Path) -> None:
    shown = killed.sim("runs", "list", "--json")
    (run,) = json.loads(shown.stdout)
    for code, words, arguments, env in (
        (2, "ffffffff", ("ffffffff",), {}),
        (2, "there is no such recording", ("last", "--db", str(tmp_path / "none.db")), {}),
        (2, "--assume-done", ("last", "--assume-done", "0"), {}),
        (2, "nobody", ("last", "--agent", "nobody"), {}),
        (3, "set SIM_KEY to the key that it was recorded with", ("last",), {"SIM_KEY": "another key " * 4}),
    ):
        given = resumed(killed, *arguments, **env)
        assert given[0] == code, given
        assert words in given[2], given
        assert "Traceback" not in given[2]
    toml = killed.folder / "sim.toml"
    toml.write_text(toml.read_text().replace("bundled = true\n", "").replace('database = ".sim/bookshop.db"\n', ""))
    code, _, err = resumed(killed, run["id"][-8:])
    assert code == 3
    assert err.startswith("sim: nothing answers at http://127.0.0.1:")
    assert messages(killed) == 0
