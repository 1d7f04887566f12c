"""What people read: links lead somewhere, and what is said of replays is said in short sentences."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from html import unescape
from pathlib import Path
from typing import get_args

import pytest

from simulator.errors import ToolErrorType
from simulator.replay.drift import Verdict
from tests.seam import needs_bookshop

ROOT = Path(__file__).parent.parent
_GROUPS = ("personas", "runs", "demo", "tools", "packs", "data", "site")
"""Commands that have commands of their own."""
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
SHORT = ["replay.md", "effects.md", "prove.md", "repair.md", "cleanup.md", "ci.md", "values.md", "held-still.md"]
LONGEST = 45
"""Words of a sentence."""
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_CODE = re.compile(r"^\s*```.*?^\s*```", re.MULTILINE | re.DOTALL)


def anchors(page: Path) -> set[str]:
    """Give the anchors of a page as GitHub makes them of its headings."""
    headings = re.findall(r"^#+ (.+)$", _CODE.sub("", page.read_text("utf-8")), re.MULTILINE)
    bare = (re.sub(r"[^\w\s-]", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", one)) for one in headings)
    return {one.strip().lower().replace(" ", "-") for one in bare}


def sentences(text: str) -> list[str]:
    """Give the sentences of a page: those of a paragraph, of an item of a list, of a cell of a table."""
    parts: list[str] = []
    for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-|#]|\d+\. ))", _CODE.sub("\n\n", text)):
        cells = block.strip().strip("|").split("|") if block.lstrip().startswith("|") else [block]
        parts += [re.sub(r"`[^`]*`", "x", _LINK.sub("]", cell)) for cell in cells]
    return [one for part in parts for one in re.split(r"(?<=[.!?:;])\s+", " ".join(part.split()))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for link in _LINK.findall(_CODE.sub("", page.read_text("utf-8"))):
        if link.startswith(("http:", "https:", "mailto:")):
            continue
        name, _, anchor = link.partition("#")
        there = page.parent / name if name else page
        assert there.exists(), link
        assert not anchor or anchor in anchors(there), link


@pytest.mark.parametrize("name", SHORT)
def test_sentences_are_short(name: str) -> None:
    told = sentences((ROOT / "docs" / name).read_text("utf-8"))
    assert len(told) > 5
    assert [one for one in told if len(one.split()) > LONGEST] == []


def test_a_long_sentence_and_a_dead_link_are_seen(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"# A `sim` heading: one\n\nShort. {'word ' * 46}end.\n\n| a | {'cell ' * 9} |\n", "utf-8")
    assert anchors(page) == {"a-sim-heading-one"}
    assert [len(one.split()) for one in sentences(page.read_text("utf-8")) if len(one.split()) > LONGEST] == [47]


def test_every_page_is_in_the_site() -> None:
    site = (ROOT / "zensical.toml").read_text("utf-8")
    tomllib.loads(site)
    listed = re.findall(r'"([\w-]+\.md)"', site)
    assert sorted(listed) == sorted(page.name for page in (ROOT / "docs").glob("*.md"))


def test_every_verdict_and_every_failure_of_a_tool_has_its_entry() -> None:
    page = ROOT / "docs" / "troubleshooting.md"
    text = page.read_text("utf-8")
    assert [one for one in get_args(Verdict) if one not in anchors(page)] == []
    assert [one for one in get_args(ToolErrorType) if f"| `{one}` |" not in text] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_and_options_that_are_shown_exist(page: Path) -> None:
    known = (ROOT / "docs" / "cli.md").read_text("utf-8")
    helps = dict(re.findall(r"^## (sim[^\n]*)\n(.*?)(?=^## |\Z)", known, re.MULTILINE | re.DOTALL))
    assert len(helps) > 30
    blocks = re.findall(r"^```(?:sh|console)\n(.*?)^```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    lines = [line.partition(" #")[0].removeprefix("$ ") for block in blocks for line in block.splitlines()]
    for words in (line.split() for line in lines if line.startswith("sim ")):
        command = next((name for end in (3, 2, 1) if (name := " ".join(words[:end])) in helps), "")
        assert command.count(" ") == (2 if words[1] in _GROUPS else 1), words
        options = [word.partition("=")[0] for word in words if word.startswith("--")]
        assert [one for one in options if not re.search(rf"{one}(?![\w-])", helps[command])] == [], words


def drawn(picture: Path) -> str:
    """Give what a drawn terminal shows, without what is another each time: numbers and ids."""
    shown = " ".join(unescape(re.sub(r"<[^>]+>", " ", picture.read_text("utf-8"))).split())
    return re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b[0-9a-f]{12}\b|[\d.]+", "#", shown)


@needs_bookshop
@pytest.mark.table(days=4)
def test_the_drawn_terminal_shows_what_commands_print_today(tmp_path: Path) -> None:
    """Draw it anew with .ci/terminal.py where this fails."""
    subprocess.run([sys.executable, ROOT / ".ci" / "terminal.py", tmp_path / "run.svg"], check=True, timeout=200)
    assert drawn(tmp_path / "run.svg") == drawn(ROOT / "docs" / "images" / "run.svg")
