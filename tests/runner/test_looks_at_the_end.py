"""At the end of a run pages are looked at also where something was put in that nobody has sent."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what a script writes")
NEW = """<h1>New boat</h1><form method=post action=/boats><label>Name <input name=name></label><button>Keep</button>
</form><p><label>Search <input type=search></label></p>"""


@pytest.fixture
def boats() -> dict[str, str]:
    return {}


@pytest.fixture
def run(
    boats: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            self.answer(200, NEW if self.path == "/new" else f"<h1>Boats</h1><ul><li>{boats.get('name', '')}</li></ul>")

        def do_POST(self) -> None:
            [boats["name"]] = parse_qs(self.body().decode())["name"]
            self.answer(303, location="/new")

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        yield run


def test_what_was_typed_last_and_not_sent_keeps_nobody_from_looking(boats: dict[str, str], run: OneRun) -> None:
    run.record(
        [
            call("navigate", url="/boats"),
            call("navigate", url="/new"),
            call("fill", selector="Name", value="The lamp of the harbour"),
            call("click", selector="Keep"),
            call("fill", selector="Search", value="Another lamp"),
        ]
    )
    boats.clear()
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [[]]), replayed


def test_what_a_look_has_shown_is_waited_for_no_more(
    boats: dict[str, str], run: OneRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    run.record(
        [
            call("navigate", url="/boats"),
            call("navigate", url="/new"),
            call("fill", selector="Name", value="The lamp of the harbour"),
            call("click", selector="Keep"),
        ]
    )
    boats.clear()
    monkeypatch.setattr("simulator.replay.effects.seen_again.pauses", lambda waits_s: (3600.0,))
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [[]]), replayed
