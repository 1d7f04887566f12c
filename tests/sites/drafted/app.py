"""Sites drawn from a seed that are one application: a script draws every view, and asks the site for its things.

Dialogs, rows that are edited in place, lists that come by parts, toasts, own controls, things of one title: each is
chosen by itself. What is kept, and how a site lies, is as on the other drafted sites. Not responsible for: serving it.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from tests.sites.drafted.flow import MADE, SECOND
from tests.sites.drafted.site import FIELDS, Drafted, Lie

WAYS: dict[str, tuple[str, ...]] = {
    "route": ("path", "hash", "none"),
    "called": ("number", "long", "uuid", "slug"),
    "sent": ("json", "put", "patch", "form", "graphql", "rpc"),
    "updates": ("fetch", "answer", "optimistic"),
    "makes": ("page", "modal", "beside", "row"),
    "edits": ("form", "modal", "row", "blur"),
    "fields": ("native", "native", "custom", "shadow"),
    "labels": ("wrap", "aria", "placeholder"),
    "tabs": ("no", "no", "tabs"),
    "dialog": ("native", "div"),
    "list": ("table", "cards", "rows"),
    "order": ("new", "old", "title", "touched", "pinned"),
    "pages": ("all", "more", "filter"),
    "view": ("page", "accordion", "list"),
    "page": ("dl", "prose"),
    "pins": ("pressed", "words", "class", "count"),
    "moves": ("no", "moves"),
    "removes": ("asks", "modal", "undo", "menu", "many", "twice"),
    "gone": ("gone", "gone", "marked"),
    "notes": ("no", "notes", "same"),
    "toast": ("no", "plain", "values"),
    "store": ("no", "no", "list"),
    "echo": ("no", "echo"),
    "late": ("no", "no", "answers"),
    "polls": ("no", "no", "polls"),
    "twins": ("no", "no", "twins"),
    "money": ("plain", "euro", "cents"),
    "days": ("iso", "words", "slashes"),
}
"""What an application may be like, and how."""


@dataclass
class App(Drafted):
    """An application."""

    def __post_init__(self) -> None:
        drawn = random.Random(f"app {self.seed}")
        self.ways = {"at": "path", **{name: drawn.choice(ways) for name, ways in WAYS.items()}}
        if self.ways["view"] == "list":
            self.ways["notes"] = "no"
        if self.ways["order"] in ("touched", "pinned"):
            self.ways["moves"] = "no"
        if self.ways["sent"] in ("graphql", "rpc"):
            self.ways["polls"] = "no"  # what asks by POST again and again is told from a write by nobody
        rest = [one for one in FIELDS if one != "title"]
        self.shows = tuple(one for one in rest if drawn.random() < 0.8)
        self.lists = tuple(one for one in rest if drawn.random() < 0.4)
        if self.ways["twins"] == "twins":
            self.lists = tuple(one for one in rest if one in (*self.lists, "text"))
        self.again()

    @property
    def scripted(self) -> bool:
        """Say that a script draws the pages."""
        return True

    def again(self, more: int = 0) -> None:
        """Begin with nothing but what others had made; where a site has twins, two things are called as ours."""
        super().again(more)
        if self.ways["twins"] == "twins":
            for one in (MADE, SECOND):
                text = f"Another {one['Title'].split()[0].lower()}, of somebody else."
                self.make({"title": one["Title"], "text": text, "kind": "q", "amount": "3", "due": "2027-02-02"})
        self.taken = {}

    def make(self, fields: dict[str, str]) -> str:
        """Make a thing; gives what it is called, which is nobody else's."""
        title = fields.get("title", "")
        alike = self.ways["called"] == "slug" and any(one["title"] == title for one in self.things.values())
        called = super().make({**fields, "title": f"{title} 2"} if alike else fields)
        self.things[called] |= {"title": title, "number": self._next, "touched": self._next, "likes": 0, "place": 0.0}
        return called

    def take(self, act: str, called: str, fields: dict[str, str]) -> str:
        """Do what is asked, or what the lie says; gives what the thing is called."""
        if "," not in called and act in ("move", "pin", "change", "note"):
            self._next += 1
            if called in self.things:
                self.things[called]["touched"] = self._next
        if act == "move":
            return self._moved(called, int(fields["by"]))
        done = super().take(act, called, fields)
        if act == "pin" and done in self.things:
            self.things[done]["likes"] = int(self.things[done]["pinned"])
        return done

    def _moved(self, called: str, by: int) -> str:
        self.taken["move"] = self.taken.get("move", 0) + 1
        if self.lie and self.lie.on == "move" and self.lie.how == "swallow":
            return called
        order = [one["id"] for one in self.data()]
        if self.lie and self.lie.on == "move":
            called = next(one for one in order if one != called)
        place = order.index(called)
        order.insert(max(0, place + by), order.pop(place))
        for number, one in enumerate(order):
            self.things[one]["place"] = float(number + 1)
        return called

    def data(self, *, binned: bool = False) -> list[dict[str, Any]]:
        """Give what a script hears of all things, in order."""
        order = {
            "new": lambda one: -one["number"],
            "old": lambda one: one["number"],
            "title": lambda one: (one["title"], one["number"]),
            "touched": lambda one: -one["touched"],
            "pinned": lambda one: (not one["pinned"], one["number"]),
        }[self.ways["order"]]
        things = sorted(({"id": called, **one} for called, one in self.things.items()), key=order)  # type: ignore[arg-type]
        return sorted(things, key=lambda one: one["place"])

    def kept(self) -> list[dict[str, Any]]:
        """Give what the site keeps, without what it calls things and counts."""
        apart = ("seen", "version", "number", "touched", "place", "likes", "id")
        own = [{name: one[name] for name in one if name not in apart} for one in self.data()]
        if self.ways["moves"] == "moves":
            others = [one for one in own if not one["title"].startswith("Brick")]
            for place, one in enumerate(others):
                one["place"] = place
        return sorted(own, key=lambda one: (str(one["title"]), str(one["text"])))


LIES = [
    *(Lie("make", how, name, nth) for how in ("drop", "alter") for name in FIELDS[:-1] for nth in (1, 2)),
    *(Lie("make", how, "open", 1) for how in ("drop", "alter")),
    *(Lie("change", how, name) for how in ("drop", "alter") for name in ("text", "amount")),
    *(Lie("make", "swallow", nth=nth) for nth in (1, 2)),
    *(Lie(on, how) for on in ("change", "pin", "remove") for how in ("swallow", "other")),
]
"""What an application may lie about."""
