"""Whether a repaired task did what the recorded one did, no less and no more. The model's word plays no part.

What the task had written has to be sent again, with the same values, and to be seen where it was seen; each form that
the site took has to be accounted for by it; and the user has to be where the recorded one was. Not responsible for: the
repair, or going back to that page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from simulator.browser.actor import Actor
from simulator.browser.effects.addresses import generated_in
from simulator.browser.effects.user_input import UserInput
from simulator.canonical import is_generated, url_shape
from simulator.recording.documents import Shown
from simulator.recording.reader import Recording
from simulator.recording.rows import ActionRow, EffectRow, WriteRow
from simulator.replay.learning.learn import lacking, learnt_of
from simulator.replay.left.acts import ActPlace, act_places
from simulator.replay.left.beside import see_beside
from simulator.replay.left.kept import KeptPlace, inputs_of, kept_places
from simulator.replay.left.made import kind_of
from simulator.runner.repairs.repair_effect import Write, taken_write
from simulator.runner.repairs.repair_pairing import elsewhere, too_few_files, unnamed
from simulator.runner.repairs.repair_segment import Owed, Segment
from simulator.runner.repairs.repair_words import words_of_owed
from simulator.template import placeholders, stem_of


class Unlike(Exception):
    """The repaired task did something else than the recorded one.

    Args:
        expected: what it should have done.
        found: what it did.
    """

    def __init__(self, expected: str, found: str) -> None:
        super().__init__(f"expected {expected}; found {found}")
        self.expected = expected
        self.found = found


@dataclass(slots=True)
class Verified:
    """What was found of what the recorded task had written."""

    shows: dict[str, tuple[str, Shown]] = field(default_factory=dict)
    """By the variable of a code that the pages show: the action after which it was there, and where it stands."""
    renamed: dict[str, str] = field(default_factory=dict)
    """The names that the site's values got now, and those that the recording has for them."""
    words: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Done:
    """What a replay has done so far, as it is recorded."""

    before: Sequence[ActionRow]
    """Before the model went on."""
    actions: Sequence[ActionRow]
    """What was done instead."""
    writes: Sequence[WriteRow]
    effects: Sequence[EffectRow]


