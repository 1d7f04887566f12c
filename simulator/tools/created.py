"""Notices that a submitted form has made something: the page that follows has an address newly minted.

Not responsible for: things made without such a page. They are found by what the site answers, not here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from simulator.canonical import is_minted

if TYPE_CHECKING:
    from simulator.browser.executor import ActionReport

MINTED_VARIABLE = "{{site."


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
        note: takes what was made: its kind, address and fields.
    """

    def __init__(self, note: Callable[..., None]) -> None:
        self._note = note
        self._url = ""
        self._fields: dict[str, str] = {}

    def put(self, report: ActionReport, value: str) -> None:
        """Remember what an action put into a field; secrets are not remembered."""
        target = report.target
        self.moved(report.page.url)
        if target is not None and not target.secret:
            self._fields[target.name_attr or target.label or target.name] = value

    def forget(self) -> None:
        """Forget what was put into fields: the form that is about to be sent makes nothing."""
        self._fields.clear()

    def acted(self, report: ActionReport) -> None:
        """Take note of an action that may have submitted a form."""
        posted = report.target is not None and report.target.form.startswith("post")
        made = None
        if posted and self._fields and self._url and report.outcome.settled == "navigated":
            made = created(self._url, report.page.url)
        if made:
            self._note(kind=made.kind, url=made.url, fields=dict(self._fields))
        self.moved(report.page.url)

    def moved(self, url: str) -> None:
        """Forget the fields of another page.

        A form that was refused comes back at its own address: what was put into it still counts.
        """
        if url != self._url:
            self._fields.clear()
            self._url = url
