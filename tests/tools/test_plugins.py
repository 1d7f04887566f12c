"""Tools from a file and from an installed package: real files, and the metadata that an installer writes."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from simulator.errors import UsageError
from simulator.tools.plugins import load_file
from simulator.tools.toolsets import find_offer, known_toolsets, offers, registry_of, toolset_names

OWN = dedent('''
    from simulator.tools.spec import tool
    from simulator.tools.families.interaction import click


    @tool(category="utility", safety="safe", replay="skip", examples=[{"text": "a"}])
    def shout(ctx, text: str) -> str:
        """Say a text loudly.

        Args:
            ctx: The run.
            text: The text.
        """
        return text.upper()
''')


def install(folder: Path, name: str, module: str, target: str) -> None:
    """Write what an installer writes of a package with one entry point."""
    (folder / f"{target.partition(':')[0]}.py").write_text(module, "utf-8")
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", "utf-8")
    (info / "entry_points.txt").write_text(f"[simulator.tools]\n{name} = {target}\n", "utf-8")


def test_a_file_offers_what_it_defines_and_not_what_it_imports(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text(OWN, "utf-8")
    assert [spec.name for spec in load_file(file)] == ["shout"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, r"own\.py: there is no such file"),
        ("x = 1\n", r"own\.py defines no tool"),
        ("x = 1\ny = x / 0\n", r"own\.py:2: ZeroDivisionError: division by zero"),
        ("def f(:\n", r"own\.py:1: SyntaxError"),
        (
            OWN.replace('safety="safe"', 'safety="harmless"'),
            r"own\.py:6: tool 'shout': there is no safety level 'harmless'; there are: safe, low_risk, medium, hi",
        ),
        (
            OWN.replace('category="utility"', 'category="fun"'),
            r"own\.py:6: tool 'shout': there is no category 'fun'; there are: navigation, interaction, extraction",
        ),
        (
            OWN.replace('category="utility"', 'name="shout it", category="utility"'),
            r"own\.py:6: tool 'shout it': the name is none that a model can call",
        ),
        (
            OWN.replace('category="utility"', 'aliases=["cry!"], category="utility"'),
            r"own\.py:6: tool 'shout': the alias 'cry!' is none that a model can call",
        ),
    ],
)
def test_what_is_wrong_with_a_file_is_told_with_its_place(tmp_path: Path, text: str | None, message: str) -> None:
    file = tmp_path / "own.py"
    if text is not None:
        file.write_text(text, "utf-8")
    with pytest.raises(UsageError, match=message):
        load_file(file)


@pytest.mark.parametrize("target", ["acme_tools", "acme_tools:shout", "acme_tools:ALL"])
def test_a_package_offers_a_toolset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, target: str) -> None:
    install(tmp_path, "acme", OWN + "\n\nALL = [shout]\n", target)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(__import__("sys").modules, "acme_tools", raising=False)
    assert toolset_names() == (*known_toolsets(), "acme")
    assert registry_of(["browser", "acme"]).get_tool("shout").description == "Say a text loudly."
    assert find_offer("shout").toolsets == ("acme",)


def test_a_package_that_cannot_be_loaded_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, "broken", "1 / 0\n", "broken_tools")
    monkeypatch.syspath_prepend(tmp_path)
    assert registry_of(["browser"]).list_tools(), "what nobody names is not loaded"
    with pytest.raises(UsageError, match=r"toolset 'broken' \(broken_tools\) cannot be loaded: ZeroDivisionError"):
        registry_of(["broken"])


def test_two_tools_of_one_name_are_an_error_that_names_both(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text(
        OWN.replace("def shout", "def click").replace("from simulator.tools.families.interaction import click", "")
    )
    with pytest.raises(UsageError, match="own tools: tool 'click': the name 'click' belongs to 'click', another tool"):
        registry_of(["browser"], load_file(file))


def test_toolsets_may_share_a_tool() -> None:
    shared = [offer for offer in offers() if len(offer.toolsets) > 1]
    for offer in shared:
        names = offer.toolsets
        assert all(offer.spec in known_toolsets()[name] for name in names)
    assert registry_of(["browser", "browser"]).list_tools() == registry_of(["browser"]).list_tools()
