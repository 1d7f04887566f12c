"""A page writes over what is put into its form, at the very moment at which the user goes on; it is put in again."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

__all__ = ["run", "served_site", "small_site"]
pytestmark = pytest.mark.promise("what fields are given")

NAME, PLACE, OLD = "Town and harbour of Bartlett", "Behind the mill", "Town of Bartlett"
FORM = """<form method=post action=/towns/48213><label>Name <input name=name value="Town of Bartlett"></label>
<label>Place <input name=place></label><button>Save</button></form>"""
# It draws what it knew before in the task that follows on what the user does: no clock tells that from an answer to it.
DRAWS = f"""<script>const drawing = new MessageChannel(), form = document.forms[0]; let drawn = 0;
drawing.port1.onmessage = () => {{ form.elements.name.value = "{OLD}" }};
form.addEventListener("%s", () => {{ if (++drawn <= %s) drawing.port2.postMessage(0) }}, true)</script>"""


@pytest.mark.parametrize(("event", "times", "passes"), [("focus", 2, True), ("input", 1, True), ("input", 99, False)])
def test_what_the_page_kept_when_it_was_recorded_is_put_in_again(
    run: OneRun, small_site: SmallSite, event: str, times: int, passes: bool
) -> None:
    def keep(fields: Mapping[str, str]) -> str:
        small_site.pages["/towns/48213"] = f"<h1>{fields['name']}</h1><p>{fields['place']}</p>"
        return "/towns/48213"

    small_site.pages["/towns/48213/edit"] = FORM
    small_site.answers["/towns/48213"] = keep
    told = run.record(
        [
            call("navigate", url="/towns/48213/edit"),
            call("fill", selector="Name", value=NAME),
            call("fill", selector="Place", value=PLACE),
            call("click", selector="Save"),
        ]
    )
    assert all(one.success for one in told), told
    small_site.pages["/towns/48213/edit"] = FORM + DRAWS % (event, times)
    replayed = run.replay()
    if passes:
        assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [[]]), replayed
        assert small_site.posts[-1][1] == {"name": NAME, "place": PLACE}
    else:
        assert (replayed["verdict"], len(small_site.posts)) == ("postcondition", 1), replayed
        assert (
            replayed["drift"]["found"]
            == f"an error: could not fill textbox 'Name': the page has written '{OLD}' over it"
        )
