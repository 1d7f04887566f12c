"""What a run is stored with, so that it can be understood and repeated: versions, browser, site, persona.

Not responsible for: secrets; none is in here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version
from typing import Any, Self

from simulator.browser.launch.determinism import Stillness
from simulator.browser.launch.pool import ContextProfile
from simulator.canonical import EFFECTS, EVIDENCE, REFUSALS
from simulator.config import Site
from simulator.domain import packs_loaded
from simulator.persona import Identity, Persona
from simulator.version import VERSION

_PACKAGES = ("playwright", "faker", "pydantic", "sqlite-utils")


@cache
def versions() -> dict[str, str]:
    """Give the versions of the packages that have a say in a run."""
    return {"simulator": VERSION} | {name: version(name) for name in _PACKAGES}


def profile_of(identity: Identity) -> ContextProfile:
    """Give what a site can find out about an identity's browser."""
    return ContextProfile(
        locale=identity.locale.replace("_", "-"),
        timezone=identity.timezone,
        width=identity.viewport.width,
        height=identity.viewport.height,
    )


@dataclass(frozen=True, slots=True)
class Held:
    """What of the browser is held still in a run. Stored with it, and taken up by its replays."""

    clock: str | None = None
    """The time at which it stands, in ISO 8601; None: it runs."""
    random: bool = False
    """Whether what scripts draw at random is drawn from the seed and the user."""
    animations: bool = True
    """Whether pages are asked to leave out animations."""
    third_parties: str = "live"
    """What becomes of requests to other hosts that are allowed."""
    evidence: int = 1
    """Version of the rules by which evidence is taken; runs that do not say it are of the first."""
    refusals: int = 1
    """The same of the rules by which it is read what pages refuse."""
    effects: int = 0
    """The same of the rules by which effects are observed; 0: nothing was. A replay observes by those of today."""

    @classmethod
    def at_start(cls, site: Site, *, freeze_clock: bool) -> Self:
        """Give what is held still in a run that begins now.

        Args:
            site: the site.
            freeze_clock: whether the clock stands at that time.
        """
        allowed = site.determinism
        now = datetime.now(UTC).isoformat(timespec="seconds")
        clock = now if freeze_clock and allowed.clock else None
        return cls(clock, allowed.random, allowed.animations, allowed.third_parties, EVIDENCE, REFUSALS, EFFECTS)

    @classmethod
    def going_on(cls, site: Site, recorded: Mapping[str, Any]) -> Self:
        """Give what is held still where a recorded run is gone on with: all rules are those that it was recorded by.

        Args:
            site: the site.
            recorded: the environment of the recorded run.
        """
        held, now = cls(**recorded.get("determinism", {})), cls.at_start(site, freeze_clock=False)
        effects = held.effects or now.effects
        return replace(now, evidence=held.evidence, refusals=held.refusals, effects=effects)

    @classmethod
    def at_replay(cls, site: Site, recorded: Mapping[str, Any], started: str, *, freeze_clock: bool | None) -> Self:
        """Give what is held still in a replay: what was, as far as the site section still has it so.

        Args:
            site: the site.
            recorded: the environment of the recorded run.
            started: when that run began, in ISO 8601; where its clock ran, it stands there when it is to stand.
            freeze_clock: whether the clock stands; None: as it was recorded.
        """
        held, allowed = cls(**recorded.get("determinism", {})), site.determinism
        clock = held.clock if freeze_clock is None else (held.clock or started) if freeze_clock else None
        return cls(
            clock if allowed.clock else None,
            held.random and allowed.random,
            held.animations and allowed.animations,
            held.third_parties if allowed.third_parties == "recorded" else allowed.third_parties,
            held.evidence,
            held.refusals,
            EFFECTS,
        )

    def stillness(self, *drawn_from: object) -> Stillness:
        """Give what that means to a browser context.

        Args:
            drawn_from: the seed, and what distinguishes the user from every other.
        """
        return Stillness(
            clock=datetime.fromisoformat(self.clock) if self.clock else None,
            chance="|".join(map(str, drawn_from)) if self.random else None,
            evidence=self.evidence,
            refusals=self.refusals,
            effects=self.effects or EFFECTS,
        )

    def profile(self, identity: Identity) -> ContextProfile:
        """Give what a site can find out about an identity's browser."""
        return replace(profile_of(identity), reduced_motion=self.animations)


def describe(
    site: Site, profile: ContextProfile, browser: str, persona: Persona | None, seed: str, held: Held
) -> dict[str, Any]:
    """Describe what a run is done with.

    Args:
        site: the site, at the address where it answered.
        profile: of the browser context.
        browser: the browser's version.
        persona: the persona, kept whole, so that a replay needs no file; None where there is none.
        seed: of the batch.
        held: what of the browser is held still.
    """
    return {
        "versions": versions(),
        "packs": {pack.name: {"version": pack.version, "api": pack.api} for pack in packs_loaded()},
        "browser": browser,
        "base_url": site.base_url,
        "bundled": site.bundled,
        "context": profile.as_dict(),
        "persona": persona.model_dump(mode="json") if persona else None,
        "seed": seed,
        "determinism": asdict(held),
    }
