"""The tools of a run, by name. Not responsible for: calling them, or which of them a persona may use."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from simulator.errors import ToolError
from simulator.tools.spec import Category, ToolSpec


class Registry:
    """Tools by name and alias.

    Args:
        tools: what it holds from the start.
    """

    def __init__(self, tools: Iterable[ToolSpec] = ()) -> None:
        self._tools: dict[str, ToolSpec] = {}
        self._names: dict[str, str] = {}
        for spec in tools:
            self.register(spec)

    def register(self, spec: ToolSpec) -> None:
        """Add a tool.

        Raises:
            ValueError: another tool has its name, or one of its aliases.
        """
        names = (spec.name, *spec.aliases)
        for name in names:
            if name in self._names:
                raise ValueError(f"tool {spec.name!r}: the name {name!r} belongs to {self._names[name]!r}")
        self._tools[spec.name] = spec
        self._names |= dict.fromkeys(names, spec.name)

    def find(self, name: str) -> ToolSpec | None:
        """Give the tool of a name or alias, or None."""
        return self._tools[self._names[name]] if name in self._names else None

    def get_tool(self, name: str) -> ToolSpec:
        """Give the tool of a name or alias.

        Raises:
            ToolError: there is none; the nearest names are told.
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
