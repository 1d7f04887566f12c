"""``python -m benchmarks.scripted URL USERS BROWSER [AT_ONCE]``: the hand-written visit of many users, timed."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path

from playwright.async_api import async_playwright

from benchmarks.shopper import Shopper, visit


async def main(base_url: str, users: str, executable: str, at_once: str = "1000") -> None:
    """Let users visit, so many at once, and print how long it took, from the first context to the last one closed."""
    shoppers = [Shopper.from_dict(one) for one in json.loads(Path(users).read_text("utf-8"))]
    slots = asyncio.Semaphore(int(at_once))
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])

        async def act(who: Shopper) -> None:
            async with slots:
                await visit(browser, base_url, who)

        began = time.perf_counter()
        async with asyncio.TaskGroup() as group:
            for who in shoppers:
                group.create_task(act(who))
        print(json.dumps({"seconds": time.perf_counter() - began}))
        await browser.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
