from __future__ import annotations

import sqlite3
import time
import uuid
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from simulator.browser.action_recorder import ActionOutcome, ActionStart, PageState
from simulator.browser.evidence import Choice, Target
from simulator.recording import Recorder, Recording
from simulator.recording.stamps import new_id
from simulator.recording.upkeep.verify import verify
from simulator.secrets import Vault, Vaults
from simulator.tools.contracts import Image, ToolCall, ToolFailure, ToolResult
from tests.journal import enter

PASSWORD = Target(tag="input", type="password", label="Password", secret=True)


def test_what_is_recorded_is_read_back(path, begin_run, record_step):
    with Recorder.open(path) as recorder:
        run = begin_run(recorder)
        run.actors.add("main", context={"locale": "en_GB"})
        run.variables.set("identity.email", "ann@example.org", kind="identity")
        step_id = record_step(run)
        enter(run, step_id=step_id, kind="user", url="/users/{{site.user_1.id}}", fields={"city": "Leeds"})
        run.end_run(status="passed", verdict="passed", summary={"steps": 1})
        run.add_summary({"state": "5f3a"})
        recorder.end_batch(run.batch_id, status="passed")
    assert verify(path) == []
    with Recording.open(path) as recording:
        batch = recording.batch("last")
        assert (batch.status, batch.runs, batch.argv, batch.seed) == (
            "passed",
            1,
            ("sim", "personas", "run"),
            "7",
        )
        read = recording.run(run.id[:20])
        assert (read.id, read.status, read.verdict, read.steps) == (run.id, "passed", "passed", 1)
        assert read.summary == {"state": "5f3a", "steps": 1}
        assert read.identity == {"email": "ann@example.org"}
        (actor,) = recording.actors(run.id)
        assert actor.context == {"locale": "en_GB"}
        (step,) = recording.steps(run.id)
        assert step.input == {"selector": "E-mail", "text": "{{identity.email}}"}
        assert (step.status, step.success, step.result, step.task) == ("done", True, {"filled": True}, "register")
        (action,) = recording.actions(step.id)
        assert [action] == recording.actions(run.id)
        assert action.target is not None
        assert action.target.scopes[0].name == "Register"
        assert (action.value, action.recorded_value) == ("{{identity.email}}", "ann@example.org")
        assert action.before == PageState(url="/register", title="Register", status=200)
        assert action.after is not None
        assert action.after.requests == (("POST", "/api/{id}", 201),)
        assert (action.after.alerts, action.after.notes) == (("Taken",), ("Säved",))
        assert [(use.place, use.name) for use in recording.variable_uses(run.id)] == [
            ("input", "identity.email"),
            ("value", "identity.email"),
        ]
        (created,) = recording.created(run.id)
        assert (created.kind, created.fields, created.status) == ("user", {"city": "Leeds"}, "live")


def test_a_failed_step_keeps_its_error_and_images(path, begin_run):
    with Recorder.open(path) as recorder:
        run = begin_run(recorder)
        step_id = run.begin_step(call=ToolCall(id="1", name="click"), replay="actions", task=None)
        failure = ToolFailure(type="not_found", message="no button 'Buy'")
        image = Image(media_type="image/png", data=b"\x89PNG not really")
        run.end_step(step_id, ToolResult(success=False, error=failure, images=(image,)))
    with Recording.open(path) as recording:
        (step,) = recording.steps(run.id)
        assert (step.status, step.success, step.error_type, step.error_message) == (
            "failed",
            False,
            "not_found",
            "no button 'Buy'",
        )
        ((sha256, media_type),) = step.images
        assert media_type == "image/png"
        assert recording.blobs.read(sha256) == b"\x89PNG not really"


def test_a_step_and_an_action_are_committed_before_they_are_executed(path, begin_run):
    with Recorder.open(path) as recorder, sqlite3.connect(path) as other:
        run = begin_run(recorder)
        step_id = run.begin_step(call=ToolCall(id="1", name="goto"), replay="actions")
        action_id = run.begin(ActionStart(kind="goto", actor="main", value="/"))
        assert other.execute("SELECT id, status FROM step").fetchall() == [(step_id, "pending")]
        assert other.execute("SELECT id, status FROM action").fetchall() == [(action_id, "pending")]
    other.close()


def test_ordinals_count_in_run_step_and_batch(path, begin_run, record_step):
    with Recorder.open(path) as recorder:
        first = begin_run(recorder)
        second = begin_run(recorder, batch_id=first.batch_id, number=1)
        for run in (first, second, first):
            record_step(run)
    with Recorder.open(path) as recorder:
        third = begin_run(recorder, batch_id=first.batch_id, number=2)
        record_step(third)
    with Recording.open(path) as recording:
        places = [[(s.ordinal, s.batch_ordinal) for s in recording.steps(r.id)] for r in (first, second, third)]
    assert places == [[(0, 0), (1, 2)], [(0, 1)], [(0, 3)]]


