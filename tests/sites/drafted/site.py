"""Sites drawn from a seed: things that are listed, shown, made, changed, pinned and removed, each in one of many ways.

Who draws the pages, how a thing is called in an address, how it is sent, where the answer leads, which of its fields a
page shows and how they are written: all of it is chosen by seed, one by one. A site does as it says, or lies
(:class:`Lie`). Not responsible for: what a run says of it.
"""

from __future__ import annotations

import copy
import random
import re
import uuid
from dataclasses import dataclass, field
from datetime import date
from typing import Any, NamedTuple
from urllib.parse import quote

FIELDS = ("title", "text", "kind", "amount", "due", "open")
PAGE = 3
"""Things on a page of a list that has pages."""
KINDS = {"r": "Repair", "w": "Wish", "q": "Question"}
WAYS: dict[str, tuple[str, ...]] = {
    "drawn": ("server", "server", "parts", "script", "views"),
    "called": ("number", "long", "uuid", "slug"),
    "at": ("path", "query", "list"),
    "sent": ("form", "multipart", "json", "put", "patch", "graphql"),
    "leads": ("thing", "list", "form", "home"),
    "list": ("table", "cards", "rows"),
    "page": ("dl", "table", "prose"),
    "order": ("new", "old", "title"),
    "removes": ("button", "asks", "menu", "script", "many"),
    "pins": ("pressed", "words", "class"),
    "flash": ("no", "plain", "values"),
    "says": ("status", "note"),
    "paged": ("no", "no", "threes"),
    "store": ("no", "no", "list", "draft"),
    "late": ("no", "no", "answers"),
    "money": ("plain", "euro", "cents"),
    "days": ("iso", "words", "slashes"),
    "gone": ("gone", "gone", "marked", "bin"),
    "guard": ("no", "token", "version"),
    "inputs": ("plain", "radios", "switch"),
    "labels": ("wrap", "for", "aria", "placeholder"),
    "counts": ("no", "counts"),
    "echo": ("no", "no", "echo"),
    "makes": ("page", "page", "steps", "dialog"),
    "edits": ("form", "form", "auto", "inline"),
    "notes": ("no", "notes"),
}
"""What a site may be like, and how."""


class Lie(NamedTuple):
    """What a site does otherwise than it says."""

    on: str
    """``make``, ``change``, ``pin``, ``note`` or ``remove``."""
    how: str
    """``drop`` a field, ``alter`` it, ``swallow`` the whole, or do it to an ``other`` thing."""
    field: str = ""
    nth: int = 0
    """Which write of the act is lied about, from 1; 0 for each of them."""


