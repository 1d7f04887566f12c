"""Writes the evidence of an element as a Playwright locator that a reader understands. Not: resolving it for a replay.

What a user perceives comes first: role and name, label, test id, placeholder; then a card by its text, or a part of the
page by its name. The CSS path is what is left where nothing else was the only one of its kind.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

from simulator.browser.evidence import Scope, Target

Render = Callable[[str], str]


def quoted(text: str) -> str:
    """Write a text as a Python literal."""
    return json.dumps(text, ensure_ascii=False)


def locator(target: Target, render: Render, page: str) -> str:
    """Write the expression that locates an element.

    Args:
        target: the evidence, a template.
        render: puts values into it.
        page: the expression of the page.
    """
    page += "".join(_frame(render(name)) for name in target.frame)
    alike = target.alike
    named = bool(target.role and target.name) and not target.hidden
    if named and alike.role_name == 1:
        return page + _by_role(target.role, render(target.name))
    if target.label and alike.label == 1:
        return f"{page}.get_by_label({quoted(render(target.label))}, exact=True)"
    if target.test_id and alike.test_id == 1:
        return f"{page}.get_by_test_id({quoted(render(target.test_id))})"
    if named and alike.role_name_scoped == 1 and target.scope_depth >= 0:
        around = _scope(target.scopes[target.scope_depth], render)
        if around:
            return page + around + _by_role(target.role, render(target.name))
    if target.name_attr and alike.name_attr == 1:
        return f"{page}.locator({quoted(f'[name={quoted(render(target.name_attr))}]')})"
    return f"{page}.locator({quoted(render(target.css))})"


def waited_for(how: str, value: str, options: Mapping[str, object], page: str) -> str | None:
    """Write the expression of an element that was waited for; None where its description is of one page only."""
    match how:
        case "css":
            return f"{page}.locator({quoted(value)}).first"
        case "text":
            return f"{page}.get_by_text({quoted(value)}).first"
        case "label":
            return f"{page}.get_by_label({quoted(value)}).first"
        case "role":
            name = options.get("name")
            return page + (_by_role(value, str(name)) if name else f".get_by_role({quoted(value)})") + ".first"
        case _:
            return None


def _frame(name: str) -> str:
    """Write the way into a frame, by what it is known by: its name or title, else its address; the host is left out."""
    host, _, rest = name.partition(" ")
    called = rest if rest and host.startswith(("http://", "https://")) else name
    if called.startswith("about:"):
        found = "iframe[srcdoc]" if called == "about:srcdoc" else "iframe:not([src])"
    elif called.startswith(("/", "http://", "https://")):
        found = f"iframe[src*={quoted(urlsplit(called).path.partition('{')[0])}]"
    else:
        found = f"iframe[name={quoted(called)}], iframe[title={quoted(called)}]"
    return f".frame_locator({quoted(found)})"


def _by_role(role: str, name: str) -> str:
    return f".get_by_role({quoted(role)}, name={quoted(name)}, exact=True)"


def _scope(scope: Scope, render: Render) -> str:
    if scope.kind in ("dialog", "landmark") and scope.role and scope.name:
        return _by_role(scope.role, render(scope.name))
    if scope.kind == "landmark" and scope.role:
        return f".get_by_role({quoted(scope.role)})"  # the only one of its kind
    if scope.kind == "card" and scope.role in ("listitem", "row", "article", "treeitem") and scope.tells:
        texts = "".join(f".filter(has_text={quoted(render(text))})" for text in scope.texts[: scope.tells])
        return f".get_by_role({quoted(scope.role)}){texts}"
    return ""
