"""Tools that register, log in and log out. Not responsible for: secrets, which the browser puts in at its edge."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

from pydantic import JsonValue

from simulator.browser.views.reading import FormInfo
from simulator.errors import ToolError
from simulator.secrets import CODE
from simulator.template import SECRET, placeholders
from simulator.tools.context import RunContext
from simulator.tools.contracts import ToolResult
from simulator.tools.failures import DetailedToolError
from simulator.tools.families.forms import carry_out, filler_of, missing_questions, plan_as_json
from simulator.tools.pages.answers import page_as_json
from simulator.tools.pages.filling import Filler, Plan
from simulator.tools.pages.meanings import asks_code
from simulator.tools.pages.submitting import submit
from simulator.tools.pages.vocabulary import says_login, says_purpose
from simulator.tools.pages.wayfinding import control_for, is_logged_in, open_page_for
from simulator.tools.spec import tool

USERNAME = "{{identity.username}}"
EMAIL = "{{identity.email}}"
PASSWORD = "{{secret.password}}"
ASKS = "asks"
"""Key of the metadata of a login that the site has not finished: what it asks for."""


_ALREADY = "nothing was tried: the session is logged in already; log out first to log in anew"
_NOT_LET_IN = (401, 403)
_UNTIL_DRAWN_S = (0.3, 0.7, 1.5, 2.5)
"""Seconds between two looks for a form that a script may yet draw. Seen of a single page on a busy machine."""
_BLOCKS = 200
"""Blocks of a page that are looked at for headings: a page that has more is more than a login."""


class Steps:
    """What a tool has done so far, for its answer and for the answer when a step fails.

    Args:
        purpose: what the tool does.
    """

    def __init__(self, purpose: str) -> None:
        self._purpose = purpose
        self._told: list[dict[str, JsonValue]] = []

    @property
    def told(self) -> list[JsonValue]:
        """The steps so far: ``{"step", "ok", "detail"}`` each."""
        return [*self._told]

    @contextmanager
    def step(self, name: str) -> Iterator[dict[str, JsonValue]]:
        """Do a step; its ``detail`` is set in what is given here.

        Raises:
            ToolError: of the same type as in the step, with the steps as data.
        """
        entry: dict[str, JsonValue] = {"step": name, "ok": True, "detail": ""}
        self._told.append(entry)
        try:
            yield entry
        except ToolError as error:
            entry |= {"ok": False, "detail": error.message}
            data: dict[str, JsonValue] = {"steps": self.told}
            if isinstance(error, DetailedToolError) and isinstance(error.data, dict):
                data |= error.data
            raise DetailedToolError(error.type, f"{self._purpose} failed: {name}: {error.message}", data) from error


@tool(
    category="context",
    safety="dangerous",
    grant="login",
    replay="actions",
    timeout_s=90,
    typed=["password"],
    examples=[{}, {"username": "{{identity.email}}"}],
)
async def login(ctx: RunContext, username: str = USERNAME, password: str = PASSWORD) -> ToolResult:
    """Log in, and see by the site's sign that it worked.

    Args:
        ctx: The run.
        username: What the user logs in with; where the form wants an e-mail address, the user's is taken.
        password: The password, as a variable.

    Returns:
        tried: false where the session was logged in already, so that no name and no password was tried; the steps, each
        with ok and detail, and the page; metadata says whether the login was verified. Where the site asks for a code
        that it has sent by mail, the steps say so: read_mail gives it, fill_form puts it in.
    """
    steps = Steps("login")
    name = ctx.actor.name
    with steps.step("see who is logged in") as entry:
        before = await is_logged_in(ctx)
        entry["detail"] = {None: "nothing shows it", True: "someone is", False: "nobody"}[before]
        if before:
            own = {USERNAME, EMAIL, ctx.logged_in_as.get(name), *ctx.registered.get(name, {}).values()}
            if username not in own:
                raise ToolError("rejected", "somebody else may be logged in; log out first")
            with steps.step("log in") as tried:
                tried["detail"] = _ALREADY
            return _logged_in(steps, await _page(ctx), verified=True, tried=False)
    filler = filler_of(ctx, password=password, code=f"{{{{{SECRET}{CODE}}}}}" if CODE in ctx.vault.names() else None)
    with steps.step("open the login page") as entry:
        try:
            entry["detail"] = "it is this page" if await _login_form(ctx, filler) else await open_page_for(ctx, "login")
        except ToolError as error:
            if error.type != "not_found":
                raise
            if not await is_logged_in(ctx):
                raise ToolError("not_found", f"{error.message}{_unknown(ctx)}") from error
            entry["detail"] = _ALREADY
            return _logged_in(steps, await _page(ctx), verified=True, tried=False)
    with steps.step("find the login form") as entry:
        form = await _drawn(lambda: _login_form(ctx, filler), lambda: is_logged_in(ctx))
        if form is None and await is_logged_in(ctx):
            entry["detail"] = _ALREADY
            return _logged_in(steps, await _page(ctx), verified=True, tried=False)
        if form is None:
            raise ToolError("not_found", f"no form with one password field on {ctx.actor.here.url}{_unknown(ctx)}")
        entry["detail"] = form.name or form.heading or form.action
    with steps.step("fill it") as entry:
        key, value = _user_field(ctx, form, filler, username)
        plan = filler.plan(form, {key: value, **_password_field(form, filler, password)}, only_asked=True)
        await carry_out(ctx, plan)
        entry["detail"] = f"{key}: {value}"
    with steps.step("send it"):
        await submit(ctx, form, "login")
    asking = await _code_form(ctx, filler)
    if asking is not None and filler.code is not None:
        with steps.step("give the one-time code"):
            await carry_out(ctx, filler.plan(asking, {}))
            await submit(ctx, asking)
    elif asking is not None and ctx.inbox is not None:
        with steps.step("verify") as entry:
            entry["detail"] = "the site asks for a code: read_mail gives the one that it has sent"
        data: dict[str, JsonValue] = {"steps": steps.told, "page": await _page(ctx)}
        return ToolResult(success=True, data=data, metadata={"verified": False, ASKS: "one_time_code"})
    with steps.step("verify") as entry:
        verified = await is_logged_in(ctx, wait=True)
        if verified is None and await _login_form(ctx, filler) is not None:
            raise ToolError("rejected", "the login form is still there")
        if verified is False:
            raise ToolError("rejected", "the site's sign of being logged in is not on the page")
        sign = "the site's sign is there" if ctx.site.logged_in else "the page offers to log out"
        entry["detail"] = sign if verified else f"not verified: the page does not say; {_how_to_tell(ctx)}"
    ctx.logged_in_as[name] = username
    return _logged_in(steps, await _page(ctx), verified=bool(verified))


@tool(
    category="context",
    safety="dangerous",
    grant="login",
    replay="actions",
    timeout_s=90,
    typed=["values"],
    examples=[{}, {"values": {"username": "{{identity.username}}.2"}}],
)
async def register(ctx: RunContext, values: dict[str, str] | None = None) -> ToolResult:
    """Open an account for the user, with the user's own details and password.

    Args:
        ctx: The run.
        values: Texts by label, placeholder, name or meaning of a field, where they differ from the user's own. A
            username or an email given so becomes the user's own from here on.

    Returns:
        The steps, what went into each field, and the page. A refusal is an error that names the fields.
    """
    steps = Steps("register")
    filler = filler_of(ctx, password=PASSWORD)
    with steps.step("open the registration page") as entry:
        entry["detail"] = await open_page_for(ctx, "register")
    with steps.step("find the registration form") as entry:
        form = await _drawn(lambda: _registration_form(ctx, filler))
        if form is None:
            here = ctx.actor.here
            answered = f", which answered with status {here.status}" if here.status >= 400 else ""
            raise ToolError("not_found", f"no form on {here.url}{answered} asks for a new user's details")
        entry["detail"] = form.name or form.heading or form.action
    with steps.step("fill it"):
        plan = filler.plan(form, _adopted(ctx, values or {}))
        if plan.missing:
            raise ToolError("invalid_input", f"the form needs more: {missing_questions(plan)}; give texts in values")
        await carry_out(ctx, plan)
    with steps.step("send it"):
        await submit(ctx, form, "register")
    ctx.registered[ctx.actor.name] = by_meaning = _by_meaning(plan)
    logged_in = await is_logged_in(ctx)
    if logged_in:
        ctx.logged_in_as[ctx.actor.name] = by_meaning.get("username") or by_meaning.get("email", USERNAME)
    data: dict[str, JsonValue] = {"steps": steps.told, **plan_as_json(form, plan), "page": await _page(ctx)}
    return ToolResult(success=True, data=data, metadata={"logged_in": bool(logged_in)})


@tool(category="context", safety="dangerous", grant="login", replay="actions", timeout_s=90, examples=[{}])
async def logout(ctx: RunContext) -> ToolResult:
    """Log out, and see that the site's sign of being logged in is gone.

    Returns:
        The steps, each with ok and detail, and the page; metadata says whether it was verified.
    """
    steps = Steps("logout")
    with steps.step("see who is logged in") as entry:
        if await is_logged_in(ctx) is False:
            entry["detail"] = "nobody"
            return ToolResult(success=True, data={"steps": steps.told}, metadata={"verified": True})
    with steps.step("log out") as entry:
        find = await control_for(ctx, "logout")
        if find is not None:
            await ctx.actor.click(find)
            entry["detail"] = "by a control of the page"
        else:
            entry["detail"] = await open_page_for(ctx, "logout")
    if await is_logged_in(ctx) and (asking := await control_for(ctx, "logout")) is not None:
        with steps.step("confirm"):
            await ctx.actor.click(asking)
    with steps.step("verify") as entry:
        still = await is_logged_in(ctx)
        if still:
            raise ToolError("rejected", "the sign of being logged in is still there")
        untold = f"not verified: the page does not say; {_how_to_tell(ctx)}"
        entry["detail"] = untold if still is None else "the sign is gone"
    ctx.logged_in_as.pop(ctx.actor.name, None)
    return ToolResult(
        success=True,
        data={"steps": steps.told, "page": await _page(ctx)},
        metadata={"verified": still is False},
    )


def _adopted(ctx: RunContext, values: dict[str, str]) -> dict[str, str]:
    """Make a username or an address that is given in plain words the user's own, so that all later steps mean it."""
    adopted = dict(values)
    for meaning in ("username", "email"):
        text = values.get(meaning)
        if text and not any(placeholders(text)):
            ctx.set_variable(f"identity.{meaning}", text, kind="identity")
            adopted[meaning] = f"{{{{identity.{meaning}}}}}"
    return adopted


