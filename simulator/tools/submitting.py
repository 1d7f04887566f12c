"""Sends a form, and tells from the page that follows whether the site took it. Not responsible for: filling it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import JsonValue

from simulator.browser.find import Find
from simulator.browser.reading import ButtonInfo, FormInfo
from simulator.browser.sink import PageState
from simulator.errors import ToolError
from simulator.tools.answers import tell_page
from simulator.tools.context import RunContext
from simulator.tools.failures import DetailedToolError
from simulator.tools.meanings import meaning_of
from simulator.tools.vocabulary import says_deed

if TYPE_CHECKING:
    from simulator.browser.executor import ActionReport


async def submit(ctx: RunContext, form: FormInfo, deed: str | None = None) -> ActionReport:
    """Press a form's submit button and see that the site took it.

    Args:
        ctx: the run, on the form's page.
        form: the form, as it was read.
        deed: what it is sent for, a key of the table ``deeds``: of several buttons the one that says so is pressed.

    Raises:
        ToolError: ``rejected``, with data ``{"errors": [{"field", "label", "meaning", "text"}], "page"}``;
            ``ambiguous`` or ``not_found`` where it has not one such button.
    """
    button = submit_button(form, deed)
    before = await ctx.actor.look()
    report = await ctx.actor.click(Find("ref", button.ref))
    errors = await _errors(ctx, form, before, report)
    if errors:
        said = "; ".join(
            f"{error['label']}: {error['text']}" if error["label"] else str(error["text"]) for error in errors
        )
        ctx.memo.moved(report.page.url)
        data: JsonValue = {"errors": [dict(error) for error in errors], "page": tell_page(report.page)}
        raise DetailedToolError("rejected", f"the site refused the form: {said}", data)
    ctx.memo.acted(report)
    return report


def submit_button(form: FormInfo, deed: str | None = None) -> ButtonInfo:
    """Give the one button that saves a form, or the one of several that names a deed.

    Raises:
        ToolError: there is none, or there are several.
    """
    saving = [button for button in form.submits if not says_deed(button.name, "aside")]
    meant = [button for button in saving if deed and says_deed(button.name, deed)]
    for found in (saving, meant):
        if len(found) == 1:
            return found[0]
    name = form.name or form.heading or form.action
    if not saving:
        raise ToolError("not_found", f"the form {name!r} has no button to submit it; press Enter in a field")
    names = ", ".join(f"{button.name!r} (ref={button.ref})" for button in saving)
    raise ToolError("ambiguous", f"the form {name!r} has several submit buttons: {names}; click one of them")


async def _errors(ctx: RunContext, form: FormInfo, before: PageState, report: ActionReport) -> list[dict[str, str]]:
    page = report.page
    same = [one for one in await ctx.actor.forms() if (one.action, one.method) == (form.action, form.method)]
    errors = [
        {
            "field": field.name_attr or field.id or field.ref,
            "label": field.group or field.label or field.caption,
            "meaning": meaning_of(field, ctx.site.words) or "",
            "text": field.error,
        }
        for again in same
        for field in again.fields
        if field.error
    ]
    if errors:
        return list({(error["field"], error["text"]): error for error in errors}.values())
    # A form that comes back with the alert that was there before may have been refused for the same reason again.
    again_refused = bool(same) and report.outcome.settled == "navigated"
    said = [text for text in page.alerts if again_refused or text not in before.alerts]
    if not said and page.status >= 400:
        said = list(page.alerts) or [f"the site answered with status {page.status}"]
    if not said and report.outcome.settled == "quiet" and not page.requests:
        said = ["nothing was sent and the page did not change"]
    return [{"field": "", "label": "", "meaning": "", "text": text} for text in said]
