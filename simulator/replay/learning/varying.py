"""An address that is another one each time, distinguished from an address of something else.

Pure functions over addresses. Not responsible for: what the site generates and names as such
(``browser.wire.server_values``).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from urllib.parse import quote, unquote, unquote_plus

from simulator.browser.wire.url_values import SITE
from simulator.canonical import hash_route
from simulator.replay.learning.learn import CHANGING
from simulator.template import CHANGING as CHANGING_NAME
from simulator.template import PLACEHOLDER

_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\b(\d+)\b", re.ASCII)

_OF_THE_SITE = (SITE, CHANGING_NAME)
"""What variables are called whose values are the site's."""
_DIGITS = 3
"""How many digits a part of an address has at least that is another one each time. Fewer count pages and steps: taken
for changing, they would let another page pass; what changes and has fewer keeps a run from being proven."""


def varying(template: str, url: str, *, wrote: bool = False, told: Collection[str] = ()) -> str:
    """Write what differs between a recorded address and the one of a second performance as changing.

    Only what holds several digits in both may change, as numbers, times and tokens do: ``/orders/confirmed`` and
    ``/orders/failed`` lead to two things, and so do ``/step-2`` and ``/step-3``. What a site says in its query where a
    write led is no page or step: of ``?said=keyword 1 created`` the words stay, and the number may change. The
    cost: of ``3 items added`` the number is not asked for any more where the second user saw another one; both had to
    show the same effects. Nor is a number of the query one that the site has just told as an id: an application of one
    page makes a view of what it has made, and writes ``?tab=12`` into its address. It costs that of ``?page=2`` the
    number is not asked for any more, where the second user came to another page whose number is one of these ids.

    Args:
        template: the recorded address.
        url: the one of the second performance, relative to the site.
        wrote: whether a writing request led there.
        told: the ids in answers of the site to writes of the second performance.

    Returns:
        The template; empty where the two are alike, or lead to two things.
    """
    path, query, fragment = _parts(template)
    here, asked, at = _parts(url)
    steps, others = path.split("/"), here.split("/")
    pairs, given = query.split("&"), asked.split("&")
    if fragment != at or len(steps) != len(others) or _names(pairs) != _names(given):
        return ""
    written = [_written(one, other) for one, other in zip(steps, others, strict=True)]
    values = [_value(one, other, wrote=wrote, told=told) for one, other in zip(pairs, given, strict=True)]
    if None in written or None in values or (written, values) == (steps, pairs):
        return ""
    text = "/".join(map(str, written)) + (f"?{'&'.join(map(str, values))}" if query else "")
    return text + (f"#{fragment}" if fragment else "")


def reworded(template: str, url: str, render: Callable[[str], str], put_in: Sequence[str] = ()) -> str:
    """Write what a site says in a query as it says it now, where it says the same of other things, in any order.

    Roundup leads from a change to ``/issue1?@ok_message=msg 2 created, issue 1 edited``. It counts its messages, so
    that another user who acts meanwhile shifts the number; and it takes the fields of a thing out of a set, so that
    they stand in another order each time. A number that shifted is server-generated, as one in the path is; but not one
    that the user put in, and none that is or was 0, which counts what was done. Another word says something else. It
    costs that ``from Leeds to York`` is taken for ``from York to Leeds``, and ``3 items added`` for ``2 items added``,
    so it is asked only of where a writing request led.

    Args:
        template: the recorded address.
        url: the one that is there now, relative to the site.
        render: puts values in place of variables.
        put_in: what the user put into what was written.

    Returns:
        The template; empty where nothing differs in that way, or something else does.
    """
    path, query, fragment = _parts(template)
    pairs, given = query.split("&"), _parts(url)[1].split("&")
    if _names(pairs) != _names(given):
        return ""
    written = [_said(one, other, render, put_in) for one, other in zip(pairs, given, strict=True)]
    return f"{path}?{'&'.join(written)}" + (f"#{fragment}" if fragment else "") if written != pairs else ""


