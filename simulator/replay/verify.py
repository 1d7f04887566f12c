"""Comparing what an action led to with what it led to when it was recorded.

Pure functions over page states. What is required from one recording: the shape of the URL, the status class of the
document and of the requests that the action caused, no refusal, and no more questions of the browser than there were;
nor fewer, where the agent chose how they are answered. Other text is not compared. An error of the page's scripts that
was not there before is no mismatch of its own, and the cause of one. So is a refusal that the rules of the recording do
not see: it says why a page is another one, and never that it is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple
from urllib.parse import unquote

from simulator.addresses import urlsplit
from simulator.browser.action_recorder import PageState
from simulator.browser.views.refusals import Refusal, gist, kind_of, new_ones
from simulator.canonical import url_shape
from simulator.replay.checks import Check
from simulator.replay.drift import Verdict

_NUMBER = re.compile(r"\d+")
_DIALOGS = frozenset({"alert", "confirm", "prompt"})


@dataclass(frozen=True, slots=True)
class Mismatch:
    """What was expected of the page after an action, and what is there."""

    verdict: Verdict
    expected: str
    found: str
    kind: Literal["", "address", "navigation", "request", "refusal"] = ""
    """What a healing replay may go on from, if the site did the same on another way; ``request``: one that is not made
    yet; and ``refusal``: one that may be the form's which the page is leaving."""
    field: str = ""
    """The field that the page speaks of; empty where it names none."""
    unexplained: bool = False
    """Whether it is another page, and nothing on it is known to say why."""


class Compared(NamedTuple):
    """What came of comparing a page with the recorded one."""

    wrong: Mismatch | None
    """The first mismatch, the cause before its consequences; None when there is none."""
    checks: tuple[Check, ...]
    """What was looked at, up to the mismatch."""


def compare(
    recorded: PageState,
    now: PageState,
    *,
    url: str,
    arrived: bool,
    login_path: str | None,
    stayed: bool | None = None,
    asks: bool = False,
    before: PageState | None = None,
    above: Sequence[Refusal] = (),
    incidental: Sequence[tuple[str, str]] = (),
    visits: bool = False,
) -> Compared:
    """Compare the page after an action with the recorded one.

    Args:
        recorded: the page state that was recorded, templates in it.
        now: the page state of this replay.
        url: the actual URL, relative to the site.
        arrived: whether :attr:`url` has the recorded shape, with its variables bound.
        login_path: path of the site's login page, to notice a session that ended.
        stayed: whether the document is the one of before; None where the recorded action led to no other.
        asks: whether the browser has to ask as it did: the agent chose how the browser's dialogs are answered.
        before: the page state of this replay before the action.
        above: what the form says that was sent, and has come back.
        incidental: method and address of requests that were recorded, and need not be made again; of several alike as
            many as it is there.
        visits: whether the action went to an address: its document has a status of its own.
    """
    why = _Why.of(recorded, now, before, above)
    made: list[Check] = []
    wrong: Mismatch | None = None
    for check, wrong in _checks(
        recorded,
        now,
        url=url,
        arrived=arrived,
        login_path=login_path,
        stayed=stayed,
        asks=asks,
        why=why,
        incidental=incidental,
        status_before=before.status if before and not visits else 0,
    ):
        made.append(check)
        if wrong is not None:
            break
    new = new_errors(recorded, now)
    if wrong is not None and new and wrong.verdict == "postcondition":
        wrong = replace(wrong, verdict="site_error", found=f"{wrong.found}; new in the page's console: '{new[0]}'")
    return Compared(wrong, tuple(made))


def new_errors(recorded: PageState, now: PageState) -> tuple[str, ...]:
    """Give the errors of a page's scripts that it did not have when it was recorded; numbers in them do not count."""
    known = {_NUMBER.sub("0", error) for error in recorded.errors}
    return tuple(error for error in now.errors if _NUMBER.sub("0", error) not in known)


def _checks(
    recorded: PageState,
    now: PageState,
    *,
    url: str,
    arrived: bool,
    login_path: str | None,
    stayed: bool | None,
    asks: bool,
    why: _Why,
    incidental: Sequence[tuple[str, str]],
    status_before: int,
) -> Iterator[tuple[Check, Mismatch | None]]:
    """Make one check after the other, each when it is asked for."""
    yield "failure", _failure(recorded, now, url)
    shown = _shown(now)
    collision = _collision(recorded, shown if arrived else why.refusals)
    if arrived:
        yield "address", None
    elif is_at(url, login_path) and not is_at(recorded.url, login_path):
        yield "address", Mismatch("session_lost", f"the page {recorded.url}", "the login page", "address")
    else:
        says = (*why.refusals, *shown)
        status = f" with status {now.status}" if now.status >= 400 > recorded.status else ""
        there = url + status + (f", which says {says[0].said}" if says else "") + why.dialog
        silent = not says and not why.dialog
        there_instead = Mismatch("postcondition", f"the page {recorded.url}", there, "address", unexplained=silent)
        yield "address", collision or there_instead
    if collision:
        yield "refusal", collision
    if now.status and recorded.status:
        # A document that was there before has the status with which it came: that was compared then. Other steps may
        # have led to it: a replay leaves out what only the agent had to look for.
        inherited = stayed is None and now.status == status_before
        same = inherited or now.status // 100 == recorded.status // 100
        there = f"status {now.status}{why.told}"
        found = Mismatch("postcondition", f"status {recorded.status}", there, unexplained=not why.told)
        yield "status", None if same else found
    yield "refusal", _refusal(recorded, shown)
    asked = _dialogs(now) - _dialogs(recorded)
    yield "dialog", _asked_more(now, asked) if asked else None
    if asks and _dialogs(recorded):
        lost = _dialogs(recorded) - _dialogs(now)
        yield "dialog", _unasked(recorded, lost) if lost else None
    if stayed is not None:
        there = f"{url} as it was{why.told}"
        found = Mismatch("postcondition", f"the browser to load the page {recorded.url}", there, "navigation")
        yield "load", found if stayed else None
    for wrong in _requests(recorded, now, incidental):
        yield "request", wrong and replace(wrong, found=f"{wrong.found}{why.told}")


