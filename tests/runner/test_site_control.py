"""What is said of a site that cannot be reset or does not answer: what to do."""

from __future__ import annotations

import pytest

from simulator.config import Site
from simulator.errors import SiteUnreachable, UsageError
from simulator.runner.site_control import SiteControl, running_site

NOWHERE = "http://127.0.0.1:1"


@pytest.mark.parametrize(
    ("bundled", "said"),
    [(True, "'sim demo reset' empties it, then go on without --reset"), (False, 'reset = { url = "/reset" }')],
)
async def test_a_site_that_cannot_be_reset_from_here_says_what_to_do(bundled: bool, said: str) -> None:
    site = Site(base_url=NOWHERE, bundled=bundled, disposable=True)
    with pytest.raises(UsageError, match="cannot be reset from here") as caught:
        await SiteControl(site).reset()
    assert said in str(caught.value)


async def test_a_site_that_is_down_says_what_to_do() -> None:
    with pytest.raises(SiteUnreachable, match=r"nothing answers at http://127\.0\.0\.1:1, .*; start it, or name"):
        async with running_site(Site(base_url=NOWHERE)):
            pass
