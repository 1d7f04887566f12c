"""The JSON Schema of persona files, for editors.

Responsible for showing the short forms that a task takes in YAML; everything else is the model's own schema.
"""

from typing import Any

from simulator.persona.model import Persona
from simulator.persona.tasks import Do, task_types
from simulator.persona.thing_tasks import ThingTask


def persona_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a persona file."""
    schema = Persona.model_json_schema()
    definitions = schema["$defs"]
    known = schema["properties"]["tasks"]["items"]["tasks"]
    tasks: list[dict[str, Any]] = []
    plain: list[str] = []
    for task_type, kind in task_types().items():
        full = known[task_type]
        parameters = {name: field for name, field in full["properties"].items() if name != "task_type"}
        description = full["description"]
        if kind is Do:
            tasks.append(_single(task_type, parameters["text"], description))
            continue
        if issubclass(kind, ThingTask):
            form = {"type": "object", "properties": parameters, "required": ["thing"], "additionalProperties": False}
            names = dict.fromkeys((task_type, kind.short()))
            tasks += [_single(name, {"anyOf": [parameters["thing"], form]}, description) for name in names]
            continue
        plain.append(task_type)
        if parameters:
            form = {"type": ["object", "null"], "properties": parameters, "additionalProperties": False}
            tasks.append(_single(task_type, form, description))
    names = {"enum": plain, "description": "A task with nothing to add."}
    definitions["Task"] = {"anyOf": [names, *tasks]}
    schema["properties"]["tasks"]["items"] = {"$ref": "#/$defs/Task"}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def _single(task_type: str, form: dict[str, Any], description: str) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {task_type: form},
        "required": [task_type],
        "additionalProperties": False,
        "description": description,
    }
