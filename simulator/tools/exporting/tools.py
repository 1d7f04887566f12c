"""The tool that writes a test into ``generated_tests/`` beside ``sim.toml``. Not responsible for: running it."""

from __future__ import annotations

import ast
import os
import re
import secrets
import warnings
from pathlib import Path
from typing import Annotated

from pydantic import Field, JsonValue

from simulator.errors import ToolError
from simulator.template import PLACEHOLDER, SECRET
from simulator.tools.context import RunContext
from simulator.tools.exporting.script import FILES, Script
from simulator.tools.spec import tool

FOLDER = "generated_tests"
_FILE_NAME = re.compile(r"test_[A-Za-z0-9_]{1,80}\.py", re.ASCII)


@tool(
    category="utility",
    safety="high",
    replay="result",
    examples=[
        {"filename": "test_sell_a_book.py"},
        {
            "filename": "test_home.py",
            "content": "from playwright.sync_api import Page, expect\n\n\ndef test_home(page: Page) -> None:\n"
            '    page.goto("/")\n    expect(page.get_by_role("heading", level=1)).to_be_visible()\n',
            "overwrite": True,
        },
    ],
)
async def write_test(
    ctx: RunContext,
    filename: str,
    content: Annotated[str, Field(max_length=200_000)] | None = None,
    overwrite: bool = False,
) -> JsonValue:
    """Write a test for pytest-playwright into the folder generated_tests.

    Without content it is made of what this run has done on the site so far; passwords come from environment variables.

    Args:
        ctx: The run.
        filename: Such as test_sell_a_book.py, without a folder.
        content: The test as Python, with functions named test_…; {{variables}} are filled in, secrets are refused.
        overwrite: Replace a file of that name.

    Returns:
        Where it was written, its tests, the environment variables it needs, and whether it replaced a file.
    """
    if not _FILE_NAME.fullmatch(filename):
        raise ToolError(
            "invalid_input", f"filename: expected letters, digits and _ as in 'test_sell_a_book.py', found {filename!r}"
        )
    folder = _folder(ctx)
    files: dict[str, str] = {}
    if content is None:
        script = Script(ctx.bindings, ctx.site.base_url)
        name = filename.removesuffix(".py")
        text = script.write(
            name, f"What '{ctx.actor.name}' did on the site, as it was recorded.", ctx.journal.actions()
        )
        files = script.uploads
    else:
        text = ctx.bindings.render(content)
        if any(match.group(1).startswith(SECRET) for match in PLACEHOLDER.finditer(ctx.vault.mask(text))):
            raise ToolError(
                "not_allowed", "a secret cannot stand in a test; read it from an environment variable with os.environ"
            )
    tests = _checked(text)
    for file, sha256 in files.items():
        _store(folder / FILES / file, ctx.journal.blob(sha256), overwrite=True)
    replaced = _store(folder / filename, text.encode(), overwrite=overwrite)
    return {
        "file": f"{FOLDER}/{filename}",
        "tests": [*tests],
        "replaced": replaced,
        "environment": sorted(set(re.findall(r'os\.environ\["(\w+)"\]', text))),
    }


def _folder(ctx: RunContext) -> Path:
    folder = ctx.settings.root / FOLDER
    if not folder.resolve().is_relative_to(ctx.settings.root.resolve()):
        raise ToolError("not_allowed", f"{FOLDER} leads out of the project, so nothing is written there")
    return folder


def _checked(text: str) -> list[str]:
    """Give the names of the tests in a Python text.

    Raises:
        ToolError: it is no Python, with line and column; or there is no test in it.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an odd escape in a string is the author's own
            tree = ast.parse(text)
    except SyntaxError as error:
        place = f"line {error.lineno}, column {error.offset}"
        raise ToolError("invalid_input", f"content: {place}: {error.msg}; nothing was written") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise ToolError("invalid_input", f"content: {error or 'too deeply nested'}; nothing was written") from None
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name.startswith("Test")]
    bodies = [tree.body, *(node.body for node in classes)]
    functions = [node for body in bodies for node in body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    tests = [node.name for node in functions if node.name.startswith("test")]
    if not tests:
        raise ToolError("invalid_input", "content: there is no function named test_…; nothing was written")
    return tests


def _store(path: Path, data: bytes, *, overwrite: bool) -> bool:
    """Write a file whole or not at all; returns whether it replaced one."""
    replaced = path.exists() or path.is_symlink()
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.write_bytes(data)
        try:
            draft.replace(path) if overwrite else os.link(draft, path)
        finally:
            draft.unlink(missing_ok=True)
    except FileExistsError:
        raise ToolError(
            "invalid_input", f"{path.name} is there already; nothing was written: take another name, or set overwrite"
        ) from None
    except OSError as error:
        raise ToolError("unavailable", f"{path.name} could not be written: {error.strerror}") from None
    return replaced
