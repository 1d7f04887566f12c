"""Whether a repaired task did what the recorded one did, no less and no more. The model's word plays no part.

What the task had made is read back; each form that the site took has to be accounted for by it; and the user has to be
where the recorded one was. Not responsible for: the repair, or going back to that page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from simulator.browser.actor import Actor
from simulator.canonical import url_shape
from simulator.errors import TemplateError, ToolError
from simulator.recording.rows import ActionRow, CreatedRow
from simulator.replay.learn import lacking, learnt_of
from simulator.replay.read_back import look_for
from simulator.runner.repair_effect import Write, taken_write
from simulator.runner.repair_pairing import elsewhere, too_few_files, unnamed
from simulator.runner.repair_stretch import Stretch
from simulator.runner.repair_words import words_of_made
from simulator.template import placeholders, stem_of
from simulator.tools.created import CHANGE, DEED, DELETION, MESSAGE, SAVE, created

_KEPT = frozenset({CHANGE, DELETION, DEED, MESSAGE, SAVE})
"""Kinds of entries of the journal that are no things with an address of their own."""


class Unlike(Exception):
    """The repaired task did something else than the recorded one.

    Args:
        sought: what it should have done.
        found: what it did.
    """

    def __init__(self, sought: str, found: str) -> None:
        super().__init__(f"sought {sought}; found {found}")
        self.sought = sought
        self.found = found


@dataclass(frozen=True, slots=True)
class Thing:
    """Something with an address of its own that was made."""

    kind: str
    url: str
    """A template, with the names that the address got now."""
    action: ActionRow


@dataclass(slots=True)
class Verified:
    """What was found of what the recorded task had made."""

    made: dict[str, str] = field(default_factory=dict)
    """By the entry of the journal, the step that made it now."""
    shows: dict[str, tuple[str, str]] = field(default_factory=dict)
    """By the variable of a code that the pages show: the action after which it was there, and the words before it."""
    renamed: dict[str, str] = field(default_factory=dict)
    """The names that the site's values got now, and those that the recording has for them."""
    words: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Check:
    """Compares one repair with the recording.

    Attributes:
        actor: the user.
        stretch: what was repaired.
        before: what the replay had done before.
        begun: the replay's step at which the recorded ones came to an end.
        actions: what was done instead.
        entered: what the journal has of it.
        options: what the site calls a value that stands for one of its options, by the value's template.
    """

    actor: Actor
    stretch: Stretch
    before: Sequence[ActionRow]
    begun: str
    actions: Sequence[ActionRow]
    entered: Sequence[CreatedRow]
    options: Mapping[str, str]
    _found: Verified = field(default_factory=Verified)

    async def verify(self) -> Verified:
        """Compare.

        Raises:
            Unlike: something of it is missing, another one, or too much.
        """
        flows = flows_of(self.actions)
        recorded = [write for action in self.stretch.actions if (write := taken_write(action))]
        if recorded and not flows:
            raise Unlike("something to be sent, as it was recorded", "nothing that the site took")
        if missing := unnamed(self.stretch.actions, self._done):
            raise Unlike(f"the user's own {', '.join(missing)} to be given", "another, or none")
        if recorded and too_few_files(self._open_form, self.stretch.actions, self._begun, self.actions):
            raise Unlike("the recorded files to be given", "fewer of them")
        for action in self.stretch.actions:
            self._learnt(action)
        made_now = [(flow, self._thing(flow)) for flow in flows]
        things = [thing for _, thing in made_now if thing]
        free = [flow for flow, thing in made_now if not thing]
        for made in self.stretch.owed:
            if made.kind not in _KEPT:
                things.remove(await self._find(made, things))
        if things:
            extra = "; ".join(f"another {one.kind} at {self._shown(one.url)}" for one in things)
            raise Unlike("nothing but what was recorded", extra)
        left = await self._entries(free, {flow.action.step_id for flow in flows})
        self._sent(left, recorded)
        return self._found

    def _thing(self, write: Write) -> Thing | None:
        """Give what a form made; a page that the user had been on before is nothing new."""
        thing = None if self._opens_session(write, self.actions) else _thing(write)
        if thing is None:
            return None
        seen: set[str] = set()
        for action in (*self.before, *self.actions):
            seen |= {self._shown(action.before.url)} if action.before else set()
            if action.id == write.action.id:
                break
            seen |= {self._shown(action.after.url)} if action.after else set()
        return None if self._shown(thing.url) in seen else thing

    def _learnt(self, action: ActionRow) -> None:
        """See that what was learnt of a page was shown by one of the pages now."""
        step = next(one.step for one in self.stretch.open if one.step.id == action.step_id)
        learnt = learnt_of(step.flags, action.ordinal)
        if not learnt:
            return
        pages = [one.after for one in self.actions if one.after]
        lost = [lacking(learnt, page, self.actor.bindings.render, self._shown) for page in pages]
        if all(lost):
            raise Unlike(f"a page with the text '{lost[-1] if lost else learnt.required[0]}'", "none that showed it")

    async def _find(self, made: CreatedRow, things: Sequence[Thing]) -> Thing:
        """Find what the task had made among what was made now, and give its values the recorded names."""
        words = words_of_made(made, self._shown)
        told = "no such thing that was made"
        for thing in (one for one in things if one.kind == made.kind):
            address = self._shown(thing.url)
            before = self.actor.bindings.values()
            captured = self.actor.urls.capture(made.url, address)
            if captured is None:
                continue
            new = {name: value for name, value in captured.items() if before.get(name) is None}
            lost = await self._look(made)
            if lost:
                told = lost
                for name in new:
                    self.actor.urls.forget(name)
                continue
            mine = {name: self.actor.bindings.get(name) for name in placeholders(thing.url)}
            for name, value in new.items():
                self._found.renamed |= {one: name for one, now in mine.items() if now == value and one != name}
            self._note(made, thing.action.step_id)
            return thing
        raise Unlike(words, told)

    async def _entries(self, free: Sequence[Write], last: Collection[str]) -> list[Write]:
        """Read back the changes, messages and the like, and account for each by what was sent.

        Args:
            free: what was sent and made nothing with an address of its own.
            last: the steps that sent the last form of a flow; a button that leads to a question has done nothing yet.

        Returns:
            What was sent besides.
        """
        left = list(free)
        entries = [one for one in self.entered if one.kind in _KEPT and (one.kind != DEED or one.step_id in last)]
        for made in self.stretch.owed:
            if made.kind not in _KEPT:
                continue
            if lost := await self._look(made) or elsewhere(made, self.stretch.actions, self._done, self._shown):
                raise Unlike(words_of_made(made, self._shown), lost)
            entry = next((one for one in entries if self._same(one, made)), None)
            able = [one for one in left if entry is None or one.action.step_id == entry.step_id]
            flow = max(able, key=lambda one: bool(one.shapes & self._shapes(made)), default=None)
            if flow is None:
                raise Unlike(words_of_made(made, self._shown), "nothing that was sent for it")
            left.remove(flow)
            entries = [one for one in entries if one is not entry]
            self._note(made, flow.action.step_id)
        own = {self._shown(made.url) for made in self.stretch.owed if made.kind not in _KEPT}
        extra = [one for one in entries if not (one.kind == CHANGE and self._shown(one.url) in own)]
        if extra:
            told = "; ".join(words_of_made(one, self._shown) for one in extra)
            raise Unlike("nothing but what was recorded", f"besides: {told}")
        return left

    def _same(self, entry: CreatedRow, made: CreatedRow) -> bool:
        """Tell whether an entry of now is one of the recording."""
        if entry.kind != made.kind or self._shown(entry.url) != self._shown(made.url):
            return False
        if made.kind == DEED:
            return True  # a question in between may have another button
        both = entry.fields.keys() & made.fields.keys()
        return all(self._shown(entry.fields[name]) == self._shown(made.fields[name]) for name in both)

    def _sent(self, left: Sequence[Write], recorded: Sequence[Write]) -> None:
        """See that what was sent besides is what the recorded task sent, too, and as often."""
        owed = {made.step_id for made in self.stretch.owed}
        shapes = Counter(shape for write in recorded if write.action.step_id not in owed for shape in write.shapes)
        sessions = sum(self._opens_session(write, self.stretch.actions) for write in recorded)
        for write in left:
            sessions -= self._opens_session(write, self.actions)
            known = [shape for shape in write.shapes if shapes[shape] > 0]
            if known:
                shapes.subtract(known)
            elif not self._opens_session(write, self.actions) or sessions < 0:
                said = ", ".join(f"{method} {address}" for method, address in sorted(write.shapes))
                raise Unlike("nothing to be sent but what was recorded", f"besides: {said}")

    def _shapes(self, made: CreatedRow) -> frozenset[tuple[str, str]]:
        """Give what was sent by the step that made something when it was recorded."""
        own = (write for action in self.stretch.actions if action.step_id == made.step_id
               if (write := taken_write(action)))  # fmt: skip
        return frozenset(shape for write in own for shape in write.shapes)

    def _opens_session(self, write: Write, actions: Sequence[ActionRow]) -> bool:
        """Tell whether a form was sent that a secret was typed into."""
        form = write.action.target.form if write.action.target else ""
        typed = (one.target for one in actions if one.target is not None and one.target.secret)
        return any(target.form == form for target in typed)

    @property
    def _open_form(self) -> Sequence[ActionRow]:
        """What steps before the one at which it came to an end had put into a form that was not sent yet."""
        done = [action for planned in self.stretch.before for action in planned.actions]
        sent = max((place for place, action in enumerate(done) if taken_write(action)), default=-1)
        return done[sent + 1 :]

    @property
    def _begun(self) -> Sequence[ActionRow]:
        """What was done by the step at which the recorded ones came to an end."""
        return [action for action in self.before if action.step_id == self.begun]

    @property
    def _done(self) -> Sequence[ActionRow]:
        return [*self._begun, *self.actions]

    async def _look(self, made: CreatedRow) -> str:
        """Read back what was made; gives what is there instead, empty where it is as it should be."""
        try:
            lost = await look_for(self.actor, made, self.options)
        except TemplateError as error:
            return str(error)
        except ToolError as error:
            return f"its page cannot be read: {error.message}"
        return f"not {lost.sought}: {lost.found}" if lost else ""

    def _note(self, made: CreatedRow, step_id: str) -> None:
        self._found.made[made.id] = step_id
        self._found.words.append(words_of_made(made, self._shown))

    @property
    def _shown(self) -> Callable[[str], str]:
        return self.actor.bindings.shown


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
            flows.pop()
        flows.append(write)
    return flows


