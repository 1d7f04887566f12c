"""SQLPad, a single-page application in React, installed from npm into a folder and served on loopback."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.ports import port_of_nobody
from tests.sites.packages import node_modules

PACKAGE = "sqlpad@3.1.0"
DOMAINS = "example.com example.net example.org"
"""Whose users may sign up."""
_ROOT = {"email": "root@example.org", "password": "Rosebud-91", "passwordConfirmation": "Rosebud-91"}
_START_S = 60.0


@dataclass
class SqlPad:
    """An installed application."""

    folder: Path
    port: int = 0
    _process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    @classmethod
    def install(cls, folder: Path) -> SqlPad:
        """Install it, and keep its data as they are with one administrator, who is the first to sign up."""
        node_modules(folder, PACKAGE)
        pad = cls(folder, port_of_nobody())
        with pad.served() as url:
            given = urllib.request.Request(
                f"{url}/api/signup", json.dumps(_ROOT).encode(), {"Content-Type": "application/json"}
            )
            urllib.request.urlopen(given, timeout=_START_S).close()
        shutil.copytree(folder / "data", folder / "pristine")
        return pad

    @contextmanager
    def served(self) -> Iterator[str]:
        """Serve it; gives its address."""
        self._start()
        try:
            yield f"http://127.0.0.1:{self.port}"
        finally:
            self._end()

    def reset(self) -> None:
        """Throw away what was added: the server has its data in memory, so it starts anew."""
        self._end()
        shutil.rmtree(self.folder / "data")
        shutil.copytree(self.folder / "pristine", self.folder / "data")
        self._start()

    def rows(self, table: str) -> list[dict[str, Any]]:
        """Give the documents that the server has stored: it appends each change to a file."""
        found: dict[str, dict[str, Any]] = {}
        for line in (self.folder / "data" / f"{table}.db").read_text("utf-8").splitlines():
            document = json.loads(line)
            if document.get("$$deleted"):
                found.pop(document["_id"])
            elif "_id" in document:
                found[document["_id"]] = document
        return list(found.values())

    def _start(self) -> None:
        (self.folder / "data").mkdir(exist_ok=True)
        settings = {
            "SQLPAD_IP": "127.0.0.1",
            "SQLPAD_PORT": str(self.port),
            "SQLPAD_DB_PATH": str(self.folder / "data"),
            "WHITELISTED_DOMAINS": DOMAINS,
        }
        node = shutil.which("node")
        assert node, "node is needed to run the application"
        command = [node, "node_modules/sqlpad/server.js"]
        quiet = subprocess.DEVNULL
        self._process = subprocess.Popen(
            command, cwd=self.folder, env={**os.environ, **settings}, stdout=quiet, stderr=quiet
        )
        deadline = time.monotonic() + _START_S
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/app", timeout=5).close()
                return
            except OSError:
                if self._process.poll() is not None or time.monotonic() > deadline:
                    self._end()
                    raise
                time.sleep(0.05)

    def _end(self) -> None:
        assert self._process is not None
        self._process.terminate()
        self._process.wait(10)
