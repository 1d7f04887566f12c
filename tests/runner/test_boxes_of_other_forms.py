"""A field of the same name in a form for something else comes filled whatever was kept: it proves nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("success that did not happen")

FORM = """<h1>New {kind}</h1><form method=post action="/{kind}s/new"><label>Title <input name=title></label>
<label>Active {field}</label><button>Save</button></form>"""
LIST = "<select name=active><option>later<option>now</select>"
FIELDS = {
    "box": ("<input type=checkbox name=active>", call("check", selector="Active"), "checked>"),
    "list": (LIST, call("select", selector="Active", label="now"), ""),
    "number": ("<input type=number name=active>", call("fill", selector="Active", value="12"), "value=12>"),
    "date": ("<input type=date name=active>", call("fill", selector="Active", value="2026-10-14"), "value=2026-10-14>"),
}
"""How a boat is asked for it, what its user does, and what the form for a crew comes with."""


@dataclass
class Boats:
    """What is kept, by the title; whether the site loses the other field; and what the forms ask for."""

    kept: dict[str, str] = field(default_factory=dict)
    loses: bool = False
    asked: tuple[str, str] = ("", "")


@pytest.fixture
def boats() -> Boats:
    return Boats()


@pytest.fixture
def run(
    boats: Boats, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            kinds = {"/boats/new": "boat", "/crews/new": "crew"}
            if self.path in kinds:
                asked = boats.asked[self.path == "/crews/new"]
                return self.answer(200, FORM.format(kind=kinds[self.path], field=asked))
            self.answer(200, f"<h1>Boats</h1><ul>{''.join(f'<li>{title}</li>' for title in boats.kept)}</ul>")

        def do_POST(self) -> None:
            sent = parse_qs(self.body().decode())
            boats.kept[sent["title"][0]] = "" if boats.loses else sent["active"][0]
            self.answer(303, location="/boats")

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        yield run


@pytest.mark.parametrize("loses", [False, True], ids=["kept", "lost"])
@pytest.mark.parametrize("kind", FIELDS)
def test_it_proves_nothing(kind: str, boats: Boats, run: OneRun, loses: bool) -> None:
    asked, puts, comes = FIELDS[kind]
    boats.asked = asked, asked.replace("<option>now", "<option selected>now") if kind == "list" else asked[:-1] + comes
    made = [call("navigate", url="/boats/new"), call("fill", selector="Title", value="The Heron of the quay"), puts]
    saved = [call("click", selector="Save"), call("navigate", url="/crews/new"), call("navigate", url="/boats")]
    told = run.record([*made, *saved])
    assert all(one.success for one in told), told
    assert list(boats.kept) == ["The Heron of the quay"]
    assert all(boats.kept.values())
    boats.kept, boats.loses = {}, loses
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [["Active"]]), replayed
