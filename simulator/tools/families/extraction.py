"""Tools that read the page for an agent: its picture, text and HTML, its forms and links. They change nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from pydantic import JsonValue

from simulator.browser.find import Find
from simulator.canonical import sha256
from simulator.errors import ToolError
from simulator.tools.context import RunContext
from simulator.tools.contracts import Image, ToolResult
from simulator.tools.pages.answers import page_as_json
from simulator.tools.pages.filling import asked_date
from simulator.tools.pages.meanings import meaning_of
from simulator.tools.pages.pointing import first_fit
from simulator.tools.spec import tool

if TYPE_CHECKING:
    from simulator.browser.views.reading import FieldInfo, FormInfo, LinkInfo, PageButton

TEXT_LIMIT = 4_000
"""Characters of a page's text."""
CONTENT_LIMIT = 8_000
"""Characters of a page's content, or of the texts of elements."""
HTML_LIMIT = 60_000
"""Characters of HTML."""
TEXTS_LIMIT = 100
LINKS_LIMIT = 200
OWN = "own"
"""In metadata, as no model reads it: references of what stands in a card that is about nothing else than the page."""


@tool(
    category="extraction",
    safety="safe",
    replay="skip",
    required_capabilities=["vision"],
    examples=[{}, {"full_page": True}, {"selector": "main"}],
)
async def screenshot(ctx: RunContext, full_page: bool = False, selector: str = "") -> ToolResult:
    """Take a picture of the page or of one element; what stands in password fields is covered.

    Args:
        ctx: The run.
        full_page: The whole page instead of what is in view.
        selector: One element instead of the page: CSS, visible text, role=…, label=… or ref=….

    Returns:
        The picture, and the page's url and title.
    """
    if full_page and selector:
        raise ToolError("invalid_input", "screenshot: full_page and selector exclude each other; give one of them")
    if selector:
        data = await first_fit(ctx.actor, selector, lambda find: ctx.actor.screenshots.take(find=find))
    else:
        data = await ctx.actor.screenshots.take(full_page=full_page)
    image = Image(media_type="image/png", data=data, sha256=sha256(data))
    return ToolResult(success=True, data=page_as_json(await ctx.actor.view.look()), images=(image,))


@tool(category="extraction", safety="safe", replay="skip", examples=[{}])
async def get_page_text(ctx: RunContext) -> ToolResult:
    """Read the visible text of the page, up to 4,000 characters.

    Returns:
        The text; where it was cut, it says so at its end.
    """
    return _text_result(*await ctx.actor.reader.text(TEXT_LIMIT))


@tool(category="extraction", safety="safe", replay="skip", examples=[{}])
async def get_page_content(ctx: RunContext) -> ToolResult:
    """Read the title and the visible text of the page, up to 8,000 characters, without scripts and styles.

    Returns:
        The title, an empty line, and the text; where it was cut, it says so at its end.
    """
    title = (await ctx.actor.view.look()).title
    text, total = await ctx.actor.reader.text(CONTENT_LIMIT)
    return _text_result(f"{title}\n\n{text}", total, shown=len(text))


@tool(category="extraction", safety="safe", replay="skip", examples=[{}])
async def get_page_html(ctx: RunContext) -> ToolResult:
    """Read the HTML of the page as it is now, up to 60,000 characters, without what stands in password fields.

    Returns:
        The HTML; where it was cut, it says so at its end.
    """
    return _cut(await ctx.actor.elements.html(), HTML_LIMIT)


@tool(category="extraction", safety="safe", replay="skip", examples=[{"selector": "main"}, {"selector": "ref=e12"}])
async def get_html(ctx: RunContext, selector: str = "html") -> ToolResult:
    """Read the HTML of one element, up to 60,000 characters, without what stands in password fields.

    Args:
        ctx: The run.
        selector: CSS, visible text, role=button[name="…"], label=… or ref=…; the page by default.

    Returns:
        The HTML of the element and what is in it; where it was cut, it says so at its end.
    """
    return _cut(await first_fit(ctx.actor, selector, ctx.actor.elements.html), HTML_LIMIT)


