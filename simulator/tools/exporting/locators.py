"""Writes the evidence of an element as a Playwright locator that a reader understands. Not: resolving it for a replay.

A locator is written only of evidence that Playwright counts as the page's script did when it was recorded: role and
name come first, then a test id, then a card or a part of the page around role and name. What was the only one of its
form, by its label, its caption or what it shows, is found by its place (the CSS path) and by that evidence together:
where the page has changed, they do not meet, and the test fails instead of acting on something else.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from simulator.addresses import urlsplit
from simulator.browser.evidence import CARD_TEXT, LONGEST_NAME, Scope, Target
from simulator.tools.exporting.source import Code, called, pattern

Render = Callable[[str], str]
_CARDS = ("listitem", "row", "article", "treeitem")
_TEST_IDS = ("data-testid", "data-test-id", "data-test")


def locator(target: Target, render: Render, page: Code) -> Code:
    """Write the expression that locates an element.

    Args:
        target: the evidence, a template.
        render: puts values into it.
        page: the expression of the page.

    Raises:
        ValueError: nothing of the evidence identifies it in a test, in words.
    """
    if target.unprovable:
        raise ValueError(f"{target.unprovable} cannot be told from another")
    where = page
    for name in target.frame:
        where = _frame(render(name), where)
    found = _located(target, render, where, page)
    # The picture and the title of a card are often two links: to whoever clicks they are one.
    return called("one", found) if target.tag == "a" and target.href else found


def _located(target: Target, render: Render, where: Code, page: Code) -> Code:
    alike = target.alike
    named = bool(target.role and target.name) and not target.hidden
    name = render(target.name)
    if named and alike.role_name == 1:
        return _by_role(where, target.role, name)
    if target.test_id and alike.test_id == 1:
        return _seen(where.call("locator", _test_id(render(target.test_id))), target)
    if named and alike.role_name_scoped == 1 and target.scope_depth >= 0:
        around = _scope(target.scopes[target.scope_depth], render, where, page)
        if around:
            return _by_role(around, target.role, name)
    if target.label and alike.label == 1 and not (target.role or target.form):
        return where.call("get_by_label", render(target.label), exact=True)
    if target.name_attr and alike.name_attr == 1 and not target.form:
        return _seen(where.call("locator", f"[name={_quoted(render(target.name_attr))}]"), target)
    return _by_place(target, render, where, page)


def _by_place(target: Target, render: Render, where: Code, page: Code) -> Code:
    """Write where it stands, and what else has to be true of it."""
    if not target.css:
        raise ValueError(f"nothing recorded of {target.words} identifies it in a test")
    found = where.call("locator", render(target.css))
    if target.role and target.name and not target.hidden:
        return found.call("and_", _by_role(page, target.role, render(target.name)))
    if target.name_attr:
        return found.call("and_", page.call("locator", f"[name={_quoted(render(target.name_attr))}]"))
    if target.text and not target.hidden:
        return found.call("filter", has_text=render(target.text))
    return found


def waited_for(how: str, value: str, name: str, page: Code) -> Code | None:
    """Write the expression of an element that was waited for; None where its description is of one page only."""
    match how:
        case "css":
            return page.call("locator", value).at("first")
        case "text":
            return page.call("get_by_text", value).at("first")
        case "label":
            return page.call("get_by_label", value).at("first")
        case "role":
            return (_by_role(page, value, name) if name else page.call("get_by_role", value)).at("first")
        case _:
            return None


def whole(text: str, length: int) -> bool:
    """Return whether a text of the evidence is all that the page had, and not as much as evidence keeps."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2 < length - 1


def beginning(text: str) -> Code:
    """Write the pattern of what begins with a text; half a character at its end is left out."""
    kept = re.sub("[\ud800-\udfff]+$", "", text)
    return pattern("^" + re.sub(r"([^\w\s])", r"\\\1", kept))


def _frame(name: str, within: Code) -> Code:
    """Write the way into a frame, by what it is known by: its name or title, else its address; the host is left out."""
    host, _, rest = name.partition(" ")
    called_so = rest if rest and host.startswith(("http://", "https://")) else name
    if called_so.startswith("about:"):
        found = "iframe[srcdoc]" if called_so == "about:srcdoc" else "iframe:not([src])"
    elif called_so.startswith(("/", "http://", "https://")):
        found = f"iframe[src*={_quoted(urlsplit(called_so).path.partition('{')[0])}]"
    else:
        found = f"iframe[name={_quoted(called_so)}], iframe[title={_quoted(called_so)}]"
    return within.call("frame_locator", found)


def _by_role(within: Code, role: str, name: str) -> Code:
    if whole(name, LONGEST_NAME):
        return within.call("get_by_role", role, name=name, exact=True)
    return within.call("get_by_role", role, name=beginning(name))


def _scope(scope: Scope, render: Render, where: Code, page: Code) -> Code | None:
    if scope.kind in ("dialog", "landmark", "group") and scope.role and scope.name:
        return _by_role(where, scope.role, render(scope.name))
    if scope.kind == "landmark" and scope.role:
        return where.call("get_by_role", scope.role)  # the only one of its kind
    if scope.kind == "card" and scope.role in _CARDS and scope.tells:
        card = where.call("get_by_role", scope.role)
        for text in map(render, scope.texts[: scope.tells]):
            card = _showing(card, text, page)
        return card
    return None


def _showing(card: Code, text: str, page: Code) -> Code:
    """Write which of some cards show a text, as a text or a picture's description of its own: no longer one with it."""
    if not whole(text, CARD_TEXT):
        return card.call("filter", has_text=re.sub("[\ud800-\udfff]+$", "", text))
    shown = page.call("locator", f"text={_quoted(text)}")
    return card.call("filter", has=shown.call("or_", page.call("get_by_alt_text", text, exact=True)))


def _seen(found: Code, target: Target) -> Code:
    """Write which of some elements is visible: what is hidden did not count when it was recorded."""
    return found if target.hidden else found.call("filter", visible=True)


def _test_id(value: str) -> str:
    return ", ".join(f"[{attribute}={_quoted(value)}]" for attribute in _TEST_IDS)


def _quoted(text: str) -> str:
    """Write a text as a string of a selector."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + re.sub(r"[\n\r\f\0]", " ", escaped) + '"'
