"""The example of a pack: written from public names alone, it acts on its own site and replays."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import httpx
import pytest

from simulator.domain import Pack
from simulator.testing import check_pack, draw_users, project, serve

EXAMPLE = Path(__file__).parents[2] / "examples" / "packs" / "helpdesk"
PAGE = (Path(__file__).parents[2] / "docs" / "packs.md").read_text("utf-8")


@pytest.fixture
def pack(monkeypatch: pytest.MonkeyPatch) -> Pack:
    """The pack, imported as an installed one is."""
    monkeypatch.syspath_prepend(EXAMPLE)
    found = import_module("helpdesk_pack").PACK
    assert isinstance(found, Pack)
    return found


@pytest.fixture
def site() -> Iterator[str]:
    with serve([sys.executable, EXAMPLE / "helpdesk_site.py", "0"]) as url:
        yield url


def held(site: str) -> list[Any]:
    """What the site holds, whatever the order in which users came."""
    tickets = httpx.get(f"{site}/state").json()["tickets"]
    return sorted((one["title"], one["by"], one["state"], sorted(one["comments"])) for one in tickets)


def test_nothing_is_wrong_with_it(pack: Pack) -> None:
    assert check_pack(pack) == []


def test_its_users_have_tickets(pack: Pack) -> None:
    users = draw_users(pack, EXAMPLE / "personas/asker.yaml", count=9)
    assert len({user.rows("ticket")[0].values()["title"] for user in users}) == 9


@pytest.mark.table
def test_it_acts_on_its_site_and_replays_there(pack: Pack, site: str, tmp_path: Path) -> None:
    with project(EXAMPLE, tmp_path, site, pack) as desk:
        run = desk.record(count=4, seed="7")
        assert [one.status for one in run.runs] == ["passed"] * 4, run
        made = held(site)
        assert [state for _, _, state, _ in made].count("closed") == 2
        assert sum(len(comments) for *_, comments in made) == 3
        assert all(by != author for _, author, _, comments in made for by, _ in comments)
        assert [one.verdict for one in desk.replay(reset=True).runs] == ["passed"] * 4
        assert held(site) == made
        assert [one.verdict for one in desk.replay(identity="fresh", seed="8").runs] == ["passed"] * 4
        section = (desk.folder / "sim.toml").read_text("utf-8")
        (desk.folder / "sim.toml").write_text(section.replace('packs = ["helpdesk"]', "packs = []"), "utf-8")
        assert [one.verdict for one in desk.replay(reset=True).runs] == ["passed"] * 4


@pytest.mark.parametrize("name", ["helpdesk_pack.py", "helpdesk_doing.py"])
def test_it_imports_names_alone_that_the_page_on_packs_tells(name: str) -> None:
    for node in ast.walk(ast.parse((EXAMPLE / name).read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("simulator"):
            (row,) = [line for line in PAGE.splitlines() if line.startswith(f"| `{node.module}` |")]
            for one in node.names:
                assert f"`{one.name}`" in row
        assert not (isinstance(node, ast.Import) and any(one.name.startswith("simulator") for one in node.names))
