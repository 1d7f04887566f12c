"""Links that write, and that hold what guards the site: another token on each page."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("where what was sent is seen")

TITLES = {7: "Boats for hire", 8: "Tide tables", 9: "The ferry"}
SCRIPT = """<script>
const ids = () => [...document.querySelectorAll(".choice:checked")].map((at) => at.value).join("+");
document.querySelector(".all").onclick = (event) => {
  event.preventDefault();
  location = `/open?token=${document.body.dataset.guard}&id=${ids()}`;
};
</script>"""


@dataclass
class Things:
    """What the site holds, and what it does."""

    pinned: set[int] = field(default_factory=set)
    closed: set[int] = field(default_factory=lambda: set(TITLES))
    tags: dict[int, str] = field(default_factory=lambda: {at: f"tag {title}" for at, title in TITLES.items()})
    loses: bool = False
    """Whether it keeps nothing of what a link does."""
    redrawn: bool = False
    """Whether each page draws its links otherwise."""
    pages: Iterator[int] = field(default_factory=count)

    def reset(self) -> None:
        """Throw away what was done."""
        self.pinned, self.closed, self.tags[7] = set(), set(TITLES), "lugger"

    def page(self) -> str:
        """Write the list."""
        number = next(self.pages)
        guard = hashlib.sha1(str(number).encode(), usedforsecurity=False).hexdigest()
        look = f"look-{'abcdefghij'[number % 10]}" if self.redrawn else "look"
        items = [
            f"<div class=item data-id={at}><h2>{title}</h2>{'<b>Sticky</b>' * (at in self.pinned)}"
            f"{'<i>Closed</i>' * (at in self.closed)}<p>{self.tags[at]}</p>"
            f"<input type=checkbox class=choice value={at}>"
            f"<a href='/things/{at}/pin?token={guard}' class={look} title='Toggle sticky'>Toggle</a></div>"
            for at, title in TITLES.items()
        ]
        choose = "<a href='' class=all>Open chosen</a>"
        return f"<body data-guard={guard}><h1>Things</h1>{choose}<div>{''.join(items)}</div>{SCRIPT}"


@pytest.fixture
def things() -> Things:
    return Things()


@pytest.fixture
def run(
    things: Things, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            asked = urlsplit(self.path)
            if asked.path == "/":
                self.answer(200, things.page())
                return
            if asked.path == "/tag":
                form = "<form method=post action=/tag><label>Tag <input name=tag></label><button>Save</button></form>"
                self.answer(200, form)
                return
            if not things.loses and asked.path.endswith("/pin"):
                things.pinned.add(int(asked.path.split("/")[2]))
            elif not things.loses:
                things.closed -= {int(one) for one in parse_qs(asked.query)["id"]}
            self.answer(303, location="/")

        def do_POST(self) -> None:
            things.tags[7] = parse_qs(self.body().decode())["tag"][0]
            self.answer(303, location="/")

    things.reset()
    with run_on(Handler, tmp_path, monkeypatch, capsys) as made:
        yield made


def test_another_token_in_a_link_is_not_another_drawing_of_it(things: Things, run: OneRun) -> None:
    calls = [call("navigate", url="/"), call("click", selector="[data-id='7'] a"), call("navigate", url="/")]
    told = run.record(calls)
    assert all(one.success for one in told), told
    things.reset()
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [[]]), replayed
    things.reset()
    things.loses = True
    assert run.replay()["verdict"] == "postcondition"


def test_other_words_that_come_to_a_card_later_prove_no_press(things: Things, run: OneRun) -> None:
    things.redrawn = True
    told = run.record(
        [
            call("navigate", url="/"),
            call("click", selector="[data-id='7'] a"),
            call("navigate", url="/"),
            call("navigate", url="/tag"),
            call("fill", selector="Tag", value="dinghy"),
            call("click", selector="Save"),
            call("navigate", url="/"),
        ]
    )
    assert all(one.success for one in told), told
    things.reset()
    replayed = run.replay()
    assert (replayed["verdict"], replayed["writes"][0]["unseen"]) == ("passed", []), replayed
    things.reset()
    things.loses = True
    assert run.replay()["writes"][0]["unseen"], "called proven by another word"


def test_a_link_for_what_is_ticked_is_told_where_nothing_was_seen_of_it(things: Things, run: OneRun) -> None:
    told = run.record(
        [
            call("navigate", url="/"),
            call("check", selector="[data-id='8'] .choice"),
            call("click", selector="Open chosen"),
            call("navigate", url="/"),
        ]
    )
    assert all(one.success for one in told), told
    assert things.closed == {7, 9}
    things.reset()
    things.loses = True
    replayed = run.replay()
    assert [one["unseen"] for one in replayed["writes"]] == [["link 'Open chosen'"]], replayed
