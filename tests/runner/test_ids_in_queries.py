"""An application that calls a view by an id of its own, in the query: it differs for each user, and is no page."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.fakes.messages_api import call
from tests.fakes.server import served
from tests.runner.one_run import OneRun
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what sites call things")

PAGE = """<!doctype html><title>Surveys</title><main id=main></main><script>
const ask = async (method, at, it) => (await fetch(at, {method, body: it && JSON.stringify(it),
  headers: {"Content-Type": "application/json"}})).json();
async function draw() {
  const number = (location.pathname.match(/^.surveys.(\\d+)/) || [])[1];
  if (!number) {
    main.innerHTML = `<form id=form><label>Name <input name=name></label><button>Save</button></form>`;
    form.onsubmit = async (event) => { event.preventDefault();
      const made = await ask("POST", "/api/surveys", {name: form.name.value});
      history.pushState({}, "", `/surveys/${made.id}`); draw(); };
    return;
  }
  const it = await ask("GET", `/api/surveys/${number}`);
  main.innerHTML = `<h1></h1><p>Nothing yet</p>`;
  main.querySelector("h1").textContent = it.name;
  const asked = new URLSearchParams(location.search).get("tab");
  const view = asked || it.view || (await ask("POST", `/api/views?survey=${number}`, {kind: "table"})).id;
  history.replaceState({}, "", `/surveys/${number}?tab=${view}`);
}
draw();</script>"""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> OneRun:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    return OneRun(tmp_path, "", capsys)


def test_a_view_that_is_called_by_its_id_is_another_one_for_each_user(run: OneRun) -> None:
    names: list[str] = ["Old"]
    views: dict[int, int] = {}

    class Handler(PageHandler):
        def do_GET(self) -> None:
            number = urlsplit(self.path).path.rpartition("/")[2]
            if self.path.startswith("/api/"):
                return self.tell({"name": names[int(number) - 1], "view": views.get(int(number))})
            return self.answer(200, PAGE)

        def do_POST(self) -> None:
            sent = json.loads(self.body())
            if self.path == "/api/surveys":
                names.append(sent["name"])
                return self.tell({"id": len(names), "name": sent["name"]})
            number = int(self.path.rpartition("=")[2])
            views[number] = len(views) + 1
            return self.tell({"id": views[number], "survey": number})

    with served(Handler) as run.url:
        told = run.record(
            [
                call("navigate", url="/new"),
                call("fill_form", values={"name": "{{faker.catch_phrase.1}}"}, submit=True),
                call("navigate", url="/surveys/2"),
            ]
        )
        assert all(one.success for one in told), told
        code, out, err = run.sim("prove", "last", "--yes", "--db", "a.db")
        assert code == 0, out + err
        replayed = run.replay("--identity", "fresh", "--seed", "3")
    assert (replayed["verdict"], replayed["drift"]) == ("passed", None)
    assert len(set(names)) == 4
