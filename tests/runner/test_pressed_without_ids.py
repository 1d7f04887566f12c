"""Lists in which nothing says what the site calls a thing: its script knows, and names it in what a press sends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.fakes.messages_api import call
from tests.fakes.server import served
from tests.runner.one_run import OneRun
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what is pressed alone")

PAGE = """<h1>Tasks</h1><form><label>Title <input name=title></label><button>Add</button></form><ul></ul><script>
const tell = async (at, body) => (await fetch(at, { method: "POST", headers: { "content-type": "application/json" },
  body: JSON.stringify(body) })).json();
const star = ({ id }) => STAR;
const draw = async () => {
  const tasks = await (await fetch("/api/tasks")).json();
  document.querySelector("ul").replaceChildren(...tasks.map((task) => {
    const row = document.createElement("li");
    row.innerHTML = "<b></b> <button type=button>Star</button>";
    row.firstChild.textContent = task.title;
    row.lastChild.onclick = () => star(task);
    return row;
  }));
};
document.forms[0].onsubmit = async (event) => {
  event.preventDefault();
  await tell("/api/tasks", { title: event.target.elements.title.value });
  event.target.reset();
  draw();
};
draw();
</script>"""
WAYS = {
    "in an address": "tell(`/api/tasks/${id}/star`, {})",
    "in a body": 'tell("/api/star", { task: id })',
    "in a mutation": 'tell("/graphql", { operationName: "star", query: "mutation star { star }", variables: { id } })',
    "in a call": 'tell("/rpc", { jsonrpc: "2.0", id: 7, method: "tasks.star", params: { task: id } })',
}
COUNTS = 'tell("/api/count", { event: "press", session: "a81fc0d2b7e44f10" })'


CASES = [*((star, 2) for star in WAYS.values()), (WAYS["in an address"], 0), (COUNTS, 2)]


@pytest.mark.parametrize(("star", "others"), CASES, ids=[*WAYS, "of one that is alone", "what only counts"])
def test_a_press_that_names_what_the_site_gave_is_reported(
    star: str, others: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tasks: dict[int, str] = {}

    class Handler(PageHandler):
        def do_GET(self) -> None:
            if self.path == "/api/tasks":
                return self.tell([{"id": one, "title": title} for one, title in tasks.items()])
            self.answer(200, PAGE.replace("STAR", star))

        def do_POST(self) -> None:
            sent = json.loads(self.body())
            if self.path == "/api/tasks":
                tasks[41_003 + len(tasks)] = sent["title"]
                return self.tell({"id": max(tasks), "title": sent["title"]})
            self.tell({"jsonrpc": "2.0", "id": 7, "result": True} if self.path == "/rpc" else {"data": {"star": True}})

    def begin() -> None:
        tasks.clear()
        tasks.update([(41_001, "Mend the fence"), (41_002, "Paint the shed")][:others])

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    begin()
    with served(Handler) as url:
        run = OneRun(tmp_path, url, capsys)
        told = run.record(
            [
                call("navigate", url="/"),
                call("fill", selector="Title", value="Prune the pear tree"),
                call("click", selector="Add"),
                call("navigate", url="/"),
                call("click", selector="li:last-child button"),
                call("navigate", url="/"),
            ]
        )
        assert all(one.success for one in told), told
        begin()
        replayed = run.replay()
        unseen = [[]] if star == COUNTS else [[], ["button 'Star'"]]
        assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", unseen), replayed
