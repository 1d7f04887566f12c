"""What a shell or a person gave is given again in a replay; nobody is asked, and nothing is run."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from simulator.recording.reader import Recording
from tests.runner.bench import Bench, Original

pytestmark = pytest.mark.promise("the same users again, and others")


@pytest.mark.table
async def test_a_replay_gives_back_what_a_shell_gave_and_runs_none(
    bench: Bench, seller: Original, tmp_path: Path
) -> None:
    source, trace = tmp_path / "source.db", tmp_path / "trace"
    shutil.copyfile(seller.db, source)
    given = {"exit_code": 0, "output": "42\n"}
    with closing(sqlite3.connect(source)) as connection:
        connection.execute(
            "UPDATE step SET tool = 'bash', replay = 'result', input = ?, result = ?"
            "WHERE id = (SELECT id FROM step WHERE success AND replay = 'skip' ORDER BY ordinal LIMIT 1)",
            (json.dumps({"command": f"touch {trace}"}), json.dumps(given)),
        )
        connection.commit()
    replayed = await bench.replay(source, "again")
    assert replayed.verdicts == ["passed"]
    with Recording.open(replayed.result.db) as recording:
        (run,) = recording.runs()
        assert [step.result for step in recording.steps(run.id) if step.tool == "bash"] == [given]
    assert not trace.exists()
