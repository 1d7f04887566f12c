"""One-time codes from a shared secret and the time (RFC 6238). Not responsible for: keeping the secret."""

from __future__ import annotations

import base64
import binascii
import hmac

_PERIOD_S = 30
_DIGITS = 6


def one_time_code(secret: str, at: float) -> str:
    """Give the code of a moment, as the usual authenticator applications do: SHA-1, six digits, 30 seconds.

    Args:
        secret: in base32, as a site shows it beside its QR code; spaces and case do not count.
        at: seconds since 1970.

    Raises:
        ValueError: the secret is no base32.
    """
    bare = _bare(secret)
    try:
        key = base64.b32decode(bare + "=" * (-len(bare) % 8))
    except binascii.Error as error:
        raise ValueError("expected a secret in base32") from error
    digest = hmac.digest(key, int(at // _PERIOD_S).to_bytes(8, "big"), "sha1")
    start = digest[-1] & 0x0F
    number = int.from_bytes(digest[start : start + 4], "big") & 0x7FFFFFFF
    return f"{number % 10**_DIGITS:0{_DIGITS}d}"


def spellings(secret: str) -> tuple[str, ...]:
    """Give the ways in which a site shows a secret: in one piece and in groups of four, in capitals and small letters.

    Args:
        secret: in base32, in any of these ways.
    """
    bare = _bare(secret)
    groups = [bare[at : at + 4] for at in range(0, len(bare), 4)]
    capitals = (bare, " ".join(groups), "-".join(groups))
    return (*capitals, *(text.lower() for text in capitals))


def _bare(secret: str) -> str:
    return "".join(secret.replace("-", " ").split()).rstrip("=").upper()
