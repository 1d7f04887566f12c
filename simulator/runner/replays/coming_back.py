"""Brings the user of a replay that was cut off back to where its plan goes on: what took effect is not done again.

What nobody knows is asked of the site, in a browser context of its own that is closed afterwards. Then the user logs
in, and opens the page from which the rest of the plan was recorded. Not responsible for: what was done (``cut_off``),
or performing the rest.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import partial

from pydantic import JsonValue

from simulator.addresses import urlsplit
from simulator.agent.contracts import RunView
from simulator.browser.actor import Actor
from simulator.errors import TemplateError, ToolError
from simulator.persona import Identity
from simulator.recording.generations import plain_name
from simulator.recording.recorder import Recorder
from simulator.recording.resuming import mark_step, settle_step
from simulator.recording.rows import ActionRow, StepRow, VariableRow
from simulator.recording.run_recorder import RunRecorder
from simulator.replay.aiming import VISITS
from simulator.replay.learning.learn import CHANGING
from simulator.replay.learning.pairing import Place, after
from simulator.replay.perform import StepPerformer
from simulator.replay.plan import PlannedStep
from simulator.runner.accounts import registered_with
from simulator.runner.interrupted.resume_past import Past, Sent, Stay
from simulator.runner.interrupted.resume_writes import Cut, forget_sooner, look_where_found, watch_again, watch_cut
from simulator.runner.interrupted.took_effect import Looker, took_effect
from simulator.runner.interrupted.took_press import Finding
from simulator.runner.peers import NoPeers
from simulator.runner.performing.journal import RunJournal
from simulator.runner.performing.unrecorded import Unrecorded
from simulator.runner.replays.cut_off import CutOff, logs_in_first
from simulator.runner.replays.under_way import LeftOut
from simulator.runner.surroundings.run_setup import RunSetup
from simulator.runner.surroundings.session import Session
from simulator.template import CHOICE
from simulator.tools.context import RunContext
from simulator.tools.contracts import ToolCall, ToolFailure, ToolResult
from simulator.tools.dispatch import TimeoutDispatcher, ToolDispatcher
from simulator.tools.families.account import login
from simulator.tools.toolsets import registry_of

_GENERATED = "site."
_PASSING = (CHOICE, "file.", _GENERATED)
"""Variables that are bound again where their step is begun again."""
_SAID = "as the person said who resumed the run"


@dataclass(slots=True, kw_only=True)
class ComingBack:
    """Brings one user back.

    Attributes:
        cut: what its run had done.
        setup: what it acts with.
        session: its actors, in new contexts.
        recorder: of the run.
        whole: the recording.
        performer: performs the rest.
        look: gives actors in contexts of their own, to look with.
        assumed: what a person says of steps of the run, by their place from 1: whether each took effect.
    """

    cut: CutOff
    setup: RunSetup
    session: Session
    recorder: RunRecorder
    whole: Recorder
    performer: StepPerformer
    look: Callable[[RunSetup], Session]
    assumed: Mapping[int, bool]

    async def go(self) -> tuple[PlannedStep, ...]:
        """Bring the user back; gives what is left of its plan.

        Raises:
            LeftOut: it cannot be known what took effect, or the user cannot come back.
        """
        try:
            return await self._go()
        except TemplateError as error:  # it ends this user, and none of the others
            raise LeftOut(f"its user cannot go on: {error}") from error

    async def _go(self) -> tuple[PlannedStep, ...]:
        cut, begins = self.cut, self.cut.begins_at
        url, found = "", None
        if (question := cut.question) is not None:
            step, sent = question
            finding = await self._found(step, sent)
            place = cut.place_of(sent.action)
            if finding.took:
                assert place is not None, "what may have taken effect is an action of the plan"
                begins = after(cut.plan, place)
                found = sent, finding, self._cut_write(sent, place)
                url = await self._settle(step, sent, finding, place, found[2])
        for one in cut.anew(begins):
            mark_step(self.whole, one.id, "anew")
        gone = {one.id for one in cut.anew(begins)}
        self._remember([one for one in cut.variables if not (one.step_id in gone and one.name.startswith(_PASSING))])
        left, past = cut.left(begins), cut.stays(begins)
        self.performer.effects.let_go(cut.gone_with_visits(begins))
        for pair in cut.kept(begins):
            self.performer.effects.performed(pair.recorded, pair.row.id, ())
            self._learn_by_addresses(pair.recorded, pair.row)
        if begins > Place():
            ctx = self.setup.context(self.session, RunJournal(self.recorder))
            await self._log_in(ctx, past, left)
            write = found[2] if found else None
            await watch_again(ctx, forget_sooner(write, past, self.recorder.answered) if write else past)
            if found and write:
                sent, finding, _ = found
                actor = await self.session.open(plain_name(sent.action.actor))
                watched = watch_cut(actor, write, finding.url and url, self.setup.bindings, answered_at=url)
                self.recorder.answered(watched.write)
                others = self._shown_at(actor, write)
                page = url or self._page_of(actor, sent)
                seen = await look_where_found(actor, write, watched, finding, others, at=page)
                self.recorder.add_effects(sent.action.id, seen)
            await self._open_pages(past, left, url)
            self.performer.actor = self.session.current
        return left

    def _cut_write(self, sent: Sent, place: Place) -> Cut | None:
        """Give the write that was cut off, and took effect, as the same action of the recorded run tells it."""
        own = {one.recorded.id: one.row.id for one in self.cut.paired}
        recorded = self.cut.plan.steps[place.step].actions[place.action]
        told = [one for one in self.cut.plan.expected.writes.get(recorded.id, ()) if one.status < 400]
        like = max(told, key=lambda one: len(one.carried), default=None)
        if like is not None:
            put = (replace(one, input=own[one.input]) for one in like.carried if one.input in own)
            like = replace(like, carried=tuple(put))
        return Cut.of(self.cut.past, sent, self.setup.bindings, like)

    def _page_of(self, actor: Actor, sent: Sent) -> str:
        """Give where an action led when it was recorded, without a query that is another one each time."""
        led_to = next((one.recorded.after for one in self.cut.paired if one.row.id == sent.action.id), None)
        path, _, query = led_to.url.partition("?") if led_to else ("", "", "")
        return path if CHANGING in query and _is_known(actor, path) else ""

    def _shown_at(self, actor: Actor, write: Cut) -> list[str]:
        """Give where the recorded run saw kept what the like of a write carried, as far as that is known."""
        own = {one.row.id: one.recorded.id for one in self.cut.paired}
        put = {own.get(one.input) for one in write.row.carried}
        rows = (one for some in self.cut.plan.expected.effects.values() for one in some)
        urls = [one.url for one in rows if one.input_id in put and one.kind == "echo" and one.strength == "kept"]
        return [actor.urls.render(one) for one in dict.fromkeys(urls) if _is_known(actor, one)]

    async def _found(self, step: StepRow, sent: Sent) -> Finding:
        """Find out whether what was cut off took effect."""
        place, past = step.ordinal + 1, self.cut.past
        if place in self.assumed:
            return Finding(self.assumed[place], _SAID)
        identity = self.setup.identity
        assert identity is not None, "a user that comes back is somebody"
        setup = RunSetup.of(self.setup.resources, identity, self.setup.bindings.values())
        async with self.look(setup) as session:
            ctx = setup.context(session, Unrecorded())
            learn(session.current, self.cut.variables)
            _know_accounts(ctx, past)
            stays, _ = past.stays(past.steps)
            name = plain_name(sent.action.actor)
            await session.open(name)
            stay = stays.get(name, Stay())
            try:
                if stay.login is not None:
                    await login.run(ctx, **_login_of(stay, ctx))
            except ToolError as error:
                raise LeftOut(f"its user cannot log in any more: {error.message}", step) from error
            finding = await took_effect(_looker(ctx, past, identity), past, step, sent)
            if finding.url:
                finding = replace(finding, url=ctx.actor.urls.render(finding.url))
        self.setup.resources.vaults.retire(setup.vault)
        if finding.took is None:
            button = sent.action.target.name if sent.action.target else ""
            raise LeftOut(
                f"whether step {place} ({step.tool}: {button!r}) took effect is not known: "
                f"{self.setup.shown(finding.seen)}; look at the site, and say it: 'sim runs resume {self.recorder.id}' "
                f"with --assume-done {place} or --assume-not-done {place}",
                step,
            )
        return finding

    async def _settle(self, step: StepRow, sent: Sent, finding: Finding, place: Place, write: Cut | None) -> str:
        """Store that a step took effect, and learn what the site calls what it made; gives where that led."""
        template = self.setup.template
        seen = template(finding.seen)
        settle_step(self.whole, step.id, ToolResult(success=True), seen)
        recorded = self.cut.plan.steps[place.step].actions[place.action]
        led_to = recorded.after.url if recorded.after else ""
        self._remember([one for one in self.cut.variables if one.name.startswith(_GENERATED)])
        actor = self.session.current
        self._learn_by_addresses(recorded, sent.action, [one.action_id for one in write.sooner] if write else ())
        if finding.url and led_to:
            known = actor.bindings.values()
            where = actor.addresses.relative(finding.url)
            if "#" not in where:
                led_to = led_to.partition("#")[0]  # an answer is stored without the place in the page that it leads to
            learnt = actor.urls.capture(led_to, where) or {}
            for name, value in learnt.items():
                if known.get(name) != value:
                    self.recorder.variables.set(name, value, kind="site", step_id=step.id, action_id=sent.action.id)
        return led_to if _is_known(actor, led_to) else ""

    def _learn_by_addresses(self, recorded: ActionRow, row: ActionRow, sooner: Collection[str] = ()) -> None:
        """Learn what the site calls things by the addresses that an action had sent something to, or led to, by then.

        A page tells it by its address, which a script may finish later: the query of that may not have been there yet.

        Args:
            recorded: the action.
            row: what it has become.
            sooner: more actions, which had sent a part of the same as it was typed.
        """
        acted = {row.id, *sooner}
        actor, writes = self.session.current, self.cut.writes
        sent = {
            (one.method, one.url)
            for one in self.cut.plan.expected.writes.get(recorded.id, ())
            if _GENERATED in one.url and not _is_known(actor, one.url)
        }
        told = [
            (url, [one.url for one in writes if one.action_id in acted and one.method == method and one.status < 400])
            for method, url in sent
        ]
        if recorded.after and row.after:
            told.append((recorded.after.url.partition("?")[0], [row.after.url.partition("?")[0]]))
        for template, urls in told:
            if "{{" + _GENERATED not in template or _is_known(actor, template):
                continue
            alike = {actor.urls.render(one) for one in urls if _is_known(actor, one) and _may_be(template, one)}
            learnt = actor.urls.capture(template, *alike) if len(alike) == 1 else None
            for name, value in (learnt or {}).items():
                self.recorder.variables.set(name, value, kind="site", step_id=row.step_id, action_id=row.id)

    def _remember(self, variables: Collection[VariableRow]) -> None:
        """Bind what the run had learned."""
        for one in variables:
            if one.value is not None and not one.name.startswith(_GENERATED):
                self.setup.bindings.set(one.name, one.value)
        learn(self.session.current, variables)

    async def _log_in(self, ctx: RunContext, past: Past, left: tuple[PlannedStep, ...]) -> None:
        """Log every actor in who was, unless that is what comes first."""
        _know_accounts(ctx, past)
        for name, stay in past.stays(past.steps)[0].items():
            await self.session.open(name)
            if stay.login is not None and not logs_in_first(left):
                given = _login_of(stay, ctx)
                await self._back("login", given, partial(login.run, ctx, **given))

    async def _open_pages(self, past: Past, left: tuple[PlannedStep, ...], led_to: str) -> None:
        """Open the page that each actor was on; of the one who acts, that on which the rest of the plan begins.

        Args:
            past: what the run did, without what is begun again.
            left: the rest of the plan.
            led_to: where a write led that was cut off and took effect: that page shows it.
        """
        stays, current = past.stays(past.steps)
        first = next((action for planned in left for action in planned.actions), None)
        for name in sorted(stays, key=lambda name: name == current):
            await self.session.open(name)
            there = led_to if name == current and led_to else stays[name].url
            visited = name == current and not led_to and (first is None or first.kind in VISITS)
            if there and not visited:
                goto = self.session.current.navigation.goto
                await self._back("navigate", {"url": there}, partial(goto, there))

    async def _back(self, tool: str, given: dict[str, JsonValue], do: Callable[[], Awaitable[object]]) -> None:
        """Do something that leads the user back: it is recorded, and distinguished from what the plan does."""
        recorder = self.recorder
        step_id = recorder.begin_step(call=ToolCall(id=f"back_{tool}", name=tool, input=given), replay="actions")
        mark_step(self.whole, step_id, "back")
        try:
            await do()
        except (ToolError, TemplateError) as error:
            said = error.message if isinstance(error, ToolError) else str(error)
            kind = error.type if isinstance(error, ToolError) else "rejected"
            recorder.end_step(step_id, ToolResult(success=False, error=ToolFailure(type=kind, message=said)))
            what = "log in any more" if tool == "login" else f"open the page that it was on ({given.get('url')})"
            raise LeftOut(f"its user cannot {what}: {said}") from error
        recorder.end_step(step_id, ToolResult(success=True))


def learn(actor: Actor, variables: Collection[VariableRow]) -> None:
    """Let an actor know what the site had called things."""
    for one in variables:
        if one.value is not None and one.name.startswith(_GENERATED):
            actor.urls.variables.depart("", choosing=False)
            actor.urls.variables.learn(one.name, one.value)


def _is_known(actor: Actor, address: str) -> bool:
    """Return whether all that an address is made of has a value: what the site calls a thing may never be learnt."""
    try:
        actor.urls.render(address)
    except TemplateError:
        return False
    return True


def _may_be(template: str, address: str) -> bool:
    """Return whether an address has the steps of a template, whatever stands in place of its variables."""
    steps = [urlsplit(one).path.split("/") for one in (template, address)]
    return len(steps[0]) == len(steps[1]) and all(a == b or "{{" in a for a, b in zip(*steps, strict=True))


def _looker(ctx: RunContext, past: Past, identity: Identity) -> Looker:
    registry = registry_of(("browser",))
    dispatcher = TimeoutDispatcher(ToolDispatcher(registry, ctx), registry)

    async def do(tool: str, given: dict[str, JsonValue]) -> ToolResult:
        return await dispatcher.dispatch(ToolCall(id="look", name=tool, input=given))

    view = RunView(past.persona, identity, ctx.site, NoPeers(), tell=lambda event: None, shown=ctx.bindings.shown)
    return Looker(ctx, view, do)


def _know_accounts(ctx: RunContext, past: Past) -> None:
    """Let the tools know with what the run has registered."""
    for step in (*past.steps, *past.lost):
        if step.tool == "register" and (actions := past.actions.get(step.id)):
            ctx.registered[plain_name(actions[0].actor)] = registered_with(actions)


def _login_of(stay: Stay, ctx: RunContext) -> dict[str, JsonValue]:
    """Give the input of a login as whom an actor was logged in."""
    given = dict(stay.login or {})
    own = [ctx.bindings.get("identity.username"), ctx.bindings.get("identity.email")]
    if stay.named and "username" not in given and stay.named not in own:
        given["username"] = stay.named
    return given
