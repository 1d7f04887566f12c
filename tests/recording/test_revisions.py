from __future__ import annotations

import pytest

from simulator.browser.action_recorder import ActionOutcome, ActionStart, PageState
from simulator.browser.evidence import Target
from simulator.recording import Recorder, Recording
from simulator.recording.revise import Added, Changes, newest, next_revision, write_revision
from simulator.recording.rows import VariableRow
from simulator.recording.upkeep.verify import verify
from simulator.tools.contracts import ToolCall, ToolResult
from tests.journal import enter


@pytest.fixture
def two_runs(path, begin_run, record_step):
    """A recording of two runs of which the second needs the first; and the second's action."""
    with Recorder.open(path) as recorder:
        first = begin_run(recorder)
        made = record_step(first)
        first.end_run(status="passed", verdict="passed")
        second = begin_run(recorder, batch_id=first.batch_id, number=2)
        step_id = second.begin_step(call=ToolCall(id="1", name="note", input={"text": "Hi Ada"}), replay="actions")
        start = ActionStart("fill", "user", Target(tag="input", name="Note"), "Hi Ada", "Hi Ada")
        action_id = second.begin(start)
        second.end(action_id, ActionOutcome("done", after=PageState("/notes/1"), generated={"site.notes_1": "1"}))
        second.add_dependency(step_id=step_id, producer_run=first.id, producer_step=made, name="user.1.username")
        enter(second, step_id=step_id, kind="note", url="/notes/1", fields={"text": "Hi Ada"})
        second.end_step(step_id, ToolResult(success=True))
        second.end_run(status="passed", verdict="passed", summary={"steps": 1})
        recorder.end_batch(first.batch_id, status="passed")
    return path, first.id, second.id


def revise(path, source, run_id, text="Hi {{identity.first_name}}"):
    with Recording.open(source) as recording, Recorder.open(path) as recorder:
        (step,), (action,) = recording.steps(run_id), recording.actions(run_id)
        (made,) = recording.created(run_id)
        changes = Changes(
            targets={action.id: Target(tag="textarea", name="Note")},
            values={action.id: text},
            inputs={step.id: {"text": text}},
            flags={step.id: {"keep_text": True}},
            after={action.id: PageState("/notes/{{site.notes_1}}", notes=("Saved",))},
            fields={made.id: {"text": text}},
            variables=(VariableRow("", "site.code_1", "site", "X-1", step.id, action.id),),
            notes=("step 1: another text",),
        )
        return write_revision(recorder.writer, recording, run_id, changes, kind="heal")


def test_a_revision_is_a_copy_with_what_was_changed_and_leaves_the_run_as_it_was(two_runs):
    path, _, run_id = two_runs
    with Recording.open(path) as recording:
        before = [recording.run(run_id), recording.steps(run_id), recording.actions(run_id), recording.created(run_id)]
    revision = revise(path, path, run_id)
    with Recording.open(path) as recording:
        assert before == [
            recording.run(run_id), recording.steps(run_id), recording.actions(run_id), recording.created(run_id)
        ]  # fmt: skip
        run, original = recording.run(revision), before[0]
        assert (run.revision, run.source_run, run.kind, run.original) == (2, run_id, "heal", run_id)
        assert (run.batch_id, run.number, run.identity, run.status) == (
            original.batch_id, original.number, original.identity, original.status
        )  # fmt: skip
        assert run.summary == {"steps": 1, "changes": ["step 1: another text"]}
        (step,), (action,) = recording.steps(revision), recording.actions(revision)
        assert step.input == {"text": "Hi {{identity.first_name}}"}
        assert step.flags == {"keep_text": True}
        assert (action.value, action.target.tag) == ("Hi {{identity.first_name}}", "textarea")
        assert action.after == PageState("/notes/{{site.notes_1}}", notes=("Saved",))
        assert [made.fields for made in recording.created(revision)] == [{"text": "Hi {{identity.first_name}}"}]
        found = {one.name: (one.value, one.step_id, one.action_id) for one in recording.variables(revision)}
        assert found == {"site.notes_1": ("1", step.id, action.id), "site.code_1": ("X-1", step.id, action.id)}
        assert [one.producer_run for one in recording.dependencies(revision)] == [two_runs[1]]
        assert [one.name for one in recording.variable_uses(revision)] == ["identity.first_name"] * 2
    assert verify(path) == []


def test_a_revision_of_a_revision_is_one_of_the_first_run(two_runs):
    path, _, run_id = two_runs
    second = revise(path, path, run_id)
    third = revise(path, path, second, "Hello")
    again = revise(path, path, run_id, "Good day")
    with Recording.open(path) as recording:
        assert [recording.run(one).revision for one in (second, third, again)] == [2, 3, 4]
        assert {recording.run(one).original for one in (second, third, again)} == {run_id}
        assert newest(recording.runs())[run_id].id == again


def test_no_number_is_given_twice_whatever_is_revised(two_runs):
    path, _, run_id = two_runs
    revision = revise(path, path, run_id)
    with Recording.open(path) as recording, Recorder.open(path) as recorder:
        given = [next_revision(recorder.writer, recording.run(one)) for one in (run_id, revision)]
    assert given == [3, 3]


def test_a_revision_in_another_file_brings_what_it_depends_on(two_runs, tmp_path):
    path, first, run_id = two_runs
    before = path.read_bytes()
    other = tmp_path / "other.db"
    revision = revise(other, path, run_id)
    assert path.read_bytes() == before
    with Recording.open(other) as recording:
        assert {run.id for run in recording.runs()} == {first, run_id, revision}
        assert newest(recording.runs()).keys() == {first, run_id}
    assert verify(other) == []


def test_a_revision_may_do_more_than_the_run_before_it(two_runs):
    path, _, run_id = two_runs
    here = PageState("/notes/1")
    banner = Added(ActionStart("click", "user", Target(tag="button", name="OK"), options={"optional": True}), here)
    visit = Added(ActionStart("goto", "user", value="/notes/{{site.notes_1}}", before=here), here, "navigated")
    with Recording.open(path) as recording, Recorder.open(path) as recorder:
        (action,) = recording.actions(run_id)
        changes = Changes(inserted={action.id: [banner, banner]}, appended={action.id: [visit]})
        revision = write_revision(recorder.writer, recording, run_id, changes, kind="heal")
    with Recording.open(path) as recording:
        *clicks, fill, goto = recording.actions(revision)
        assert [one.ordinal for one in (*clicks, fill, goto)] == [0, 1, 2, 3]
        assert {(one.kind, one.actor, one.options["optional"], one.status) for one in clicks} == {
            ("click", "user", True, "done")
        }
        assert (fill.kind, fill.target) == (action.kind, action.target)
        assert (goto.kind, goto.value, goto.settled) == ("goto", "/notes/{{site.notes_1}}", "navigated")
        assert recording.variables(revision)[0].action_id == fill.id
    assert verify(path) == []
