"""Which field a secret may be typed into: one made for it, on an allowed host, in a form that goes to the site alone.

Not responsible for: which text is a secret (``simulator.secrets``), or typing it.
"""

from __future__ import annotations

from urllib.parse import urlsplit  # noqa: TID251 (what cannot be split is refused)

from simulator.browser.evidence import Target
from simulator.errors import ToolError
from simulator.template import MAILED_SECRET, PLACEHOLDER


def check_receiver(target: Target | None, value: str, *, at: str, shown: str, origin: str, allowed: str) -> None:
    """See that a secret may go into a field.

    What the site has sent to its user by mail may, alone, go into any input: a code seldom has a field of its own.

    Args:
        target: the field.
        value: the secrets, a template.
        at: address of the page, or of the frame in it, that the field is in.
        shown: address of the page.
        origin: scheme, host and port of the site.
        allowed: the hosts that may be visited, in words, where ``at`` is on none of them; else empty.

    Raises:
        ToolError: ``not_allowed``.
    """
    whole = PLACEHOLDER.fullmatch(value)
    mailed = whole is not None and whole.group(1).startswith(MAILED_SECRET)
    made_for = target is not None and (target.secret or (mailed and target.tag == "input"))
    if target is None or not made_for or "cc-" in target.autocomplete:
        raise ToolError("not_allowed", "a secret may only be typed into a password or one-time-code field")
    if allowed:
        raise ToolError("not_allowed", f"a secret is only typed on {allowed}, and this is {at}")
    if urlsplit(at)[:2] not in (urlsplit(shown)[:2], urlsplit(origin)[:2]):
        raise ToolError("not_allowed", f"a secret is not typed into what another host shows in a frame: {at}")
    # Its first button may send the form elsewhere than the form itself says.
    for sent in (target.form, target.press.sends if target.press else ""):
        receiver = sent.partition(" ")[2]
        if not _leads_to(origin, receiver):
            raise ToolError("not_allowed", f"a secret is only sent to {origin}, and this form goes to {receiver}")


def _leads_to(origin: str, address: str) -> bool:
    """Return whether what a form names as its receiver is on an origin; what cannot be split is nowhere."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    own = parts.scheme == "javascript" or not (parts.scheme or parts.netloc)
    return own or f"{parts.scheme}://{parts.netloc}" == origin
