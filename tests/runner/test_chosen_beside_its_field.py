"""What is chosen in a field that takes several stands beside it, in a part of its own; the field is empty again."""

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

PAGE = """<h1>Repair</h1><form id=form><label>Title <input name=title></label>
<div><div><label id=called for=box>Parts</label> <div>
<input id=box role=combobox aria-expanded=false aria-controls=list autocomplete=off>
<button id=opener type=button aria-haspopup=listbox aria-label="Show suggestions" aria-labelledby="opener called">v</button></div></div>
<div id=beside></div></div><button>Save</button></form>
<ul id=list role=listbox aria-label=Suggestions hidden></ul><script>
const OFFERED = SITE_OFFERS, kept = [], at = (id) => document.getElementById(id);
const row = (key) => LINKED ? `<a href="/parts/${key}">${OFFERED[key]}</a>` : `<span>${OFFERED[key]}</span>`;
function draw() {
  const rows = kept.map((key) => `<div role=row>${row(key)}<button type=button aria-label="Remove ${OFFERED[key]}">x</button></div>`).join("");
  at("beside").innerHTML = `<div role=${rows ? "grid" : "group"} aria-label="Parts selected items">${rows || "No items"}</div>`;
}
function open() {
  at("list").hidden = false; at("box").setAttribute("aria-expanded", "true");
  at("list").replaceChildren(...Object.keys(OFFERED).filter((key) => !kept.includes(key) && OFFERED[key].includes(at("box").value)).map((key) => {
    const one = document.createElement("li");
    one.role = "option"; one.textContent = OFFERED[key];
    one.onclick = () => { kept.push(key); close(); draw(); };
    return one; }));
}
function close() { at("list").hidden = true; at("box").value = ""; at("box").setAttribute("aria-expanded", "false"); }
at("opener").onclick = () => (at("list").hidden ? open() : close());
at("box").oninput = open;
at("box").onkeydown = ({ key }) => key === "ArrowDown" ? open() : key === "Escape" && close();
at("form").onsubmit = async (event) => {
  event.preventDefault();
  const said = { title: at("form").title.value, parts: kept };
  await fetch("/repairs", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(said) });
  location.href = "/repairs/48213";
};
fetch(`/held${location.pathname}`).then((it) => it.json()).then((held) => {
  kept.push(...held.parts); at("form").title.value = held.title; draw();
});
</script>"""  # noqa: E501
WORDS = {"rope": "Rope", "oil": "Oil", "paint": "Paint"}
THINGS = {"77101": "Rope of hemp", "77102": "Oil of linseed", "77103": "Paint of lead"}


@dataclass
class Repairs:
    """What the site offers and keeps."""

    offers: dict[str, str] = field(default_factory=dict)
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
            if self.path.startswith("/held"):
                return self.tell(repairs.kept if self.path == "/held/repairs/48213" else {"title": "", "parts": []})
            page = PAGE.replace("LINKED", json.dumps(repairs.offers is THINGS))
            self.answer(200, page.replace("SITE_OFFERS", json.dumps(repairs.offers)))

        def do_POST(self) -> None:
            repairs.kept = json.loads(self.body()) | repairs.lie
            self.tell({"id": 48213})

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        yield run


@pytest.mark.parametrize(("offers", "chosen", "lie"), [(WORDS, "oil", "paint"), (THINGS, "77102", "77103")])
def test_what_stands_beside_it_is_proven_and_red_where_it_is_another(
    offers: dict[str, str], chosen: str, lie: str, repairs: Repairs, run: OneRun
) -> None:
    repairs.offers = offers
    told = run.record(
        [
            call("navigate", url="/new"),
            call("fill", selector="Title", value="Mend the slipway"),
            call("select", selector="Parts", label=offers[chosen]),
            call("click", selector="Save"),
            call("navigate", url="/repairs/48213"),
            call("navigate", url="/repairs/48213"),
        ]
    )
    assert all(one.success for one in told), told
    assert repairs.kept == {"title": "Mend the slipway", "parts": [chosen]}
    honest = run.replay()
    assert (honest["verdict"], [one["unseen"] for one in honest["writes"]]) == ("passed", [[]]), honest
    for parts in ([], [lie]):
        repairs.lie = {"parts": parts}
        replayed = run.replay()
        assert replayed["verdict"] == "postcondition", (parts, replayed["writes"])


@pytest.mark.parametrize("tool", ["select", "fill_form"])
def test_the_button_that_opens_the_list_of_a_field_is_no_field_of_that_name(
    tool: str, repairs: Repairs, run: OneRun
) -> None:
    repairs.offers = WORDS
    form = call("fill_form", values={"Title": "Mend the slipway", "Parts": "Oil"})
    turns = [call("fill", selector="Title", value="Mend the slipway"), call("select", selector="Parts", label="Oil")]
    told = run.record(
        [call("navigate", url="/new"), *(turns if tool == "select" else [form]), call("click", selector="Save")]
    )
    assert all(one.success for one in told), told
    assert repairs.kept == {"title": "Mend the slipway", "parts": ["oil"]}
    assert run.replay()["verdict"] == "passed"
