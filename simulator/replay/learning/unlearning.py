"""Words of a card that are others in a second performance, where the card is known without them.

A card that lacks a word by which it was distinguished from a sibling is another card to a replay: a thing may be
called as another is. Only the address of its own says that it is the same: what is acted on leads to the very thing
that the site had named to this user. Not responsible for: storing what is not asked for any more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from simulator.browser import documents
from simulator.browser.acting.sightings import SITE
from simulator.browser.actor import Actor
from simulator.browser.evidence import Scope, Target
from simulator.errors import TemplateError
from simulator.recording.rows import ActionRow
from simulator.replay.evidence.query import Query, Render, plain_words
from simulator.replay.healing import Mended
from simulator.template import placeholders

_ID = re.compile(r"\{id\}")


async def changed_words(
    actor: Actor, where: documents.Document, action: ActionRow, query: Query, led_to: Iterable[str]
) -> Mended | None:
    """Find what is acted on in a second performance, where words of its card alone are others.

    Args:
        actor: who acts.
        where: the page, or the frame in it.
        action: what is to be done.
        query: of strict evidence, which admits nothing.
        led_to: templates of the addresses that the recorded action led to.

    Returns:
        What it is to be performed on, by evidence without these words; None where the card may be another one.
    """
    own = [address for template in led_to if (address := _own_address(actor, template))]
    if action.target is None or query.shows is None or not own:
        return None
    try:
        lost = await documents.changed_words(where, query.model_dump(exclude_defaults=True), own)
    except documents.BrowserError:
        return None  # its document is being left
    known = query.shows
    if not lost or not set(lost) <= {*known.loose, *known.stems}:
        return None
    left = {name: tuple(text for text in getattr(known, name) if text not in lost) for name in ("loose", "stems")}
    shows = known.model_copy(update=left)
    target = _without(action.target, lost, actor.bindings.render_on_site)
    return Mended(query.model_copy(update={"shows": shows}), target, action.kind)


def _own_address(actor: Actor, template: str) -> str:
    """Give an address that the site has named to this user; empty where it is no such one, or not known by now."""
    if _ID.search(template) or not any(name.startswith(SITE) for name in placeholders(template)):
        return ""
    try:
        return actor.addresses.absolute(actor.urls.render(template)).partition("#")[0]
    except TemplateError:
        return ""


def _without(target: Target, lost: Sequence[str], render: Render) -> Target:
    def kept(scope: Scope) -> Scope:
        told = list(enumerate(scope.words or ()))
        words = [text for at, text in told if at < scope.titles or plain_words(text, render) not in lost]
        stems = tuple(word for word in scope.stems if word not in lost)
        return scope if scope.words is None else scope.model_copy(update={"words": tuple(words), "stems": stems})

    return target.model_copy(update={"scopes": tuple(map(kept, target.scopes))})
