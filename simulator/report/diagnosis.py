"""What the program needs around it, and whether it is there. Not responsible for: mending any of it."""

from __future__ import annotations

import asyncio
import os
import platform
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import httpx
from pydantic import BaseModel

from simulator.browser.launch.executable import Executable, find_executable, find_executables
from simulator.browser.launch.network import NetworkPolicy
from simulator.browser.launch.pool import BrowserPool, ContextProfile
from simulator.config import (
    FILE_NAME,
    NO_BOOKSHOP,
    SecretRef,
    Settings,
    Site,
    check_target,
    has_bookshop,
    load_settings,
)
from simulator.config.mailbox import Mailbox
from simulator.domain import find_packs
from simulator.errors import EnvironmentFailure, KeyMissing, RecordingError, SimulatorError, SiteUnreachable, UsageError
from simulator.recording.reader import Recording
from simulator.secrets import load_key
from simulator.tools.mail.opening import open_mailbox
from simulator.version import VERSION

_PACKAGES = ("playwright", "pydantic", "sqlite-utils", "faker")
_TIMEOUT = 5.0
"""Seconds that a site, or a browser asked for its version, is given."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    name: str
    ok: bool
    detail: str
    """What is there, or what is wrong and what to do."""
    exit_code: int = 0
    """0 where all is well."""


def diagnose() -> Iterator[Finding]:
    """Look at one thing after the other."""
    yield Finding("python", True, f"{platform.python_version()} on {platform.system()} {platform.machine()}")
    yield Finding(
        "packages", True, f"simulator {VERSION}, " + ", ".join(f"{name} {version(name)}" for name in _PACKAGES)
    )
    try:
        settings = load_settings()
    except SimulatorError as error:
        yield _failed("config", error)
        return
    yield Finding("config", True, str(settings.file) if settings.file else f"no {FILE_NAME}; the defaults hold")
    yield from _secrets(settings)
    yield from _browsers(settings)
    for site in settings.sites.values():
        yield _site(site)
        if mailbox := settings.mailbox_for(site):
            yield _mailbox(f"mail {site.name}", mailbox)
    yield from _of_packs(settings)
    yield _key()
    yield _recording(settings.recording.db)


def _failed(name: str, error: SimulatorError) -> Finding:
    return Finding(name, False, str(error), error.exit_code)


def _secrets(settings: Settings) -> Iterator[Finding]:
    """Look whether every environment variable is set that the settings refer to."""
    found = sorted(_references(settings, ()), key=lambda one: one[0])
    for place, reference in found:
        try:
            reference.reveal()
        except SimulatorError:
            told = f"the environment variable {reference.env} is not set; {place} of {FILE_NAME} refers to it: set it"
            yield _failed("secrets", KeyMissing(told))
    if found and all(os.environ.get(reference.env) for _, reference in found):
        yield Finding("secrets", True, f"set: {', '.join(dict.fromkeys(reference.env for _, reference in found))}")


def _references(value: object, path: tuple[str, ...]) -> Iterator[tuple[str, SecretRef]]:
    if isinstance(value, SecretRef):
        yield ".".join(path), value
    elif isinstance(value, BaseModel):
        for name, field in type(value).model_fields.items():
            yield from _references(getattr(value, name), (*path, field.alias or name))
    elif isinstance(value, Mapping):
        for name, one in value.items():
            yield from _references(one, (*path, str(name)))
    elif isinstance(value, tuple):
        for number, one in enumerate(value):
            yield from _references(one, (*path, str(number)))


def _browsers(settings: Settings) -> Iterator[Finding]:
    try:
        named = settings.browser.executable
        found = [Executable(named, FILE_NAME)] if named else find_executables()
        used = found[0] if named else find_executable()
    except EnvironmentFailure as error:
        yield _failed("browser", error)
        return
    for one in found:
        use = " (used)" if one == used else ""
        yield Finding("browser", True, f"{one.path} from {one.source}: {_browser_version(one)}{use}")
    try:
        started = asyncio.run(_start(used, settings.browser.args))
    except EnvironmentFailure as error:
        yield _failed("driver", error)
    else:
        yield Finding("driver", True, f"starts {started} and opens a page")


def _of_packs(settings: Settings) -> Iterator[Finding]:
    """Report which packs are switched off, and ask those in use whether what they take from outside is there."""
    for one in find_packs():
        if one.reason:
            yield Finding(
                f"pack {one.name}", False, f"the pack '{one.name}' is switched off: {one.reason}", UsageError.exit_code
            )
        elif one.pack and one.pack.checks:
            for name, there, told in one.pack.checks(settings):
                yield Finding(name, there, told, 0 if there else EnvironmentFailure.exit_code)


def _browser_version(browser: Executable) -> str:
    try:
        said = subprocess.run(
            [browser.path, "--version"], capture_output=True, text=True, timeout=_TIMEOUT, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"does not say its version ({error})"
    return said.stdout.strip() or f"does not say its version (exit code {said.returncode})"


async def _start(browser: Executable, args: tuple[str, ...]) -> str:
    policy = NetworkPolicy(frozenset())
    async with BrowserPool(browser, policy, origin="http://127.0.0.1", args=args) as pool:
        async with pool.context(ContextProfile()) as context:
            await context.new_page()
        return pool.version


def _site(site: Site) -> Finding:
    name = f"site {site.name}"
    try:
        check_target(site)
        answer = httpx.get(site.base_url, timeout=_TIMEOUT)
    except SimulatorError as error:
        return _failed(name, error)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        if site.bundled:
            starts = f"{site.base_url} is not served now; a run starts the bundled one"
            return Finding(name, True, starts if has_bookshop() else NO_BOOKSHOP)
        reason = str(error) or type(error).__name__
        return _failed(
            name, SiteUnreachable(f"nothing answers at {site.base_url} ({reason}); start it, or see --base-url")
        )
    return Finding(name, True, f"{site.base_url} answers with status {answer.status_code}")


def _mailbox(name: str, section: Mailbox) -> Finding:
    try:
        return Finding(name, True, asyncio.run(_look_into(section)))
    except SimulatorError as error:
        return _failed(name, error)


async def _look_into(section: Mailbox) -> str:
    async with open_mailbox(section) as mailbox:
        count = len(await mailbox.ids())
    if section.smtp_port is not None:
        return f"a run takes {section.words}; now nobody listens there"
    return f"{section.words} answers, and holds {count} mails"


def _key() -> Finding:
    try:
        return Finding("key", True, f"fingerprint {load_key(os.environ).fingerprint}")
    except SimulatorError as error:
        return _failed("key", error)


def _recording(path: Path) -> Finding:
    try:
        if path.exists():
            with Recording.open(path) as recording:
                state = f"{path} holds {len(recording.batches())} batches"
        else:
            state = f"{path} will be made by the first run"
    except SimulatorError as error:
        return _failed("recording", error)
    there = next(one for one in (path, *path.parents) if one.exists())
    if os.access(there, os.W_OK):
        return Finding("recording", True, state)
    return _failed(
        "recording", RecordingError(f"{there} cannot be written to; check its permissions, or choose another --db")
    )
