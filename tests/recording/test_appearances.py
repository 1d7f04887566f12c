"""Where a value first appeared in what a site answered."""

from __future__ import annotations

import json

import pytest

from simulator.recording import Recorder, Recording
from simulator.recording.appearances import first_appearances, scalars
from simulator.report.terminal.variables import read_variables, variable_lines
from simulator.tools.contracts import ToolCall
from tests.recording.heard import Heard, act

ORDER = {"order": {"number": "ORD-48213", "id": 4711, "lines": [{"sku": "a b"}]}, "odd key": True}


@pytest.fixture
def run(path, begin_run):
    with Recorder.open(path) as recorder:
        found = begin_run(recorder)
        found.begin_step(call=ToolCall(id="1", name="click"), replay="actions")
        yield found


def answered(body: str, media_type: str, **told: object) -> Heard:
    return Heard(response_headers=[], response_body=body.encode(), response_type=media_type, request_parts=None, **told)


def test_every_scalar_has_a_path():
    assert dict(scalars(ORDER)) == {
        "$.order.number": "ORD-48213",
        "$.order.id": "4711",
        "$.order.lines[0].sku": "a b",
    }
    assert dict(scalars({"odd key": "1"})) == {'$["odd key"]': "1"}


def test_values_are_found_in_headers_json_and_pages(path, run):
    to = [("Location", "/books/{{site.books_1}}"), ("X-Request", "req-77aa12")]
    action_id = act(
        run,
        answered("<p>4711 books</p>", "text/html", url="/books"),
        answered(json.dumps(ORDER), "application/json", url="/api/orders"),
        Heard(response_headers=to, url="/books/new"),
        answered("<ul>\n<li><a href='/lists/9/all'>\n<b>ORD-48213, code zx81q</b>", "text/html", url="/lists"),
    )
    values = {
        "site.orders_1": "4711", "site.number_1": "ORD-48213", "site.books_1": "13", "site.request_1": "req-77aa12",
        "site.lists_1": "9", "site.code_1": "zx81q", "site.page_1": "404040",
    }  # fmt: skip
    for name, value in values.items():
        run.variables.set(name, value, kind="site", step_id=run.current_step, action_id=action_id)
    with Recording.open(path) as recording:
        found = first_appearances(recording, run.id, values)
        ids = [row.id for row in recording.exchanges(run.id)]
        lines = variable_lines(read_variables(recording, run.id), None)
    assert {name: (one.ordinal, one.part, one.place) for name, one in found.items()} == {
        "site.orders_1": (1, "body", "$.order.id"),
        "site.number_1": (1, "body", "$.order.number"),
        "site.books_1": (2, "header", "Location"),
        "site.request_1": (2, "header", "X-Request"),
        "site.lists_1": (3, "body", "line 2"),
        "site.code_1": (3, "body", "line 3"),
    }
    assert found["site.number_1"].exchange == ids[1]
    (line,) = (line for line in lines if line.startswith("site.number_1"))
    assert "step 1 (answer 2, POST /api/orders: body, $.order.number)" in line
    (line,) = (line for line in lines if line.startswith("site.page_1"))
    assert "(answer" not in line


@pytest.mark.parametrize("depth", [900, 5000])
def test_a_body_that_is_nested_without_end_is_read_as_far_as_it_can_be(path, run, depth):
    action_id = act(run, answered("[" * depth + '"ORD-48213"' + "]" * depth, "application/json", url="/api/orders"))
    run.variables.set("site.number_1", "ORD-48213", kind="site", step_id=run.current_step, action_id=action_id)
    with Recording.open(path) as recording:
        found = first_appearances(recording, run.id, {"site.number_1": "ORD-48213"})
    assert found["site.number_1"].part == "body"
