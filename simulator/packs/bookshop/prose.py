"""What people write in a bookshop: descriptions of books, and messages to sellers.

Responsible for wording by language, trait and draw. The phrases are data in `phrases/<language>.json`;
English is used where a language has none. Titles and authors that a sentence quotes stay as they are, so that they can
be recognised.
"""

from functools import cache
from typing import NamedTuple

from simulator.packs.bookshop.catalogue import Title
from simulator.persona.draws import Draw
from simulator.persona.identity import Identity
from simulator.persona.model import Traits
from simulator.persona.prose import mistype, phrases_of

Key = tuple[str | int, ...]
_EXTRAS = 3
"""How many sentences a long description has beyond a normal one."""
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
    return Phrases(**phrases_of(__package__, language))


def about_oneself(language: str) -> tuple[list[str], list[str]]:
    """Return what people write about themselves: lines with {name} and {city}, and mottos."""
    wording = phrases(language)
    return wording.bios, wording.taglines


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


def message(identity: Identity, n: int) -> str:
    """Return what a user writes in the ``n``-th message (from 1), without naming a listing."""
    messages = identity.texts("message")
    if 0 < n <= len(messages):
        return messages[n - 1]
    key = (identity.seed, identity.persona, identity.number, "message", n)
    return compose_message(name=identity.first_name, traits=identity.traits, locale=identity.locale, key=key)


def message_text(identity: Identity, n: int, listing_title: str) -> str:
    """Return a user's ``n``-th message (from 1), about a listing.

    It ends in the variable ``text.message.n`` and the words before it are the same for the whole persona but for the
    title, so a recording of it can be bound to another person and another listing.
    """
    return about_listing(listing_title, locale=identity.locale) + message(identity, n)
