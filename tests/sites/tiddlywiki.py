"""TiddlyWiki, a notebook whose one page a script draws, installed from npm into a folder and served on loopback.

Notes are saved by a timer, a moment after they were put in, and shown under fragments of one address.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tests.ports import port_of_nobody
from tests.sites.packages import node_modules
from tests.sites.programs import program

PACKAGE = "tiddlywiki@5.4.1"
_SETTINGS = ("$:/SiteTitle", "$:/SiteSubtitle", "$:/DefaultTiddlers")
"""Notes of the wiki itself that its users change; it lists none of these."""
_FILTER = "[is[tiddler]!is[system]!has[draft.of]] [[$:/SiteTitle]] [[$:/SiteSubtitle]] [[$:/DefaultTiddlers]]"
"""What is sent to the server: without drafts, and which notes are open, of which it sends more or less by its clock."""
_OF_ITSELF = ("revision", "bag")
"""How often a note was saved, and where it is kept."""


@dataclass
class TiddlyWiki:
    """An installed wiki."""

    folder: Path
    port: int
    _running: ExitStack = field(default_factory=ExitStack, repr=False)

    @classmethod
    def install(cls, folder: Path) -> TiddlyWiki:
        """Install it, and keep its folder as it is with two notes."""
        node_modules(folder, PACKAGE)
        made = cls(folder, port_of_nobody())
        subprocess.run([*made._command, "--init", "server"], check=True, stdout=subprocess.DEVNULL)
        notes = made.wiki / "tiddlers"
        notes.mkdir()
        for number, (title, text) in enumerate(
            (
                ("GettingStarted", "A wiki about walks."),
                ("Walks", "All walks of this wiki."),
                ("$:/config/SyncFilter", _FILTER),
            )
        ):
            (notes / f"{number}.tid").write_text(f"title: {title}\n\n{text}", "utf-8")
        shutil.copytree(made.wiki, folder / "pristine")
        return made

    def reset(self) -> None:
        """Throw away what was added: the server has its notes in memory, so it starts anew."""
        self._running.close()
        shutil.rmtree(self.wiki)
        shutil.copytree(self.folder / "pristine", self.wiki)
        self._running.enter_context(self._program())

    @property
    def wiki(self) -> Path:
        return self.folder / "wiki"

    def notes(self) -> list[dict[str, Any]]:
        """Give the notes, as its server has them: it writes them into files a moment later."""
        listed = [one["title"] for one in self._told("tiddlers.json") or ()]
        titles = [*listed, *_SETTINGS]
        told = [self._told(f"tiddlers/{quote(title, safe='')}") for title in titles]
        return [{name: value for name, value in one.items() if name not in _OF_ITSELF} for one in told if one]

    @contextmanager
    def served(self) -> Iterator[str]:
        """Serve it; gives its address."""
        with self._running:
            yield self._running.enter_context(self._program())

    def _program(self) -> AbstractContextManager[str]:
        listen = ["--listen", "host=127.0.0.1", f"port={self.port}"]
        return program([*self._command, *listen], f"http://127.0.0.1:{self.port}", "/status")

    @property
    def _command(self) -> list[str | Path]:
        node = shutil.which("node")
        assert node, "node is needed to run the wiki"
        return [node, self.folder / "node_modules" / "tiddlywiki" / "tiddlywiki.js", self.wiki]

    def _told(self, path: str) -> Any:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/recipes/default/{path}", timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError:
            return None  # there is no such note
