"""What an action led to, compared with the recording: the page, the field, and what is shown or made.

The first thing that is otherwise is drift. Not responsible for: performing actions, or what writes did (``effects``).
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias
from urllib.parse import unquote

from simulator.addresses import urlsplit
from simulator.browser import documents
from simulator.browser.acting.dialogs import OPTION as DIALOGS
from simulator.browser.acting.sightings import SHOWS, find_shown
from simulator.browser.action_recorder import SETS, PageState
from simulator.browser.actor import Actor
from simulator.browser.views.refusals import FormTexts, said_above
from simulator.browser.wire.url_values import SITE
from simulator.browser.written import READS, Written
from simulator.errors import ToolError
from simulator.recording.rows import ActionRow
from simulator.replay.aiming import VISITS
from simulator.replay.arriving import Arrival, lacking_by_then, with_values
from simulator.replay.checks import Check
from simulator.replay.collision import named, taken_field
from simulator.replay.drift import Drift, Verdict, an_error
from simulator.replay.effects.checking import LONGEST_IDLE_S, EffectChecker, SecondPerformance
from simulator.replay.failing import drift_at, words_of
from simulator.replay.healing import ANSWERED, Healer, led_to
from simulator.replay.learning.learn import lacking, learnt_of
from simulator.replay.learning.varying import placed, reworded, varying
from simulator.replay.plan import PlannedStep, path_of
from simulator.replay.review import Review
from simulator.replay.verify import Mismatch, compare, is_at, new_errors

REACHING = frozenset({"click", "dblclick", "press"})
"""Kinds of actions that may lead to another page."""
_ROUTED_MS = 3_000.0
"""How long a script may take to change the address of a page, where it did so when it was recorded and one user acts.
What it has asked for before that is waited for, too."""
_TELLS_READS = 2
"""Version of the evidence from which on a recording says what a page made of a text (``options.reads``)."""

Said: TypeAlias = asyncio.Task[FormTexts] | None
"""What the forms of a page say that one of them is sent from; None where none is sent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeChecker:
    """Compares what the actions of one run led to.

    Attributes:
        run: id of the recorded run, for reports.
        login_path: path of the site's login page.
        effects: knows what is expected of writes.
        second: set where the run is performed to prove it.
        review: keeps what a page is otherwise, for a person to accept; None: such a run stops.
        healer: answers what nobody recorded; None: such a run stops.
        checks: counts what was compared.
        errors: what went wrong in scripts of pages where it had not when they were recorded, and the step, from 1.
        keep_values: stores what the site was seen to have generated once an action had been recorded, by the action.
    """

    run: str
    login_path: str | None
    effects: EffectChecker
    second: SecondPerformance | None
    review: Review | None
    healer: Healer | None
    checks: Counter[Check]
    errors: dict[str, int]
    keep_values: Callable[[str, Mapping[str, str]], None]

    def check_field(self, planned: PlannedStep, action: ActionRow, written: Written | None) -> None:
        """See that a field took what it is given as it did when it was recorded: whole, or changed by the page.

        Evidence of the first version does not say what a page made of a text: it is not compared.
        """
        if written is None:
            return
        self.checks["field"] += 1
        if action.error:
            expected = f"the page to refuse what is put in ({words_of(action)})"
            raise self._drift(planned, "postcondition", expected, "that it was taken")
        if tells_reads(action) and written.became == "changed" and READS not in action.options:
            there = f"it reads '{written.reads}'" if written.reads is not None else written.note
            raise self._drift(planned, "postcondition", to_hold(action), f"that {there}")

    def check_set(self, planned: PlannedStep, action: ActionRow, sets: Sequence[str] | None) -> None:
        """See that one of several alike members of a widget set in its form what it set then."""
        self.checks["field"] += 1
        name, value = action.options[SETS]
        if sets is None or list(sets) != [name, value]:
            there = f"'{sets[0]}' holds '{sets[1]}'" if sets else "no field that holds anything new"
            raise self._drift(planned, "postcondition", f"{words_of(action)} to set '{name}' to '{value}'", there)

    async def take_shown(self, actor: Actor, planned: PlannedStep, action: ActionRow) -> None:
        """Read what the page shows after an action and is asked for later, where the recording says so."""
        told = [(name, one) for name, one in planned.step.flags.get(SHOWS, {}).items()]
        here = [(name, one) for name, one in told if one["action"] == action.ordinal]
        for name, kind in ((name, one["words"]) for name, one in here if one.get("made")):
            self._take_made(actor, planned, action, name, kind)
        asked = {name: one["words"] for name, one in here if not one.get("made")}
        if not asked:
            return
        try:
            codes = await actor.reader.codes()
        except ToolError as error:
            expected = f"a page to read after {words_of(action)}"
            raise self._drift(planned, "site_error", expected, an_error(error.message)) from error
        for name, template in asked.items():
            self.checks["code"] += 1
            words = actor.bindings.render(template)
            found = find_shown(codes, words)
            if len(found) != 1:
                there = "none" if not found else f"{len(found)} of them"
                raise self._drift(planned, "postcondition", f"one code after '{words}' ({name})", there)
            actor.bindings.set(name, found.pop())

    def _take_made(self, actor: Actor, planned: PlannedStep, action: ActionRow, name: str, kind: str) -> None:
        """Know what the site calls a thing that an action made."""
        self.checks["code"] += 1
        made = actor.observer.ids.made_by(self.effects.performed_as[action.id]).get(kind)
        if made is None:
            expected = f"one new thing of those that are called '{kind}' ({name})"
            raise self._drift(planned, "postcondition", expected, "none, or several that are new")
        actor.bindings.set(name, made)

    @contextmanager
    def keeping_values(self, actor: Actor) -> Iterator[None]:
        """Store what the site is seen to have generated meanwhile: a script may change the address once it was read.

        Who goes on with the run later knows that in no other way.
        """
        known = actor.bindings.values()
        yield
        new = {name: value for name, value in actor.bindings.values().items() if name not in known}
        if minted := {name: value for name, value in new.items() if name.startswith(SITE)}:
            self.keep_values(actor.observer.last_action, minted)

    async def compare(
        self,
        actor: Actor,
        planned: PlannedStep,
        action: ActionRow,
        before: PageState | None,
        said: Said,
        *,
        stayed: bool,
    ) -> bool:
        """See that a page is as it was after an action.

        Args:
            actor: who did it.
            planned: the step.
            action: of it; what came of it was recorded.
            before: the page before, now.
            said: what its forms said before, where one was sent.
            stayed: whether the document is the same.

        Returns:
            Whether another document has come all the same, as a script put it off.

        Raises:
            Drift: the page is otherwise.
        """
        assert action.after is not None
        recorded, later = action.after, self._went_on(action)
        routed = stayed and await self._routed(actor, recorded.url, *([later.url] if later else ()))
        stayed = stayed and not routed
        await actor.view.learn_codes()
        now = _without_earlier(actor.here, action, before if stayed else None)
        here = actor.addresses.relative(actor.page.url)
        moved = self.effects.expected.moved.get(recorded.url, ())
        arrived = any(actor.urls.capture(url, here) is not None for url in (recorded.url, *moved))
        arrived = arrived or actor.urls.takes_anew(recorded.url, here, actor.observer.ids.made.is_called)
        gone_on = not arrived and later is not None and actor.urls.capture(later.url, here) is not None
        if gone_on and later:
            recorded, arrived = replace(later, requests=recorded.requests, notes=recorded.notes), True
        # The first page of a user follows on none, so that nothing says that it has come.
        came = not stayed or action.kind in VISITS
        if not arrived and came and await self._writes_its_query(actor, recorded.url):
            here, arrived = actor.addresses.relative(actor.page.url), True
        loads = ANSWERED not in action.options and action.settled == "navigated" and action.kind in REACHING
        judge = partial(
            compare,
            with_values(recorded, lambda text: actor.urls.anew(actor.bindings.shown(text))),
            url=here,
            arrived=arrived,
            login_path=self.login_path,
            stayed=stayed if loads else None,
            asks=DIALOGS in action.options,
            before=before,
            incidental=self._incidental(actor, planned, action),
            visits=action.kind in VISITS,
        )
        arrival = Arrival(actor, now, judge, before, arrived, visited=action.kind in VISITS)
        await arrival.settle()
        self.checks.update(arrival.made)
        await self._find_moved(actor, action, arrival, here, said)
        wrong = arrival.wrong
        for error in new_errors(recorded, actor.here):
            self.errors.setdefault(error, planned.step.ordinal + 1)
        if wrong is None and ANSWERED in action.options and not await led_to(actor, action.options[ANSWERED]):
            wrong = Mismatch("postcondition", f"an answer that leads to {action.options[ANSWERED]}", "none")
        if wrong and self.review and self.review.takes(planned, action, wrong, actor.here):
            return routed
        if wrong and not (self.healer and await self.healer.answered(actor, planned, action, wrong)):
            raise await self._otherwise(actor, planned, action, wrong)
        await self._check_learnt(actor, planned, action, right=wrong is None and not gone_on)
        if later and not gone_on and await self._goes_on(actor, action, later.url):
            return True
        return routed

    async def _otherwise(self, actor: Actor, planned: PlannedStep, action: ActionRow, wrong: Mismatch) -> Drift:
        """Say what of a page is otherwise, with what may say why."""
        if wrong.unexplained and (words := await actor.answers.main_words()):
            wrong = replace(wrong, found=f"{wrong.found}, which shows '{words}'")
        taken = ""
        if wrong.verdict == "data_collision":
            taken = named(wrong.field) or await taken_field(actor, planned, action, wrong.found)
        return self._drift(planned, wrong.verdict, f"{wrong.expected}{taken} after {words_of(action)}", wrong.found)

    def _went_on(self, action: ActionRow) -> PageState | None:
        """Give the page that the one after an action went on to by itself; not where its session had ended."""
        later = self.effects.expected.went_on.get(action.id)
        return None if later and is_at(later.url, self.login_path) else later

    async def _goes_on(self, actor: Actor, action: ActionRow, template: str) -> bool:
        """Wait until the page goes on by itself as it did before its user did more: that would cut it off.

        Returns:
            Whether another document has come.
        """
        patience_s = min(self.effects.expected.idle.get(action.id, 0.0), LONGEST_IDLE_S) + _ROUTED_MS / 1000
        if await documents.arrives(actor.page, _leads_to(actor, template), patience_s * 1000):
            return (await actor.view.follow()).settled == "navigated"
        return False

    async def _find_moved(self, actor: Actor, action: ActionRow, arrival: Arrival, here: str, said: Said) -> None:
        """Judge once more a page at another address: a form that came back, or an address of today's words."""
        assert action.after is not None
        recorded = action.after.url
        if arrival.lacks("address") and said and action.target:
            now = await actor.answers.form_texts()
            arrival.judge_again(above=said_above(await said, now, action.target.form))
        wrote = bool(self.effects.expected.writes.get(action.id))
        put_in = actor.observer.proofs.put_in(actor.observer.last_action)
        worded = reworded(recorded, here, actor.bindings.shown, put_in) if wrote else ""
        if arrival.lacks("address") and worded:
            arrival.judge_again(arrived=actor.urls.capture(worded, here) is not None)
        if arrival.lacks("address") and wrote and (moved := placed(recorded, here)):
            template, was, place = moved[0], *map(actor.bindings.shown, moved[1:])
            same = actor.urls.capture(template, here) is not None
            beside = actor.observer.history.came_beside(urlsplit(actor.page.url).path, unquote(was), unquote(place))
            arrival.judge_again(arrived=same and await actor.answers.has_renamed(was, place, beside=beside))
        told = await actor.observer.ids_told() if arrival.lacks("address") and (self.second or wrote) else frozenset()
        if arrival.lacks("address") and wrote and _stayed(action) and _is_of_what_was_made(actor, here, told):
            arrival.judge_again(arrived=True)
        if arrival.lacks("address") and self.second and (varied := varying(recorded, here, wrote=wrote, told=told)):
            said_now = (reworded(varied, here, actor.bindings.shown, put_in) if wrote else "") or varied
            arrival.judge_again(arrived=actor.urls.capture(said_now, here) is not None)
            self.second.addresses.update({} if arrival.wrong else {action.id: varied})

    async def _check_learnt(self, actor: Actor, planned: PlannedStep, action: ActionRow, *, right: bool) -> None:
        """See that the page says what two performances agreed on, given time; one that is otherwise is not asked."""
        learnt = learnt_of(planned.step.flags, action.ordinal)
        self.checks["text"] += len(learnt.required) if right else 0
        render, shown = actor.bindings.render, actor.bindings.shown
        lost = await lacking_by_then(actor, lambda now: lacking(learnt, now, render, shown)) if right else ""
        if lost:
            here = actor.here
            there = ", ".join(f"'{text}'" for text in (*here.said, *here.alerts)) or "none of this kind"
            raise self._drift(planned, "postcondition", f"the text '{lost}' after {words_of(action)}", there)

    def _incidental(self, actor: Actor, planned: PlannedStep, action: ActionRow) -> list[tuple[str, str]]:
        """Give the requests that need not be made again, as no two performances have agreed on them."""
        agreed = learnt_of(planned.step.flags, action.ordinal).requests
        found = [one for one in self.effects.expected.incidental(action) if " ".join(one) not in agreed]
        return [(method, actor.urls.anew(actor.bindings.shown(address))) for method, address in found]

    async def _writes_its_query(self, actor: Actor, template: str) -> bool:
        """Return whether a document that has come is where it was recorded but for a query that it writes itself.

        Lists write into their address how they are sorted, a moment after they have come. Either it came with the
        recorded address, and a script has changed the query since; or it has none, and a script is still to write it.
        Where the site itself leads to another query, that is another answer.
        """
        here = actor.addresses.relative(actor.page.url)
        if actor.urls.capture(path_of(template), path_of(here)) is None:
            return False
        came = actor.addresses.relative(await actor.answers.came_from())
        if path_of(came) == path_of(here) and actor.urls.capture(template, came) is not None:
            return True
        if here != path_of(here) or not await _goes_to(actor, _leads_to(actor, template)):
            return False
        await actor.view.learn_codes()
        return actor.urls.capture(template, actor.addresses.relative(actor.page.url)) is not None

    async def _routed(self, actor: Actor, *templates: str) -> bool:
        """Wait until a script has changed the address of the page as it did: it may have put that off for a moment.

        Returns:
            Whether another document has come with the address.
        """
        there = _leads_to(actor, *templates)
        if not there(actor.page.url) and await _goes_to(actor, there):
            return (await actor.view.follow()).settled == "navigated"
        return False

    def _drift(self, planned: PlannedStep, verdict: Verdict, expected: str, found: str) -> Drift:
        return drift_at(self.run, planned, verdict, expected, found)


