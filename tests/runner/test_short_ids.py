"""A short id is that of several kinds of things: only data from where a thing was written tells what was kept of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from simulator.browser.effects.sent.objects import Kind, Written, ids_of_its_own, objects
from tests.fakes.messages_api import call
from tests.fakes.server import served
from tests.runner.one_run import OneRun
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what sites call things")

TITLE = "Oil the hinges of the gate"
PAGE = """<h1 id=shown>Task</h1><form id=form><label>Title <input name=title></label><button>Save</button></form>
<a href=/>All tasks</a><script>
fetch("/api/tasks/7").then((it) => it.json()).then((one) => {
  shown.textContent = one.title; form.title.value = one.title;
  form.onsubmit = async (event) => { event.preventDefault();
    const now = {...one, title: form.title.value};
    await fetch("/api/tasks/7", {method: "PUT", body: JSON.stringify(now)}); shown.textContent = now.title; }; });
</script>"""
LIST = """<h1>Tasks</h1><p id=all></p><p id=who></p><a href=/tasks/7>Task</a><script>
const get = (path) => fetch(path).then((it) => it.json());
get("/api/tasks").then((all) => {
  document.getElementById("all").textContent = all.map((one) => one.title).join(", ");
  get("/api/users/7").then((one) => { who.textContent = one.mail; }); });
</script>"""


@dataclass
class Site:
    """Task 7, and the user whose id is 7 as well."""

    url: str = ""
    task: dict[str, Any] = field(default_factory=dict)
    lying: dict[str, Any] = field(default_factory=dict)

    def fill(self, **lying: Any) -> None:
        self.task = {"id": 7, "title": "A gate", "place": "North wall of the orchard", "state": "open", "rank": 3}
        self.lying = lying


USER = {"id": 7, "place": "North wall of the orchard", "state": "open", "rank": 3, "mail": "ada@example.org"}


@pytest.fixture
def site() -> Iterator[Site]:
    made = Site()
    made.fill()

    class Handler(PageHandler):
        def do_GET(self) -> None:
            data = {"/api/tasks": [made.task], "/api/tasks/7": made.task, "/api/users/7": USER}
            if self.path in data:
                return self.tell(data[self.path])
            return self.answer(200, PAGE if self.path == "/tasks/7" else LIST)

        def do_PUT(self) -> None:
            made.task = json.loads(self.body()) | made.lying
            self.tell({"ok": True})

    with served(Handler) as url:
        made.url = url
        yield made


@pytest.fixture
def run(tmp_path: Path, site: Site, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> OneRun:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    return OneRun(tmp_path, site.url, capsys)


def test_a_user_is_not_taken_for_the_task_of_the_same_number(run: OneRun, site: Site) -> None:
    run.record(
        [
            call("navigate", url="/tasks/7"),
            call("fill", selector="Title", value=TITLE),
            call("click", selector="Save"),
            call("navigate", url="/"),
        ]
    )
    site.fill()
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [[]]), replayed
    # No page shows it, the data of the task has it, and what the user has is as it was sent.
    for name, text in (("place", "Harbour Row 12"), ("state", "away"), ("rank", 4)):
        site.fill(**{name: text})
        replayed = run.replay()
        assert replayed["verdict"] == "postcondition", (name, replayed)
        assert f"{name} '{text}'" in str(replayed["drift"]), (name, replayed)


@pytest.mark.parametrize(
    ("written", "fetched", "is_same"),
    [
        ("/api/tasks/7", "/api/tasks/7", True),
        ("/api/tasks/7", "/api/tasks?page=2", True),
        ("/api/tasks/7/close", "/api/tasks/7", True),
        ("/api/tasks", "/api/tasks/7/details", True),
        ("/api/tasks/7", "/api/users/7", False),
        ("/api/tasks/7", "/api/tasksets/7", False),
        ("/7", "/users/7", False),
        ("/7", "/7", True),
        ("/new?about=%2Fpier", "/?about=/pier&order=oldest", True),
        ("/new?about=%2Fpier", "/?about=/mole&order=oldest", False),
        ("/new", "/", False),
    ],
)
def test_a_short_id_counts_at_the_address_of_the_write(written: str, fetched: str, is_same: bool) -> None:
    (named,) = objects({"id": 7, "title": TITLE})
    assert Written(frozenset({"7"}), written).is_(named, fetched) is is_same


def test_a_long_id_counts_wherever_it_is_fetched() -> None:
    (named,) = objects({"id": "0b9c7d52", "title": TITLE})
    assert Written(frozenset({"0b9c7d52"}), "/api/tasks").is_(named, "/search")
    assert not Written(frozenset({"0b9c7d53"}), "/api/tasks").is_(named, "/api/tasks")


def test_graphql_has_one_address_for_all_so_the_kind_is_the_same() -> None:
    task, user = Kind("Task", "updateTask"), Kind("", "task")
    answered = {"data": {"viewer": {"id": 7, "__typename": "User"}, "task": {"id": 7}}}
    by_type, by_name = (Written(frozenset({"7"}), "/graphql", [one]) for one in (task, user))
    told = {one.kind.called: one for one in objects(answered)}
    assert not by_type.is_(told["viewer"], "/graphql")
    assert not by_name.is_(told["viewer"], "/graphql")
    assert by_name.is_(told["task"], "/graphql?query=task")
    assert not by_name.is_(told["task"], "/graphql/v2")
    (typed,) = objects({"data": {"item": {"id": 7, "__typename": "Task"}}})
    assert by_type.is_(typed, "/graphql")


@pytest.mark.parametrize(
    ("url", "answered", "own"),
    [
        ("/projects/1/labels/3", (), {"3"}),
        ("/projects/1/labels/1", (), {"1"}),
        ("/projects/1/labels", ("3",), {"3"}),
        ("/tasks/7/close", (), {"7"}),
        ("/tasks/7/close", ("7", "99"), {"7", "99"}),
        ("/tasks", ("7",), {"7"}),
    ],
)
def test_what_a_thing_is_a_part_of_has_other_ids(url: str, answered: tuple[str, ...], own: set[str]) -> None:
    ids = {*answered, *(one for one in url.split("/") if one.isdigit())}
    assert ids_of_its_own(ids, answered, url) == own
