"""A field that a page fills from another one, a moment after that was put in, is sent as it was when recorded."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

pytestmark = pytest.mark.promise("what a form had filled")

__all__ = ["run", "served_site", "small_site"]

FORM = """<form method=post action=/new aria-label=Thing><label>Title <input name=title></label>
<input type=hidden name=slug><button>Save</button></form><script>
const { title, slug } = document.forms[0];
title.oninput = () => setTimeout(() => { slug.value = title.value.toLowerCase().replaceAll(" ", "-"); }, 400);
</script>"""


def test_what_a_page_fills_a_moment_later_is_sent(run: OneRun, small_site: SmallSite) -> None:
    small_site.pages |= {"/new": FORM, "/things/the-spade-behind-the-mill": "<h1>The spade behind the mill</h1>"}

    def keep(fields: Mapping[str, str]) -> str | tuple[int, str]:
        return f"/things/{fields['slug']}" if fields["slug"] else (200, f"<p role=alert>No address</p>{FORM}")

    small_site.answers["/new"] = keep
    told = run.record(
        [
            call("navigate", url="/new"),
            call("fill", selector="Title", value="The spade behind the mill"),
            call("click", selector="Save"),
        ]
    )
    assert all(one.success for one in told), told
    replayed = run.replay()
    assert replayed["verdict"] == "passed", replayed["drift"]
    assert [fields["slug"] for _, fields in small_site.posts] == ["the-spade-behind-the-mill"] * 2
