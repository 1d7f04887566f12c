"""Roles and accessible names are those by which Playwright's role locators find an element."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page
from ruamel.yaml import YAML

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.promise("names and roles")]
CORPUS = (Path(__file__).parent / "corpus.html").read_text("utf-8")
_LINE = re.compile(r'(?P<role>[a-z]+)(?: (?P<name>"(?:[^"\\]|\\.)*"))?(?: \[[^\]]*\])*')

# A summary is a button here as in every browser; role locators know no role of it.
# Every element of the page, in open shadow roots too, with a number by which a test finds it again.
NUMBER = """() => {
  const all = [];
  const visit = (root) => {
    for (const el of root.querySelectorAll("*")) { all.push(el); if (el.shadowRoot) visit(el.shadowRoot); }
  };
  visit(document.body);
  all.forEach((el, n) => el.setAttribute("data-n", n));
  const hidden = (el) => !__sim.visible(el) || el.localName === "optgroup" || !!el.closest("[aria-hidden=true]");
  return all.map((el) => ({ html: el.outerHTML.slice(0, 100), hidden: hidden(el), tag: el.localName,
    role: el.localName === "summary" ? "" : __sim.roleOf(el), name: __sim.nameOf(el) }));
}"""


async def corpus(stage: Any, site: Any) -> tuple[Page, list[dict[str, Any]]]:
    await stage.show(site, CORPUS)
    return stage.actor.page, await stage.actor.page.evaluate(NUMBER)


async def test_every_role_and_name_finds_its_element_by_role_locator(stage: Any, site: Any) -> None:
    page, elements = await corpus(stage, site)
    elements = [{**one, "role": "" if one["hidden"] else one["role"]} for one in elements]
    sought = {(one["role"], one["name"]) for one in elements if one["role"]}
    found = {
        (role, name): await page.get_by_role(role, name=name, exact=True).evaluate_all(
            "els => els.map(el => Number(el.dataset.n))"
        )
        for role, name in sought
    }
    missed = [
        (one["html"], one["role"], one["name"])
        for number, one in enumerate(elements)
        if one["role"] and number not in found[one["role"], one["name"]]
    ]
    assert len(sought) > 200
    assert missed == []
    for role in sorted({role for role, _ in sought}):
        hits = await page.get_by_role(role).evaluate_all("els => els.map(el => Number(el.dataset.n))")
        ours = [number for number, one in enumerate(elements) if one["role"] == role]
        assert ours == [number for number in hits if not elements[number]["hidden"]], role


async def test_role_and_name_are_what_an_aria_snapshot_shows(stage: Any, site: Any) -> None:
    page, elements = await corpus(stage, site)
    wrong = []
    compared = 0
    shown_elements = [(number, one) for number, one in enumerate(elements) if one["role"] and not one["hidden"]]
    texts = await asyncio.gather(
        *(page.locator(f'[data-n="{number}"]').aria_snapshot(timeout=60_000) for number, _ in shown_elements)
    )
    for (_, one), text in zip(shown_elements, texts, strict=True):
        lines = YAML(typ="safe").load(text) if text else None
        first = lines[0] if isinstance(lines, list) and lines else ""
        key = next(iter(first)) if isinstance(first, dict) else first
        shown = _LINE.fullmatch(key) if isinstance(key, str) else None
        role = shown["role"] if shown and shown["role"] != "text" else ""
        name = " ".join(json.loads(shown["name"]).split()) if shown and shown["name"] else ""
        compared += 1
        if (role, name) != (one["role"], one["name"]):
            wrong.append(f"{one['html']}\n   shown {role} {name!r}, ours {one['role']} {one['name']!r}")
    assert compared > 250
    assert not wrong, "\n".join(wrong)


async def test_a_password_is_in_no_name(stage: Any, site: Any) -> None:
    await stage.show(
        site,
        """<label for=a>Password <input type=password value=hunter2></label><input id=a>
        <button>Show <input id=shown type=password value=hunter2></button>
        <script>document.querySelector("#shown").type = "text"</script>""",
    )
    described = await stage.actor.page.evaluate("() => [...document.querySelectorAll('body *')].map(__sim.describe)")
    assert [one["name"] for one in described if one["tag"] == "input"] == ["", "Password", ""]
    assert "hunter2" not in json.dumps(described)
