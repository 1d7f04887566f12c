"""Contexts are closed, a browser that dies is replaced, and nothing outlives the program."""

from __future__ import annotations

import asyncio
import contextlib
import http.server
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import psutil
import pytest
from playwright.async_api import Error as PlaywrightError

from simulator.browser.find import Find
from simulator.browser.launch.access import Access
from simulator.browser.launch.executable import Executable, find_executable
from simulator.browser.launch.network import NetworkPolicy, endpoints
from simulator.browser.launch.pool import BrowserPool, ContextProfile, default_concurrency
from simulator.errors import BrowserMissing, ToolError
from tests.browser.conftest import Answer
from tests.fakes.server import LocalServer
from tests.runner.program import left_after_five_seconds

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.promise("browsers that are shared", quick=3)]


def new_pool(site: Any) -> BrowserPool:
    return BrowserPool(find_executable(), NetworkPolicy(endpoints(site.url)), origin=site.url)


def browsers() -> list[psutil.Process]:
    """The browsers below this process, each by its first process, and by what may have started that.

    What a browser has just split off is called as the browser is, for a moment.
    """
    found: list[psutil.Process] = []
    starters: dict[int, int] = {}
    for process in psutil.Process().children(recursive=True):
        try:
            command, parent = process.cmdline(), process.ppid()
        except psutil.Error:
            continue  # it ended between the list and the look
        if any(part.startswith("--user-data-dir") for part in command) and "--type" not in " ".join(command):
            starters[process.pid] = parent
            found.append(process)
    return [one for one in found if starters.get(starters[one.pid], 0) not in starters]


async def test_a_killed_browser_fails_what_it_held_and_is_replaced(site: Any) -> None:
    site.page("/", "<button>Go</button>")
    before = {process.pid for process in browsers()}
    async with new_pool(site) as pool:
        async with pool.context(ContextProfile()) as context:
            page = await context.new_page()
            await page.goto(site.url)
            gone = asyncio.Event()
            page.on("close", lambda _: gone.set())
            for process in browsers():
                if process.pid not in before:
                    process.kill()
            await asyncio.wait_for(gone.wait(), 10)
            # Others start in a new browser while what was held is still being cleaned up.
            async with pool.context(ContextProfile()) as other:
                fresh = await other.new_page()
                await fresh.goto(site.url)
                assert await fresh.inner_text("button") == "Go"
        assert pool.alive


async def test_a_killed_driver_is_replaced_with_its_browser(site: Any) -> None:
    site.page("/", "<button>Go</button>")
    before = {process.pid for process in psutil.Process().children()}
    async with new_pool(site) as pool:
        async with pool.context(ContextProfile()) as context:
            page = await context.new_page()
            await page.goto(site.url)
            (driver,) = [process for process in psutil.Process().children() if process.pid not in before]
            driver.kill()
            with pytest.raises(PlaywrightError, match="has been closed"):
                await page.goto(site.url)
        for _ in range(2):
            async with pool.context(ContextProfile()) as other:
                fresh = await other.new_page()
                await fresh.goto(site.url)
                assert await fresh.inner_text("button") == "Go"


async def test_what_a_dead_browser_held_says_that_the_page_has_closed(site: Any, stage: Any, pool: Any) -> None:
    await stage.show(site, "<button>Go</button>")
    await stage.actor.context.close()
    for act in (
        stage.actor.click(Find("text", "Go")),
        stage.actor.navigation.goto("/"),
        stage.actor.view.look(),
        stage.actor.screenshots.take(),
        stage.actor.frames.wait_for(Find("text", "Go"), 100),
    ):
        with pytest.raises(ToolError) as raised:
            await act
        assert raised.value.type == "page_closed"


async def test_contexts_are_closed_whatever_happens(site: Any, pool: Any) -> None:
    await pool.start()
    held = []

    async def use(end: BaseException) -> None:
        async with pool.context(ContextProfile()) as context:
            held.append(await context.new_page())
            raise end

    for end in (ZeroDivisionError(), asyncio.CancelledError()):
        with pytest.raises(type(end)):
            await use(end)
    assert [page.is_closed() for page in held] == [True, True]


async def test_contexts_are_isolated_and_look_as_the_profile_says(site: Any, pool: Any) -> None:
    profile = ContextProfile("de-DE", "Europe/Berlin", 800, 600, "Mozilla/5.0 (Test)")
    site.page("/", "")
    async with (
        pool.context(profile, Access(headers={"X-Staging": "yes"})) as one,
        pool.context(ContextProfile()) as two,
    ):
        first, second = await one.new_page(), await two.new_page()
        await first.goto(site.url)
        await second.goto(site.url)
        await first.evaluate("() => { document.cookie = 'a=1'; localStorage.setItem('a', '1') }")
        assert await second.evaluate("() => [document.cookie, localStorage.length]") == ["", 0]
        seen = await first.evaluate(
            "() => [navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone, innerWidth, innerHeight, "
            "navigator.userAgent, matchMedia('(prefers-reduced-motion: reduce)').matches]"
        )
        assert seen == ["de-DE", "Europe/Berlin", 800, 600, "Mozilla/5.0 (Test)", True]


