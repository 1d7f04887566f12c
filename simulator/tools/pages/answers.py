"""How tools show a page to an agent. Not responsible for: reading pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import JsonValue

if TYPE_CHECKING:
    from simulator.browser.acting.action_report import ActionReport
    from simulator.browser.action_recorder import PageState


def page_as_json(page: PageState) -> dict[str, JsonValue]:
    """Say where one is and what the page says of itself; what is empty is left out."""
    told: dict[str, JsonValue] = {"url": page.url, "title": page.title}
    if page.status:
        told["status"] = page.status
    if page.alerts:
        told["alerts"] = list(page.alerts)
    if page.notes:
        told["notes"] = list(page.notes)
    return told


def action_as_json(report: ActionReport) -> dict[str, JsonValue]:
    """Say what an action was done to and what the page is now."""
    told: dict[str, JsonValue] = {"page": page_as_json(report.page), "settled": report.outcome.settled}
    if report.target is not None:
        name = report.target.called
        told["element"] = f"{report.target.role or report.target.tag} {name!r}" if name else report.target.tag
    return {**told, **written_as_json(report)}


def written_as_json(report: ActionReport) -> dict[str, JsonValue]:
    """Say what became of what was put into a field, where the field does not simply hold it now."""
    written = report.written
    if written is None:
        return {}
    told: dict[str, JsonValue] = {}
    if written.reads is not None:
        told["reads"] = written.reads
    if written.became == "held" and written.note:
        told["not_chosen"] = written.note
    if written.became == "reacted":
        told["reacted"] = written.note
    elif written.became == "changed":
        told["changed_by_page"] = written.note or True
    return told