def _without_earlier(now: PageState, action: ActionRow, before: PageState | None) -> PageState:
    """Give a page without what it still says of an action before: an agent takes its time, that had gone by then."""
    gone = set(before.alerts) - set(action.before.alerts if action.before else ()) if before else set()
    alerts = tuple(alert for alert in now.alerts if alert not in gone)
    return replace(now, alerts=alerts, refusals=tuple(one for one in now.refusals if one.words not in gone))


def _leads_to(actor: Actor, *templates: str) -> Callable[[str], bool]:
    """Make what tells whether an address is one of those of the recording."""

    def there(url: str) -> bool:
        here = actor.addresses.relative(url)
        return any(actor.urls.may_lead(template, here) for template in templates)

    return there


async def _goes_to(actor: Actor, there: Callable[[str], bool]) -> bool:
    """Wait until a script has given a page an address; what the page has asked for may have to come first."""
    patience_ms = actor.timeouts.shared(_ROUTED_MS)
    if await documents.arrives(actor.page, there, patience_ms):
        return True
    await actor.view.answered()
    return await documents.arrives(actor.page, there, _ROUTED_MS)


def tells_reads(action: ActionRow) -> bool:
    """Return whether a recording says what a page made of a text."""
    return action.target is not None and action.target.version >= _TELLS_READS


def to_hold(action: ActionRow) -> str:
    """Say what the field of an action was to hold."""
    value = f"'{action.recorded_value}'" if action.recorded_value is not None else "what was put in"
    return f"{action.target.words if action.target else 'the field'} to hold {value}"


def _stayed(action: ActionRow) -> bool:
    """Return whether the page of an action stood where it was, as its user left it."""
    return (
        action.before is not None
        and action.after is not None
        and path_of(action.before.url) == path_of(action.after.url)
    )


def _is_of_what_was_made(actor: Actor, here: str, told: Collection[str]) -> bool:
    """Return whether an address is that of a thing which the site has just told a script as made.

    An application goes on there by itself once it has the answer. A user who is quick has left its form before that.
    """
    path = path_of(here)
    return path.rpartition("/")[2] in told and not actor.observer.history.knows(path, actor.observer.history.count - 1)
