"""What ``sim.toml`` says of models: how many are asked at once, what they cost, what they can take in.

Not responsible for: which model is asked, or adding up what was used.
"""

from __future__ import annotations

import re
from typing import Annotated, Self

from pydantic import AfterValidator, ConfigDict, Field, model_validator

from simulator.config.values import Section

PRICES = ("input", "cache_write", "cache_read", "output")
_DATED = re.compile(r"[-@](\d{8}|\d{4}-\d{2}-\d{2}|latest)$")
"""How a name ends that means one state of a model."""


def _currency(value: str) -> str:
    if not re.fullmatch(r"[A-Z]{3}", value):
        raise ValueError(f"expected three capital letters, such as 'USD', found {value!r}")
    return value


Price = Annotated[float, Field(ge=0, allow_inf_nan=False)] | None


class Model(Section):
    """One model, by the name under which it is asked for."""

    input: Price = None
    """For a million tokens that are neither read from nor written to a cache; so the other prices."""
    cache_write: Price = None
    cache_read: Price = None
    output: Price = None
    currency: Annotated[str, AfterValidator(_currency)] = "USD"
    """Of its prices."""
    vision: bool = True
    """Whether it takes in pictures; without, it is offered no tool that takes any."""
    versioned_tools: bool = True
    """Whether it knows the versioned tools of the Messages API; without, ``computer``, ``bash`` and the edit tool are
    offered by their own schemas."""

    @model_validator(mode="after")
    def _whole(self) -> Self:
        missing = [name for name in PRICES if getattr(self, name) is None]
        if missing and len(missing) < len(PRICES):
            raise ValueError(f"expected all prices or none, found none for {', '.join(missing)}")
        return self

    @property
    def priced(self) -> bool:
        """Whether it is known what it costs."""
        return self.input is not None


class Models(Section):
    """The models by name, and what holds for all of them."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, Model]

    at_once: Annotated[int, Field(gt=0)] = 8
    """Requests that one batch may have under way; browsers can wait, a rate limit is shared."""

    def find(self, name: str) -> Model | None:
        """Give what is said of a model; of a dated name what is said of the model without its date.

        Args:
            name: as it is asked for or as it answers, such as ``claude-sonnet-5-5-20260801``.

        Returns:
            None where nothing is said of it.
        """
        known = self.__pydantic_extra__
        return known.get(name) or known.get(_DATED.sub("", name))
