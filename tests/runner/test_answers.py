"""An answer that gives back something else than was put in says what the site has taken."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

__all__ = ["run", "served_site", "small_site"]
pytestmark = pytest.mark.promise("where what was sent is seen")

FORM = """<form method=post action=/basket><label>Copies <input name=copies value={copies}></label>
<button>Update</button></form>"""
BASKET = """<main>{form}</main><script>
document.querySelector("main").onsubmit = async (event) => {{
  event.preventDefault();
  const answer = await fetch("/basket", {{ method: "POST", body: new URLSearchParams(new FormData(event.target)) }});
  document.querySelector("main").innerHTML = await answer.text();
}};</script>"""


def test_what_an_answer_shows_in_the_field_is_what_was_put_in(run: OneRun, small_site: SmallSite) -> None:
    """The basket is empty before anybody looks at it again."""
    kept: dict[str, str] = {}

    def take(fields: Mapping[str, str]) -> tuple[int, str]:
        return 200, FORM.format(copies=kept.get("copies", fields["copies"]))

    small_site.pages["/basket"] = BASKET.format(form=FORM.format(copies=1))
    small_site.answers["/basket"] = take
    told = run.record(
        [
            call("navigate", url="/basket"),
            call("fill", selector="Copies", value="2"),
            call("click", selector="Update"),
            call("navigate", url="/thanks"),
        ]
    )
    assert all(one.success for one in told), told
    replayed = run.replay()
    assert (replayed["verdict"], replayed["writes"][0]["unseen"]) == ("passed", ["Copies"]), replayed
    kept["copies"] = "1"
    replayed = run.replay()
    assert (replayed["verdict"], replayed["writes"][0]["unseen"]) == ("postcondition", ["Copies"]), replayed
    assert replayed["drift"]["found"] == "'1' instead"
