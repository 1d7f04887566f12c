"""What this program is called, and which one it is."""

from __future__ import annotations

from typing import Final

DISTRIBUTION: Final = "persona-replay"
"""What the package is installed as; its import name is that of somebody else's package there."""
VERSION: Final = "0.1.0"
