"""Exchanges as the browser's traffic gives them to a recorder, without a browser."""

from __future__ import annotations

from typing import Any

from simulator.browser.action_recorder import ActionKind, ActionOutcome, ActionStart
from simulator.browser.evidence import Target
from simulator.browser.wire.exchange import WrittenExchange
from simulator.recording import RunRecorder

PAGE = WrittenExchange(
    actor="main",
    action_id=None,
    initiator="document",
    method="POST",
    url="/books/new",
    request_headers=[("Cookie", "id={{secret.withheld}}"), ("Accept", "*/*")],
    request_parts=[{"name": "title", "value": "{{book.1.title}}"}],
    request_body=None,
    request_type="application/x-www-form-urlencoded",
    status=303,
    response_headers=[("Set-Cookie", "id={{secret.withheld}}; Path=/"), ("Location", "/books/{{site.books_1}}")],
    response_body=None,
    response_type="",
    error=None,
    timings={"sent": 0.5, "ended": 3.25},
)


class Heard:
    """An exchange as the browser's traffic gives it."""

    def __init__(self, before: Heard | None = None, *, over: bool = True, **told: Any) -> None:
        self.id = ""
        self.redirect_of = before
        self.over = over
        self.told = told

    def written(self) -> WrittenExchange:
        return WrittenExchange(**{field: getattr(PAGE, field) for field in WrittenExchange.__slots__} | self.told)


def act(run: RunRecorder, *heard: Heard, kind: ActionKind = "click") -> str:
    """Do an action that causes exchanges."""
    action_id = run.begin(ActionStart(kind=kind, actor="main", target=Target(tag="button")))
    for one in heard:
        one.told.setdefault("action_id", action_id)
        run.exchanges.sent(one)
    run.end(action_id, ActionOutcome(status="done"))
    return action_id
