"""What a site demands before it shows anything, and what of the browser is held still on it.

Not responsible for: reading the files that are named here, or keeping the secrets.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import StringConstraints

from simulator.config.values import RootedPath, SecretRef, Section

HeaderName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9-]*$")]


class BasicAuth(Section):
    """HTTP basic authentication in front of the site."""

    username: str
    password: SecretRef


class ClientCertificate(Section):
    """A certificate that users show to the site."""

    certificate: RootedPath
    """A PEM file."""
    key: RootedPath
    """A PEM file."""
    passphrase: SecretRef | None = None
    """Of the key."""


class Determinism(Section):
    """What may be held still in the pages of a site; what breaks it is switched off here."""

    clock: bool = True
    """Whether ``--freeze-clock`` has an effect."""
    random: bool = True
    """Whether what scripts draw at random is drawn from the seed and the user."""
    animations: bool = True
    """Whether pages are asked to leave out animations."""
    third_parties: Literal["live", "blocked", "recorded"] = "live"
    """What becomes of requests to other ``allowed_hosts``: they are sent, refused, or recorded and answered from the
    recording at replay."""
