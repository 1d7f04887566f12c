"""Recorded actions as lines of a test: each kind, each locator, and what cannot be written."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from simulator.bindings import Bindings
from simulator.browser.action_recorder import PageState
from simulator.browser.evidence import Alike, Scope, Target
from simulator.browser.launch.executable import find_executable
from simulator.errors import ToolError
from simulator.tools.exporting.script import Script
from tests.small_run import SmallSite

BUTTON = Target(tag="button", role="button", name="Save", css="#save", alike=Alike(role_name=1))
FIELD = Target(tag="input", role="textbox", name="Title", css="#title", alike=Alike(role_name=1))

LIST = Target(tag="select", role="combobox", name="Sort", css="#sort", alike=Alike(role_name=1))


@dataclass(frozen=True)
class Done:
    """An action as a recording gives it."""

    kind: Any
    target: Target | None = None
    recorded_value: str | None = None
    value: str | None = None
    options: dict[str, Any] = field(default_factory=dict)
    actor: str = "user"
    status: str = "done"
    settled: Any = "quiet"
    before: PageState | None = field(default_factory=lambda: PageState(url="/"))
    after: PageState | None = field(default_factory=lambda: PageState(url="/"))


def written(*actions: Done) -> str:
    bindings = Bindings({"book.1.title": "Emma", "site.book_1": "17"})
    text = Script(bindings, "http://127.0.0.1:8765").write("test_it", 'What "it" was.', actions)
    ast.parse(text)
    return text


def lines(*actions: Done) -> list[str]:
    return [line.strip() for line in written(*actions).partition("-> None:\n")[2].splitlines()]


SAVE = 'page.get_by_role("button", name="Save", exact=True)'
TITLE = 'page.get_by_role("textbox", name="Title", exact=True)'
SORT = 'page.get_by_role("combobox", name="Sort", exact=True)'


NEWS = """<!doctype html><title>Notes</title><button id=save onclick="document.title = 'Saved'">Save</button>
<template><div role=dialog aria-label=News style="position: fixed; inset: 0; background: white">
<button onclick="document.title = 'Joined'">Join</button>{icon}</div></template>
<script>
setTimeout(() => document.body.append(document.querySelector("template").content), {after_ms});
addEventListener("keydown", (event) => {{
  if (!"{icon}" && event.key === "Escape") document.querySelector("[role=dialog]").remove();
}});
</script>"""
ICON = "<button aria-label=Close onclick=this.parentNode.remove()></button>"


@pytest.mark.parametrize(("icon", "after_ms"), [(ICON, 0), ("", 0), (ICON, 10**7)], ids=["icon", "Escape", "not there"])
def test_a_dialog_that_opens_by_itself_is_closed_by_the_test(
    tmp_path: Path, small_site: SmallSite, icon: str, after_ms: int
) -> None:
    small_site.pages["/"] = NEWS.format(icon=icon, after_ms=after_ms)
    visit, save = Done("goto", recorded_value="/"), Done("click", BUTTON, options={"closes": ["News"]})
    text = Script(Bindings({}), small_site.url).write("test_it", "Saves.", [visit, save])
    end = "\n    page.wait_for_function(\"document.title === 'Saved'\", timeout=5000)\n"
    runs = RUNS.format(path=find_executable(headed=False).path)
    (tmp_path / "run.py").write_text(text.rstrip() + end + runs, "utf-8")
    ran = subprocess.run([sys.executable, tmp_path / "run.py"], capture_output=True, text=True, timeout=60, check=False)
    assert ran.returncode == 0, ran.stderr


RUNS = """
from playwright.sync_api import sync_playwright

with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path="{path}", args=["--no-sandbox"])
    page = browser.new_page()
    page.set_default_timeout(5000)
    test_it(page)
