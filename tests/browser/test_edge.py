"""What comes out of the browser is text, whatever the page says, and is known by it again."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.browser.find import Find
from simulator.browser.launch.edge import well_formed
from tests.browser.conftest import SmallSite, Stage

CHARACTERS = st.one_of(st.characters(codec=None), st.sampled_from('\\"\0\ud83d\ude00u😀'))
TEXTS = st.text(CHARACTERS)
HALF = "Great book \ud83d"
SHOWN = "Great book \ufffd"


def fit(text: str) -> str:
    """Replace halves of characters and NUL, as the edge does."""
    joined = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    return re.sub("[\ud800-\udfff\0]", "\ufffd", joined)


@given(TEXTS, st.booleans())
def test_a_message_says_what_it_said_without_halves(text: str, escaped: bool) -> None:
    """Raw characters and escapes alike: the driver writes halves as escapes, and JSON in JSON with two backslashes."""
    told: Any = {"value": text, "inner": json.dumps({"told": text})}
    message = json.dumps(told, ensure_ascii=escaped).encode("utf-8", "replace")
    read = json.loads(well_formed(message))
    before = json.loads(message)
    assert read["value"] == fit(before["value"])
    assert json.loads(read["inner"]) == json.loads(before["inner"]), "what JSON in JSON escapes, its reader decides"
    assert read["value"].encode().decode() == read["value"]


@pytest.mark.asyncio(loop_scope="session")
async def test_what_is_called_by_half_a_character_is_found_by_it_again(site: SmallSite, stage: Stage) -> None:
    script = f"""<form action=/to><label></label></form><script>
      const half = {json.dumps(HALF)};
      document.title = half;
      const form = document.forms[0];
      const label = form.querySelector("label");
      label.textContent = half;
      const field = Object.assign(document.createElement("input"), {{ name: half, placeholder: half }});
      field.dataset.testid = half;
      label.append(field);
      for (const name of [half, "Other"]) {{
        const button = Object.assign(document.createElement("button"), {{ type: "button", textContent: name }});
        button.onclick = () => {{ saw(name); alert(half); console.log(half) }};
        form.append(button);
      }}
      localStorage.half = half;
    </script>"""
    await stage.show(site, script)
    actor = stage.actor
    assert actor.here.title == SHOWN
    (form,) = await actor.reader.forms()
    assert [(one.name_attr, one.label, one.placeholder) for one in form.fields] == [(SHOWN, SHOWN, SHOWN)]
    assert SHOWN in (await actor.reader.text(1000))[0]
    assert SHOWN in (await actor.reader.tree(depth=10, limit=1000)).tree
    report = await actor.click(Find("role", "button", SHOWN))
    assert report.target is not None
    assert report.target.name == SHOWN
    assert report.page.notes == (f"alert: {SHOWN}",)
    assert [one.text for one in await actor.reader.logged()] == [SHOWN]
    filled = await actor.fill(Find("label", SHOWN), "x")
    assert filled.target is not None
    assert (filled.target.test_id, filled.target.name_attr, filled.target.alike.name_attr) == (SHOWN, SHOWN, 1)
    for query in (
        {"by": "role", "role": "button", "value": SHOWN},
        {"by": "name_attr", "value": SHOWN},
        {"by": "test_id", "value": SHOWN},
    ):
        explained = await actor.page.evaluate("query => __sim.explain(query)", query)
        assert explained["admitted"] == 1, query
    await stage.perform("click", {"by": "role", "role": "button", "value": SHOWN})
    assert await stage.seen() == [SHOWN, SHOWN]


@pytest.mark.asyncio(loop_scope="session")
async def test_a_name_is_not_cut_through_a_character(site: SmallSite, stage: Stage) -> None:
    await stage.show(site, f"<button>{'a' * 199}😀 and more</button>")
    assert [one.name for one in await stage.actor.reader.buttons()] == ["a" * 199]
