"""The personas that a new project starts with.

Responsible for finding their files: beside the package in a checkout, inside it when installed.
"""

from pathlib import Path

from simulator.errors import PersonaError


def starter_personas() -> Path:
    """Return the folder that holds the starter persona files.

    Raises:
        PersonaError: If the installation lacks them.
    """
    package = Path(__file__).parent
    for folder in (package / "starter", package.parent.parent / "personas"):
        if folder.is_dir():
            return folder
    raise PersonaError("the starter personas are missing from this installation; install the package again")
