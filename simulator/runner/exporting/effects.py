"""What an exported test expects after a step: what was seen of its writes when it was recorded.

Not responsible for: how that is written down (``tools.exporting``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from simulator.bindings import Bindings
from simulator.browser.effects.addresses import generated_in
from simulator.browser.effects.user_input import UserInput
from simulator.recording.reader import Recording
from simulator.recording.rows import ActionRow, EffectRow
from simulator.replay.left.acts import standing
from simulator.replay.left.kept import inputs_of
from simulator.tools.exporting.actions import Shown

_SHORTEST = 3
"""Characters of a text that says something of what was written; a page may show shorter ones anyway."""
_NUMBER = re.compile(r"\d+(?:[.,]\d{1,2})?")
"""A number whose fraction no page can mean as thousands."""


@dataclass(frozen=True, slots=True)
class Observed:
    """The effects of a run, as a test can expect them."""

    effects: Mapping[str, Sequence[EffectRow]]
    """By the action after which they were seen."""
    inputs: Mapping[str, UserInput]
    bindings: Bindings

    @classmethod
    def of(cls, recording: Recording, run_id: str, values: Mapping[str, str]) -> Self:
        """Read the effects of a run.

        Args:
            recording: holds the run.
            run_id: the run.
            values: of its variables.
        """
        bindings = Bindings(values)
        effects: dict[str, list[EffectRow]] = {}
        for one in recording.effects(run_id):
            effects.setdefault(one.action_id, []).append(one)
        return cls(effects, inputs_of(recording.actions(run_id), bindings), bindings)

    def after(self, actions: Sequence[ActionRow]) -> Iterator[Shown]:
        """Give what pages showed after the actions of a step: on the page that it ended on, or by visits of their own.

        Args:
            actions: of the step.
        """
        last = next((action for action in reversed(actions) if action.status == "done" and action.after), None)
        if last is None or last.after is None:
            return
        here = _bare(self.bindings.render(last.after.url))
        texts: dict[tuple[str, bool], tuple[list[str], list[str]]] = {}
        for effect in (one for action in actions for one in self.effects.get(action.id, ())):
            url = self.bindings.render(effect.url)
            there = _bare(url) == here
            if effect.kind == "disappearance" and effect.by == "address":
                yield Shown(last.actor, url, gone=True)
            elif effect.kind == "state" and there and (button := self._button(effect, url)):
                yield Shown(last.actor, url, absent=(button,), here=True)
            elif effect.kind == "echo" and (there or effect.looked) and (text := self._text(effect)):
                texts.setdefault((url, there), ([], []))[bool(_NUMBER.fullmatch(text))].append(text)
        for (url, there), kept in texts.items():
            words, numbers = (tuple(dict.fromkeys(each)) for each in kept)
            yield Shown(last.actor, url, words, numbers, here=there)

    def _text(self, effect: EffectRow) -> str:
        """Give what a page showed as it was put in; empty for a date, which may be written otherwise."""
        put = self.inputs.get(effect.input_id)
        if put is None or put.kind != "text" or effect.likeness != "same" or effect.by not in ("label", "text"):
            return ""
        text = put.spellings[0]
        says = any(map(str.isalpha, text)) or (effect.keyed and _NUMBER.fullmatch(text))
        return text if len(text) >= _SHORTEST and says else ""

    def _button(self, effect: EffectRow, url: str) -> str:
        """Give the button that the page of a thing did not offer any more once it had been pressed."""
        was, shows = standing(self.bindings.shown(effect.was)), standing(self.bindings.shown(effect.shows))
        own = generated_in(url) & {*map(self.bindings.shown, effect.thing.ids)}
        if was is None or was.role != "button" or not own or (shows is not None and shows.name == was.name):
            return ""
        return was.name


def _bare(url: str) -> str:
    return url.partition("#")[0]
