"""Takes back what the workers of a cluster did for a command that died: the scheduler keeps it until somebody does.

Not responsible for: going on with those users (``seeding.resuming``), or what workers keep (``performing``).
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from simulator.recording.recorder import Recorder
from simulator.runner.cluster.jobs import kept_as, unpacked
from simulator.runner.cluster.performing import is_performed
from simulator.runner.cluster.spreading import connected, merge
from simulator.runner.seeding.fan_out import parse_ranges
from simulator.runner.stop import Stop

if TYPE_CHECKING:
    from distributed import Client

_LOOK_S = 0.5
"""How often it is looked whether a worker still performs a cast, in seconds."""


async def take_back(scheduler: str, db: Path, batch_id: str, casts: Sequence[str], stop: Stop) -> None:
    """Put what is kept of casts into the recording of their batch; a worker that performs one is waited for.

    Of a cast of which nothing was recorded yet no user has done anything that changes the site: it is given to nobody
    any more, as if it had never been.

    Args:
        scheduler: its address.
        db: the recording.
        batch_id: the batch.
        casts: numbers of the users of each, as ranges.
        stop: asks for an early end.

    Raises:
        ExtraMissing: Dask.distributed is not installed.
        EnvironmentFailure: nobody answers there.
    """
    async with connected(scheduler) as client:
        for cast in casts:
            if not stop.requested:
                await _take_cast(client, db, batch_id, cast, stop)


async def _take_cast(client: Client, db: Path, batch_id: str, cast: str, stop: Stop) -> None:
    from distributed import Variable

    numbers = parse_ranges(cast)
    kept = Variable(name := kept_as(batch_id, numbers), client=client)
    while any((await client.run(is_performed, name)).values()):
        await stop.pause(_LOOK_S)
        if stop.requested:
            return
    try:
        recording: bytes = await kept.get(timeout=1)
    except TimeoutError:
        return  # it was taken before, or the scheduler is another one by now
    with Recorder.open(db) as recorder:
        if recording:
            merge(unpacked(recording), batch_id, recorder.writer)
        _give_no_more(recorder, batch_id, numbers)
    kept.delete()
    await asyncio.sleep(0)


def _give_no_more(recorder: Recorder, batch_id: str, numbers: Sequence[int]) -> None:
    """Store that no worker has these users any more."""
    writer = recorder.writer
    with writer.transaction() as change:
        (text,) = writer.execute("SELECT settings FROM batch WHERE id = ?", (batch_id,)).fetchone()
        settings = json.loads(text)
        going_on = settings["seeding"]["going_on"]
        going_on["given"] = [one for one in going_on.get("given", ()) if one not in numbers]
        writer.execute(
            "UPDATE batch SET settings = ?, change = ? WHERE id = ?", (writer.json(settings), change, batch_id)
        )
