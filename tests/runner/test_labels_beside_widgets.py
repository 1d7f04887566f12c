"""A list that a script draws is called as the label beside it, also where that is for nothing, or for a list unseen."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.fakes.messages_api import Reply, call
from tests.fakes.server import served
from tests.runner.one_run import OneRun
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what fields are given")

STYLE = """<style>.kept { position: absolute; width: 1px; height: 1px; overflow: hidden; border: 0; }
.control { display: inline-block; min-width: 90px; min-height: 20px; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; }</style>"""
# A label that labels nothing, and what speaks of the list while it is open: as react-select is drawn.
SPEAKING = """<div class=row data-of={name}><label for={name}>{label}</label><div class=widget><span></span>
<span class=unseen aria-live=polite role=log></span>
<div class=control><div><div class=shown>{first}</div><div>
<input role=combobox aria-autocomplete=list aria-expanded=false></div></div></div></div></div>"""
# A list of the browser's own that is kept unseen, and one that is called as what it shows: as Select2 draws it.
STANDING_IN = """<div class=row data-of={name}><label for={name}>{label}</label><select id={name} name={name} class=kept
tabindex=-1 aria-hidden=true><option value=0></option>{options}</select><span class=widget>
<span role=combobox tabindex=0 aria-expanded=false aria-labelledby=says-{name} class=control>
<span class=shown id=says-{name}>{first}</span></span></span></div>"""
MARKUPS = {"speaking": SPEAKING, "standing in": STANDING_IN}
LISTS = {"state": ("State", ["new", "worn", "broken"]), "group": ("Group", ["Crime", "Travel", "History"])}
SCRIPT = """<script>
const lists = %s, chosen = {};
for (const [name, texts] of Object.entries(lists)) {
  const row = document.querySelector(`[data-of=${name}]`), control = row.querySelector(".control");
  const picker = row.querySelector("[role=combobox]"), said = row.querySelector("[role=log]");
  const say = (text) => said && (said.textContent = text);
  control.onmousedown = () => {
    if (document.querySelector("[role=listbox]")) return;
    const list = document.createElement("div");
    list.setAttribute("role", "listbox");
    list.innerHTML = texts.map((one, at) => `<div role=option aria-selected=false data-at=${at}>${one}</div>`).join("");
    picker.setAttribute("aria-expanded", true);
    say(`${texts.length} results are there. ${texts[0]} has the focus.`);
    list.onclick = (event) => {
      const at = Number(event.target.dataset.at), kept = row.querySelector("select");
      chosen[name] = at + 1;
      if (kept) kept.selectedIndex = at + 1;
      row.querySelector(".shown").textContent = texts[at];
      picker.setAttribute("aria-expanded", false);
      say(`${texts[at]} was chosen.`);
      list.remove();
    };
    document.body.append(list);
  };
}
document.querySelector("button").onclick = async () => {
  const sent = { title: document.querySelector("#title").value, ...chosen };
  const headers = { "content-type": "application/json" };
  await fetch("/things", { method: "POST", headers, body: JSON.stringify(sent) });
  location.href = "/things/48213";
};
</script>"""


@dataclass
class Things:
    """What a test may look into, and what the site does."""

    markup: str = SPEAKING
    first: Mapping[str, str] = field(default_factory=lambda: {"state": "Select...", "group": ""})
    """What the lists show at first."""
    loses: bool = False
    kept: dict[str, str] = field(default_factory=dict)

    def form(self) -> str:
        """Write the form."""
        rows = [
            self.markup.format(
                name=name, label=label, first=self.first[name],
                options="".join(f"<option value={at}>{text}" for at, text in enumerate(texts, 1)),
            )
            for name, (label, texts) in LISTS.items()
        ]  # fmt: skip
        title = "<label for=title>Title</label> <input id=title>"
        lists = json.dumps({name: texts for name, (_, texts) in LISTS.items()})
        return f"{STYLE}<h1>Thing</h1>{title}{''.join(rows)}<button>Save</button>{SCRIPT % lists}"

    def page(self) -> str:
        """Write the page of the thing."""
        rows = "".join(f"<tr><th>{name.capitalize()}<td>{text}" for name, text in self.kept.items())
        return f"<h1>Thing</h1><table>{rows}</table>"


@pytest.fixture
def things() -> Things:
    return Things()


@pytest.fixture
def run(
    things: Things, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            self.answer(200, things.page() if self.path == "/things/48213" else things.form())

        def do_POST(self) -> None:
            sent = json.loads(self.body())
            at = {name: texts[0 if things.loses else sent[name] - 1] for name, (_, texts) in LISTS.items()}
            things.kept = {"title": sent["title"], **at}
            self.tell({"id": 48213})

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    with served(Handler) as url:
        yield OneRun(tmp_path, url, capsys)


def pick(name: str, text: str) -> tuple[Reply, ...]:
    return (
        call("click", selector=f"[data-of={name}] [role=combobox]"),
        call("click", selector=f'role=option[name="{text}"]'),
    )


MAKES = (
    call("navigate", url="/new"),
    call("fill", selector="Title", value="The house by the lake"),
    *pick("state", "worn"),
    *pick("group", "Travel"),
    call("click", selector="Save"),
)


@pytest.mark.parametrize("group", ["", "Crime"], ids=["nothing is shown", "the first is shown"])
@pytest.mark.parametrize("markup", MARKUPS)
def test_what_is_chosen_is_seen_again_where_its_label_says(
    things: Things, run: OneRun, markup: str, group: str
) -> None:
    things.markup, things.first = MARKUPS[markup], {"state": "Select...", "group": group}
    told = run.record(MAKES)
    assert all(one.success for one in told), told
    assert things.kept == {"title": "The house by the lake", "state": "worn", "group": "Travel"}
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [[]]), replayed
    things.loses = True
    assert run.replay()["verdict"] == "postcondition"


@pytest.mark.parametrize("markup", MARKUPS)
def test_such_a_list_is_told_by_the_label_beside_it(things: Things, run: OneRun, markup: str) -> None:
    things.markup, things.first = MARKUPS[markup], {"state": "Select...", "group": "Crime"}
    run.record(MAKES)
    told = [one.target.words for one in run.actions() if one.target and one.target.role == "combobox"]
    assert told == ["combobox 'State'", "combobox 'Group'"]
