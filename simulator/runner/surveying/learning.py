"""Learns a site: looks at it, logged in where it can, and gives a section of ``sim.toml`` for it.

Not responsible for: what is inferred, how it is worded, or the command.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import SplitResult, urlsplit  # noqa: TID251 (what cannot be split is refused)

from simulator.browser.launch.pool import ContextProfile
from simulator.browser.views.survey import Survey
from simulator.browser.wire.held_writes import HeldWrites
from simulator.config import Account, SecretRef, Settings, Site
from simulator.config.values import host_port
from simulator.errors import EnvironmentFailure, SiteUnreachable, ToolError, UsageError
from simulator.persona import Identity, Persona, draw_identity
from simulator.runner.performing.unrecorded import Unrecorded
from simulator.runner.stop import Stop
from simulator.runner.surroundings.resources import Resources, open_resources
from simulator.runner.surroundings.run_setup import RunSetup
from simulator.runner.surroundings.session import Session
from simulator.runner.surveying.advice import Advice, Adviser, advise
from simulator.runner.surveying.drawing import drawn
from simulator.runner.surveying.entering import add_ways
from simulator.runner.surveying.findings import Findings
from simulator.runner.surveying.looking import Bounds, Look
from simulator.runner.surveying.pages import Seen
from simulator.runner.surveying.section import Heading
from simulator.runner.surveying.things import find_things
from simulator.runner.surveying.toml_text import in_a_line
from simulator.secrets import PASSWORD, Vaults
from simulator.tools.contracts import ToolCall, ToolFailure
from simulator.tools.dispatch import TimeoutDispatcher, ToolDispatcher
from simulator.tools.families.account import login, register
from simulator.tools.registry import Registry

_BEFORE = 8
"""Pages that are looked at before somebody logs in: how one registers and logs in is seen there."""
_LANDINGS = 3
"""How often a page that still asks to log in is looked at again, after somebody has."""
_SECRET = "learned_login"
_NAME = re.compile(r"[^a-z0-9_-]+")
_CERTIFICATE = "ERR_CERT"


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnOptions:
    """What ``sim site learn`` was asked for."""

    settings: Settings
    url: str
    name: str = ""
    """Of the section; empty: by the host."""
    username: str = ""
    """Who is logged in; empty: the account of the section that knows this site, or nobody."""
    password_env: str = ""
    """Name of the environment variable with the password."""
    bounds: Bounds
    language: str = "en-GB"
    """BCP 47 tag of the language that the site is asked for."""
    write: bool = False
    """Whether somebody may be registered, where no account is named."""
    headed: bool = False
    adviser: Adviser | None = None
    """The model that is asked about what was found; None: none is."""
    tell: Callable[[str], None] = field(default=lambda address: None)
    """Gets the address of each page before it is looked at."""


@dataclass(frozen=True, slots=True)
class Learned:
    """What came of it."""

    heading: Heading
    seen: Seen
    findings: Findings
    advice: Advice | None
    """What a model decided; None: none was asked."""


def site_name(options: LearnOptions) -> str:
    """Give the name of the section.

    Raises:
        UsageError: the name that was asked for cannot be one.
    """
    if options.name:
        if not re.fullmatch(r"[a-z][a-z0-9_-]*", options.name):
            raise UsageError(f"--name: expected small letters, digits, '-' and '_', found '{options.name}'")
        return options.name
    host = (_parts(options.url).hostname or "").removeprefix("www.")
    first = _NAME.sub("", host.partition(".")[0].casefold()).lstrip("0123456789_-")
    return first or "site"


def _parts(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 (raises where it is not one)
    except ValueError as error:
        raise UsageError(f"'{url}' is no address: {error}") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError(f"expected an address such as https://staging.example.com/, found '{url}'")
    if parts.username or parts.password:
        raise UsageError("expected an address without a name and a password; use basic_auth in a section of sim.toml")
    return parts


async def learn(options: LearnOptions, stop: Stop) -> Learned:
    """Look at a site and infer what a section says of it.

    Raises:
        UsageError: the address is not one, or leads elsewhere.
        HostRefused: users are to be registered where nobody said that they may act.
        SimulatorError: there is no browser, nothing answers, or what answers is no page.
    """
    site, start = _site(options)
    try:
        opening = open_resources(options.settings, site, vaults=Vaults(), headed=options.headed, alone=True)
        async with opening as resources:
            return await _learn(options, resources, start, stop)
    except SiteUnreachable as error:
        if "nothing answers at" not in str(error):
            raise
        raise SiteUnreachable(f"nothing answers at {options.url}; start the site, or name another address") from None


def _site(options: LearnOptions) -> tuple[Site, str]:
    """Give the site as it is looked at, and the address where the look begins."""
    parts = _parts(options.url)
    origin = _origin(options.url)
    known = next((one for one in options.settings.sites.values() if one.origin == origin), None)
    site = known or Site.model_validate({"base_url": origin})
    changes: dict[str, object] = {"base_url": origin, "things": {}}
    target = host_port(origin)
    if not options.write:
        # To look is not to act: a page that is only read need not be listed.
        port = "" if target.port in (80, 443) else f":{target.port}"
        changes["allowed_hosts"] = (*site.allowed_hosts, f"{target.host}{port}")
    account = _account(options, site)
    if account is not None:
        changes["secrets"] = {**site.secrets, _SECRET: account.password}
        changes["accounts"] = (account,)
    else:
        changes["accounts"] = ()
    looked = site.model_copy(update=changes)
    looked._name = site_name(options)
    path = parts.path or "/"
    return looked, path + (f"?{parts.query}" if parts.query else "") + (f"#{parts.fragment}" if parts.fragment else "")


def _origin(url: str) -> str:
    parts = _parts(url)
    return f"{parts.scheme}://{parts.netloc.lower()}"


def _account(options: LearnOptions, site: Site) -> Account | None:
    if not options.username:
        return site.accounts[0] if site.accounts else None
    if not options.password_env:
        known = site.account(options.username)
        if known is None:
            raise UsageError(
                f"--login {options.username}: no section of sim.toml names this account; "
                "say with --password-env which environment variable holds its password"
            )
        return known
    return Account(username=options.username, password=SecretRef(env=options.password_env))


async def _learn(options: LearnOptions, resources: Resources, start: str, stop: Stop) -> Learned:
    account = next(iter(resources.site.accounts), None)
    identity = _somebody() if options.write and account is None else None
    setup, kept = RunSetup.of(resources, identity, identity.variables() if identity else {}), Unrecorded()
    seen, held = Seen(), HeldWrites()
    stored = resources.site.login_state is not None
    async with setup.session(ContextProfile(locale=options.language), None, watch=kept) as session:
        await held.attend(session.current.context)

        async def look(logged_in: bool, pages: int | None, more: Sequence[str] = ()) -> None:
            one = Look(session.current, held, seen, options.bounds, logged_in=logged_in, tell=options.tell, stop=stop)
            await one.through(start, pages, more)

        enters = account is not None or identity is not None
        await _first(look, options, resources, seen, logged_in=stored, pages=_BEFORE if enters else None)
        if enters and not stop.requested:
            with held.let_through(*_typed(setup, account, identity)):
                entered = await _enter(setup, session, kept, seen, account, identity)
            if entered:
                await look(True, None, [await _landed(session)])
    findings = _infer(seen)
    advice = await advise(options.adviser, findings, seen) if options.adviser and not stop.requested else None
    return Learned(_heading(options, resources.site, start, account), seen, findings, advice)


async def _first(
    look: Callable[[bool, int | None], Awaitable[None]],
    options: LearnOptions,
    resources: Resources,
    seen: Seen,
    *,
    logged_in: bool,
    pages: int | None,
) -> None:
    """Look at the first page and on; what keeps it from being read is reported in a sentence.

    Raises:
        EnvironmentFailure: it cannot be read.
        UsageError: it is no page, or of another host.
    """
    said = ""
    try:
        await look(logged_in, pages)
    except ToolError as error:
        said = error.message
    if seen.pages and seen.pages[0].status < 400:
        return
    elsewhere = [url for url in resources.pool.blocked if host_port(url) != resources.site.host_port]
    if said and _CERTIFICATE in said:
        raise SiteUnreachable(
            f"the certificate of {options.url} is not trusted; name the private authority that has signed it with "
            f"authority in a section of sim.toml whose base_url is {resources.site.origin}"
        )
    if elsewhere and (said or seen.left):
        there = host_port(elsewhere[0])
        raise UsageError(
            f"{options.url} leads to another host, {in_a_line(there.host)}; name an address there, or list that host "
            "in allowed_hosts of a section of sim.toml for this site"
        )
    if said:
        raise EnvironmentFailure(f"{options.url} cannot be read: {in_a_line(said, 300)}")
    if not seen.pages:
        raise UsageError(f"{options.url} is no HTML page; name the address of one")
    raise SiteUnreachable(f"{options.url} answered with status {seen.pages[0].status}; name an address that is there")


def _somebody() -> Identity:
    from secrets import randbelow

    persona = Persona.model_validate(
        {"persona": "learner", "about": "Looks at a site.", "locale": "en_GB", "tasks": ["register", "login"]}
    )
    return draw_identity(persona, seed=str(randbelow(10**9)), number=1)


def _typed(setup: RunSetup, account: Account | None, identity: Identity | None) -> Iterator[str]:
    """Give what is typed to log in or to register, by which what is sent then is known."""
    if account is not None:
        yield from (account.username, account.email, account.password.reveal())
    if identity is not None:
        yield from (identity.username, identity.email, setup.vault.reveal(PASSWORD))


async def _enter(
    setup: RunSetup, session: Session, kept: Unrecorded, seen: Seen, account: Account | None, identity: Identity | None
) -> bool:
    """Log in with the account that is named, or register; returns whether somebody is logged in."""
    registry = Registry([login, register])
    ctx = setup.context(session, kept, registry=registry, inbox=await setup.resources.inbox())
    routes = {name: path for name, path in _infer(seen).routes.items() if name != "logout"}
    ctx.site = ctx.site.model_copy(update={"routes": {**routes, **ctx.site.routes}})
    dispatcher = TimeoutDispatcher(ToolDispatcher(registry, ctx), registry)

    async def call(name: str, **given: str) -> ToolFailure | None:
        result = await dispatcher.dispatch(ToolCall(id="learn", name=name, input={**given}))
        return result.error

    if account is not None:
        told = account.username or account.email
        failed = await call("login", username=told, password=f"{{{{secret.{_SECRET}}}}}")
    else:
        assert identity is not None
        told = identity.username
        failed = await call("register")
        if not failed:
            seen.registered = told
            failed = await call("login")
    seen.login_failed = failed.message if failed else ""
    seen.logged_in_as = "" if failed else told
    return failed is None


async def _landed(session: Session) -> str:
    """Give the address that a login led to, once the page is there."""
    for _ in range(_LANDINGS):
        survey = await drawn(session.current)
        if not _asks_to_log_in(survey):
            break
    return survey.address


def _asks_to_log_in(survey: Survey) -> bool:
    return any(one.type == "password" for form in survey.forms for one in form.fields)


def _heading(options: LearnOptions, site: Site, start: str, account: Account | None) -> Heading:
    target = site.host_port
    port = "" if target.port in (80, 443) else f":{target.port}"
    return Heading(
        name=site_name(options),
        base_url=_origin(options.url),
        language=options.language.partition("-")[0].lower(),
        home=start.partition("?")[0].partition("#")[0],
        allowed="" if site.is_loopback else f"{target.host}{port}",
        account=(account.username, account.password.env) if account else None,
    )


def _infer(seen: Seen) -> Findings:
    """Give what follows from a look.

    Args:
        seen: what was seen.
    """
    findings = Findings()
    findings.things, findings.passed_over = find_things(seen)
    # A page that says that nothing is there is often the one of a framework, in English.
    answered = (page for page in seen.pages if page.status < 400)
    languages = Counter(page.survey.language for page in answered if page.survey.language)
    findings.language = languages.most_common(1)[0][0] if languages else ""
    add_ways(findings, seen)
    _ask(findings, seen)
    return findings


def _ask(findings: Findings, seen: Seen) -> None:
    if not findings.language:
        findings.questions.append(
            "in which language are its labels? its pages do not say; what was asked for stands here"
        )
    if not seen.logged_in_as and ("login" in findings.routes or seen.login_needed):
        said = f": {seen.login_failed}" if seen.login_failed else ""
        findings.questions.append(f"nobody was logged in{said}; what only users see was not looked at")
    if seen.login_needed and not seen.logged_in_as:
        some = sorted(seen.login_needed)[:5]
        findings.questions.append(f"these lead to the login: {', '.join(some)}")
    if not findings.things:
        findings.questions.append("what do users make here? no form was seen that makes something")
