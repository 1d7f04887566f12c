"""Personas that the tests of the bookshop's pack share."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from simulator.persona import Persona


@pytest.fixture
def make_persona() -> Callable[..., Persona]:
    def make(*tasks: object, **more: object) -> Persona:
        given = {"persona": "reader", "about": "Reads.", "locale": "en_GB", "tasks": [*tasks]}
        return Persona.model_validate(given | more)

    return make
