"""Which request of a replay stands for a recorded one."""

from __future__ import annotations

from typing import Any

import pytest

from simulator.browser.effects.model import Carried
from simulator.browser.sink import PageState
from simulator.recording.rows import WriteRow
from simulator.replay.effects import Expected
from tests.replay.rows import action


def write(url: str, action_id: str, **given: Any) -> WriteRow:
    usual: dict[str, Any] = {
        "initiator": "fetch",
        "method": "POST",
        "operation": "",
        "status": 200,
        "leads_to": "",
        "carried": (),
    }
    return WriteRow(id=url, run_id="run", action_id=action_id, ordinal=0, url=url, **(usual | given))


@pytest.mark.parametrize(
    ("made", "is_another"),
    [("/", True), ("/{{site.thing_1}}", False), ("/{id}", False)],
)
def test_an_empty_step_of_an_address_is_no_variable(made: str, is_another: bool) -> None:
    done = action("click", after=PageState("/", requests=(("POST", "/track", 200),)))
    kept = write(made, done.id, carried=(Carried("title", "put"),))
    expected = Expected(writes={done.id: [kept, write("/track", done.id)]}, tells=True)
    assert expected.incidental(done) == ([("POST", "/track")] if is_another else [])
