"""A link of a list leads a view to the form of a thing, which sends the name of the thing with what is changed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("where what was sent is seen")

PAGE = """<main></main><script>
const main = document.querySelector("main");
const draw = async () => {
  const things = await (await fetch("/api/things")).json();
  const one = things.find(({ id }) => location.pathname === `/things/${id}`);
  main.innerHTML = one
    ? `<h1>Thing</h1><label>Title <input id=title></label><label>Place <input id=place></label><button>Save</button>`
    : `<h1>Things</h1><table><tr><th>Title<th>Place</tr>${things.map(({ id, title, place }) =>
      `<tr><td><a href=/things/${id}>${title}</a><td>${place}</tr>`).join("")}</table>`;
  for (const link of document.querySelectorAll("a")) link.onclick = (event) => {
    event.preventDefault();
    history.pushState({}, "", link.href);
    draw();
  };
  if (!one) return;
  for (const name of ["title", "place"]) document.querySelector(`#${name}`).value = one[name];
  document.querySelector("button").onclick = async () => {
    const sent = Object.fromEntries(["title", "place"].map((name) => [name, document.querySelector(`#${name}`).value]));
    await fetch(`/api/things/${one.id}`, { method: "PATCH", body: JSON.stringify(sent) });
  };
};
draw();
</script>"""


@dataclass
class Things:
    """What the site keeps, and whether it loses the place."""

    kept: dict[str, dict[str, str]] = field(
        default_factory=lambda: {
            "48213": {"title": "Low tide", "place": "Leeds"},
            "48214": {"title": "Pier", "place": "York"},
        }
    )
    loses: bool = False


@pytest.fixture
def things() -> Things:
    return Things()


@pytest.fixture
def run(
    things: Things, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            if self.path == "/api/things":
                return self.tell([{"id": one, **told} for one, told in things.kept.items()])
            self.answer(200, PAGE)

        def do_PATCH(self) -> None:
            sent = json.loads(self.body())
            things.kept[self.path.rpartition("/")[2]].update({"title": sent["title"]} if things.loses else sent)
            self.tell({})

    with run_on(Handler, tmp_path, monkeypatch, capsys) as made:
        yield made


@pytest.mark.parametrize("loses", [False, True])
def test_a_link_that_leads_to_a_form_is_not_put_into_it(run: OneRun, things: Things, loses: bool) -> None:
    told = run.record(
        [
            call("navigate", url="/things"),
            call("click", selector="Low tide"),
            call("fill", selector="Place", value="Whitby harbour"),
            call("click", selector="Save"),
            call("navigate", url="/things"),
        ]
    )
    assert all(one.success for one in told), told
    assert [kind for kind, strength, _ in run.effects() if strength == "kept" and kind == "echo"] == ["echo"]
    things.kept, things.loses = Things().kept, loses
    replayed = run.replay()
    assert (replayed["verdict"] == "passed") is not loses, json.dumps(replayed["drift"])
    assert [one["unseen"] for one in replayed["writes"]] == [["Place"] if loses else []]
