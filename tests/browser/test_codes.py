"""Codes that a page shows, and what only looks like one: a measure, the syntax of a language, help beside a field."""

from __future__ import annotations

import pytest

from tests.browser.conftest import SmallSite, Stage

pytestmark = pytest.mark.asyncio(loop_scope="session")

HELP = """<h1>Ticket</h1><p>Your number is A7K-2231, keep it.</p><p>Key: <code>x9f27ab</code></p>
<form method=post action=/save><label>Text like 44bb1 <textarea name=text aria-describedby=how></textarea></label>
<p id=how>Write ab12cd for short.</p><small class=form-text>Pages such as q1w2e3</small><button>Save</button></form>
<p>Pictures: [[File:Example.jpg|200px]], [[File:a1b2c3d4.jpg|thumb|b7c8d9]], width=a9b8c7 or {{cite|e5f6a7}}</p>
<p>At most 250px or 300x200px, 12.5mb.</p>"""


async def test_codes_are_read_where_a_page_can_show_one(stage: Stage, site: SmallSite) -> None:
    await stage.show(site, HELP)
    found = {code for code, _ in await stage.actor.reader.codes()}
    assert {"A7K-2231", "x9f27ab"} <= found
    assert not found & {
        "200px",
        "44bb1",
        "ab12cd",
        "q1w2e3",
        "b7c8d9",
        "a9b8c7",
        "e5f6a7",
        "250px",
        "300x200px",
        "12.5mb",
    }
