"""What a pack is: the knowledge of one domain, such as of bookshops, that the rest of the program asks for by type.

Responsible for the types that a pack fills in and for loading those that ``sim.toml`` names. Not responsible for: any
domain.
"""

from simulator.domain.loading import (
    GROUP,
    Broken,
    Found,
    find_packs,
    packs_in_use,
    packs_loaded,
    thing_of,
)
from simulator.domain.pack import API_LEVEL, DataSet, Pack, Thing
from simulator.domain.pictures import Pictures, PictureSource
from simulator.domain.tasks import Count, TaskBase, Tastes, Text

__all__ = [
    "API_LEVEL",
    "GROUP",
    "Broken",
    "Count",
    "DataSet",
    "Found",
    "Pack",
    "PictureSource",
    "Pictures",
    "TaskBase",
    "Tastes",
    "Text",
    "Thing",
    "find_packs",
    "packs_in_use",
    "packs_loaded",
    "thing_of",
]
