"""The exchanges of a run: what its browsers asked of sites, and what they were answered. Not responsible for: HAR."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from simulator.recording.reader import Recording
from simulator.recording.rows import ExchangeRow
from simulator.report.terminal.columns import columns

NONE_RECORDED = (
    "no requests and answers are recorded of this run; record or replay it with '--exchanges all' (or 'documents', "
    "or say so in sim.toml: [run] exchanges)"
)


@dataclass(frozen=True, slots=True)
class ShownExchange:
    """An exchange, with the place of what caused it."""

    exchange: ExchangeRow
    step: int | None
    """Number of the step, from 1."""
    size: int | None
    """Bytes of the answer's body; None where it is not kept."""


def read_exchanges(recording: Recording, name: str) -> list[ShownExchange]:
    """Read the exchanges of a run, in the order of sending.

    Args:
        recording: where it stands.
        name: of the run, as `Recording.run` takes it.

    Raises:
        RecordingError: there is none of that name, or several.
    """
    run = recording.run(name)
    places = {step.id: step.ordinal + 1 for step in recording.steps(run.id)}
    return [
        ShownExchange(one, places.get(one.step_id or ""), recording.blobs.size(one.response_body))
        for one in recording.exchanges(run.id)
    ]


def exchange_lines(exchanges: Sequence[ShownExchange], width: int | None) -> list[str]:
    """Give a line for each exchange, and one for what it sent.

    Args:
        exchanges: of a run.
        width: cells of the terminal; None cuts nothing.
    """
    if not exchanges:
        return [NONE_RECORDED]
    rows = [("", "step", "user", "for", "status", "bytes", "ms", "request")]
    numbers = {one.exchange.id: str(one.exchange.ordinal + 1) for one in exchanges}
    for one in exchanges:
        exchange = one.exchange
        led = f"after {numbers[exchange.redirect_of]}" if exchange.redirect_of in numbers else ""
        told = "; ".join(filter(None, (led, exchange.error)))
        told = f" [{told}]" if told else ""
        rows.append(
            (
                numbers[exchange.id],
                str(one.step or "-"),
                exchange.actor or "-",
                exchange.initiator,
                str(exchange.status or "-"),
                "-" if one.size is None else f"{one.size:,}",
                f"{exchange.timings['ended']:.0f}" if "ended" in exchange.timings else "-",
                f"{exchange.method} {exchange.url}{told}{_sent(exchange)}",
            )
        )
    return columns(rows, right=(0, 1, 5, 6), width=width)


def _sent(exchange: ExchangeRow) -> str:
    """Say what a request sent: its fields."""
    if exchange.request_parts is None:
        return " (a body)" if exchange.request_body else ""
    told = (
        f"{part['name']}={part['value']}" if "value" in part else f"{part['name']}=file {part['filename']}"
        for part in exchange.request_parts
    )
    return f" ({', '.join(told)})".replace("\r\n", " ").replace("\n", " ")
