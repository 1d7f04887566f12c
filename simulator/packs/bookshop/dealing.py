"""Dealing titles of the catalogue to people, so that those of one batch list different books.

An identity depends on (seed, persona, number) alone, so it cannot know what others of the batch were dealt.
Instead each persona orders the whole catalogue once for a seed (what fits its language, tastes and queries
first, shuffled within equal fit) and person n takes the n-th hand from it. People of one persona therefore
share no title until the catalogue is used up; then it is shuffled again. People of several personas may
share one, the more rarely the more their tastes and languages differ.
"""

from functools import lru_cache
from typing import Any

from simulator.packs.bookshop.books import draw_book
from simulator.packs.bookshop.catalogue import Title, catalogue
from simulator.packs.bookshop.prose import compose_message
from simulator.packs.bookshop.tasks import ListBooks, MessageSeller
from simulator.packs.bookshop.tastes import tastes_of
from simulator.persona.draws import Draw
from simulator.persona.model import Persona
from simulator.persona.names import draw_name
from simulator.persona.prose import mistype
from simulator.persona.tasks import Do


def deal(persona: Persona, *, seed: str, number: int) -> tuple[Title, ...]:
    """Return the titles for person ``number`` of a persona, as many as its tasks need."""
    size = count_of(persona)
    if size == 0:
        return ()
    client = max(len(catalogue()) // size, 1)
    round_, hand = divmod(number - 1, client)
    queries = tuple(task.query for task in persona.tasks if isinstance(task, ListBooks) and task.query)
    order = _order(seed, persona.persona, persona.locale[:2], tastes_of(persona).genres, queries, round_)
    return tuple(order[(hand * size + place) % len(order)] for place in range(size))


def count_of(persona: Persona) -> int:
    """Return how many books one user needs: those to list, and at least three where a task is free text."""
    planned = sum(task.count for task in persona.tasks if isinstance(task, ListBooks))
    return max(planned, 3) if any(isinstance(task, Do) for task in persona.tasks) else planned


def deal_books(persona: Persona, key: tuple[str | int, ...]) -> list[dict[str, Any]]:
    """Return the books of one user: seed, persona and number are the key."""
    seed, _, number = key
    prices, traits, locale = tastes_of(persona).price, persona.traits, persona.locale
    return [
        draw_book(title, prices=prices, traits=traits, locale=locale, key=(*key, "book", place)).model_dump()
        for place, title in enumerate(deal(persona, seed=str(seed), number=int(number)), start=1)
    ]


def deal_messages(persona: Persona, key: tuple[str | int, ...]) -> list[str]:
    """Return what one user writes to sellers, in order; none of it names a listing."""
    traits, locale = persona.traits, persona.locale
    given = [task.text for task in persona.tasks if isinstance(task, MessageSeller) for _ in range(task.count)]
    name = draw_name(locale, *key).first if given else ""
    return [
        mistype(text, traits.typo_rate, (*key, "message", n))
        if text
        else compose_message(name=name, traits=traits, locale=locale, key=(*key, "message", n))
        for n, text in enumerate(given, start=1)
    ]


@lru_cache(maxsize=256)
def _order(
    seed: str, persona: str, language: str, genres: tuple[str, ...], queries: tuple[str, ...], round_: int
) -> tuple[Title, ...]:
    words = {word for query in queries for word in query.casefold().split()}

    def misfit(title: Title) -> int:
        known = f"{title.title} {title.author} {title.genre}".casefold().split()
        foreign = title.language not in (language, "en")
        return (
            4 * foreign - 2 * (title.language == language) - 2 * (title.genre in genres) - (not words.isdisjoint(known))
        )

    shuffled = Draw(seed, persona, "deal", round_).shuffled(catalogue())
    return tuple(sorted(shuffled, key=misfit))
