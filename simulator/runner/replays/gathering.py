"""Where a replay of several recordings, runs and playbooks reads from. Not responsible for: replaying.

One recording is read where it stands. Several, and playbooks, are gathered in a temporary one, so that a replay is one
batch with one report.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from simulator.errors import UsageError
from simulator.recording.reader import Recording
from simulator.runner.replays.selecting import select
from simulator.scratch import scratch_folder

_PLAYBOOKS = (".yaml", ".yml")
_WORDS = ("last", "all")
"""What is never a path."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """What a replay reads from."""

    source: Path
    targets: tuple[str, ...]
    """What of it is replayed."""
    name: str
    """How it is called."""
    temporary: bool = False
    """It was made for this replay."""


@contextmanager
def gathered(named: Sequence[str], source: Path, *, landing: Path) -> Iterator[Gathered]:
    """Give the one recording that holds everything that was named.

    Args:
        named: recordings, playbooks, folders of them, and runs and batches of ``source``.
        source: where runs and batches are looked up.
        landing: where replays land; a folder that holds it means the other recordings in it.

    Raises:
        UsageError: a folder holds no recording.
        RecordingError: something that is named cannot be read.
    """
    wanted: dict[Path, list[str]] = {}
    playbooks: list[Path] = []
    for name in named:
        for path in _files(name, landing):
            if path.suffix in _PLAYBOOKS:
                playbooks.append(path)
            else:
                wanted.setdefault(path, []).append("all")
        if not _is_path(name):
            wanted.setdefault(source, []).append(name)
    if len(wanted) == 1 and not playbooks:
        ((path, targets),) = wanted.items()
        yield Gathered(path, tuple(dict.fromkeys(targets)), path.name)
        return
    from simulator.recording.upkeep.promote import promote

    with scratch_folder() as folder:
        whole = folder / "gathered.db"
        runs: dict[str, None] = {}
        for path, targets in wanted.items():
            with Recording.open(path) as recording:
                found = [run.id for run in select(recording, targets).runs]
            promote(path, found, whole)
            runs |= dict.fromkeys(found)
        if playbooks:
            from simulator.recording.upkeep.importing import import_playbook
        for path in playbooks:
            runs |= dict.fromkeys(import_playbook(path, whole).runs)
        yield Gathered(whole, tuple(runs), ", ".join(path.name for path in (*wanted, *playbooks)), temporary=True)


def _is_path(name: str) -> bool:
    return name.endswith((".db", *_PLAYBOOKS)) or (name not in _WORDS and Path(name).exists())


def _files(name: str, landing: Path) -> list[Path]:
    """Give the recordings and playbooks that a path means; none for what is no path."""
    path = Path(name)
    if not _is_path(name) or not path.is_dir():
        return [path] if _is_path(name) else []
    files = [file for file in sorted(path.iterdir()) if file.is_file() and file.suffix in (".db", *_PLAYBOOKS)]
    found = [file for file in files if file.resolve() != landing.resolve()]
    if not found:
        raise UsageError(f"the folder {path} holds no recording (.db) and no playbook (.yaml) to replay")
    return found
