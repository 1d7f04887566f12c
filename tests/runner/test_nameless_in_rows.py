"""Controls in the rows of a list that have no name: boxes, boxes that a script draws, and what opens a menu."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.fakes.messages_api import call
from tests.fakes.server import served
from tests.runner.one_run import OneRun
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what is pressed")

SVG = "<svg width=16 height=16><path d='{path}'/></svg>"
BARE = "<input type=checkbox class=choice>"
# The box itself is see-through, and what is drawn for it lies over it: as AdminJS has it.
DRAWN = (
    f"<span class=drawn><input type=checkbox class=choice><a class=mark>{SVG.format(path='M2 2h12v12h-12z')}</a></span>"
)
STYLE = """<style>td { padding: 6px; } .drawn { position: relative; display: inline-block; width: 18px; height: 18px; }
.drawn input { opacity: 0; position: absolute; } .mark { position: absolute; inset: 0; z-index: 1; }
.mark svg { visibility: hidden; } .menu section { display: none; } .menu:hover section { display: block; }</style>"""
SCRIPT = """<script>
for (const mark of document.querySelectorAll(".mark")) mark.onclick = () => mark.previousElementSibling.click();
const send = async (path, body) => {
  await fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  location.href = "/";
};
const idOf = (el) => el.closest("tr").dataset.id;
document.querySelector(".all").onclick = () =>
  send("/remove", { ids: [...document.querySelectorAll(".choice:checked")].map(idOf) });
for (const one of document.querySelectorAll(".menu button")) one.onclick = () => send("/remove", { ids: [idOf(one)] });
</script>"""
TITLES = {"48213": "Boats for hire", "48230": "Tide tables", "48247": "The ferry", "48264": "About the harbour"}


@dataclass
class Things:
    """What a test may look into, and what the site does."""

    box: str = BARE
    boxes: int = 1
    said: str = ""
    """What stands beside each box in a list without columns, with its seconds; empty: they stand in a table."""
    left: dict[str, str] = field(default_factory=lambda: dict(TITLES))
    keeps: bool = False
    """Whether it removes nothing."""

    def page(self) -> str:
        """Write the list."""
        if self.said:
            items = [
                f"<li data-id={at}><h2>{title}</h2><p><span>{self.box}</span><span>{self.said.format(at[-2:])}</span>"
                for at, title in self.left.items()
            ]
            script = SCRIPT.replace('"tr"', '"li"')
            return f"<h1>Things</h1><ul>{''.join(items)}</ul><button class=all>Delete chosen</button>{script}"
        opener = f"<a>{SVG.format(path='M1 8h4M6 8h4M11 8h4')}</a>"
        menu = f"<div class=menu>{opener}<section><button>Delete</button></section></div>"
        rows = [
            f"<tr data-id={at}>{f'<td>{self.box}<td>Lent' * self.boxes}<td>{title}<td>{menu}</tr>"
            for at, title in self.left.items()
        ]
        return f"{STYLE}<h1>Things</h1><table>{''.join(rows)}</table><button class=all>Delete chosen</button>{SCRIPT}"


@pytest.fixture
def things() -> Things:
    return Things()


@pytest.fixture
def run(
    things: Things, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            self.answer(200, things.page())

        def do_POST(self) -> None:
            for one in json.loads(self.body())["ids"]:
                if not things.keeps:
                    things.left.pop(one, None)
            self.tell({})

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    with served(Handler) as url:
        yield OneRun(tmp_path, url, capsys)


@pytest.mark.parametrize("box", [BARE, DRAWN], ids=["a box", "a drawn one"])
def test_a_box_is_the_only_one_of_its_row(things: Things, run: OneRun, box: str) -> None:
    things.box = box
    told = run.record(
        [
            call("navigate", url="/"),
            call("check", selector="tr[data-id='48230'] .choice"),
            call("check", selector="tr[data-id='48264'] .choice"),
            call("click", selector="Delete chosen"),
            call("navigate", url="/"),
        ]
    )
    assert all(one.success for one in told), [one.text for one in told if not one.success]
    assert list(things.left.values()) == ["Boats for hire", "The ferry"]
    things.left = dict(reversed(TITLES.items()))
    replayed = run.replay()
    assert (replayed["verdict"], list(things.left.values())) == ("passed", ["The ferry", "Boats for hire"]), replayed
    assert [one["unseen"] for one in replayed["writes"]] == [[]], replayed["writes"]
    things.left, things.keeps = dict(TITLES), True
    assert run.replay()["verdict"] == "postcondition"
    # A row with a second box: nobody knows which of them it is.
    things.left, things.keeps, things.boxes = dict(TITLES), False, 2
    assert run.replay()["verdict"] == "target_ambiguous"
    assert things.left == TITLES


@pytest.mark.parametrize(
    ("said", "later"),
    [
        ("November 30, 2026 at 23:48:{} GMT <a href=/one>permalink</a>", ("23:48", "23:51")),
        ("<a href=/notes/b{0}Kjvw>/notes/b{0}Kjvw</a>", ("Kjvw", "cvPQ")),
    ],
    ids=["a time", "an address with a code"],
)
def test_what_changes_beside_a_box_is_not_what_it_is_called(
    things: Things, run: OneRun, said: str, later: tuple[str, str]
) -> None:
    things.said = said
    others = {at: title for at, title in TITLES.items() if at != "48230"}
    things.left = {"48230": TITLES["48230"]} | others
    told = run.record(
        [
            call("navigate", url="/"),
            call("check", selector="li[data-id='48230'] .choice"),
            call("click", selector="Delete chosen"),
            call("navigate", url="/"),
        ]
    )
    assert all(one.success for one in told), [one.text for one in told if not one.success]
    things.left, things.said = dict(TITLES), said.replace(*later)
    replayed = run.replay()
    assert (replayed["verdict"], list(things.left)) == ("passed", list(others)), replayed


def test_a_link_that_leads_nowhere_is_known_by_its_picture(things: Things, run: OneRun) -> None:
    told = run.record(
        [
            call("navigate", url="/"),
            call("hover", selector="tr[data-id='48230'] .menu a"),
            call("click", selector="tr[data-id='48230'] button"),
            call("navigate", url="/"),
        ]
    )
    assert all(one.success for one in told), [one.text for one in told if not one.success]
    assert "could not find" not in str(told)
    things.left = dict(TITLES)
    replayed = run.replay()
    assert (replayed["verdict"], "48230" in things.left) == ("passed", False), replayed
