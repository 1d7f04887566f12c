"""Heals what strict evidence does not find any more, one action at a time, and keeps what was healed.

Not responsible for: the rule (``heal``), which the page is asked for and which decides; or writing a revision.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Protocol

from simulator.browser import documents
from simulator.browser.action_recorder import CLOSES, ActionKind, ActionStart, PageState
from simulator.browser.actor import Actor
from simulator.browser.documents import Document
from simulator.browser.evidence import Target
from simulator.browser.find import Find
from simulator.browser.views.frames import frame_at, host_in, loaded_frames
from simulator.canonical import url_shape
from simulator.errors import TemplateError, ToolError
from simulator.recording.documents import HealKind
from simulator.recording.revise import Added
from simulator.recording.rows import ActionRow
from simulator.replay.drift import DriftReport
from simulator.replay.evidence.heal import Found, Refused, Seen, compile_pieces, decide, mended
from simulator.replay.evidence.query import Query
from simulator.replay.evidence.resolve import Unprovable, compile_query, renamed
from simulator.replay.plan import Plan, PlannedStep
from simulator.replay.strange_dialog import close_dialog, strange_dialog
from simulator.replay.verify import Mismatch, compare

ANSWERED: Final = "answered"
"""Option of an action: the address that the answer to its request leads to, a template; no navigation goes there."""
ONLY: Final = "only"
"""Option of an action: by template, the values for which its target is the right one."""
OPTIONAL: Final = "optional"
"""Option of an action: it only dismissed something, which may not be there another time."""

_POINTED = frozenset({"click", "dblclick", "check", "uncheck", "hover", "drag", "upload"})
_VISITS = frozenset({"goto", "open_tab"})
_PIECEMEAL = frozenset({"type", "drag"})
"""What may have been done in part when it fails."""
_HEALED = frozenset({"target_missing", "target_contradicted"})
_BETWEEN_LOOKS_S = 1.0
_MOST_DISMISSALS = 3
"""For one action."""


class Dismissal(Protocol):
    """What lies over a page and may be dismissed, as the site section declares it."""

    @property
    def role(self) -> str:
        """Its ARIA role."""
        ...

    @property
    def name(self) -> str:
        """Its accessible name."""
        ...

    @property
    def button(self) -> str:
        """Accessible name of the button that dismisses it."""
        ...


@dataclass(frozen=True, slots=True)
class Heal:
    """Something that a replay did not find as it was recorded, and went on from all the same."""

    kind: HealKind
    step: int
    """Ordinal of the recorded step, from 1."""
    tool: str
    was: str
    found: str
    why: tuple[str, ...]
    """What speaks for it."""

    @property
    def sentence(self) -> str:
        """Say it in one sentence."""
        return f"step {self.step} ({self.tool}): {self.was}; now {self.found}; by {', '.join(self.why)}"

    def masked(self, mask: Callable[[str], str]) -> Heal:
        """Give it without secrets."""
        return replace(self, was=mask(self.was), found=mask(self.found), why=tuple(map(mask, self.why)))


@dataclass(frozen=True, slots=True)
class Mended:
    """What is acted on instead of what was recorded."""

    query: Query
    target: Target
    kind: ActionKind
    """What is done to it: from what has become a list one chooses."""


@dataclass(slots=True)
class Healer:
    """Heals one run.

    Args:
        plan: of the run.
        same: whether variables have the values that they had when it was recorded.
        login_path: path of the site's login page.
        recorded: what was acted on when the runs were recorded: URL template of the page, and evidence.
        dismissals: what may be dismissed where it lies over what is acted on.
    """

    plan: Plan
    same: bool
    login_path: str | None
    recorded: Sequence[tuple[str, Target]]
    dismissals: Sequence[Dismissal] = ()
    pause_s: float = _BETWEEN_LOOKS_S
    """Between the two looks at a page before anything is healed."""
    looked: str = ""
    """The document that was looked at twice, and showed the same."""
    waited: int = -1
    """The document in which an element was waited for in vain, so that it has shown what it has."""
    heals: list[Heal] = field(default_factory=list)
    targets: dict[str, Target] = field(default_factory=dict)
    """Evidence that was taken again, by action."""
    kinds: dict[str, ActionKind] = field(default_factory=dict)
    """What is done instead, by action."""
    options: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    """Options that are other ones, by action."""
    after: dict[str, PageState] = field(default_factory=dict)
    """Pages that are other ones, by action."""
    inserted: dict[str, list[Added]] = field(default_factory=dict)
    """What has to be done before an action, by action."""
    appended: dict[str, list[Added]] = field(default_factory=dict)
    """What has to be done after an action, by action."""

    async def mend(
        self, actor: Actor, planned: PlannedStep, action: ActionRow, query: Query, drift: DriftReport
    ) -> Mended | DriftReport:
        """Find what an action is to be performed on, where strict evidence locates nothing that fits.

        Args:
            actor: who acts.
            planned: the step.
            action: what is to be done.
            query: of strict evidence.
            drift: why it could not be done.

        Returns:
            What it is to be performed on; or the drift, with the reason why nothing was healed.
        """
        if action.target is None or action.kind in _PIECEMEAL or drift.verdict not in _HEALED:
            return drift
        frame: tuple[str, ...] = action.target.frame
        found: Found | Refused
        try:
            path = [actor.bindings.render_on_site(name) for name in frame]
            inside = await frame_at(actor.page, path, actor.addresses.may_visit, 0) if path else actor.page
            gone = Refused(why="its frame has gone", nowhere=True)
            found = await self._decided(actor, inside, action, query) if inside else gone
            if isinstance(found, Refused) and found.nowhere:
                frame, found = await self._elsewhere(actor, action, query, inside, found)
            if isinstance(found, Found) and self.looked != actor.tracker.document:
                found = await self._again(actor, action, query, frame, found)
        except documents.BrowserError as error:
            found = Refused(why=error.message.splitlines()[0])
        if isinstance(found, Refused):
            return replace(drift, found=f"{drift.found}; not healed: {found.why}")
        target = actor.writer.evidence(found.candidate.evidence.model_copy(update={"frame": frame}))
        self._keep(planned, action, target, found, actor)
        every = renamed(action.target, actor.bindings.render_on_site, every=True)
        kind: ActionKind = "select" if action.kind == "fill" and found.is_list else action.kind
        if kind != action.kind:
            self.kinds[action.id] = kind
            self._only(action, action.value or "", actor)
        return Mended(mended(query.model_copy(update={"renamed": every}), found), target, kind)

    async def _again(
        self, actor: Actor, action: ActionRow, query: Query, path: tuple[str, ...], found: Found
    ) -> Found | Refused:
        """Look once more when nothing is on its way: a page that is still at work may show the element itself."""
        await actor.view.follow()
        await asyncio.sleep(self.pause_s)
        inside = await frame_at(actor.page, list(path), actor.addresses.may_visit, 0) if path else actor.page
        second = await self._decided(actor, inside, action, query) if inside else None
        if not isinstance(second, Found) or second.candidate.ref != found.candidate.ref:
            return Refused(why=f"a moment later its evidence did not point to {found.candidate.words} any more")
        self.looked = actor.tracker.document
        return second

    async def _elsewhere(
        self, actor: Actor, action: ActionRow, query: Query, inside: Document | None, nowhere: Refused
    ) -> tuple[tuple[str, ...], Found | Refused]:
        """Decide in the page and in each of its frames; one of them alone may have what is looked for.

        What stood on the site stands on the site, and what another host showed is shown by that host.
        """
        assert action.target is not None
        frames = [
            (path, frame)
            for path, frame in await loaded_frames(actor.page, actor.addresses.may_visit, set())
            if frame is not inside
        ]
        places: list[tuple[tuple[str, ...], Document]] = [((), actor.page)] if inside is not actor.page else []
        told = [
            (path, await self._decided(actor, where, action, query))
            for path, where in (*places, *frames)
            if host_in(path) == host_in(action.target.frame)
        ]
        some = [(path, found) for path, found in told if isinstance(found, Found) or not found.nowhere]
        if len(some) > 1:
            return (), Refused(why="several frames hold some of its evidence")
        return some[0] if some else (action.target.frame, nowhere)

    async def _decided(self, actor: Actor, where: Document, action: ActionRow, query: Query) -> Found | Refused:
        assert action.target is not None
        render = actor.bindings.render_on_site
        pieces = compile_pieces(action.target, render, same=self.same)
        query = query.model_copy(update={"renamed": renamed(action.target, render, every=True)})
        asked = {
            "query": query.model_dump(exclude_defaults=True),
            "pieces": [piece.model_dump(exclude_defaults=True) for piece in pieces],
            "others": self._others(actor, action),
        }
        seen = Seen.model_validate(await documents.pieces(where, asked))
        given = actor.bindings.render(action.value or "") if action.kind == "fill" and not action.target.secret else ""
        return decide(action.target, pieces, seen, render, given=given)

    def _keep(self, planned: PlannedStep, action: ActionRow, target: Target, found: Found, actor: Actor) -> None:
        assert action.target is not None
        self.targets[action.id] = target
        meant = action.target.name or action.target.label
        if "{{" in meant and "{{" not in (target.name or target.label):
            # Nothing of the new evidence says for which value of the variable it stands.
            self._only(action, meant, actor)
        was = f"{action.target.role or action.target.tag} '{actor.bindings.render(meant or action.target.text)}'"
        moved = [f"frame '{' / '.join(target.frame)}'"] if target.frame != action.target.frame else []
        lost = f" (not by {', '.join(found.lost)})" if found.lost else ""
        self._heal(
            "target", planned, f"{action.kind} {was}{lost}", " in ".join((found.candidate.words, *moved)), found.agreed
        )

    def _only(self, action: ActionRow, template: str, actor: Actor) -> None:
        """Keep with an action that it is healed for one value of a template."""
        if "{{" in template:
            options = self.options.get(action.id, action.options)
            only = {**options.get(ONLY, {}), template: actor.bindings.render(template)}
            self.options[action.id] = {**options, ONLY: only}

    def _heal(self, kind: HealKind, planned: PlannedStep, was: str, found: str, why: Sequence[str]) -> None:
        step = planned.step
        self.heals.append(Heal(kind, step.ordinal + 1, step.tool or "", was, found, tuple(why)))

    def _others(self, actor: Actor, action: ActionRow) -> list[tuple[dict[str, Any], str]]:
        """Give what else was acted on, on the page that the action was recorded on."""
        assert action.target is not None
        here = action.before.url if action.before else None
        others: dict[tuple[object, ...], tuple[dict[str, Any], str]] = {}
        for url, target in self.recorded:
            if url != here or _key(target) == _key(action.target):
                continue
            try:
                query = compile_query(target, actor.bindings.render_on_site)
            except (Unprovable, TemplateError):
                continue
            others[_key(target)] = (query.model_dump(exclude_defaults=True), query.words)
        return list(others.values())

    async def clear(self, actor: Actor, planned: PlannedStep, action: ActionRow, query: Query | None) -> bool:
        """Dismiss what lies over the element of an action, as far as the site section allows it.

        Returns:
            Whether something was dismissed.
        """
        if query is None or not self.dismissals:
            return False
        done = self.inserted.setdefault(action.id, [])
        rules = [{"role": one.role, "name": one.name, "button": one.button} for one in self.dismissals]
        for _ in range(_MOST_DISMISSALS - len(done)):
            asked, covered = query.model_dump(exclude_defaults=True), action.kind in _POINTED
            try:
                told = await documents.dismissible(actor.page, asked, rules, covered=covered)
            except documents.BrowserError:
                break  # its document is being left
            if told is None:
                break
            before = actor.here
            report = await actor.click(Find("ref", told["ref"]))
            start = ActionStart("click", actor.name, target=report.target, before=before, options={OPTIONAL: True})
            done.append(Added(start, report.page))
            over = f"{told['role']} '{told['name']}' over {query.words}, which is new"
            self._heal("overlay", planned, over, f"dismissed by '{told['button']}'", ("a rule of the site section",))
        return bool(done)

    async def close(self, actor: Actor, planned: PlannedStep, action: ActionRow, query: Query | None) -> str | None:
        """Close a dialog that opened by itself over the element of an action; the revision closes it, too.

        Returns:
            An empty text where it was closed, why it could not be; None where there is none.
        """
        if query is None:
            return None
        told = await strange_dialog(actor, query)
        if told is None:
            return None
        failed = await close_dialog(actor, told, self.pause_s)
        if not failed:
            by = "its icon" if told.ref else "Escape"
            over = f"dialog '{told.name}' over {query.words}, which nobody recorded"
            why = ("it had opened by itself", "nothing was sent meanwhile")
            options = self.options.get(action.id, action.options)
            named = dict.fromkeys((*options.get(CLOSES, ()), actor.bindings.recognise(told.name)))
            self.options[action.id] = {**options, CLOSES: list(named)}
            self._heal("overlay", planned, over, f"closed by {by}", why)
        return failed

    async def answered(self, actor: Actor, planned: PlannedStep, action: ActionRow, wrong: Mismatch) -> bool:
        """Go on where a form was sent by a script instead of a navigation, if its answer led where the form had led.

        Args:
            actor: who acted.
            planned: the step.
            action: what was done.
            wrong: what was other than recorded.

        Returns:
            Whether everything is as if the form had been sent as it was recorded.
        """
        if wrong.kind not in ("address", "navigation") or action.target is None or action.after is None:
            return False
        now, recorded = actor.here, action.after
        method, _, address = actor.bindings.render_on_site(action.target.form).partition(" ")
        wanted = method.upper(), _bare(address)
        sent = [status for verb, url, status in now.requests if (verb, _bare(actor.bindings.shown(url))) == wanted]
        if method == "get" or len(sent) != 1 or sent[0] // 100 != recorded.status // 100:
            return False
        page = replace(recorded, requests=())
        if compare(page, now, url=recorded.url, arrived=True, login_path=self.login_path).wrong:
            return False
        if not await led_to(actor, recorded.url):
            return False
        self.after[action.id] = now
        self.options[action.id] = {**self.options.get(action.id, action.options), ANSWERED: recorded.url}
        if not self._leaves(action):
            before = actor.here
            try:
                report = await actor.navigation.goto(recorded.url)
            except ToolError:
                return False
            here = actor.addresses.relative(actor.page.url)
            arrived = actor.urls.capture(recorded.url, here) is not None
            if compare(page, actor.here, url=here, arrived=arrived, login_path=self.login_path).wrong:
                return False
            start = ActionStart("goto", actor.name, value=recorded.url, recorded_value=here, before=before, options={})
            self.appended.setdefault(action.id, []).append(Added(start, report.page, "navigated"))
        why = (f"{method.upper()} {address} was answered with {sent[0]}", f"the answer led to {recorded.url}")
        self._heal(
            "answer", planned, f"{action.kind} led to {recorded.url}", f"a script sent the form of {now.url}", why
        )
        return True

    def _leaves(self, action: ActionRow) -> bool:
        """Return whether the next thing that the actor does is to visit an address."""
        own = [one for step in self.plan.steps for one in step.actions if one.actor == action.actor]
        places = [place for place, one in enumerate(own) if one.id == action.id]
        later = own[places[0] + 1 :] if places else []
        return not later or later[0].kind in _VISITS


async def led_to(actor: Actor, url: str) -> bool:
    """Return whether the answer to a request of the last action led to an address; learns the values in it.

    Args:
        actor: who acted.
        url: the address, a template.
    """
    try:
        arrived = await documents.arrivals(actor.page)
    except documents.BrowserError:
        return False
    return any(actor.urls.capture(url, actor.addresses.relative(one)) is not None for one in arrived)


def _bare(address: str) -> str:
    return url_shape(address).partition("?")[0]


def _key(target: Target) -> tuple[object, ...]:
    """Give what makes two recorded elements one and the same."""
    cards = tuple(scope.texts[: scope.tells] for scope in target.scopes if scope.tells)
    own = (target.tag, target.role, target.name, target.label, target.name_attr, target.type, target.form)
    return (*own, target.test_id, target.value, cards)
