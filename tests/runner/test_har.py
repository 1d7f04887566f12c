"""A run's exchanges as an HTTP archive: it is what HAR 1.2 asks for, and a browser serves the site from it."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import async_playwright, expect
from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from simulator.browser.find import Find
from simulator.browser.launch.executable import find_executable
from simulator.browser.launch.pool import BrowserPool
from simulator.errors import RecordingError
from simulator.recording import Recorder
from simulator.runner.exporting.script import export
from tests.browser.wire import HTML, Reply, policy_of, serving, watching

pytestmark = pytest.mark.promise("what runs are exported as")

PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


class Strict(BaseModel):
    """An object of the archive: custom keys begin with an underscore."""

    model_config = ConfigDict(extra="allow", strict=True)

    def model_post_init(self, context: Any, /) -> None:
        assert all(name.startswith("_") for name in self.model_extra or {}), self.model_extra


class Pair(Strict):
    name: str
    value: str
    comment: str = ""


class Param(Strict):
    name: str
    value: str = ""
    fileName: str = ""
    contentType: str = ""


class PostData(Strict):
    mimeType: str
    params: list[Param] = []
    text: str = ""


class Asked(Strict):
    method: str
    url: str = Field(pattern="^https?://")
    httpVersion: str
    cookies: list[Pair]
    headers: list[Pair]
    queryString: list[Pair]
    postData: PostData | None = None
    headersSize: int
    bodySize: int


class Content(Strict):
    size: int
    mimeType: str
    text: str = ""
    encoding: str = ""
    comment: str = ""


class Answered(Strict):
    status: int
    statusText: str
    httpVersion: str
    cookies: list[Pair]
    headers: list[Pair]
    content: Content
    redirectURL: str
    headersSize: int
    bodySize: int


class Timings(Strict):
    blocked: float
    dns: float
    connect: float
    ssl: float
    send: float = Field(ge=0)
    wait: float = Field(ge=0)
    receive: float = Field(ge=0)


class Entry(Strict):
    pageref: str
    startedDateTime: AwareDatetime = Field(strict=False)
    time: float = Field(ge=0)
    request: Asked
    response: Answered
    cache: dict[str, Any]
    timings: Timings
    comment: str = ""


class Page(Strict):
    startedDateTime: AwareDatetime = Field(strict=False)
    id: str
    title: str
    pageTimings: dict[str, float]


class Program(Strict):
    name: str
    version: str


class Log(Strict):
    version: str = Field(pattern=r"^1\.2$")
    creator: Program
    browser: Program
    pages: list[Page]
    entries: list[Entry]


async def test_a_browser_serves_the_site_from_the_archive(tmp_path: Path) -> None:
    db = tmp_path / "runs.db"
    with serving() as wire:
        wire.page(
            "/",
            "<link rel=stylesheet href=/style.css><img src=/dot.png alt=dot><form method=post action=/in>"
            "<label>Title<input name=title></label><label>Password<input type=password name=p></label>"
            "<button>Go</button></form><p id=told></p><script>fetch('/told?about=books').then(it => it.json())"
            ".then(it => { told.textContent = `${it.title} at ${it.home}`; })</script>",
        )
        wire.page("/done", "<h1>Done, é</h1>")
        wire.replies |= {
            "/style.css": Reply(b"p { color: rgb(1, 2, 3) }", headers=(("Content-Type", "text/css"),)),
            "/dot.png": Reply(PICTURE, headers=(("Content-Type", "image/png"),)),
            "/told": Reply(
                json.dumps({"title": "The Moonstone", "home": wire.url}).encode(),
                headers=(("Content-Type", "application/json"),),
            ),
            "/in": Reply(status=303, headers=(("Location", "/done"), ("Content-Type", HTML))),
        }
        policy = policy_of(wire)
        async with (
            BrowserPool(find_executable(), policy, origin=wire.url) as pool,
            watching(pool, wire, policy, db, base_url=wire.url) as told,
        ):
            told.begin()
            await told.actor.navigation.goto("/")
            await told.actor.fill(Find("label", "Title"), "{{book.1.title}}")
            await told.actor.fill(Find("label", "Password"), "{{secret.password}}")
            await told.actor.click(Find("css", "button"))
            told.end()
            password, url = told.vault.reveal("password"), wire.url
    archive = tmp_path / "run.har"
    archive.write_bytes(export(db, "last", "har").content)
    assert password.encode() not in archive.read_bytes()
    log = Log.model_validate(json.loads(archive.read_text("utf-8"))["log"])
    asked = [
        (entry.request.method, entry.request.url.removeprefix(url), entry.response.status) for entry in log.entries
    ]
    assert set(asked) == {
        ("GET", "/", 200), ("GET", "/style.css", 200), ("GET", "/dot.png", 200), ("GET", "/told?about=books", 200),
        ("POST", "/in", 303), ("GET", "/done", 200),
    }  # fmt: skip
    post = next(entry.request for entry in log.entries if entry.request.method == "POST")
    assert post.postData is not None
    assert post.postData.text == "title=The+Moonstone&p=%7B%7Bsecret.password%7D%7D"
    assert {page.id for page in log.pages} == {entry.pageref for entry in log.entries}

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=find_executable().path, args=["--no-sandbox"])
        page = await browser.new_page()
        await page.route_from_har(archive, not_found="abort")
        await page.goto(f"{url}/")
        await expect(page.locator("#told")).to_have_text(f"The Moonstone at {url}")
        assert await page.locator("#told").evaluate("it => getComputedStyle(it).color") == "rgb(1, 2, 3)"
        assert await page.locator("img").evaluate("async it => { await it.decode(); return it.naturalWidth; }") == 1
        await page.goto(f"{url}/done")
        assert await page.locator("h1").text_content() == "Done, é"
        await browser.close()


def test_where_nothing_was_recorded_it_says_how(tmp_path: Path) -> None:
    db = tmp_path / "runs.db"
    with Recorder.open(db) as recorder:
        batch = recorder.begin_batch(argv=[], seed="7", settings={})
        recorder.begin_run(
            batch_id=batch, number=1, kind="record", agent=None, persona=None, identity=None, environment={}, site="s"
        ).end_run(status="passed")
        recorder.end_batch(batch, status="passed")
    with pytest.raises(RecordingError, match="'--exchanges all'"):
        export(db, "last", "har")