def placed(template: str, url: str) -> tuple[str, str, str] | None:
    """Write another place in a page in place of the recorded one: ``/links#frrkxg`` for ``/links#CDFHfg``.

    A site may lead to what it has just made by a name that it draws each time. What is the same page, and what there
    is called so, the caller has to see.

    Args:
        template: the recorded address.
        url: the one that is there now, relative to the site.

    Returns:
        The template, the recorded place and the one of now; None where one of the two addresses names no place in a
        page, or both name the same.
    """
    was, place = _parts(template)[2], _parts(url)[2]
    if not was or not place or was == place or hash_route(was)[1] or hash_route(place)[1]:
        return None
    return template.removesuffix(was) + place, was, place


def _said(pair: str, now: str, render: Callable[[str], str], put_in: Sequence[str]) -> str:
    """Give a pair of a query, with the words of now where it says the same as the recorded ones."""
    name, sign, value = pair.partition("=")
    parts = [render(unquote_plus(part)) for part in value.split(CHANGING)]
    then, says = " ".join(parts), unquote_plus(now.partition("=")[2])
    was, are = Counter(_numbers(then)), Counter(_numbers(says))
    variables = (one for one in PLACEHOLDER.finditer(value) if not one[1].startswith(_OF_THE_SITE))
    own = [*put_in, *(render(one[0]) for one in variables)]
    kept = {number for text in own for number in _NUMBER.findall(text)}
    shifted = was - are
    is_same = _wording(then) == _wording(says) and are.total() == was.total() + len(parts) - 1
    counts = shifted and any(int(number) == 0 for _, number in (*shifted, *(are - was)))
    is_same = is_same and not counts and kept.isdisjoint(number for _, number in shifted)
    return f"{name}{sign}{quote(says)}" if then != says and " " in then and is_same else pair


def _wording(sentence: str) -> Counter[str]:
    """Count the words of a sentence, without the numbers in it."""
    return Counter(_WORD.findall(_NUMBER.sub(" ", sentence)))


def _parts(address: str) -> tuple[str, str, str]:
    bare, _, fragment = address.partition("#")
    path, _, query = bare.partition("?")
    return path, query, fragment


def _names(pairs: list[str]) -> list[str]:
    return [one.partition("=")[0] for one in pairs]


def _value(one: str, other: str, *, wrote: bool, told: Collection[str]) -> str | None:
    name, sign, value = one.partition("=")
    now = other.partition("=")[2]
    if value != now and value.isdigit() and now.isdigit() and now in told:
        return f"{name}{sign}{CHANGING}"
    written = (wrote and _counted(value, now)) or _written(value, now)
    return None if written is None else f"{name}{sign}{written}"


def _counted(one: str, other: str) -> str:
    """Write a sentence of which numbers differ, perhaps their order; empty where it is not one, or has another word."""
    then, says = unquote_plus(one), unquote_plus(other)
    words, others = _wording(then), _wording(says)
    was, now = _numbers(then), _numbers(says)
    left = Counter(was) - Counter(now)
    if "{{" in one or " " not in then or words != others or not words or len(was) != len(now) or not left:
        return ""
    written = []
    for place, part in enumerate(_NUMBER.split(then)):
        number = was[place // 2] if place % 2 else ("", "")
        written.append(CHANGING if left[number] > 0 else quote(part))
        left[number] -= left[number] > 0
    return "".join(written)


def _numbers(sentence: str) -> list[tuple[str, str]]:
    """Give the numbers of a sentence, each behind the word before it: 2 of ``msg 2`` is not the one of ``issue 2``."""
    found = _NUMBER.finditer(sentence)
    return [((_WORD.findall(sentence[: one.start()]) or [""])[-1], one[0]) for one in found]


def _written(one: str, other: str) -> str | None:
    """Write a part of an address; None where the other one leads to something else."""
    if "{{" in one or unquote(one) == unquote(other):
        return one
    changes = min(sum(char.isdigit() for char in unquote(part)) for part in (one, other)) >= _DIGITS
    return CHANGING if changes else None
