"""Addresses as pages, people and models write them: whatever the text is, it has parts.

The functions of ``urllib.parse`` raise on what no browser goes to, such as ``http://[::1``; a link or an answer may
hold it all the same. Not responsible for: checking an address that the program is to use.
"""

from __future__ import annotations

import re
from urllib.parse import SplitResult, quote, unquote_plus
from urllib.parse import urljoin as _urljoin  # noqa: TID251
from urllib.parse import urlsplit as _urlsplit  # noqa: TID251

_AGAIN = re.compile(r"(.*[^\W\d_].*)[-_]\d+")


def urlsplit(url: str) -> SplitResult:
    """Split an address as :func:`urllib.parse.urlsplit` does; what cannot be split is a path.

    Args:
        url: absolute or relative.
    """
    try:
        return _urlsplit(url)
    except ValueError:
        return SplitResult("", "", url, "", "")


def urljoin(base: str, url: str) -> str:
    """Give the whole address of what a page at ``base`` names, as :func:`urllib.parse.urljoin` does.

    Args:
        base: an absolute address.
        url: absolute or relative; given back where it cannot be split.
    """
    try:
        return _urljoin(base, url)
    except ValueError:
        return url


def asks_for(url: str, text: str) -> bool:
    """Return whether an address holds a text: what a page repeats of its own address was not kept.

    Args:
        url: absolute or relative.
        text: any.
    """
    return (
        bool(text.strip()) and text.casefold() in unquote_plus(urlsplit(url).query + urlsplit(url).fragment).casefold()
    )


def without_own(url: str, origin: str) -> str:
    """Give an address in which no value of a query says the whole address of a place of the same site.

    A site may lead back so from its page of log-in: ``/login?next=http://127.0.0.1/desk`` is ``/login?next=/desk``.

    Args:
        url: absolute, or relative to the site; also a template.
        origin: scheme, host and port of the site; empty where they are not known.
    """
    path, mark, asked = url.partition("?")
    if not (origin and mark):
        return url
    own = "|".join(map(re.escape, (origin, quote(origin, safe=""))))
    named = re.compile(rf"(?<==)(?:{own})(/|%2F|(?=[?#&]|%3F|%23|$))", re.IGNORECASE)
    return f"{path}?{named.sub(lambda found: found[1] or '/', asked)}"


def named_again(word: str) -> str:
    """Give the name to which a site has added a number: ``low-tide`` of ``low-tide-2``; empty where there is none.

    Args:
        word: a step of an address.
    """
    found = _AGAIN.fullmatch(word)
    return found[1] if found else ""
