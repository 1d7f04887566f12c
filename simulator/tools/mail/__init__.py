"""The mail that a site sends to its users."""

from typing import Final

MAIL: Final = "mail"
"""Key of a step's metadata: what it read, as :class:`~simulator.tools.mail.reading.Read`."""
