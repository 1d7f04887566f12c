"""A replay needs nobody but the site: no model, and no other address."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.runner.bench import Bench, Original

pytestmark = [pytest.mark.timeout(900), pytest.mark.promise("a replay needs nobody but the site")]


async def test_a_replay_imports_no_model_and_connects_to_the_site_alone(
    bench: Bench, seller: Original, tmp_path: Path
) -> None:
    models = tmp_path / "models"
    models.mkdir()
    for name in ("anthropic", "openai"):
        (models / f"{name}.py").write_text("")  # so that whoever tries to import one is found out
    script = Path(__file__).with_name("replay_alone.py")
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(script), str(seller.db), str(bench.shop("alone").file), str(tmp_path / "alone.db"),
        stdout=asyncio.subprocess.PIPE, env={**os.environ, "PYTHONPATH": f"{models}{os.pathsep}{Path.cwd()}"},
    )  # fmt: skip
    output, _ = await process.communicate()
    told = json.loads(output)
    assert told["passed"]
    assert {"anthropic", "openai"}.isdisjoint(told["modules"])
    port = urlsplit(told["base_url"]).port
    asked = "('127.0.0.1', 1)"  # the configured address of the site, where nothing answers
    assert set(told["connected"]) <= {asked, f"('127.0.0.1', {port})", "name 127.0.0.1"}
    assert f"('127.0.0.1', {port})" in told["connected"]
    assert told["blocked"] == []
    assert bench.shop("alone").whole == seller.shop.whole
