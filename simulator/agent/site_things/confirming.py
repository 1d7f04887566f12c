"""Finds what confirms that a thing is to be deleted, where the site asks before it does so.

Not responsible for: pressing it, or seeing that the thing has gone.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from simulator.agent.reading import Button, Control, Page
from simulator.agent.tool_client import ToolClient
from simulator.agent.words import Word, fit, holds
from simulator.canonical import is_generated, url_shape
from simulator.tools.pages.vocabulary import normal, says_purpose

_QUOTES = "\"'`\u2018\u2019\u201c\u201d\u201e\u00ab\u00bb\u2039\u203a\u300c\u300d"
_QUOTED = re.compile(rf"[{_QUOTES}]([^{_QUOTES}]{{1,120}})[{_QUOTES}]")
"""A word that a page says to type, before it deletes anything."""
_SHORT = 3
"""Letters up to which a step of an address says nothing of the kind of its thing: `/x/7`."""
_TABS = 12
"""Pages beneath that on which a thing is edited, at most: they are looked at for what deletes it."""
LOOKS = 6
"""How often a page is looked at for what a script may yet draw, with a pause between: a busy machine takes its time."""


async def asks_about(client: ToolClient, title: str, pressed: Control, page: Page, before: Collection[str]) -> bool:
    """Return whether the site asks about a thing whose deletion was pressed, and has not done it already.

    What follows at once may be the page of another thing, or the list, with a button to delete that one. So a page
    counts to which the link led by its own address, or that says what the thing is called, elsewhere than in a note
    that it is gone; and in the same document what has come since.

    Args:
        client: the run's tools.
        title: what the thing is called.
        pressed: what says delete.
        page: the page that followed.
        before: references of the buttons that were there before.
    """
    if any(one.ref in before for one in await client.buttons()):
        return not page.notes
    if pressed.href and _path(client, pressed.href) == _path(client, page.url):
        return True
    noted = any(holds(client.view.shown(note), title) for note in page.notes)
    return not noted and holds(await client.text(), title)


def of_the_page(client: ToolClient, page: Page, found: Sequence[Control], *, alone: bool = False) -> Sequence[Control]:
    """Of several that say one word, give the links to an address with the ids of the page's own: they mean its thing.

    Beside them stands what removes a part of a form, such as a line of it. All are given where no link is one.

    Args:
        client: the run's tools.
        page: the page that is open.
        found: what says the word.
        alone: whether nothing is given where no link is one.
    """
    ids = set(filter(_is_id, _path(client, page.url).split("/")))
    own = [one for one in found if ids and one.href and ids <= set(_path(client, one.href).split("/"))]
    return own if own or alone else found


def _is_id(step: str) -> bool:
    return step.isdigit() or is_generated(step)


async def confirmed(client: ToolClient, page: Page, words: Sequence[Word], before: Collection[str]) -> Control | None:
    """Find what confirms, as :func:`confirming` does, once the word is typed that the page asks for where it does.

    Such as: 'To proceed, type "delete" in the field below'. Only where nothing confirms without, and where one field
    asks so: what is typed anywhere else may mean something.
    """
    sure = await confirming(client, page, words, before)
    if sure is not None:
        return sure
    asked = [
        (field, quoted[0])
        for form in await client.forms()
        for field in form.fields
        if field.type in ("", "text") and len(quoted := _QUOTED.findall(field.shown)) == 1
    ]
    if len(asked) != 1:
        return None
    field, word = asked[0]
    filled = await client.do("fill", selector=f"ref={field.ref}", value=word)
    return await confirming(client, page, words, before) if filled.error is None else None


async def beneath(client: ToolClient, page: Page, words: Sequence[Word], title: str) -> tuple[Page, list[Control]]:
    """Find what says a word on a page beneath that on which a thing is edited, such as a tab of its settings.

    A tab may have parts of the thing that can be deleted, too. So it has to name the thing, by its title, or by its
    kind as the address has it: *Delete survey* at `/surveys/7/settings`.

    Args:
        client: the run's tools.
        page: where it is edited; it is open.
        words: what it may say.
        title: what the thing is called; empty where that is not known.

    Returns:
        The page that is open then, and what says the word there; nothing where no page does.
    """
    stem = _path(client, page.url)
    steps = stem.split("/")
    ids = set(filter(_is_id, steps))
    kinds = {normal(before).rstrip("s") for before, step in pairwise(steps) if step in ids and len(before) > _SHORT}
    called = {*kinds, normal(title)} - {""}
    # An item of a menu stands in a card of its own, which says its name alone.
    links = [link for link in await client.links() if ids and (not link.apart or link.card == (link.name,))]
    further = [(link.href, _path(client, link.href).removeprefix(f"{stem}/")) for link in links]
    # What adds an id is the page of a part.
    there = dict.fromkeys(
        href for href, more in further if more != _path(client, href) and not any(map(_is_id, more.split("/")))
    )
    for looks in (2, LOOKS):  # what scripts draw late is waited for where nothing else was found
        for href in list(there)[:_TABS]:
            result = await client.do("navigate", url=href)
            if result.error is not None or (tab := Page.of(result.data)).status >= 400:
                continue
            for left in range(looks, 0, -1):
                found = [
                    (score, one)
                    for word in words
                    for score, one in await client.controls(word)
                    if not one.apart and any(each in normal(one.name) for each in called)
                ]
                if found or left == 1:
                    break
                await client.pause()
            if found:
                most = max(score for score, _ in found)
                return tab, list({one.ref: one for score, one in found if score == most}.values())
    return page, []


async def confirming(
    client: ToolClient, page: Page, words: Sequence[Word] = ("delete",), before: Collection[str] = ()
) -> Control | None:
    """Find what confirms, on a page or in a dialog that asks whether one means it.

    That is the one button that says what is to be done, or else the one of the only form that goes to the page's own
    address and has nothing to fill in but a password (Django's admin says "Yes, I'm sure" there), or else the one that
    says yes. What says no, or leads back, is never taken.

    Args:
        client: the run's tools.
        page: the page that is open.
        words: what is to be done; earlier ones are meant rather.
        before: references of the buttons that were there before.

    Returns:
        None where there is none, or nothing shows which of several it is.
    """
    new = [one for one in await client.buttons() if one.ref not in before and not one.card and not one.opens]
    meant = [one for one in new if not _refuses(client, one.name, words)]
    for word in (*words, "confirm"):
        if (found := _best(client, meant, word)) is not None:
            return found
    here = url_shape(client.view.shown(page.url)).partition("?")[0]
    own = [
        form
        for form in await client.forms()
        if form.method.lower() == "post"
        and form.action.partition("?")[0] in ("", here)
        and all(field.type in ("hidden", "password") for field in form.fields)
    ]
    refs = {one.ref for one in meant}
    sending = [one for form in own for one in form.submits if one.ref in refs and not says_purpose(one.name, "aside")]
    if len(own) == 1 and len(sending) == 1:
        return Control(ref=sending[0].ref, name=sending[0].name, is_button=True)
    return _best(client, meant, "yes")


def _best(client: ToolClient, found: Sequence[Button], word: Word) -> Control | None:
    """Give the button that says a word best; None where none does, or several do it as well."""
    scored = [(score, one) for one in found if (score := fit(one.name, word, client.site.words))]
    most = [one for score, one in scored if score == max(score for score, _ in scored)]
    return Control.of(most[0]) if len(most) == 1 else None


def _refuses(client: ToolClient, name: str, words: Sequence[Word]) -> bool:
    """Return whether a button says no: before it says what would be done, as its name may hold such a word."""
    said, more = normal(name).split(), client.site.words
    deed = next(
        (at for at in range(len(said)) if any(fit(" ".join(said[: at + 1]), word, more) for word in words)), None
    )
    return bool(fit(" ".join(said[: None if deed is None else deed + 1]), "no", more))


def _path(client: ToolClient, url: str) -> str:
    return client.view.shown(url).partition("#")[0].partition("?")[0].rstrip("/")
