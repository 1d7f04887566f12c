"""A list of which a page says no option is chosen: a browser shows its first one, whatever was kept."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun
from tests.small_run import SmallSite

pytestmark = pytest.mark.promise("what a form had filled")

SORTS = ("Uncategorized", "Garden", "House")
FORM = """<nav>Uncategorized Garden House</nav><h1>{heading}</h1><form method=post action="{action}">
<label>Title <input name=title value="{title}"></label><label>Category <select name=category>{options}</select></label>
<button>Keep</button></form>"""
PAGE = "<title>Topic</title><nav>Uncategorized Garden House</nav><h1>{title}</h1><a href=/topics/417/edit>Change</a>"
TOPICS = """
[data.topics]
rows = [{ title = "Rakes and spades", category = "Garden" }, { title = "Lamps and oil", category = "Garden" }]
"""
ASKED = [
    call("navigate", url="/topics/new"),
    call("fill", selector="Title", value="{{topic.1.title}}"),
    call("select_option", selector="Category", value="{{topic.1.category}}"),
    call("click", selector="Keep"),
    call("navigate", url="/topics/417/edit"),
    call("navigate", url="/topics/417"),
]


@pytest.fixture
def run(
    tmp_path: Path, small_site: SmallSite, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> OneRun:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    return OneRun(tmp_path, small_site.url, capsys, tasks="  - do: Try the page.\ndata: {topics: 1}")


def options(chosen: str) -> str:
    """Write the options; the first one is the default, and is not said to be chosen."""
    told = ((at, name, " selected" if name == chosen and at > 1 else "") for at, name in enumerate(SORTS, 1))
    return "".join(f"<option value={at}{said}>{name}</option>" for at, name, said in told)


def keeps(site: SmallSite, *, kept: str = "") -> None:
    """Let the site keep what it is sent, or another option of the list."""

    def keep(fields: Mapping[str, str]) -> str:
        title, sort = fields["title"], kept or SORTS[int(fields["category"]) - 1]
        site.pages["/topics/417"] = PAGE.format(title=title)
        site.pages["/topics/417/edit"] = FORM.format(
            heading="Change", action="/topics/417/edit", title=title, options=options(sort)
        )
        return "/topics/417"

    site.pages["/topics/new"] = FORM.format(heading="New", action="/topics", title="", options=options("House"))
    site.answers["/topics"] = keep


@pytest.mark.parametrize("kept", ["", "House"])
def test_the_default_option_of_another_user_is_not_told_and_another_one_is_red(
    run: OneRun, small_site: SmallSite, kept: str
) -> None:
    keeps(small_site)
    run.site = TOPICS
    run.record(ASKED)
    settings = run.folder / "sim.toml"
    settings.write_text(settings.read_text("utf-8").replace('"Garden"', '"Uncategorized"'), "utf-8")
    keeps(small_site, kept=kept)
    again = run.replay("--identity", "fresh", "--seed", "9")
    assert small_site.posts[-1][1]["category"] == "1"
    assert again["writes"][0]["unseen"] == ["Category"]
    assert again["verdict"] == ("postcondition" if kept else "passed"), again["drift"]


def test_the_same_option_is_red_where_nothing_says_any_more_that_it_is_chosen(
    run: OneRun, small_site: SmallSite
) -> None:
    keeps(small_site)
    run.site = TOPICS
    run.record(ASKED)
    keeps(small_site, kept="Uncategorized")
    assert run.replay()["verdict"] == "postcondition"
