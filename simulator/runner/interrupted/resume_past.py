"""What a run did until it was cut off: what it is given back when it goes on, and what may or may not have happened.

Pure reading of a recording. Not responsible for: finding out what happened (``took_effect``), or going on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from simulator.browser.evidence import Target
from simulator.browser.written import WRITING
from simulator.persona import Persona
from simulator.persona.tasks import Do
from simulator.recording.generations import plain_name
from simulator.recording.reader import Recording
from simulator.recording.resuming import RESUME
from simulator.recording.rows import ActionRow, EffectRow, RunRow, StepRow, WriteRow
from simulator.replay.detours import is_rejected
from simulator.runner.surroundings.session import MAIN
from simulator.tools.families.account import EMAIL, PASSWORD, USERNAME

ARRIVING = frozenset({"navigate", "register", "login", "logout"})
"""Tools that find their page by themselves: what follows them needs nothing of the page before."""
_REACHING = frozenset({"click", "dblclick", "press", "drag"})
_CRASHED = frozenset({"page_closed", "unavailable", "navigation", "timeout", "not_actionable"})
"""How calls fail under a browser that has died, or on a site that has gone."""
_NO_ANSWER = "chrome-error:"
"""How the address begins of what the browser itself shows where no page came."""
_CUT_OFF = ("interrupted", "pending")
_SENDING_KEYS = frozenset({"Enter", "NumpadEnter", "Space", " "})
_OWN_NAMES = frozenset({USERNAME, EMAIL})
_TEXTUAL = frozenset({"text", "email", "tel", "search", ""})
_SUBMITS = frozenset({"submit", "image", "button", "reset", ""})


@dataclass(frozen=True, slots=True)
class Sent:
    """An action that may have changed the site, and what it sent."""

    action: ActionRow
    fields: tuple[ActionRow, ...]
    """What was put into its form before."""

    @property
    def answered(self) -> bool:
        """Whether a page of the site followed it."""
        after = self.action.after
        return self.action.status == "done" and after is not None and not after.url.startswith(_NO_ANSWER)

    @property
    def opens_session(self) -> bool:
        """Whether it sent a secret: it registers or logs in."""
        return any(one.target is not None and one.target.secret for one in self.fields)

    @property
    def refused(self) -> bool:
        """Whether the page that followed says that the site did not take it."""
        after = self.action.after
        return is_rejected(self.action) or (after is not None and after.status >= 400)


@dataclass(slots=True)
class Stay:
    """Where an actor was, and as whom."""

    url: str = ""
    """Template; empty before its first page."""
    login: dict[str, JsonValue] | None = None
    """The input of the login that it is logged in by; None: it is not."""
    named: str = ""
    """The name that it is logged in by, as it was typed; empty where that is not known."""


@dataclass(frozen=True, slots=True)
class Past:
    """What a run did."""

    run: RunRow
    persona: Persona
    steps: tuple[StepRow, ...]
    """What the agent had done, in order; without what was cut off."""
    lost: tuple[StepRow, ...]
    """What was cut off: the last step, or those that failed under a browser that had died."""
    actions: Mapping[str, tuple[ActionRow, ...]]
    """By step."""
    outcomes: tuple[tuple[str, str, str], ...] = ()
    """What came of the tasks that had ended: name, status, reason."""
    ends: tuple[int, ...] = ()
    """How many steps had been done when each of them ended."""
    all_by_model: bool = False
    writes: tuple[WriteRow, ...] = ()
    """What it sent that can change the site, as far as that was answered."""
    effects: tuple[EffectRow, ...] = ()
    """What was seen of that."""
    broken: tuple[StepRow, ...] = ()
    """What was cut off of leading it back, when it was resumed before."""

    @property
    def task(self) -> int:
        """The place of the task that was in hand, from 1."""
        return len(self.outcomes) + 1

    @property
    def by_model(self) -> bool:
        """Whether the task in hand is done by a model, where there is one."""
        left = self.persona.tasks[self.task - 1 :]
        return bool(left) and (self.all_by_model or isinstance(left[0], Do))

    @property
    def cut(self) -> tuple[StepRow, Sent] | None:
        """The step that may have changed the site, and nobody knows; with the action by which it may have."""
        for step in self.lost:
            sent = self.sent(step)
            if sent is not None and not (sent.answered and sent.refused):
                return step, sent
        return None

    def sent(self, step: StepRow) -> Sent | None:
        """Give the last action of a step that may have changed the site; None where none may.

        Logging in and out changes nothing that lasts.
        """
        if step.tool in ("login", "logout"):
            return None
        for action in reversed(self.actions.get(step.id, ())):
            if action.status != "cancelled" and may_change(action):
                sent = Sent(action, self._fields(action))
                return None if sent.opens_session and not registers(step, sent) else sent
        return None

    def changed(self, step: StepRow) -> bool:
        """Return whether a step that was done changed the site."""
        if step.error_type == "rejected":
            return False
        sent = self.sent(step)
        return sent is not None and not sent.refused and (sent.action.status == "done" or step.status == "interrupted")

    def given(self, took_effect: bool) -> int:
        """Return how many of the steps are given back to the agent, the cut one included where it took effect.

        The autopilot goes on from after its last effect, at a step that finds its page by itself: what it read of the
        page that it was on holds for that page alone. A model is shown all that it did.
        """
        count = len(self.steps)
        if took_effect:
            return count + 1
        if self.by_model or (self.lost and self.lost[0].tool in ARRIVING):
            return count
        least = max([at + 1 for at, step in enumerate(self.steps) if self.changed(step)], default=0)
        least = min(max([least, *self.ends]), count)
        arriving = [at for at in range(least, count) if self.steps[at].tool in ARRIVING]
        return arriving[-1] if arriving else least

    def stays(self, steps: Sequence[StepRow]) -> tuple[dict[str, Stay], str]:
        """Return where each actor is after some steps, in the order in which they came up, and which one acts."""
        stays = {MAIN: Stay()}
        current = MAIN
        for step in steps:
            actions = self.actions.get(step.id, ())
            if step.tool == "switch_user" and step.success and isinstance(step.result, dict):
                current = str(step.result["user"])
            for action in actions:
                current = plain_name(action.actor)
                stay = stays.setdefault(current, Stay())
                arrived = action.after is not None and not action.after.url.startswith(_NO_ANSWER)
                stay.url = action.after.url if action.after and arrived else stay.url
            stay = stays.setdefault(current, Stay())
            sent = self.sent_secret(step)
            if step.tool == "logout" and step.success:
                stay.login = None
            elif step.tool == "login" and step.success:
                stay.login = {name: text for name, text in step.input.items() if text is not None}
                stay.named = as_whom(sent)[1]
            elif step.tool == "register" and step.success:
                if step.metadata.get("logged_in"):
                    stay.login, stay.named = as_whom(sent)
            elif (
                sent is not None
                and sent.action.status == "done"
                and not sent.refused
                # Whether a registration logs in, no page says for sure; a login that follows it knows better.
                and (stay.login is None or not registers(step, sent))
            ):
                stay.login, stay.named = as_whom(sent)
        return stays, current

    def login(self) -> dict[str, JsonValue] | None:
        """Return how its main actor logged in last, as the input of a login; None where nobody did.

        Where it never logged in, a registration has. Whoever only opened a page, as guests do that find no login there,
        has not.
        """
        found: dict[str, JsonValue] | None = None
        for step in self.steps:
            sent = self.sent_secret(step)
            own = [action for action in self.actions.get(step.id, ()) if plain_name(action.actor) == MAIN]
            if step.tool == "login" and step.success and any(action.kind != "goto" for action in own):
                found = {name: text for name, text in step.input.items() if text is not None}
            elif sent is None or sent.refused or sent.action.status != "done" or sent.action not in own:
                continue
            elif found is None or not registers(step, sent):
                found = as_whom(sent)[0]
        entered = any(step.tool == "register" and step.success for step in self.steps)
        return {} if found is None and entered else found

    def sent_secret(self, step: StepRow) -> Sent | None:
        """Give the last action of a step that registered or logged in, where one did."""
        for action in reversed(self.actions.get(step.id, ())):
            if may_change(action) and (sent := Sent(action, self._fields(action))).opens_session:
                return sent
        return None

    def _fields(self, sending: ActionRow) -> tuple[ActionRow, ...]:
        """Give what was put into a form since its page was opened.

        A button that stands in no form may send one that it stands beside, by a script: what was put in since the last
        press counts then.
        """
        assert sending.target is not None
        found: list[ActionRow] = []
        beside: list[ActionRow] = []
        pressed = False
        before = [action for step in (*self.steps, *self.lost) for action in self.actions.get(step.id, ())]
        place = before.index(sending) if sending in before else 0
        for action in reversed(before[:place]):
            if action.actor != sending.actor or action.settled == "navigated":
                break
            pressed = pressed or may_change(action)
            if action.target is None or may_change(action):
                continue
            if action.target.form == sending.target.form:
                found.append(action)
            elif action.kind in WRITING and not (sending.target.form or pressed):
                beside.append(action)
        return tuple(reversed(found or beside))


def as_whom(sent: Sent | None) -> tuple[dict[str, JsonValue], str]:
    """Return with whom a form was sent that opened a session.

    Returns:
        The input of a login as that user, without what the user of the run logs in with anyway; and the name that was
        typed, as it was then.
    """
    given = [one for one in sent.fields if one.target and one.value] if sent else []
    names = [one for one in given if one.target and not one.target.secret and one.target.type in _TEXTUAL]
    is_name: tuple[Callable[[Target], bool], ...] = (_is_username, lambda one: one.type == "email", lambda _: True)
    first = next((one for test in is_name for one in names if one.target and test(one.target)), None)
    password = next((one.value for one in given if one.target and one.target.secret), PASSWORD)
    said: dict[str, JsonValue] = {} if password == PASSWORD else {"password": password}
    if first and first.value not in _OWN_NAMES:
        said["username"] = first.value
    return said, (first.recorded_value or "") if first else ""


def _is_username(target: Target) -> bool:
    return "username" in f"{target.autocomplete} {target.name_attr} {target.name}".lower().replace(" ", "")


def is_limit(summary: Mapping[str, object]) -> bool:
    """Return whether a limit ended a run, as its summary says."""
    return str(summary.get("end", "")).endswith("_limit")


def registers(step: StepRow, sent: Sent) -> bool:
    """Return whether a form that holds a secret opens an account."""
    secret = [one.target for one in sent.fields if one.target is not None and one.target.secret]
    new = any("new-password" in target.autocomplete for target in secret)
    return step.tool == "register" or (step.tool != "login" and (new or len(secret) > 1))


def may_change(action: ActionRow) -> bool:
    """Return whether an action may have changed the site, by what it was aimed at."""
    target = action.target
    if action.kind not in _REACHING or target is None or target.tag == "a":
        return False
    if action.kind == "press" and action.value not in _SENDING_KEYS:
        return False
    if target.form.startswith("get "):
        return False
    if target.tag == "input":
        return target.type in _SUBMITS or action.kind == "press"
    return target.tag not in ("select", "textarea", "option", "label", "summary")


def read_past(recording: Recording, run: RunRow, persona: Persona, *, all_by_model: bool = False) -> Past:
    """Read what a run did.

    Args:
        recording: where it stands.
        run: the run.
        persona: whose tasks it does.
        all_by_model: whether a model did its structured tasks, too.
    """
    actions: dict[str, list[ActionRow]] = {}
    for action in recording.actions(run.id):
        actions.setdefault(action.step_id, []).append(action)
    steps = recording.steps(run.id)
    broken = [step for step in steps if step.flags.get(RESUME) == "back" and step.status in _CUT_OFF]
    done = [step for step in steps if step.flags.get(RESUME) not in ("anew", "back")]
    lost: list[StepRow] = []
    if done and done[-1].status in _CUT_OFF and done[-1].flags.get(RESUME) != "took effect":
        lost.append(done.pop())
    while run.verdict == "environment" and done and done[-1].status == "failed" and done[-1].error_type in _CRASHED:
        lost.insert(0, done.pop())
    summary = run.summary or {}
    outcomes = [(str(task), str(status), str(reason)) for task, status, reason in summary.get("tasks", ())]
    ends = [int(end) for end in summary.get("ends", ())]
    if is_limit(summary) and outcomes and outcomes[-1][1] == "failed":
        outcomes.pop()  # the limit ended this one, and it goes on
    outcomes = outcomes[: len(ends)]
    # A browser that had died failed these, not the user; and those after them were skipped for that alone.
    while outcomes and lost and outcomes[-1][1] != "done" and ends[len(outcomes) - 1] > len(done):
        outcomes.pop()
    return Past(
        run,
        persona,
        tuple(done),
        tuple(lost),
        {step: tuple(own) for step, own in actions.items()},
        tuple(outcomes),
        tuple(min(end, len(done)) for end in ends[: len(outcomes)]),
        all_by_model,
        tuple(recording.writes(run.id)),
        tuple(recording.effects(run.id)),
        tuple(broken),
    )
