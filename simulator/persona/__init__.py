"""Persona files, and the people drawn from them.

Responsible for who acts and what they want; not for how it is done on a site.
"""

from simulator.persona.dealing import Beside, DealtBefore
from simulator.persona.description import describe_persona, describe_task
from simulator.persona.files import (
    Checked,
    Problem,
    as_yaml,
    check_persona,
    load_persona,
    load_personas,
    persona_files,
    plain_personas,
    select_personas,
    starter_personas,
)
from simulator.persona.identity import (
    Identity,
    Row,
    alternative_email,
    alternative_username,
    dealt_files,
    draw_identity,
    draw_variable,
)
from simulator.persona.model import Limits, Persona, ToolRules, Traits, Viewport
from simulator.persona.population import draw_population, mix
from simulator.persona.schema import persona_schema
from simulator.persona.tasks import Task

__all__ = [
    "Beside",
    "Checked",
    "DealtBefore",
    "Identity",
    "Limits",
    "Persona",
    "Problem",
    "Row",
    "Task",
    "ToolRules",
    "Traits",
    "Viewport",
    "alternative_email",
    "alternative_username",
    "as_yaml",
    "check_persona",
    "dealt_files",
    "describe_persona",
    "describe_task",
    "draw_identity",
    "draw_population",
    "draw_variable",
    "load_persona",
    "load_personas",
    "mix",
    "persona_files",
    "persona_schema",
    "plain_personas",
    "select_personas",
    "starter_personas",
]
