"""What a site says is taken already: which field, and whether it is the user's own account.

Not responsible for: noticing that it says so (``verify``), or what is done then.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from simulator.browser.actor import Actor
from simulator.browser.views.reading import FieldInfo
from simulator.errors import ToolError
from simulator.recording.rows import ActionRow
from simulator.replay.plan import Plan, PlannedStep
from simulator.template import MAILED_SECRET, SECRET, placeholders
from simulator.tools.mail import MAIL

_WHO = ("identity.username", "identity.email")
_WRITES = ("POST", "PUT", "PATCH", "DELETE")
_VISITS = ("goto", "open_tab")


def field_of(said: str, fields: Sequence[FieldInfo], filled: Sequence[tuple[str, str]]) -> str:
    """Name the field of which a site says that its value is taken.

    Args:
        said: what the site says.
        fields: of the forms on the page; one that is marked as wrong with these words is the one.
        filled: label and value of what was put into the form.

    Returns:
        Its label; empty where the page does not say.
    """
    marked = [one for one in fields if one.error]
    named = [one for one in marked if one.error in said or said in one.error]
    for one in named or (marked if len(marked) == 1 else ()):
        return one.label or one.caption or one.name_attr
    low = said.casefold()
    by_value = [label for label, value in filled if len(value) > 2 and value.casefold() in low]
    by_label = [label for label, _ in filled if label and label.casefold() in low]
    return next(iter([*by_value, *by_label]), "")


async def taken_field(actor: Actor, planned: PlannedStep, action: ActionRow, said: str) -> str:
    """Name the field of which the site says that its value is taken, looking at the page as it is now.

    Args:
        actor: who sent the form.
        planned: the step.
        action: what sent it.
        said: what the site says, a template.

    Returns:
        In words, to follow on others; empty where the page does not say.
    """
    form = action.target.form if action.target else ""
    filled = [
        (one.target.label or one.target.name, actor.bindings.shown(one.value or ""))
        for one in planned.actions
        if one.target and one.target.form == form and one.kind in ("fill", "type")
    ]
    try:
        fields = [each for one in await actor.reader.forms() for each in one.fields]
    except ToolError:
        fields = []
    return named(field_of(actor.bindings.shown(said), fields, filled))


def named(field: str) -> str:
    """Name a field, to follow on other words; empty where there is none."""
    return f" in the field '{field}'" if field else ""


def registers(plan: Plan, planned: PlannedStep) -> bool:
    """Return whether a step opens the user's own account: a form that took its name or address, and a password.

    Args:
        plan: of the run.
        planned: the step that sends the form.
    """
    if planned.step.tool == "register":
        return True
    forms = {action.target.form for action in planned.actions if action.target and action.target.form}
    put = [
        name
        for each in plan.steps
        if each.step.ordinal <= planned.step.ordinal
        for action in each.actions
        if action.target and action.target.form in forms and action.value
        for name in placeholders(action.value)
    ]
    return any(name in _WHO for name in put) and any(name.startswith("secret.") for name in put)


def confirming(plan: Plan, planned: PlannedStep) -> list[PlannedStep]:
    """Give the steps that finish a registration by what the site sends its user; none where it sends nothing.

    Args:
        plan: of the run.
        planned: the step that registers.
    """
    after = [each for each in plan.steps if each.step.ordinal > planned.step.ordinal]
    before_login = list(takewhile(lambda each: not any(map(_gives_password, each.actions)), after))
    by_mail = [place for place, each in enumerate(before_login) if _by_mail(each)]
    return before_login[: by_mail[-1] + 1] if by_mail else []


def _by_mail(planned: PlannedStep) -> bool:
    told = MAIL in planned.step.metadata
    return told or any(
        MAILED_SECRET in f"{one.value} {one.target.form if one.target else ''}" for one in planned.actions
    )


def following(plan: Plan, planned: PlannedStep) -> list[ActionRow]:
    """Give what a run does after a registration and all that belongs to it."""
    last = [planned, *confirming(plan, planned)][-1].step.ordinal
    return [action for each in plan.steps if each.step.ordinal > last for action in each.actions]


def logs_in(actions: Sequence[ActionRow]) -> bool:
    """Return whether a run goes on by logging in: a password goes into a form before anything else is sent."""
    for action in actions:
        if _gives_password(action):
            return True
        if action.after and any(method in _WRITES for method, _, _ in action.after.requests):
            return False
    return False


def _gives_password(action: ActionRow) -> bool:
    names = placeholders(action.value or "") if action.target and action.target.secret else ()
    return any(name.startswith(SECRET) and not name.startswith(MAILED_SECRET) for name in names)


def starts_at(actions: Sequence[ActionRow]) -> str:
    """Give the address of the page on which a run goes on, a template; empty where it visits one itself."""
    first = next(iter(actions), None)
    return "" if first is None or first.kind in _VISITS or first.before is None else first.before.url
