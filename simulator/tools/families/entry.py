"""Tools that put something into one field: text, an option, a tick, a file, a secret. Not responsible for: forms."""

from __future__ import annotations

import mimetypes
import re
from pathlib import Path
from typing import Annotated

from pydantic import Field, JsonValue

from simulator.browser.find import Find
from simulator.errors import ToolError
from simulator.template import PLACEHOLDER, SECRET
from simulator.tools.context import RunContext
from simulator.tools.pages.answers import action_as_json
from simulator.tools.selectors import locate, read_selector
from simulator.tools.spec import tool


@tool(
    category="interaction",
    safety="low_risk",
    replay="actions",
    typed=["value"],
    examples=[{"selector": "E-mail", "value": "{{identity.email}}"}],
)
async def fill(ctx: RunContext, selector: str, value: str) -> JsonValue:
    """Clear a text field and fill it.

    Args:
        ctx: The run.
        selector: The field's label, CSS, role=textbox[name="…"] or ref=….
        value: The text; {{variables}} are filled in by the browser.

    Returns:
        What was filled and the page.
    """
    find = await ctx.actor.elements.written_in(await locate(ctx.actor, selector, field=True))
    report = await ctx.actor.fill(find, value)
    return action_as_json(report)


@tool(
    name="type",
    category="interaction",
    safety="low_risk",
    replay="actions",
    typed=["text"],
    examples=[{"selector": "City", "text": "{{identity.city}}"}],
)
async def type_(ctx: RunContext, selector: str, text: str) -> JsonValue:
    """Clear a text field and put a text into it, as fill does.

    Args:
        ctx: The run.
        selector: The field's label, CSS, role=textbox[name="…"] or ref=….
        text: The text; {{variables}} are filled in by the browser.

    Returns:
        What was filled and the page.
    """
    find = await ctx.actor.elements.written_in(await locate(ctx.actor, selector, field=True))
    report = await ctx.actor.fill(find, text)
    return action_as_json(report)


@tool(
    category="interaction",
    safety="low_risk",
    replay="actions",
    typed=["text"],
    examples=[{"selector": "Search", "text": "garden"}],
)
async def type_text(ctx: RunContext, selector: str, text: str) -> JsonValue:
    """Type a text key by key after what a field holds already, for fields that react to every key.

    Args:
        ctx: The run.
        selector: The field's label, CSS, role=textbox[name="…"] or ref=….
        text: The text; {{variables}} are filled in by the browser.

    Returns:
        Where it was typed and the page after it had settled.
    """
    report = await ctx.actor.type_text(await locate(ctx.actor, selector, field=True), text)
    return action_as_json(report)


@tool(
    category="interaction",
    safety="low_risk",
    replay="actions",
    aliases=["select_option"],
    examples=[
        {"selector": "Country", "label": "Norway"},
        {"selector": "#state", "value": "open"},
        {"selector": "Country", "index": 2},
        {"selector": "Topics", "label": "History", "beside": True},
    ],
)
async def select(
    ctx: RunContext,
    selector: str,
    value: str | None = None,
    label: str | None = None,
    index: Annotated[int, Field(ge=0)] | None = None,
    beside: bool = False,
) -> JsonValue:
    """Choose an option of a list, by exactly one of its value, its label or its place.

    The list may be a drop-down list of the browser, or one that a script draws: a combobox, a list that stands open, a
    group of radio buttons. In a combobox the option is looked for by typing where one can. What is chosen is read back.

    Args:
        ctx: The run.
        selector: The list's label, CSS or ref=….
        value: The option's value, or else its text.
        label: The option's text.
        index: Its place, from 0, among all options of a list of the browser.
        beside: Of a list of the browser that takes several: what is chosen by then stays chosen. Without it, it is
            replaced. One that a script draws keeps it in any case.

    Returns:
        What was chosen from and the page.
    """
    if [value, label, index].count(None) != 2:
        raise ToolError("invalid_input", 'select: give one of value, label or index. Example: {"label": "Poetry"}')
    find = await locate(ctx.actor, selector, field=True)
    if value is not None:
        report = await ctx.actor.select(find, value, beside=beside)
        return action_as_json(report)
    options = await ctx.actor.options(find)
    if options is None:
        if label is None:
            raise ToolError("invalid_input", "select: this list is drawn by a script; give the label of an option")
        return action_as_json(await ctx.actor.select(find, label, beside=beside))
    option = _choose(options, label and ctx.bindings.render(label), index)
    report = await ctx.actor.select(find, option, source=label, beside=beside)
    return action_as_json(report)


def _choose(options: list[tuple[str, str]], label: str | None, index: int | None) -> str:
    """Give what identifies an option of its list: its label, or else its value."""
    if index is not None and index >= len(options):
        raise ToolError("not_found", f"the list has {len(options)} options, so none at place {index}")
    chosen = options[index : index + 1] if index is not None else [one for one in options if one[1] == label]
    if len(chosen) != 1:
        offered = ", ".join(repr(text) for _, text in options)
        said = f"{len(chosen)} options are" if chosen else "no option is"
        raise ToolError("ambiguous" if chosen else "not_found", f"{said} called {label!r}; there are: {offered}")
    value, text = chosen[0]
    for name in (text, value):
        if name and sum(name in option for option in options) == 1:
            return name
    raise ToolError("ambiguous", f"the list has several options {text!r} with the value {value!r}")


