"""A page that waits for its data says nothing yet: a replay judges it once that has come, however long it takes."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.fakes.messages_api import Reply, call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what a script writes")

FORM = """<form><label>Name <input name=name></label><label>Price <input name=price></label>
<button type=button>Add</button></form><script>
const api = (path, body) => fetch(path, body && { method: "POST", headers: { "content-type": "application/json" }, body });
const [name, price] = document.querySelectorAll("input");
document.querySelector("button").onclick = async () => {
  const made = await (await api("/api/things", JSON.stringify({ name: name.value, price: price.value }))).json();
  location = "/things/" + made.id;
};
</script>"""  # noqa: E501
SHOWN = """<div id=app>Loading</div><script>
POLL
fetch("/api" + location.pathname).then((one) => one.json()).then((one) => {
  app.innerHTML = `<label>Name <input name=name value="${one.name}"></label><label>Price <input name=price value="${one.price}"></label>`;
});
</script>"""  # noqa: E501
POLL = 'fetch("/api/poll");'


@dataclass
class Store:
    """What a test may look into."""

    kept: dict[int, dict[str, str]] = field(default_factory=dict)
    takes_s: float = 0.0
    """How long the data of a thing takes."""
    lies: bool = False
    polls: bool = False


@pytest.fixture
def store() -> Store:
    return Store()


@pytest.fixture
def run(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            number = int("".join(filter(str.isdigit, self.path)) or 0)
            if self.path == "/api/poll":
                time.sleep(6)
                return self.tell({})
            if self.path.startswith("/api/"):
                time.sleep(store.takes_s)
                return self.tell(store.kept.get(number, {}))
            self.answer(200, SHOWN.replace("POLL", POLL if store.polls else "") if number else FORM)

        def do_POST(self) -> None:
            sent = json.loads(self.body())
            number = 48211 + 17 * len(store.kept)
            store.kept[number] = sent | {"name": "Other"} if store.lies else sent
            self.tell({"id": number})

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        yield run


ADDED: tuple[Reply, ...] = (
    call("navigate", url="/"),
    call("fill", selector="Name", value="Boat house"),
    call("fill", selector="Price", value="7205"),
    call("click", selector="Add"),
)


def test_what_is_not_answered_yet_is_waited_for(store: Store, run: OneRun) -> None:
    told = run.record(ADDED)
    assert all(one.success for one in told), told
    assert store.kept.popitem()[1] == {"name": "Boat house", "price": "7205"}
    store.takes_s = 2.5
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [[]]), replayed
    assert [*store.kept.values()] == [{"name": "Boat house", "price": "7205"}]

    store.kept.clear()
    store.lies = True
    replayed = run.replay()
    assert replayed["verdict"] == "postcondition", replayed


def test_what_a_page_holds_open_for_news_hides_no_lie(store: Store, run: OneRun) -> None:
    run.covers = f"navigation_ms = 3000\n{run.covers}"  # less than the page holds its request open
    told = run.record(ADDED)
    assert all(one.success for one in told), told
    store.kept.clear()
    store.polls = store.lies = True
    replayed = run.replay()
    assert replayed["verdict"] == "postcondition", replayed