@dataclass(slots=True)
class Check:
    """Compares one repair with the recording.

    Attributes:
        actor: the user.
        recording: holds the recorded run.
        run: the id of that.
        segment: what was repaired.
        begun: the replay's step at which the recorded ones came to an end.
        done: what was done instead, and before.
        waits_s: how long what was written may take to show, in seconds.
    """

    actor: Actor
    recording: Recording
    run: str
    segment: Segment
    begun: str
    done: Done
    waits_s: float
    _found: Verified = field(default_factory=Verified)

    async def verify(self) -> Verified:
        """Compare.

        Raises:
            Unlike: something of it is missing, another one, or too much.
        """
        own = {action.id for action in self.done.actions}
        flows = [flow for flow in flows_of(self._done) if flow.action.id in own]
        recorded = [write for action in self.segment.actions if (write := taken_write(action))]
        if recorded and not flows:
            raise Unlike("the repair to send what was recorded", "nothing that the site took")
        if missing := unnamed(self.segment.actions, self._done):
            raise Unlike(f"the repair to give the user's own {', '.join(missing)}", "another, or none")
        if recorded and too_few_files(self._open_form, self.segment.actions, self._begun, self.done.actions):
            raise Unlike("the repair to give the recorded files", "fewer of them")
        for action in self.segment.actions:
            self._learnt(action)
        left = list(flows)
        for owed in self.segment.owed:
            flow = self._sent_again(owed, left)
            left.remove(flow)
            self._bind(owed, flow)
            self._found.words.append(words_of_owed(owed, self._shown))
        self._sent_besides(left, recorded)
        for place in self.places():
            finding = await see_beside(self.actor, place, self.waits_s)
            if finding.became == "contradicted":
                what = place.input.called if isinstance(place, KeptPlace) else place.words
                raise Unlike(f"{place.url} to show {what} again", finding.found)
        return self._found

    def places(self) -> list[KeptPlace | ActPlace]:
        """Give where what the recorded task had written has to be seen again, as far as these addresses are known."""
        owed = {one.write.id for one in self.segment.owed}
        bindings = self.actor.bindings
        every: list[KeptPlace | ActPlace] = [
            *kept_places(self.recording, self.run, bindings),
            *act_places(self.recording, self.run, bindings),
        ]
        return [one for one in every if one.write.id in owed and one.tied and "{{" not in one.url]

    def _learnt(self, action: ActionRow) -> None:
        """See that what was learnt of a page was shown by one of the pages now."""
        step = next(one.step for one in self.segment.open if one.step.id == action.step_id)
        learnt = learnt_of(step.flags, action.ordinal)
        if not learnt:
            return
        pages = [one.after for one in self.done.actions if one.after]
        lost = [lacking(learnt, page, self.actor.bindings.render, self._shown) for page in pages]
        if all(lost):
            raise Unlike(f"a page with the text '{lost[-1] if lost else learnt.required[0]}'", "none that showed it")

    def _sent_again(self, owed: Owed, flows: Sequence[Write]) -> Write:
        """Find what was sent now in place of what was sent when it was recorded, with the same values."""
        inputs = inputs_of(self.recording.actions(self.run), self.actor.bindings)
        wanted = [inputs[one.input] for one in owed.write.carried if one.input in inputs]
        wanted = [one for one in wanted if one.kind != "file"]
        shape = (owed.write.method, url_shape(owed.write.url).partition("?")[0])
        told = "nothing that was sent for it"
        for flow in sorted(flows, key=lambda flow: shape not in flow.shapes):
            carried = self._carried(flow)
            other = _other(wanted, carried)
            if other or (not wanted and shape not in flow.shapes and not self._does_as(owed, flow)):
                told = other or told
                continue
            if instead := elsewhere(owed.action, (*flow.led_by, flow.action), self._shown):
                told = instead
                continue
            return flow
        raise Unlike(words_of_owed(owed, self._shown), told)

    def _carried(self, flow: Write) -> list[UserInput]:
        """Give what a flow sent of what was put in."""
        now = inputs_of([*self.done.before, *self.done.actions], self.actor.bindings)
        return [now[one.input] for write in self._writes(flow) for one in write.carried if one.input in now]

    def _writes(self, flow: Write) -> list[WriteRow]:
        ids = {one.id for one in (*flow.led_by, flow.action)}
        return [one for one in self.done.writes if one.action_id in ids]

    def _does_as(self, owed: Owed, flow: Write) -> bool:
        """Return whether what was sent now was seen to do what the recorded one did."""
        ids = {one.id for one in self._writes(flow)}
        now = {(one.kind, self._shown(one.shows)) for one in self.done.effects if one.write_id in ids}
        return bool(now & {(one.kind, self._shown(one.shows)) for one in owed.effects if one.kind != "echo"})

    def _bind(self, owed: Owed, flow: Write) -> None:
        """Give the values that the site generated now the names that the recording has for them."""
        ids = {one.id for one in self._writes(flow)}
        at = [one.thing.at for one in self.done.effects if one.write_id in ids and one.thing.at]
        after = [one.after.url for one in (flow.action,) if one.after is not None]
        own = [owed.at, owed.action.after.url if owed.action.after else ""]
        for template in filter(placeholders, dict.fromkeys(own)):
            for there in dict.fromkeys((*after, *at)):
                before = self.actor.bindings.values()
                captured = self.actor.urls.capture(template, self._shown(there))
                if captured is None:
                    continue
                mine = {name: self.actor.bindings.get(name) for name in placeholders(there)}
                for name, value in captured.items():
                    if before.get(name) is None:
                        self._found.renamed |= {one: name for one, now in mine.items() if now == value and one != name}
                return
        if owed.at and placeholders(owed.at):
            raise Unlike(words_of_owed(owed, self._shown), "no such thing that was made")

    def _sent_besides(self, left: Sequence[Write], recorded: Sequence[Write]) -> None:
        """See that what was sent besides is what the recorded task sent, too, and as often."""
        owed = {one.action.id for one in self.segment.owed}
        shapes = Counter(shape for write in recorded if write.action.id not in owed for shape in write.shapes)
        sessions = sum(self._opens_session(write, self.segment.actions) for write in recorded)
        for write in left:
            sessions -= self._opens_session(write, self.done.actions)
            known = [shape for shape in write.shapes if shapes[shape] > 0]
            if known:
                shapes.subtract(known)
            elif not self._opens_session(write, self.done.actions) or sessions < 0:
                said = ", ".join(f"{method} {address}" for method, address in sorted(write.shapes))
                raise Unlike("the repair to send nothing but what was recorded", f"{self._made(write) or said} besides")

    def _made(self, write: Write) -> str:
        """Say what a form made that led to an address of its own; empty where it led to none."""
        before, after = write.action.before, write.action.after
        if before is None or after is None or write.action.settled != "navigated":
            return ""
        url = self._shown(after.url)
        return (
            f"another {kind_of(after.url)} at {url}"
            if generated_in(url) - generated_in(self._shown(before.url))
            else ""
        )

    def _opens_session(self, write: Write, actions: Sequence[ActionRow]) -> bool:
        """Return whether a form was sent that a secret was typed into."""
        form = write.action.target.form if write.action.target else ""
        typed = (one.target for one in actions if one.target is not None and one.target.secret)
        return any(target.form == form for target in typed)

    @property
    def _open_form(self) -> Sequence[ActionRow]:
        """What steps before the one at which it came to an end had put into a form that was not sent yet."""
        done = [action for planned in self.segment.before for action in planned.actions]
        sent = max((place for place, action in enumerate(done) if taken_write(action)), default=-1)
        return done[sent + 1 :]

    @property
    def _begun(self) -> Sequence[ActionRow]:
        """What was done by the step at which the recorded ones came to an end."""
        return [action for action in self.done.before if action.step_id == self.begun]

    @property
    def _done(self) -> Sequence[ActionRow]:
        return [*self._begun, *self.done.actions]

    @property
    def _shown(self) -> Callable[[str], str]:
        return self.actor.bindings.shown


