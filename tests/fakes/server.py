"""The HTTP server that sites and services of tests stand on.

Responsible for: a visitor who goes away early (a browser that is closed
resets what it had opened) being no error, and nothing printed about it.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class LocalServer(ThreadingHTTPServer):
    """A server that a visitor may leave at any time; every other error is printed."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a connection that its visitor cut off."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


@contextmanager
def served(handler: type[BaseHTTPRequestHandler], host: str = "127.0.0.1") -> Iterator[str]:
    """Serve on a free port of loopback; gives the address, under a name of it."""
    with LocalServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://{host}:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
