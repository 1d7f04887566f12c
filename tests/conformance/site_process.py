"""The site of the conformance table in a process of its own, and how another process puts up its pages.

The site keeps a scene for each row: what the row put up, and what was posted. While rows are replayed it reads in the
replay's own event file which row is on. Not responsible for: what rows show.
"""

from __future__ import annotations

import io
import json
import marshal
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from importlib import import_module
from multiprocessing.connection import Client, Listener
from pathlib import Path
from types import CellType, FunctionType
from typing import Any

from tests.conformance.whole import END, HEAD, LAST, LEFT, Left
from tests.fakes.server import LocalServer
from tests.small_run import SmallSite, handler

KINDS = ("pages", "answers", "opens")


class _Packer(pickle.Pickler):
    """Packs functions that were written inside of others with what they know; the row's site is the site there."""

    def __init__(self, file: io.BytesIO, site: object) -> None:
        super().__init__(file)
        self._site = site

    def persistent_id(self, one: Any) -> str | None:
        if one is self._site:
            return "site"
        return "stage" if getattr(one, "site", None) is self._site else None

    def reducer_override(self, one: Any) -> Any:
        if not isinstance(one, FunctionType) or "<" not in one.__qualname__:
            return NotImplemented
        cells = tuple(cell.cell_contents for cell in one.__closure__ or ())
        return _function, (one.__module__, marshal.dumps(one.__code__), one.__defaults__, cells)


def _function(module: str, code: bytes, defaults: tuple[Any, ...] | None, cells: tuple[Any, ...]) -> FunctionType:
    held = tuple(CellType(one) for one in cells)
    return FunctionType(marshal.loads(code), vars(import_module(module)), None, defaults, held)


class _Unpacker(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, site: SmallSite) -> None:
        super().__init__(file)
        self._site = site

    def persistent_load(self, name: str) -> Any:
        return self._site if name == "site" else _Stage(self._site)


@dataclass
class _Stage:
    site: SmallSite


class _Put(dict[str, Any]):
    """What a row has put up of one kind: each change goes to the site at once."""

    def __init__(self, told: Callable[[Mapping[str, Any]], None]) -> None:
        super().__init__()
        self._told = told

    def __setitem__(self, name: str, value: Any) -> None:
        super().__setitem__(name, value)
        self._told({name: value})

    def __ior__(self, other: Any) -> _Put:  # type: ignore[override, misc]
        super().update(other)
        self._told(dict(other))
        return self


class RemoteSite:
    """The site as a row has it, which plays in another process.

    Args:
        url: where browsers find it.
        control: the socket by which it is told what to show.
    """

    def __init__(self, url: str, control: str) -> None:
        self.url = url
        self._control = control
        self.begin()

    def begin(self) -> None:
        """Take up another row."""
        self.pages, self.answers, self.opens = (_Put(self._teller(kind)) for kind in KINDS)

    @property
    def posts(self) -> list[tuple[str, dict[str, str]]]:
        """What was posted since the row began."""
        found: list[tuple[str, dict[str, str]]] = self.ask("posts")
        return found

    def ask(self, what: str, *given: Any) -> Any:
        """Tell the site something, and give its answer."""
        with Client(self._control) as connection:
            connection.send((what, given))
            return connection.recv()

    def _teller(self, kind: str) -> Callable[[Mapping[str, Any]], None]:
        def tell(changed: Mapping[str, Any]) -> None:
            file = io.BytesIO()
            _Packer(file, self).dump(changed)
            self.ask("put", kind, file.getvalue())

        return tell


@dataclass
class Scenery:
    """What the site shows: one scene at a time, kept for the replay."""

    front: SmallSite
    scenes: dict[int, dict[str, dict[str, Any]]] = field(default_factory=dict)
    left: dict[int, Left] = field(default_factory=dict)
    again: dict[int, Left] = field(default_factory=dict)
    current: int | None = None
    events: Path | None = None
    _read: int = 0
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def answer(self, what: str, given: tuple[Any, ...]) -> Any:
        """Do what another process asks for."""
        with self._lock:
            return getattr(self, f"on_{what}")(*given)

    def on_begin(self, number: int) -> None:
        self._end()
        self.scenes.setdefault(number, {kind: {} for kind in KINDS})
        self.current, self.front.posts = number, []
        for kind in KINDS:
            setattr(self.front, kind, self.scenes[number][kind])
        self.front.pages[END] = LAST
        self.front.answers[LEFT] = lambda fields: (200, "")

    def on_put(self, kind: str, packed: bytes) -> None:
        getattr(self.front, kind).update(_Unpacker(io.BytesIO(packed), self.front).load())

    def on_posts(self) -> list[tuple[str, dict[str, str]]]:
        return list(self.front.posts)

    def on_replay(self, events: str) -> None:
        self._end()
        self.events, self._read = Path(events), 0

    def on_left(self) -> tuple[dict[int, Left], dict[int, Left]]:
        self.catch_up()
        self._end()
        return self.left, self.again

    def catch_up(self) -> None:
        """Show the scene of the run that the replay is at: it says so before it does anything."""
        with self._lock:
            if self.events is None or not self.events.exists():
                return
            with self.events.open("rb") as file:
                file.seek(self._read)
                lines = file.read()
            whole = lines[: lines.rfind(b"\n") + 1]
            self._read += len(whole)
            for line in whole.splitlines():
                event = json.loads(line)
                if event["event"] == "run_started":
                    self.on_begin(event["number"] - 1)

    def _end(self) -> None:
        if self.current is not None:
            (self.left if self.events is None else self.again)[self.current] = Left.of(self.front)
        self.current = None


def _handler(scenery: Scenery) -> type[BaseHTTPRequestHandler]:
    class Handler(handler(scenery.front)):  # type: ignore[misc]
        def do_GET(self) -> None:
            scenery.catch_up()
            super().do_GET()

        def do_POST(self) -> None:
            scenery.catch_up()
            super().do_POST()

    return Handler


def _serve(control: str) -> None:
    scenery = Scenery(SmallSite(head=HEAD))
    server = LocalServer(("127.0.0.1", 0), _handler(scenery))
    scenery.front.url = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with Listener(control) as listener:
        print(json.dumps({"url": scenery.front.url}), flush=True)
        while True:
            with listener.accept() as connection:
                what, given = connection.recv()
                connection.send(scenery.answer(what, given))


@contextmanager
def site_process(control: str) -> Iterator[RemoteSite]:
    """Start the site; it ends with the block.

    Args:
        control: a path at which nothing is: the socket.
    """
    command = [sys.executable, "-m", "tests.conformance.site_process", control]
    with subprocess.Popen(command, cwd=Path(__file__).parents[2], stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            yield RemoteSite(json.loads(process.stdout.readline())["url"], control)
        finally:
            process.kill()


if __name__ == "__main__":
    _serve(sys.argv[1])