def _other(wanted: Iterable[UserInput], carried: Sequence[UserInput]) -> str:
    """Say which value was not sent, and what was instead; empty where all were."""
    for one in wanted:
        alike = [each for each in carried if each.kind == one.kind or {each.kind, one.kind} <= {"text", "choice"}]
        if not any(set(each.spellings) & set(one.spellings) and each.on == one.on for each in alike):
            there = next((each for each in carried if set(each.names) & set(one.names)), None)
            sent = f"'{there.spellings[0]}'" if there else "nothing"
            return f"{one.called}: {sent} instead of '{one.spellings[0]}'"
    return ""


def flows_of(actions: Sequence[ActionRow]) -> list[Write]:
    """Give what was sent and taken, the last form of several where one led to the next, as a question in between does.

    Args:
        actions: what was done, in order.
    """
    flows: list[Write] = []
    for action in actions:
        write = taken_write(action)
        if write is None:
            continue
        if flows and _leads_on(flows[-1].action, action, actions):
            first = flows.pop()
            write = replace(write, led_by=(*first.led_by, first.action))
        flows.append(write)
    return flows


def _leads_on(first: ActionRow, second: ActionRow, actions: Sequence[ActionRow]) -> bool:
    """Return whether the page that a form led to had the next form, and another button to send it."""
    if first.after is None or second.before is None or first.target is None or second.target is None:
        return False
    if first.settled == "navigated" and first.before and _generated(first.after.url) - _generated(first.before.url):
        return False
    places = [at for at, one in enumerate(actions) if one.id in (first.id, second.id)]
    visited = any(one.kind in ("goto", "back", "forward", "reload") for one in actions[places[0] : places[-1]])
    buttons = [(one.target.role, one.target.name) for one in (first, second) if one.target]
    return first.after.url == second.before.url and buttons[0] != buttons[1] and not visited


def _generated(template: str) -> set[str]:
    """Give what the site generated in the path of an address."""
    return {step for step in template.partition("?")[0].split("/") if is_generated(step) or "{{site." in step}


def is_there(actor: Actor, template: str) -> bool:
    """Return whether a user is on a page, by its address; values of it that are not known may be any."""
    here = actor.addresses.relative(actor.page.url)
    unknown = [name for name in placeholders(template) if actor.bindings.get(stem_of(name)) is None]
    if not unknown:
        return actor.urls.capture(template, here) is not None
    for name in unknown:
        template = template.replace("{{" + name + "}}", "1")
    return url_shape(here) == url_shape(actor.bindings.shown(template))
