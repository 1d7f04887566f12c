"""A remark that says what another one says: what a page showed as often before proves nothing of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("passed means proven")

FORM = """<form method=post action=/remark><input type=hidden name=walk value=4821>
<label>Remark <textarea name=remark></textarea></label><button>Send</button></form>"""
WALKS = {"by its path": "/walks/4821", "by its query": "/walk?id=4821"}


@pytest.mark.parametrize("led_to", ["", "#remark-"], ids=["to the page", "to its place in the page"])
@pytest.mark.parametrize("called", WALKS)
def test_a_remark_that_says_what_another_one_says_is_proven_by_itself_alone(
    called: str, led_to: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kept: list[str] = []
    instead: dict[str, str] = {}

    class Handler(PageHandler):
        def do_GET(self) -> None:
            rows = "".join(
                f"<li id=remark-{number}><b>Ann</b> <p>{text}</p><a href=#remark-{number}>Link</a>"
                for number, text in enumerate(kept, 7731)
            )
            self.answer(200, f"<h1>Along the river</h1><p>Two hours.</p><ol>{rows}</ol>{FORM}")

        def do_POST(self) -> None:
            kept.append(dict(dict(parse_qsl(self.body().decode())) | instead)["remark"])
            self.answer(303, location=WALKS[called] + (f"{led_to}{7730 + len(kept)}" if led_to else ""))

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        told = run.record(
            [
                call("navigate", url=WALKS[called]),
                call("fill", selector="Remark", value="The heron stood still"),
                call("click", selector="Send"),
                call("navigate", url=WALKS[called]),
            ]
        )
        assert [one.text for one in told if not one.success] == []
        honest = run.replay()
        instead["remark"] = "A grey goose has flown"
        lied = run.replay()

    assert kept == ["The heron stood still", "The heron stood still", "A grey goose has flown"]
    assert (honest["verdict"], _unseen(honest)) == ("passed", []), honest
    assert _unseen(lied) == ["Remark"], lied


BOOK = """<form method=post action=/book><label>Name <input name=name></label><label>Title <input name=title></label>
<label>Text <textarea name=text></textarea></label><button>Sign</button></form>"""
CARD = "<article><h3>{title}</h3><p>{text}</p><i>{name}</i></article>"


def test_what_a_user_signs_again_is_not_proven_by_what_it_has_signed_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    kept: list[dict[str, str]] = []
    instead: dict[str, str] = {}

    class Handler(PageHandler):
        def do_GET(self) -> None:
            cards = "".join(
                f"<article><h3>{one['title']}</h3><p>{one['text']}</p><i>{one['name']}</i></article>" for one in kept
            )
            self.answer(200, f"<h1>Guests</h1><section>{cards}</section>{BOOK}")

        def do_POST(self) -> None:
            kept.append(dict(parse_qsl(self.body().decode())) | instead)
            self.answer(303, location="/")

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        told = run.record(
            [
                call("navigate", url="/"),
                call("fill", selector="Name", value="Sophie Wilson"),
                call("fill", selector="Title", value="Herons at the weir"),
                call("fill", selector="Text", value="We saw two of them."),
                call("click", selector="Sign"),
                call("navigate", url="/"),
            ]
        )
        assert [one.text for one in told if not one.success] == []
        honest = run.replay()
        instead["title"] = "A grey goose has flown"
        lied = run.replay()

    assert [one["title"] for one in kept] == ["Herons at the weir", "Herons at the weir", "A grey goose has flown"]
    assert honest["verdict"] == "passed", honest["drift"]
    assert "Title" in _unseen(lied), lied


def _unseen(run: dict[str, Any]) -> list[str]:
    return [str(each) for one in run["writes"] for each in one["unseen"]]
