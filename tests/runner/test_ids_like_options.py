"""The site may call what was made as an option is sent that the user chose: it is new all the same."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

pytestmark = pytest.mark.promise("new things")

__all__ = ["run", "served_site", "small_site"]

FORM = """<form method=post action=/new><label>Title <input name=title></label>
<label>Kind <select name=kind><option value=1>Tool<option value=2>Garden toy<option value=3>Book</select></label>
{hidden}<button>Save</button></form>"""


@pytest.mark.parametrize(("called", "hidden", "new"), [("3", "", True), ("2", "", True), ("2", "2", False)])
def test_what_is_called_as_a_chosen_option_is_new(
    called: str, hidden: str, new: bool, run: OneRun, small_site: SmallSite
) -> None:
    """What the form itself has sent was there before."""
    small_site.pages["/new"] = FORM.format(hidden=f"<input type=hidden name=of value={hidden}>" * bool(hidden))
    small_site.pages["/start"] = "<h1>Start</h1>"

    def keep(fields: Mapping[str, str]) -> str:
        small_site.pages[f"/things/{called}"] = (
            f"<h1>{fields['title']}</h1><p>Garden toy<a href=/things/{called}>It</a>"
        )
        return f"/things/{called}"

    small_site.answers["/new"] = keep
    told = run.record(
        [
            call("navigate", url="/new"),
            call("fill", selector="Title", value="The spade behind the mill"),
            call("select", selector="Kind", value="Garden toy"),
            call("click", selector="Save"),
            call("navigate", url="/start"),
            call("navigate", url=f"/things/{called}"),
        ]
    )
    assert all(one.success for one in told), [one.text[:200] for one in told if not one.success]
    assert ("appearance" in [kind for kind, *_ in run.effects()]) is new, run.effects()
