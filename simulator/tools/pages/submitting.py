"""Sends a form, and judges from the page that follows whether the site took it. Not responsible for: filling it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pydantic import JsonValue

from simulator.browser.action_recorder import PageState
from simulator.browser.find import Find
from simulator.browser.views.reading import ButtonInfo, FieldInfo, FormInfo
from simulator.browser.views.refusals import Refusal, kind_of, refused, said_above
from simulator.errors import ToolError, ToolErrorType
from simulator.tools.context import RunContext
from simulator.tools.failures import DetailedToolError
from simulator.tools.pages.answers import page_as_json
from simulator.tools.pages.meanings import meaning_of
from simulator.tools.pages.vocabulary import normal, phrases, says, says_purpose

if TYPE_CHECKING:
    from simulator.browser.acting.action_report import ActionReport

_ENTERING = frozenset({"login", "register"})
_READING = frozenset({"GET", "HEAD", "OPTIONS"})
_OF_FIELDS = ("field", "browser")
_TICKED = frozenset({"checkbox", "radio", "file", "range", "color"})
_SIGN = re.compile(r"[\ue000-\uf8ff]")
"""What an icon font draws."""


async def submit(ctx: RunContext, form: FormInfo, purpose: str | None = None, said: str = "") -> ActionReport:
    """Press a form's submit button and see that the site took it.

    Args:
        ctx: the run, on the form's page.
        form: the form, as it was read.
        purpose: what it is sent for, a key of the table ``purposes``: of several buttons,
            the one that says so is pressed. A form to log in or to register that has none is sent by Enter.
        said: what the button says, where that is known; it may stand outside of the form.

    Raises:
        ToolError: ``rejected``, with data ``{"errors": [{"field", "label", "meaning", "text", "kind"}], "page"}``;
            ``ambiguous`` or ``not_found`` where it has not one such button; ``not_actionable``: the form came back.
    """
    # A login may have its button beside the form: a person presses Enter in the last field then.
    last = [field.ref for field in form.fields if field.secret] if purpose in _ENTERING and not form.submits else []
    before = await ctx.actor.view.look()
    # As it is now that it is filled: a script may have kept its button disabled until then.
    filled = next((one for one in await ctx.actor.reader.forms() if one.ref == form.ref), form)
    try:
        button = None if last else submit_button(filled, purpose, said)
    except ToolError as error:
        if error.type != "not_found" or said or not (alone := _alone(filled)):
            raise
        button, last = None, [alone]
    said_before = await ctx.actor.answers.form_texts()
    if button is None:
        report = await ctx.actor.press("Enter", Find("ref", last[-1]))
    else:
        report = await ctx.actor.click(Find("ref", button.ref))
    forms = await ctx.actor.reader.forms()
    errors = _errors(ctx, filled, forms, before, report)
    if errors:
        said = "; ".join(
            f"{error['label']}: {error['text']}" if error["label"] else str(error["text"]) for error in errors
        )
        data: JsonValue = {"errors": [dict(error) for error in errors], "page": page_as_json(report.page)}
        raise DetailedToolError("rejected", f"the site refused the form: {said}", data)
    if await _came_back(ctx, filled, forms, before, report):
        name = form.name or form.heading or form.action
        # Some sites show a form again that they took: whoever logs in or registers would not be shown it.
        type: ToolErrorType = "rejected" if purpose in _ENTERING else "not_actionable"
        said = f"the form {name!r} came back as it was filled, and nothing shows that the site took it"
        shape = f"{form.method} {form.action}"
        above = said_above(said_before, await ctx.actor.answers.form_texts(), shape)
        told: list[JsonValue] = [
            {"field": "", "label": "", "meaning": "", "text": one.words, "kind": one.kind} for one in above
        ]
        words = f"; the page says: {'; '.join(one.words for one in above)}" if above else "; look at the page"
        raise DetailedToolError(type, f"{said}{words}", {"errors": told, "page": page_as_json(report.page)})
    return report


def _sent(report: ActionReport) -> bool:
    """Return whether anything went to the site that can be a form."""
    methods = {method for method, _, _ in report.page.requests}
    return report.outcome.settled == "navigated" or bool(methods - _READING)


def _again(form: FormInfo, forms: Sequence[FormInfo]) -> FormInfo | None:
    """Give the form that is the same as another one, which was filled: with the fields that it had."""
    names = [field.name_attr for field in form.fields]
    same = [one for one in forms if (one.action, one.method) == (form.action, form.method)]
    return next((one for one in same if [field.name_attr for field in one.fields] == names), None)


async def _came_back(
    ctx: RunContext, filled: FormInfo, forms: Sequence[FormInfo], before: PageState, report: ActionReport
) -> bool:
    """Return whether the form is there again with what was put into it, and nothing else shows that it was taken."""
    again = _again(filled, forms)
    if again is None or set(report.page.said) - set(before.said):
        return False
    texts = [(one.text, two.text) for one, two in zip(filled.fields, again.fields, strict=True) if one.text]
    if not texts or any(one != two for one, two in texts):
        return False
    if report.outcome.settled == "navigated":
        return filled.method == "post" and not await ctx.actor.answers.redirected()
    return not _sent(report)


def submit_button(form: FormInfo, purpose: str | None = None, said: str = "") -> ButtonInfo:
    """Give the one button that saves a form, or the one of several that names a purpose.

    Where the form has none, it is sought among those around it, in the smallest part that has one: by what it says, or
    by words for saving. What cancels or deletes is never taken. That costs a wrong press where the button of a form
    without one stands nearer to another form; seen of dialogs of single pages, whose buttons stand in a footer. A
    drawing that closes a hint in the form sends it by its type, too: it counts where nothing around says that it saves.

    Args:
        form: as it is filled.
        purpose: what it is sent for, a key of the table ``purposes``.
        said: what the button says.

    Raises:
        ToolError: there is none, or there are several.
    """
    if said:
        return _called(form, said)
    around = next(filter(None, (_saving(part, within=not at) for at, part in enumerate(form.beside))), [])
    own = [button for button in form.submits if not (button.boxed and around)]
    saving = [button for button in own if not says_purpose(button.name, "aside")]
    meant = [button for button in saving if purpose and says_purpose(button.name, purpose)]
    for found in (saving, meant):
        if len(found) == 1:
            return found[0]
    name = form.name or form.heading or form.action
    if not saving:
        saving = around if not own else []
        if len(saving) == 1:
            return saving[0]
    if not saving:
        raise ToolError("not_found", f"the form {name!r} has no button to submit it; press Enter in a field")
    names = ", ".join(f"{button.name!r} (ref={button.ref})" for button in saving)
    raise ToolError("ambiguous", f"the form {name!r} has several submit buttons: {names}; click one of them")


def words_on(name: str) -> str:
    """Give what a button says, without what a sign of an icon font in it hints at as the pointer comes to it.

    Its name goes on with that: *save as draft*, the sign, and a sentence about drafts. Nobody calls a button so.

    Args:
        name: its accessible name.
    """
    return next((part.strip() for part in _SIGN.split(name) if normal(part)), name)


def meant_to_save(names: Sequence[str]) -> str:
    """Give which of several buttons saves a form and does nothing more: the one whose words the others only add to.

    Not counted are those that leave the form, and those that add a part to it: "Add another line" beside "Save" and
    "Save and continue". Where adding is what saves it, such buttons count.

    Args:
        names: what the buttons say.

    Returns:
        Empty where there are not several, or none is meant.
    """
    saving = [name for name in names if normal(name) and not says_purpose(name, "aside")]
    for one in saving:
        beside = [name for name in saving if not says(normal(name), normal(one))]
        is_part = all(says_purpose(name, "add") for name in beside) and not (beside and says_purpose(one, "add"))
        if is_part and len(beside) < len(saving) - 1:
            return one
    return ""


def _alone(form: FormInfo) -> str:
    """Give the reference of the one field of a form that has no button of its own; empty for none.

    A browser sends such a form when one presses Enter in it, as one does to search.
    """
    typed = [one for one in form.fields if one.tag == "input" and one.type not in _TICKED and not one.hidden]
    return typed[0].ref if len(typed) == 1 and not (form.submits or any(form.beside[:1])) else ""


def _saving(part: Sequence[ButtonInfo], *, within: bool) -> list[ButtonInfo]:
    """Give the buttons of a part whose words mean that something is saved, and not that it is left or deleted.

    Those that say nothing else come before those that say of what; within the form, "Add a picture" is about one field.
    """
    saves = [one for one in part if says_purpose(one.name, "save") and not says_purpose(one.name, "aside")]
    bare = [one for one in saves if normal(one.name) in phrases("purposes")["save"]]
    return bare if bare or within else saves


def _called(form: FormInfo, said: str) -> ButtonInfo:
    """Give the button of a form, or of the smallest part around it, that says some words.

    Raises:
        ToolError: there is none, or there are several.
    """
    apart = [[one for one in part if not says_purpose(one.name, "aside")] for part in form.beside]
    for part in (form.submits, *apart):
        fitting = [one for one in part if normal(one.name) == normal(said)]
        fitting = fitting or [one for one in part if normal(words_on(one.name)) == normal(said)]
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            refs = ", ".join(f"ref={one.ref}" for one in fitting)
            raise ToolError("ambiguous", f"several buttons by the form say {said!r}: {refs}; click one of them")
    there = ", ".join(repr(one.name) for part in (form.submits, *apart) for one in part if one.name) or "none"
    raise ToolError("not_found", f"no button of the form, or around it, says {said!r}; there are: {there}")


def _errors(
    ctx: RunContext, form: FormInfo, forms: Sequence[FormInfo], before: PageState, report: ActionReport
) -> list[dict[str, str]]:
    page = report.page
    same = [one for one in forms if (one.action, one.method) == (form.action, form.method)]
    refusals = refused(page.alerts, page.refusals)
    if _is_taken(form, forms, report):
        asked = {field.error for again in forms for field in again.fields if field.error}
        same = []
        refusals = tuple(one for one in refusals if one.how not in _OF_FIELDS and one.words not in asked)
    found = [(field, field.error) for again in same for field in again.fields if field.error]
    for one in refusals:
        fields = [
            field for again in same for field in again.fields if one.name and one.name in (field.name_attr, field.id)
        ]
        found += [(field, one.words) for field in fields[:1] if one.how in ("field", "browser", "answer")]
    if not found and not _sent(report):
        # The browser itself held the form back.
        found = [(field, field.refusal) for again in same if again.ref == form.ref for field in again.fields]
    called = {one.name: one.field for one in refusals if one.name}
    errors = [_told(ctx, field, text, called) for field, text in found if text]
    if errors:
        return list({(error["field"], error["text"]): error for error in errors}.values())
    # A form that comes back with the alert that was there before may have been refused for the same reason again.
    loaded = report.outcome.settled == "navigated"
    again_refused = bool(same) and loaded
    said = [one for one in refusals if again_refused or one.words not in before.alerts]
    if not said and page.status >= 400 and (loaded or page.status != before.status):
        said = list(refusals) or [
            Refusal(f"the site answered with status {page.status}", kind_of("", status=page.status))
        ]
    if not said and report.outcome.settled == "quiet" and not page.requests:
        said = [Refusal("nothing was sent and the page did not change")]
    return [{"field": one.name, "label": one.field, "meaning": "", "text": one.words, "kind": one.kind} for one in said]


def _is_taken(filled: FormInfo, forms: Sequence[FormInfo], report: ActionReport) -> bool:
    """Return whether a form that a script had sent was taken, and is gone or empty for the next thing by now.

    It may have complained of just that. Seen of a single page that empties its form while it draws the page of the
    thing: it said that the name was required. What it costs when it is wrong is a refusal that is reported later, as a
    thing that is nowhere.

    Args:
        filled: the form as it was sent.
        forms: those of the page that followed.
        report: of the press that sent it.
    """
    answers = [status for method, _, status in report.page.requests if method not in _READING]
    if report.outcome.settled == "navigated" or not answers or not all(200 <= status < 400 for status in answers):
        return False
    for again in (one for one in forms if _names(one) == _names(filled)):
        texts = [(one.text, two.text) for one, two in zip(filled.fields, again.fields, strict=True) if one.text]
        if not texts or any(text == now for text, now in texts):
            return False
    return True


def _names(form: FormInfo) -> list[tuple[str, str]]:
    return [(field.name_attr, field.label) for field in form.fields]


def _told(ctx: RunContext, field: FieldInfo, text: str, called: Mapping[str, str]) -> dict[str, str]:
    name = field.name_attr or field.id
    # What is wrong may stand in the label itself: the reader of refusals calls the field without it.
    label = called.get(name) or field.group or field.label or field.caption or field.name_attr
    return {
        "field": name or field.ref,
        "label": label.rstrip(" :*"),
        "meaning": meaning_of(field, ctx.site.words) or "",
        "text": text,
        "kind": kind_of(text, of_field=True),
    }
