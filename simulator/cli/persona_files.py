"""Which persona files a command reads. Not responsible for: what is in one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simulator.persona import Persona


def persona_folder(given: Path | None) -> Path:
    """Give the folder of persona files that is meant: by default that beside sim.toml, else the one that comes along."""
    from simulator.config import load_settings
    from simulator.persona import starter_personas

    if given is not None:
        return given
    own = load_settings().root / "personas"
    return own if own.is_dir() else starter_personas()


def load_given(given: Path | None) -> dict[str, Persona]:
    """Load the personas of a folder; by default those beside sim.toml, else the ones that come along."""
    from simulator.persona import load_personas

    return load_personas(persona_folder(given))
