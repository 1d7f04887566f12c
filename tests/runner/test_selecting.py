"""Which runs a replay performs: the newest revision of each, and what they depend on, whichever revision that is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from simulator.bindings import Bindings
from simulator.recording import Recorder, Recording
from simulator.recording.revise import Changes, write_revision
from simulator.runner.replays.progress import Progress
from simulator.runner.replays.selecting import select
from simulator.tools.contracts import ToolCall, ToolResult


@pytest.fixture
def recorded(tmp_path: Path) -> tuple[Path, dict[str, str]]:
    """Two runs of which the second needs the first; the first has a second revision."""
    path = tmp_path / "a.db"
    with Recorder.open(path) as recorder:
        batch_id = recorder.begin_batch(argv=[], seed="7", settings={})
        about: dict[str, Any] = {"batch_id": batch_id, "kind": "record", "agent": None, "persona": "seller"}
        about |= {"identity": None, "environment": {}, "site": "shop"}
        runs = [recorder.begin_run(number=number, **about) for number in (1, 2)]
        steps = []
        for run in runs:
            step_id = run.begin_step(call=ToolCall(id="1", name="note"), replay="actions")
            steps.append(step_id)
            run.end_step(step_id, ToolResult(success=True))
        runs[1].add_dependency(
            step_id=steps[1], producer_run=runs[0].id, producer_step=steps[0], name="user.1.username"
        )
        for run in runs:
            run.end_run(status="passed", verdict="passed")
        recorder.end_batch(batch_id, status="passed")
        with Recording.open(path) as recording:
            revision = write_revision(recorder.writer, recording, runs[0].id, Changes(), kind="record")
    return path, {"maker": runs[0].id, "needing": runs[1].id, "revision": revision, "batch": batch_id}


@pytest.mark.parametrize(
    ("target", "performed"),
    [
        ("batch", ["revision", "needing"]),
        ("needing", ["revision", "needing"]),
        ("revision", ["revision"]),
        ("maker", ["maker"]),
        ("all", ["revision", "needing"]),
    ],
)
def test_the_newest_revision_is_performed_unless_another_is_named(
    recorded: tuple[Path, dict[str, str]], target: str, performed: list[str]
) -> None:
    path, ids = recorded
    with Recording.open(path) as recording:
        chosen = select(recording, ids.get(target, target)).runs
    assert [run.id for run in chosen] == [ids[name] for name in performed]
    assert {run.original for run in chosen} <= {ids["maker"], ids["needing"]}


def test_what_the_site_minted_for_one_user_is_known_to_who_waited_for_it() -> None:
    progress, bindings = Progress(), Bindings({"identity.username": "ann", "identity.email": "ann@example.org"})
    progress.begin("run-1", 2, bindings)
    bindings.set("site.books_1", "57")
    assert progress.shared_by("run-1") == {"user.2.username": "ann", "user.2.site.books_1": "57"}
    assert progress.shared_by("run-9") == {}
