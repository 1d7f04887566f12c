"""Dispatch: gets the tool, validates the call, authorises it, and executes it within its time.

Not responsible for: recording, which is a wrapper of its own in ``recording_dispatcher``.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Collection, Mapping
from contextlib import nullcontext

from pydantic import BaseModel, JsonValue

from simulator.browser.acting.pace import Pacer
from simulator.canonical import map_strings
from simulator.errors import SimulatorError, TemplateError, ToolError
from simulator.persona.model import Safety
from simulator.tools.context import RunContext
from simulator.tools.contracts import Dispatcher, ToolCall, ToolResult
from simulator.tools.failures import failed, failure
from simulator.tools.metadata import SAFETY_LEVELS
from simulator.tools.registry import Registry
from simulator.tools.spec import ToolGrant, ToolSpec
from simulator.tools.validation import validate

_NO_PAGE = frozenset({"", "about:blank"})


_GRANTING: Mapping[ToolGrant, str] = {
    "login": "the site does not grant 'login'",
    "upload": "the site does not grant 'upload'",
    "workspace": "--allow-workspace is not given",
}


class ToolDispatcher:
    """Validates a call and executes it in a run's context.

    Args:
        registry: the tools that may be called.
        ctx: the run.
    """

    def __init__(self, registry: Registry, ctx: RunContext) -> None:
        self._registry = registry
        self._ctx = ctx

    async def dispatch(self, call: ToolCall) -> ToolResult:
        """Do one call.

        Raises:
            SimulatorError: the run cannot go on.
        """
        try:
            spec = self._registry.get_tool(call.name)
            model = validated(spec, call.input)
            map_strings(call.input, self._ctx.bindings.render)
            if spec.requires_page:
                await self._require_page(spec)
            # Not dict(model), which would ask a parameter called "keys" for the names.
            value = await spec.run(self._ctx, **{name: getattr(model, name) for name in type(model).model_fields})
            return value if isinstance(value, ToolResult) else ToolResult(success=True, data=value)
        except TemplateError as error:
            return failed(error, call.name, self._ctx.vault.mask)
        except SimulatorError:
            raise
        except Exception as error:
            return failed(error, call.name, self._ctx.vault.mask)

    async def _require_page(self, spec: ToolSpec) -> None:
        page = self._ctx.actor.page
        # What a page opened without an address, it writes itself.
        if self._ctx.actor.windows.lost or (page.url in _NO_PAGE and not await page.opener()):
            raise ToolError("page_closed", f"{spec.name} needs a page, and none is open; navigate to one first")


class SafetyDispatcher:
    """Refuses calls of tools above a ceiling, unless the site grants them.

    Args:
        inner: does the calls that are allowed.
        registry: the tools.
        ceiling: the most harmful level that the persona allows.
        grants: what is allowed whatever the ceiling, by the site section for one.
    """

    def __init__(
        self, inner: Dispatcher, registry: Registry, *, ceiling: Safety, grants: Collection[ToolGrant] = ()
    ) -> None:
        self._inner = inner
        self._registry = registry
        self._ceiling = ceiling
        self._grants = frozenset(grants)

    async def dispatch(self, call: ToolCall) -> ToolResult:
        """Do one call, or refuse it."""
        spec = self._registry.find(call.name)
        if spec is not None and not self.allows(spec):
            return echoed(spec, call, self._refusal(spec, call))
        return await self._inner.dispatch(call)

    def _refusal(self, spec: ToolSpec, call: ToolCall) -> ToolResult:
        try:
            validated(spec, call.input)
        except ToolError as error:
            return failure(error.type, error.message)
        grant = f" and {_GRANTING[spec.grant]}" if spec.grant else ""
        return failure(
            "not_allowed",
            f"{spec.name} is {spec.safety}, the persona allows up to {self._ceiling}{grant}; go on without it, or fail",
        )

    def allows(self, spec: ToolSpec) -> bool:
        """Return whether a tool may be called."""
        return allowed(spec, self._ceiling, self._grants)


def allowed(spec: ToolSpec, ceiling: Safety, grants: Collection[ToolGrant]) -> bool:
    """Return whether a tool is below a ceiling, or granted."""
    return SAFETY_LEVELS.index(spec.safety) <= SAFETY_LEVELS.index(ceiling) or spec.grant in grants


class TimeoutDispatcher:
    """Stops a call that takes longer than its tool allows.

    Args:
        inner: does the calls.
        registry: the tools.
        pacer: takes the time of a person, which does not count; None: nobody does.
    """

    def __init__(self, inner: Dispatcher, registry: Registry, pacer: Pacer | None = None) -> None:
        self._inner = inner
        self._registry = registry
        self._pacer = pacer

    async def dispatch(self, call: ToolCall) -> ToolResult:
        """Do one call within its tool's time."""
        spec = self._registry.find(call.name)
        if spec is None:
            return await self._inner.dispatch(call)
        try:
            async with asyncio.timeout(spec.timeout_s) as limit:
                with self._pacer.unhurried(limit) if self._pacer else nullcontext():
                    result = await self._inner.dispatch(call)
        except TimeoutError:
            if not limit.expired():
                raise
            result = failure("timeout", f"{spec.name} was stopped after {spec.timeout_s:g} s; look at the page")
        return echoed(spec, call, result)


def echoed(spec: ToolSpec, call: ToolCall, result: ToolResult) -> ToolResult:
    """Give a result with what its call said of itself."""
    if not spec.echoes:
        return result
    said = {name: call.input.get(name) for name in spec.echoes}
    return result.model_copy(update={"metadata": {**result.metadata, **said}})


def validated(spec: ToolSpec, given: Mapping[str, JsonValue]) -> BaseModel:
    """Give the input of a call as the tool takes it.

    Raises:
        ToolError: ``invalid_input``: each field that is wrong, what was expected of it, and a valid example.
    """
    model, problems = validate(spec.input_model, given, typed=spec.typed)
    if model is None:
        example = f" Example: {json.dumps(spec.examples[0], ensure_ascii=False)}" if spec.examples else ""
        raise ToolError("invalid_input", f"{spec.name}: {problems}.{example}")
    return model
