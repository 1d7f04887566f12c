"""What a script has written is proven by data that a page asks for late, as one does on a busy machine."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what a script writes")

VIEW = """<h1>Boat</h1><div id=app></div><script>
setTimeout(async () => {
  const boat = await (await fetch("/api/boats/48213")).json();
  document.getElementById("app").innerHTML = `<p>${boat.name}</p><a href=/boats/48213/edit>Edit</a>`;
}, LATE);
</script>"""
EDIT = """<h1>Boat</h1><label>Note <textarea></textarea></label><button>Keep</button><script>
document.querySelector("button").onclick = async () => {
  const body = JSON.stringify({ note: document.querySelector("textarea").value, colour: "#1133aa" });
  await fetch("/api/boats/48213", { method: "PATCH", headers: { "content-type": "application/json" }, body });
  document.querySelector("h1").textContent = "Kept";
};
</script>"""


@dataclass
class Boats:
    """What a test may look into."""

    late_ms: int = 0
    """After how long a view asks for its data."""
    loses: bool = False
    kept: dict[str, Any] = field(default_factory=lambda: {"id": 48213, "name": "Heron", "note": "", "colour": ""})


@pytest.fixture
def boats() -> Boats:
    return Boats()


@pytest.fixture
def run(
    boats: Boats, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            if self.path.startswith("/api/"):
                return self.tell(boats.kept)
            views = {"/": "<h1>Harbour", "/boats/48213/edit": EDIT}
            self.answer(200, views.get(self.path, VIEW.replace("LATE", str(boats.late_ms))))

        def do_PATCH(self) -> None:
            boats.kept |= {} if boats.loses else json.loads(self.body())
            self.tell({})

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        run.effect_ms = 5_000
        boats.kept["note"] = ""
        told = run.record(
            [
                call("navigate", url="/boats/48213/edit"),
                call("fill", selector="Note", value="Leaks at the stern"),
                call("click", selector="Keep"),
                call("navigate", url="/boats/48213"),
                call("navigate", url="/"),
            ]
        )
        assert all(one.success for one in told), told
        assert boats.kept["note"] == "Leaks at the stern"
        boats.kept |= {"note": "", "colour": ""}
        yield run


def test_a_view_that_asks_for_its_data_late_proves_what_it_shows(boats: Boats, run: OneRun) -> None:
    boats.late_ms = 2_500
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [[]]), replayed


def test_what_late_data_shows_otherwise_is_red(boats: Boats, run: OneRun) -> None:
    boats.late_ms, boats.loses = 2_500, True
    replayed = run.replay()
    assert replayed["verdict"] == "postcondition", replayed
