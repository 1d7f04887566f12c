"""What a user has typed in a document, until it is known whether it was a secret.

A field may prove to be a secret one only when something stands in it: a key moves the focus, a script turns a text
field into a password field. Responsible for finding which actions typed what stands in a secret field now. Not
responsible for: reading fields (``page_tracker``), or what is stored.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from simulator.browser.action_recorder import ActionKind
from simulator.browser.evidence import Target

_SIGNS = {
    "Space": " ", "Minus": "-", "Equal": "=", "BracketLeft": "[", "BracketRight": "]", "Backslash": "\\",
    "Semicolon": ";", "Quote": "'", "Backquote": "`", "Comma": ",", "Period": ".", "Slash": "/", "NumpadDecimal": ".",
    "NumpadAdd": "+", "NumpadSubtract": "-", "NumpadMultiply": "*", "NumpadDivide": "/", "NumpadEqual": "=",
}  # fmt: skip
"""Keys by the name of their place, and what they type on the keyboard that Playwright has."""
_CODE = re.compile(r"(?:Key|Digit|Numpad)([A-Z0-9])")
_TYPING: frozenset[ActionKind] = frozenset({"fill", "type", "press"})
_MIN_PART = 3
"""Fewer letters of a secret are typed elsewhere by chance."""


def typed_by(key: str) -> str:
    """Give what a key types, as ``a``, ``Shift+A`` and ``KeyA`` do; nothing for others, such as ``Control+A``."""
    bare = key.removeprefix("Shift+")
    if len(bare) == 1:
        return bare if bare == key else bare.upper()
    if code := _CODE.fullmatch(bare):
        return code.group(1) if bare != key else code.group(1).lower()
    return _SIGNS.get(bare, "")


@dataclass(slots=True)
class _Text:
    """What was typed into one field, one action after the other."""

    field: str
    text: str
    actions: list[str]


class Keyed:
    """What one user has typed in the document of the moment, where no field said that it is a secret."""

    def __init__(self) -> None:
        self._texts: list[_Text] = []
        self._now: _Text | None = None
        self._direct = False
        self._run = ""

    def begin(self, kind: ActionKind, target: Target, typed: str | None) -> str:
        """Note what an action is about to type.

        Args:
            kind: what is done.
            target: to which element.
            typed: with what, without variables.

        Returns:
            All that was typed into secret fields key by key, one field after the other; empty where it was not.
        """
        text = (typed_by(typed or "") if kind == "press" else typed or "") if kind in _TYPING else ""
        self._direct = target.secret
        self._now = _Text(f"{target.frame} {target.css}", text, []) if text and not target.secret else None
        if kind == "fill" or (text and not target.secret):
            self._run = ""
        elif target.secret:
            self._run = self._run[:-1] if typed == "Backspace" else self._run + text
        return self._run if text else ""

    def end(self, action_id: str, kind: ActionKind, found: Collection[str], *, left: bool) -> Sequence[str]:
        """Return which actions have typed what has come up in secret fields.

        Args:
            action_id: the action that is over.
            kind: what it was.
            found: what stands in secret fields and did not before it.
            left: whether it led to another document.

        Returns:
            The actions, by id.
        """
        now, self._now = self._now, None
        if left:
            self._texts.clear()
        elif now is not None:
            last = self._texts[-1] if self._texts else None
            if kind != "fill" and last is not None and last.field == now.field:
                last.text += now.text
                last.actions.append(action_id)
            else:
                self._texts.append(_Text(now.field, now.text, [action_id]))
        if self._direct and kind in _TYPING:
            return ()
        proved = [action for text in self._texts if _is_in(text.text, found) for action in text.actions]
        if now is not None and action_id not in proved and any(now.text in value for value in found):
            proved.append(action_id)
        return proved


def _is_in(text: str, found: Collection[str]) -> bool:
    """Return whether a text is what stands in a field, or a good part of it."""
    return any(text == value or (len(text) >= _MIN_PART and text in value) for value in found)
