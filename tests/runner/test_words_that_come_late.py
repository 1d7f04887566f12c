"""What two performances agreed that a page says is waited for: a busy machine has a script say it late."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite

pytestmark = pytest.mark.promise("the rule of evidence in whole runs")

__all__ = ["run"]

SAYS = """<h1>Boats</h1><p role=status></p><script>setTimeout(() => {{
  document.title = "{title}";
  document.querySelector("[role=status]").textContent = "All boats are in";
}}, {late});</script>"""


@dataclass
class Harbour:
    """Has a page whose script says what it is."""

    site: SmallSite

    def says(self, title: str, late_ms: int) -> None:
        self.site.pages["/boats"] = SAYS.format(title=title, late=late_ms)


@pytest.fixture
def harbour(small_site: SmallSite, run: OneRun) -> Harbour:
    harbour = Harbour(small_site)
    harbour.says("Boats of the harbour", 0)
    told = run.record([call("navigate", url="/boats")])
    assert all(one.success for one in told), told
    code, out, said = run.sim("prove", "last", "--db", "a.db", "--yes", "--json")
    assert code == 0, out + said
    return harbour


@pytest.mark.parametrize(
    ("title", "late_ms", "verdict"),
    [
        ("Boats of the harbour", 1_800, "passed"),
        ("Boats of nobody", 1_800, "postcondition"),
        ("Boats of nobody", 0, "postcondition"),
    ],
)
def test_a_title_that_a_script_gives_late_is_waited_for(
    run: OneRun, harbour: Harbour, title: str, late_ms: int, verdict: str
) -> None:
    harbour.says(title, late_ms)
    replayed = run.replay("--identity", "fresh")
    assert replayed["verdict"] == verdict, replayed
