"""Personas that the tests of this folder share."""

import pytest

from simulator.persona import Persona, load_personas, starter_personas


@pytest.fixture(scope="session")
def starters() -> dict[str, Persona]:
    return load_personas(starter_personas())


@pytest.fixture
def seller() -> Persona:
    return Persona.model_validate(
        {
            "persona": "seller",
            "about": "Sells and writes.",
            "locale": "en_GB",
            "traits": {"skips_optional": 0.5},
            "tasks": ["register", {"list_books": {"count": 3}}, {"message_seller": {"count": 2}}],
        }
    )
