"""What a document is handed of the page script: all that the browser reads, and nothing that only people do."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import pytest

from simulator.browser.launch.script import lean, page_script

_SCRIPT = """(() => {
  // Only people read this: ✕.
  const cross = /^[✕✖]$/u; // a comment after an expression
  const address = "http://a; // no comment";
  const text = `a; // neither`;
  const said = [cross.test("✕"), address, text];
  if (said) said.push("…"); // after code that has a text
  let more = 1; // after code that has none
  more += 1;
  return [...said, more];
})()"""


def _parts() -> list[str]:
    folder = files("simulator.browser") / "page"
    return [part.read_text("utf-8") for part in folder.iterdir() if part.name.endswith(".js")]


@pytest.mark.asyncio(loop_scope="session")
async def test_a_lean_script_does_as_the_whole_one(stage: Any, site: Any) -> None:
    await stage.show(site, "<h1>Desk</h1>")
    page = stage.actor.page
    whole = await page.evaluate(_SCRIPT)
    assert whole == [True, "http://a; // no comment", "a; // neither", "…", 2]
    assert await page.evaluate(lean(_SCRIPT)) == whole


def test_comments_go_and_lines_stay() -> None:
    lines = lean(_SCRIPT).split("\n")
    assert lines[1] == ""
    assert lines[6:8] == [r'if (said) said.push("\u2026"); // after code that has a text', "let more = 1;"]
    assert len(lines) == len(_SCRIPT.split("\n"))


def test_a_document_is_handed_one_byte_a_character_and_no_line_of_comment() -> None:
    script = page_script("http://127.0.0.1:1")
    assert script.isascii()
    assert not [line for line in script.split("\n") if line.lstrip().startswith("//")]


@pytest.mark.parametrize("part", _parts())
def test_the_parts_are_written_so_that_comments_are_known_by_their_lines(part: str) -> None:
    assert not [line for line in part.split("\n") if line.count("`") % 2], "a text that goes over several lines"
    assert not [line for line in part.split("\n") if line.lstrip().startswith("/*")], "a block comment"
    assert all(ord(char) < 0x10000 for char in part), "a character that two escapes would stand for"
