"""Key names as models write them."""

from __future__ import annotations

import pytest

from simulator.errors import ToolError
from simulator.tools.compat.computer.keys import read_key, read_modifiers


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("Return", "Enter"), ("KP_Enter", "Enter"), ("enter", "Enter"), ("Tab", "Tab"), ("Escape", "Escape"),
        ("esc", "Escape"), ("Up", "ArrowUp"), ("ArrowLeft", "ArrowLeft"), ("Home", "Home"), ("End", "End"),
        ("Page_Up", "PageUp"), ("Page_Down", "PageDown"), ("Next", "PageDown"), ("Delete", "Delete"),
        ("BackSpace", "Backspace"), ("space", " "), ("F5", "F5"), ("a", "a"), ("A", "A"), ("?", "?"), ("+", "+"),
        ("ctrl+s", "Control+s"), ("CTRL+S", "Control+s"), ("ctrl+shift+T", "Control+Shift+T"),
        ("alt+Tab", "Alt+Tab"), ("ctrl+shift+Escape", "Control+Shift+Escape"), ("cmd+c", "Meta+c"),
        ("ctrl++", "Control++"), ("ctrl+plus", "Control++"), ("shift", "Shift"), ("ctrl+ctrl+a", "Control+a"),
    ],
)  # fmt: skip
def test_a_key_or_a_chord(written: str, key: str) -> None:
    assert read_key(written) == key


@pytest.mark.parametrize(
    ("written", "said"),
    [("Retrun", "did you mean 'return'"), ("", "no key"), ("ctrl+", "no key"), ("+a", "no key"), ("a+b", "only ctrl"),
     ("é", "'type'"), ("hello", "no key 'hello'")],
)  # fmt: skip
def test_what_is_no_key(written: str, said: str) -> None:
    with pytest.raises(ToolError, match=said):
        read_key(written)


def test_keys_that_are_held_during_a_click() -> None:
    assert read_modifiers("ctrl+Shift") == ("Control", "Shift")
    assert read_modifiers(None) == read_modifiers("") == ()
    with pytest.raises(ToolError, match="only ctrl"):
        read_modifiers("ctrl+a")
