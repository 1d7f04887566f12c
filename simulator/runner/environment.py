"""What a run is stored with, so that it can be understood and repeated: versions, browser, site, persona.

Not responsible for: secrets; none is in here.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import version
from typing import Any

from simulator.browser.pool import ContextProfile
from simulator.config import Site
from simulator.persona import Identity, Persona

_PACKAGES = ("simulator", "playwright", "faker", "pydantic", "sqlite-utils")


@cache
def versions() -> dict[str, str]:
    """Give the versions of the packages that have a say in a run."""
    return {name: version(name) for name in _PACKAGES}


def profile_of(identity: Identity) -> ContextProfile:
    """Give what a site can tell about an identity's browser."""
    return ContextProfile(
        locale=identity.locale.replace("_", "-"),
        timezone=identity.timezone,
        width=identity.viewport.width,
        height=identity.viewport.height,
    )


def describe(site: Site, profile: ContextProfile, browser: str, persona: Persona | None, seed: str) -> dict[str, Any]:
    """Describe what a run is done with.

    Args:
        site: the site, at the address where it answered.
        profile: of the browser context.
        browser: the browser's version.
        persona: the persona, kept whole, so that a replay needs no file; None where there is none.
        seed: of the batch.
    """
    return {
        "versions": versions(),
        "browser": browser,
        "base_url": site.base_url,
        "context": profile.as_dict(),
        "persona": persona.model_dump(mode="json") if persona else None,
        "seed": seed,
    }
