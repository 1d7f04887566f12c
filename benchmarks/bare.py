"""``python -m benchmarks.bare``: the least that Starlette and uvicorn can serve, with the bookshop's settings."""

from __future__ import annotations

import json
import socket

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route


async def _constant(request: Request) -> Response:
    return HTMLResponse("<!doctype html><title>Nothing</title><p>Nothing to see.")


def main() -> None:
    """Serve on a free port of loopback until told to stop; the first line of output says where."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(2048)
        print(json.dumps({"url": f"http://127.0.0.1:{listener.getsockname()[1]}"}), flush=True)
        app = Starlette(routes=[Route("/{path:path}", _constant)])
        config = uvicorn.Config(
            app, lifespan="off", ws="none", access_log=False, log_level="warning", server_header=False,
            timeout_keep_alive=75,
        )  # fmt: skip
        uvicorn.Server(config).run([listener])


if __name__ == "__main__":
    main()
