"""What people write: descriptions of books, messages, a line about themselves.

Responsible for wording by language, trait and draw. The phrases are data in `phrases/<language>.json`;
English is used where a language has none. Slips of the finger are made here too, and only in running text:
names, titles and authors that a sentence quotes stay as they are, so that they can be recognised.
"""

import json
import re
from functools import cache
from importlib import resources
from typing import NamedTuple

from simulator.persona.catalogue import Title
from simulator.persona.draws import Draw
from simulator.persona.model import Traits

Key = tuple[str | int, ...]
_EXTRAS = 3
"""How many sentences a long description has beyond a normal one."""
_WORD = re.compile(r"\{\w*\}|[^\W\d_]{4,}")
_LOWER_ASCII = "abcdefghijklmnopqrstuvwxyz"
_TITLE_LENGTH = 80


class Phrases(NamedTuple):
    """The wording of one language."""

    joint: str
    """What stands between two sentences."""
    summary: str
    """What a short description starts with, with {title} and {year}."""
    conditions: dict[str, list[str]]
    """Sentences on a copy's state, by condition."""
    books: list[str]
    """Sentences on the book, with {title}, {author} and {year}."""
    extras: list[str]
    """Further sentences of a long description."""
    closings: list[str]
    revisions: list[str]
    """What a later edit adds to a description."""
    about: str
    """How a message names the listing it is about, with {title}."""
    greetings: list[str]
    messages: list[str]
    farewells: list[str]
    """Last words of a message, with {name}."""
    bios: list[str]
    """A line about oneself, with {name} and {city}."""
    taglines: list[str]


@cache
def phrases(language: str) -> Phrases:
    """Return the wording of a language (ISO 639-1), or the English one where there is none."""
    folder = resources.files(__package__) / "phrases"
    source = folder / f"{language}.json"
    if not source.is_file():
        source = folder / "en.json"
    return Phrases(**json.loads(source.read_text(encoding="utf-8")))


def describe_book(title: Title, condition: str, *, traits: Traits, locale: str, key: Key) -> str:
    """Compose the description of a copy; its length and slips follow the traits."""
    wording = phrases(locale[:2])
    condition_sentence = Draw(*key, "condition").choice(wording.conditions[condition])
    if traits.description_length == "short":
        sentences = [wording.summary, condition_sentence]
    else:
        sentences = [condition_sentence, Draw(*key, "book").choice(wording.books)]
        if traits.description_length == "long":
            sentences += Draw(*key, "extras").shuffled(wording.extras)[:_EXTRAS]
        sentences.append(Draw(*key, "closing").choice(wording.closings))
    text = wording.joint.join(sentences)
    return mistype(text, traits.typo_rate, key).format(title=title.title, author=title.author, year=title.year)


def revise_description(description: str, *, locale: str, key: Key) -> str:
    """Return the description with a remark added, as on a second look."""
    wording = phrases(locale[:2])
    return wording.joint.join((description, Draw(*key).choice(wording.revisions)))


def compose_message(*, name: str, traits: Traits, locale: str, key: Key) -> str:
    """Compose a friendly message to a seller that names no listing."""
    wording = phrases(locale[:2])
    parts = (
        Draw(*key, "greeting").choice(wording.greetings),
        Draw(*key, "message").choice(wording.messages),
        Draw(*key, "farewell").choice(wording.farewells),
    )
    return mistype(wording.joint.join(parts), traits.typo_rate, key).format(name=name)


def about_listing(title: str, *, locale: str) -> str:
    """Return the words that tie a message to a listing; a long title is cut at a word."""
    if len(title) > _TITLE_LENGTH:
        title = title[:_TITLE_LENGTH].rsplit(" ", 1)[0]
    wording = phrases(locale[:2])
    return wording.about.format(title=title) + wording.joint


def draw_bio(*, name: str, city: str, locale: str, key: Key) -> str:
    """Draw a sentence that the person writes about themselves."""
    return Draw(*key).choice(phrases(locale[:2]).bios).format(name=name, city=city)


def draw_tagline(*, locale: str, key: Key) -> str:
    """Draw a motto of a few words."""
    return Draw(*key).choice(phrases(locale[:2]).taglines)


def mistype(text: str, rate: float, key: Key) -> str:
    """Return ``text`` with a slip of the finger in about ``rate`` of its words.

    Only words of four letters or more slip, only inside, and never a {placeholder}. Scripts without spaces
    stay.
    """
    if rate <= 0:
        return text
    draw = Draw(*key, "typos")

    def slip(match: re.Match[str]) -> str:
        word = match.group()
        if word.startswith("{") or draw.chance() >= rate or word.upper() == word.lower():
            return word
        place = 1 + draw.below(len(word) - 2)
        before, letter, after = word[:place], word[place], word[place + 1 :]
        kind = draw.below(4)
        if kind == 0 and letter != after[0]:
            return before + after[0] + letter + after[1:]
        if kind == 1:
            return before + after
        if kind == 2 and letter.isascii():
            return before + _LOWER_ASCII[(_LOWER_ASCII.find(letter.lower()) + 1) % 26] + after
        return before + letter + letter + after

    return _WORD.sub(slip, text)
