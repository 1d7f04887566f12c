"""Tools that read the page for an agent: its text, its picture, its forms and links. They change nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pydantic import JsonValue

from simulator.canonical import sha256
from simulator.tools.answers import tell_page
from simulator.tools.context import RunContext
from simulator.tools.contracts import Image, ToolResult
from simulator.tools.meanings import meaning_of
from simulator.tools.spec import tool

if TYPE_CHECKING:
    from simulator.browser.reading import FieldInfo, FormInfo, LinkInfo

TEXT_LIMIT = 4000
"""Characters of a page's text."""
LINKS_LIMIT = 200


@tool(category="extraction", safety="safe", replay="skip", required_capabilities=["vision"], examples=[{}])
async def screenshot(ctx: RunContext, full_page: bool = False) -> ToolResult:
    """Take a picture of the page; what stands in password fields is covered.

    Args:
        ctx: The run.
        full_page: The whole page instead of what is in view.

    Returns:
        The picture, and the page's url and title.
    """
    data = await ctx.actor.screenshot(full_page=full_page)
    image = Image(media_type="image/png", data=data, sha256=sha256(data))
    return ToolResult(success=True, data=tell_page(await ctx.actor.look()), images=(image,))


@tool(category="extraction", safety="safe", replay="skip", examples=[{}])
async def get_page_text(ctx: RunContext) -> ToolResult:
    """Read the visible text of the page, up to 4,000 characters.

    Returns:
        The text; where it was cut, it says so at its end.
    """
    text, total = await ctx.actor.text(TEXT_LIMIT)
    if total > TEXT_LIMIT:
        text += f"\n[cut: the first {TEXT_LIMIT} of {total} characters]"
    return ToolResult(success=True, data=text, metadata={"cut": total > TEXT_LIMIT, "characters": total})


@tool(category="extraction", safety="safe", replay="skip", examples=[{}])
async def read_forms(ctx: RunContext) -> JsonValue:
    """Read the forms of the page: their fields, what the fields take, their errors, and the submit buttons.

    Returns:
        The page and its forms; ref=… addresses a field or a button in other tools.
    """
    forms = await ctx.actor.forms()
    return {"page": tell_page(await ctx.actor.look()), "forms": [tell_form(form, ctx.site.words) for form in forms]}


@tool(category="extraction", safety="safe", replay="skip", examples=[{}, {"contains": "crime"}])
async def read_links(ctx: RunContext, contains: str = "") -> ToolResult:
    """Read the links of the page, each with the texts of the card that it stands in.

    Args:
        ctx: The run.
        contains: Only links that have this in their name, address or card, whatever the case.

    Returns:
        The page and up to 200 links; ref=… addresses a link in click.
    """
    wanted = ctx.bindings.render(contains).casefold()
    links = [link for link in await ctx.actor.links() if wanted in _searched(link)]
    told: list[JsonValue] = [_tell_link(link) for link in links[:LINKS_LIMIT]]
    return ToolResult(
        success=True,
        data={"page": tell_page(await ctx.actor.look()), "links": told},
        metadata={"total": len(links), "cut": len(links) > LINKS_LIMIT},
    )


@tool(category="extraction", safety="safe", replay="skip", examples=[{}, {"contains": "save"}])
async def read_buttons(ctx: RunContext, contains: str = "") -> ToolResult:
    """Read the buttons of the page, each with the texts of the card that it stands in.

    Args:
        ctx: The run.
        contains: Only buttons that have this in their name or card, whatever the case.

    Returns:
        The page and up to 200 buttons; ref=… addresses a button in click.
    """
    wanted = ctx.bindings.render(contains).casefold()
    buttons = await ctx.actor.buttons()
    told: list[JsonValue] = [
        button.model_dump(mode="json", exclude_defaults=True)
        for button in buttons
        if wanted in "\n".join((button.name, *button.card)).casefold()
    ]
    return ToolResult(success=True, data={"page": tell_page(await ctx.actor.look()), "buttons": told})


def _searched(link: LinkInfo) -> str:
    return "\n".join((link.name, link.href, *link.card)).casefold()


def _tell_link(link: LinkInfo) -> JsonValue:
    told: dict[str, JsonValue] = {"ref": link.ref, "name": link.name, "href": link.href}
    if link.card:
        told["card"] = list(link.card)
    return told


def tell_form(form: FormInfo, words: Mapping[str, tuple[str, ...]] | None = None) -> JsonValue:
    """Say what a form is and what it asks for.

    Args:
        form: the form.
        words: further phrases by meaning, of the site.
    """
    return {
        "ref": form.ref,
        "name": form.name,
        "heading": form.heading,
        "action": form.action,
        "method": form.method,
        "fields": [_tell_field(field, words) for field in form.fields if not field.hidden or field.type == "file"],
        "submits": [{"ref": button.ref, "name": button.name} for button in form.submits],
    }


def _tell_field(field: FieldInfo, words: Mapping[str, tuple[str, ...]] | None) -> JsonValue:
    """What is empty or false is left out."""
    told: dict[str, JsonValue] = {
        "ref": field.ref,
        "type": field.type or field.tag,
        "meaning": meaning_of(field, words),
        "label": field.label,
        "name": field.name_attr,
        "group": field.group,
        "placeholder": field.placeholder,
        "autocomplete": field.autocomplete,
        "required": field.required,
        "filled": field.value_set,
        "checked": field.checked,
        "options": [label for _, label in field.options],
        "accept": field.accept,
        "min": field.min,
        "max": field.max,
        "maxlength": field.maxlength,
        "error": field.error,
    }
    return {key: value for key, value in told.items() if value}
