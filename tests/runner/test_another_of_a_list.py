"""What a script does to one thing of a list, where the site does it to another one, or the list shows one alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what a script writes")

PAGE = """<div id=app></div><script>
const app = document.getElementById("app"), api = async (method, path, body) =>
  (await fetch("/api/boats" + path, { method, headers: { "content-type": "application/json" }, body: body && JSON.stringify(body) })).json();
let boats;
const show = (part = "") => {
  app.innerHTML = `<label>Filter <input></label><section>` + boats.filter((one) => one.name.includes(part)).map((one) =>
    `<div><h3>${one.name}</h3><p>${one.text}</p><button class=edit>Edit</button> <button class=sink>Sink</button></div>`).join("") + `</section>`;
  app.querySelector("input").value = part;
  app.querySelector("input").onchange = ({ target }) => show(target.value);
  const at = (name) => [...app.querySelectorAll(`.${name}`)].entries().map(([at, one]) => [one, boats.filter((one) => one.name.includes(part))[at]]);
  for (const [button, one] of at("sink")) button.onclick = async () => { await api("DELETE", `/${one.id}`); show(part); };
  for (const [button, one] of at("edit")) button.onclick = () => {
    button.parentNode.innerHTML = `<form><label>Text <input name=text></label><button>Save</button></form>`;
    const form = app.querySelector("form");
    form.text.value = one.text;
    form.onsubmit = async (event) => {
      event.preventDefault();
      await api("PUT", `/${one.id}`, { name: one.name, text: form.text.value });
      boats = await api("GET", "");
      show(part);
    };
  };
};
api("GET", "").then((all) => { boats = all; show(); });
</script>"""  # noqa: E501


@dataclass
class Boats:
    """What the site keeps, and how it lies."""

    kept: dict[str, dict[str, str]] = field(default_factory=dict)
    swallows: bool = False
    other: str = ""
    """The boat to which it does what was asked for another one."""

    def reset(self, *ids: str) -> None:
        """Keep two boats."""
        texts = {"Heron": "Two oars, one of them new.", "Tern": "Needs a coat of paint."}
        each = zip(ids, texts.items(), strict=True)
        self.kept = {one: {"id": one, "name": name, "text": text} for one, (name, text) in each}


@pytest.fixture
def boats() -> Boats:
    return Boats()


@pytest.fixture
def run(
    boats: Boats, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            if self.path == "/api/boats":
                self.tell([*boats.kept.values()])
            else:
                self.answer(200, PAGE if self.path == "/boats" else "<a href=/boats>Boats</a>")

        def do_PUT(self) -> None:
            boat = boats.kept[boats.other or self.path.rpartition("/")[2]]
            boat.update(json.loads(self.body()))
            self.tell(boat)

        def do_DELETE(self) -> None:
            self.body()
            if not boats.swallows:
                del boats.kept[self.path.rpartition("/")[2]]
            self.tell({})

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        yield run


def test_what_is_done_to_another_thing_is_red_though_the_answer_names_that(boats: Boats, run: OneRun) -> None:
    boats.reset("48213", "48230")
    told = run.record(
        [
            call("navigate", url="/boats"),
            call("click", selector="section > div:nth-of-type(2) button.edit"),
            call("fill", selector="Text", value="Painted, and dry below."),
            call("click", selector="Save"),
            call("navigate", url="/boats"),
        ]
    )
    assert all(one.success for one in told), told
    boats.reset("48213", "48230")
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [[]]), replayed
    assert boats.kept["48230"]["text"] == "Painted, and dry below."
    boats.reset("48213", "48230")
    boats.other = "48213"
    replayed = run.replay()
    assert boats.kept["48213"]["text"] == "Painted, and dry below."
    assert replayed["verdict"] == "postcondition", replayed
    assert "coat of paint" in replayed["drift"]["found"], replayed["drift"]


def test_a_removal_is_not_proven_by_the_list_that_is_no_longer_filtered(boats: Boats, run: OneRun) -> None:
    boats.reset("heron-of-the-old-pier", "tern-of-the-old-pier")
    told = run.record(
        [
            call("navigate", url="/boats"),
            call("fill", selector="Filter", value="Tern"),
            call("press_key", key="Tab", selector="Filter"),
            call("click", selector="Sink"),
            call("navigate", url="/"),
            call("navigate", url="/boats"),
        ]
    )
    assert all(one.success for one in told), told
    boats.reset("heron-of-the-old-pier", "tern-of-the-old-pier")
    boats.swallows = True
    replayed = run.replay()
    assert len(boats.kept) == 2
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [["button 'Sink'"]])
