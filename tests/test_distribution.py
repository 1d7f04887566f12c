"""The name under which the package is installed: one, and the same wherever somebody is told to install it."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from simulator.version import DISTRIBUTION

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
_INSTALL = re.compile(r"pip install\b.*?'([^'\[]+)\[([a-z]+)\]'")


def test_the_package_says_what_it_is_installed_as() -> None:
    assert PROJECT["name"] == DISTRIBUTION
    assert DISTRIBUTION != "simulator", "that is somebody else's package"


def test_what_people_are_told_to_install_is_this_package_with_a_part_that_it_has() -> None:
    texts = [
        ROOT / "README.md",
        ROOT / "CHANGELOG.md",
        *(ROOT / "docs").glob("*.md"),
        *(ROOT / "simulator").rglob("*.py"),
    ]
    told = {(file.name, *found) for file in texts for found in _INSTALL.findall(file.read_text("utf-8"))}
    assert {"agents.md", "events.md", "tracing.py", "performers.py"} <= {name for name, *_ in told}
    for name, distribution, extra in told:
        assert distribution in (DISTRIBUTION, "{DISTRIBUTION}"), name
        assert extra in PROJECT["optional-dependencies"], name
