"""An application that calls a view by an id of its own, in the query: it differs for each user, and is no page."""

from __future__ import annotations

import json
import sqlite3
import time
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from simulator.replay import outcome
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
    const draft = location.pathname === "/draft" && await ask("POST", "/api/surveys", {name: "New"});
    main.innerHTML = `<form id=form><label>Name <input name=name></label><button>Save</button></form>`;
    form.onsubmit = async (event) => { event.preventDefault();
      const sent = draft ? ["PATCH", `/api/surveys/${draft.id}`] : ["POST", "/api/surveys"];
      const made = await ask(...sent, {name: form.elements.name.value});
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


class Surveys:
    """Surveys and their views, each kind counted by itself."""

    def __init__(self, views: int = 0) -> None:
        self.names = ["Old"]
        self.views: dict[int, int] = {}
        self.told = views
        self.takes_s = 0.0
        """How long it takes to say what a survey is."""

    def told_of(self, number: int) -> dict[str, object]:
        return {"id": number, "name": self.names[number - 1], "owner": {"id": 2}}

    def handler(self) -> type[PageHandler]:
        site = self

        class Handler(PageHandler):
            def do_GET(self) -> None:
                number = urlsplit(self.path).path.rpartition("/")[2]
                if self.path.startswith("/api/"):
                    time.sleep(site.takes_s)
                    return self.tell({"name": site.names[int(number) - 1], "view": site.views.get(int(number))})
                if self.path.endswith("/settings"):
                    at = int(self.path.split("/")[2])
                    links = f"<a href=/surveys/{at}>Survey</a> <a href=/surveys/{at}/rights>Rights</a>"
                    field = f"<label>Name <input value='{site.names[at - 1]}'></label>"
                    return self.answer(200, f"<h1>Settings</h1>{links}{field}")
                return self.answer(200, PAGE)

            def do_PATCH(self) -> None:
                number = int(self.path.rpartition("/")[2])
                site.names[number - 1] = json.loads(self.body())["name"]
                self.tell(site.told_of(number))

            def do_POST(self) -> None:
                sent = json.loads(self.body())
                if self.path == "/api/surveys":
                    site.names.append(sent["name"])
                    return self.tell(site.told_of(len(site.names)))
                site.told += 1
                site.views[int(self.path.rpartition("=")[2])] = site.told
                return self.tell({"id": site.told})

        return Handler


MAKE = [call("navigate", url="/new"), call("fill_form", values={"name": "{{faker.catch_phrase.1}}"}, submit=True)]


def test_a_view_that_is_called_by_its_id_is_another_one_for_each_user(run: OneRun) -> None:
    site = Surveys()
    with served(site.handler()) as run.url:
        told = run.record([*MAKE, call("navigate", url="/surveys/2")])
        assert all(one.success for one in told), told
        code, out, err = run.sim("prove", "last", "--yes", "--db", "a.db")
        assert code == 0, out + err
        replayed = run.replay("--identity", "fresh", "--seed", "3")
    assert (replayed["verdict"], replayed["drift"]) == ("passed", None)
    assert len(set(site.names)) == 4


def test_the_page_of_the_thing_with_the_number_of_an_owner_is_not_that_of_what_was_made(run: OneRun) -> None:
    """Whoever owns all surveys is called 2, as the first new survey is: its settings say nothing of the second one."""
    site = Surveys()
    second = call("fill_form", values={"name": "{{faker.catch_phrase.2}}"}, submit=True)
    with served(site.handler()) as run.url:
        told = run.record([*MAKE, call("navigate", url="/draft"), second, call("navigate", url="/surveys/2/settings")])
        assert all(one.success for one in told), told
        code, out, err = run.sim("prove", "last", "--yes", "--db", "a.db")
    assert code == 0, out + err


def test_a_page_whose_address_waits_for_the_site_is_given_time(run: OneRun, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outcome, "_ROUTED_MS", 400.0)
    site = Surveys()
    with served(site.handler()) as run.url:
        told = run.record(MAKE, toolsets=["browser"])
        assert all(one.success for one in told), told
        settings = run.folder / "sim.toml"
        settings.write_text(settings.read_text().replace("[browser]", "[browser]\nsettle_ms = 200"))
        site.told, site.takes_s = 0, 2.0
        replayed = run.replay("--identity", "fresh", "--seed", "3")
    assert replayed["verdict"] == "passed", replayed["drift"]["found"]
    # Who goes on with a run that was cut off knows what the address told after it had been read.
    recorded, known = (
        {name for name in names_in(run.folder / of) if name.startswith("site.")} for of in ("a.db", "b.db")
    )
    assert recorded <= known


def names_in(recording: Path) -> set[str]:
    with sqlite3.connect(recording) as db:
        return {name for (name,) in db.execute("SELECT name FROM variable")}