def _how_to_tell(ctx: RunContext) -> str:
    sign = 'logged_in = { role = "link", name = "Sign out" }'
    return (
        f"to say how one sees it, write {sign}, with what the page shows then, into [site.{ctx.site.name}] of sim.toml"
    )


def _unknown(ctx: RunContext) -> str:
    """Say what is missing where a login fails on a site of which nobody has said how one sees that somebody is in."""
    return "" if ctx.site.logged_in else f"; if the user is logged in already, nothing shows it: {_how_to_tell(ctx)}"


def _logged_in(steps: Steps, page: JsonValue, *, verified: bool, tried: bool = True) -> ToolResult:
    data: dict[str, JsonValue] = {"tried": tried, "steps": steps.told, "page": page}
    return ToolResult(success=True, data=data, metadata={"verified": verified})


async def _page(ctx: RunContext) -> JsonValue:
    return page_as_json(await ctx.actor.view.look())


async def _login_form(ctx: RunContext, filler: Filler) -> FormInfo | None:
    """Find the form that asks for one password, and for little else; not one whose buttons open an account."""
    if not ctx.actor.here.url:
        return None
    for form in await ctx.actor.reader.forms():
        names = [button.name for button in form.submits]
        if names and all(_opens_account(name, ctx) for name in names):
            continue
        asked = [question for question in filler.questions(form) if question.field.type != "checkbox"]
        secrets = [question for question in asked if question.meaning == "password"]
        if len(secrets) != 1 or len(asked) not in (2, 3):
            continue
        # Some sites mark a login so, to keep the browser from filling it in.
        new = "new-password" in secrets[0].field.autocomplete
        if not new or says_login(names, form.action, ctx.actor.here.url, more=ctx.site.words):
            return form
    return None


