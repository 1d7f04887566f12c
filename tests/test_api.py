"""The public names, and the examples of their page as they stand."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import simulator
from tests.seam import needs_bookshop

PAGE = Path(__file__).parent.parent / "docs" / "python.md"
EXAMPLES = re.findall(r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
NAMES = ["BatchResult", "Recording", "ReplayResult", "SimulatorError", "__version__", "record_runs", "replay_runs"]


def test_the_public_names_are_these() -> None:
    assert simulator.__all__ == NAMES
    assert set(NAMES) <= set(dir(simulator))
    assert all(getattr(simulator, name) is not None for name in NAMES)
    with pytest.raises(AttributeError, match="no attribute 'run_batch'"):
        simulator.run_batch  # noqa: B018


def test_the_name_alone_loads_nothing() -> None:
    loaded = "import sys, simulator; print([one for one in sys.modules if one.startswith('simulator.')])"
    told = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "['simulator.version']"


@needs_bookshop
@pytest.mark.table
def test_the_examples_run_as_they_stand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(EXAMPLES) == 3
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    shop = [sys.executable, "-m", "simulator.demo", "--port", "0", "--db", str(tmp_path / "shop.db")]
    with subprocess.Popen(shop, stdout=subprocess.PIPE, text=True) as site:
        try:
            assert site.stdout is not None
            url = json.loads(site.stdout.readline())["url"]
            said = []
            for example in EXAMPLES:
                exec(compile(example.replace("http://127.0.0.1:8765", url), str(PAGE), "exec"), {})
                printed, errors = capsys.readouterr()
                assert errors == "", example
                said.append(printed)
        finally:
            site.kill()
    assert re.fullmatch(r"\S+ passed \d+\n", said[0]), said
    assert re.fullmatch(r"\S+ passed \d+ of \d+ writes proven\n", said[1]), said
    assert said[0].split()[0] != said[1].split()[0], "a fresh user is another one"
    assert said[2].startswith("voter passed\n"), said
    assert " register " in said[2], said


@needs_bookshop
def test_what_is_wrong_is_said_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(simulator.SimulatorError, match="nobody"):
        simulator.record_runs("nobody", base_url="http://127.0.0.1:9")

    async def inside() -> None:
        simulator.replay_runs("absent.db")

    with pytest.raises(simulator.SimulatorError, match=r"await asyncio\.to_thread"):
        asyncio.run(inside())
