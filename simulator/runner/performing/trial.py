"""One call of a tool on a page, to try it. Not responsible for: recording, of which there is none, or showing it."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit  # noqa: TID251 (what cannot be split is refused)

from pydantic import JsonValue

from simulator.browser.launch.pool import ContextProfile
from simulator.config import Settings, Site, load_settings
from simulator.errors import EnvironmentFailure, ToolError, UsageError
from simulator.runner.performing.unrecorded import Unrecorded
from simulator.runner.surroundings.resources import open_resources
from simulator.runner.surroundings.run_setup import RunSetup
from simulator.runner.surroundings.session import Session
from simulator.secrets import Vaults
from simulator.tools.classes import ToolClass
from simulator.tools.contracts import ToolCall, ToolResult
from simulator.tools.dispatch import TimeoutDispatcher, ToolDispatcher
from simulator.tools.registry import Registry
from simulator.tools.spec import ToolSpec
from simulator.tools.workspace.folder import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialOptions:
    """What ``sim tools call`` was asked for."""

    settings: Settings
    site: Site
    page: str
    """Where the call is made: a path on the site, or the whole address."""
    registry: Registry
    call: ToolCall
    headed: bool = False
    allow_workspace: bool = False


def site_at(settings: Settings, url: str, name: str | None = None) -> Site:
    """Give the site of an address.

    Args:
        settings: the sections of ``sim.toml``.
        url: a path on the site, or a whole address.
        name: the section; None: the one of that origin, or else the first with its origin replaced.

    Raises:
        UsageError: it is no address, or there is no such section.
    """
    if url.startswith("/"):
        return settings.site(name)
    try:
        parts = urlsplit(url)
    except ValueError as error:
        raise UsageError(f"'{url}' is no address: {error}") from None
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise UsageError(f"expected an address such as http://127.0.0.1:8000/ or a path such as /items, found '{url}'")
    origin = f"{parts.scheme}://{parts.netloc}"
    if name is None:
        known = [site for site in settings.sites.values() if site.origin == origin.lower()]
        if known:
            return known[0]
    # Where a person points, nothing is started: only what answers there is meant.
    return settings.site(name).with_base_url(origin)


async def try_call(options: TrialOptions) -> ToolResult:
    """Open a browser, go to the page, and make the call.

    Raises:
        SimulatorError: there is no browser, or the page cannot be visited.
    """
    vaults = Vaults()
    opening = open_resources(options.settings, options.site, vaults=vaults, headed=options.headed)
    async with opening as resources:
        setup, kept = RunSetup.of(resources, None, {}), Unrecorded()
        session = setup.session(ContextProfile(), None, watch=kept)
        async with session, Workspace(setup.folder) as workspace:
            await _visit(session, options.page)
            ctx = setup.context(
                session,
                kept,
                registry=options.registry,
                workspace=workspace if options.allow_workspace else None,
                inbox=await resources.inbox(),
            )
            dispatcher = TimeoutDispatcher(ToolDispatcher(options.registry, ctx), options.registry)
            return await dispatcher.dispatch(options.call)


async def try_tool(tool: ToolSpec | ToolClass, url: str, **input: JsonValue) -> ToolResult:
    """Try a tool on a page, as its own test does.

    Args:
        tool: made by the decorator, or a class.
        url: the page.
        input: what the tool takes.

    Raises:
        SimulatorError: there is no browser, or the page cannot be visited.
    """
    settings = load_settings()
    registry = Registry()
    call = ToolCall(id="trial", name=registry.register(tool).name, input=input)
    site = site_at(settings, url)
    return await try_call(TrialOptions(settings=settings, site=site, page=url, registry=registry, call=call))


async def _visit(session: Session, page: str) -> None:
    try:
        await session.current.navigation.goto(page)
    except ToolError as error:
        raise EnvironmentFailure(error.message) from error
