from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from playwright.async_api import async_playwright

from simulator.browser.action_recorder import ActionOutcome, ActionStart, PageState
from simulator.browser.evidence import Box, Target
from simulator.browser.launch.executable import find_executable
from simulator.recording import Recorder
from simulator.recording.reader import Recording
from simulator.report.page import html_report
from simulator.report.recorded import read_run, run_lines
from simulator.tools.contracts import ToolCall, ToolFailure, ToolResult
from tests.journal import enter

HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>"
PNG = b"\x89PNG the first picture"
LATER = b"\x89PNG another picture"
SENT = [
    {"method": "POST", "url": "/books/{{site.books_1}}", "inputs": 1, "unseen": [], "operation": ""},
    {"method": "POST", "url": "/save?of={{book.1.title}}", "inputs": 2, "unseen": ["Title", HOSTILE]},
]
TARGET = Target(tag="button", role="button", name="Save", box=Box(x=100, y=50, width=200, height=25))


class Tags(HTMLParser):
    """Collects elements and their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    """A replay of two users; the second one drifts at its second step."""
    path = tmp_path / "runs.db"
    drift = {
        "verdict": "target_missing", "run": "r", "step": 2, "tool": "click", "sought": f"button {HOSTILE}",
        "found": "no such element", "agreed": ["role"], "contradicted": [], "candidates": ["button 'Keep'"],
    }  # fmt: skip
    with Recorder.open(path) as recorder:
        batch = recorder.begin_batch(argv=["sim", "replay"], seed="7", settings={"identity": "same"}, kind="replay")
        for number in (1, 2):
            run = recorder.begin_run(
                batch_id=batch, number=number, kind="replay", agent=None, persona="voter", site="shop",
                identity={"username": f"ann{number}", "books": [{"title": HOSTILE}], "hopes": ["Dry soil."]},
                environment={"base_url": "http://127.0.0.1:1", "context": {"width": 1000, "height": 500}},
            )  # fmt: skip
            run.actors.add("user")
            step = run.begin_step(
                call=ToolCall(id="1", name="navigate", input={"q": "{{book.1.title}}"}), replay="actions"
            )
            run.end_step(step, ToolResult(success=True, metadata={"screenshot": run.put_blob(PNG, "image/png")}))
            step = run.begin_step(call=ToolCall(id="2", name="click"), replay="actions")
            action = run.begin(ActionStart("click", "user", TARGET))
            after = PageState(url="/books", status=500, alerts=(HOSTILE,), requests=(("POST", "/save", 0),))
            run.end(action, ActionOutcome("done", "navigated", after))
            failed = number == 2
            run.end_step(
                step,
                ToolResult(
                    success=not failed,
                    error=ToolFailure(type="rejected", message=HOSTILE) if failed else None,
                    metadata={"screenshot": run.put_blob(LATER, "image/png")},
                ),
            )
            enter(
                run,
                step_id=step,
                kind="book",
                url="/books/{{site.books_1}}",
                fields={"t": "{{book.1.title}}", "w": "{{text.hope.1}}"},
            )
            run.end_run(
                status="failed" if failed else "passed",
                verdict="target_missing" if failed else "passed",
                reason="drifted" if failed else None,
                summary={"drift": drift, "writes": SENT} if failed else {"writes": SENT[1:]},
            )
        recorder.end_batch(batch, status="failed")
    return path


@pytest.fixture
def page(recorded: Path) -> str:
    with Recording.open(recorded) as recording:
        return html_report(recording, "last")


def test_nothing_of_a_site_becomes_markup(page: str) -> None:
    tags = Tags()
    tags.feed(page)
    assert not {"script", "img", "a", "link", "iframe"} & {tag for tag, _ in tags.found}
    assert not [attrs for _, attrs in tags.found if any(name.startswith("on") for name in attrs)]
    assert "&lt;script&gt;alert(1)" in page
    assert re.findall(r"(?:https?:)?//[^\s\"<)]+", page) == ["http://127.0.0.1:1"] * 2, "only what the run says"


def test_those_that_failed_come_first_and_are_open(page: str) -> None:
    first, second = re.findall(r'<details class="run"[^>]*>', page)
    assert first.endswith(" open>")
    assert not second.endswith(" open>")
    assert page.index("2. ann2 (voter)") < page.index("1. ann1 (voter)")
    assert "1 of 2 runs passed" in page
    for text in ("target_missing", "no such element", "button &#39;Keep&#39;"):
        assert text in page


def test_it_shows_what_is_proven_and_what_nobody_saw_again(page: str) -> None:
    assert "1 of 2 runs passed; 1 of 3 writes proven" in page
    title = {number: re.findall(rf"<summary>{number}\. .*</summary>", page)[0] for number in (1, 2)}
    assert '<span class="doubt">passed</span> <span class="doubt count">0 of 1 write proven</span>' in title[1]
    assert '<span class="faint count">1 of 2 writes proven</span>' in title[2]
    assert page.count("not seen again: Title, &lt;script&gt;alert(1)") == 2
    assert '<span class="faint">w:</span> Dry soil.<br>' in page


def test_so_does_a_terminal(recorded: Path) -> None:
    with Recording.open(recorded) as recording:
        shown = run_lines(read_run(recording, recording.runs()[1].id), None)
    at = shown.index("writes    1 of 2 writes proven")
    assert [line.split() for line in shown[at + 1 : at + 3]] == [
        ["POST", "/books/{{site.books_1}}", "proven"],
        ["POST", "/save?of={{book.1.title}}", "not", "seen", "again:", "Title,", *HOSTILE.split()],
    ]


def test_signs_of_trouble_are_told(page: str) -> None:
    assert "POST /save: no answer" in page
    assert "the page has status 500" in page


def test_a_picture_is_in_the_file_once_and_says_what_was_aimed_at(page: str) -> None:
    assert page.count("data:image/png;base64,") == 2
    assert page.count('aria-label="The page before, with what was aimed at"') == 2
    assert page.count("left: 10.00%; top: 10.00%; width: 20.00%; height: 5.00%") == 2


async def test_it_fits_narrow_screens_and_is_used_by_keys(page: str, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    file.write_text(page, "utf-8")
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=find_executable().path)
        for width in (390, 800, 1280):
            shown = await browser.new_page(viewport={"width": width, "height": 800})
            await shown.goto(file.as_uri())
            opened = shown.locator("details[open]")
            before = await opened.count()
            await shown.keyboard.press("Tab")
            await shown.keyboard.press("Enter")
            assert await opened.count() == before - 1, "the run that drifted is open, and the first thing to be reached"
            await shown.keyboard.press("Enter")
            assert await opened.count() == before
            assert await shown.evaluate("document.documentElement.scrollWidth") <= width
            await shown.close()
        await browser.close()
