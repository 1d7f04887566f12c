"""Ports where nobody answers. Not responsible for: servers, which choose theirs as they start."""

from __future__ import annotations

import socket

_KEPT: list[socket.socket] = []
"""They hold the ports until the process ends: let go of, one could be given to the server of another test."""


def port_of_nobody() -> int:
    """Give a port of loopback where nobody listens; a server that asks for it by its number gets it."""
    kept = socket.socket()
    kept.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    kept.bind(("127.0.0.1", 0))
    _KEPT.append(kept)
    return int(kept.getsockname()[1])
