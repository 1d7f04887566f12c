"""Serving the bookshop from this process."""

from __future__ import annotations

import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType

import uvicorn

from simulator.demo.app import create_app
from simulator.demo.database import is_new, open_database
from simulator.demo.errors import PortInUse
from simulator.demo.mutations.catalogue import mutate, named
from simulator.demo.state import refill

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8765
GRACE = 2.0
"""Seconds that requests under way are given when the server is asked to stop."""


def serve(
    *,
    host: str = DEFAULT_HOST,
    port: int = DEFAULT_PORT,
    db: Path,
    control_token: str | None = None,
    reset: bool = False,
    exit_with_parent: bool = False,
    mutations: Sequence[str] = (),
    on_ready: Callable[[str], None] | None = None,
) -> None:
    """Serve the bookshop until the process is told to stop (SIGINT, SIGTERM), then return.

    Args:
        host: The address to listen on.
        port: The port to listen on; 0 takes a free one.
        db: The site's database file, created and stocked where there is none.
        control_token: What the control endpoints ask for; None leaves them out.
        reset: Whether to empty and restock the site first.
        exit_with_parent: Whether to stop when the parent process is gone, however it went.
        mutations: Names of what is changed in the shop.
        on_ready: Called once with the base URL when connections are accepted.

    Raises:
        PortInUse: The address cannot be listened on.
        NotABookshop: The file cannot be used as the site's database.
        UnknownMutation: There is none of such a name.
    """
    chosen = named(mutations)
    if exit_with_parent:
        _watch_parent(os.getppid())
    listener = listen(host, port)
    with listener:
        connection = open_database(db)
        try:
            if reset or is_new(connection):
                refill(connection)
            app = create_app(connection, control_token)
            if chosen:
                mutate(app, chosen)
            config = uvicorn.Config(
                app,
                lifespan="off",
                ws="none",
                access_log=False,
                log_level="warning",
                server_header=False,
                timeout_keep_alive=75,
                timeout_graceful_shutdown=int(GRACE),
            )
            _Server(config, base_url(host, listener), on_ready).run([listener])
        finally:
            connection.close()


def base_url(host: str, listener: socket.socket) -> str:
    """Return the URL of the home page, without a slash at the end."""
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{listener.getsockname()[1]}"


class _Server(uvicorn.Server):
    """Says when it accepts connections."""

    def __init__(self, config: uvicorn.Config, url: str, on_ready: Callable[[str], None] | None) -> None:
        super().__init__(config)
        self._url = url
        self._on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self._on_ready:
            self._on_ready(self._url)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop, and let `serve` return; uvicorn would raise the signal again once it has stopped."""
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True


def listen(host: str, port: int) -> socket.socket:
    """Open the socket of a server.

    Raises:
        PortInUse: The address cannot be listened on.
    """
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(2048)
    except (OSError, OverflowError) as error:
        listener.close()
        reason = getattr(error, "strerror", None) or str(error)
        raise PortInUse(f"cannot listen on {host}:{port}: {reason}; choose another port") from error
    return listener


def _watch_parent(parent: int) -> None:
    """Stop this process when its parent has gone, kill -9 included.

    Asking for the parent twice a second works on every POSIX system. Linux's PR_SET_PDEATHSIG would be
    quicker, but it fires when the *thread* that started this process ends, which a caller with a thread pool
    does long before it exits.
    """

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(GRACE)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()
