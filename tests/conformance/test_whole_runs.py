"""Every row of the conformance table, played through whole runs of the agent claude and replayed strictly.

CI plays one for each tool, another one each day.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import pytest

from simulator.tools.spec import ToolSpec
from simulator.tools.toolsets import known_toolsets, offers
from tests.conformance.table import Row, Stage, all_rows
from tests.conformance.whole import Company, Prompter, groups
from tests.fakes.messages_api import KEY, messages_api
from tests.small_run import SmallSite, serving
from tests.tiers import SEED

pytestmark = [pytest.mark.timeout(1800)]

AT_ONCE = 25
"""Rows of one batch."""
ROWS = [row for row in all_rows() if not row.alone]
SHORT = 12
"""Calls of one conversation: each request tells all before it."""


async def played(rows: Sequence[Row], folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Play rows of one group, and say what went wrong."""
    prompter = Prompter(asyncio.get_running_loop())
    with serving(SmallSite()) as site, messages_api(prompter) as api:
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", api.url)
        for secret in (one for row in rows for one in row.site.get("secrets", {}).values()):
            monkeypatch.setenv(secret["env"], "a secret of the site, of rows that name one")
        company = Company(site, folder, rows)
        result = await company.record(prompter)
        assert api.refused == []
        monkeypatch.delenv("ANTHROPIC_API_KEY")
        asked = len(api.requests)
        await company.replay(result.batch_id)
        assert len(api.requests) == asked, "a replay asks no model"
    return [problem for scene, run in zip(company.scenes, result.runs, strict=True) for problem in scene.problems(run)]


def batches(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """Put rows together that are played in one batch."""
    for group in groups(rows).values():
        for start in range(0, len(group), AT_ONCE):
            yield group[start : start + AT_ONCE]


def test_every_tool_has_a_row_that_is_played_through_a_run() -> None:
    known = {(row.toolset, row.tool) for row in all_rows() if not row.alone}
    missing = [
        f"{spec.name} of {toolsets[0]}"
        for spec, toolsets in offers(known_toolsets())
        if not any((toolset, name) in known for toolset in toolsets for name in (spec.name, *spec.aliases))
    ]
    assert not missing, "write a row for each, in a file rows_*.py beside this one"


@pytest.mark.slow
@pytest.mark.parametrize(
    "rows", [pytest.param(rows, id=f"{rows[0].toolset}-{rows[0].tool}-{len(rows)}") for rows in batches(all_rows())]
)
async def test_rows(rows: list[Row], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = await played(rows, tmp_path, monkeypatch)
    assert not wrong, "\n\n".join(wrong)


@pytest.mark.breadth(1, table=4)
@pytest.mark.parametrize("toolset", [name for name in known_toolsets() if any(row.toolset == name for row in ROWS)])
async def test_a_row_of_every_tool(toolset: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    by_tool: dict[str, list[Row]] = {}
    for row in ROWS:
        if row.toolset == toolset:
            by_tool.setdefault(row.tool, []).append(row)
    drawn = Random(SEED)
    chosen = [drawn.choice(rows) for rows in by_tool.values()] + wrong_calls(toolset)
    wrong: list[str] = []
    for number, rows in enumerate(batches(chosen)):
        folder = tmp_path / str(number)
        folder.mkdir()
        wrong += await played(rows, folder, monkeypatch)
    assert not wrong, "\n\n".join(wrong)


def wrong_calls(toolset: str) -> list[Row]:
    """Make rows that call every tool of a toolset with what it does not take; of those that it shares, the first's."""
    specs = [spec for spec, toolsets in offers(known_toolsets()) if toolsets[0] == toolset]
    return [_wrong(toolset, start, specs[start : start + SHORT]) for start in range(0, len(specs), SHORT)]


def _wrong(toolset: str, number: int, specs: Sequence[ToolSpec]) -> Row:
    async def play(stage: Stage) -> None:
        for spec in specs:
            known = next(iter(spec.schema["properties"]), "")
            given: dict[str, object] = {"no_such_parameter": 1} | (
                {known: {"of": ["another", "type"]}} if known else {}
            )
            failure = await stage.refused(spec.name, **given)
            assert failure.type == "invalid_input"
            assert "no_such_parameter: is not a parameter" in failure.message
            assert not known or f"{known}" in failure.message.partition("Example")[0]

    return Row(toolset, "any", f"tools tell what they do not take {number}", play, "", {})
