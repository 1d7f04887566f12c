"""Personas and people in words, for a terminal.

Responsible for short texts about a persona; tables and colours are the reader's.
"""

from simulator.persona.model import Persona
from simulator.persona.tasks import Do, Task


def describe_task(task: Task) -> str:
    """Return a task as one line, such as ``list_books (count 3, query classic crime)``."""
    if isinstance(task, Do):
        return f"do: {task.text}"
    given = task.model_dump(exclude={"task_type"}, exclude_none=True)
    parameters = ", ".join(f"{name} {value}" for name, value in given.items())
    return f"{task.task_type} ({parameters})" if parameters else task.task_type


def describe_persona(persona: Persona) -> str:
    """Return a persona as a few lines of text."""
    traits = ", ".join(f"{name} {value}" for name, value in persona.traits.model_dump().items())
    tastes = persona.tastes.in_words()
    numbers = ", ".join(f"{name} {said}" for name, said in persona.numbers.items())
    lines = [
        f"{persona.persona}: {persona.about}",
        f"  locale  {persona.locale}, {persona.zone}",
        f"  weight  {persona.weight:g}",
        f"  traits  {traits}",
        *([f"  tastes  {tastes}"] if tastes else []),
        *([f"  numbers {numbers}"] if numbers else []),
        "  tasks",
        *(f"    {number}. {describe_task(task)}" for number, task in enumerate(persona.tasks, start=1)),
    ]
    return "\n".join(lines)
