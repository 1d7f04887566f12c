"""What a page refuses: the field, the words, and of which kind they are. One reader, for agents and for replays.

Responsible for the kind of a refusal, and for which of them are new. Not responsible for: finding them on a page
(``page/7_refusals.js``), or what follows from one.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal, get_args

Kind = Literal["invalid", "taken", "missing", "forbidden", "rate_limit", "other"]
How = Literal["field", "page", "browser", "answer", "form"]
"""Where it is said: of a field, of the page or a form as a whole, by the browser that held the form back, in the answer
to a request, or in a form that came back."""
FormTexts = tuple[tuple[str, tuple[str, ...]], ...]
"""The shape of each form that a page sends, and the texts in and above it."""
Table = Literal["taken", "missing", "forbidden", "rate"]

MARKED: Final = "invalid"
"""The words of a field that is marked as wrong without any."""
_BY_STATUS: Mapping[int, Kind] = {401: "forbidden", 403: "forbidden", 409: "taken", 429: "rate_limit"}
_CONTRARY = "not"
_UNSPACED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7ff]")
"""Letters of scripts in which no space marks the end of a word, or in which endings follow without one."""

_CHANGING = re.compile(
    r"\{\{.*?\}\}|(?<!\w)'[^']*'(?!\w)|\"[^\"]*\"|\S*\d\S*"
    "|[\u201c\u201e\u00ab\u2018][^\u201c\u201d\u00bb\u2019]*[\u201c\u201d\u00bb\u2019]"
)
"""Variables, what is quoted, and what holds a number."""
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Refusal:
    """Something that a page, its browser or an answer of the site refuses."""

    words: str
    kind: Kind = "other"
    field: str = ""
    """What the field is called; empty where none is named."""
    name: str = ""
    """The field's ``name`` attribute, or its id."""
    how: How = "page"
    status: int = 0
    """Of the answer that said it; 0 for none."""

    @property
    def said(self) -> str:
        """Say it with its field: ``Title: 'Please fill in this field'``."""
        return f"{self.field}: '{self.words}'" if self.field else f"'{self.words}'"


def read_refusals(raw: Iterable[Mapping[str, Any]]) -> tuple[Refusal, ...]:
    """Make refusals of what the page script reports.

    Args:
        raw: each with words, field, name, how, status, and whether the browser misses something.
    """
    return tuple(
        Refusal(
            words=one["words"],
            kind="missing" if one["missing"] else kind_of(one["words"], bool(one["field"]), one["status"]),
            field=one["field"],
            name=one["name"],
            how=one["how"],
            status=one["status"],
        )
        for one in raw
    )


def kind_of(words: str, of_field: bool = False, status: int = 0) -> Kind:
    """Return what kind of refusal some words are.

    Args:
        words: what is said.
        of_field: whether it is said of a field.
        status: of the answer that said it; 0 for none.
    """
    if status in (401, 403, 429):
        return _BY_STATUS[status]
    if says(words, "taken"):
        return "taken"
    if says(words, "rate"):
        return "rate_limit"
    if says(words, "missing"):
        return "missing"
    if says(words, "forbidden"):
        return "forbidden"
    return _BY_STATUS.get(status) or ("invalid" if of_field or status in (400, 422) else "other")


def says(words: str, table: Table) -> bool:
    """Return whether words say what a table is about, in any language that people can be drawn in."""
    said, contrary = _patterns()[table]
    return said.search(words if contrary is None else contrary.sub(" ", words)) is not None


def languages(table: Table) -> frozenset[str]:
    """Give the languages of which a table has words."""
    return frozenset(_words()[table]) - {_CONTRARY}


def refused(alerts: Sequence[str], refusals: Sequence[Refusal]) -> tuple[Refusal, ...]:
    """Give what a page refuses, by today's rules; what the rules of its recording see besides comes last.

    Args:
        alerts: texts, by the rules of the recording.
        refusals: the same by those of today.
    """
    known = {one.words for one in refusals}
    older = tuple(Refusal(text, kind_of(text)) for text in alerts if text not in known)
    return (*refusals, *older)


def new_ones(refusals: Iterable[Refusal], known: Iterable[str]) -> tuple[Refusal, ...]:
    """Give the refusals that are not among texts that were there; names, titles and numbers in them do not count."""
    gists = {gist(text) for text in known}
    return tuple(one for one in refusals if gist(one.words) not in gists)


def gist(alert: str) -> tuple[str, ...]:
    """Give the words of an alert that make it what it is: names, titles, numbers and what is quoted change with users.

    A name may come first, where any word has a capital: the first word counts where no other does.
    """
    words = _WORD.findall(_CHANGING.sub(" ", alert))
    first, *rest = words or ("",)
    telling = tuple(word for word in rest if not (word[0].isupper() or any(map(str.isdigit, word))))
    return telling or (first.lower(),)


def said_above(before: FormTexts, after: FormTexts, form: str) -> tuple[Refusal, ...]:
    """Give what a page says in and above a form that has come back, and did not say when it was sent.

    Args:
        before: shape and texts of the forms of the page that it was sent from.
        after: the same of the page that followed.
        form: its shape.
    """
    known = {text for shape, texts in before if shape == form for text in texts}
    now = dict.fromkeys(text for shape, texts in after if shape == form for text in texts)
    if not any(shape == form for shape, _ in before):
        return ()
    return tuple(Refusal(text, kind_of(text), how="form") for text in now if text not in known)


@cache
def _words() -> Mapping[str, Mapping[str, Sequence[str]]]:
    return tomllib.loads(files("simulator.browser").joinpath("refusals.toml").read_text("utf-8"))


@cache
def _patterns() -> Mapping[str, tuple[re.Pattern[str], re.Pattern[str] | None]]:
    made = {}
    for table in get_args(Table):
        phrases = _words()[table]
        said = [phrase for language, some in phrases.items() if language != _CONTRARY for phrase in some]
        contrary = phrases.get(_CONTRARY)
        made[table] = _pattern(said), _pattern(contrary) if contrary else None
    return made


def _pattern(phrases: Sequence[str]) -> re.Pattern[str]:
    return re.compile("|".join(sorted({_phrase(one) for one in phrases}, key=len, reverse=True)), re.IGNORECASE)


def _phrase(phrase: str) -> str:
    stem = phrase.removesuffix("*")
    spaced = r"\s+".join(re.escape(word).replace("'", "['\u2019]") for word in stem.split())
    if _UNSPACED.search(stem):
        return spaced
    return rf"(?<!\w){spaced}" + (r"\w*" if stem != phrase else r"(?!\w)")
