"""Canonical JSON and content hashes, and what stays the same of an address. Not responsible for: where they are stored.

The forms below are part of the recording format: a change here changes every hash. The page's script gets the patterns
of what sites mint from here.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple
from urllib.parse import urlunsplit

from simulator.addresses import urlsplit

_KNOWN_ADDRESSES = 2_000
"""How many shapes of addresses are remembered: one action asks for that of its page a dozen times."""
_HASH_ROUTE = re.compile(r"(!?)(/(?!/).*)", re.DOTALL)
_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
_HEX = r"(?=[0-9a-f]*\d)[0-9a-f]{12,}"
_MIXED = r"(?=[\w-]*\d)(?=[\w-]*[A-Z])[\w-]{16,}"
_CONSONANT = "[b-df-hj-np-tv-xzB-DF-HJ-NP-TV-XZ]"
_LETTERS = (
    r"(?=[A-Za-z]*[A-Z]{2})(?=[A-Za-z]*[a-z])(?!(?:[a-z]*[A-Z]){0,3}[a-z]*$)"
    rf"(?:(?![A-Za-z]*[a-z]{{6}})|(?=[A-Za-z]*{_CONSONANT}{{6}}))[A-Za-z]{{16,}}"
)
"""A token that happens to hold no digit: capitals stand together as in no row of words, and no lower-case word is long,
or so many consonants follow each other that nobody could say it. One of sixteen tokens of sixteen letters and digits
has no digit, and nine of ten of those are known by this."""
_WORDS = "(?:[A-Z]{1,5}[a-z]{3,})*"
_NAME = rf"(?!(?:[a-z]{{2,}})?{_WORDS}(?:[A-Z]{{1,5}}(?:[a-z]{{2}}|s)(?![a-z]){_WORDS})?[A-Z]{{0,5}}$)"
"""Not a name of words that are written together: ``getHTTPResponseCode``. One of its words may be as short as ``To``.
Of random tokens of 22 letters this lets one of a hundred pass for a name."""
_NUMBERED_NAME = r"(?!(?:[a-z]{2,}\d{0,4})?(?:[A-Z]{1,5}[a-z]{3,}\d{0,4})*$)"
_SLUG = r"(?!(?:[A-Z]?[a-z]+|\d{1,4})(?:[_-](?:[A-Z]?[a-z]+|\d{1,4}))+$)"
"""Neither ``uploadStep2Form`` nor ``Chapter-2-The-Long-Road``. Of random tokens of 16 characters one of a thousand is
such a name."""


def _numbers(least: int) -> str:
    """Give what looks ahead for so many numbers apart from each other in one word of lower-case letters and digits."""
    return rf"(?=[a-z]*(?:\d+[a-z]+){{{least - 1}}}\d)"


def _unsaid(least: int) -> str:
    """Give what looks ahead for so many consonants in a row."""
    return rf"(?=[a-z\d]*{_CONSONANT}{{{least}}})"


_LOWER = (
    rf"((?:[a-z]{{1,8}}[_-])?)(?:{_numbers(4)}|{_numbers(3)}(?:(?![a-z\d]*[a-z]{{7}})|{_unsaid(4)})"
    rf"|{_numbers(2)}{_unsaid(5)}|(?=[a-z]*\d){_unsaid(6)})[a-z\d]{{16,}}"
)
"""A token of lower-case letters and digits, as ``cnp5gk8om7ktx84j2j122qrv``, or one behind what it is of, as
``user_01h455vb4pex5vsknk084sn02q``: so many numbers stand apart in it as in no row of words, or nobody could say it. Of
random tokens of 24 characters this lets one of thirty pass for a name; of 16 characters one of five. A name of four
numbers (``mp3to4k8mono2stereo``) is taken for a token: two pages that are called so have one shape."""

EVIDENCE: Final = 3
"""Version of the rules by which evidence is taken now; a run stores its own, and is replayed by those."""
REFUSALS: Final = 2
"""Version of the rules by which a page's refusals are read now, stored and compared in the same way. The first read
``role=alert``, ``aria-invalid``, ``.errorlist`` and ``.invalid-feedback``."""
EFFECTS: Final = 12
"""Version of the rules by which effects are observed now, stored with a run; 0: nothing was observed. By the first one
what a page showed once, such as a message, could be kept; by the second also what the browser itself kept; by the
third also what the site had refused, and any picture at a new address stood for a file; by the fourth where one text
of a write stood could show another one that it is the beginning of, or names; by the fifth also one that it is in
another spelling; by the sixth what a site shows around its pages could show what was put in, and a link within a
document tied all of it; by the seventh an option that was pressed in a list that a script draws was no input; by the
eighth what stood in a database of the browser, or as a plain text in one of its stores, was kept; by the ninth one
place could prove the same value of two things, and a thing that its address calls by a word was known by its page
alone; by the tenth what an address of a list holds, to which the request itself said to return, was taken for an id,
a thing was gone where any address with its id was answered with 404, and a control that had stood beside the pressed
one could be taken for it; by the eleventh what asked back far from the row whose button had opened it was for no row,
cards were none between which stood something that shows nothing, or of which one had a class more, what an act had
opened in a list was gone where the list was loaded again, a link to ``#`` that was called as a thing made its document
the thing's page, a press that named a thing of the user's asked for nothing where no page showed what the site calls
it, a button beside a list was gone from the card of what was ticked for it, a switch that a script draws in a form was
no input where it was pressed, short texts side by side, as in a menu, proved a choice though they had stood on other
pages before, a time that a script gave back as it had come had to be shown by the page of the thing, what stood beside
a pressed button was carried only under its own name, the data of a thing that a page fetched proved nothing, what the
card of a pressed control said beside it was no state of its thing, a row with the link that is called as a thing was
not that thing's, what stood under the name of an input beside others of its write said nothing of it, what was
pressed in a calendar that a script draws was no input, what a page said of the button that had sent a form it
had not to say again, the beginning of a text that a page had shown as a whole, in another writing, was enough, the form
of a thing that came back with an empty field for the next remark said nothing of the other ones, a form without an
address was another one than what it sent where the address of its page has a query, a look at the form of a thing saw
nothing of it once twelve documents had come since it was sent, a field that an element of the site's own draws was not
called as what sends it, such elements were no cards, what stood in a shadow root had not been said before, a form
carried nothing whose body a script had escaped otherwise than browsers do, what the answer called as an option was that
the user had chosen was not new, at the end of a run nothing was looked for where something was put in and not sent,
what a form for something new came with, and nobody changed, was not seen again where no page shows it, a radio button
being called by its own label and not by what its group asks, what the page of a thing said since a press was no
state of it, a short code in lower case, as ``k3f9a1``, was nothing by which a request could name its thing, a word by
which one did, as ``low-tide``, was taken for the title that it spells, what a filter had hidden was gone, what a script
sent for the thing of a page, as ``/recipes/41/copy``, without a text asked for nothing, what an answer named within
an object that has an id, as the owner of a new thing, was new, what stood beside a file in a script's form was nothing
that was sent, what a form had sent of a list that its user left was not compared, a removal with words, as a reason
for it, or the name of the thing once more, was not looked for, a view to which a visit leads within its document was
looked at only where something was sent meanwhile, HTML with which a script is answered called nothing anything, what
the browser kept was proven by any input in it that the site had brought, as an e-mail address by the name that it
holds, what a script sent of a field in no form, which its user had left, no page had to show, and two things with an
address in common were one, so that the form of the one was that of the other."""


_CHOICE = re.compile(r"[^\W\d_]{1,24}(?:[ _-][^\W\d_]{1,24}){0,3}")


class _Generated(NamedTuple):
    """Patterns of what sites mint, each of a whole path segment or query value. A group is what stays of it in a shape.

    They are written so that Python and JavaScript read them alike.
    """

    program: tuple[str, ...]
    page: tuple[str, ...]


_FIRST = (r"\d+", _UUID, _HEX, r"[A-Za-z]{1,6}-\d+", _MIXED)
_SECOND = (r"\d+", _UUID, _HEX, r"([A-Za-z]{1,6}-)\d+", _NUMBERED_NAME + _SLUG + _MIXED, _NAME + _LETTERS)
_THIRD = (*_SECOND, _LOWER)
_GENERATED: Mapping[int, _Generated] = {
    1: _Generated((*_FIRST, _LETTERS), _FIRST),
    2: _Generated(_SECOND, _SECOND),
    3: _Generated(_THIRD, _THIRD),
}
"""By version. In the first one the page knew no tokens without a digit, and ``save-42`` had the shape of
``delete-42``; in the second one no tokens in lower case but of hexadecimal digits."""
_COMPILED = {
    version: tuple(re.compile(pattern, re.ASCII) for pattern in rules.program) for version, rules in _GENERATED.items()
}

_CODE = re.compile(
    r"(?=[A-Za-z]*\d)(?=\d*[A-Za-z])(?![a-z]{2,}\d+$)(?!\d+[a-z]{2,}$)[A-Za-z\d]{5,15}|[A-Z]{5,15}", re.ASCII
)
"""A short code. Of codes of six letters and digits in both cases one of three has no digit, and is not one here."""
_BOTH_CASES = re.compile(r"(?=[A-Za-z\d]*(?:[a-z\d][A-Z]|[A-Z]{2}[A-Za-z\d]*[a-z]))[A-Za-z\d]{5,15}", re.ASCII)
"""Letters of both cases, and no word: *ooEHxY*, *XCheyi*. So is a name written that is made of words: *myTalks*."""
_TOLD = re.compile(r"(?=[\w-]*[A-Za-z])(?=[\w-]*(?:[a-z\d_-][A-Z]|[A-Z]{2}[\w-]*[a-z]|\d))[\w-]{8,40}", re.ASCII)
"""A code of the letters that need no escape in an address: *kT_ORC0e9RY*. Many a word is written so: *createdAt*."""
_ID = re.compile(r"(?:^|[_.-])(?:id|pk)$|[a-z]I[dD]$|^ID$")
_ENCODER = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def canonical_json(value: object) -> str:
    """Write a JSON value in its one canonical form: sorted keys, no spaces, UTF-8 text, no NaN.

    Args:
        value: anything :mod:`json` can write.

    Returns:
        The text, without a trailing newline.

    Raises:
        ValueError: the value holds NaN or an infinity.
    """
    return _ENCODER.encode(value)


def well_formed(text: str) -> str:
    """Give a text that can be encoded: halves of a character that meet are joined, one that is alone is U+FFFD."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def sha256(data: bytes | str) -> str:
    """Hash bytes, or a text's UTF-8 bytes.

    Returns:
        64 lower-case hexadecimal digits.
    """
    return hashlib.sha256(data.encode() if isinstance(data, str) else data).hexdigest()