def _opens_account(button: str, ctx: RunContext) -> bool:
    said = (says_purpose(button, purpose, ctx.site.words) for purpose in ("register", "login"))
    return tuple(said) == (True, False)


async def is_asked_to_log_in(ctx: RunContext) -> bool:
    """Return whether the page is nothing but a login: its answer, its title or its only heading says so."""
    form = await _login_form(ctx, filler_of(ctx, password=PASSWORD))
    if form is None or await is_logged_in(ctx):
        return False
    here = ctx.actor.here
    if here.status in _NOT_LET_IN or says_purpose(here.title, "login", ctx.site.words):
        return True
    headings = [block.text for block in await ctx.actor.reader.blocks(_BLOCKS) if block.role == "heading"]
    return len(headings) == 1 and says_purpose(headings[0], "login", ctx.site.words)


async def _code_form(ctx: RunContext, filler: Filler) -> FormInfo | None:
    """Find the form that asks for a code, and for nothing else."""
    for form in await ctx.actor.reader.forms():
        asked = [question for question in filler.questions(form) if question.field.type not in ("checkbox", "radio")]
        if len(asked) == 1 and asks_code(asked[0].meaning, asked[0].label):
            return form
    return None


async def _registration_form(ctx: RunContext, filler: Filler) -> FormInfo | None:
    """Find the form that asks for a user's details: the one with the most of them."""
    wanted = {"email", "username", "password", "password_repeat", "display_name", "full_name", "first_name", "terms"}
    forms = [
        (sum(question.meaning in wanted for question in filler.questions(form)), form)
        for form in await ctx.actor.reader.forms()
        if form.method == "post" or any(question.field.secret for question in filler.questions(form))
    ]
    score, best = max(forms, key=lambda pair: pair[0], default=(0, None))
    return best if score > 1 else None


