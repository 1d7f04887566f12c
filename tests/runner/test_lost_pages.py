"""A user who has lost the page visits another one, however it was lost: the browser closed, or a tab closed itself."""

from __future__ import annotations

import pytest

from tests.fakes.messages_api import Reply, call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite

__all__ = ["run"]
pytestmark = pytest.mark.promise("a run that was cut off goes on", quick=2)

NOTE = (
    """<h1>Two</h1><form method=post action=/sent><label>Note <input name=note></label><button>Send</button></form>"""
)
START = "<h1>One</h1><script>document.cookie = 'kept=1'</script><button onclick='window.close()'>Close it</button>"
HELLO = ("/sent", {"note": "Hello"})
CLOSE = call("unified_browser", action="close_browser")


@pytest.fixture(autouse=True)
def pages(small_site: SmallSite) -> None:
    small_site.pages |= {"/": START, "/two": NOTE}


@pytest.mark.table
@pytest.mark.parametrize(
    ("lost", "again"),
    [
        (CLOSE, [call("unified_browser", action="open_browser"), call("navigate", url="/two")]),
        (CLOSE, [call("unified_browser", action="open_and_navigate", url="/two")]),
        pytest.param(CLOSE, [call("navigate", url="/two")], marks=pytest.mark.slow),
        pytest.param(CLOSE, [call("open_tab", url="/two")], marks=pytest.mark.slow),
        (call("click", selector="Close it"), [call("navigate", url="/two")]),
    ],
)
def test_what_was_lost_is_opened_again(run: OneRun, small_site: SmallSite, lost: Reply, again: list[Reply]) -> None:
    send = call("fill_form", values={"Note": "Hello"}, submit=True)
    told = run.record([call("navigate", url="/"), lost, *again, send], toolsets=["browser", "elements"])
    assert all(one.success for one in told[2:]), told
    assert small_site.posts == [HELLO]
    assert run.replay()["verdict"] == "passed"
    assert small_site.posts == [HELLO, HELLO]
