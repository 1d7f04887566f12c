"""`sim` as a process of its own: what it imports, and how it ends."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.seam import needs_bookshop

SIM = Path(sys.executable).with_name("sim")


def test_help_and_version_import_nothing_heavy() -> None:
    code = (
        "import sys\n"
        "from simulator.cli.main import main\n"
        "main(['--help'])\n"
        "heavy = {'playwright', 'pydantic', 'rich', 'sqlite_utils', 'starlette', 'faker', 'anthropic', 'httpx'}\n"
        "sys.exit(', '.join(heavy & sys.modules.keys()) or 0)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)


@needs_bookshop  # else the pack that the environment still names is reported
def test_a_reader_that_goes_away_is_no_error() -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "wb") as gone:
        process = subprocess.run(
            [SIM, "personas", "schema"], stdout=gone, stderr=subprocess.PIPE, text=True, check=False
        )
    assert process.stderr == ""


def test_an_error_is_one_sentence_on_standard_error() -> None:
    process = subprocess.run(
        [SIM, "runs", "list", "--db", "nowhere.db"], capture_output=True, text=True, check=False, timeout=30
    )
    assert (process.returncode, process.stdout) == (2, "")
    assert process.stderr == "sim: nowhere.db: there is no such recording; record one, or name another with --db\n"


def test_a_bug_keeps_its_traceback() -> None:
    code = (
        "import sys\n"
        "from simulator.cli import doctor, main\n"
        "def bug() -> None:\n"
        "    raise ZeroDivisionError('a bug')\n"
        "doctor.doctor = bug\n"
        "sys.exit(main.main(['doctor']))\n"
    )
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert process.returncode == 1
    assert process.stderr.startswith("Traceback (most recent call last):")
    assert process.stderr.endswith("ZeroDivisionError: a bug\n")
