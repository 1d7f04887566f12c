"""Recordings of every generation so far are opened, listed and exported, and replayed as strictly as they ever were.

What comes of a replay is frozen in ``expected.json``: the verdict, the steps, the actions, and the number of checks of
each kind. ``make golden`` freezes additions; what checks less than before is changed there by hand, or not at all.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlite_utils import Database

from simulator.canonical import EVIDENCE
from simulator.cli.main import main
from simulator.recording.schema import MIGRATIONS
from tests.golden.freeze import differences
from tests.golden.program import ROOT
from tests.golden.replaying import FOLDER, SUFFIX, Golden, describe, golden, hash_of, outcomes
from tests.golden.sites import Served
from tests.seam import needs_bookshop

pytestmark = pytest.mark.timeout(900)

ALL = golden()
FORMATS = ("pytest", "playbook", "har", "trace", "json", "datasette")
QUICK = {
    "board-3c867b1", "board-3dc814e", "board-7b5cb46", "board-d211e1b", "board-d205bd3", "board-00adee6",
    "board-94cbccc", "board-11cd589", "board-cee19f7", "bookshop-070fd71", "bookshop-3dc814e", "bookshop-462a3a7",
    "market-070fd71", "office-adff099", "office-df3a15a", "orders-7b5cb46", "questions-df3a15a",
}  # fmt: skip
"""Those that are replayed by ``make test``: each schema, each version of the evidence, each kind of check, each site
that need not be installed."""
SINCE = {"the schema of the tool fill_form", "the schema of the tool select"}
LATEST = {"board-33d764c", "board-bf712d1", "board-f3977e2"}
"""Those that a scripted model made with the tools of today, but for the schemas that were reworded since."""
EACH = [pytest.param(one, id=name) for name, one in ALL.items()]


def _marks(one: Golden, *marks: pytest.MarkDecorator) -> list[pytest.MarkDecorator]:
    return [*marks, *([needs_bookshop] if one.site.name == "bookshop" else [])]


SLOW = pytest.mark.slow
REPLAYS = [
    *(pytest.param(ALL[name], ["same"], id=f"{name}-same", marks=_marks(ALL[name])) for name in sorted(QUICK)),
    *(pytest.param(ALL[name], ["fresh"], id=f"{name}-fresh", marks=_marks(ALL[name], SLOW)) for name in sorted(QUICK)),
    *(pytest.param(one, ["same", "fresh"], id=name, marks=_marks(one, SLOW)) for name, one in ALL.items()
      if name not in QUICK),
]  # fmt: skip


def test_the_table_has_every_file_and_no_other() -> None:
    assert {path.name.removesuffix(SUFFIX) for path in FOLDER.glob(f"*{SUFFIX}")} == set(ALL)


@pytest.mark.breadth(99)
@pytest.mark.parametrize("one", EACH)
def test_a_golden_file_stays_as_it_was_made(one: Golden, tmp_path: Path) -> None:
    assert hash_of(one.file) == one.about["sha256"]
    assert describe(one.unpack(tmp_path)) == {name: one.about[name] for name in ("schema", "evidence")}


def test_every_generation_of_schema_and_evidence_is_there_on_the_bookshop_and_elsewhere() -> None:
    """Who adds a migration or a version of the evidence adds recordings of it."""
    today = [step.name for step in MIGRATIONS.pending(Database(memory=True))]
    for foreign in (False, True):
        there = [one.about for one in ALL.values() if (one.site.name != "bookshop") == foreign]
        assert {version for about in there for version in about["evidence"]} == set(range(1, EVIDENCE + 1))
        assert {len(about["schema"]) for about in there} == set(range(2, len(today) + 1))
        assert all(about["schema"] == today[: len(about["schema"])] for about in there)


@pytest.mark.breadth(1, table=5)
@pytest.mark.parametrize("one", EACH)
def test_a_golden_file_is_opened_and_verified_and_exported(
    one: Golden, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    path = one.unpack(tmp_path)
    before = path.read_bytes()

    def sim(*arguments: str, expected: int = 0) -> str:
        code = main([*arguments, "--db", path.name])
        told = capsys.readouterr()
        assert code == expected, told
        return told.out

    recorded = [run for run in json.loads(sim("runs", "list", "--json")) if run["kind"] == "record"]
    assert recorded
    for run in recorded:
        assert run["id"] in sim("runs", "show", run["id"])
    sim("runs", "verify")
    with closing(sqlite3.connect(path)) as connection:
        (exchanges,) = connection.execute("SELECT count(*) FROM exchange").fetchone()
    for form in FORMATS:
        refused = not exchanges if form == "har" else one.site.says_no and form == "pytest"
        sim("runs", "export", "all", "--format", form, "--to", f"out/{form}", expected=2 if refused else 0)
        assert refused or (tmp_path / "out" / form).stat().st_size
    assert path.read_bytes() == before, "whoever only reads changes nothing"


@pytest.mark.breadth(1, table=-1)
@pytest.mark.parametrize(("one", "identities"), REPLAYS)
def test_a_golden_recording_is_replayed_as_ever(one: Golden, identities: list[str], tmp_path: Path) -> None:
    for identity, now in outcomes(one, identities, tmp_path).items():
        said = [words for words, _ in differences(one.about["expected"][identity], now)]
        assert said == [], f"{identity}; where there are more checks than before, freeze them with 'make golden'"


@needs_bookshop
@pytest.mark.breadth(2)
@pytest.mark.parametrize("one", [pytest.param(one, id=name) for name, one in ALL.items() if one.site.script])
def test_the_model_of_a_golden_recording_is_replayed_offline(
    one: Golden, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Prompts and texts of tools were reworded since; whom it talks to, and about what, was not."""
    monkeypatch.chdir(tmp_path)
    for name, value in one.site.secrets.items():
        monkeypatch.setenv(name, value)
    served = Served("http://127.0.0.1:1", lambda: None)
    (tmp_path / "sim.toml").write_text(one.site.sim_toml(served, ROOT), "utf-8")
    path = one.unpack(tmp_path)
    with closing(sqlite3.connect(path)) as connection:
        (asked,) = connection.execute("SELECT count(*) FROM llm_call").fetchone()
        steps = dict(connection.execute("SELECT run_id, count(*) FROM step GROUP BY run_id").fetchall())

    asking = ["offline", "--db", path.name, "--json", "all"]
    if not asked:
        assert main(asking) == 2
        assert "was recorded before requests to models were kept" in capsys.readouterr().err
        return

    def offline() -> dict[str, Any]:
        code = main(asking)
        (run,) = json.loads(capsys.readouterr().out)["runs"]
        assert code == (1 if run["difference"] else 0)
        return dict(run)

    run = offline()
    assert (run["difference"], run["requests"], run["calls"]) == (None, asked, steps[run["run_id"]])
    reworded = {found["part"].split(" (")[0] for found in run["reworded"]}
    assert "the schema of the tool fill_form" in reworded
    assert (reworded <= SINCE) is (one.name in LATEST)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE run SET environment = json_set(environment, '$.persona.about', 'Repairs boats.')")
    assert offline()["difference"]["today"] == "'Repairs boats.'"


