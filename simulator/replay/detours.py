"""What led nowhere, taken out of a run: attempts that the site rejected, and moves of the pointer onto the bare page.

Pure functions over recorded actions.
"""

from __future__ import annotations

from collections.abc import Sequence

from simulator.browser.evidence import Target
from simulator.browser.views.refusals import gist
from simulator.recording.rows import ActionRow

_SUBMITS = frozenset({"click", "press"})
_FIELDS = frozenset({"fill", "type", "select", "check", "uncheck", "upload"})
_BARE = frozenset({"html", "body", "main"})
"""Elements that the pointer is on where it is on nothing."""
_LEAVES = frozenset({"goto", "back", "forward", "reload"})
"""What opens a page, whatever is recorded of it: the first page of a browser came after none, so it is no other one."""


def _key(target: Target | None) -> tuple[str, ...]:
    """Give what a field or button keeps when its form is shown again with errors beside the labels."""
    if target is None:
        return ()
    named = (
        target.name_attr and target.tag in ("input", "select", "textarea") and target.type not in ("submit", "checkbox")
    )
    return (target.form, target.tag, *((target.name_attr,) if named else (target.role, target.name)))


def is_rejected(action: ActionRow) -> bool:
    """Return whether the site answered an action with an error that was not there before."""
    if action.kind not in _SUBMITS or action.after is None or action.status == "cancelled":
        return False
    before = action.before.alerts if action.before else ()
    if not _may_be_sent(action):
        return False
    sent = [status for method, _, status in action.after.requests if method not in ("GET", "HEAD", "OPTIONS")]
    if action.settled != "navigated" and sent and all(200 <= status < 300 for status in sent):
        return False
    return any(alert not in before for alert in action.after.alerts)


def _may_be_sent(action: ActionRow) -> bool:
    """Return whether an action sent something, or was to send a form that was held back.

    What an option, a tick or a button of a script does on the page stays done, whatever a field says of it then: an
    option that was taken out of a list is out.
    """
    if action.settled == "navigated" or action.kind == "press" or (action.after and action.after.requests):
        return True
    target = action.target
    return target is None or (bool(target.form) and target.type in ("submit", "image"))


def is_idle(action: ActionRow) -> bool:
    """Return whether an action moved the pointer onto the bare page, and nothing came of it."""
    if action.kind != "hover" or action.target is None or action.after is None or action.settled == "navigated":
        return False
    target, after, before = action.target, action.after, action.before
    if target.tag not in _BARE or target.test_id or (target.name and target.tag == "main"):
        return False
    same = before is None or (before.url, before.alerts, before.said) == (after.url, after.alerts, after.said)
    return same and not after.requests


def drop_detours(actions: Sequence[ActionRow]) -> tuple[frozenset[str], list[tuple[ActionRow, str]]]:
    """Take out rejected submissions and the values that were corrected after them, and idle moves of the pointer.

    Only what is certain is taken out: a submission that was rejected and that is followed, on the same
    form, by one that was not, and of which the page says something else. Whatever lies between on other forms or pages
    keeps the whole as it is, unless the form was opened again: then everything that was put into it before is without
    effect.

    Args:
        actions: the actions of a run, in order.

    Returns:
        The ids that are kept, and each dropped action with its reason.
    """
    dropped = {action.id: "the pointer rested on the bare page" for action in actions if is_idle(action)}
    for at, action in enumerate(actions):
        if not is_rejected(action):
            continue
        later = next(
            (
                place
                for place in range(at + 1, len(actions))
                if _key(actions[place].target) == _key(action.target) and not is_rejected(actions[place])
            ),
            None,
        )
        if later is None or _says_so_too(actions[later], action):
            continue
        words = "; ".join(action.after.alerts) if action.after else ""
        reason = f"the site rejected it: {words}"
        dropped[action.id] = reason
        between = actions[at + 1 : later]
        form = action.target.form if action.target else ""
        opened = max((place for place in range(at) if _opens(actions[place])), default=-1)
        earlier = [one for one in actions[opened + 1 : at] if _belongs(one, form)]
        if any(one.kind in _LEAVES for one in between):
            dropped |= {one.id: "the form was opened anew" for one in earlier}
        else:
            # What is typed comes after what a field holds already: that is a part of it.
            again = {_key(one.target) for one in between if _belongs(one, form) and one.kind != "type"}
            dropped |= {one.id: "corrected later" for one in earlier if _key(one.target) in again}
    kept = frozenset(action.id for action in actions) - dropped.keys()
    return kept, [(action, dropped[action.id]) for action in actions if action.id in dropped]


def _says_so_too(accepted: ActionRow, rejected: ActionRow) -> bool:
    """Return whether the page says of what was accepted what it said of what seemed rejected: then it said no error."""
    said = {gist(alert) for alert in rejected.after.alerts} if rejected.after else set()
    return accepted.after is not None and any(gist(alert) in said for alert in accepted.after.alerts)


def way_of_rejected(actions: Sequence[ActionRow], following: ActionRow | None) -> tuple[ActionRow, ...]:
    """Give what of a rejected step led to the page on which the run went on.

    Args:
        actions: what the step did.
        following: the next action that is performed; None where there is none.

    Returns:
        The actions until the page with the form was reached; none where the run went on from elsewhere, or from where
        it was before the step.
    """
    if following is None or following.kind == "goto" or following.before is None:
        return ()
    first = next((place for place, action in enumerate(actions) if is_rejected(action)), len(actions))
    arrived = max((place for place in range(first) if _opens(actions[place])), default=-1)
    started = actions[0].before if actions else None
    if arrived < 0 or (started is not None and started.url == following.before.url):
        return ()
    return tuple(actions[: arrived + 1])


def _opens(action: ActionRow) -> bool:
    return action.kind in _LEAVES or action.settled == "navigated"


def _belongs(action: ActionRow, form: str) -> bool:
    return action.kind in _FIELDS and action.target is not None and action.target.form == form