async def test_only_the_site_gets_its_secret_headers_and_its_password() -> None:
    seen: dict[str, list[dict[str, str]]] = {}

    class Listen(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.setdefault(f"{self.server.server_port}{self.path}", []).append(dict(self.headers))
            asked = self.path == "/" and "Authorization" not in self.headers
            body = b"" if asked else f"<script src='http://127.0.0.1:{ports[1]}/lib.js'></script>".encode()
            self.send_response(401 if asked or self.path == "/lib.js" else 200)
            self.send_header("WWW-Authenticate", 'Basic realm="staging"')
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            return

    with contextlib.ExitStack() as running:
        servers = [running.enter_context(LocalServer(("127.0.0.1", 0), Listen)) for _ in range(2)]
        ports = [server.server_port for server in servers]
        for server in servers:
            threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
            running.callback(server.shutdown)
        url = f"http://127.0.0.1:{ports[0]}"
        policy = NetworkPolicy(endpoints(url, [f"127.0.0.1:{ports[1]}"]))
        access = Access(username="tester", password="open sesame", headers={"X-Staging": "let me in"})
        async with (
            BrowserPool(find_executable(), policy, origin=url) as pool,
            pool.context(ContextProfile(), access) as context,
        ):
            answer = await (await context.new_page()).goto(url)
            assert answer is not None
            assert answer.status == 200
    assert {headers.get("X-Staging") for headers in seen[f"{ports[0]}/"]} == {"let me in"}
    foreign = [headers for place, visits in seen.items() if place.startswith(str(ports[1])) for headers in visits]
    assert foreign
    assert not any("X-Staging" in headers or "Authorization" in headers for headers in foreign)


async def test_a_browser_that_does_not_start_is_told(site: Any, tmp_path: Path) -> None:
    broken = tmp_path / "chromium"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    pool = BrowserPool(Executable(broken, "PATH"), NetworkPolicy(endpoints(site.url)), origin=site.url)
    async with pool:
        with pytest.raises(BrowserMissing, match="does not start"):
            await pool.start()
    assert default_concurrency() >= 1


PROGRAM = """
import asyncio, signal, sys
from simulator.browser.launch.executable import find_executable
from simulator.browser.launch.network import NetworkPolicy, endpoints
from simulator.browser.launch.pool import BrowserPool, ContextProfile

async def main(url):
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, stop.set)
    async with BrowserPool(find_executable(), NetworkPolicy(endpoints(url)), origin=url) as pool:
        async with pool.context(ContextProfile()) as context:
            page = await context.new_page()
            await page.goto(url)
            print("ready", flush=True)
            await stop.wait()
            await page.goto(url + "/after")
            print(await page.title(), flush=True)

asyncio.run(main(sys.argv[1]))
"""


def start_program(site: Any, tmp_path: Path) -> subprocess.Popen[str]:
    (tmp_path / "tmp").mkdir()
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, site.url],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env={**os.environ, "TMPDIR": str(tmp_path / "tmp"), "PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert program.stdout is not None
    assert program.stdout.readline() == "ready\n"
    return program


async def test_nothing_is_alive_five_seconds_after_the_program_is_killed(site: Any, tmp_path: Path) -> None:
    site.page("/", "")
    program = start_program(site, tmp_path)
    below = psutil.Process(program.pid).children(recursive=True)
    assert len(below) > 3
    assert list((tmp_path / "tmp").iterdir())
    program.kill()
    program.wait()
    assert [process.cmdline()[:1] for process in left_after_five_seconds(below)] == []
    assert [path.name for path in (tmp_path / "tmp").iterdir()] == []
    assert program.stdout is not None
    program.stdout.close()


async def test_ctrl_c_leaves_the_browser_to_the_program(site: Any, tmp_path: Path) -> None:
    site.page("/", "")
    site.routes["/after"] = Answer("<title>After</title>")
    program = start_program(site, tmp_path)
    os.killpg(program.pid, signal.SIGINT)
    rest, _ = program.communicate(timeout=30)
    assert (rest, program.returncode) == ("After\n", 0)
    assert [path.name for path in (tmp_path / "tmp").iterdir()] == []


async def test_a_browser_that_has_served_enough_is_renewed_once_nobody_uses_it(site: Any) -> None:
    site.page("/", "<button>Go</button>")
    before = {process.pid for process in browsers()}

    def own() -> set[int]:
        return {process.pid for process in browsers()} - before

    pool = BrowserPool(find_executable(), NetworkPolicy(endpoints(site.url)), origin=site.url, renewed_after=2)
    async with pool:
        async with pool.context(ContextProfile()) as first:
            async with pool.context(ContextProfile()):
                pass
            old = own()
            async with pool.context(ContextProfile()) as third:
                assert third.browser is not first.browser
                page = await first.new_page()
                await page.goto(site.url)
                assert await page.get_by_role("button").count() == 1, "who uses the old one goes on"
                assert old < own()
        assert pool.alive
        assert not old & own()
        async with pool.context(ContextProfile()) as fourth:
            assert fourth.browser is third.browser
    assert not own()
