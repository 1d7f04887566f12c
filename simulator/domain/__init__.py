"""What a pack is: the knowledge of one domain, such as of bookshops, that the rest of the program asks for by type.

Responsible for the types that a pack fills in and for loading those that ``sim.toml`` names. Not responsible for: any
domain.
"""

from simulator.domain.loading import (
    GROUP,
    Broken,
    Found,
    broken_of,
    data_sets,
    find_packs,
    offered,
    packs_in_use,
    packs_loaded,
    packs_of,
    thing_of,
    things,
)
from simulator.domain.naming import Named, name_packs, nearest_file
from simulator.domain.pack import API_LEVEL, DataSet, Pack
from simulator.domain.pictures import Pictures, PictureSource
from simulator.domain.tasks import Count, TaskBase, Tastes, Text
from simulator.domain.things import Edit, Message, Reaction, SiteThing, Thing
from simulator.row_fields import RowFields

__all__ = [
    "API_LEVEL",
    "GROUP",
    "Broken",
    "Count",
    "DataSet",
    "Edit",
    "Found",
    "Message",
    "Named",
    "Pack",
    "PictureSource",
    "Pictures",
    "Reaction",
    "RowFields",
    "SiteThing",
    "TaskBase",
    "Tastes",
    "Text",
    "Thing",
    "broken_of",
    "data_sets",
    "find_packs",
    "name_packs",
    "nearest_file",
    "offered",
    "packs_in_use",
    "packs_loaded",
    "packs_of",
    "thing_of",
    "things",
]