def test_every_write_has_a_higher_change_number(path, begin_run, record_step):
    with Recorder.open(path) as recorder:
        run = begin_run(recorder)
        with Recording.open(path) as recording:
            before = recording.run(run.id).change
        record_step(run)
        run.end_run(status="passed")
    with Recording.open(path) as recording:
        (step,) = recording.steps(run.id)
        (action,) = recording.actions(run.id)
        assert before < action.change < step.change < recording.run(run.id).change


def test_one_step_at_a_time(path, begin_run):
    with Recorder.open(path) as recorder:
        run = begin_run(recorder)
        with pytest.raises(RuntimeError, match="no step in progress"):
            run.begin(ActionStart(kind="goto", actor="main", value="/"))
        run.begin_step(call=ToolCall(id="1", name="goto"), replay="actions")
        with pytest.raises(RuntimeError, match="still in progress"):
            run.begin_step(call=ToolCall(id="2", name="goto"), replay="actions")


def test_what_is_pending_when_a_run_ends_is_interrupted(path, begin_run):
    with Recorder.open(path) as recorder:
        run = begin_run(recorder)
        run.begin_step(call=ToolCall(id="1", name="goto"), replay="actions")
        run.begin(ActionStart(kind="goto", actor="main", value="/"))
        run.end_run(status="cancelled", reason="Ctrl-C")
    with Recording.open(path) as recording:
        assert [step.status for step in recording.steps(run.id)] == ["interrupted"]
        assert [action.status for action in recording.actions(run.id)] == ["interrupted"]
    assert verify(path) == []


def test_an_action_without_an_outcome_is_interrupted_when_its_step_ends(path, begin_run):
    with Recorder.open(path) as recorder:
        run = begin_run(recorder)
        step_id = run.begin_step(call=ToolCall(id="1", name="click"), replay="actions")
        run.begin(ActionStart(kind="click", actor="main", target=Target(tag="a")))
        failure = ToolFailure(type="timeout", message="took longer than 8 s")
        run.end_step(step_id, ToolResult(success=False, error=failure))
    with Recording.open(path) as recording:
        assert [action.status for action in recording.actions(run.id)] == ["interrupted"]


def test_minted_values_become_variables_with_their_source(path, begin_run):
    with Recorder.open(path) as recorder:
        run = begin_run(recorder)
        step_id = run.begin_step(call=ToolCall(id="1", name="click"), replay="actions")
        action_id = run.begin(ActionStart("click", "main", Target(tag="a"), aim="choice", choice=Choice(rule="any")))
        run.end(action_id, ActionOutcome(status="done", generated={"site.listing_1.id": "42"}))
        run.end_step(step_id, ToolResult(success=True))
        run.variables.set("site.listing_1.id", "43", kind="site", step_id=step_id)
    with Recording.open(path) as recording:
        (variable,) = recording.variables(run.id)
        assert (variable.name, variable.value, variable.kind) == ("site.listing_1.id", "43", "site")
        assert (variable.step_id, variable.action_id) == (step_id, None)
        assert recording.actions(run.id)[0].choice == Choice(rule="any")


def test_withheld_input_is_amended_with_its_variables(path, begin_run):
    with Recorder.open(path) as recorder:
        run = begin_run(recorder)
        call = ToolCall(id="1", name="fill", input={"selector": "City", "text": None})
        step_id = run.begin_step(call=call, replay="actions", withheld=True)
        with Recording.open(path) as recording:
            assert recording.steps(run.id)[0].withheld
        run.amend_step_input(step_id, {"selector": "City", "text": "{{identity.city}} {{lb}}"})
        run.end_run(status="passed")
    with Recording.open(path) as recording:
        (step,) = recording.steps(run.id)
        assert step.input == {"selector": "City", "text": "{{identity.city}} {{lb}}"}
        assert not step.withheld
        assert [use.name for use in recording.variable_uses(run.id)] == ["identity.city"]


@pytest.mark.parametrize(
    ("kind", "value", "stored"),
    [
        ("fill", "{{secret.password}}", "{{secret.password}}"),
        ("fill", "hunter2 but unknown", "{{secret.withheld}}"),
        ("type", "x", "{{secret.withheld}}"),
        ("press", "h", "{{secret.withheld}}"),
        ("press", "Shift+H", "{{secret.withheld}}"),
        ("press", "+", "{{secret.withheld}}"),
        ("press", "Shift++", "{{secret.withheld}}"),
        ("press", "Enter", "Enter"),
        ("press", "Control+a", "Control+a"),
    ],
)
def test_what_is_typed_into_a_secret_field_is_never_stored(path, begin_run, kind, value, stored):
    with Recorder.open(path) as recorder:
        run = begin_run(recorder)
        run.begin_step(call=ToolCall(id="1", name="fill"), replay="actions")
        run.begin(ActionStart(kind=kind, actor="main", target=PASSWORD, value=value, recorded_value=value))
        run.end_run(status="passed")
    with Recording.open(path) as recording:
        (action,) = recording.actions(run.id)
    assert (action.value, action.recorded_value) == (stored, None)
    assert verify(path) == []


