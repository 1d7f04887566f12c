"""A list, and a field of files, gets the focus before it is filled in, and is proven once more then."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from simulator.browser.acting.gestures import gesture
from simulator.browser.action_recorder import ActionStart
from simulator.browser.launch.script import selector

pytestmark = pytest.mark.asyncio(loop_scope="session")

OFFERED = "<option value=s>Small</option><option value=l>Large</option>"
LISTS = f"<input id=text><select id=one name=size>{OFFERED}</select><select id=other name=colour>{OFFERED}</select>"
HEARD = """<script>
  for (const type of ["blur", "focus", "change"])
    addEventListener(type, (event) => event.target.id && saw(`${type} ${event.target.id}`), true);
</script>"""


async def _put(stage: Any, kind: str, name: str, value: str, options: dict[str, Any] | None = None) -> None:
    """Fill in a field as a replay does, by its name."""
    found = selector("sim", {"by": "name_attr", "value": name, "patience": 1500})

    async def operation() -> Any:
        return await gesture(stage.actor.page, kind, found, value, options or {}, 1500)  # type: ignore[arg-type]

    await stage.actor.runner.carry_out(ActionStart(kind, stage.actor.name), operation)  # type: ignore[arg-type]


async def _held(stage: Any) -> dict[str, str]:
    held: dict[str, str] = await stage.actor.page.evaluate(
        "() => Object.fromEntries([...document.querySelectorAll('select')].map((one) => [one.id, one.value]))"
    )
    return held


async def test_the_field_before_is_left_before_something_is_chosen(stage: Any, site: Any) -> None:
    await stage.show(site, LISTS + HEARD)
    await stage.actor.page.evaluate("() => text.focus()")
    await _put(stage, "select", "size", "l")
    assert await stage.seen() == ["focus text", "blur text", "focus one", "change one"]


async def test_a_list_that_is_drawn_anew_as_the_field_before_is_left_is_found_anew(stage: Any, site: Any) -> None:
    anew = "<script>text.addEventListener('blur', () => { one.outerHTML = one.outerHTML; }, { once: true });</script>"
    await stage.show(site, LISTS + anew)
    await stage.actor.page.evaluate("() => { text.focus(); window.first = one; }")
    await _put(stage, "select", "size", "l")
    assert await _held(stage) == {"one": "l", "other": "s"}
    assert await stage.actor.page.evaluate("() => [first.isConnected, first.value]") == [False, "s"]


async def test_a_list_that_is_another_one_once_it_has_the_focus_is_not_chosen_in(stage: Any, site: Any) -> None:
    swap = "<script>one.addEventListener('focus', () => { one.name = 'colour'; other.name = 'size'; });</script>"
    await stage.show(site, LISTS + swap)
    await _put(stage, "select", "size", "l")
    assert await _held(stage) == {"one": "s", "other": "l"}


async def test_a_field_of_files_that_is_another_one_once_it_has_the_focus_gets_none(
    stage: Any, site: Any, tmp_path: Path
) -> None:
    fields = "<input id=one name=cover type=file><input id=other name=paper type=file>"
    swap = "<script>one.addEventListener('focus', () => { one.name = 'paper'; other.name = 'cover'; });</script>"
    await stage.show(site, fields + swap)
    file = tmp_path / "cover.txt"
    file.write_text("a cover", "utf-8")
    await _put(stage, "upload", "cover", str(file), {"name": "cover.txt"})
    assert await stage.actor.page.evaluate("() => [one.files.length, other.files.length]") == [0, 1]
