"""The limits of a whole batch, prices, and what a batch has spent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from simulator.config import Models
from simulator.errors import UsageError
from simulator.recording.reader import Recording
from simulator.recording.upkeep.verify import verify
from simulator.report.follow_up import FollowUp
from simulator.report.page import html_report
from simulator.report.recorded import batch_shown, read_run, run_lines
from simulator.report.summary import batch_lines
from simulator.report.terminal.usage import read_batch
from simulator.runner.batch import RunOptions, run_batch
from simulator.runner.events import BatchResult
from simulator.runner.stop import Stop
from tests.fakes.messages_api import KEY, Answer, MessagesApi, Request, calls, messages_api, use
from tests.runner.bench import Bench, persona, settings

pytestmark = [pytest.mark.timeout(600), pytest.mark.promise("what a batch is, and what it spends")]

MODEL = "claude-x"
PRICES = Models.model_validate({MODEL: {"input": 2.0, "cache_write": 2.5, "cache_read": 0.2, "output": 10.0}})
LOOKER = {"persona": "looker", "tasks": [{"do": "Look at a page."}]}
ASKED: dict[str, Any] = {"input_tokens": 1000, "output_tokens": 100, "cache_read_input_tokens": 5000}
"""Of each request: 1,600 tokens as a limit counts them, and 0.004 USD."""


def look(request: Request) -> Answer:
    if request.turn == 0:
        return calls(use("navigate", url="/books"), **ASKED)
    return calls(use("complete", result="I looked."), **ASKED)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path, settings())


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[MessagesApi]:
    with messages_api(look) as api:
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", api.url)
        yield api


@pytest.fixture
def run(bench: Bench) -> Callable[..., Any]:
    """Records three users one after the other, each of whom asks a model twice."""

    async def start(*, models: Models | None = None, limits: dict[str, Any] | None = None, **more: Any) -> BatchResult:
        options = RunOptions(
            settings=bench.settings.model_copy(update={"models": models or Models()}),
            site=bench.site(bench.shop("shop")),
            personas=(persona({**LOOKER, "limits": limits or {}}),),
            count=3,
            seed="7",
            concurrency=1,
            agent="claude",
            model=MODEL,
            screenshots="none",
            db=bench.folder / "runs.db",
            **more,
        )
        return await run_batch(options, lambda _: None, Stop())

    return start


def kept(result: BatchResult) -> list[tuple[str, str | None, int]]:
    """How each user's run ended, as the recording has it."""
    assert verify(result.db) == []
    with Recording.open(result.db) as recording:
        return [(run.status, run.reason, run.steps) for run in recording.runs(result.batch_id)]


async def test_a_batch_ends_at_its_steps(run: Callable[..., Any], api: MessagesApi, bench: Bench) -> None:
    result = await run(limit_steps=3)
    reason = "the batch's limit of 3 steps is used up"
    assert kept(result) == [("passed", None, 2), ("interrupted", reason, 1), ("cancelled", reason, 0)]
    assert (result.interrupted, result.cancelled, result.reason) == (True, 1, reason)
    lines = batch_lines(result, FollowUp())
    assert lines[0].endswith(f", 1 other never began; {reason}")
    replayed = await bench.replay(result.db, "again", concurrency=1, target=result.runs[0].run_id)
    assert replayed.verdicts == ["passed"]


@pytest.mark.slow
async def test_a_batch_that_needs_no_more_than_its_limits_passes(run: Callable[..., Any], api: MessagesApi) -> None:
    result = await run(limit_steps=6, limit_tokens=9_600, limit_money=0.024, models=PRICES)
    assert [status for status, _, _ in kept(result)] == ["passed"] * 3
    assert result.reason == ""


@pytest.mark.table
async def test_a_batch_ends_at_its_tokens(run: Callable[..., Any], api: MessagesApi) -> None:
    result = await run(limit_tokens=4_000)
    reason = "the batch's limit of 4000 tokens is used up (4800)"
    assert kept(result) == [("passed", None, 2), ("interrupted", reason, 1), ("cancelled", reason, 0)]
    assert len(api.requests) == 3, "no request is made beyond it"


@pytest.mark.table
async def test_a_batch_ends_at_its_money(run: Callable[..., Any], api: MessagesApi) -> None:
    result = await run(limit_money=0.011, models=PRICES)
    reason = "the batch's limit of 0.011 USD is used up (0.0120 USD)"
    assert kept(result) == [("passed", None, 2), ("interrupted", reason, 1), ("cancelled", reason, 0)]


@pytest.mark.slow
async def test_a_batch_ends_at_its_minutes(run: Callable[..., Any], api: MessagesApi) -> None:
    result = await run(limit_minutes=0.0001)
    assert {status for status, _, _ in kept(result)} <= {"interrupted", "cancelled"}
    assert result.reason == "the batch's limit of 0.0001 minutes is over"


@pytest.mark.parametrize("where", ["batch", "persona"])
async def test_a_limit_of_money_takes_prices(run: Callable[..., Any], api: MessagesApi, where: str) -> None:
    given: dict[str, Any] = {"limit_money": 1.0} if where == "batch" else {"limits": {"money": 1.0}}
    with pytest.raises(UsageError) as refused:
        await run(**given)
    assert refused.value.exit_code == 2
    assert f'write its prices into sim.toml, under [models."{MODEL}"]: input, cache_write' in str(refused.value)
    assert api.requests == []


@pytest.mark.slow
async def test_what_was_spent_is_told_everywhere(run: Callable[..., Any], api: MessagesApi) -> None:
    result = await run(models=PRICES)
    said = "6 calls of claude-x: 36,000 tokens in, 30,000 of them from the cache, 600 out; cost: 0.0240 USD"
    assert str(result.spending) == said
    assert result.by_persona == {"looker": result.spending}
    assert f"models    {said}" in batch_lines(result, FollowUp())
    one = said.replace("6 calls", "2 calls").replace("36,000", "12,000").replace("30,000", "10,000")
    one = one.replace("600 out", "200 out").replace("0.0240", "0.0080")
    with Recording.open(result.db) as recording:
        recorded = read_run(recording, result.runs[0].run_id)
        lines = run_lines(recorded, None)
        batch = read_batch(recording, result.batch_id)
        page = html_report(recording, result.batch_id)
    assert f"model     {one}" in lines
    assert [line.strip() for line in lines if "model: 1 call of claude-x" in line] == [
        "model: 1 call of claude-x: 6,000 tokens in, 5,000 of them from the cache, 100 out; cost: 0.0040 USD"
    ] * 2, "each step says what led to it"
    assert [call.spending.cost.known for call in recorded.usage.calls] == [{"USD": 0.004}] * 2
    assert batch.total == result.spending
    shown = batch_shown(batch, None)
    assert "asked of models, by user" in shown
    assert [line.split() for line in shown if line.strip().startswith("looker")] == [
        ["looker", "6", "36,000", "30,000", "600", "0.0240", "USD"]
    ]
    assert said in page
    assert one in page


@pytest.mark.slow
async def test_what_nobody_knows_the_price_of_is_unknown_and_not_nothing(
    run: Callable[..., Any], api: MessagesApi
) -> None:
    result = await run()
    assert str(result.spending.cost) == "unknown"
    assert (result.spending.cost.known, result.spending.cost.unknown_calls) == ({}, 6)
    with Recording.open(result.db) as recording:
        run_row = recording.run(result.runs[0].run_id)
        assert str(read_run(recording, run_row.id).usage.total.cost) == "unknown"
        assert run_row.summary is not None
        assert run_row.summary["model"]["cost"] == {"known": {}, "unknown_calls": 2}
