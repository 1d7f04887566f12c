"""The tool that fills a whole form. Not responsible for: what goes into a field, which ``filling`` plans."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from pydantic import JsonValue

from simulator.browser.acting.action_report import ActionReport
from simulator.browser.acting.drawn_lists import NoOption
from simulator.browser.find import Find
from simulator.browser.views.reading import FieldInfo, FormInfo
from simulator.errors import ToolError
from simulator.meaning import Value, likeness
from simulator.template import SECRET, placeholders
from simulator.tools.context import RunContext
from simulator.tools.pages.answers import page_as_json
from simulator.tools.pages.dating import other_writings
from simulator.tools.pages.filling import Filler, Plan, Put
from simulator.tools.pages.submitting import submit as send
from simulator.tools.pages.vocabulary import normal, says
from simulator.tools.selectors import read_selector
from simulator.tools.spec import tool

_FIGURES = re.compile(r"\D")
_DAY_FIGURES = 6
"""Digits from which on a field says a whole date, and not only a month."""


@tool(
    category="form",
    safety="low_risk",
    replay="actions",
    typed=["values"],
    examples=[
        {"values": {"title": "Two chairs", "city": "{{identity.city}}"}, "submit": True},
        {"form": "Contact the owner", "values": {"message": "Is it still there?"}},
    ],
)
async def fill_form(
    ctx: RunContext,
    values: dict[str, str] | None = None,
    form: str | None = None,
    submit: bool = False,
    button: str = "",
) -> JsonValue:
    """Fill a form from the given values; what else it needs, or all where none are given, from the user's identity.

    Passwords and payment are never guessed, and no field gets a copy of another, but where it has to be repeated. In a
    list that a script draws the option that is called as the value is chosen, as select does. Of a list of which
    several can be chosen all are that the value names, with ";", "," or a line between them.

    Args:
        ctx: The run.
        values: Texts by label, placeholder, name, ref or meaning (title, price, message, …) of a field.
        form: The form's ref, or words of its name, heading or button; may be left out where one form fits.
        submit: Also press the form's submit button and see whether the site took it.
        button: What that button says, where several save the form, or it stands outside of it.

    Returns:
        Each field with what was put in and why, each field left with why, what is missing, and the page.
    """
    given = values or {}
    filler = filler_of(ctx)
    found = choose_form(await ctx.actor.reader.forms(), form and ctx.bindings.render(form), given, filler)
    plan = filler.plan(found, given, only_asked=bool(given))
    if submit and plan.missing:
        raise ToolError("invalid_input", f"{_name(found)} needs more: {missing_questions(plan)}; give texts in values")
    await carry_out(ctx, plan)
    told = plan_as_json(found, plan)
    page = (await send(ctx, found, said=ctx.bindings.render(button))).page if submit else await ctx.actor.view.look()
    return {**told, "submitted": submit, "page": page_as_json(page)}


@tool(
    name="submit",
    category="form",
    safety="low_risk",
    replay="actions",
    aliases=["submit_form"],
    examples=[{}, {"form": "Contact the owner"}],
)
async def submit_form(ctx: RunContext, form: str = "", button: str = "") -> JsonValue:
    """Press a form's submit button as it is filled now, and see whether the site took it.

    Args:
        ctx: The run.
        form: The form's ref, CSS, or words of its name, heading or button; may be left out where one form fits.
        button: What the button says, where several save the form, or it stands outside of it.

    Returns:
        The form, and the page that followed. A refusal is an error that names the fields.
    """
    found = await _form_meant(ctx, ctx.bindings.render(form))
    report = await send(ctx, found, said=ctx.bindings.render(button))
    return {"form": {"ref": found.ref, "name": found.name or found.heading}, "page": page_as_json(report.page)}


async def _form_meant(ctx: RunContext, named: str) -> FormInfo:
    """Give the form that a selector or words name: the form itself, or the one around what the selector fits."""
    forms = await ctx.actor.reader.forms()
    find = read_selector(named)[0] if named else None
    if find is None or find.how == "text":
        return forms[0] if len(forms) == 1 and not named else choose_form(forms, named, {}, filler_of(ctx))
    detail = await ctx.actor.elements.inspect(find)
    for form in forms:
        if form.ref in (detail.ref, detail.form):
            return form
    raise ToolError("not_found", f"{named} is neither a form nor in one")


def filler_of(ctx: RunContext, *, password: str | None = None, code: str | None = None) -> Filler:
    """Make what fills forms for the run's user.

    Args:
        ctx: the run.
        password: template for password fields; None leaves them.
        code: template for fields that take a one-time code; None leaves them.
    """
    return Filler(
        render=ctx.bindings.render,
        has=lambda name: bool(ctx.bindings.get(name)),
        seed=ctx.seed,
        skips=ctx.skips,
        answers={**ctx.answers, **ctx.site.answers},
        words=ctx.site.words,
        password=password,
        code=code,
    )


def choose_form(forms: Sequence[FormInfo], named: str | None, given: Mapping[str, str], filler: Filler) -> FormInfo:
    """Choose the form that is meant.

    Args:
        forms: all of the page.
        named: a ref, or words of the form's name, heading or button.
        given: values that have to have a field in it.
        filler: knows what fields mean.

    Raises:
        ToolError: ``not_found`` or ``ambiguous``.
    """
    if named:
        ref = named.removeprefix("ref=")
        fitting = [form for form in forms if form.ref == ref]
        fitting = fitting or [form for form in forms if _called(form, named)]
    else:
        asking = [form for form in forms if _asks(form, filler)]
        fitting = [form for form in asking if all(filler.fitting(form, key) for key in given)] or asking
        fitting = [form for form in fitting if form.method] or fitting  # before fields that are in none
        if len(fitting) > 1 and not given:
            posted = [form for form in fitting if form.method == "post"]
            fitting = posted or fitting
    if len(fitting) == 1:
        return fitting[0]
    listed = ", ".join(f"{_name(form)} (ref={form.ref})" for form in fitting or forms) or "none"
    if fitting:
        raise ToolError("ambiguous", f"several forms fit; say which: {listed}")
    raise ToolError("not_found", f"no form {f'called {named!r}' if named else 'to fill'} here; there are: {listed}")


async def carry_out(ctx: RunContext, plan: Plan) -> None:
    """Put into the fields what was planned, in the form's order, and see that no field emptied another one.

    Raises:
        ToolError: ``not_actionable``: a field took nothing, or another one empties it again, or the page puts another
            date in place of one that it cannot read.
    """
    kept = [put for put in plan.puts if await _put(ctx, put)]
    kept = await dates_as_read(ctx, kept)
    for last in (False, True):
        emptied = await _emptied(ctx, kept) if len(kept) > 1 else []
        if emptied and last:
            names = ", ".join(repr(put.question.label) for put in emptied)
            raise ToolError("not_actionable", f"the page empties {names} again as other fields are filled")
        for put in emptied:  # as a list of towns does, whose country is chosen after it
            await _put(ctx, put)
        if not emptied:
            break
    for put, shown in await _dated_otherwise(ctx, kept) if len(kept) > 1 else ():
        raise ToolError(
            "not_actionable",
            f"the page has put {shown!r} in place of the date {ctx.bindings.render(put.value)!r} in "
            f"{put.question.label!r}; give the date as this page writes it",
        )


async def dates_as_read(ctx: RunContext, puts: Sequence[Put]) -> list[Put]:
    """See that the page reads the dates that were put in, once their fields are left, and write them otherwise if not.

    Returns:
        All that was put in, each date as the page has taken it.

    Raises:
        ToolError: ``not_actionable``: it takes none of the writings that it cannot misread.
    """
    if not any(map(partial(_is_written_date, ctx), puts)):
        return [*puts]
    language = await _left(ctx)
    lost = [*await _emptied(ctx, puts), *(put for put, _ in await _dated_otherwise(ctx, puts))]
    taken: list[Put] = []
    for put in puts:
        taken.append(await _as_read(ctx, put, language) if put in lost and _is_written_date(ctx, put) else put)
    return taken


async def _as_read(ctx: RunContext, put: Put, language: str) -> Put:
    date = Value.of(ctx.bindings.render(put.value))
    for template in other_writings(put.value, ctx.bindings.render(put.value), language):
        other = replace(put, value=template)
        if not await _put(ctx, other):
            continue
        await _left(ctx)
        fields = (one for form in await ctx.actor.reader.forms() for one in form.fields)
        shown = next((one.text for one in fields if one.ref == put.ref), "")
        if shown and not _is_another(date, shown):
            return other
    raise ToolError(
        "not_actionable",
        f"the page empties {put.question.label!r} as it is left, or puts another date there, in any writing that was "
        "tried; give the date as this page writes it",
    )


async def _left(ctx: RunContext) -> str:
    language = await ctx.actor.reader.leave_field()
    await ctx.actor.view.follow()
    return language


def _is_written_date(ctx: RunContext, put: Put) -> bool:
    texts = put.how == "fill" and put.question.field.tag == "input" and put.question.field.type in ("", "text")
    return texts and not put.question.field.secret and Value.of(ctx.bindings.render(put.value)).is_date


async def _put(ctx: RunContext, put: Put) -> bool:
    """Put one thing into its field; returns whether the field holds it now, and not the page in another way."""
    find = Find("ref", put.ref)
    if put.several and not put.question.field.picker:
        report = await ctx.actor.select(find, put.value, source=put.source or None, several=True)
    elif put.question.field.picker and put.how in ("fill", "select"):
        report = await _pick(ctx, find, put)
    elif put.how == "fill":
        report = await ctx.actor.fill(find, put.value)
    elif put.how == "select":
        report = await ctx.actor.select(find, put.value, source=put.source or None)
    else:
        report = await ctx.actor.check(find, put.how == "check", value=put.source or None)
    return report.written is not None and report.written.became in ("held", "changed")


async def _pick(ctx: RunContext, find: Find, put: Put) -> ActionReport:
    """Choose in a list that a script draws. What takes a text of its own beside, or offers nothing, is filled.

    Raises:
        NoOption: what was asked for is none of the options.
    """
    try:
        return await ctx.actor.select(find, put.source if put.several else put.value)
    except NoOption as missing:
        texts = put.question.field.tag in ("input", "textarea") and not put.question.field.listed
        if not texts or (put.why == "given" and missing.options):
            said = f"{put.question.label!r}: {missing.message}"
            raise ToolError(missing.type, f"{said}; 'fill' types a text of your own" if texts else said) from missing
    return await ctx.actor.fill(find, put.value)


async def _emptied(ctx: RunContext, puts: Sequence[Put]) -> list[Put]:
    """Give what the page holds no longer."""
    fields = {field.ref: field for form in await ctx.actor.reader.forms() for field in form.fields}
    return [put for put in puts if put.ref in fields and _is_lost(ctx, put, fields[put.ref])]


async def _dated_otherwise(ctx: RunContext, puts: Sequence[Put]) -> list[tuple[Put, str]]:
    """Give the fields that hold another date than was put in, with what they hold: a page reads it as they are left."""
    fields = {field.ref: field for form in await ctx.actor.reader.forms() for field in form.fields}
    typed = [(put, fields[put.ref].text) for put in puts if put.ref in fields and put.how == "fill"]
    dated = [(put, shown, Value.of(ctx.bindings.render(put.value))) for put, shown in typed if shown]
    return [(put, shown) for put, shown, value in dated if value.is_date and _is_another(value, shown)]


def _is_another(date: Value, shown: str) -> bool:
    """Return whether a field shows surely another date: also in figures that say none of our time, as 17.09.0019."""
    figures = len(_FIGURES.sub("", shown)) >= _DAY_FIGURES and not any(map(str.isalpha, shown))
    return date.is_another(shown) or (figures and likeness(date.put, shown) is None)


def _is_lost(ctx: RunContext, put: Put, field: FieldInfo) -> bool:
    if put.how == "check":
        return not field.checked
    if put.how != "fill" or field.tag not in ("input", "textarea") or field.value_set:
        return False
    return bool(ctx.bindings.render(put.value))  # what was put in may be the empty text


def plan_as_json(form: FormInfo, plan: Plan) -> dict[str, JsonValue]:
    """Say what was done to a form; what went into a secret field only as a variable."""
    return {
        "form": {"ref": form.ref, "name": form.name or form.heading, "action": form.action},
        "fields": [{"field": put.question.label, "put": _shown(put), "why": put.why} for put in plan.puts],
        "left": [{"field": left.question.label, "why": left.why} for left in plan.left],
        "missing": [left.question.label for left in plan.missing],
    }


def missing_questions(plan: Plan) -> str:
    """List the questions that must be answered and are not, with why."""
    return ", ".join(f"{left.question.label!r} ({left.why})" for left in plan.missing)


def _shown(put: Put) -> str:
    names = list(placeholders(put.value))
    if put.question.field.secret and not (names and all(name.startswith(SECRET) for name in names)):
        return "(a secret)"
    return put.value


def _asks(form: FormInfo, filler: Filler) -> bool:
    return any(question.meaning != "search" for question in filler.questions(form))


def _called(form: FormInfo, named: str) -> bool:
    texts = (form.name, form.heading, *(button.name for button in form.submits))
    return any(says(normal(text), normal(named)) for text in texts)


def _name(form: FormInfo) -> str:
    return f"the form {(form.name or form.heading or form.action)!r}"
