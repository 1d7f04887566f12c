"""What a page asks of hosts that nobody may reach here fails each time, with whichever action that comes out."""

from __future__ import annotations

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

pytestmark = pytest.mark.promise("what is checked")

__all__ = ["run", "served_site", "small_site"]

PAGE = "<h1>Desk</h1><script>fetch('{}').catch(() => 0)</script>"


@pytest.mark.parametrize(
    ("asked", "verdict"),
    [("https://pictures.example.org/today", "passed"), ("{url}/broken", "site_error")],
)
def test_a_host_that_may_not_be_reached_is_no_failure_of_the_site(
    run: OneRun, small_site: SmallSite, asked: str, verdict: str
) -> None:
    small_site.pages["/desk"] = "<h1>Desk</h1>"
    run.record([call("navigate", url="/desk")])
    # The site's server breaks off where it has no answer to what is posted.
    broken = PAGE.replace("fetch('{}')", "fetch('{}', {{method: 'POST'}})") if verdict == "site_error" else PAGE
    small_site.pages["/desk"] = broken.format(asked.format(url=small_site.url))
    assert run.replay()["verdict"] == verdict
