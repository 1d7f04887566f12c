"""The population: the people of one batch, mixed from several personas by weight.

Responsible for who takes part and in which order. The mix is that of Sainte-Laguë's method: each place goes
to the persona with the least (places so far + 1/2) / weight, so every beginning of the batch has nearly the
shares of the whole, a larger batch only adds people, and the order of the personas given does not matter.
"""

from collections import Counter
from collections.abc import Iterable

from simulator.errors import PersonaError
from simulator.persona.dealing import Beside
from simulator.persona.handles import refuse_shared_codes
from simulator.persona.identity import Identity, draw_identity
from simulator.persona.model import Persona


def mix(personas: Iterable[Persona], count: int) -> tuple[Persona, ...]:
    """Return the persona of each of ``count`` places.

    Raises:
        PersonaError: If there is no persona, a name occurs twice, or two names have one code in handles.
    """
    ordered = sorted(personas, key=lambda persona: persona.persona)
    if not ordered:
        raise PersonaError("a population needs at least one persona; name one or add a file to personas/")
    names = Counter(persona.persona for persona in ordered)
    for name, times in names.items():
        if times > 1:
            raise PersonaError(f"persona {name!r} is given {times} times; give it once with a larger weight")
    refuse_shared_codes(names)
    taken: Counter[str] = Counter()
    places = []
    for _ in range(count):
        chosen = min(ordered, key=lambda persona: (taken[persona.persona] + 0.5) / persona.weight)
        taken[chosen.persona] += 1
        places.append(chosen)
    return tuple(places)


def draw_population(
    personas: Iterable[Persona], count: int, seed: str | int, *, email_domain: str | None = None
) -> tuple[Identity, ...]:
    """Draw the people of a batch, in order.

    Args:
        personas: Who may take part; ``weight`` gives their shares.
        count: How many people.
        seed: The batch's seed.
        email_domain: As for `draw_identity`.

    Raises:
        PersonaError: As for `mix`.
    """
    numbers: Counter[str] = Counter()
    personas = list(personas)
    beside = [Beside.of(one.model_dump()) for one in personas]
    people = []
    for persona in mix(personas, count):
        numbers[persona.persona] += 1
        number = numbers[persona.persona]
        people.append(draw_identity(persona, seed=seed, number=number, email_domain=email_domain, beside=beside))
    return tuple(people)