@tool(
    category="interaction",
    safety="low_risk",
    replay="actions",
    examples=[{"selector": "I accept the terms"}, {"selector": "Good", "checked": True}],
)
async def check(ctx: RunContext, selector: str, checked: bool = True) -> JsonValue:
    """Tick a checkbox or choose a radio button; or clear a checkbox.

    Args:
        ctx: The run.
        selector: Its label, CSS or ref=….
        checked: False clears a checkbox.

    Returns:
        What was ticked and the page.
    """
    return action_as_json(await ctx.actor.check(await locate(ctx.actor, selector, field=True), checked))


@tool(
    category="interaction",
    safety="high",
    grant="upload",
    replay="actions",
    timeout_s=90,
    examples=[{"selector": "Photo", "name": "picture.png"}],
)
async def upload_file(ctx: RunContext, selector: str, name: str) -> JsonValue:
    """Give a file of the run's own folder to a file field.

    Args:
        ctx: The run.
        selector: The file field: label, CSS or ref=….
        name: The file's name in the folder.

    Returns:
        The field, and the file's hash, media type and size in bytes.
    """
    given = ctx.bindings.render(name)
    path = _own_file(ctx.workdir, given)
    source = (
        name
        if name != given
        else next((f"{{{{{each}}}}}" for each, value in ctx.bindings.values().items() if value == given), "")
    )
    find = await file_field(ctx, selector)
    data = path.read_bytes()
    media_type = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    sha256 = ctx.journal.put_blob(data, media_type)
    report = await ctx.actor.upload(find, path=path, sha256=sha256, source=source)
    told: dict[str, JsonValue] = {"sha256": sha256, "media_type": media_type, "bytes": len(data)}
    return {**action_as_json(report), **told}


def _own_file(folder: Path, name: str) -> Path:
    """Give a file of a folder by its name; no name leads out of it, also not by a link."""
    root = folder.resolve()
    try:
        path = (root / name).resolve()
        there = path.is_file()
    except (OSError, ValueError):
        raise ToolError("invalid_input", f"{name!r} is no name that a file can have") from None
    if path == root or not path.is_relative_to(root):
        raise ToolError("not_allowed", f"{name!r} is not in the run's folder; give the name of a file in it")
    if not there:
        files = ", ".join(sorted(one.name for one in root.iterdir() if one.is_file())) or "none"
        raise ToolError("not_found", f"there is no file {name!r} in the run's folder; there are: {files}")
    return path


async def file_field(ctx: RunContext, selector: str = "") -> Find:
    """Find a file field. It is not sought among what is visible: it is often hidden under a styled button.

    Args:
        ctx: the run.
        selector: label, CSS or reference; may be empty where the page has only one.

    Raises:
        ToolError: ``not_found`` or ``ambiguous``.
    """
    fields = [field for form in await ctx.actor.reader.forms() for field in form.fields if field.type == "file"]
    if selector:
        named = [field for field in fields if selector in (field.label, field.name_attr)]
        return Find("ref", named[0].ref) if len(named) == 1 else read_selector(selector, field=True)[0]
    if len(fields) == 1:
        return Find("ref", fields[0].ref)
    if not fields:
        raise ToolError("not_found", f"no form on {ctx.actor.here.url} takes a file")
    listed = ", ".join(f"{field.label or field.name_attr!r} (ref={field.ref})" for field in fields)
    raise ToolError("ambiguous", f"several fields take a file; say which: {listed}")


@tool(
    category="form",
    safety="low_risk",
    replay="actions",
    typed=["secret"],
    examples=[{"selector": "Password", "secret": "password"}, {"selector": "#pin", "secret": "{{secret.password}}"}],
)
async def secure_fill(ctx: RunContext, selector: str, secret: str) -> JsonValue:
    """Put a secret of the user into a password or one-time-code field; its text is never shown.

    Args:
        ctx: The run.
        selector: The field's label, CSS or ref=….
        secret: The secret's name, such as password; never its text.

    Returns:
        What was filled and the page.
    """
    name = _secret_name(ctx, secret)
    report = await ctx.actor.fill(await locate(ctx.actor, selector, field=True), f"{{{{{SECRET}{name}}}}}")
    return action_as_json(report)


def _secret_name(ctx: RunContext, given: str) -> str:
    """Read a secret's name. What is no known name may be the secret itself, so it is neither used nor repeated."""
    whole = PLACEHOLDER.fullmatch(given.strip())
    name = whole.group(1).removeprefix(SECRET) if whole else given.strip()
    known = ctx.vault.names()
    if name not in known or not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise ToolError("not_allowed", f"secure_fill takes the name of a secret, never its text: {', '.join(known)}")
    return name
