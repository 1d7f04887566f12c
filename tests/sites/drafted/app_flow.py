"""What a model does in a drafted application: every act, on things that it finds by their titles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tests.fakes.messages_api import Reply, call
from tests.sites.drafted.app import App
from tests.sites.drafted.flow import CHANGED, MADE, NOTE, SECOND
from tests.sites.drafted.site import KINDS

ROWS = {"table": "tbody tr", "cards": "section > div", "rows": "ul.things > li"}


def button(name: str) -> Reply:
    """Press a button."""
    return call("click", selector=f'role=button[name="{name}"]')


class Flow:
    """The calls of a model.

    Args:
        site: the application.
    """

    def __init__(self, site: App) -> None:
        self.site = site
        self.ways = site.ways

    def at(self, view: str) -> Iterator[Reply]:
        """Open a view by its address, or from the first one."""
        if self.ways["route"] == "none":
            yield call("navigate", url="/")
            if view != "things":
                yield call("click", selector=f'role=link[name="{view.title()}"]')
        else:
            yield call("navigate", url=f"/#/{view}" if self.ways["route"] == "hash" else f"/{view}")
            if self.ways["route"] == "hash":
                yield call("refresh")

    def mine(self, title: str) -> list[str]:
        """Give the ids of what the user has made with a title, in the order of the list."""
        return [
            one["id"] for one in self.site.data() if one["title"] == title and "of somebody else" not in one["text"]
        ]

    def row(self, title: str) -> str:
        """Give the selector of a thing's row as the list stands."""
        shown = [one for one in self.site.data() if self.ways["pages"] != "filter" or title in one["title"]]
        place = 1 + [one["id"] for one in shown].index(self.mine(title)[0])
        return f"{ROWS[self.ways['list']]}:nth-of-type({place})"

    def listed(self, title: str) -> Iterator[Reply]:
        """Have the list show a thing."""
        yield from self.at("things")
        if self.ways["pages"] == "filter":
            yield call("fill", selector="Filter", value=title)
        if self.ways["pages"] == "more":
            place = [one["id"] for one in self.site.data()].index(self.mine(title)[0])
            yield from (button("Load more") for _ in range(place // 3))

    def inside(self, title: str) -> Iterator[Reply]:
        """Open a thing from the list."""
        yield from self.listed(title)
        if self.ways["view"] != "list":
            yield call("click", selector=f"{self.row(title)} {'a' if self.ways['view'] == 'page' else 'button.opens'}")

    def filled(self, values: Mapping[str, str], kind: str = "", *, open_: bool = False) -> Iterator[Reply]:
        """Fill a form."""
        custom = self.ways["fields"] == "custom"
        further = self.ways["tabs"] == "tabs"
        roles = {"Amount": "spinbutton", "Title": "textbox", "Text": "textbox"}
        for label, text in values.items():
            if further and label not in ("Title", "Text"):
                further = False
                yield call("click", selector='role=tab[name="Details"]')
            own = f'role={roles[label]}[name="{label}"]' if label in roles else label
            yield call("fill", selector=own, value=text)
        if kind and custom:
            yield button("Kind: Choose")
            yield call("click", selector=f'role=option[name="{KINDS[kind]}"]')
        elif kind:
            yield call("select", selector="Kind", value=KINDS[kind])
        if open_:
            yield call("click", selector='role=switch[name="Open"]') if custom else call("check", selector="Open")

    def made(self, values: Mapping[str, str], kind: str) -> Iterator[Reply]:
        """Make a thing."""
        yield from self.at("things")
        if self.ways["makes"] != "beside":
            yield button("New thing")
        yield from self.filled(values, kind, open_=values is MADE)
        yield button("Save")

    def changed(self) -> Iterator[Reply]:
        """Change the first thing."""
        title = MADE["Title"]
        yield from self.listed(title)
        yield call("click", selector=f"{self.row(title)} button.edit")
        beside = self.ways["makes"] == "beside" and self.ways["edits"] in ("row", "modal")
        if not beside:
            yield from self.filled(CHANGED)
            if self.ways["edits"] == "blur":
                yield call("press_key", key="Tab", selector="Amount")
            else:
                yield button("Save")
            return
        # The form that makes another one stands beside: the model names the part of the page.
        host = "thing-form " if self.ways["fields"] == "shadow" else ""
        where = {"row": f"{self.row(title)}", "modal": "[aria-modal=true]"}[self.ways["edits"]]
        for label, text in CHANGED.items():
            if self.ways["tabs"] == "tabs" and label == "Amount":
                yield call("click", selector=f"{where} {host}[role=tab]:nth-of-type(2)")
            custom = self.ways["fields"] == "custom" and label == "Text"
            part = "[role=textbox]" if custom else f"[name={label.lower()}]"
            yield call("fill", selector=f"{where} {host}{part}", value=text)
        yield call("click", selector=f"{where} {host}form > button:not([type])")

    def calls(self) -> Iterator[Reply]:
        """Do everything."""
        for values, kind in ((MADE, "r"), (SECOND, "w")):
            yield from self.made(values, kind)
            yield from self.at("things")
        yield from self.changed()
        if self.ways["notes"] != "no":
            yield from self.inside(MADE["Title"])
            if self.ways["tabs"] == "tabs":
                yield call("click", selector='role=tab[name="Notes"]')
            yield call("fill", selector="textarea[name=note]", value=NOTE)
            yield call("click", selector="button.adds")
        yield from self.listed(MADE["Title"])
        yield call("click", selector=f"{self.row(MADE['Title'])} button.pin")
        if self.ways["moves"] == "moves":
            yield from self.listed(SECOND["Title"])
            place = [one["id"] for one in self.site.data()].index(self.mine(SECOND["Title"])[0])
            yield call("click", selector=f"{self.row(SECOND['Title'])} button.{'up' if place else 'down'}")
        yield from self.at("about")
        yield from self.removed(SECOND["Title"])
        yield from self.at("about")
        yield from self.listed(MADE["Title"])
        yield from self.inside(MADE["Title"])

    def removed(self, title: str) -> Iterator[Reply]:
        """Remove a thing."""
        yield from self.listed(title)
        way, row = self.ways["removes"], self.row(title)
        if way == "many":
            yield call("check", selector=f"{row} input[type=checkbox]")
            yield button("Remove chosen")
            return
        if way == "menu":
            yield call("click", selector=f"{row} button.more")
        yield call("click", selector=f"{row} button.remove")
        if way == "twice":
            yield call("click", selector=f"{row} button.remove")
        if way == "modal":
            yield button("Yes, remove")
        if way == "undo":
            yield call("wait", seconds=1.3)


def calls(site: App) -> Iterator[Reply]:
    """Give what a model does there."""
    return Flow(site).calls()