@tool(category="extraction", safety="safe", replay="skip", examples=[{"selector": "h1"}, {"selector": ".price"}])
async def extract_text(ctx: RunContext, selector: str) -> ToolResult:
    """Read the text of every element that a selector fits, those that can be seen before others.

    Args:
        ctx: The run.
        selector: CSS, visible text, role=listitem, label=… or ref=….

    Returns:
        The texts, one line each, up to 8,000 characters; of a field what stands in it. How many elements there are
        stands in the metadata.
    """

    async def read(find: Find) -> tuple[list[str], int]:
        texts, total = await ctx.actor.elements.texts(find, TEXTS_LIMIT)
        if not total:
            raise ToolError("not_found", f"nothing fits {find}")
        return texts, total

    texts, total = await first_fit(ctx.actor, selector, read)
    result = _cut("\n".join(texts), CONTENT_LIMIT)
    cut = bool(result.metadata["cut"]) or total > len(texts)
    return result.model_copy(update={"metadata": {**result.metadata, "cut": cut, "elements": total}})


def _cut(text: str, limit: int) -> ToolResult:
    return _text_result(text[:limit], len(text))


def _text_result(text: str, total: int, *, shown: int | None = None) -> ToolResult:
    """Give a text, and where it is not all of it, how much there is."""
    shown = len(text) if shown is None else shown
    cut = total > shown
    return ToolResult(
        success=True,
        data=f"{text}\n[cut: the first {shown} of {total} characters]" if cut else text,
        metadata={"cut": cut, "characters": total},
    )


@tool(category="extraction", safety="safe", replay="skip", examples=[{}])
async def read_forms(ctx: RunContext) -> JsonValue:
    """Read the forms of the page: their fields, what the fields take, their errors, and the submit buttons.

    Returns:
        The page and its forms; ref=… addresses a field or a button in other tools.
    """
    forms = await ctx.actor.reader.forms()
    return {
        "page": page_as_json(await ctx.actor.view.look()),
        "forms": [form_as_json(form, ctx.site.words) for form in forms],
    }


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
    links = [link for link in await ctx.actor.reader.links() if wanted in _searched(link)]
    told: list[JsonValue] = [_link_as_json(link) for link in links[:LINKS_LIMIT]]
    return ToolResult(
        success=True,
        data={"page": page_as_json(await ctx.actor.view.look()), "links": told},
        metadata={"total": len(links), "cut": len(links) > LINKS_LIMIT, **_own(links[:LINKS_LIMIT])},
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
    buttons = await ctx.actor.reader.buttons()
    found = [one for one in buttons if wanted in "\n".join((one.name, *one.card)).casefold()]
    told: list[JsonValue] = [one.model_dump(mode="json", exclude_defaults=True, exclude={"own"}) for one in found]
    data: dict[str, JsonValue] = {"page": page_as_json(await ctx.actor.view.look()), "buttons": told}
    return ToolResult(success=True, data=data, metadata=_own(found))


def _own(found: Iterable[LinkInfo | PageButton]) -> dict[str, JsonValue]:
    own: list[JsonValue] = [one.ref for one in found if one.own]
    return {OWN: own} if own else {}


def _searched(link: LinkInfo) -> str:
    return "\n".join((link.name, link.href, *link.card)).casefold()


def _link_as_json(link: LinkInfo) -> JsonValue:
    told: dict[str, JsonValue] = {"ref": link.ref, "name": link.name, "href": link.href}
    if link.card:
        told["card"] = list(link.card)
    return told


def form_as_json(form: FormInfo, words: Mapping[str, tuple[str, ...]] | None = None) -> JsonValue:
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
        "fields": [_field_as_json(field, words) for field in form.fields if not field.hidden or field.type == "file"],
        "submits": [{"ref": button.ref, "name": button.name} for button in form.submits],
    }


def _field_as_json(field: FieldInfo, words: Mapping[str, tuple[str, ...]] | None) -> JsonValue:
    """What is empty or false is left out."""
    told: dict[str, JsonValue] = {
        "ref": field.ref,
        "type": field.type or field.tag,
        "meaning": meaning_of(field, words),
        "label": field.label or (field.caption if any(map(str.isalpha, field.caption)) else ""),
        "name": field.name_attr,
        "id": "" if field.name_attr else field.id,
        "value": field.value if field.type in ("radio", "checkbox") else "",
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
        "minlength": field.minlength,
        "pattern": field.pattern,
        "dates": asked.picture if (asked := asked_date(field)) else "",
        "step": field.step,
        "error": field.error,
    }
    return {key: value for key, value in told.items() if value}
