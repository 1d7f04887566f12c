"""Which recorded writes a replay has sent again. Not responsible for: whether what they did is seen again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from simulator.browser.actor import Actor
from simulator.browser.effects.model import Write
from simulator.recording.rows import ActionRow, EffectRow, WriteRow
from simulator.replay.checks import Check
from simulator.replay.effects.expected import Expected, is_like, words_of


@dataclass(frozen=True, slots=True)
class Unlike:
    """What was expected of a write, and what is there."""

    expected: str
    found: str


@dataclass(slots=True)
class SentAgain:
    """What one replay has sent.

    Attributes:
        expected: of the recording.
    """

    expected: Expected
    _sent: list[Write] = field(default_factory=list)
    """What no recorded write stands for yet."""
    _known: set[tuple[str, int]] = field(default_factory=set)
    """All that it has sent."""

    def take_in(self, writes: Iterable[Write]) -> None:
        """Take in what was sent by now."""
        # What was recorded while one typed comes once more, as incidental, when it is sent as a whole.
        for one in writes:
            if (one.action_id, one.number) not in self._known:
                self._known.add((one.action_id, one.number))
                self._sent.append(one)

    def unsent(self, recorded: ActionRow, checks: Counter[Check], anew: Callable[[str], str] = str) -> Unlike | None:
        """Give what is not sent that carried inputs, or had an effect, when the action was recorded.

        Args:
            recorded: the action.
            checks: counts what was compared.
            anew: puts into recorded addresses how the site calls by now what was made under another name.
        """
        for wanted, found in self._paired(recorded, anew):
            if not self.expected.requires(wanted):
                continue
            checks["write"] += 1
            if found is None:
                # The same request, without anything of the user's, would read like the one that is looked for.
                carrying = " with what was put in" if wanted.carried else ""
                instead = [
                    f"{one.method} {one.url}{' without it' if carrying and not one.carried else ''}"
                    for one in self._sent
                ]
                return Unlike(f"{words_of(wanted)}{carrying}", ", ".join(instead) or "no such request")
            self._sent.remove(found)
        return None

    def is_lacking(self, recorded: ActionRow, anew: Callable[[str], str] = str) -> bool:
        """Return whether a write of an action is yet to be sent of which something was kept."""
        lacking = [one for one, found in self._paired(recorded, anew) if found is None]
        kept = (one.write_id for some in self.expected.effects.values() for one in some if one.strength == "kept")
        return any(one.carried for one in lacking) or not {one.id for one in lacking}.isdisjoint(kept)

    def _paired(self, recorded: ActionRow, anew: Callable[[str], str]) -> list[tuple[WriteRow, Write | None]]:
        """Give the writes of an action, those first that have to be sent again, each with its like in this replay."""
        left, pairs = [*self._sent], list[tuple[WriteRow, Write | None]]()
        for wanted in sorted(
            self.expected.writes.get(recorded.id, ()), key=lambda one: not self.expected.requires(one)
        ):
            like = replace(wanted, url=anew(wanted.url))
            found = next((one for one in left if is_like(one, like)), None)
            if found is not None:
                left.remove(found)
            pairs.append((wanted, found))
        return pairs


def compare_left(actor: Actor, action_id: str, effect: EffectRow) -> None:
    """Take the proof from a write whose form came otherwise than the recorded one, where its user had left it so.

    Args:
        actor: who sent it.
        action_id: the action that sent it.
        effect: what the recorded form had sent in a field.
    """
    text = actor.bindings.shown(effect.shows)
    if other := actor.observer.forms.left.otherwise(action_id, effect.label, text):
        name, sent = other
        actor.observer.proofs.revoke(action_id, f"{name} (came with '{sent}', recorded with '{text}')")
