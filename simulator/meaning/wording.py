"""Values that are words, names or addresses, and how a text shows them. Not responsible for: numbers and dates."""

from __future__ import annotations

import re
from functools import cache
from urllib.parse import unquote

from simulator.meaning.folding import ELLIPSIS, bare, between_words, places, tidy, typed, unspaced, weight, words
from simulator.meaning.kinds import Likeness
from simulator.meaning.markup import texts_of
from simulator.meaning.text import Text

_LEAST_CUT = 12
"""Letters of a beginning that nothing marks as cut, or that stands in a longer text."""
_LEAST_MARKED = 4
"""Letters of a beginning that is marked as cut, and stands alone."""
_MORE = (
    "more", "read more", "show more", "see more", "continue reading", "mehr", "mehr lesen", "mehr anzeigen",
    "weiterlesen", "plus", "lire la suite", "voir plus", "lire plus", "más", "leer más", "ver más", "altro",
    "leggi tutto", "mostra altro", "mais", "ler mais", "ver mais", "meer", "lees meer", "meer lezen", "läs mer",
    "les mer", "læs mere", "więcej", "czytaj więcej", "více", "ещё", "еще", "читать далее", "もっと見る",
    "続きを読む", "더 보기", "更多", "阅读更多", "展开",
)  # fmt: skip
"""What a link after a cut says, in the languages of the prose of personas and a few more."""
_INNER = re.compile(r"\w[.@/:\\+~=&?%#_]+\w|\d-\w|\w-\d|\w[+#]+$|^[@#]\w")
"""Signs that make a single word a name of its own: ``john_smith`` is not ``john smith``, ``C++`` is not ``C``."""
_IDENTIFIER = re.compile(r"[a-z0-9]+(?:_[a-z0-9]+)+")
_OPTION = re.compile(
    r"[A-Z]{2,3}|[a-z]{2}(?:[-_][A-Z]{2})?|[a-z0-9]+(?:_[a-z0-9]+)+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
)
"""What an option may have as its value, while a page shows words for it: ``GB``, ``in_stock``, a UUID."""
_LIST = re.compile(r"\s*[,;\n]\s*")
_TOKEN_BEFORE = re.compile(r"[_@/]$|\w[.+:~=-]$")
_TOKEN_AFTER = re.compile(r"[_@]|[.+/:~=?&#%-]\w")
_EDGES = " \"'()[]{}<>.,;:!?*_`"


def _items(words: str) -> list[str]:
    """Give the words of a list whatever their order, and without the sign that many a page puts before a tag."""
    return sorted(word.removeprefix("#") for word in words.split())


@cache
def _more() -> frozenset[str]:
    return frozenset(words(typed(text)) for text in _MORE)


class Words:
    """A text: the same words in the same order.

    Args:
        put: as it was put in, lines and markup and all.
    """

    def __init__(self, put: str) -> None:
        texts = list(dict.fromkeys(tidy(text) for text in texts_of(put)))
        self._put = texts[0]
        self._tidy = [text for text in texts if text]
        self._typed = list(dict.fromkeys(map(typed, self._tidy)))
        self.forms = list(dict.fromkeys(filter(None, map(words, self._typed))))
        self._needles = [_padded(form) for form in self.forms]
        self._strict = " " not in self._put and len(texts) == 1 and _INNER.search(self._put) is not None
        self._single = not any(" " in text or any(map(unspaced, text)) for text in self._tidy)
        self._named = _IDENTIFIER.fullmatch(self._put) is not None
        self._blocks = {form.replace(" ", "") for form in self.forms} if "\n" in put or len(texts) > 1 else set()
        self._marks = len(ELLIPSIS.findall(self._typed[0])) if self._typed else 0
        accentless = [bare(form) for form in self.forms]
        self._accentless = [_padded(form) for form in accentless] if accentless != self.forms else []
        items = [item for item in _LIST.split(put.strip()) if item]
        short = len(items) > 1 and all(len(item.split()) <= 2 for item in items)
        self._items = _items(self.forms[0]) if short and self.forms else []

    def likeness(self, text: Text) -> Likeness | None:
        """Judge a text that as a whole may be these words."""
        if text.tidy in self._tidy:
            return "same"
        if not text.tidy:
            return None
        if text.typed in self._typed or (text.unescaped and text.unescaped.tidy in self._tidy):
            return "transformed"
        if self._strict and not self._named:
            return "transformed" if text.typed.strip(_EDGES) in self._typed else self._beginning(text)
        if text.words in self.forms or (self._blocks and text.words.replace(" ", "") in self._blocks):
            if not text.words:
                return None
            return "beginning" if self._lacks_signs_alone(text) else "transformed"
        if self._items and _items(text.words) == self._items:
            return "transformed"
        if self._accentless and text.capitals and text.capitals.strip() in map(str.strip, self._accentless):
            return "transformed"
        return self._beginning(text)

    def _lacks_signs_alone(self, text: Text) -> bool:
        """Return whether a text with all of the words was cut, so that signs at the end are all that it lacks."""
        marked = len(text.cuts) > self._marks and not text.cuts[-1][1]
        return marked and weight(text.words) >= _LEAST_MARKED and not self._typed[0][-1].isalnum()

    def _beginning(self, text: Text) -> Likeness | None:
        if self._single and not self._is_cut_in(text):
            return None
        for head, rest in text.cuts:
            if weight(head) < _LEAST_MARKED:
                continue
            for form in self.forms:
                ends = not rest or rest in _more() or (form.endswith(rest) and len(head) + len(rest) < len(form))
                if ends and form != head and form.startswith(head):
                    return "beginning"
        if text.cuts or weight(text.words) < _LEAST_CUT:
            return None
        end = "" if unspaced(text.words[-1]) else " "
        return "beginning" if any(form.startswith(text.words + end) for form in self.forms) else None

    def find_in(self, text: Text) -> Likeness | None:
        """Seek the words in a text, where words begin and end."""
        padded = text.padded
        for needle in self._needles:
            if needle in padded:
                return self._how(text)
        if not self._needles:
            return "same" if self._put and self._put in text.tidy else None
        if text.unescaped and self.find_in(text.unescaped):
            return "transformed"
        if text.cuts:
            return None if self._single and not self._is_cut_in(text) else self._cut_in(text)
        if self._accentless and text.capitals and any(needle in text.capitals for needle in self._accentless):
            return "transformed"
        return None

    def _how(self, text: Text) -> Likeness | None:
        """Return how words stand in a text that are known to stand in it."""
        for mine in self._tidy:
            for start, end in places(mine, text.tidy):
                if between_words(text.tidy, start, end) and (" " in mine or not _within(text.tidy, start, end)):
                    return "same"
        if " " in self._put:
            return "transformed"
        for mine in self._typed:
            for start, end in places(mine, text.typed):
                if between_words(text.typed, start, end) and not _within(text.typed, start, end):
                    return "transformed"
        return None

    def _is_cut_in(self, text: Text) -> bool:
        """Return whether a mark follows a beginning of this one word, an e-mail address for example.

        Nothing else shows that it was cut: ``Ada Moor`` is a name, and no beginning of ``ada.moor.7@example.org``.
        """
        typed = text.typed
        ends = (mark.start() for mark in ELLIPSIS.finditer(typed))
        heads = (typed[typed.rfind(" ", 0, end) + 1 : end].lstrip(_EDGES) for end in ends)
        return any(head and mine.startswith(head) for head in heads for mine in self._typed)

    def _cut_in(self, text: Text) -> Likeness | None:
        for head, _ in text.cuts:
            for form in self.forms:
                first = form.split(" ", 1)[0] if not unspaced(form[0]) else form[:2]
                # A beginning is no longer than the whole. What is sought in may be all that a site has brought, scripts
                # included: their first word, such as "a", stands there thousands of times.
                nearest = max(0, len(head) - len(form))
                for at, _end in places(first, head[nearest:]):
                    start = nearest + at
                    part = head[start:]
                    begins = start == 0 or head[start - 1] == " " or unspaced(head[start])
                    if begins and form.startswith(part) and weight(part) >= _LEAST_CUT:
                        return "beginning"
        return None

    def contradicts(self, text: Text) -> bool:
        """Return whether other words stand there; those for an option's value are no other ones."""
        if _OPTION.fullmatch(self._put) and not _OPTION.fullmatch(text.tidy):
            return False
        return not any(form.startswith(head) for head, _ in text.cuts[self._marks :] if head for form in self.forms)


