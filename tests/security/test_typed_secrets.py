"""What is typed into a secret field, by whatever means, is nowhere afterwards: on pages that say it at once."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.runner.leaks import leaks
from tests.security.hostile import Answer
from tests.security.stage import Call, Stage, open_stage

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(300)]

SECRET = "kQ7-zW94tx"
CODE = "580913"
FIELDS = f"""<title>Type</title><h1>Type</h1><label>Note <input id=note></label>
<label>Password <input id=p type=password oninput="said(this.value)"></label><p id=quote draggable=true>{SECRET}</p>
<label>Name <input id=turning oninput="echo.textContent = this.value"></label>
<button onclick="turning.type = 'password'">Hide it</button><button onclick="send()">Send</button>
<div>{"".join(f"<label>Digit {n} <input class=one type=password maxlength=1></label>" for n in range(1, 7))}</div>
<p id=echo></p><p role=alert id=alert></p>
<script>
const ones = [...document.querySelectorAll(".one")];
ones.forEach((one, at) => one.addEventListener("input", () => ones[at + 1]?.focus()));
function said(text) {{
  echo.textContent = text;
  document.title = "You typed " + text;
  alert.textContent = text + " is weak";
  console.error(text);
}}
function send() {{
  alert.textContent = p.value + turning.value + ones.map((one) => one.value).join("");
  fetch("/home?at=" + p.value + turning.value);
}}
</script>"""
KEYS = list(SECRET)


def one_by_one(selector: str, text: str) -> list[Call]:
    return [("press_key", {"selector": selector, "key": key}, "") for key in text]


WAYS: dict[str, list[Call]] = {
    "press_keys": [("press_keys", {"selector": "#p", "keys": KEYS}, "")],
    "press_key": one_by_one("#p", SECRET),
    "keys by their place": [
        (
            "press_keys",
            {"selector": "#p", "keys": ["KeyK", "Shift+KeyQ", "Digit7", "Minus", "z", "Shift+W", *"94tx"]},
            "",
        )
    ],
    "type_text": [
        ("type_text", {"selector": "#p", "text": SECRET[:5]}, ""),
        ("type_text", {"selector": "#p", "text": SECRET[5:]}, ""),
    ],
    "computer": [
        ("click", {"selector": "#p"}, ""),
        ("computer", {"action": "type", "text": SECRET[:4]}, ""),
        *[("computer", {"action": "key", "text": key}, "") for key in SECRET[4:]],
    ],
    "a field that turns into a secret one": [
        ("fill", {"selector": "#turning", "value": SECRET}, ""),
        ("click", {"selector": "Hide it"}, ""),
    ],
    "a field that turns into a secret one, key by key": [
        *one_by_one("#turning", SECRET[:6]),
        ("type_text", {"selector": "#turning", "text": SECRET[6:]}, ""),
        ("click", {"selector": "Hide it"}, ""),
    ],
    "pasted": [
        ("fill", {"selector": "#note", "value": SECRET}, ""),
        ("press_keys", {"selector": "#note", "keys": ["Control+a", "Control+c"]}, ""),
        ("press_key", {"selector": "#p", "key": "Control+v"}, ""),
    ],
    "around a known one": [("fill", {"selector": "#p", "value": f"{SECRET}{{{{secret.password}}}}"}, "")],
    "a code, a digit in each field": [("press_keys", {"selector": "Digit 1", "keys": list(CODE)}, "")],
}
QUICK = ("press_keys", "a field that turns into a secret one, key by key", "a code, a digit in each field")


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def stage(place: Path) -> AsyncIterator[Stage]:
    async with open_stage(place) as found:
        yield found


@pytest.mark.parametrize("way", [way if way in QUICK else pytest.param(way, marks=pytest.mark.slow) for way in WAYS])
async def test_it_is_nowhere(stage: Stage, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    stage.arrange(monkeypatch)
    page = FIELDS if way == "pasted" else FIELDS.replace(f">{SECRET}<", "><")
    stage.show("/type", Answer(page))
    script: list[Call] = [
        ("navigate", {"url": "/type"}, ""),
        *WAYS[way],
        ("click", {"selector": "Send"}, ""),
        ("get_page_text", {}, ""),
    ]
    met = await stage.meet(script, toolsets=("browser", "computer"))
    assert all(not error for _, error, _ in met.outcomes), met.outcomes
    sent = b"".join(got.all for got in stage.site.got)
    if way != "a code, a digit in each field":
        assert SECRET.encode() in sent, "it was typed"
    sought = CODE if "code" in way else SECRET
    recorded = [place for place in met.places if place[0] not in ("model", "events")]
    early = "turns into" in way or way == "pasted"  # until then nobody could know
    assert leaks(recorded if early else met.places, [sought]) == []
    calls = [place for place in recorded if place[0] in ("step.input", "action.value", "action.recorded_value")]
    keys = [text.decode() for _, text in calls if len(text) == 1]
    assert not keys, "no key of it is told"
    if not early:
        assert b"zW9" not in met.requests