def _failure(recorded: PageState, now: PageState, url: str) -> Mismatch | None:
    failed = [request for request in now.requests if request[2] >= 500 or request[2] == 0]
    expected_failures = {request[:2] for request in recorded.requests if request[2] >= 500 or request[2] == 0}
    if now.status >= 500 and recorded.status < 500:
        return Mismatch("site_error", f"status {recorded.status}", f"status {now.status} at {url}")
    for method, address, status in failed:
        if (method, address) not in expected_failures:
            answered = f"status {status}" if status else "no answer"
            return Mismatch("site_error", f"{method} {address} to work", answered)
    return None


def _refusal(recorded: PageState, shown: Sequence[Refusal]) -> Mismatch | None:
    new = new_ones(shown, recorded.alerts)
    if not new:
        return None
    said = f" but '{recorded.alerts[0]}'" if recorded.alerts else ""
    return Mismatch("postcondition", f"no error on the page{said}", new[0].said, "refusal")


def _shown(now: PageState) -> tuple[Refusal, ...]:
    """Give the alerts of a page, by the rules of the recording, each with what today's rules know of it."""
    return tuple(
        next((one for one in now.refusals if one.words == alert), None)
        or next((replace(one, words=alert) for one in now.refusals if one.words in alert), None)
        or Refusal(alert, kind_of(alert))
        for alert in now.alerts
    )


@dataclass(frozen=True, slots=True)
class _Why:
    """What on a page says why it is another one, by today's rules: it was not there before, nor in the recording."""

    refusals: tuple[Refusal, ...]
    dialog: str
    """A dialog of the page's own that opened, in words that follow on others; empty for none."""

    @property
    def told(self) -> str:
        """Say it, to follow on other words; empty where nothing says why."""
        return (f"; the page says {self.refusals[0].said}" if self.refusals else "") + self.dialog

    @staticmethod
    def of(recorded: PageState, now: PageState, before: PageState | None, above: Sequence[Refusal]) -> _Why:
        """Look for it."""
        alerts = {gist(alert) for alert in now.alerts}
        known = {gist(one.words) for one in before.refusals} - alerts if before else set()
        shown = [*_shown(now), *(one for one in now.refusals if gist(one.words) not in known)]
        opened = [one for one in now.dialogs if before and one not in before.dialogs]
        return _Why(
            tuple(dict.fromkeys((*new_ones(shown, recorded.alerts), *above))),
            f"; a dialog opened: '{opened[0]}'" if opened else "",
        )


def is_at(url: str, path: str | None) -> bool:
    """Return whether a URL of the site leads to a path; where one should go afterwards may stand in its query."""
    return path is not None and urlsplit(url).path == urlsplit(path).path


def _collision(recorded: PageState, refusals: Iterable[Refusal]) -> Mismatch | None:
    for one in refusals:
        if one.kind == "taken" and one.words not in recorded.alerts:
            return Mismatch("data_collision", "the site to accept the new data", one.said, field=one.field)
    return None


def _dialog(note: str) -> str:
    return note.partition(": ")[0]


def _dialogs(state: PageState) -> Counter[str]:
    """Count the native dialogs of each kind: what they say may hold what the site generates."""
    return Counter(kind for kind in map(_dialog, state.notes) if kind in _DIALOGS)


def _asked_more(now: PageState, asked: Counter[str]) -> Mismatch:
    kind, _, said = [note for note in now.notes if _dialog(note) in asked][-1].partition(": ")
    found = f"a dialog, '{said}' ({kind})"
    return Mismatch("postcondition", "no more dialogs of the browser than when it was recorded", found)


def _unasked(recorded: PageState, lost: Counter[str]) -> Mismatch:
    said = next(note for note in recorded.notes if _dialog(note) in lost)
    return Mismatch("postcondition", f"the browser to ask '{said}'", "no such question")


def _requests(recorded: PageState, now: PageState, incidental: Sequence[tuple[str, str]]) -> Iterator[Mismatch | None]:
    """Require the writing requests that the action caused, each with its status class, but for incidental ones."""
    spared = Counter((method, _shape(address)) for method, address in incidental)
    every = Counter((method, _shape(address)) for method, address, _ in recorded.requests)
    left = [(method, _shape(address), status) for method, address, status in now.requests]
    for method, address, status in recorded.requests:
        key = (method, _shape(address))
        if method in ("GET", "HEAD", "OPTIONS") or spared[key] >= every[key]:
            continue
        alike = [one for one in left if one[:2] == (method, _shape(address))]
        if made := next((one for one in alike if one[2] // 100 == status // 100), None):
            left.remove(made)
            yield None
            continue
        same = [f"status {one[2]}" for one in alike]
        expected = f"{method} {address} with status {status}"
        if same:
            yield Mismatch("postcondition", expected, same[0])
        elif spared[key]:
            # Fewer of them may be made, and no more is to be known of which: what they carried is checked by itself.
            spared[key] -= 1
            every[key] -= 1
            yield None
        else:
            yield Mismatch("postcondition", expected, "no such request", "request")


def _shape(address: str) -> str:
    # A value is put into a template as it is, and the browser quotes it.
    return unquote(url_shape(address).partition("?")[0])
