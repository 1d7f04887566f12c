"""Writes steps for ever, telling each on standard output once it is committed. Run by the durability tests."""

import sys
from pathlib import Path

from simulator.browser.action_recorder import ActionOutcome, ActionStart
from simulator.browser.evidence import Target
from simulator.recording import Recorder
from simulator.tools.contracts import ToolCall, ToolResult

with Recorder.open(Path(sys.argv[1])) as recorder:
    batch_id = recorder.begin_batch(argv=sys.argv, seed="7", settings={})
    run = recorder.begin_run(
        batch_id=batch_id, number=0, kind="record", agent=None, persona=None, identity=None, environment={}, site="s"
    )
    print("run", run.id, flush=True)
    steps = int(sys.argv[2])
    for number in range(steps):
        step_id = run.begin_step(call=ToolCall(id=str(number), name="fill"), replay="actions")
        print("pending", step_id, flush=True)
        action_id = run.begin(ActionStart(kind="fill", actor="main", target=Target(tag="input"), value="x" * 5000))
        run.end(action_id, ActionOutcome(status="done"))
        run.end_step(step_id, ToolResult(success=True, data={"number": number}))
        print("done", step_id, flush=True)
    run.end_run(status="passed")
    recorder.end_batch(batch_id, status="passed")
