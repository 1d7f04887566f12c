"""The tools of a run, by name. Not responsible for: calling them, or which of them a persona may use."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable
from difflib import get_close_matches

from simulator.errors import ToolError
from simulator.tools.classes import ToolClass, ToolInstance, spec_of
from simulator.tools.metadata import Capability, Category
from simulator.tools.spec import ToolSpec

_log = logging.getLogger(__name__)


class Registry:
    """Tools by name and alias. What is registered while a run goes on can be called from the next call on.

    Args:
        tools: what it holds from the start.
    """

    def __init__(self, tools: Iterable[ToolSpec] = ()) -> None:
        self._tools: dict[str, ToolSpec] = {}
        self._names: dict[str, str] = {}
        for spec in tools:
            self.register(spec)

    def register(self, tool: ToolSpec | ToolClass) -> ToolSpec:
        """Add a tool; one that is there already is left as it is.

        Args:
            tool: made by the decorator, or a class with ``metadata`` and ``execute``, made for each call.

        Returns:
            The tool as it is registered.

        Raises:
            ValueError: another tool has its name, or one of its aliases.
            TypeError: it is no tool.
        """
        spec = tool if isinstance(tool, ToolSpec) else spec_of(tool)
        if self._tools.get(spec.name) == spec:
            return spec
        names = (spec.name, *spec.aliases)
        for name in names:
            if name in self._names:
                known = self._names[name]
                raise ValueError(f"tool {spec.name!r}: the name {name!r} belongs to {known!r}, another tool")
        self._tools[spec.name] = spec
        self._names |= dict.fromkeys(names, spec.name)
        return spec

    def register_instance(self, tool: ToolInstance) -> ToolSpec:
        """Add an object with ``metadata`` and ``execute``, which keeps what it is between calls.

        Raises:
            ValueError: another tool has its name.
            TypeError: it is no tool.
        """
        return self.register(spec_of(tool))

    def find(self, name: str) -> ToolSpec | None:
        """Give the tool of a name or alias, or None."""
        return self._tools[self._names[name]] if name in self._names else None

    def get_tool(self, name: str) -> ToolSpec:
        """Give the tool of a name or alias.

        Raises:
            ToolError: there is none; the message lists the nearest names.
        """
        spec = self.find(name)
        if spec is None:
            near = get_close_matches(name, self._names, n=3)
            hint = f"did you mean {' or '.join(near)}?" if near else f"there are: {', '.join(self._tools)}"
            raise ToolError("unknown_tool", f"there is no tool {name!r}; {hint}")
        return spec

    def list_tools(self) -> tuple[ToolSpec, ...]:
        """Give all tools, in the order of registration."""
        return tuple(self._tools.values())

    def get_by_category(self, category: Category) -> tuple[ToolSpec, ...]:
        """Give the tools of a category, in the order of registration."""
        return tuple(spec for spec in self._tools.values() if spec.category == category)

    def get_filtered_registry(self, capabilities: Collection[Capability], warn_suboptimal: bool = True) -> Registry:
        """Give a registry of those tools that a model can make use of.

        Args:
            capabilities: what the model is able to do.
            warn_suboptimal: whether tools that a more able model would make more of are named in the log.
        """
        able = frozenset(capabilities)
        offered = [spec for spec in self._tools.values() if spec.required_capabilities <= able]
        if warn_suboptimal:
            for spec in offered:
                if lacking := spec.optimal_capabilities - able:
                    _log.warning("the tool %r works better with a model of %s", spec.name, ", ".join(sorted(lacking)))
        return Registry(offered)
