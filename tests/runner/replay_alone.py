"""Replays a recording in a process of its own, and prints what it imported and where it connected.

Arguments: the recording, the shop's database, the database for the replay.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

connected: set[str] = set()


def watch(event: str, arguments: tuple[Any, ...]) -> None:
    if event in ("socket.connect", "socket.sendto"):
        connected.add(str(arguments[-1]))
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        connected.add(f"name {arguments[0]}")


def main() -> None:
    sys.addaudithook(watch)
    import simulator.cli.execution
    import simulator.cli.replays.replay  # noqa: F401 - the command, too
    from simulator.config import load_settings
    from simulator.runner.replays.options import ReplayOptions
    from simulator.runner.replays.replaying import replay
    from simulator.runner.stop import Stop

    source, shop, db = map(Path, sys.argv[1:])
    settings = load_settings()
    site = settings.site("bookshop").model_copy(update={"database": shop, "base_url": "http://127.0.0.1:1"})
    options = ReplayOptions(settings=settings, site=site, source=source, target="last", db=db, concurrency=1)
    result = asyncio.run(replay(options, lambda _: None, Stop()))
    told = {
        "passed": result.passed,
        "base_url": result.base_url,
        "modules": sorted(name for name in sys.modules if "." not in name),
        "agent": sorted(name for name in sys.modules if name.startswith("simulator.agent.")),
        "connected": sorted(connected),
        "blocked": list(result.blocked),
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main()
