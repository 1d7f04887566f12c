"""Comparing what an action led to with what it led to when it was recorded.

Pure functions over page states. What is required from one recording: the shape of the URL, the status class of the
document and of the requests that the action caused, no error sign, and no more questions of the browser than there
were; nor fewer, where the agent chose how they are answered. Other text is not compared. An error of the page's scripts
that was not there before is no mismatch of its own, and the cause of one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

from simulator.browser.sink import PageState
from simulator.canonical import url_shape
from simulator.replay.checks import Check
from simulator.replay.drift import Verdict

_TAKEN = re.compile(
    r"\b(?:already|taken|in use|exists?|vergeben|bereits|existe|déjà|ya está|registrad[oa]|già|já|al in gebruik)\b",
    re.IGNORECASE,
)

_NUMBER = re.compile(r"\d+")
_CHANGING = re.compile(
    r"\{\{.*?\}\}|(?<!\w)'[^']*'(?!\w)|\"[^\"]*\"|\S*\d\S*"
    "|[\u201c\u201e\u00ab\u2018][^\u201c\u201d\u00bb\u2019]*[\u201c\u201d\u00bb\u2019]"
)
"""Variables, what is quoted, and what holds a number."""
_WORD = re.compile(r"\w+")

_DIALOGS = frozenset({"alert", "confirm", "prompt"})


@dataclass(frozen=True, slots=True)
class Mismatch:
    """What was expected of the page after an action, and what is there."""

    verdict: Verdict
    expected: str
    found: str
    kind: Literal["", "address", "navigation", "request"] = ""
    """What a healing replay may go on from, if the site did the same on another way; and ``request``: one that is not
    made yet."""


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
) -> Compared:
    """Compare the page after an action with the recorded one.

    Args:
        recorded: the page state that was recorded, templates in it.
        now: the page state of this replay.
        url: the actual URL, relative to the site.
        arrived: whether :attr:`url` has the recorded shape, with its variables bound.
        login_path: path of the site's login page, to tell a session that ended.
        stayed: whether the document is the one of before; None where the recorded action led to no other.
        asks: whether the browser has to ask as it did: the agent chose how the browser's dialogs are answered.
    """
    made: list[Check] = []
    wrong: Mismatch | None = None
    for check, wrong in _checks(
        recorded, now, url=url, arrived=arrived, login_path=login_path, stayed=stayed, asks=asks
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
) -> Iterator[tuple[Check, Mismatch | None]]:
    """Make one check after the other, each when it is asked for."""
    yield "failure", _failure(recorded, now, url)
    collision = _collision(recorded, now)
    if arrived:
        yield "address", None
    elif is_at(url, login_path) and not is_at(recorded.url, login_path):
        yield "address", Mismatch("session_lost", f"the page {recorded.url}", "the login page", "address")
    else:
        said = f", which says '{now.alerts[0]}'" if now.alerts else ""
        yield "address", collision or Mismatch("postcondition", f"the page {recorded.url}", f"{url}{said}", "address")
    if collision:
        yield "refusal", collision
    if now.status and recorded.status:
        same = now.status // 100 == recorded.status // 100
        found = Mismatch("postcondition", f"status {recorded.status}", f"status {now.status}")
        yield "status", None if same else found
    yield "refusal", _refusal(recorded, now)
    asked = _dialogs(now) - _dialogs(recorded)
    yield "dialog", _asked_more(now, asked) if asked else None
    if asks and _dialogs(recorded):
        lost = _dialogs(recorded) - _dialogs(now)
        yield "dialog", _unasked(recorded, lost) if lost else None
    if stayed is not None:
        found = Mismatch("postcondition", f"the page {recorded.url} to be loaded", f"{url} as it was", "navigation")
        yield "load", found if stayed else None
    for wrong in _requests(recorded, now):
        yield "request", wrong


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


def _refusal(recorded: PageState, now: PageState) -> Mismatch | None:
    known = {gist(alert) for alert in recorded.alerts}
    new = [alert for alert in now.alerts if gist(alert) not in known]
    if not new:
        return None
    said = f" but '{recorded.alerts[0]}'" if recorded.alerts else ""
    return Mismatch("postcondition", f"no error on the page{said}", f"'{new[0]}'")


def gist(alert: str) -> tuple[str, ...]:
    """Give the words of an alert that make it what it is: names, titles, numbers and what is quoted change with users.

    A name may come first, where any word has a capital: the first word counts where no other does.
    """
    words = _WORD.findall(_CHANGING.sub(" ", alert))
    first, *rest = words or ("",)
    telling = tuple(word for word in rest if not (word[0].isupper() or any(map(str.isdigit, word))))
    return telling or (first.lower(),)


def is_at(url: str, path: str | None) -> bool:
    """Tell whether a URL of the site leads to a path; where one should go afterwards may stand in its query."""
    return path is not None and urlsplit(url).path == urlsplit(path).path


def _collision(recorded: PageState, now: PageState) -> Mismatch | None:
    for alert in now.alerts:
        if alert not in recorded.alerts and _TAKEN.search(alert):
            return Mismatch("data_collision", "new data to be accepted", f"'{alert}'")
    return None


def _dialog(note: str) -> str:
    return note.partition(": ")[0]


def _dialogs(state: PageState) -> Counter[str]:
    """Count the native dialogs of each kind: what they say may hold what the site mints."""
    return Counter(kind for kind in map(_dialog, state.notes) if kind in _DIALOGS)


def _asked_more(now: PageState, asked: Counter[str]) -> Mismatch:
    said = [note for note in now.notes if _dialog(note) in asked][-1]
    return Mismatch("postcondition", "no more dialogs of the browser than there were", f"'{said}'")


def _unasked(recorded: PageState, lost: Counter[str]) -> Mismatch:
    said = next(note for note in recorded.notes if _dialog(note) in lost)
    return Mismatch("postcondition", f"the browser to ask '{said}'", "no such question")


def _requests(recorded: PageState, now: PageState) -> Iterator[Mismatch | None]:
    """Require the writing requests that the action caused, each with its status class."""
    left = [(method, _shape(address), status // 100) for method, address, status in now.requests]
    for method, address, status in recorded.requests:
        if method in ("GET", "HEAD", "OPTIONS"):
            continue
        wanted = (method, _shape(address), status // 100)
        if wanted in left:
            left.remove(wanted)
            yield None
            continue
        same = [f"status {kind}xx" for verb, shape, kind in left if (verb, shape) == wanted[:2]]
        sought = f"{method} {address} with status {status}"
        if same:
            yield Mismatch("postcondition", sought, same[0])
        else:
            yield Mismatch("postcondition", sought, "no such request", "request")


def _shape(address: str) -> str:
    return url_shape(address).partition("?")[0]
