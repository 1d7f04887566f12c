"""The files that a new pack begins with. Not responsible for: writing them."""

from __future__ import annotations

from simulator.domain import API_LEVEL, GROUP

_PROJECT = """\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "{dashed}-pack"
version = "0.1"
dependencies = ["{distribution}"]

[project.entry-points."{group}"]
{name} = "{name}_pack:PACK"

[tool.hatch.build.targets.wheel]
only-include = ["{name}_pack.py"]
"""
_MODULE = '''\
"""A pack for {name}: what users do there, and how."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from simulator.agent.acting import Acting
from simulator.domain import Count, Pack, TaskBase


class LookAround(TaskBase):
    """Look at the site's first page."""

    needs_login: ClassVar[bool] = False
    task_type: str = "look_around"
    count: Count = Field(default=1, description="How often.")


async def look_around(acting: Acting, task: LookAround) -> str:
    """Do it."""

    async def once(turn: int) -> None:
        await acting.client.visit("/")

    return await acting.each(task, task.count, range(task.count), once)


PACK = Pack(
    name="{name}",
    version="0.1",
    api={api},
    about="What users do on {name}.",
    tasks=(LookAround,),
    performers=lambda: {{LookAround: look_around}},
)
'''
_PERSONA = """\
persona: visitor
about: Looks around.
locale: en_GB
tasks:
  - look_around: {{count: 2}}
"""


def new_pack(name: str, distribution: str) -> dict[str, str]:
    """Give the files of a new pack by their path, each with its text.

    Args:
        name: of the pack, in small letters, digits and ``_``.
        distribution: the package that this program is installed as.
    """
    given = {
        "name": name,
        "dashed": name.replace("_", "-"),
        "distribution": distribution,
        "group": GROUP,
        "api": API_LEVEL,
    }
    return {
        "pyproject.toml": _PROJECT.format(**given),
        f"{name}_pack.py": _MODULE.format(**given),
        "personas/visitor.yaml": _PERSONA.format(**given),
    }
