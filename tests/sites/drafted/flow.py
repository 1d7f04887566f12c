"""What a model does on a drafted site: every act, on things that it finds by their titles."""

from __future__ import annotations

from collections.abc import Iterator

from tests.fakes.messages_api import Reply, call
from tests.sites.drafted.site import KINDS, Drafted

MADE = {
    "Title": "Lantern of the old pier",
    "Text": "Found behind the boathouse, and cleaned since.",
    "Amount": "48.5",
    "Due day": "2027-03-14",
}
SECOND = {**MADE, "Title": "Bench under the lime tree", "Text": "One plank has to be replaced soon.", "Amount": "1250"}
NOTE = "Asked the neighbours on Sunday."
CHANGED = {"Text": "Rust on the handle; the glass is whole.", "Amount": "51"}


def chosen(site: Drafted, kind: str) -> Reply:
    """Choose the kind of a thing."""
    if site.ways["inputs"] == "radios":
        return call("check", selector=f'role=radio[name="{KINDS[kind]}"]')
    return call("select", selector="Kind", value=KINDS[kind])


def script(site: Drafted, *, looks: bool = False) -> Iterator[Reply]:
    """Make two things, change one, pin it, remove the other, and look at the list in between.

    Args:
        site: the site.
        looks: whether to look at the list before anything is made, too.
    """
    asks = site.ways["removes"] == "asks" and not site.scripted
    parts = {
        "edit": "a[href*=edit]",
        "more": "summary",
        "pin": "button[data-act=pin]" if site.scripted else "form[action*=pin] button",
        "remove": (
            "a[href*=remove]" if asks else "button[data-act=remove]" if site.scripted else "form[action*=remove] button"
        ),
    }

    def within(title: str, part: str) -> Reply:
        place = 1 + [one["title"] for one in site.listed(site.page_of(title))].index(title)
        card = {"table": "tbody tr", "cards": "section > div", "rows": "main li"}[site.ways["list"]]
        return call("click", selector=f"{card}:nth-of-type({place}) {parts[part]}")

    def look_for(title: str) -> Iterator[Reply]:
        yield call("navigate", url="/things")
        yield from (call("click", selector='role=link[name="Next"]') for _ in range(site.page_of(title) - 1))

    def on_thing(title: str, *steps: str) -> Iterator[Reply]:
        yield from look_for(title)
        if site.ways["at"] == "list":
            yield from (within(title, step) for step in steps)
        else:
            yield call("click", selector=f'role=link[name="{title}"]')
            yield from (call("click", selector=f"main {parts[step]}") for step in steps)

    if looks:
        yield call("navigate", url="/things")
    for values, kind in ((MADE, "r"), (SECOND, "w")):
        if site.ways["makes"] == "dialog":
            yield call("navigate", url="/things")
            yield call("click", selector="h1 + details summary")
        else:
            yield call("navigate", url="/things/new")
        for label, text in values.items():
            yield call("fill", selector=label, value=text)
            if label == "Text" and site.ways["makes"] == "steps":
                yield call("click", selector='role=button[name="Next step"]')
        yield chosen(site, kind)
        if values is MADE:
            yield call("check", selector="Open")
        yield call("click", selector='role=button[name="Save"]')
        yield call("navigate", url="/things")
    yield from on_thing(MADE["Title"], *(["edit"] if site.ways["edits"] != "inline" else []))
    for label, text in CHANGED.items():
        if site.ways["edits"] == "inline":
            yield call("click", selector=f'role=button[name="Change {label}"]')
        yield call("fill", selector=label, value=text)
        if site.ways["edits"] == "inline":
            yield call("press_key", key="Enter", selector=label)
        elif label == "Text" and site.ways["makes"] == "steps":
            yield call("click", selector='role=button[name="Next step"]')
    if site.ways["edits"] == "form":
        yield call("click", selector='role=button[name="Save"]')
    if site.ways["notes"] == "notes":
        yield from on_thing(MADE["Title"])
        yield call("fill", selector="Note", value=NOTE)
        yield call("click", selector='role=button[name="Add note"]')
    yield from look_for(MADE["Title"])
    yield within(MADE["Title"], "pin")
    yield call("navigate", url="/about")
    if site.ways["removes"] == "many":
        yield from look_for(SECOND["Title"])
        yield call("check", selector=f"Choose {SECOND['Title']}")
        yield call("click", selector='role=button[name="Remove chosen"]')
    else:
        yield from on_thing(SECOND["Title"], *(["more"] if site.ways["removes"] == "menu" else []), "remove")
    if asks:
        yield call("click", selector='role=button[name="Yes, remove"]')
    yield call("navigate", url="/about")
    yield call("navigate", url="/things")
    if site.ways["gone"] == "bin":
        yield call("navigate", url="/bin")