def _leads_on(first: ActionRow, second: ActionRow, actions: Sequence[ActionRow]) -> bool:
    """Tell whether the page that a form led to had the next form, and another button to send it."""
    if first.after is None or second.before is None or first.target is None or second.target is None:
        return False
    if _thing(Write(first, frozenset())) is not None:
        return False
    places = [at for at, one in enumerate(actions) if one.id in (first.id, second.id)]
    visited = any(one.kind in ("goto", "back", "forward", "reload") for one in actions[places[0] : places[-1]])
    buttons = [(one.target.role, one.target.name) for one in (first, second) if one.target]
    return first.after.url == second.before.url and buttons[0] != buttons[1] and not visited


def _thing(write: Write) -> Thing | None:
    """Give what a form made that has an address of its own."""
    action = write.action
    if action.before is None or action.after is None or action.settled != "navigated":
        return None
    made = created(action.before.url, action.after.url)
    return Thing(made.kind, made.url, action) if made else None


def is_there(actor: Actor, template: str) -> bool:
    """Tell whether a user is on a page, by its address; values of it that are not known may be any."""
    here = actor.relative(actor.page.url)
    unknown = [name for name in placeholders(template) if actor.bindings.get(stem_of(name)) is None]
    if not unknown:
        return actor.urls.capture(template, here) is not None
    for name in unknown:
        template = template.replace("{{" + name + "}}", "1")
    return url_shape(here) == url_shape(actor.bindings.shown(template))
