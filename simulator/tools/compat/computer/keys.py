"""Reads key names as models write them, which are X11's in any case, and gives the browser's. Not: pressing them."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches

from simulator.browser.operations import Modifier
from simulator.errors import ToolError

_MODIFIERS: Mapping[str, Modifier] = {
    **dict.fromkeys(("ctrl", "control", "ctrl_l", "ctrl_r", "control_l", "control_r"), "Control"),
    **dict.fromkeys(("alt", "alt_l", "alt_r", "option"), "Alt"),
    **dict.fromkeys(("shift", "shift_l", "shift_r"), "Shift"),
    **dict.fromkeys(("super", "super_l", "super_r", "win", "windows", "cmd", "command", "meta"), "Meta"),
}
_KEYS: Mapping[str, str] = {
    **{name: name.capitalize() for name in ("tab", "home", "end", "insert", "delete", "escape", "enter", "backspace")},
    **{name: f"Arrow{name.capitalize()}" for name in ("up", "down", "left", "right")},
    **{f"arrow{name}": f"Arrow{name.capitalize()}" for name in ("up", "down", "left", "right")},
    **{f"f{number}": f"F{number}" for number in range(1, 13)},
    **dict.fromkeys(("return", "kp_enter"), "Enter"),
    **dict.fromkeys(("page_up", "pageup", "prior"), "PageUp"),
    **dict.fromkeys(("page_down", "pagedown", "next"), "PageDown"),
    **dict.fromkeys(("esc",), "Escape"),
    **dict.fromkeys(("del", "kp_delete"), "Delete"),
    "space": " ", "minus": "-", "plus": "+", "equal": "=", "comma": ",", "period": ".", "slash": "/",
    "backslash": "\\", "semicolon": ";", "apostrophe": "'", "grave": "`", "bracketleft": "[", "bracketright": "]",
    "capslock": "CapsLock", "caps_lock": "CapsLock", "menu": "ContextMenu",
}  # fmt: skip


def read_key(text: str) -> str:
    """Give the browser's name of a key or a chord.

    Args:
        text: such as ``Return``, ``ctrl+s``, ``alt+Tab`` or ``a``.

    Raises:
        ToolError: ``invalid_input``: there is no such key; the message lists near names.
    """
    *held, last = _parts(text)
    modifiers = [_modifier(name) for name in held]
    name = last.casefold()
    if name in _MODIFIERS:
        key: str = _MODIFIERS[name]
    elif name in _KEYS:
        key = _KEYS[name]
    elif len(last) == 1 and " " <= last <= "~":
        # Key names know no case; only shift, or a letter of its own, makes a capital.
        key = last.lower() if held and "Shift" not in modifiers else last
    else:
        raise _unknown(last, "a character that is not on the keyboard is entered with the action 'type'")
    return "+".join(dict.fromkeys([*modifiers, key]))


def read_modifiers(text: str | None) -> tuple[Modifier, ...]:
    """Give the keys that are held during a click, such as ``ctrl+shift``.

    Raises:
        ToolError: ``invalid_input``: another key than a modifier is among them.
    """
    return tuple(dict.fromkeys(_modifier(name) for name in _parts(text))) if text else ()


def _parts(text: str) -> list[str]:
    if text == "+" or text.endswith("++"):
        return [*filter(None, text[:-1].rstrip("+").split("+")), "+"]
    parts = text.split("+")
    if not all(parts):
        raise ToolError("invalid_input", f"{text!r} is no key; they look like 'Return', 'ctrl+s' or 'a'")
    return parts


def _modifier(name: str) -> Modifier:
    if name.casefold() not in _MODIFIERS:
        raise _unknown(name, "only ctrl, alt, shift and super are held with others")
    return _MODIFIERS[name.casefold()]


def _unknown(name: str, hint: str) -> ToolError:
    near = get_close_matches(name.casefold(), [*_KEYS, *_MODIFIERS], n=1)
    return ToolError("invalid_input", f"there is no key {name!r}; " + (f"did you mean {near[0]!r}?" if near else hint))
