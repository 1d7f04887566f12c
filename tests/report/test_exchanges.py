from __future__ import annotations

from pathlib import Path

from simulator.cli.main import main
from simulator.recording import Recorder, Recording
from simulator.report.terminal.exchanges import exchange_lines, read_exchanges
from simulator.tools.contracts import ToolCall
from tests.recording.heard import Heard, act


def test_a_line_says_who_asked_for_what_and_what_came_of_it(tmp_path: Path, capsys) -> None:
    db = tmp_path / "runs.db"
    with Recorder.open(db) as recorder:
        batch = recorder.begin_batch(argv=[], seed="7", settings={})
        run = recorder.begin_run(
            batch_id=batch, number=1, kind="record", agent=None, persona=None, identity=None, environment={}, site="s"
        )
        run.begin_step(call=ToolCall(id="1", name="click"), replay="actions")
        file = {"name": "cover", "filename": "a.png", "file": None, "type": "image/png"}
        post = Heard(request_parts=[{"name": "title", "value": "{{book.1.title}}"}, file])
        answer = {"response_body": b"a" * 1234, "response_type": "text/html", "status": 200, "request_parts": None}
        act(run, post, Heard(post, method="GET", url="/books/{{site.books_1}}", **answer))
        act(run, Heard(initiator="fetch", status=0, error="net::ERR_ABORTED", request_parts=None, timings={}))
        run.end_run(status="passed")
    with Recording.open(db) as recording:
        lines = exchange_lines(read_exchanges(recording, "last"), None)
    head, first, second, third = (line.split() for line in lines)
    assert head == ["step", "user", "for", "status", "bytes", "ms", "request"]
    sent = "(title={{book.1.title}}, cover=file a.png)"
    assert first == ["1", "1", "main", "document", "303", "-", "3", "POST", "/books/new", *sent.split()]
    led = ["GET", "/books/{{site.books_1}}", "[after", "1]"]
    assert second == ["2", "1", "main", "document", "200", "1,234", "3", *led]
    assert third == ["3", "1", "main", "fetch", "-", "-", "-", "POST", "/books/new", "[net::ERR_ABORTED]"]
    main(["runs", "show", "last", "--exchanges", "--db", str(db)])
    assert "POST /books/new (title={{book.1.title}}" in capsys.readouterr().out


def test_a_run_without_any_says_how_to_record_them(tmp_path: Path, capsys) -> None:
    db = tmp_path / "runs.db"
    with Recorder.open(db) as recorder:
        batch = recorder.begin_batch(argv=[], seed="7", settings={})
        recorder.begin_run(
            batch_id=batch, number=1, kind="record", agent=None, persona=None, identity=None, environment={}, site="s"
        ).end_run(status="passed")
    main(["runs", "show", "last", "--exchanges", "--db", str(db)])
    assert "--exchanges all" in capsys.readouterr().out