"""


@pytest.mark.parametrize(
    ("action", "line"),
    [
        (Done("click", BUTTON), f"{SAVE}.click()"),
        (Done("click", BUTTON, options={"button": "right", "modifiers": ["Shift"]}),
         f'{SAVE}.click(button="right", modifiers=["Shift"])'),
        (Done("click", BUTTON, options={"count": 3, "position": [1.5, 2]}),
         f'{SAVE}.click(click_count=3, position={{"x": 1.5, "y": 2}})'),
        (Done("dblclick", BUTTON), f"{SAVE}.dblclick()"),
        (Done("hover", BUTTON), f"{SAVE}.hover()"),
        (Done("focus", FIELD), f"{TITLE}.focus()"),
        (Done("fill", FIELD, 'a "quoted"\n\\word'), f'{TITLE}.fill("a \\"quoted\\"\\n\\\\word")'),
        (Done("type", FIELD, "abc"), f'{TITLE}.press("Control+End")\n{TITLE}.press_sequentially("abc")'),
        (Done("press", FIELD, "Enter"), f'{TITLE}.press("Enter")'),
        (Done("press", FIELD, "a", options={"hold_ms": 300}), f'{TITLE}.press("a", delay=300)'),
        (Done("press", Target(tag="body", unprovable="the page itself"), "Escape"), 'page.keyboard.press("Escape")'),
        (Done("select", LIST, "x", options={"option": "y"}), f'{SORT}.select_option("y")'),
        (Done("select", LIST.model_copy(update={"tag": "button"}), "Blue"),
         f'{SORT}.click()\npage.get_by_role("option", name="Blue", exact=True).click()'),
        (Done("check", FIELD), f"{TITLE}.check()"),
        (Done("uncheck", FIELD), f"{TITLE}.uncheck()"),
        (Done("drag", FIELD, options={"onto": BUTTON}), f"{TITLE}.drag_to({SAVE})"),
        (Done("scroll", BUTTON), f"{SAVE}.scroll_into_view_if_needed()"),
        (Done("scroll", None, "500"), 'page.evaluate("window.scrollBy(0, 500)")'),
        (Done("back"), "page.go_back()"),
        (Done("reload"), "page.reload()"),
        (Done("wait", None, "Live", options={"until": "text", "timeout": 8000}),
         'expect(page.get_by_text("Live").first).to_be_visible(timeout=8000)'),
        (Done("wait", None, "/books/*", options={"until": "url", "timeout": 8000}),
         'page.wait_for_url(re.compile("/books/.*"), timeout=8000)'),
    ],
)  # fmt: skip
def test_each_kind_of_action(action: Done, line: str) -> None:
    assert lines(action) == line.split("\n")


@pytest.mark.parametrize(
    ("target", "found"),
    [
        (Target(tag="input", label="{{book.1.title}}", alike=Alike(label=1)), 'get_by_label("Emma", exact=True)'),
        (Target(tag="div", test_id="box", alike=Alike(test_id=1)),
         'locator("[data-testid=\\"box\\"], [data-test-id=\\"box\\"], [data-test=\\"box\\"]").filter(visible=True)'),
        (Target(tag="input", name_attr="q", alike=Alike(name_attr=1)),
         'locator("[name=\\"q\\"]").filter(visible=True)'),
        (Target(tag="div", css="main > div"), 'locator("main > div")'),
        (
            Target(
                tag="button", role="button", name="Buy", scope_depth=0, alike=Alike(role_name=2, role_name_scoped=1),
                scopes=(Scope(kind="card", role="listitem", texts=("Emma", "4.50", "new"), tells=2),),
            ),
            'get_by_role("listitem")'
            '.filter(has=page.locator("text=\\"Emma\\"").or_(page.get_by_alt_text("Emma", exact=True)))'
            '.filter(has=page.locator("text=\\"4.50\\"").or_(page.get_by_alt_text("4.50", exact=True)))'
            '.get_by_role("button", name="Buy", exact=True)',
        ),
        (
            Target(
                tag="a", role="link", name="Home", scope_depth=0, alike=Alike(role_name=2, role_name_scoped=1),
                scopes=(Scope(kind="landmark", role="navigation", name="Main"),),
            ),
            'get_by_role("navigation", name="Main", exact=True).get_by_role("link", name="Home", exact=True)',
        ),
        (
            Target(
                tag="a", role="link", name="Home", scope_depth=0, alike=Alike(role_name=2, role_name_scoped=1),
                scopes=(Scope(kind="landmark", role="main"),),
            ),
            'get_by_role("main").get_by_role("link", name="Home", exact=True)',
        ),
        (Target(tag="button", role="button", name="Buy", css="#b2", alike=Alike(role_name=2)),
         'locator("#b2").and_(page.get_by_role("button", name="Buy", exact=True))'),
        (Target(tag="input", role="textbox", name="Title *", label="Title *", css="#t", form="post /a",
                alike=Alike(role_name=2, label=1)),
         'locator("#t").and_(page.get_by_role("textbox", name="Title *", exact=True))'),
        (Target(tag="button", role="button", name="a" * 200, alike=Alike(role_name=1)),
         f'get_by_role("button", name=re.compile("^{"a" * 200}"))'),
        (
            Target(tag="b", css="b", frame=("https://pay.example.com card", "/check/{id}/now")),
            'frame_locator("iframe[name=\\"card\\"], iframe[title=\\"card\\"]")'
            '.frame_locator("iframe[src*=\\"/check/\\"]").locator("b")',
        ),
    ],
)  # fmt: skip
def test_each_kind_of_locator(target: Target, found: str) -> None:
    assert lines(Done("click", target)) == [f"page.{found}.click()"]


def test_a_secret_is_read_from_the_environment() -> None:
    text = written(Done("fill", FIELD, None, value="{{secret.password}}"))
    assert 'TEST_PASSWORD = os.environ["TEST_PASSWORD"]' in text
    assert f"{TITLE}.fill(TEST_PASSWORD)" in text


def test_what_the_site_minted_may_be_anything_in_an_address() -> None:
    after = PageState(url="/books/{{site.book_1}}?from=new", notes=("Saved Emma",))
    assert lines(Done("click", BUTTON, after=after)) == [
        f"{SAVE}.click()",
        'expect(page).to_have_url(re.compile("/books/[^/?#&]+\\\\?from=new$"))',
        'expect(page.get_by_role("status").filter(has_text="Saved Emma").first).to_be_visible()',
    ]


@pytest.mark.parametrize("shown", ["/books?q=The%20M%C3%B6bel%20%22x%22", "/books?q=The+M%C3%B6bel+%22x%22"])
def test_what_stands_decoded_in_a_recording_is_expected_as_browsers_show_it(shown: str) -> None:
    (line,) = lines(Done("goto", recorded_value="/a", after=PageState(url='/books?q=The Möbel "x"')))[1:]
    (pattern,) = re.findall(r're\.compile\((".*")\)\)$', line)
    assert re.search(json.loads(pattern), f"http://127.0.0.1{shown}")
    assert not re.search(json.loads(pattern), "http://127.0.0.1/books?q=TheM%C3%B6bel%22x%22")


def test_dialogs_are_accepted_as_they_were() -> None:
    asked = lines(Done("click", BUTTON, after=PageState(url="/", notes=("confirm: Sure?",))))
    assert asked == ['page.on("dialog", lambda dialog: dialog.accept())', f"{SAVE}.click()"]


def test_other_users_have_pages_of_their_own() -> None:
    text = written(Done("click", BUTTON), Done("click", BUTTON, actor="the buyer"))
    assert "def test_it(page: Page, browser: Browser) -> None:" in text
    assert "    the_buyer_page = browser.new_context().new_page()" in text
    assert '    the_buyer_page.get_by_role("button", name="Save", exact=True).click()' in text


def test_what_failed_is_left_out() -> None:
    with pytest.raises(ToolError, match="nothing was done"):
        written(Done("click", BUTTON, status="failed"))
    assert lines(Done("click", BUTTON, status="cancelled"), Done("hover", BUTTON)) == [f"{SAVE}.hover()"]


def test_several_windows_are_not_exported() -> None:
    with pytest.raises(ToolError, match="several windows"):
        written(Done("open_tab"))
