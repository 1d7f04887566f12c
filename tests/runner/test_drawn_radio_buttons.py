"""Radio buttons that a script draws (`role=radio`) are one field of their group: what is on there is what it holds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what fields are given")

FORM = """<h1>Repair</h1><form id=form><label>Title <input name=title value="TITLE"></label>
<span id=asked>Kind</span><div role=radiogroup aria-labelledby=asked>RADIOS</div><button>Save</button></form><script>
const radios = [...document.querySelectorAll("[role=radio]")];
const kind = () => radios.find((one) => one.ariaChecked === "true");
const choose = (to) => radios.forEach((one) => one.setAttribute("aria-checked", String(one.textContent === to)));
for (const one of radios) one.onclick = () => choose(one.textContent);
form.onsubmit = async (event) => {
  event.preventDefault();
  const headers = { "content-type": "application/json" };
  const said = { title: form.title.value, kind: kind()?.textContent ?? null };
  await fetch("/repairs", { method: "POST", headers, body: JSON.stringify(said) });
  location.href = "/repairs/48213";
};
</script>"""
TAGS = {"buttons": "<button type=button{}>{}</button>", "parts": "<div tabindex=0{}>{}</div>"}
CALLS = (
    ("navigate", {"url": "/new"}),
    ("fill", {"selector": "Title", "value": "Mend the slipway"}),
    ("click", {"selector": "role=radio[name='Rigging']"}),
    ("click", {"selector": "Save"}),
    ("navigate", {"url": "/repairs/48213"}),
)


@dataclass
class Repairs:
    """What the site keeps, and how it draws what is chosen from."""

    tag: str = ""
    kept: dict[str, Any] = field(default_factory=dict)
    lie: dict[str, Any] = field(default_factory=dict)


@pytest.fixture
def repairs() -> Repairs:
    return Repairs()


@pytest.fixture
def run(
    repairs: Repairs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            held = repairs.kept if self.path == "/repairs/48213" else {}
            radios = "".join(
                repairs.tag.format(f" role=radio aria-checked={json.dumps(name == held.get('kind'))}", name)
                for name in ("Hull", "Rigging", "Engine")
            )
            self.answer(200, FORM.replace("RADIOS", radios).replace("TITLE", held.get("title", "")))

        def do_POST(self) -> None:
            repairs.kept = json.loads(self.body()) | repairs.lie
            self.tell({"id": 48213})

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        yield run


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("lie", [None, "Hull", "Engine"])
def test_what_is_chosen_there_is_proven_and_red_where_the_site_keeps_another(
    tag: str, lie: str | None, repairs: Repairs, run: OneRun
) -> None:
    repairs.tag = TAGS[tag]
    told = run.record(call(name, **given) for name, given in CALLS)
    assert all(one.success for one in told), told
    assert repairs.kept == {"title": "Mend the slipway", "kind": "Rigging"}
    honest = run.replay()
    assert (honest["verdict"], [one["unseen"] for one in honest["writes"]]) == ("passed", [[]]), honest
    repairs.lie = {"kind": lie}
    replayed = run.replay()
    assert replayed["verdict"] == "postcondition", replayed
