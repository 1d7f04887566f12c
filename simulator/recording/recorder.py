"""Writes a recording: the file, its batches, and the runs that begin in it.

Not responsible for: steps and actions (``run_recorder.py``), or reading.

One recorder a process; calls are synchronous and each is one short transaction, committed when it returns.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from simulator.recording.database import connect, explained
from simulator.recording.process import dead_processes
from simulator.recording.rows import Origin, RunKind, RunStatus
from simulator.recording.run_recorder import RunRecorder
from simulator.recording.stamps import new_id, wall_time
from simulator.recording.writer import Mask, Writer


class Recorder:
    """The one writer of a recording in this process; made by :meth:`open`.

    Args:
        writer: an open recording.
    """

    def __init__(self, writer: Writer) -> None:
        self.writer = writer

    @property
    def path(self) -> Path:
        """The file."""
        return self.writer.path

    @classmethod
    def open(cls, path: Path, *, mask: Mask | None = None) -> Self:
        """Open a recording for writing, making it, its folder or its newest tables where they are missing.

        What dead processes left unfinished in it is marked as interrupted.

        Args:
            path: the file.
            mask: applied to every text before it is written: the vaults' ``mask_all``.

        Raises:
            RecordingError: it is locked, not a recording, newer than this program, damaged or read-only.
            StorageFull: the disk takes no more.
        """
        recorder = cls(Writer(connect(path), path, mask))
        try:
            recorder.reap()
        except BaseException:
            recorder.close()
            raise
        return recorder

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file. What has not ended stays as it is; another process will read it as interrupted."""
        self.writer.connection.close()

    def begin_batch(
        self,
        *,
        argv: Sequence[str],
        seed: str,
        settings: Mapping[str, Any],
        kind: RunKind = "record",
        source_batch: str | None = None,
        source_path: str | None = None,
    ) -> str:
        """Store a batch as running.

        Args:
            argv: the command line.
            seed: what everything is drawn from.
            settings: the settings in force.
            kind: what its runs are.
            source_batch: the batch that is replayed.
            source_path: name of the file that is replayed.

        Returns:
            The batch's id.
        """
        batch_id = new_id()
        with self.writer.transaction() as change:
            self.writer.insert(
                "batch",
                id=batch_id,
                kind=kind,
                status="running",
                argv=self.writer.json(list(argv)),
                seed=self.writer.text(seed),
                settings=self.writer.json(dict(settings)),
                source_batch=source_batch,
                source_path=self.writer.text(source_path),
                process_id=self.writer.process(),
                started_at=wall_time(),
                started_ns=time.monotonic_ns(),
                change=change,
            )
        return batch_id

    def end_batch(self, batch_id: str, *, status: RunStatus) -> None:
        """Store how a batch ended."""
        with self.writer.transaction() as change:
            self.writer.execute(
                "UPDATE batch SET status = ?, ended_at = ?, ended_ns = ?, change = ? WHERE id = ?",
                (status, wall_time(), time.monotonic_ns(), change, batch_id),
            )

    def begin_run(
        self,
        *,
        batch_id: str,
        number: int,
        kind: RunKind,
        agent: str | None,
        persona: str | None,
        identity: Mapping[str, Any] | None,
        environment: Mapping[str, Any],
        site: str,
        origin: Origin = "agent",
        key_fingerprint: str | None = None,
        source_run: str | None = None,
        revision: int = 1,
        label: str | None = None,
    ) -> RunRecorder:
        """Store a run as running.

        Args:
            batch_id: the batch it belongs to.
            number: place in the batch; the instance number of its identity.
            kind: whether it is recorded, replayed, healed or imported.
            agent: which agent decides; None where none does.
            persona: the persona's name; None where there is none.
            identity: the values of the user; a password among them is left out.
            environment: versions, base URL and settings of the browser.
            site: the site section's name.
            origin: who decides.
            key_fingerprint: of the key that its secrets are derived from.
            source_run: the run that is replayed or healed.
            revision: 1, and one more than the source's where a run is healed.
            label: a name given by a person.

        Returns:
            Where the run's steps are recorded.
        """
        run_id = new_id()
        with self.writer.transaction() as change:
            self.writer.insert(
                "run",
                id=run_id,
                batch_id=batch_id,
                number=number,
                kind=kind,
                origin=origin,
                agent=agent,
                persona=persona,
                label=self.writer.text(label),
                site=site,
                identity=self.writer.identity(identity),
                environment=self.writer.json(dict(environment)),
                key_fingerprint=key_fingerprint,
                source_run=source_run,
                revision=revision,
                status="running",
                process_id=self.writer.process(),
                started_at=wall_time(),
                started_ns=time.monotonic_ns(),
                change=change,
            )
        return RunRecorder(self.writer, run_id=run_id, batch_id=batch_id)

    def mark_removed(self, created: str) -> None:
        """Note in the journal that something that was made has been taken back.

        Args:
            created: id of its entry.
        """
        with self.writer.transaction() as change:
            self.writer.execute("UPDATE created SET status = 'removed', change = ? WHERE id = ?", (change, created))

    def put_blob(self, data: bytes, media_type: str) -> str:
        """Store bytes once by their hash, compressed where that helps. Texts are masked first.

        Returns:
            The SHA-256 of what was stored.
        """
        return self.writer.put_blob(data, media_type)

    def reap(self) -> int:
        """Mark what dead processes left unfinished as interrupted.

        Returns:
            How many runs were marked.
        """
        with explained(self.path):
            dead = dead_processes(self.writer.connection, self.path)
        if not dead:
            return 0
        marked = 0
        with self.writer.transaction() as change:
            for process_id in dead:
                runs = self.writer.execute(
                    "SELECT id FROM run WHERE status = 'running' AND process_id = ?", (process_id,)
                ).fetchall()
                for (run_id,) in runs:
                    self.writer.close_run(run_id, change)
                    self.writer.execute(
                        "UPDATE run SET status = 'interrupted', verdict = 'interrupted', reason = ?, change = ? "
                        "WHERE id = ?",
                        ("its process ended before it did", change, run_id),
                    )
                self.writer.execute(
                    "UPDATE batch SET status = 'interrupted', change = ? WHERE status = 'running' AND process_id = ?",
                    (change, process_id),
                )
                marked += len(runs)
        return marked
