"""Replays golden recordings on their sites, and says what came of it in numbers that can be frozen.

Not responsible for: judging the numbers (``test_golden.py``) or keeping them (``freeze.py``).
"""

from __future__ import annotations

import json
import lzma
import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simulator.canonical import sha256
from tests.golden.program import ROOT, Program
from tests.golden.sites import SITES, GoldenSite

FOLDER = Path(__file__).parent
SUFFIX = ".db.xz"
TABLE = FOLDER / "expected.json"
"""What each recording is, and what comes of replaying it, by its name and by identity policy."""


@dataclass(frozen=True)
class Golden:
    """One golden recording."""

    name: str
    site: GoldenSite
    about: Mapping[str, Any]
    """Its entry in the table."""

    @property
    def file(self) -> Path:
        return FOLDER / f"{self.name}{SUFFIX}"

    def unpack(self, folder: Path) -> Path:
        """Put the recording into a folder."""
        path = folder / f"{self.name}.db"
        path.write_bytes(lzma.decompress(self.file.read_bytes()))
        return path


def describe(path: Path) -> dict[str, Any]:
    """Say of which generation a recording is: the migrations of its schema, and the versions of its evidence."""
    with closing(sqlite3.connect(path)) as connection:
        migrations = [name for (name,) in connection.execute("SELECT name FROM _sqlite_migrations ORDER BY id")]
        versions = connection.execute(
            "SELECT DISTINCT ifnull(target ->> '$.version', 1) FROM action WHERE target IS NOT NULL ORDER BY 1"
        ).fetchall()
    return {"schema": migrations, "evidence": [version for (version,) in versions]}


def hash_of(file: Path) -> str:
    """Hash a golden file."""
    return sha256(file.read_bytes())


def table() -> dict[str, Any]:
    """Read the table."""
    return dict(json.loads(TABLE.read_text("utf-8")))


def golden() -> dict[str, Golden]:
    """Give all golden recordings, by their names."""
    return {name: Golden(name, SITES[about["site"]], about) for name, about in table().items()}


def outcomes(one: Golden, identities: Iterable[str], folder: Path) -> dict[str, list[dict[str, Any]]]:
    """Serve the site of a recording, and replay the recording strictly by each policy, on the site as it was first.

    Args:
        one: the recording.
        identities: the policies.
        folder: an empty one.

    Returns:
        By policy, what :func:`outcome` gives.
    """
    (folder / "site").mkdir()
    found = {}
    with one.site.serve(folder / "site") as served:
        (folder / "sim.toml").write_text(one.site.sim_toml(served, ROOT), "utf-8")
        program, source = Program(ROOT, folder, one.site.secrets), one.unpack(folder)
        for identity in identities:
            served.reset()
            found[identity] = outcome(program, one.site, source, identity)
    return found


def outcome(program: Program, site: GoldenSite, source: Path, identity: str) -> list[dict[str, Any]]:
    """Replay a recording strictly.

    Args:
        program: knows the site, which is empty.
        site: where it was recorded.
        source: the recording.
        identity: the policy.

    Returns:
        Of each run, in their order: who it was, its verdict, why, and how many steps, actions and checks there were.
    """
    seed = ["--seed", "spring"] if identity == "fresh" else []
    reset = ["--reset"] if site.disposable else []
    asked = ["--identity", identity, "--concurrency", "1", "--db", f"{identity}.db", "--json", *seed, *reset]
    done = program.run("replay", str(source), *asked)
    if not done.stdout:
        raise AssertionError(f"exit {done.returncode}: {done.stderr}")
    return [
        {
            "user": f"{run['number']} {run['persona']}",
            "verdict": run["verdict"],
            **({"drift": run["drift"]["expected"] + "; found " + run["drift"]["found"]} if run["drift"] else {}),
            "steps": run["steps"],
            "actions": run["actions"],
            "checks": run["checks"],
        }
        for run in json.loads(done.stdout)["runs"]
    ]