async def _drawn(
    find: Callable[[], Awaitable[FormInfo | None]], ends: Callable[[], Awaitable[bool | None]] | None = None
) -> FormInfo | None:
    """Look for a form until a script has drawn it; None where it does not come.

    Args:
        find: looks for it.
        ends: says that it will not come.
    """
    for pause in (0.0, *_UNTIL_DRAWN_S):
        await asyncio.sleep(pause)
        form = await find()
        if form is not None or (ends is not None and await ends()):
            return form
    return None


def _user_field(ctx: RunContext, form: FormInfo, filler: Filler, username: str) -> tuple[str, str]:
    """Give the reference of the field for the user's name, and what goes into it."""
    asked = [question for question in filler.questions(form) if question.field.type not in ("checkbox", "password")]
    named = [question for question in asked if question.meaning in ("username", "email")] or asked
    if not named:
        raise ToolError("not_found", f"the form {form.name or form.heading!r} has no field for the user's name")
    question = named[0]
    if username == USERNAME:
        used = ctx.registered.get(ctx.actor.name, {})
        email = question.meaning == "email" or ("username" not in used and "email" in used)
        username = used.get("email", EMAIL) if email else used.get("username", USERNAME)
    return question.field.ref, username


def _password_field(form: FormInfo, filler: Filler, password: str) -> dict[str, str]:
    secret = next(question for question in filler.questions(form) if question.meaning == "password")
    return {secret.field.ref: password}


def _by_meaning(plan: Plan) -> dict[str, str]:
    return {
        put.question.meaning: put.value
        for put in plan.puts
        if put.question.meaning in ("username", "email") and not put.question.field.secret
    }
