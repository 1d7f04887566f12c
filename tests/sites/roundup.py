"""Roundup, an issue tracker with templates of its own, installed from PyPI into a folder and served on loopback."""

from __future__ import annotations

import configparser
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.ports import port_of_nobody
from tests.sites.packages import virtual_environment
from tests.sites.programs import program

PACKAGE = "roundup==2.6.0"
ADMIN, PASSWORD = "admin", "Rosebud-91-of-the-lake"
OF_ITSELF = ("__",)
"""Tables of what it keeps for itself: an index of the words in all texts, as many as a user's texts have."""
_SERVE = """
import sys
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIServer, make_server
from roundup.cgi.wsgi_handler import RequestDispatcher

class Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True

tracker = RequestDispatcher(sys.argv[1])

def application(environ, start_response):
    tracker.tracker.config["TRACKER_WEB"] = f"http://{environ['HTTP_HOST']}/"
    return tracker(environ, start_response)

make_server("127.0.0.1", int(sys.argv[2]), application, Server).serve_forever()
"""
"""Its own server refuses to be started by root. It is told the address that the browser knows: there may be a proxy."""


@dataclass
class Roundup:
    """An installed tracker."""

    folder: Path
    port: int
    _running: ExitStack = field(default_factory=ExitStack, repr=False)

    @classmethod
    def install(cls, folder: Path) -> Roundup:
        """Install it, and keep its database and its files as they are with one administrator and no issue."""
        virtual_environment(folder / "venv", PACKAGE)
        made = cls(folder, port_of_nobody())
        made._admin("install", "classic", "sqlite")
        made._configure()
        made._admin("initialise", PASSWORD)
        with made.served():
            pass
        shutil.copytree(made.home / "db", folder / "pristine")
        return made

    def reset(self) -> None:
        """Throw away what was added: the server knows what it has read, so it starts anew."""
        self._running.close()
        shutil.rmtree(self.home / "db")
        shutil.copytree(self.folder / "pristine", self.home / "db")
        self._running.enter_context(self._program())

    @property
    def home(self) -> Path:
        return self.folder / "tracker"

    @property
    def database(self) -> Path:
        return self.home / "db" / "db"

    def files(self) -> list[tuple[str, str]]:
        """Give each message and each file that is kept beside the database: its place and what it holds."""
        kept = sorted(path for path in (self.home / "db" / "files").rglob("*") if path.is_file())
        return [(str(path.relative_to(self.home / "db")), path.read_bytes().decode("latin-1")) for path in kept]

    @contextmanager
    def served(self) -> Iterator[str]:
        """Serve it; gives its address."""
        with self._running:
            yield self._running.enter_context(self._program())

    def _program(self) -> AbstractContextManager[str]:
        command = [self.folder / "venv" / "bin" / "python", "-c", _SERVE, self.home, str(self.port)]
        return program(command, f"http://127.0.0.1:{self.port}", "/", folder=self.folder)

    def _admin(self, *arguments: str) -> None:
        command = [self.folder / "venv" / "bin" / "roundup-admin", "-i", self.home, *arguments]
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    def _configure(self) -> None:
        # No mail is sent.
        settings = configparser.RawConfigParser(comment_prefixes=("#",), inline_comment_prefixes=None)
        file = self.home / "config.ini"
        settings.read(file, "utf-8")
        settings["mail"].update(domain="example.org", host="127.0.0.1", debug=str(self.folder / "mails.txt"))
        settings["tracker"]["web"] = f"http://127.0.0.1:{self.port}/"
        with file.open("w", encoding="utf-8") as written:
            settings.write(written)
