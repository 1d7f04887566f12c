"""A script sends a thing back as it had come, with the time of its last change: that is of the site's clock."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.messages_api import call
from tests.fakes.server import served
from tests.runner.one_run import OneRun
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what a form had filled")

EDIT = """<h1>Thing</h1><label>Title <input id=title></label> <label>Room <input id=room></label> <button>Save</button>
<script>
let thing = {};
(async () => {
  thing = await (await fetch("/data/48213")).json();
  for (const name of ["title", "room"]) document.querySelector(`#${name}`).value = thing[name];
})();
document.querySelector("button").onclick = async () => {
  for (const name of ["title", "room"]) thing[name] = document.querySelector(`#${name}`).value;
  const headers = { "content-type": "application/json" };
  await fetch("/data/48213", { method: "POST", headers, body: JSON.stringify(thing) });
  location.href = "/things/48213";
};
</script>"""
PAGE = "<h1>Thing</h1><table><tr><th>Title<td>{title}<tr><th>Room<td>{room}<tr><th>Changed<td>{changed}</table>"


@dataclass
class Things:
    """What a test may look into, and what the site does."""

    minutes: int = 0
    """How long a change takes."""
    lies: dict[str, str] = field(default_factory=dict)
    kept: dict[str, Any] = field(default_factory=dict)

    def reset(self) -> None:
        self.kept = {
            "id": 48213,
            "title": "Boats",
            "room": "The shed by the lake",
            "changed": "2026-11-28T02:58:10.100Z",
        }

    def keep(self, sent: dict[str, Any]) -> None:
        """Keep what was sent, and when that was."""
        self.kept = {**sent, "changed": f"2026-11-28T02:{58 + self.minutes}:31.482Z"} | self.lies

    def page(self) -> str:
        """Write the page of the thing, with its time in minutes."""
        return PAGE.format(**{**self.kept, "changed": self.kept["changed"][:16].replace("T", " ")})


@pytest.fixture
def things() -> Things:
    return Things()


@pytest.fixture
def run(
    things: Things, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            if self.path == "/data/48213":
                return self.tell(things.kept)
            self.answer(200, EDIT if self.path.endswith("/edit") else things.page())

        def do_POST(self) -> None:
            things.keep(json.loads(self.body()))
            self.tell({"id": 48213})

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    with served(Handler) as url:
        yield OneRun(tmp_path, url, capsys)


def test_a_minute_may_go_by(things: Things, run: OneRun) -> None:
    things.reset()
    told = run.record(
        [
            call("navigate", url="/things/48213/edit"),
            call("fill", selector="Title", value="The boats of the old harbour"),
            call("click", selector="Save"),
            call("navigate", url="/things/48213"),
        ]
    )
    assert all(one.success for one in told), told
    things.minutes = 1
    things.reset()
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [[]]), replayed
    for lie in ({"room": "The loft above the mill"}, {"title": "The boats of the new harbour"}):
        things.lies = lie
        things.reset()
        assert run.replay()["verdict"] == "postcondition", lie
