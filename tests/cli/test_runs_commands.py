from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from simulator.recording import Recording

DB = Path("recordings/runs.db")


def test_lists_runs_with_short_ids_that_commands_find_again(sim, recorded: str) -> None:
    listed = sim("runs", "list")
    assert listed.code == 0
    header, first, second = (line.split() for line in listed.out.splitlines())
    assert header == ["run", "batch", "at", "(UTC)", "kind", "status", "proven", "steps", "persona", "user"]
    assert first[4:] == ["record", "passed", "-", "1", "collector", "ann1"]
    assert second[5] == "failed"
    assert sim("runs", "show", first[0], "--json").json["run"]["id"] == recorded


def test_lists_as_json_and_by_batch_kind_and_number(sim, recorded: str) -> None:
    runs = sim("runs", "list", "--json").json
    assert runs[0]["id"] == recorded
    assert sim("runs", "list", "--batch", "last", "--json").json == runs
    assert sim("runs", "list", "--kind", "replay", "--json").json == []
    assert sim("runs", "list", "--limit", "1", "--json").json == runs[1:]


def test_shows_a_run_step_by_step(sim, recorded: str) -> None:
    shown = sim("runs", "show", recorded)
    assert shown.out.startswith(f"run {recorded} (record): passed\n")
    assert "site      bookshop at http://127.0.0.1:8765" in shown.out
    step = next(line for line in shown.out.splitlines() if line.startswith("   1  click"))
    assert step.startswith("   1  click  done  ")
    assert step.endswith('(save_listings)  {"selector":"Save","times":1}')
    assert "click button 'Save' in card 'Emma' [a listing of another seller] -> /books/{id}" in shown.out


def test_shows_why_a_run_failed_in_the_first_line(sim, recorded: str) -> None:
    first = sim("runs", "show", "last").out.splitlines()[0]
    assert first.endswith("(record): failed: the price was refused")


@pytest.mark.parametrize(
    ("name", "said"),
    [("nothing", "has no run 'nothing'; 'sim runs list' shows"), ("0", "several runs of")],
)
def test_a_name_that_is_not_one_run_is_refused(sim, recorded: str, name: str, said: str) -> None:
    refused = sim("runs", "show", name)
    assert refused.code == 2
    assert said in refused.err


def test_verify_finds_nothing_wrong_and_then_a_changed_page(sim, recorded: str) -> None:
    assert sim("runs", "verify").out == f"{DB}: no problems\n"
    with sqlite3.connect(DB) as connection:
        connection.execute("UPDATE page SET title = 'forged'")
    connection.close()
    found = sim("runs", "verify", "--db", DB)
    assert found.code == 2
    assert "its content hashes to" in found.out
    assert len(sim("runs", "verify", "--json").json) == len(found.out.splitlines())


def test_prune_keeps_what_it_is_told_to(sim, recorded: str) -> None:
    assert sim("runs", "prune", "--keep", "1", "--json").json["batches"] == 0
    assert sim("runs", "prune", "--older-than", "1", "--json").json["batches"] == 0
    assert "removed 1 batch, 2 runs" in sim("runs", "prune", "--keep", "0").out
    assert sim("runs", "list", "--json").json == []


def test_promote_copies_a_run(sim, recorded: str, folder: Path) -> None:
    done = sim("runs", "promote", recorded, "--to", "kept/shop.db")
    assert done.out.startswith("kept/shop.db: 1 run added; ")
    with Recording.open(folder / "kept" / "shop.db") as recording:
        assert [run.id for run in recording.runs()] == [recorded]
    assert sim("runs", "promote", recorded, "--to", "kept/shop.db", "--json").json["present"] == [recorded]


def test_plans_a_batch_by_the_short_id_that_is_listed(sim, recorded: str) -> None:
    batch = sim("runs", "list").out.splitlines()[1].split()[1]
    planned = sim("plan", batch)
    assert planned.code == 0, planned.err
    assert planned.out.startswith(f"run {recorded}")
    assert "click button 'Save' [a listing of another seller]" in planned.out
