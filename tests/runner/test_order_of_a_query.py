"""An application that writes the query of its view in another order when it is loaded: that is the same address."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from simulator.browser.effects.met import bare
from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("where what was sent is seen")

PAGE = """<h1>Things</h1><label>Filter <input></label><ul></ul><script>
const input = document.querySelector("input"), list = document.querySelector("ul");
const asked = () => new URLSearchParams(location.hash.split("?")[1]);
const draw = async () => {
  const wanted = asked().get("filter") || "", all = await (await fetch("/api/things")).json();
  list.innerHTML = all.filter(({ title }) => title.includes(wanted)).map(({ title, state }) =>
    `<li><b>${title}</b> <i>${state}</i> <button>Remove</button>`).join("");
  for (const button of document.querySelectorAll("button")) button.onclick = async () => {
    const title = button.parentElement.querySelector("b").textContent;
    await fetch(`/api/things/${all.find((one) => one.title === title).id}`, { method: "DELETE" });
    draw();
  };
};
const write = (query) => history.replaceState({}, "", `#/things?${query}`);
input.onchange = () => { write(`kind=all&filter=${input.value}`); draw(); };
if (asked().get("filter")) write(`filter=${asked().get("filter")}&kind=all`);
draw();
</script>"""
THINGS = {"wx3aecg3hiysade": "Cracked pane", "k2lqmzpwhbtnrus": "Loose gutter", "pfzqvmwxkhdtbra": "Stuck door"}


@dataclass
class Things:
    """What the site keeps, and whether it swallows what is deleted."""

    kept: dict[str, str] = field(default_factory=lambda: dict(THINGS))
    swallows: bool = False


@pytest.fixture
def things() -> Things:
    return Things()


@pytest.fixture
def run(
    things: Things, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            if self.path == "/":
                return self.answer(200, PAGE)
            told = [{"id": one, "title": title, "state": "open"} for one, title in things.kept.items()]
            self.tell(told)

        def do_DELETE(self) -> None:
            if not things.swallows:
                things.kept.pop(self.path.rpartition("/")[2])
            self.tell({})

    with run_on(Handler, tmp_path, monkeypatch, capsys) as made:
        yield made


@pytest.mark.parametrize("swallows", [False, True])
def test_what_is_removed_from_a_filtered_view_is_looked_for_there(run: OneRun, things: Things, swallows: bool) -> None:
    told = run.record(
        [
            call("navigate", url="/#/things?kind=all"),
            call("fill", selector="Filter", value="Cracked"),
            call("press_key", key="Tab"),
            call("click", selector="Remove"),
            call("navigate", url="/#/things?kind=all"),
        ]
    )
    assert all(one.success for one in told), told
    assert ("disappearance", "kept", True) in run.effects()
    things.kept, things.swallows = dict(THINGS), swallows
    replayed = run.replay()
    assert (replayed["verdict"] == "passed") is not swallows, json.dumps(replayed["drift"])
    assert [bool(one["unseen"]) for one in replayed["writes"]] == [swallows]


def test_the_order_of_a_query_makes_no_other_address() -> None:
    for path in ("http://h/things", "http://h/#/things"):
        assert bare(f"{path}?kind=all&filter=a+b") == bare(f"{path}?filter=a%20b&kind=all")
        assert bare(f"{path}?id=2&id=1") != bare(f"{path}?id=1&id=2")
        assert bare(f"{path}?kind=all") != bare(path)
