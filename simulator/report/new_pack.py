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


_FOLDER = """\
name = "{name}"
version = "0.1"
api = {api}
about = "What users do on {name}."

# What users make there, from which data. sim.toml says under [site.NAME.things.tool] where a site has it otherwise.
[things.tool]
create = "Lend a tool" # the words of a link, or an address such as /tools/new
list = "All tools"
data = "tools"
fields = ["title", "description"]

# Each user is dealt this many rows of data/tools.csv, by the seed: {{{{tool.1.title}}}} in a persona or a recording.
[data.tools]
count = 2
fields = {{ weight = "number" }}
"""
_ROWS = """\
title,description,weight
Garden fork,"Four tines, and a handle of ash.",2.1
Wheelbarrow,Holds 80 litres.,14
Secateurs,Sharpened in spring.,0.3
"""
_WORDS = """\
# What links and buttons say, by what they mean. Each meaning may be a route of a site, too.
borrow = ["borrow", "ask for it"]
"""
_GUEST = """\
persona: lender
about: Lends tools to neighbours.
locale: en_GB
tasks:
  - register
  - do: "Offer your {{{{tool.1.title}}}}."
"""


def new_folder(name: str) -> dict[str, str]:
    """Give the files of a new pack without Python by their path, each with its text.

    Args:
        name: of the pack, in small letters, digits and ``_``.
    """
    return {
        "pack.toml": _FOLDER.format(name=name, api=API_LEVEL),
        "data/tools.csv": _ROWS,
        "words.toml": _WORDS,
        "personas/lender.yaml": _GUEST.format(),
    }


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
