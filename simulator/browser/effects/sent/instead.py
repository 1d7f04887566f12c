"""What the fields of a later form show instead of what was sent under their name.

Not responsible for: whose form it is (``forms``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from simulator.browser.effects.fields import Field
from simulator.meaning import contradicts, likeness


def shown_instead(carried: Sequence[str], alike: Sequence[Field], *, whole_lists: bool) -> str | None:
    """Give what fields show instead of what was sent; empty where they show that, None where nothing is known.

    Args:
        carried: what was sent under their name; nothing of a box that nobody ticked.
        alike: the fields of that name.
        whole_lists: whether all that is chosen of one list is compared.
    """
    if not carried and alike[0].kind != "box":
        return None
    several = len(carried) > 1 or any(len(one.chosen) > 1 for one in alike)
    if alike[0].kind == "select" and several and whole_lists:
        return _chosen_instead(carried, alike)
    if alike[0].kind in ("field", "select"):
        if len(carried) > 1:
            return None
        if alike[0].kind == "select":
            shown = next((one.holds[0] for one in alike if one.holds), "")
            holding = [one for one in alike if carried[0] in one.holds]
            # Where no option is said to be chosen a browser shows the first one, whatever was kept.
            return ("" if any(one.on for one in holding) else None) if holding else f"'{shown}'"
        if any(is_same(carried[0], one.holds) for one in alike):
            return ""
        shown = next((one.holds[0] for one in alike if one.holds), "")
        if not (shown and carried[0].strip()):
            return f"'{shown}'"
        return f"'{shown}'" if all(contradicts(carried[0], text) for text in alike[0].holds) else None
    on = [one for one in alike if one.on]
    if alike[0].kind == "radio":
        return "" if any(set(one.holds) & set(carried) for one in on) else f"'{on[0].holds[0]}'" if on else None
    boxes = {one.holds[0]: one.on for one in alike}
    if carried and boxes.keys().isdisjoint(carried):
        return None  # those that were ticked are gone
    missing = [text for text in carried if text in boxes and not boxes[text]]
    added = [text for text, ticked in boxes.items() if ticked and text not in carried]
    return "'not ticked'" if missing else "'ticked'" if added else ""


def _chosen_instead(carried: Sequence[str], alike: Sequence[Field]) -> str | None:
    """Give what is chosen instead of several options; empty where these are, None where nothing is known."""
    if any(one.kind != "select" for one in alike):
        return None
    sent, chosen = Counter(carried), [Counter(one.chosen) for one in alike]
    if sent in chosen or sum(chosen, Counter()) == sent:
        return ""
    return f"'{', '.join(text for one in alike for text in one.holds[::2])}'" if all(one.on for one in alike) else None


def is_same(carried: str, holds: Sequence[str]) -> bool:
    """Return whether a field holds what was sent, in whatever writing."""
    if not carried.strip():
        return not any(text.strip() for text in holds)
    return any(likeness(carried, text) is not None for text in holds)
