"""Record-and-replay synthetic users for a web site.

The names of :mod:`simulator.api` are the public ones: ``record_runs``, ``replay_runs``, ``Recording``, ``BatchResult``,
``ReplayResult`` and ``SimulatorError``. They are loaded when they are asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simulator.version import VERSION

if TYPE_CHECKING:
    from simulator.api import BatchResult, Recording, ReplayResult, SimulatorError, record_runs, replay_runs

__all__ = ["BatchResult", "Recording", "ReplayResult", "SimulatorError", "__version__", "record_runs", "replay_runs"]
__version__ = VERSION


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'simulator' has no attribute {name!r}")
    from simulator import api

    return getattr(api, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
