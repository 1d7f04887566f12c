"""Pages with lists that a script draws, by the patterns of WAI-ARIA and with what widgets in use do besides.

Each keeps the code of the option that was chosen, and sends that: no page tells it. Not responsible for: serving them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

CITIES: Final = {"Lisbon": "c1", "Oslo": "c2", "Porto": "c3", "Paris": "c4", "Porto Alegre": "c5"} | {
    f"Village {number}": f"v{number}" for number in range(40)
}
"""What can be chosen, and what is sent for it."""
PATTERNS: Final = (
    "select-only", "editable", "late", "virtual", "searched", "keyed", "several", "standing", "radios", "inside",
    "fetched", "unnamed", "transparent",
)  # fmt: skip
"""Each is a file of ``drawn_lists``; ``late`` is ``editable`` whose options come a while after something was typed."""
_PAGES: Final = Path(__file__).parent / "drawn_lists"
_SHARED: Final = """const sends = document.forms[0].elements.city, at = (id) => document.getElementById(id);
const make = (html) => Object.assign(document.createElement("template"), { innerHTML: html }).content.firstElementChild;
"""


def page(pattern: str, *, cities: dict[str, str] | None = None, before: str = "") -> str:
    """Give the body of a page with a form that has such a list.

    Args:
        pattern: of :data:`PATTERNS`.
        cities: what can be chosen; default: all.
        before: a script that runs first.
    """
    late = pattern == "late"
    markup, _, script = (_PAGES / f"{'editable' if late else pattern}.html").read_text("utf-8").partition("<script>")
    given = f"const cities = {json.dumps(CITIES if cities is None else cities)}; window.late = {json.dumps(late)};"
    form = (_PAGES / "page.html").read_text("utf-8").replace("<!-- field -->", markup)
    return f"{form}<script>{given}\n{before}\n{_SHARED}{script}"
