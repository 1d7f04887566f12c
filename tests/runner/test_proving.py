"""What a second performance showed, too, is proven, and required from then on; what changes is not."""

from __future__ import annotations

import json
import lzma
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from simulator.recording.reader import Recording
from tests.fakes.messages_api import call
from tests.runner.desk import ACCOUNT, LOGIN, SETTINGS, Desk
from tests.runner.one_run import OneRun
from tests.sites.office import Office, office
from tests.sites.things import Things, serving_things

pytestmark = pytest.mark.promise("proven when it is recorded")

PROGRAM = str(Path(sys.executable).with_name("sim"))
GOLDEN = Path(__file__).parents[1] / "golden"
NOTE = [
    call("fill", selector="Note", value="Good day"),
    call("click", selector='role=button[name="Keep note"]'),
]
MAKE = [
    call("navigate", url="/new"),
    call("fill", selector="Title", value="Border spade"),
    call("fill", selector="Price", value="21.00"),
    call("fill", selector="Note", value="Found in the shed behind the old mill."),
    call("click", selector="button"),
    call("navigate", url="/things"),
]


@pytest.fixture
def served() -> Iterator[Office]:
    with office() as found:
        yield found


@pytest.fixture
def desk(served: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Desk:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests of the office")
    return Desk(served, tmp_path, capsys)


@pytest.fixture
def site() -> Iterator[Things]:
    with serving_things() as things:
        yield things


@pytest.fixture
def run(tmp_path: Path, site: Things, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> OneRun:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    return OneRun(tmp_path, site.url, capsys)


def prove(on: Desk | OneRun, *more: str) -> dict[str, Any]:
    code, out, said = on.sim("prove", "last", "--db", "a.db", "--yes", "--json", *more)
    assert out, said
    return {**json.loads(out), "code": code}


def marks(folder: Path) -> list[tuple[int, tuple[str, ...]]]:
    """Give the revisions of the recorded run, each with what proved it."""
    with Recording.open(folder / "a.db") as recording:
        return [(one.revision, one.proven) for one in recording.runs() if one.kind != "replay"]


@pytest.mark.table
def test_a_note_that_stood_there_twice_has_to_stand_there_and_a_counter_may_count(desk: Desk, served: Office) -> None:
    desk.record([*ACCOUNT, *LOGIN, *NOTE])
    served.says_kept = False
    assert desk.replay("a.db", "--identity", "fresh")["verdict"] == "passed", "nothing has proven the note yet"
    served.says_kept = True

    proving = prove(desk)
    assert proving["code"] == 0, proving
    (proven,) = proving["runs"]
    assert proven["revision"] == 2
    required = [text for lesson in proven["lessons"] for text in lesson["required"]]
    assert "Your note is kept." in required
    assert "You are visitor {{changing}}." in required
    with Recording.open(desk.folder / "a.db") as recording:
        assert recording.run(proven["run"]).source_run == proven["source"]

    run = desk.replay("a.db", "--identity", "fresh")
    assert (run["verdict"], run["source_run"]) == ("passed", proven["run"]), "the counter is another one"
    served.says_kept = False
    run = desk.replay("a.db", "--identity", "fresh")
    assert (run["code"], run["verdict"]) == (1, "postcondition")
    assert "Your note is kept." in run["drift"]["expected"]
    assert "You are visitor" in run["drift"]["found"]
    served.says_kept = True
    served.forget()
    assert desk.replay("a.db")["verdict"] == "passed"


@pytest.mark.slow
def test_nothing_is_marked_after_a_performance_that_drifts(desk: Desk, served: Office) -> None:
    desk.record([*ACCOUNT, *LOGIN, *NOTE])
    served.shut = True
    code, out, _ = desk.sim("prove", "last", "--db", "a.db", "--yes")
    assert code == 1
    assert out.startswith("not proven: 1 of 1 run ")
    assert marks(desk.folder) == [(1, ())]


def test_the_same_users_prove_that_it_can_be_repeated_and_shifted_ids_more(run: OneRun, site: Things) -> None:
    run.record(MAKE)
    site.empty()
    same = prove(run, "--identity", "same")
    assert (same["code"], same["runs"][0]["why_not"]) == (0, "")
    assert same["runs"][0]["lessons"] == [], "a number may have been given out twice"
    assert [thing["title"] for thing in site.things.values()] == ["Border spade"]
    assert marks(run.folder) == [(1, ()), (2, ("same",))]

    shifted = prove(run, "--identity", "same")  # the register goes on counting
    assert sorted(site.things) == [41, 42]
    assert "Things" in [text for one in shifted["runs"][0]["lessons"] for text in one["required"]]
    assert marks(run.folder)[-1] == (3, ("same",))
    prove(run, "--identity", "fresh")
    assert marks(run.folder)[-1] == (4, ("fresh", "same"))
    code, out, _ = run.sim("runs", "list", "--db", "a.db")
    assert (code, "fresh, same" in out) == (0, True)
    assert run.sim("runs", "promote", "last", "--db", "a.db", "--to", "kept.db")[0] == 0


@pytest.mark.table
def test_a_site_that_lies_the_second_time_proves_nothing(run: OneRun, site: Things) -> None:
    """What the list shows is no requirement of one performance, and what the second one lacks proves nothing."""
    site.leads_to_list = True
    title = "Border spade with an ash handle"
    run.record([MAKE[0], call("fill", selector="Title", value=title), *MAKE[2:]])
    site.lies["title"] = lambda text: "A hoe"
    before = marks(run.folder)
    lying = prove(run)
    assert lying["code"] == 1
    (told,) = lying["runs"]
    assert "Title" in told["why_not"], told
    assert [thing["title"] for thing in site.things.values()] == [title, "A hoe"]
    assert marks(run.folder) == before == [(1, ())]
    site.lies.clear()
    assert prove(run)["code"] == 0, "the new card tells it from the one that was there before"


@pytest.mark.table
def test_who_leaves_something_on_a_site_says_so_first(run: OneRun, site: Things) -> None:
    run.record(MAKE)
    asked = len(site.posts)
    code, out, said = run.sim("prove", "last", "--db", "a.db", "--seed", "11")
    assert (code, out) == (2, "")
    assert "POST /new (title, price, note)" in said
    assert "--yes" in said
    assert len(site.posts) == asked
    assert asked_in_a_terminal(run, "n\r") == (1, "nothing is proven; 'sim prove' does it later")
    assert len(site.posts) == asked
    assert asked_in_a_terminal(run, "y\r") == (0, "")
    assert len(site.posts) == asked + 1
    assert proofs_of_playbook(run, "Border spade") == [("fresh",)]
    assert proofs_of_playbook(run, "Garden hoe") == [()], "what was edited has to be proven anew"
    code, out, said = run.sim("runs", "learn", "last", "--db", "a.db")
    assert (code, out) == (2, "")
    assert "sim prove last --db a.db" in said


def test_what_was_pressed_alone_is_said_too(run: OneRun, site: Things) -> None:
    number = site.keep({"title": "Rake", "price": "4.00", "kind": "Tool", "note": "Old."})
    run.record([call("navigate", url=f"/things/{number}"), call("click", selector='role=button[name="Delete"]')])
    code, _, said = run.sim("prove", "last", "--db", "a.db", "--seed", "11")
    assert (code, ": POST /things/" in said, "/delete. Give --yes" in said) == (2, True, True), said


def proofs_of_playbook(run: OneRun, title: str) -> list[tuple[str, ...]]:
    """Give what proves a run that was exported as a playbook, with another title in it, and imported again."""
    book, into = run.folder / "book.yaml", f"{title}.db"
    code, _, said = run.sim("runs", "export", "last", "--db", "a.db", "--format", "playbook", "--to", str(book))
    assert code == 0, said
    book.write_text(book.read_text("utf-8").replace("Border spade", title), "utf-8")
    code, _, said = run.sim("runs", "import", str(book), "--db", into)
    assert code == 0, said
    with Recording.open(run.folder / into) as recording:
        return [one.proven for one in recording.runs()]


def asked_in_a_terminal(run: OneRun, answer: str) -> tuple[int, str]:
    """Prove a run where a person can be asked; gives the exit code, and what is said after the answer.

    What it leaves on the site is said first.
    """
    ours, its = pty.openpty()
    command = [PROGRAM, "prove", "last", "--db", "a.db", "--seed", "11"]
    with subprocess.Popen(
        command, cwd=run.folder, stdin=its, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:
        os.close(its)
        assert process.stderr is not None
        told = ""
        while not told.endswith("[y/N]:"):
            read = process.stderr.read(1)
            assert read, told
            told += read
        assert "a second performance leaves on 'small' at " in told
        assert "POST /new (title, price, note)" in told
        os.write(ours, answer.encode())
        rest = process.stderr.read()
    os.close(ours)
    (said,) = [line.removeprefix("sim: ") for line in rest.splitlines() if "nothing is proven" in line] or [""]
    return process.returncode, said


@pytest.mark.table
def test_what_is_recorded_is_proven_at_once_where_that_is_asked_for(run: OneRun, site: Things) -> None:
    run.recording = ("--prove",)
    refused = run.begin(MAKE)
    assert refused[:2] == (2, "")
    assert "give --yes to agree" in refused[2]
    assert site.looks == []
    run.recording = ("--prove", "--yes")
    run.record(MAKE)
    assert [thing["title"] for thing in site.things.values()] == ["Border spade"] * 2
    assert marks(run.folder) == [(1, ()), (2, ("fresh",))]


@pytest.mark.table
def test_an_address_that_is_another_one_each_time_is_no_requirement(run: OneRun, site: Things) -> None:
    site.stamps = True
    run.record(MAKE)
    assert run.replay("--identity", "fresh")["verdict"] == "postcondition"
    assert prove(run)["code"] == 0
    assert run.replay("--identity", "fresh")["verdict"] == "passed"


@pytest.mark.table
def test_killed_while_it_proves_nothing_is_marked(run: OneRun, site: Things) -> None:
    run.record(MAKE)
    committed = run.folder / "kept.db"
    assert run.sim("runs", "promote", "last", "--db", "a.db", "--to", "kept.db")[0] == 0
    was = sha256(committed.read_bytes()).hexdigest()
    words = ["prove", "last", "--source", "kept.db", "--db", "b.db", "--yes"]
    went = len(site.posts)
    process = subprocess.Popen([PROGRAM, *words], cwd=run.folder, start_new_session=True)
    try:
        while len(site.posts) == went and process.poll() is None:
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGKILL)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == -signal.SIGKILL
    assert sha256(committed.read_bytes()).hexdigest() == was
    assert {one.name for one in run.folder.glob("kept.db*")} == {"kept.db"}


@pytest.mark.table
@pytest.mark.parametrize("seed", ["12", "381637263"], ids=["names as long", "a short name"])
def test_a_run_from_before_effects_says_so_until_it_is_proven(desk: Desk, served: Office, seed: str) -> None:
    """A page that shows a long name proves it. Where the next user has a short one, no page can prove that."""
    recording = desk.folder / "old.db"
    recording.write_bytes(lzma.decompress((GOLDEN / "office-df3a15a.db.xz").read_bytes()))
    (desk.folder / "sim.toml").write_text(SETTINGS.format(url=served.url, waits=desk.waits), "utf-8")
    code, out, said = desk.sim("replay", "old.db", "--identity", "fresh", "--db", "b.db")
    assert code == 0, out + said
    assert "recorded before effects: sim prove " in out
    code, out, said = desk.sim("prove", "last", "--source", "old.db", "--db", "b.db", "--yes", "--seed", seed)
    assert code == 0, out + said
    assert "1 run recorded before effects, performed twice" in out
    with Recording.open(recording) as read:
        (proven,) = (one for one in read.runs() if one.proven)
        alike = [one for one in read.runs() if one.original == proven.original]
        *_, before, observed, last = sorted(alike, key=lambda one: one.revision)
        assert (last.proven, observed.proven) == (("fresh",), ())
        assert [bool(read.effects(one.id)) for one in (before, observed, last)] == [False, True, True]
    code, out, said = desk.sim("replay", proven.id, "--source", "old.db", "--identity", "fresh", "--db", "b.db")
    assert (code, "before effects" in out) == (0, False), out + said


@pytest.mark.table
def test_where_nobody_can_register_another_account_proves_it(
    desk: Desk, served: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = {"anna.k": "Anna Kerr", "ben.m": "Ben Moss"}
    for place, (name, called) in enumerate(names.items()):
        served.users[name] = {"username": name, "name": called, "password": f"word-of-{place}-old-Qx7"}
        monkeypatch.setenv(f"WORD_{place}", served.users[name]["password"])
    accounts = ", ".join(
        f'{{ username = "{name}", display_name = "{called}", password = {{ env = "WORD_{place}" }} }}'
        for place, (name, called) in enumerate(names.items())
    )
    desk = replace(desk, more=f"accounts = [{accounts}]\n")
    desk.record([call("navigate", url="/login"), *LOGIN, *NOTE])
    assert desk.identity().username == "anna.k"
    proving = prove(desk)
    assert proving["code"] == 0, proving
    assert [who for who, _ in served.notes.values()] == ["anna.k", "ben.m"]
    # The passwords of accounts are the section's, whatever the key of the machine is.
    monkeypatch.setenv("SIM_KEY", "another key than the one of the recording")
    code, out, said = desk.sim("runs", "verify-site", "last", "--db", "a.db")
    assert (code, "ben.m  POST /notes" in out) == (0, True), out + said
    reused = desk.replay("a.db", "--identity", "reuse")
    assert (reused["verdict"], reused["username"]) == ("passed", "anna.k"), reused["drift"]
    held = (desk.folder / "a.db").read_bytes()
    assert all(user["password"].encode() not in held for user in served.users.values())


@pytest.mark.table
def test_a_seeding_takes_the_accounts_last_that_have_acted_already(
    desk: Desk, served: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = {"anna.k": "Anna Kerr", "ben.m": "Ben Moss", "cleo.b": "Cleo Beck", "dan.r": "Dan Reed"}
    for place, (name, called) in enumerate(names.items()):
        served.users[name] = {"username": name, "name": called, "password": f"word-of-{place}-old-Qx7"}
        monkeypatch.setenv(f"WORD_{place}", served.users[name]["password"])
    accounts = ", ".join(
        f'{{ username = "{name}", display_name = "{called}", password = {{ env = "WORD_{place}" }} }}'
        for place, (name, called) in enumerate(names.items())
    )
    desk = replace(desk, more=f"accounts = [{accounts}]\n")
    desk.record([call("navigate", url="/login"), *LOGIN, *NOTE])
    assert prove(desk)["code"] == 0
    assert [who for who, _ in served.notes.values()] == ["anna.k", "ben.m"]
    code, out, said = desk.sim("seed", "a.db", "--db", "b.db", "--count", "2", "--seed", "3", "--yes", "--keep-words")
    assert code == 0, out + said
    assert sorted(who for who, _ in served.notes.values()) == [*names]
