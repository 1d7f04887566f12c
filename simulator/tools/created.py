"""Notices what a submitted form may have made, changed or deleted, by the page and the requests that follow.

Not responsible for: whether it is there. That is read back before it is entered into the journal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from simulator.addresses import urlsplit
from simulator.canonical import is_minted

if TYPE_CHECKING:
    from simulator.browser.evidence import Target
    from simulator.browser.executor import ActionReport

MINTED_VARIABLE = "{{site."
CHANGE = "change"
"""Kind of an entry of the journal: what is at its address was given other fields."""
DELETION = "deletion"
"""Kind of an entry: what was at its address is not there any more."""
DEED = "deed"
"""Kind of an entry: what could be done once was done, and its page does not offer it any more."""
MESSAGE = "message"
"""Kind of an entry: a text that the site keeps with what the user has sent."""
SAVE = "save"
"""Kind of an entry: something of others that the site keeps with what the user has saved."""
SHOWN = "shown"
"""Name in a step's metadata of what the user had put in, and the page showed once it was sent: a list of templates."""
_SHORTEST = 3
"""Characters of a field that says something of what was changed; a page may show shorter ones anyway."""


class Created(NamedTuple):
    """Something that was made on the site."""

    kind: str
    url: str


def created(before: str, after: str) -> Created | None:
    """Tell what was made, by the addresses around the submission of a form.

    Args:
        before: address of the page with the form.
        after: address of the page that followed.

    Returns:
        The kind (the path's word before the minted part, in the singular) and the address; None when no part
        of the new path was minted just now.
    """
    known = set(urlsplit(before).path.split("/"))
    path = urlsplit(after).path.split("/")
    fresh = [place for place, part in enumerate(path) if _minted(part) and part not in known]
    if not fresh:
        return None
    word = next((part for part in reversed(path[: fresh[0]]) if part and not _minted(part)), "thing")
    return Created(word.removesuffix("s") or word, after)


def _minted(part: str) -> bool:
    return is_minted(part) or MINTED_VARIABLE in part


class FormMemo:
    """What an actor has put into the forms of the page that it is on.

    Args:
        note: takes what was made: its kind, address and fields. For what is read back with what the user has sent or
            saved the address is empty.
    """

    def __init__(self, note: Callable[..., None]) -> None:
        self._note = note
        self._url = ""
        self._fields: dict[str, str] = {}
        self._taken: dict[str, str] = {}
        self._texts: set[str] = set()
        """Names of the fields for longer texts."""

    def put(self, report: ActionReport, value: str) -> None:
        """Remember what an action put into a field; secrets are not remembered."""
        target = report.target
        self.moved(report.page.url)
        if target is not None and not target.secret:
            name = target.name_attr or target.label or target.name
            self._fields[name] = value
            if target.tag not in ("input", "select"):
                self._texts.add(name)

    def forget(self) -> None:
        """Forget what was put into fields: the form that is about to be sent makes nothing."""
        self._fields.clear()
        self._texts.clear()

    def acted(self, report: ActionReport) -> None:
        """Take note of an action that may have submitted a form."""
        target = report.target
        if target is not None and _accepted(report):
            self._taken = {name: text for name, text in self._fields.items() if len(text) >= _SHORTEST}
        if target is not None and target.form.startswith("post") and self._url:
            if self._fields:
                self._sent(report)
            elif report.outcome.settled == "navigated":
                self._done(report.page.url, target)
            else:
                self._saved(report, target)
        self.moved(report.page.url)

    def take_accepted(self) -> list[str]:
        """Give what was put into fields and has been sent since the last call; it may be on the page now."""
        taken, self._taken = self._taken, {}
        return list(dict.fromkeys(taken.values()))

    def moved(self, url: str) -> None:
        """Forget the fields of another page.

        A form that was refused comes back at its own address: what was put into it still counts.
        """
        if url != self._url:
            self.forget()
            self._url = url

    def _sent(self, report: ActionReport) -> None:
        """Note what a form with fields made: a thing with an address of its own, a change, or a message."""
        after = report.page.url
        navigated = report.outcome.settled == "navigated"
        made = created(self._url, after) if navigated else None
        if made:
            self._note(kind=made.kind, url=made.url, fields=dict(self._fields))
            return
        if navigated and _thing(after) and _thing(after) == _thing(self._url):
            telling = {name: text for name, text in self._fields.items() if len(text) >= _SHORTEST}
            self._note(kind=CHANGE, url=after, fields=telling)
        if self._texts and _accepted(report):
            self._note(kind=MESSAGE, url="", fields={name: self._fields[name] for name in sorted(self._texts)})

    def _done(self, after: str, target: Target) -> None:
        """Note what a button alone did: the page does not offer it again, or what the page was about is gone.

        Only a form that goes to the thing's own address deletes it: who logs out leaves the page, too.
        """
        thing = _thing(self._url)
        if after == self._url and target.name:
            self._note(kind=DEED, url=after, fields={"button": target.name})
        elif thing and not _thing(after) and f"{target.form}/".startswith(f"post {_shape(thing)}/"):
            self._note(kind=DELETION, url=thing, fields={})

    def _saved(self, report: ActionReport, target: Target) -> None:
        """Note what a button of a card may have saved, by the text that tells the card from its siblings."""
        card = next((scope for scope in target.scopes if scope.kind == "card" and scope.texts), None)
        if card and _accepted(report):
            self._note(kind=SAVE, url="", fields={"title": card.texts[0]})


def _thing(url: str) -> str:
    """Give the address of what a page is about: everything up to the last minted part; empty where there is none."""
    path = urlsplit(url).path.split("/")
    place = next((place for place in reversed(range(len(path))) if _minted(path[place])), 0)
    return "/".join(path[: place + 1]) if place else ""


def _shape(path: str) -> str:
    return "/".join("{id}" if _minted(part) else part for part in path.split("/"))


def _accepted(report: ActionReport) -> bool:
    """Tell whether an action sent something that the site took."""
    sent = [status for method, _, status in report.page.requests if method not in ("GET", "HEAD", "OPTIONS")]
    return report.outcome.settled == "navigated" or any(200 <= status < 400 for status in sent)
