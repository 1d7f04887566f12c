"""A form whose page still fetches what it holds: nothing is put in or pressed before that has come."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from tests.fakes.messages_api import Reply, call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what fields are given")

FORM = """<h1>Talk</h1><form method=post action=/talks/48213><label>Title <input name=title value="{title}"></label>
<ul></ul><button>Save</button></form><script>
POLL
fetch("/api/tags").then((one) => one.json()).then((tags) => {{
  document.querySelector("ul").innerHTML = tags.map((tag) => `<li>${{tag}}<input type=hidden name=tag value="${{tag}}">`).join("");
}});
</script>"""  # noqa: E501


@dataclass
class Talk:
    """What a test may look into, how long its tags take, and whether its page holds a request open."""

    title: str = "Knots"
    tags: list[str] = field(default_factory=lambda: ["advanced", "sailors"])
    takes_s: float = 0.0
    polls: bool = False
    told: list[str] = field(default_factory=list)
    """What came first: what was sent, or the end of what was held open."""
    sent: threading.Event = field(default_factory=threading.Event)


@pytest.fixture
def talk() -> Talk:
    return Talk()


@pytest.fixture
def run(
    talk: Talk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            if self.path == "/api/tags":
                time.sleep(talk.takes_s)
                return self.tell(talk.tags)
            if self.path == "/api/poll":
                if not talk.sent.wait(20):
                    talk.told.append("news")
                return self.tell({})
            if self.path.startswith("/talks/48213/edit"):
                poll = 'fetch("/api/poll");' if talk.polls else ""
                return self.answer(200, FORM.format(title=talk.title).replace("POLL", poll))
            tags = "".join(f"<li>{tag}" for tag in talk.tags)
            self.answer(200, f"<h1>{talk.title}</h1><ul>{tags}</ul><a href=/talks/48213/edit>Edit</a>")

        def do_POST(self) -> None:
            sent = parse_qs(self.body().decode())
            talk.told.append("sent")
            talk.sent.set()
            talk.title, talk.tags = sent["title"][0], sent.get("tag", [])
            self.answer(303, location="/talks/48213")

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        yield run


FILLED: tuple[Reply, ...] = (
    call("navigate", url="/talks/48213/edit"),
    call("fill", selector="Title", value="Bends"),
    call("click", selector="Save"),
)
PRESSED: tuple[Reply, ...] = (
    call("navigate", url="/talks/48213"),
    call("click", selector="Edit"),
    call("click", selector="Save"),
)


@pytest.mark.parametrize("ways", [FILLED, PRESSED], ids=["filled in", "pressed"])
@pytest.mark.parametrize("recorded_s", [0.0, 3.5], ids=["at once", "late"])
def test_what_a_form_still_fetches_is_waited_for(
    talk: Talk, run: OneRun, ways: Sequence[Reply], recorded_s: float
) -> None:
    talk.takes_s = recorded_s
    told = run.record(ways)
    assert all(one.success for one in told), told
    assert talk.tags == ["advanced", "sailors"]
    talk.takes_s = 3.5
    talk.title = "Knots"
    replayed = run.replay()
    assert (replayed["verdict"], talk.tags) == ("passed", ["advanced", "sailors"]), replayed


def test_what_a_page_holds_open_for_news_keeps_nobody_from_sending(talk: Talk, run: OneRun) -> None:
    run.covers = f"settle_ms = 2000\n{run.covers}"  # less than the page holds its request open
    talk.polls = True
    told = run.record(FILLED)
    assert all(one.success for one in told), told
    assert talk.told == ["sent"]
