"""Dealing titles of the catalogue to people, so that those of one batch list different books.

An identity depends on (seed, persona, number) alone, so it cannot know what others of the batch were dealt.
Instead each persona orders the whole catalogue once for a seed (what fits its language, tastes and queries
first, shuffled within equal fit) and person n takes the n-th hand from it. People of one persona therefore
share no title until the catalogue is used up; then it is shuffled anew. People of several personas may
share one, the more rarely the more their tastes and languages differ.
"""

from functools import lru_cache

from simulator.persona.catalogue import Title, catalogue
from simulator.persona.draws import Draw
from simulator.persona.model import Persona
from simulator.persona.tasks import ListBooks


def deal(persona: Persona, *, seed: str, number: int) -> tuple[Title, ...]:
    """Return the titles for person ``number`` of a persona, as many as its tasks need."""
    size = persona.book_count
    if size == 0:
        return ()
    hands = max(len(catalogue()) // size, 1)
    round_, hand = divmod(number - 1, hands)
    queries = tuple(task.query for task in persona.tasks if isinstance(task, ListBooks) and task.query)
    order = _order(seed, persona.persona, persona.locale[:2], persona.tastes.genres, queries, round_)
    return tuple(order[(hand * size + place) % len(order)] for place in range(size))


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
