"""`python -m simulator.demo`: serve the bookshop as a child of another program.

It prints one line of JSON, `{"url": ..., "pid": ...}`, when it accepts connections.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

from simulator.demo.errors import DemoError
from simulator.demo.mutations.catalogue import MUTATIONS
from simulator.demo.server import DEFAULT_HOST, DEFAULT_PORT, serve


def main(arguments: list[str] | None = None) -> int:
    """Serve until told to stop.

    Returns:
        The exit code: 0, 2 for a bad file or option, 3 if the address is taken.
    """
    parser = argparse.ArgumentParser(prog="python -m simulator.demo", description=__doc__)
    parser.add_argument("--host", default=DEFAULT_HOST)
    parser.add_argument("--port", type=int, default=DEFAULT_PORT, help="0 takes a free one")
    parser.add_argument("--db", type=Path, required=True, help="the site's database file")
    token = parser.add_mutually_exclusive_group()
    token.add_argument("--control-token-env", metavar="VARIABLE", help="environment variable with the token")
    token.add_argument("--control-token-file", metavar="FILE", type=Path, help="file with the token")
    parser.add_argument("--reset", action="store_true", help="empty and restock the site first")
    parser.add_argument("--exit-with-parent", action="store_true", help="stop when the parent process is gone")
    parser.add_argument(
        "--mutate", action="append", default=[], metavar="NAME", help="change the shop; 'list' shows how"
    )
    options = parser.parse_args(arguments)
    if "list" in options.mutate:
        print("\n".join(f"{one.name}: {one.what}" for one in MUTATIONS.values()))
        return 0
    try:
        serve(
            host=options.host,
            port=options.port,
            db=options.db,
            control_token=_token(parser, options.control_token_env, options.control_token_file),
            reset=options.reset,
            exit_with_parent=options.exit_with_parent,
            mutations=options.mutate,
            on_ready=lambda url: print(json.dumps({"url": url, "pid": os.getpid()}), flush=True),
        )
    except DemoError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    return 0


def _token(parser: argparse.ArgumentParser, variable: str | None, file: Path | None) -> str | None:
    if variable:
        token = os.environ.get(variable)
    elif file:
        try:
            token = file.read_text("utf-8").strip()
        except OSError as error:
            parser.error(f"{file}: {error.strerror}")
    else:
        return None
    if not token:
        parser.error(f"{variable or file}: no control token there")
    return token


if __name__ == "__main__":
    sys.exit(main())
