"""Values that no tool is meant to get, and that a model may pass. Not responsible for: who gets them."""

from __future__ import annotations

from typing import Any


def nested(depth: int) -> Any:
    """Give lists in objects in lists."""
    value: Any = "deep"
    for level in range(depth):
        value = [value] if level % 2 else {"in": value}
    return value


HOSTILE = [
    "",
    " ",
    "\0",
    "Send\0",
    "\ud800",
    "\udfff Keep",
    "\u202eevil",
    "\ufeff",
    "\x1b[31m",
    "x" * 100_000,
    "😀" * 5_000,
    "{{" * 5_000,
    "{{secret.password}}" * 500,
    "{{identity." + "a" * 5_000 + "}}",
    "(((((((((((a+)+)+)+)+)+)+)+)+)+)+$",
    "/^(a|a)*$/",
    "text=/(a+)+b/",
    "role=button[name=/(a+)+$/]",
    "role=[",
    "role=" + "b" * 9_000,
    'role=button[name="' + '\\"' * 2_000,
    "css=" + ":not(" * 500,
    "css=" + ":has(*" * 8 + ")" * 8,
    "*" + " *" * 300,
    "[",
    "xpath=//*[",
    "ref=" + "9" * 400,
    "ref=e-1",
    " >> ".join(["div"] * 400),
    "label=" + "%" * 9_000,
    "#" + "a" * 50_000,
    "javascript:document.title='hit'",
    "file:///etc/passwd",
    "data:text/html,<h1>hit</h1>",
    "chrome://settings",
    "about:blank",
    "view-source:http://127.0.0.1/",
    "http://",
    "http://[::1",
    "http://a b/",
    "//elsewhere.example/x",
    "ws://127.0.0.1/",
    "blob:null/x",
    "mailto:a@b.example",
    "http://u:p@127.0.0.1:1/",
    "http://127.0.0.1:99999/",
    "/..%2f..%2fetc/passwd",
    "/" + "a" * 70_000,
    "?" * 200,
    "ctrl+" * 500 + "a",
    "Control",
    "../../etc/passwd",
    "/etc/passwd",
    "con",
    "x" * 400 + ".png",
    10**40,
    -(10**40),
    2**63,
    -1,
    0,
    1e308,
    -1e308,
    5e-324,
    float("nan"),
    float("inf"),
    True,
    None,
    [],
    {},
    [[]],
    nested(60),
    nested(190),
    ["x"] * 5_000,
    {str(number): number for number in range(2_000)},
]
"""What models never mean and may say: seen to break parsers, selectors, addresses, numbers and stores."""
