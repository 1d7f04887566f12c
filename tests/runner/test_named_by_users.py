"""Things that a site calls by what their users typed, quoted in the address of each request."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

pytestmark = pytest.mark.promise("what sites call things")

__all__ = ["run", "served_site", "small_site"]

PAGE = """<h1>New</h1><label>Title <input id=title></label><button id=keep>Keep</button><p id=said></p><script>
keep.onclick = async () => { await fetch("/notes/" + encodeURIComponent(title.value), {method: "POST",
  body: new URLSearchParams({title: title.value})}); said.textContent = "Kept"; };</script>"""


class Taking(dict[str, Callable[[Mapping[str, str]], str | tuple[int, str]]]):
    """Takes what is sent to any address."""

    def __missing__(self, path: str) -> Callable[[Mapping[str, str]], tuple[int, str]]:
        return lambda fields: (204, "")


def test_another_user_sends_to_an_address_with_that_users_words(
    run: OneRun, small_site: SmallSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(small_site, "answers", Taking())
    small_site.pages["/new"] = PAGE
    title = "Walk through {{identity.city}} with {{identity.first_name}}"
    told = run.record(
        [
            call("navigate", url="/new"),
            call("fill", selector="Title", value=title),
            call("click", selector="Keep"),
        ]
    )
    assert all(one.success for one in told), told
    for more in ((), ("--identity", "fresh", "--seed", "11"), ("--identity", "fresh", "--seed", "12")):
        replayed = run.replay(*more)
        assert replayed["verdict"] == "passed", (more, replayed)
    assert len({path for path, _ in small_site.posts}) == 3, small_site.posts