def _padded(form: str) -> str:
    """Give words to be sought among padded ones; scripts without spaces are found anywhere."""
    if not form:
        return form
    return ("" if unspaced(form[0]) else " ") + form + ("" if unspaced(form[-1]) else " ")


def _within(text: str, start: int, end: int) -> bool:
    """Return whether a single word is a part of an address or of a name with signs in it."""
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    return _TOKEN_BEFORE.search(before) is not None or _TOKEN_AFTER.match(after) is not None


_ADDRESS = re.compile(
    r"(?:[a-z][a-z0-9+.-]*://|www\.)\S+|(?:[a-z0-9-]+\.)+[a-z]{2,}(?::\d+)?(?:[/?#]\S*)?", re.IGNORECASE
)
_SCHEME = re.compile(r"^(?:[a-z][a-z0-9+.-]*:)?(?://)?(?:www\.)?", re.IGNORECASE)
_CUT_ADDRESS = re.compile(r"(.*?)\.{3,}(.*)")


class Address:
    """The address of a page: its scheme, ``www`` and the slash at its end do not count.

    Args:
        put: without white space.
    """

    def __init__(self, put: str) -> None:
        self._put = put
        self._bare = _bare_address(put)
        self._pattern = re.compile(
            r"(?<![\w@%-])(?<!\w\.)(?:[a-z][a-z0-9+.-]*://)?(?:www\.)?"
            + re.escape(self._bare)
            + r"/?(?![\w/?#&=%@-]|\.\w)"
        )

    def likeness(self, text: Text) -> Likeness | None:
        """Judge a text that may be this address, or be cut out of it."""
        if text.tidy == self._put:
            return "same"
        if " " in text.tidy:
            return None
        if _bare_address(text.tidy) == self._bare:
            return "transformed"
        cut = _CUT_ADDRESS.fullmatch(text.typed)
        if cut and (head := _bare_address(cut[1])) and weight(head) >= _LEAST_MARKED:
            return "beginning" if self._bare.startswith(head) and self._bare.endswith(cut[2].rstrip("/")) else None
        return None

    def find_in(self, text: Text) -> Likeness | None:
        """Seek the address in a text."""
        if self._bare not in text.typed:
            return None
        for place in places(self._put, text.tidy):
            if between_words(text.tidy, *place) and not _within(text.tidy, *place):
                return "same"
        return "transformed" if self._pattern.search(text.typed) else None

    def contradicts(self, text: Text) -> bool:
        """Return whether a text is another address, or other words."""
        return True


def address_put(put: str) -> Address | None:
    """Read a tidy text as an address; None where it is not one."""
    return Address(put) if _ADDRESS.fullmatch(put) else None


def _bare_address(text: str) -> str:
    return typed(unquote(_SCHEME.sub("", text, count=1))).rstrip("/")
