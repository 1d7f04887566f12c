"""The proxy's part in a lie: the site gets something else than the browser sent, and nobody says so."""

from __future__ import annotations

import hashlib
import io
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta

from PIL import Image

from benchmarks.lies.generate import Lie
from benchmarks.sites.bodies import Leaf, Value, changed, leaves
from benchmarks.sites.proxy import Answered, Ask, Asked, Change, Passed


class Untold(ValueError):
    """A write has no value of the recorded place, or nothing else can be put there: there is nothing to lie about."""


class Lying(Change):
    """Tells one lie.

    Args:
        lie: which one.
        answers: the writes of an honest replay with their answers: what a swallowed write is answered with.
    """

    def __init__(self, lie: Lie, answers: Sequence[Passed]) -> None:
        super().__init__()
        self._lie = lie
        self._answers = answers
        self._seen: Counter[str] = Counter()
        self.told: Asked | None = None
        """The write that it was told about, as the browser sent it."""
        self.untold = ""
        """Why it could not be told."""

    async def write(self, asked: Asked, ask: Ask) -> Answered:
        """Ask the site for something else, or for nothing."""
        lie = self._lie
        if not lie.write.is_like(asked):
            return await ask(asked)
        self._seen["like"] += 1
        if self._seen["like"] - 1 != lie.write.number:
            return await ask(asked)
        try:
            return await self._lied(asked, ask)
        except Untold as reason:
            self.untold = str(reason)
            return await ask(asked)

    async def _lied(self, asked: Asked, ask: Ask) -> Answered:
        lie = self._lie
        if lie.kind == "swallowed":
            like = [one for one in self._answers if lie.write.is_like(one.asked)]
            self.told = asked
            return _without_cookies(like[lie.write.number].answered)
        if lie.kind == "doubled":
            self.told = asked
            answered = await ask(asked)
            await ask(asked)
            return answered
        body = _body(lie, asked)
        if body == asked.body:
            raise Untold("the body is the same")
        self.told = asked
        return await ask(replace(asked, body=body))


def _without_cookies(answered: Answered) -> Answered:
    """Give an answer that leaves the session alone: a cookie of the honest replay's would end that of this one."""
    return replace(answered, headers=tuple(pair for pair in answered.headers if pair[0].lower() != "set-cookie"))


def _body(lie: Lie, asked: Asked) -> bytes:
    kind = asked.header("content-type")
    found = {one.place: one for one in leaves(kind, asked.body) or ()}
    for place in filter(None, (lie.place, lie.other)):
        if place not in found:
            raise Untold(f"there is no {place}")
    values: Mapping[str, Value] = {}
    if lie.kind in ("dropped", "file lost"):
        return changed(kind, asked.body, {}, [lie.place])
    if lie.kind == "swapped":
        one, other = found[lie.place].value, found[lie.other].value
        values = {lie.place: other, lie.other: one}
    else:
        values = {lie.place: _otherwise(found[lie.place])}
    return changed(kind, asked.body, values)


def _otherwise(leaf: Leaf) -> Value:
    """Give another value of the same type, which a site would take as well."""
    value = leaf.value
    if isinstance(value, bytes):
        return _other_picture(value)
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    if value is None:
        return "something"
    return other_text(value)


def other_text(text: str) -> str:
    """Give another text: a number near it, the day after, another address, or one word of it otherwise."""
    if re.fullmatch(r"-?\d+", text):
        return str(int(text) + 1)
    if re.fullmatch(r"-?\d+\.\d+", text):
        # The least that a person would call another price.
        digits = len(text.partition(".")[2])
        return f"{float(text) - 5 * 10**-digits:.{digits}f}"
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
        return (date.fromisoformat(text) + timedelta(days=1)).isoformat()
    if "@" in text:
        return f"x{text}"
    words = re.findall(r"\w+", text)
    if not words:
        return f"{text}x"
    longest = max(words, key=len)
    letters = longest[::-1] if longest[::-1] != longest else f"{longest}x"
    return text.replace(longest, letters.lower(), 1)


def _other_picture(data: bytes) -> bytes:
    try:
        kind = Image.open(io.BytesIO(data)).format or "PNG"
    except OSError:
        return data[::-1]
    colour = tuple(hashlib.sha256(data).digest()[:3])
    made = io.BytesIO()
    Image.new("RGB", (320, 480), colour).save(made, kind)
    return made.getvalue()
