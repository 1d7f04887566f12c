"""What pages are otherwise after an action than they were: kept for a person to accept, and put into words.

Not responsible for: what is compared (``verify``), or how a revision is stored.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from simulator.browser.action_recorder import PageState
from simulator.recording.rows import ActionRow
from simulator.replay.failing import words_of
from simulator.replay.plan import PlannedStep
from simulator.replay.verify import Mismatch


@dataclass(frozen=True, slots=True)
class Otherwise:
    """A page that an action leads to now, which is not the one it led to."""

    action: ActionRow
    place: str
    """``step.action``, from 1."""
    now: PageState

    def lines(self) -> list[str]:
        """Give what was and what is, as in a diff."""
        was = list(_told(self.action.after or PageState("")))
        now = list(_told(self.now))
        return [
            f"step {self.place}, {words_of(self.action)}",
            *(f"  - {line}" for line in was if line not in now),
            *(f"  + {line}" for line in now if line not in was),
        ]


@dataclass(frozen=True, slots=True)
class Review:
    """Lets a replay go on where a page is otherwise, and keeps what it is.

    It goes on from nothing that keeps the site from working: an error of the site, a session that ended, data that is
    taken. Elements are looked for as ever.
    """

    found: dict[str, list[Otherwise]] = field(default_factory=dict)
    """By run."""

    def takes(self, planned: PlannedStep, action: ActionRow, wrong: Mismatch, now: PageState) -> bool:
        """Keep what is otherwise; returns whether a person may accept it."""
        if wrong.verdict != "postcondition":
            return False
        place = f"{planned.step.ordinal + 1}.{action.ordinal + 1}"
        self.found.setdefault(planned.step.run_id, []).append(Otherwise(action, place, now))
        return True


def _told(page: PageState) -> Iterator[str]:
    yield f"the page {page.url}"
    if page.status:
        yield f"status {page.status}"
    for method, address, status in page.requests:
        if method not in ("GET", "HEAD", "OPTIONS"):
            yield f"{method} {address}: {f'status {status}' if status else 'no answer'}"
    for alert in page.alerts:
        yield f"the page shows the error '{alert}'"
    for note in page.said:
        yield f"the page says '{note}'"
