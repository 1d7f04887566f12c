"""The HTTP server that sites and services of tests stand on.

Responsible for: a visitor who goes away early (a browser that is closed
resets what it had opened) being no error, and nothing printed about it.
"""

from __future__ import annotations

import sys
from http.server import ThreadingHTTPServer
from typing import Any


class LocalServer(ThreadingHTTPServer):
    """A server that a visitor may leave at any time; every other error is printed."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a connection that its visitor cut off."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)
