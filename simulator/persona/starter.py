"""The personas that a new project starts with: those of the packs in use. Not responsible for: what they are."""

from pathlib import Path

from simulator.domain import packs_in_use
from simulator.errors import PersonaError


def starter_personas() -> Path:
    """Return the folder that holds the starter persona files.

    Raises:
        PersonaError: If no pack in use brings any.
    """
    for pack in packs_in_use():
        if pack.starters is not None:
            return pack.starters()
    raise PersonaError("no pack in use brings personas to start with; 'sim packs list' shows which packs there are")
