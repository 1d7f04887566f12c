"""What was pressed stands as before, and the page of its thing says in words what became of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what becomes of a press")

WORDS = ("amber", "birch", "cedar", "damson", "elder", "fern", "gorse", "hazel", "ivy", "juniper", "kelp", "laurel")
ROWS = {
    "a list of terms": ("<dl>{}</dl>", "<dt>{}</dt><dd>{}</dd>", "{}"),
    "a table": ("<table>{}</table>", "<tr><th>{}</th><td>{}</td></tr>", "<li>{}</li>"),
    "elements of its own": ("{}", "<own-row><i>{}</i> <b>{}</b></own-row>", "<own-button>{}</own-button>"),
}
BUTTONS = ("lend", "Lend out"), ("sell", "Sell"), ("brush", "Brush")


@dataclass
class Site:
    """Two ponies, and what the site makes of a press."""

    drawn: str = "a table"
    kept: str = "lent out"
    """What it keeps where it is to lend one."""
    others: bool = False
    """Whether each page says another word each time that it is shown, and the site keeps nothing."""
    instead: str = ""
    """What a page says instead of how its pony stands, once one was lent out."""
    stands: dict[str, str] = field(default_factory=dict)

    def reset(self) -> None:
        self.stands = dict.fromkeys(("48213", "48230"), "stabled")

    def page(self, number: str, word: str) -> str:
        whole, row, case = ROWS[self.drawn]
        stands = "" if self.instead else self.stands[number]
        rows = {"Breed": "Connemara", "Coat": "grey", "Stands": stands}
        told = whole.format("".join(row.format(*one) for one in rows.items()))
        buttons = "".join(case.format(f"<button name=do value={do}>{called}</button>") for do, called in BUTTONS)
        instead = self.instead if "lent out" in self.stands.values() else ""
        return f"<h1>Pony</h1>{told}<p>{word}</p><form method=post>{buttons}</form>{instead}<a href=/>Home</a>"


@pytest.fixture
def site() -> Site:
    made = Site()
    made.reset()
    return made


@pytest.fixture
def run(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    shown = count()

    class Handler(PageHandler):
        def do_GET(self) -> None:
            if self.path == "/":
                return self.answer(200, "<h1>Ponies</h1><a href=/ponies/48213>Old Nelly</a>")
            word = WORDS[next(shown) % len(WORDS)] if site.others else ""
            return self.answer(200, site.page(self.path.rpartition("/")[2], word))

        def do_POST(self) -> None:
            number = self.path.rpartition("/")[2]
            if b"do=lend" in self.body() and not site.others:
                site.stands[number] = site.kept
            self.answer(303, location=self.path)

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        yield run


def lend(run: OneRun) -> None:
    told = run.record(
        [call("navigate", url="/ponies/48213"), call("click", selector="Lend out"), call("navigate", url="/")]
    )
    assert all(one.success for one in told), [one.text for one in told]


@pytest.mark.breadth(1, table=2)
@pytest.mark.parametrize("drawn", ROWS)
@pytest.mark.parametrize("kept", ["stabled", "sold"], ids=["nothing", "something else"])
def test_what_the_page_says_has_to_come_again(site: Site, run: OneRun, drawn: str, kept: str) -> None:
    site.drawn = drawn
    lend(run)
    assert site.stands["48213"] == "lent out"
    site.reset()
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [[]]), replayed
    site.reset()
    site.kept = kept
    replayed = run.replay()
    assert replayed["verdict"] == "postcondition", replayed
    assert "to say 'lent out'" in replayed["drift"]["expected"], replayed["drift"]


SAYS = {
    "another word each time": "",
    "how another one stands": "<ul><li><a href=/ponies/48230>Grey Gull</a> may be next</li></ul>",
    "what can be done next": "<p><a href=/lent>See what is lent</a></p>",
}


@pytest.mark.parametrize("says", SAYS)
def test_what_says_nothing_of_the_thing_proves_nothing(site: Site, run: OneRun, says: str) -> None:
    site.instead = SAYS[says]
    site.others = not site.instead
    lend(run)
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [["button 'Lend out'"]])


def test_what_the_page_said_before_is_no_news(site: Site, run: OneRun) -> None:
    lend(run)
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [["button 'Lend out'"]])