def content_hash(value: object) -> str:
    """Hash a JSON value by its canonical form."""
    return sha256(canonical_json(value))


def page_patterns(version: int = EVIDENCE) -> tuple[str, ...]:
    """Give the patterns of server-generated values for the page's script.

    Raises:
        ValueError: there is no such version.
    """
    if version not in _GENERATED:
        raise ValueError(f"evidence of version {version} is not known; this program knows up to {EVIDENCE}")
    return _GENERATED[version].page


def is_generated(segment: str, version: int = EVIDENCE) -> bool:
    """Return whether a path segment or a query value looks server-generated by a site: a number, a UUID, a token.

    Args:
        segment: decoded or not.
        version: of the evidence that it stands in.
    """
    return masked(segment, version) != segment


def is_words(value: str) -> bool:
    """Return whether a choice is sent as a few words, which no site has generated.

    Args:
        value: of an option, a radio button or a box.
    """
    return _CHOICE.fullmatch(value) is not None and not is_generated(value)


def is_code(segment: str) -> bool:
    """Return whether a path segment may be a short code by which a site calls a thing; so may a word be written."""
    return _CODE.fullmatch(segment) is not None and not is_generated(segment)


def is_drawn(segment: str) -> bool:
    """Return whether a path segment to which a site has led on by itself is a code that it has drawn for that visit."""
    return is_code(segment) or (_BOTH_CASES.fullmatch(segment) is not None and not is_generated(segment))


