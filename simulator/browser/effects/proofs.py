"""What is proven of what one user has sent, by all that was seen of it so far.

Not responsible for: looking for it (``search``).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from simulator.browser.effects.act import Act
from simulator.browser.effects.acts import Acts
from simulator.browser.effects.displaced import Displaced
from simulator.browser.effects.echoes import Echoes
from simulator.browser.effects.model import Effect, Kind, WriteProof
from simulator.browser.effects.sent.sending import Sending
from simulator.browser.effects.sent.sent_forms import SentForms
from simulator.browser.effects.watched import Watched


@dataclass(frozen=True, slots=True, kw_only=True)
class Proofs:
    """The writes of one user, and what proves them.

    Attributes:
        sending: knows their order.
        echoes: what was seen of inputs.
        acts: what was seen of what was pressed.
        forms: what the forms of things show.
        displaced: where other texts stand than a recording saw there.
    """

    sending: Sending
    echoes: Echoes
    acts: Acts
    forms: SentForms
    displaced: Displaced
    _revoked: dict[str, list[str]] = field(init=False, default_factory=dict)
    """Of what an action has sent, what a replay says that the thing's own form shows otherwise."""
    _known: dict[tuple[str, int], WriteProof] = field(init=False, default_factory=dict)
    """Presses that were proven before the run was cut off, by their action and their number there."""

    def seen(self, input_id: str, kind: Kind = "echo") -> Effect | None:
        """Give the best that was seen so far of what an action did; None for nothing.

        Args:
            input_id: the action that put something in, or pressed.
            kind: of the effect.
        """
        if kind == "echo":
            return self.echoes.seen(input_id)
        act = self.acts.of(input_id)
        return act.effects.get(kind) if act else None

    def against(self, action_id: str) -> str:
        """Give what the last document that shows a thing says against what was done to it; empty for nothing."""
        act = self.acts.of(action_id)
        return act.against if act else ""

    def put_in(self, action_id: str) -> list[str]:
        """Give what stands for the inputs that the writes of an action carried, without variables."""
        sent = (one for one in self.echoes.watched if one.write.action_id == action_id)
        return [text for one in sent for each in one.inputs for text in each.spellings]

    def reported(self) -> list[WriteProof]:
        """Report what was seen again of each write that the user made, in order.

        What a session was opened with is not counted: that session proves it.
        """
        counted = [one for one in self.echoes.watched if one.counted]
        made = {(one.write.action_id, one.write.number): self._proof_of(one) for one in counted}
        for act in self.acts.watched:
            if _is_own_write(act):
                made.setdefault((act.write.action_id, act.write.number), self._proof_of_press(act))
        made = self._known | made
        order = {key: place for place, key in enumerate(self.sending.order)}
        return [made[key] for key in sorted(made, key=lambda key: order.get(key, 0))]

    def _proof_of(self, watched: Watched) -> WriteProof:
        """Report what was seen of a write again, and is not contradicted by the form of the thing."""
        write = watched.write
        act = self.acts.of(write.action_id)
        several = act is not None and act.several and act.is_proven and act.write.number == write.number
        proof = watched.proof(act.values(), act.state_words()) if act and several else watched.proof()
        parts = {one.input: one.part for one in write.carried}
        # Of what a form asks for each time, such as a note on a change, a place called as its field shows it.
        said = {parts.get(one.action_id) for one in watched.counted if _is_shown_so(watched.shown.get(one.action_id))}
        form = self.forms.of(write)
        otherwise = form.otherwise.keys() - (form.blank & said) if form else frozenset()
        against = [one.called for one in watched.counted if parts.get(one.action_id) in otherwise]
        against += [one.called for one in watched.counted if self._is_displaced(one.action_id)]
        left = form.unshown(offered=False) if form else []
        unseen = dict.fromkeys((*proof.unseen, *against, *left, *self._revoked.get(write.action_id, ())))
        offered = dict.fromkeys(form.unshown(offered=True) if form else ())
        return replace(proof, unseen=tuple(unseen), offered=tuple(offered))

    def _is_displaced(self, input_id: str) -> bool:
        """Return whether what a recording saw of an input stands elsewhere now, and something else in its place."""
        return input_id in self.displaced.moved or bool(self.displaced.instead(input_id))

    def _proof_of_press(self, act: Act) -> WriteProof:
        """Report what was seen of a press, where the thing's own form does not show something else than it sent."""
        proof = act.proof()
        form = self.forms.of(act.write)
        unseen = () if form and form.all_said_by_data else proof.unseen
        return replace(proof, unseen=tuple(dict.fromkeys((*unseen, *self._revoked.get(act.action_id, ())))))

    def watch_again(self, watched: Watched) -> None:
        """Go on looking for what was sent in another browser, which is lost."""
        self.echoes.watched.append(watched)
        self.sending.order.append((watched.write.action_id, watched.write.number))

    def know(self, action_id: str, number: int, proof: WriteProof) -> None:
        """Report what was pressed in another browser, which is lost, as it was proven by then."""
        self._known[action_id, number] = proof
        self.sending.order.append((action_id, number))

    def take_over(self, other: Proofs) -> None:
        """Go on looking for what another context of the same user has sent, which is not acted in any more."""
        for watched in other.echoes.watched:
            watched.only_tied, watched.since = True, 0
        self.echoes.watched = [*other.echoes.watched, *self.echoes.watched]
        self.sending.order = [*other.sending.order, *self.sending.order]
        other.echoes.watched = []

    def revoke(self, action_id: str, what: str) -> None:
        """Take the proof from what an action has sent; by nothing, that is left as it is."""
        if what:
            self._revoked.setdefault(action_id, []).append(what)

    def is_proven(self, action_id: str) -> bool:
        """Return whether something that an action has sent is proven by now."""
        act = self.acts.of(action_id)
        if act is not None and _is_own_write(act) and self._proof_of_press(act).proven:
            return True
        return any(self._proof_of(one).proven for one in self.echoes.watched if one.write.action_id == action_id)

    def revoke_last(self) -> None:
        """Take the proof from the last write that was made: what came after it is not as recorded."""
        echoes = {(one.write.action_id, one.write.number): one for one in self.echoes.watched if one.counted}
        acts = {(one.write.action_id, one.write.number) for one in self.acts.watched if one.is_made and not one.bears}
        last = next((key for key in reversed(self.sending.order) if key in echoes or key in acts), None)
        sent = echoes.get(last) if last else None
        if sent is not None and self._proof_of(sent).proven:
            for one in sent.counted:
                self.revoke(sent.write.action_id, one.called)


def _is_own_write(act: Act) -> bool:
    """Return whether a press is reported as a write of its own: a press that carries inputs is reported by these."""
    return act.is_made and bool(act.several or not act.bears)


def _is_shown_so(effect: Effect | None) -> bool:
    """Return whether a later page shows an input as its field is called, or at a place tied to what was written."""
    return effect is not None and effect.strength == "kept" and (effect.place.keyed or effect.place.by == "label")
