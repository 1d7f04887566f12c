"""The tools that the documentation builds from nothing pass the test that it builds for them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from simulator.tools.plugins import load_file

DOCUMENT = Path(__file__).parents[2] / "docs" / "custom-tools.md"
FILES = dict(re.findall(r"```python (\S+)\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL))


@pytest.mark.table
def test_the_example_passes_its_own_test(tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-o", "asyncio_mode=auto"],
        cwd=tmp_path,
        env={**os.environ, "SIM_KEY": "the key of the tests of the documentation"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "4 passed" in done.stdout


def test_the_example_offers_what_the_page_says(tmp_path: Path) -> None:
    file = tmp_path / "own_tools.py"
    file.write_text(FILES["own_tools.py"], "utf-8")
    tools = {spec.name: spec for spec in load_file(file)}
    assert set(tools) == {"wish_for", "postage", "shelf"}
    assert tools["wish_for"].requires_page
    assert not tools["postage"].requires_page
