"""What a script sends as a form with a file of its own, and the view of that by an id in a route's query."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from simulator.browser.effects.addresses import generated_in, is_of
from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what a script writes")

PAGE = """<div id=app></div><script>
const api = (method, path, body) => fetch("/api/things" + path, { method, body });
const form = (one) => `<label>Name <input name=name value="${one.name}"></label>
  <label>Due <input name=due type=datetime-local value="${one.due}"></label><button>Save</button>`;
const draw = async () => {
  const id = new URLSearchParams(location.hash.split("?")[1]).get("id");
  const one = id ? await (await api("GET", "/" + id)).json() : { name: "", due: "" };
  const all = id ? [] : (await (await api("GET", "")).json()).map(({ id, name }) => `<li><a href="#/things?kind=repair&id=${id}">${name}</a></li>`);
  app.innerHTML = `<ul>${all.join("")}</ul><div>${form(one)}</div>`;
  app.querySelector("button").onclick = async () => {
    const [name, due] = [...app.querySelectorAll("input")].map((it) => it.value);
    const body = new FormData();
    body.append("name", name);
    body.append("due", due.replace("T", " ") + ":00.000Z");
    body.append("photo", new File(["none"], "none.txt"));
    await api("POST", "", body);
    location.hash === "#/things" ? draw() : location.hash = "#/things";
  };
};
onhashchange = draw; draw();
</script>"""  # noqa: E501
IDS = ["wx3aecg3hiysade"]
LIES = ({}, {"due": "6202-12-24 09:30:00.000Z"}, {"due": ""}, {"due": "2026-12-25 09:30:00.000Z"})


@dataclass
class Things:
    """What the site keeps, and how it lies."""

    ids: Iterator[str]
    kept: dict[str, dict[str, str]] = field(default_factory=dict)
    lying: dict[str, str] = field(default_factory=dict)


@pytest.fixture
def things() -> Things:
    return Things(iter(IDS * 2))


@pytest.fixture
def run(
    things: Things, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            if not self.path.startswith("/api/"):
                return self.answer(200, PAGE if self.path == "/app" else "<h1>Home</h1>")
            told = {number: {"id": number, **one} for number, one in things.kept.items()}
            number = re.search(r"things/(\w+)", self.path)
            if number is None:
                return self.tell([*told.values()])
            one = told[number[1]]
            self.tell({**one, "due": one["due"][:16].replace(" ", "T")})

        def do_POST(self) -> None:
            number = next(things.ids)
            parts = dict(re.findall(r'name="(\w+)"\r\n\r\n(.*?)\r\n--', self.body().decode(), re.DOTALL))
            things.kept[number] = {**parts, **things.lying}
            self.tell({"id": number, **things.kept[number]})

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        yield run


@pytest.mark.parametrize("lie", LIES, ids=str)
def test_the_view_of_a_thing_has_to_show_what_was_kept(things: Things, run: OneRun, lie: dict[str, str]) -> None:
    told = run.record(
        [
            call("navigate", url="/app#/things"),
            call("fill", selector="Name", value="Leaking roof"),
            call("fill", selector="Due", value="2026-12-24T09:30"),
            call("click", selector="Save"),
            call("navigate", url="/"),
            call("navigate", url="/app#/things"),
            call("click", selector="Leaking roof"),
        ]
    )
    assert all(one.success for one in told), told
    kept = [*things.kept.values()]
    things.kept.clear()
    things.lying = lie
    replayed = run.replay()
    assert replayed["verdict"] == ("postcondition" if lie else "passed"), replayed
    assert ([*things.kept.values()] == kept) is not bool(lie)
    if not lie:
        assert [one["unseen"] for one in replayed["writes"]] == [[]], replayed


def test_an_id_in_the_query_of_a_route_is_one_of_the_address() -> None:
    address = "http://site/app?page=2#/things?kind=repair&id=48213"
    assert is_of(address, ["48213"])
    assert generated_in(address) == {"2", "48213"}
    assert not is_of("http://site/app#see?id=48213", ["48213"])
