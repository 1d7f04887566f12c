"""What holds for every test: no connection leaves this machine, no setting of the caller reaches a test, and the rooms
whose files take longest come first, so that no worker is left with one of them at the end. The session ends with a line
that says how much it covered.

Not responsible for: the browser, whose connections its own network policy refuses.
"""

from __future__ import annotations

import gc
import ipaddress
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests import seam
from tests.dealing import InParts
from tests.tiers import JUDGED, Coverage, Judged, draw, room, sums

# All that collecting makes is kept to the end: until it is there, nobody need look for what could be thrown away.
gc.disable()

pytest_plugins = ["pytester"]

_KEPT = {"SIM_BROWSER"}
_SETTINGS = ("SIM_", "ANTHROPIC_", "OPENAI_", "OTEL_")
_LONGEST = ("golden", "runner", "security", "mutations", "agent", "conformance", "browser", "cli", "tools", "demo")
_left: list[str] = []

# How long an example takes depends on what else the machine does, and says nothing about the code.
settings.register_profile("shared machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("quick", settings.get_profile("shared machine"), max_examples=30)


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile("quick" if config.option.markexpr == "not slow" else "shared machine")


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    return True if not seam.PRESENT and collection_path in seam.about_the_bookshop() else None


_COLLECTED = pytest.StashKey[list[pytest.Item]]()
_COVERAGE = pytest.StashKey[Coverage]()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
    draw(items)
    config.stash[_COLLECTED] = list(items)
    yield

    def place(item: pytest.Item) -> int:
        return _LONGEST.index(room(item)) if room(item) in _LONGEST else len(_LONGEST)

    items.sort(key=place)


def pytest_collection_finish(session: pytest.Session) -> None:
    for name in _settings_there():
        del os.environ[name]  # what the caller set; what test files read of it they have read
    gc.freeze()
    gc.enable()
    collected = session.config.stash.get(_COLLECTED, [])
    if session.config.option.markexpr and collected:
        session.config.stash[_COVERAGE] = Coverage.of(session.items, collected)


def pytest_sessionfinish(session: pytest.Session) -> None:
    # The workers have collected; the one that starts them tells.
    if hasattr(session.config, "workeroutput") and _COVERAGE in session.config.stash:
        session.config.workeroutput["coverage"] = asdict(session.config.stash[_COVERAGE])


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> InParts | None:
    return InParts(config, log) if config.option.dist == "loadfile" else None


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:
    if told := getattr(node, "workeroutput", {}).get("coverage"):
        node.config.stash[_COVERAGE] = Coverage(**told)


@pytest.fixture
def judged(record_property: Callable[[str, object], None]) -> Judged:
    """Counts replays that are judged by the site, for the line at the end of the session."""

    def count(wrong_acts: int, false_green: bool, called_proven: bool = False) -> None:
        counts = (wrong_acts, int(false_green), int(called_proven))
        record_property("judged", dict(zip(JUDGED, counts, strict=True)))

    return count


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    ended = [one for kind in ("passed", "failed") for one in terminalreporter.stats.get(kind, ())]
    if told := sums(counts for one in ended for name, counts in one.user_properties if name == "judged"):
        terminalreporter.write_line(told)
    if _COVERAGE in config.stash:
        terminalreporter.write_line(str(config.stash[_COVERAGE]))


class LeftLoopback(RuntimeError):
    """A test tried to reach another machine."""


def _is_local(host: object) -> bool:
    if isinstance(host, bytes):
        host = host.decode("ascii", "replace")
    if host in (None, "", "localhost"):
        return True
    try:
        return ipaddress.ip_address(str(host).split("%")[0]).is_loopback
    except ValueError:
        return False


def _guard(event: str, arguments: tuple[Any, ...]) -> None:
    # An audit hook, and not a patched socket, because asyncio and C code pass here, too.
    if event in ("socket.connect", "socket.sendto"):
        address = arguments[1]
        host = address[0] if isinstance(address, tuple) else None
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        host = arguments[0]
    else:
        return
    if not _is_local(host):
        _left.append(f"{event} {host!r}")
        raise LeftLoopback(f"{event} to {host!r}: a test reaches nothing but this machine")


sys.addaudithook(_guard)


@pytest.fixture(autouse=True)
def attempts_to_leave() -> Iterator[list[str]]:
    """What tried to reach another machine; a test that does so on purpose clears the list."""
    _left.clear()
    yield _left
    assert not _left, f"tried to reach another machine: {_left}"


@pytest.fixture(autouse=True)
def _packs_and_data_as_before() -> Iterator[None]:
    """Leave nothing in use that the settings of one test named: these hold for the process."""
    from simulator.domain.naming import as_named

    with as_named():
        yield


def _settings_there() -> list[str]:
    return [name for name in os.environ if name.startswith(_SETTINGS) and name not in _KEPT]


@pytest.fixture(scope="module", autouse=True)
def _no_settings_of_other_modules() -> None:
    assert not _settings_there(), "another file left it set for the process: use monkeypatch, or a context of it"


@pytest.fixture(autouse=True)
def _no_settings_of_the_module(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in _settings_there():
        monkeypatch.delenv(name)
