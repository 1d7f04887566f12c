"""Runs in other forms on the command line, and recordings in the diffs of git."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest


def test_a_run_is_exported_and_imported(sim, recorded: str, folder: Path) -> None:
    printed = sim("runs", "export", recorded)
    assert printed.code == 0, printed.err
    assert printed.out.startswith("playbook: 1\nruns:\n- run: collector-1\n")
    assert sim("runs", "export", recorded, "--to", "out/book.yaml").out == "out/book.yaml\n"
    assert (folder / "out" / "book.yaml").read_text("utf-8") == printed.out
    told = sim("runs", "import", "out/book.yaml", "--db", "other.db")
    assert told.out.startswith("out/book.yaml: 1 run imported into other.db\n")
    (run,) = sim("runs", "list", "--db", "other.db", "--json").json
    assert (run["kind"], run["status"], run["persona"]) == ("import", "passed", "collector")
    assert run["id"] in told.out
    assert sim("runs", "export", "last", "--db", "other.db").out == printed.out
    assert sim("runs", "verify", "--db", "other.db").code == 0


def test_everything_of_a_run_is_exported_as_json(sim, recorded: str) -> None:
    told = sim("runs", "export", recorded, "--format", "json")
    assert [row["id"] for row in json.loads(told.out)["tables"]["run"]] == [recorded]


def test_what_there_is_no_export_of_is_told(sim, recorded: str) -> None:
    har = sim("runs", "export", recorded, "--format", "har")
    assert (har.code, har.out) == (2, "")
    assert "holds no requests and answers of this run: record or replay with '--exchanges all'" in har.err
    assert (
        sim("runs", "export", recorded, "--format", "trace").err == "sim: a trace is a ZIP file: give --to FILE.zip\n"
    )
    assert sim("runs", "export", recorded, "--format", "trace", "--to", "out/run.zip").out == "out/run.zip\n"


def test_what_cannot_be_read_as_a_playbook_is_told_in_one_line(sim, folder: Path) -> None:
    (folder / "book.yaml").write_text("playbook: 1\nruns: []\n", "utf-8")
    told = sim("runs", "import", "book.yaml")
    assert told.code == 2
    assert told.err == "sim: book.yaml:2:7: runs: Tuple should have at least 1 item after validation, not 0\n"
    assert sim("replay", "book.yaml").err == told.err


def git(*arguments: str, home: Path) -> str:
    environment = {
        "PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])),
        "HOME": str(home),
        "GIT_CONFIG_NOSYSTEM": "1",
        **{f"GIT_{who}_{what}": "ann@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
    }
    return subprocess.run(["git", *arguments], check=True, capture_output=True, text=True, env=environment).stdout


@pytest.mark.table
def test_git_shows_what_changed_in_a_recording(sim, recorded: str, folder: Path) -> None:
    """The configuration stands in docs/recordings.md; git runs the installed program."""
    assert sim("runs", "promote", recorded, "--to", "shop.db").code == 0
    git("init", "-q", ".", home=folder)
    (folder / ".gitattributes").write_text("*.db diff=simulator\n", "utf-8")
    git("config", "diff.simulator.textconv", "sim runs export all --db", home=folder)
    git("add", "shop.db", ".gitattributes", home=folder)
    git("commit", "-q", "-m", "recorded", home=folder)
    assert git("diff", "--stat", home=folder) == ""
    with sqlite3.connect("shop.db") as connection:
        connection.execute("UPDATE action SET target = replace(target, 'Save', 'Keep')")
    connection.close()
    changed = [line for line in git("diff", home=folder).splitlines() if line[:1] in "+-" and line[1:2] == " "]
    assert changed == ["-        name: Save", "+        name: Keep"]
    assert [file.name for file in folder.glob("shop.db*")] == ["shop.db"], "it is only read"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["last", "out.json"],
            "out.json is not a recording; to write the result as JSON, give --json and one FILE.json",
        ),
        (["--json", "out.json"], "nothing to replay: name a recording"),
        (["last", "--shard", "3/2"], "--shard: expected a number and how many there are, such as 2/5, found '3/2'"),
        (["last", "--quarantine", "absent.txt"], "the quarantine list absent.txt:1:1: there is no such file"),
        (["last", "--quarantine", "list.txt"], "list.txt:2: expected a run, label or persona, a colon, and why"),
        (["empty"], "the folder empty holds no recording (.db) and no playbook (.yaml) to replay"),
    ],
)
def test_what_cannot_be_meant_is_refused(sim, recorded: str, folder: Path, arguments: list[str], said: str) -> None:
    (folder / "empty").mkdir()
    (folder / "list.txt").write_text("# known\ncollector\n", "utf-8")
    told = sim("replay", *arguments)
    assert (told.code, told.out) == (2, "")
    assert said in told.err


def test_what_came_of_a_replay_is_written_where_it_is_asked_for(sim, recorded: str, folder: Path) -> None:
    """The third share of two runs is nothing, which is done without a site."""
    asked = ["replay", "last", "--shard", "3/3", "--db", "landing.db", "--source", "recordings/runs.db"]
    told = sim(*asked, "--json", "out/told.json", "--junit", "out/told.xml", "--html", "out/told.html")
    assert (told.code, told.out) == (0, "passed: nothing to replay in the share 3/3\n")
    written = json.loads((folder / "out" / "told.json").read_text("utf-8"))
    assert (written["runs"], written["shard"], written["source"]) == ([], "3/3", "runs.db")
    (suite,) = ElementTree.parse(folder / "out" / "told.xml").getroot()
    assert suite.get("tests") == "0"
    assert not (folder / "landing.db").exists()
    assert json.loads(sim(*asked, "--json").out) == written


def test_the_plan_of_a_share_is_that_of_its_runs(sim, recorded: str) -> None:
    plans = [sim("plan", "last", "--shard", f"{number}/2", "--json").json["plans"] for number in (1, 2)]
    assert [len(one) for one in plans] == [1, 1]
    assert {one["run"]["id"] for (one,) in plans} == {run["id"] for run in sim("runs", "list", "--json").json}
