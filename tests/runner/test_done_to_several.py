"""Rows are ticked, an action is chosen for them and pressed: each of their rows has to say what became of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what a site keeps")

PUMPS = {"48002": "Alpha pump", "48019": "Beta pump", "48036": "Gamma pump", "48053": "Delta pump"}
FORM = """<h1>Pumps</h1><form method=post action=/bulk>
<label>Action <select name=action><option value="">---<option value=archive>Archive<option value=open>Reopen</select></label>
<button>Go</button><table>ROWS</table></form>"""  # noqa: E501


@dataclass
class Site:
    """A list of pumps."""

    lie: str = ""
    states: dict[str, str] = field(default_factory=lambda: dict.fromkeys(PUMPS, "open"))

    def keep(self, ticked: list[str]) -> None:
        """Archive what was ticked, or something else."""
        kept = {"one of them": ticked[:1], "none": [], "another one": ["48002", ticked[1]]}.get(self.lie, ticked)
        self.states = dict.fromkeys(PUMPS, "open") | dict.fromkeys(kept, "archived")


@pytest.fixture
def site() -> Site:
    return Site()


@pytest.fixture
def run(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            rows = "".join(
                f'<tr><td><input type=checkbox name=chosen value={key} aria-label="{name}"><td>{name}<td>{state}'
                for (key, name), state in zip(PUMPS.items(), site.states.values(), strict=True)
            )
            self.answer(200, FORM.replace("ROWS", rows))

        def do_POST(self) -> None:
            site.keep([value for name, value in parse_qsl(self.body().decode()) if name == "chosen"])
            self.answer(303, location="/")

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        yield run


def test_the_row_of_each_thing_has_to_say_what_was_done_to_several(site: Site, run: OneRun) -> None:
    run.record(
        [
            call("navigate", url="/"),
            call("check", selector="Beta pump"),
            call("check", selector="Delta pump"),
            call("select", selector="Action", label="Archive"),
            call("click", selector="Go"),
            call("navigate", url="/"),
        ]
    )
    done = {"48002": "open", "48019": "archived", "48036": "open", "48053": "archived"}
    assert site.states == done

    site.states = dict.fromkeys(PUMPS, "open")
    honest = run.replay()
    assert (honest["verdict"], [one["unseen"] for one in honest["writes"]]) == ("passed", [[]]), honest
    assert site.states == done

    for site.lie in ("one of them", "none", "another one"):
        site.states = dict.fromkeys(PUMPS, "open")
        lied = run.replay()
        assert site.states != done
        assert (lied["verdict"], "archived" in lied["drift"]["expected"]) == ("postcondition", True), site.lie
