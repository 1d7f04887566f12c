"""What a model is told of the task that it is to repair. Not responsible for: the rules of all tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from simulator.persona.description import describe_task
from simulator.persona.tasks import Task
from simulator.recording.rows import ActionRow, EffectRow, RunRow
from simulator.replay.drift import DriftReport
from simulator.runner.repairs.repair_segment import Owed, Segment

_TYPED = frozenset({"fill", "type", "select", "press"})
_INTRODUCTION = """\
You have done all this on the site before, and are doing it again now, in the same way. The site has changed since: a \
step of one task cannot be done as it was. Find out how it is done now, finish this one task, and call complete. What \
came before this task is done, and what comes after it is done without you."""
_RULES = """\
- Give the same values, in the same places, as variables where they are variables here.
- Whatever is done already stays as it is. What a form on the open page holds already is not put in once more; a form \
that you open anew holds nothing, and gets everything, its files included.
- Where the site asks for something that was never given, make up what fits this user.
- Make each thing once. If you cannot tell whether something was taken, look for it before you send it again.
- Do not do it in another way than a user would, and nothing that the task does not need."""


def task_of(run: RunRow, tasks: Sequence[Task], segment: Segment) -> Task | None:
    """Give the persona's task that a part of a run belongs to; None where that is not known.

    Args:
        run: the run.
        tasks: of its persona.
        segment: the part.
    """
    if not run.environment.get("persona"):
        return None
    ends = (run.summary or {}).get("ends", [])
    at = sum(end <= segment.out[0].ordinal for end in ends)
    some = tasks[at : at + 1] if len(ends) == len(tasks) else tasks
    fit = [task for task in some if task.task_type == segment.task.partition(" ")[0]]
    return fit[0] if len(fit) == 1 else None


def goal(
    segment: Segment, drift: DriftReport, task: Task | None, shown: Callable[[str], str], page: str, undone: str
) -> str:
    """Write what is to be done.

    Args:
        segment: the task's part of the run.
        drift: why it could not be performed.
        task: what the persona says of it.
        shown: writes a template with the values of this user.
        page: what the open page shows.
        undone: by what it is known that the step had no effect.
    """
    named = describe_task(task) if task else segment.task
    done = [action for planned in segment.before for action in planned.actions]
    parts = [
        _INTRODUCTION,
        f"The task: {named}" + (f", its part {segment.task}" if task and segment.task != named else "")
        if named
        else "The task has no name: it is what the steps below do.",
        f"What cannot be done as it was: {drift.tool}: expected {drift.expected}; found {drift.found}\n"
        f"It had no effect that lasts: {shown(undone)}.",
        *(["Done already, and not to be done again:\n" + _list(done, shown)] if done else []),
        "How the rest of it was done (whatever part of its first step the page shows is done already):\n"
        + _list(segment.actions, shown),
        *(["What has to be on the site in the end, each once:\n" + _owed(segment.owed, shown)] if segment.owed else []),
        *_arrival(segment, shown),
        "How to go about it\n" + _RULES,
        *([page] if page else []),
    ]
    return "\n\n".join(parts)


def words_of_actions(actions: Sequence[ActionRow], shown: Callable[[str], str]) -> Iterator[str]:
    """Give what was done on the site, action by action, as templates with their values beside them."""
    for action in actions:
        target = action.target
        name = (target.label or target.name or target.placeholder or target.text) if target else ""
        aimed = f" {target.role or target.tag} '{shown(name)}'" if target else ""
        card = (
            next((scope for scope in target.scopes if scope.kind == "card" and scope.texts), None) if target else None
        )
        inside = f", in what shows '{shown(card.texts[0])}'" if card else ""
        yield f"{action.kind}{aimed}{inside}{_with(action, shown)}"


def _list(actions: Sequence[ActionRow], shown: Callable[[str], str]) -> str:
    return "\n".join(f"- {words}" for words in words_of_actions(actions, shown))


def _with(action: ActionRow, shown: Callable[[str], str]) -> str:
    """Say what an action was done with."""
    if action.kind == "upload":
        return f": the file {action.options.get('source') or action.options.get('name', '')}"
    if action.value is None:
        return ""
    rendered = shown(action.value)
    told = f": {action.value}" if action.kind in _TYPED else f" {action.value}"
    return told if rendered == action.value else f"{told} (that is: {rendered})"


def _owed(owed: Sequence[Owed], shown: Callable[[str], str]) -> str:
    return "\n".join(f"- {words_of_owed(one, shown)}" for one in owed)


def words_of_owed(owed: Owed, shown: Callable[[str], str]) -> str:
    """Say what a recorded action wrote."""
    fields = ", ".join(f"{name} '{shown(text)}'" for name, text in owed.fields.items())
    sent = f"{owed.write.method} {shown(owed.write.url)}"
    if owed.makes:
        return f"a new {owed.makes} with {fields}" if fields else f"a new {owed.makes}, by {sent}"
    if fields:
        return f"what {sent} sends, with {fields}"
    told = dict.fromkeys(words for one in owed.effects if (words := _words_of_effect(one, shown)))
    return f"what {sent} does" + (f": {'; '.join(told)}" if told else "")


def _words_of_effect(effect: EffectRow, shown: Callable[[str], str]) -> str:
    called, url = shown(effect.thing.called), shown(effect.url)
    if effect.kind == "state":
        return f"{shown(effect.shows) if effect.shows else f'no {shown(effect.was)} any more'} at {url}"
    if effect.kind in ("appearance", "disappearance"):
        gone = "gone from" if effect.kind == "disappearance" else "there at"
        return f"'{called}' is {gone} {url}" if called else f"it is {gone} {url}"
    return ""


def _arrival(segment: Segment, shown: Callable[[str], str]) -> list[str]:
    last = next((action.after for action in reversed(segment.actions) if action.after), None)
    return [f"It ended on the page {shown(last.url)}."] if last else []
