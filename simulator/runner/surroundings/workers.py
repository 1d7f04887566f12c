"""A site for each worker of a replay, so that their runs cannot meet. Not responsible for: who runs where.

The bundled bookshop is started for each, on a database of its own. Of any other site there have to be as many as
workers, at addresses that differ by the worker's number.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import NamedTuple

from simulator.config import Site
from simulator.errors import UsageError
from simulator.replay.plan import IdentityPolicy
from simulator.scratch import scratch_folder

WORKER = "{worker}"
"""Stands in an address for the number of the worker, from 1."""


class WorkerSite(NamedTuple):
    """The site of one worker."""

    site: Site
    database: Path | None
    """Of a bookshop that is started for it."""


def worker_sites(
    site: Site, base_url: str | None, workers: int, identity: IdentityPolicy, stack: AsyncExitStack
) -> Sequence[WorkerSite]:
    """Give each worker its site.

    Args:
        site: the section of ``sim.toml``.
        base_url: the address that was asked for.
        workers: how many there are.
        identity: who acts.
        stack: keeps the databases of the bookshops until it is closed.

    Raises:
        UsageError: there is only one site, it is not disposable, or fresh users could act on it all at once.
    """
    if workers == 1:
        return [WorkerSite(site.with_base_url(base_url.replace(WORKER, "1")) if base_url else site, None)]
    if identity != "same":
        raise UsageError(
            f"--workers gives each worker a site of its own, which '--identity {identity}' does not need: "
            f"use --concurrency {workers}"
        )
    if not site.disposable:
        raise UsageError(f"the site '{site.name}' is not marked 'disposable = true', so it has no copy for each worker")
    if base_url and WORKER in base_url:
        return [
            WorkerSite(site.with_base_url(base_url.replace(WORKER, str(number))), None)
            for number in range(1, workers + 1)
        ]
    if base_url or not site.bundled:
        raise UsageError(
            f"--workers {workers} needs as many sites: start {workers} copies of '{site.name}', and give their "
            f"addresses with the worker's number in them, such as --base-url http://127.0.0.1:800{WORKER}"
        )
    folder = stack.enter_context(scratch_folder())
    return [WorkerSite(site, folder / f"worker-{number}.db") for number in range(1, workers + 1)]