def test_what_is_replayed_quickly_stands_for_all_that_is_not_installed() -> None:
    def of(names: set[str]) -> set[Any]:
        found = [one for name, one in ALL.items() if name in names and not one.site.heavy]
        kinds = {kind for one in found for run in one.about["expected"]["same"] for kind in run["checks"]}
        generations = {(len(one.about["schema"]), *one.about["evidence"]) for one in found}
        return {one.site.name for one in found} | kinds | generations

    assert of(QUICK) == of(set(ALL))


def test_only_additions_are_frozen() -> None:
    def run(**given: Any) -> list[dict[str, Any]]:
        return [{"user": "1 ann", "verdict": "passed", "steps": 3, "actions": 9, "checks": {"address": 4}, **given}]

    assert list(differences(run(), run())) == []
    assert list(differences(run(), run(checks={"address": 5, "text": 1}))) == [
        ("user 1 ann: 5 checks of the kind address, not 4", True),
        ("user 1 ann: 1 checks of the kind text, not 0", True),
    ]
    for other in ({"verdict": "postcondition"}, {"steps": 4}, {"actions": 8}, {"checks": {}}, {"drift": "x"}):
        assert [addition for _, addition in differences(run(), run(**other))] == [False]
    assert [addition for _, addition in differences(run(), [])] == [False]
