"""The bundled bookshop; at one request it kills a program without a warning. Options as ``python -m simulator.demo``.

``KILL`` holds JSON: ``route`` is a pattern of "METHOD path", ``nth`` which of those that fit it, ``when`` is ``before``
its effect or ``after`` it, and ``pid`` the file with the number of the process. The answer never comes, unless
``answers`` is true: then another program asked than the one that is killed.
"""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import time
from pathlib import Path

from rewriting import serve
from starlette.types import ASGIApp, Message, Receive, Scope, Send

KILL = json.loads(os.environ["KILL"])


class Killing:
    """Kills at one request of an application."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.seen = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not re.fullmatch(KILL["route"], f"{scope['method']} {scope['path']}"):
            await self.app(scope, receive, send)
            return
        self.seen += 1
        if self.seen != KILL["nth"]:
            await self.app(scope, receive, send)
            return

        async def lost(message: Message) -> None:
            """Keep an answer from going out."""

        if KILL.get("answers"):
            kill(int(Path(KILL["pid"]).read_text()))
            await self.app(scope, receive, send)
            return
        if KILL["when"] == "after":
            await self.app(scope, receive, lost)
        kill(int(Path(KILL["pid"]).read_text()))
        while (await receive())["type"] != "http.disconnect":
            pass


def kill(pid: int) -> None:
    """Kill a process, and see it dead."""
    os.kill(pid, signal.SIGKILL)
    state = Path(f"/proc/{pid}/stat")
    while state.exists() and state.read_text().rpartition(")")[2].split()[0] not in "ZX":
        time.sleep(0.001)


if __name__ == "__main__":
    sys.exit(serve(Killing))
