"""An application that keeps its route behind a `#`, and writes it anew a moment after a step, or at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun
from tests.small_run import SmallSite

pytestmark = pytest.mark.promise("the rule of evidence in whole runs")

PAGE = """<h1>Club</h1><button id=parties>Parties</button><button id=new>New</button><p id=shows></p><script>
const to = (route) => { history.replaceState(null, "", "#/" + route); shows.textContent = route; };
parties.onclick = () => {
  shows.textContent = "Parties";
  if (DELAY) to("parties");
  setTimeout(() => to("parties;view=list"), DELAY);
};
document.getElementById("new").onclick = () => to(ELSEWHERE ? "login" : "parties/new");
</script>"""


def page(delay: int, elsewhere: str = "false") -> str:
    return PAGE.replace("DELAY", str(delay)).replace("ELSEWHERE", elsewhere)


def test_a_page_is_where_it_was_recorded_at_the_address_to_which_it_went_by_itself(
    tmp_path: Path, small_site: SmallSite, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    run = OneRun(tmp_path, small_site.url, capsys)
    small_site.pages["/"] = page(1500)
    run.record(
        [
            call("navigate", url="/"),
            call("click", selector="Parties"),
            call("wait", seconds=2),
            call("click", selector="New"),
        ]
    )
    came = [action.after.url for action in run.actions() if action.after is not None and action.kind == "click"]
    assert came == ["/#/parties", "/#/parties/new"]
    small_site.pages["/"] = page(0)
    assert run.replay()["verdict"] == "passed"
    small_site.pages["/"] = page(0, "true")
    assert run.replay()["verdict"] == "postcondition"
