"""What performs the recorded steps of a run on the site: in a replay, and in a run that goes on from a step.

Not responsible for: which steps, or what becomes of a difference.
"""

from __future__ import annotations

import mimetypes
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simulator.bindings import Bindings
from simulator.domain import Pictures
from simulator.errors import RecordingError
from simulator.filenames import base_name, stored_names
from simulator.recording.reader import Recording
from simulator.recording.rows import VariableRow
from simulator.recording.run_recorder import RunRecorder
from simulator.replay.perform import StepPerformer
from simulator.runner.surroundings.run_setup import RunSetup
from simulator.template import CHOICE
from simulator.tools.context import ActorSession

_OFFERED = re.compile(r"\{\{file\.(\w+)_\d+\}\}")
_SUFFIX = {"image/png": ".png", "image/jpeg": ".jpg", "image/webp": ".webp"}


def step_performer(
    setup: RunSetup,
    session: ActorSession,
    recorder: RunRecorder,
    recording: Recording,
    run_id: str,
    variables: Iterable[VariableRow],
    *,
    seed: str,
    fresh: bool = False,
    **how: Any,
) -> StepPerformer:
    """Give what performs recorded steps.

    Args:
        setup: what the user acts with.
        session: the actors of the run that performs them.
        recorder: of that run.
        recording: holds the recorded run.
        run_id: the recorded run.
        variables: of those steps.
        seed: what choices are drawn from.
        fresh: whether another user performs them, who chooses again and has files of its own.
        how: what else a :class:`StepPerformer` takes.
    """
    res, variables = setup.resources, tuple(variables)

    def keep_values(action_id: str, values: Mapping[str, str]) -> None:
        for name, value in values.items():
            recorder.variables.set(name, value, kind="site", step_id=recorder.current_step, action_id=action_id)

    return StepPerformer(
        run=run_id,
        actor=session.current,
        open_actor=session.open,
        files=RecordedFiles(recording, recorder, res.pictures, setup.bindings, fresh, setup.folder),
        choosing=fresh,
        seed=seed,
        login_path=res.site.route("login"),
        names={one.action_id: one for one in variables if one.name.startswith(CHOICE) and one.action_id},
        generated=frozenset(one.name for one in variables if one.name.startswith("site.")),
        resolve_ms=res.settings.browser.resolve_ms,
        keep_values=keep_values,
        **how,
    )


def _is_within(path: Path, folder: Path) -> bool:
    """Whether a path is a file below a folder; an address of a picture is not one."""
    try:
        return path.is_file() and path.resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError):
        return False


@dataclass(frozen=True, slots=True)
class RecordedFiles:
    """Puts uploads in place: the recorded bytes, or a picture that a fresh user was offered."""

    recording: Recording
    recorder: RunRecorder
    pictures: Pictures
    bindings: Bindings
    fresh: bool
    folder: Path

    async def path(self, source: str, sha256: str, name: str) -> tuple[Path, str, str]:
        """Put a file in place; on disk it goes by its hash, whatever the site gets."""
        try:
            name = base_name(name)
        except ValueError as error:
            raise RecordingError(f"{self.recording.path}: an upload is called {name[:80]!r}: {error}") from None
        own = self.folder / self.bindings.render(source) if self.fresh and source else None
        if own is not None and _is_within(own, self.folder):
            data, name = own.read_bytes(), own.name
            media_type: str = mimetypes.guess_type(name)[0] or "application/octet-stream"
        elif self.fresh and source:
            image = await self.pictures.image(self.bindings.render(source))
            offered = _OFFERED.fullmatch(source)
            data, name = image.data, f"{offered[1] if offered else 'picture'}{_SUFFIX[image.media_type]}"
            media_type = image.media_type
        else:
            data, media_type = self.recording.blobs.read(sha256), self.recording.blobs.media_type(sha256) or ""
        stored = self.recorder.put_blob(data, media_type)
        path = self.folder / stored_names({stored: media_type})[stored]
        path.write_bytes(data)
        return path, stored, name
