"""Commands that act on the real bookshop with a real browser: from a persona file to a replay."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from simulator.config import default_text
from simulator.recording.recorder import Recorder
from tests.ports import port_of_nobody
from tests.seam import needs_bookshop

pytestmark = needs_bookshop

PERSONA = """
persona: newcomer
about: Somebody who opens an account and leaves.
locale: en_GB
tasks: [register, logout]
"""


@pytest.fixture(autouse=True)
def project(folder: Path) -> None:
    """A project whose bookshop nobody serves, with one persona."""
    port = port_of_nobody()
    (folder / "sim.toml").write_text(default_text().replace("127.0.0.1:8765", f"127.0.0.1:{port}"), "utf-8")
    (folder / "personas").mkdir()
    (folder / "personas" / "newcomer.yaml").write_text(PERSONA, "utf-8")


def test_record_look_and_replay(sim, folder: Path) -> None:
    run = sim("personas", "run", "newcomer", "--count", "2", "--seed", "7")
    assert run.code == 0, run.out + run.err
    assert run.out.startswith("passed: 2 users, ")
    assert "made      2 users" in run.out
    assert "[2/2] newcomer " in run.err
    assert run.out.splitlines()[-2] == "seed      7"
    command = run.out.splitlines()[-1].split()

    shown = sim("runs", "list", "--json").json
    assert [one["status"] for one in shown] == ["passed", "passed"]
    plan = sim("plan", "last")
    assert plan.code == 0
    assert "click button" in plan.out
    assert sim("plan", "last", "--json").json["plans"][0]["run"]["id"] == shown[0]["id"]

    assert command[:3] == ["replay", "sim", "replay"]
    replayed = sim(*command[2:])
    assert replayed.code == 0, replayed.out + replayed.err
    assert replayed.out.startswith("passed: 2 runs, ")
    assert "state     as recorded" in replayed.out

    again = sim("replay", "last", "--json", "--junit", "reports/again.xml", "--html", "again.html")
    assert again.code == 1
    (suite,) = ElementTree.parse(folder / "reports" / "again.xml").getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("3", "2"), "both names are taken; the state is as recorded"
    assert "0 of 2 runs passed" in (folder / "again.html").read_text("utf-8")
    first = sim("runs", "list", "--json").json[0]["batch_id"]
    assert sim("report", first, "--html", "first.html").out == "first.html\n"
    assert "2 of 2 runs passed" in (folder / "first.html").read_text("utf-8")
    assert [one["verdict"] for one in again.json["runs"]] != ["passed", "passed"]
    assert not (folder / ".sim" / "bookshop.db-journal").exists()


@pytest.mark.slow
def test_a_recording_may_be_replayed_into_another_file(sim, folder: Path) -> None:
    recorded = sim("personas", "run", "--seed", "7", "--db", "shop.db", "--json")
    assert recorded.code == 0, recorded.err
    assert [task["task"] for task in recorded.json["runs"][0]["tasks"]] == ["register", "logout"]
    before = (folder / "shop.db").read_bytes()
    replayed = sim("replay", "shop.db", "--reset", "--json")
    assert replayed.code == 0, replayed.err
    assert (folder / "shop.db").read_bytes() == before
    assert replayed.json["db"] == str(folder / "recordings" / "runs.db")
    assert sorted(file.name for file in folder.glob("shop.db*")) == ["shop.db"]


def test_a_report_that_cannot_be_written_is_told_before_anything_is_done(sim, folder: Path) -> None:
    (folder / "taken").write_text("a file", "utf-8")
    refused = sim("replay", "last", "--junit", "taken/report.xml")
    assert refused.code == 2
    assert refused.err.startswith("sim: taken/report.xml cannot be written")
    assert not (folder / "recordings").exists()


def test_a_site_that_is_down_is_told_before_anything_is_recorded(sim, folder: Path) -> None:
    (folder / "sim.toml").write_text("[site.mine]\nbase_url = 'http://127.0.0.1:1'\n", "utf-8")
    refused = sim("personas", "run", "--site", "mine")
    assert refused.code == 3
    assert refused.err.splitlines()[-1].startswith("sim: nothing answers at http://127.0.0.1:1")


def test_no_browser(sim, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(folder))
    refused = sim("personas", "run")
    assert refused.code == 3
    assert refused.err.splitlines()[-1].startswith("sim: no browser was found; install one with")


def test_a_site_elsewhere_that_does_not_allow_users(sim) -> None:
    refused = sim("personas", "run", "--base-url", "https://shop.example")
    assert refused.code == 2
    assert "allowed_hosts" in refused.err.splitlines()[-1]


def test_runs_that_did_nothing_are_not_replayed(sim, folder: Path) -> None:
    with Recorder.open(folder / "failed.db") as recorder:
        batch = recorder.begin_batch(argv=["personas", "run"], seed="7", settings={})
        for number in (1, 2):
            run = recorder.begin_run(
                batch_id=batch, number=number, kind="record", agent="autopilot", persona="newcomer",
                identity={"username": f"ann{number}"}, environment={}, site="bookshop",
            )  # fmt: skip
            run.end_run(status="failed", reason="register: the site refused it")
        recorder.end_batch(batch, status="failed")
    refused = sim("replay", "failed.db")
    assert (refused.code, refused.out) == (2, "")
    assert refused.err.splitlines()[-1].startswith("sim: nothing to replay: run ")
    assert "and 1 more like it; it was recorded as failed: register: the site refused it" in refused.err