def test_no_known_secret_reaches_the_file(path):
    vault = Vault(b"k" * 32, scope="bookshop|collector|7|0")
    secret = vault.reveal("password")
    with Recorder.open(path, mask=Vaults([vault]).mask_all) as recorder:
        batch_id = recorder.begin_batch(argv=["sim", secret], seed=secret, settings={"x": [secret]})
        run = recorder.begin_run(
            batch_id=batch_id, number=0, kind="record", agent=None, persona=None, site="bookshop", label=secret,
            identity={"password": "given away", "note": secret}, environment={"header": secret},
        )  # fmt: skip
        run.actors.add("main", identity={"password": secret}, context={"x": secret})
        run.variables.set("secret.password", secret, kind="text")
        run.variables.set("identity.note", secret, kind="identity")
        step_id = run.begin_step(
            call=ToolCall(id=secret, name=secret, input={"t": secret}), replay="actions", task=secret
        )
        page = PageState(url=f"/?q={secret}", title=secret, alerts=(secret,), notes=(secret,))
        target = Target(tag="a", name=secret)
        action_id = run.begin(
            ActionStart(
                kind="click", actor="main", target=target, value=secret, recorded_value=secret, before=page,
                options={"answered": secret}, choice=Choice(rule=secret), aim="choice",
            )
        )  # fmt: skip
        run.end(action_id, ActionOutcome(status="failed", after=page, error=secret, generated={"site.x": secret}))
        failure = ToolFailure(type="internal", message=secret)
        run.end_step(step_id, ToolResult(success=False, data=[secret], error=failure, metadata={"x": secret}))
        enter(run, step_id=step_id, kind="user", url=secret, fields={"x": secret})
        run.put_blob(f"<p>{secret}</p>".encode(), "text/html")
        run.end_run(status="failed", reason=secret, summary={"x": secret})
        written = b"".join(file.read_bytes() for file in path.parent.iterdir())
    assert b"{{secret.password}}" in written
    assert secret.encode() not in written
    assert b"given away" not in written
    assert verify(path) == []


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20, deadline=None)
@given(text=st.text(st.characters(), min_size=1), data=st.binary(max_size=2000))
def test_any_text_and_bytes_can_be_recorded(tmp_path: Path, text, data):
    with Recorder.open(tmp_path / "any.db") as recorder:
        batch_id = recorder.begin_batch(argv=[], seed="", settings={})
        run = recorder.begin_run(
            batch_id=batch_id,
            number=0,
            kind="record",
            agent=None,
            persona=None,
            identity=None,
            environment={},
            site="s",
        )
        step_id = run.begin_step(call=ToolCall(id="1", name="t", input={"x": text}), replay="skip")
        run.begin(ActionStart("type", "main", Target(tag="input"), value=text, before=PageState(url="/", title=text)))
        run.end_step(step_id, ToolResult(success=True, data=text))
        sha256 = run.put_blob(data, "application/octet-stream")
    with Recording.open(tmp_path / "any.db") as recording:
        fit = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # half a character is U+FFFD
        assert recording.steps(run.id)[0].input == {"x": fit}
        assert recording.steps(run.id)[0].result == fit
        assert recording.actions(run.id)[0].value == fit
        assert recording.blobs.read(sha256) == data
    assert verify(tmp_path / "any.db") == []


def test_blobs_are_stored_once_and_compressed_where_that_helps(path):
    with Recorder.open(path) as recorder:
        assert recorder.put_blob(b"a" * 5000, "text/plain") == recorder.put_blob(b"a" * 5000, "text/plain")
        recorder.put_blob(b"a" * 5000 + b"b", "image/png")
    with sqlite3.connect(path) as connection:
        rows = connection.execute("SELECT media_type, size, encoding, length(bytes) < 100 FROM blob ORDER BY size")
        assert rows.fetchall() == [("text/plain", 5000, "zlib", 1), ("image/png", 5001, "identity", 0)]
    connection.close()


def test_ids_are_uuid7_and_always_grow():
    ids = [new_id() for _ in range(10_000)]
    assert ids == sorted(set(ids))
    parsed = [uuid.UUID(id) for id in ids]
    assert {(id.version, id.variant) for id in parsed} == {(7, uuid.RFC_4122)}
    assert abs((parsed[0].int >> 80) / 1000 - time.time()) < 60
