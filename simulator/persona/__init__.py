"""Persona files, the people drawn from them, and the books they deal in.

Responsible for who acts and what they want; not for how it is done on a site.
"""

from simulator.persona.books import Book
from simulator.persona.catalogue import GENRES, Title, catalogue
from simulator.persona.identity import Identity, alternative_email, alternative_username, draw_identity
from simulator.persona.model import Limits, Persona, PriceRange, Tastes, ToolRules, Traits, Viewport
from simulator.persona.population import draw_population, mix
from simulator.persona.tasks import Task

__all__ = [
    "GENRES",
    "Book",
    "Identity",
    "Limits",
    "Persona",
    "PriceRange",
    "Task",
    "Tastes",
    "Title",
    "ToolRules",
    "Traits",
    "Viewport",
    "alternative_email",
    "alternative_username",
    "catalogue",
    "draw_identity",
    "draw_population",
    "mix",
]
