"""Questions of a run to the person at the terminal. Not responsible for: whether anybody attends."""

from __future__ import annotations

import asyncio
import sys


async def ask_terminal(question: str) -> str:
    """Ask on standard error, and give the line that is typed; it can be cancelled.

    Args:
        question: shown as it is.

    Returns:
        The line without its end; empty where the input has ended.
    """
    loop = asyncio.get_running_loop()
    answered: asyncio.Future[str] = loop.create_future()

    def read() -> None:
        if not answered.done():
            answered.set_result(sys.stdin.readline())

    print(f"\n{question}\nType the answer and press Enter.", file=sys.stderr, flush=True)
    loop.add_reader(sys.stdin.fileno(), read)
    try:
        return (await answered).strip()
    finally:
        loop.remove_reader(sys.stdin.fileno())
