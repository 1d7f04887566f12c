"""What things and columns are called: names that a file can hold, of what pages and addresses say.

Not responsible for: what a page says.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from simulator.runner.surveying.addresses import articles, is_minted, step_says_new, steps_of, unglued, without_new
from simulator.tools.pages.vocabulary import normal

_NAME = re.compile(r"[a-z][a-z0-9_]*")
_LONGEST = 30
_OF_PROGRAMS = frozenset(
    {"index", "app", "admin", "html", "php", "item", "form", "page", "view", "edit", "api", "home"}
)
"""Steps of addresses that name a part of a program, and no thing."""
_WORDS = 2
"""Words of a name at most: what says more is a sentence."""
_NO_PLURAL = ("ss", "us", "is", "os", "as")
_OF_DOMAINS = 3
"""Letters of the shortest name that stands for a thing."""


def name_of(text: str) -> str:
    """Give a text as a name of small letters, digits and ``_``; empty where it has no such letters or is long."""
    name = normal(text).replace(" ", "_").lstrip("0123456789_")
    return name if _NAME.fullmatch(name) and len(name) <= _LONGEST else ""


def one_of(name: str) -> str:
    """Give the word for one where that is safe: ``tickets`` becomes ``ticket``, ``news`` and ``status`` stay."""
    if len(name) <= _OF_DOMAINS or not name.endswith("s") or name.endswith(_NO_PLURAL) or name == "news":
        return name
    if name.endswith("ies") and len(name) > 4:
        return f"{name[:-3]}y"
    if name.endswith(("sses", "shes", "ches", "xes")):
        return name[:-2]
    return name[:-1]


def thing_name(address: str, common: Collection[str], *texts: str) -> str:
    """Give what is made at an address a name.

    Args:
        address: of its form: the last step that is a word and says more than that something is made.
        common: steps of addresses that name no thing.
        texts: what links and headings say, where the address says nothing; the first that says anything counts.
    """
    for step in reversed(steps_of(address)):
        stem = step.rpartition(".")[0] or step
        name = name_of(without_new(stem)) if step_says_new(stem) else name_of(stem)
        name = unglued(name, texts)
        if len(name) >= _OF_DOMAINS and not is_minted(step) and name not in _OF_PROGRAMS and step not in common:
            return one_of(name)
    for text in texts:
        words = [word for word in without_new(text).split() if word not in articles()]
        if len(words) <= _WORDS and (name := name_of(" ".join(words))):
            return one_of(name)
    return "thing"


def column_name(*texts: str) -> str:
    """Give the name of a column, so that a field that is called so is met by it; empty where no text makes one."""
    for text in texts:
        if text and (name := name_of(text)) and not re.search(r"\d{3,}", name):
            return name
    return ""


def free(name: str, taken: set[str]) -> str:
    """Give a name that is not taken, with a number where it is."""
    found, number = name, 2
    while found in taken:
        found, number = f"{name}_{number}", number + 1
    taken.add(found)
    return found
