"""Tools from outside: packages that offer a toolset by an entry point, and files. Not responsible for: built-in ones.

A package names its toolset in its own ``pyproject.toml``; what the name leads to is a tool, several, or a module::

    [project.entry-points."simulator.tools"]
    acme = "acme_tools"
"""

from __future__ import annotations

import importlib.util
import traceback
from collections.abc import Iterable
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType

from simulator.canonical import sha256
from simulator.errors import UsageError
from simulator.tools.classes import spec_of
from simulator.tools.definition import ToolDefinitionError
from simulator.tools.metadata import ToolMetadata
from simulator.tools.spec import ToolSpec

GROUP = "simulator.tools"


def offered() -> dict[str, EntryPoint]:
    """Give the toolsets that installed packages offer, by name, none of them loaded."""
    return {entry.name: entry for entry in entry_points(group=GROUP)}


def load_entry(entry: EntryPoint) -> tuple[ToolSpec, ...]:
    """Load the tools of a package.

    Raises:
        UsageError: they cannot be loaded, or there are none.
    """
    words = f"the toolset '{entry.name}' ({entry.value})"
    try:
        found = entry.load()
    except ToolDefinitionError as error:
        raise UsageError(f"{words}: {error}") from error
    except Exception as error:
        raise UsageError(f"{words} cannot be loaded: {type(error).__name__}: {error}") from error
    return _tools(found, words)


def load_file(path: Path) -> tuple[ToolSpec, ...]:
    """Load the tools that a Python file defines.

    Raises:
        UsageError: it is missing, breaks while it is loaded, or defines none.
    """
    if not path.is_file():
        raise UsageError(f"{path}: there is no such file of tools")
    spec = importlib.util.spec_from_file_location(f"own_tools_{sha256(str(path.resolve()).encode())[:12]}", path)
    if spec is None or spec.loader is None:
        raise UsageError(f"{path}: tools are defined in a Python file, whose name ends in .py")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except ToolDefinitionError as error:
        raise UsageError(f"{_place(path, error)}: {error}") from error
    except Exception as error:
        raise UsageError(f"{_place(path, error)}: {type(error).__name__}: {error}") from error
    return _tools(module, str(path))


def _tools(found: object, words: str) -> tuple[ToolSpec, ...]:
    """Give the tools that are in what was loaded."""
    if isinstance(found, ModuleType):
        own = [one for name, one in vars(found).items() if not name.startswith("_") and _is_tool(one, found.__name__)]
    elif isinstance(found, Iterable) and not isinstance(found, type):
        own = list(found)
    else:
        own = [found]
    if not own:
        raise UsageError(f"{words} defines no tool: neither a function with the decorator 'tool', nor a class")
    try:
        return tuple(one if isinstance(one, ToolSpec) else spec_of(one) for one in own)
    except TypeError as error:
        raise UsageError(f"{words}: {error}") from error


def _is_tool(one: object, module: str) -> bool:
    if isinstance(one, ToolSpec):
        return getattr(one.run, "__module__", "") == module
    made_here = isinstance(one, type) and one.__module__ == module
    return made_here and isinstance(getattr(one, "metadata", None), ToolMetadata)


def _place(path: Path, error: Exception) -> str:
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return f"{path}:{error.lineno}"
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    return f"{path}:{lines[-1]}" if lines else str(path)
