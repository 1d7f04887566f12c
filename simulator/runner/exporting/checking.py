"""Runs an exported test once, on a site that may be reset, in a process of its own and within a bound.

Not responsible for: writing it. What cannot be checked is reported as such, and never as passed.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

from simulator.browser.launch.access import Access
from simulator.browser.launch.executable import Executable, find_executable
from simulator.browser.launch.network import NetworkPolicy, endpoints, resolver_args
from simulator.config import Settings, Site
from simulator.errors import EnvironmentFailure, ExportFailed, UsageError
from simulator.recording.rows import RunRow
from simulator.runner.surroundings.access import open_access
from simulator.runner.surroundings.site_control import running_site
from simulator.secrets import Vault, load_key

_LEAST_S, _LINE_S, _MOST_S = 60.0, 5.0, 900.0
"""Seconds that a test may take: at least, for each of its lines, and at most."""
_KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TEMP", "SYSTEMROOT", "LD_LIBRARY_PATH")
_GIVEN = "TEST_"


async def check(settings: Settings, run: RunRow, test: Path, secrets: Mapping[str, str]) -> None:
    """Reset the site of a run, and run the test that it was exported as.

    Args:
        settings: of ``sim.toml``.
        run: what was exported; of several, the last.
        test: the file.
        secrets: names of the run's secrets to the environment variables by which the test takes them.

    Raises:
        UsageError: it was not checked: the site is not one that may be reset, or a secret is known to nobody.
        EnvironmentFailure: it was not checked: something is missing, or it took too long.
        ExportFailed: it was run, and it failed.
    """
    site = settings.site(run.site)
    if not site.can_be_reset:
        raise UsageError(
            f"{test} was written, but not checked: the site '{site.name}' is not marked 'disposable = true' with a way "
            "to reset it"
        )
    access = open_access(site)
    if replace(access, mark=None) != Access():
        raise UsageError(
            f"{test} was written, but not checked: the site '{site.name}' demands more of a browser than a test gives"
        )
    if find_spec("pytest") is None:
        raise EnvironmentFailure(f"{test} was written, but not checked: pytest is not installed")
    from simulator.browser.launch.check_fixtures import SETTINGS  # it imports pytest

    environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
    environment |= _secrets(site, run, test, secrets)
    async with running_site(site, access=access) as control:
        await control.reset()
        policy = NetworkPolicy(endpoints(control.site.base_url, [str(rule) for rule in site.allowed_hosts]))
        with closing(policy):
            environment |= {SETTINGS: json.dumps(_browser(settings, run, policy)), "BASE_URL": control.site.base_url}
            await _run(test, environment)


def _secrets(site: Site, run: RunRow, test: Path, secrets: Mapping[str, str]) -> dict[str, str]:
    """Give the secrets that a test asks for: those that the environment has, else those that this machine derives."""
    given = {name: value.reveal() for name, value in site.secrets.items()}
    identity = run.identity or {}
    scope = f"{site.name}|{run.persona}|{identity.get('seed')}|{identity.get('number')}"
    vault = Vault(load_key(os.environ).secret, scope=scope, given=given)
    found: dict[str, str] = {}
    for name, constant in secrets.items():
        if constant in os.environ:
            found[constant] = os.environ[constant]
        elif name in given or name == "password":
            found[constant] = vault.reveal(name)
        else:
            raise UsageError(f"{test} was written, but not checked: set {constant}, which nobody else knows")
    return found


def _browser(settings: Settings, run: RunRow, policy: NetworkPolicy) -> dict[str, object]:
    """Give the arguments of the browser, and of contexts that are as the run's were."""
    own = settings.browser.executable
    executable = Executable(own, "sim.toml") if own else find_executable()
    args = [*resolver_args(policy.allowed), *settings.browser.args]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        args.append("--no-sandbox")
    context: dict[str, object] = {"proxy": dict(policy.proxy())}
    told = run.environment.get("context", {})
    if told.get("width") and told.get("height"):
        context["viewport"] = {"width": told["width"], "height": told["height"]}
    names = {"locale": told.get("locale"), "timezone_id": told.get("timezone"), "user_agent": told.get("user_agent")}
    context |= {name: value for name, value in names.items() if value}
    if told.get("reduced_motion"):
        context["reduced_motion"] = "reduce"
    return {"launch": {"executable_path": str(executable.path), "args": args}, "context": context}


async def _run(test: Path, environment: Mapping[str, str]) -> None:
    bound = min(_MOST_S, _LEAST_S + _LINE_S * test.read_text("utf-8").count("\n"))
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "simulator.browser.launch.check_fixtures",
        "-c", os.devnull, "--rootdir", str(test.parent.absolute()), "--noconftest", "--import-mode=importlib",
        "--tb=short", str(test.absolute()),
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
        cwd=test.parent, start_new_session=True,
        env={**environment, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1"},
    )  # fmt: skip
    try:
        out, _ = await asyncio.wait_for(process.communicate(), bound)
    except TimeoutError:
        raise EnvironmentFailure(f"{test} was written, but its check took longer than {bound:g} s") from None
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
    said = out.decode("utf-8", "replace")
    if process.returncode == 1:
        raise ExportFailed(f"{test} was written, and fails on a site that was reset: {_why(said)}")
    if process.returncode != 0:
        raise EnvironmentFailure(
            f"{test} was written, but not checked: pytest ended with {process.returncode}: {_why(said)}"
        )


def _why(said: str) -> str:
    """Give what a test said where it failed, and in which of its lines."""
    told = [line[1:].strip() for line in said.splitlines() if line.startswith("E ")]
    lines = [line.strip() for line in said.splitlines()]
    places = [line for at, line in enumerate(lines) if at and lines[at - 1].startswith(("test_", "tests")) and line]
    reason = " ".join(told[:3]) or next((line for line in reversed(lines) if line), "it said nothing")
    return f"{reason[:600]}{f' (at {places[0][:200]})' if places else ''}"
