"""Playwright MCP, installed for the time of a row and asked for snapshots of pages. Not responsible for: comparing."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

VERSION = "0.0.83"
PACKAGE = f"@playwright/mcp@{VERSION}"
_NPM = ("install", "--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error")
_FENCE = "```yaml\n"


class Unavailable(RuntimeError):
    """It cannot be had here."""


@dataclass(slots=True)
class Server:
    """A running server, spoken to over its standard streams."""

    process: asyncio.subprocess.Process
    asked: int = 0

    async def snapshot(self, url: str) -> str:
        """Go to a page, and give the snapshot of it that the server gives a model."""
        await self._tool("browser_navigate", {"url": url})
        told = await self._tool("browser_snapshot", {})
        _, fence, rest = told.partition(_FENCE)
        if not fence:
            raise RuntimeError(f"{PACKAGE} gave no snapshot of {url}: {told[:200]}")
        return rest.partition("\n```")[0]

    async def begin(self) -> None:
        """Shake hands."""
        client = {"name": "benchmark", "version": "1"}
        await self._ask("initialize", {"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": client})
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    async def _tool(self, name: str, arguments: dict[str, Any]) -> str:
        result = await self._ask("tools/call", {"name": name, "arguments": arguments})
        text = "\n".join(part["text"] for part in result["content"] if part["type"] == "text")
        if result.get("isError"):
            raise RuntimeError(f"{PACKAGE}: {name}: {text}")
        return text

    async def _ask(self, method: str, params: dict[str, Any]) -> Any:
        self.asked += 1
        self._send({"jsonrpc": "2.0", "id": self.asked, "method": method, "params": params})
        assert self.process.stdout is not None
        while line := await self.process.stdout.readline():
            message = json.loads(line)
            if message.get("id") == self.asked and "method" not in message:
                if "error" in message:
                    raise RuntimeError(f"{PACKAGE}: {method}: {message['error']}")
                return message["result"]
        raise RuntimeError(f"{PACKAGE} ended during {method}")

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")


@asynccontextmanager
async def installed(folder: Path, browser: Path, storage_state: Path) -> AsyncIterator[Server]:
    """Install the server with npm, and run it.

    Args:
        folder: an empty folder for it.
        browser: path of the browser that it is to use.
        storage_state: a logged-in user's cookies, as Playwright writes them.

    Raises:
        Unavailable: there is no npm, or it cannot install the package.
    """
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        raise Unavailable("npm is missing")
    (folder / "package.json").write_text('{"private": true}\n', "utf-8")
    install = await asyncio.create_subprocess_exec(
        npm, *_NPM, PACKAGE, cwd=folder, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE
    )
    _, said = await install.communicate()
    if install.returncode:
        raise Unavailable(f"npm cannot install it: {(said.decode(errors='replace').strip().splitlines() or [''])[-1]}")
    options = ["--headless", "--isolated", "--no-sandbox", "--executable-path", str(browser)]
    process = await asyncio.create_subprocess_exec(
        node, "node_modules/@playwright/mcp/cli.js", *options, "--storage-state", str(storage_state),
        cwd=folder, limit=2**24,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    try:
        server = Server(process)
        await server.begin()
        yield server
    finally:
        assert process.stdin is not None
        process.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), 10)
        except TimeoutError:
            process.kill()
            await process.wait()