@dataclass
class Drafted:
    """A site."""

    seed: int
    ways: dict[str, str] = field(init=False)
    lists: tuple[str, ...] = field(init=False)
    """Fields that the list shows, beside the title."""
    shows: tuple[str, ...] = field(init=False)
    """Fields that the page of a thing shows, beside the title."""
    things: dict[str, dict[str, Any]] = field(init=False)
    lie: Lie | None = None
    url: str = ""
    taken: dict[str, int] = field(default_factory=dict)
    """How many writes of each act it was asked for."""
    _next: int = field(init=False)

    def __post_init__(self) -> None:
        drawn = random.Random(f"site {self.seed}")
        self.ways = {name: drawn.choice(ways) for name, ways in WAYS.items()}
        if self.ways["at"] == "list":
            self.ways |= {"leads": drawn.choice(("list", "home")), "notes": "no"}
            self.ways["edits"] = self.ways["edits"].replace("inline", "auto")
        if self.ways["edits"] != "form" and self.ways["guard"] == "version":
            self.ways["guard"] = "token"
        rest = [one for one in FIELDS if one != "title"]
        self.shows = tuple(one for one in rest if drawn.random() < 0.8)
        self.lists = tuple(one for one in rest if drawn.random() < 0.4)
        if self.ways["edits"] == "inline":
            self.shows = tuple(one for one in rest if one in (*self.shows, "text", "amount"))
        self.again()

    @property
    def scripted(self) -> bool:
        """Whether a script draws the pages."""
        return self.ways["drawn"] in ("script", "views")

    def again(self, more: int = 0) -> None:
        """Begin with nothing but what others had made: three things, and so many more."""
        drawn = random.Random(f"things {self.seed}")
        self._next = drawn.randrange(4, 9) if self.ways["called"] == "number" else drawn.randrange(41000, 90000)
        self.things, self.taken = {}, {}
        self.lie = None
        for title in ("Oak shelf", "Blue kettle", "Torn map of the town", *(f"Brick no {n}" for n in range(more))):
            self.make(
                {"title": title, "text": f"{title}, left by somebody.", "kind": "w", "amount": "7", "due": "2027-01-09"}
            )

    def make(self, fields: dict[str, str]) -> str:
        """Make a thing; gives what it is called."""
        self._next += 1
        slug = re.sub(r"\W+", "-", fields["title"].lower())
        slug += f"-{self._next}" if slug in self.things else ""
        called = {
            "number": str(self._next), "long": str(self._next), "slug": slug,
            "uuid": str(uuid.UUID(int=random.Random(self._next).getrandbits(128), version=4)),
        }[self.ways["called"]]  # fmt: skip
        kept = {one: fields.get(one, "") for one in FIELDS}
        state: dict[str, Any] = {"pinned": False, "removed": False, "version": 1, "seen": 0, "notes": []}
        self.things[called] = {**kept, "open": bool(fields.get("open")), **state}
        return called

    def honest(self) -> Drafted:
        """Give a copy that does what it is asked: what a site that echoes lets people see."""
        other = copy.copy(self)
        other.things, other.taken, other.lie = copy.deepcopy(self.things), {}, None
        return other

    def take(self, act: str, called: str, fields: dict[str, str]) -> str:
        """Do what is asked, or what the lie says; gives what the thing is called.

        Of several things, apart by a comma, each is done it.
        """
        if "," in called:
            done = [self.take(act, one, fields) for one in called.split(",")]
            return done[0]
        self.taken[act] = self.taken.get(act, 0) + 1
        lie = self.lie if self.lie and self.lie.on == act and self.lie.nth in (0, self.taken[act]) else None
        if lie and lie.how == "swallow":
            return called or "none-such"
        if lie and lie.how == "other":
            called = next((one for one in self.things if one != called), called)
        if lie and lie.field and lie.field in (*fields, *(["open"] if act == "make" else [])):
            before = self.things.get(called, {}).get(lie.field, "")
            fields = {**fields, lie.field: before if lie.how == "drop" else _altered(lie.field, fields)}
        if act == "make":
            return self.make(fields)
        if called not in self.things:
            return called
        thing = self.things[called]
        if act == "change":
            partial = self.ways["edits"] == "inline" or (self.ways["sent"] == "patch" and self.scripted)
            thing |= {one: fields.get(one, thing[one] if partial else "") for one in FIELDS}
            thing |= {"open": bool(thing["open"]), "version": thing["version"] + 1}
        elif act == "note":
            thing["notes"].append(fields["note"])
        elif act == "pin":
            thing["pinned"] = not thing["pinned"]
        elif act == "remove" and self.ways["gone"] == "gone":
            del self.things[called]
        elif act == "remove":
            thing["removed"] = True
        return called

    def kept(self) -> list[dict[str, Any]]:
        """Give what the site keeps, without what it calls things and counts."""
        own = [{name: one[name] for name in one if name not in ("seen", "version")} for one in self.things.values()]
        return sorted(own, key=lambda one: str(one["title"]))

    def address(self, called: str, step: str = "") -> str:
        """Give the address of a thing, or of what is done to it."""
        if self.ways["at"] == "query":
            return f"/{step or 'thing'}?id={quote(called)}"
        return f"/things/{quote(called)}{'/' + step if step else ''}"

    def written(self, name: str, value: Any) -> str:
        """Give a value as the pages write it."""
        if name == "kind":
            return KINDS.get(value, "")
        if name == "open":
            return "Yes" if value else "No"
        if name == "amount" and value:
            number = float(value)
            german = f"{number:,.2f}".translate(str.maketrans(",.", ".,"))
            return {"plain": f"{number:g}", "euro": f"{german} €", "cents": f"€ {number:,.2f}"}[self.ways["money"]]
        if name == "due" and value:
            day = date.fromisoformat(value)
            words = f"{day.day} {day:%B} {day.year}"
            return {"iso": value, "words": words, "slashes": f"{day:%d/%m/%Y}"}[self.ways["days"]]
        return str(value)

    def page_of(self, title: str) -> int:
        """Give the page of the list that shows a thing, from 1."""
        place = [one["title"] for one in self.data()].index(title)
        return 1 + place // PAGE if self.ways["paged"] == "threes" else 1

    def listed(self, page: int) -> list[dict[str, Any]]:
        """Give the things on a page of the list, in order."""
        return self.data()[(page - 1) * PAGE : page * PAGE] if self.ways["paged"] == "threes" else self.data()

    def data(self, *, binned: bool = False) -> list[dict[str, Any]]:
        """Give what a script hears of all things, or of those in the bin."""
        order = {"new": lambda one: -one[0], "old": lambda one: one[0], "title": lambda one: one[1][1]["title"]}
        things = sorted(enumerate(self.things.items()), key=order[self.ways["order"]])  # type: ignore[arg-type]
        bins = self.ways["gone"] == "bin"
        return [
            {
                "id": called,
                **thing,
                "written": {name: self.written(name, thing[name]) for name in FIELDS},
                "at": "" if self.ways["at"] == "list" else self.address(called),
            }
            for _, (called, thing) in things
            if (bins and thing["removed"]) == binned
        ]


def _altered(name: str, fields: dict[str, str]) -> str:
    other = {"kind": "q" if fields.get("kind") != "q" else "r", "amount": "113", "due": "2028-11-30"}
    if name == "open":
        return "" if fields.get("open") else "on"
    return other.get(name, f"Wholly other {name}s were kept")
