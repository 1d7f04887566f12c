"""What the tests of hostile pages share: a key, and a folder of temporary files that can be searched."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.runner.program import KEY


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder for a project, in which temporary files land, too."""
    folder = tmp_path_factory.mktemp("trap")
    (folder / "tmp").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", str(folder / "tmp"))
        patch.setattr(tempfile, "tempdir", None)
        patch.setenv("SIM_KEY", KEY)
        yield folder