def is_told_code(value: str) -> bool:
    """Return whether a query value is a code, where an answer of the site has told it, or another one stood before."""
    return is_drawn(value) or (_TOLD.fullmatch(value) is not None and not is_generated(value))


def masked(segment: str, version: int = EVIDENCE) -> str:
    """Give what stays of a path segment or a query value from one visit to the next: ``{id}`` for what is generated."""
    for pattern in _COMPILED[version]:
        if found := pattern.fullmatch(segment):
            return "".join(found.groups()) + "{id}"
    return segment


def calls_an_id(name: str) -> bool:
    """Return whether a name in a query calls its value an id: a number there is server-generated, as in a path."""
    return _ID.search(name) is not None


@lru_cache(maxsize=_KNOWN_ADDRESSES)
def url_shape(url: str) -> str:
    """Reduce a URL to what stays the same between two visits: no host, server-generated segments as ``{id}``.

    Query values are kept when they are words and masked when they look server-generated; the order of the query's
    parameters does not count.

    Args:
        url: absolute or relative.

    Returns:
        For example ``/items/{id}/edit?sort=title``.
    """
    parts = urlsplit(url)
    mark, route = hash_route(parts.fragment)
    place = mark + urlunsplit(("", "", *_shapes(*route.partition("?")[::2]), "")) if route else parts.fragment
    return urlunsplit(("", "", *_shapes(parts.path, parts.query), "" if is_generated(place) else place))


def _shapes(path: str, query: str) -> tuple[str, str]:
    """Give the shape of a path and that of a query."""
    pairs = (pair.partition("=") for pair in query.split("&") if pair)
    return (
        "/".join(map(masked, path.split("/"))),
        "&".join(sorted(key + sep + masked(value) for key, sep, value in pairs)),
    )


def hash_route(fragment: str) -> tuple[str, str]:
    """Give what marks a fragment as the address of a part of an application, and that address: ``!`` and ``/items/42``.

    Both are empty where the fragment is a place in the page.
    """
    found = _HASH_ROUTE.fullmatch(fragment)
    return (found.group(1), found.group(2)) if found else ("", "")


def map_strings(value: Any, change: Any) -> Any:
    """Rebuild a JSON value with every string (keys excepted) passed through ``change``.

    Args:
        value: a JSON value.
        change: a function of a string to a string.

    Returns:
        A new value of the same shape.
    """
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {key: map_strings(item, change) for key, item in value.items()}
    if isinstance(value, Sequence):
        return [map_strings(item, change) for item in value]
    return value
