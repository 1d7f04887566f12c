"""What a form came with, and its user left: the site may give it back otherwise, and the replay sends that."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from simulator.browser.effects.fields import Field, LeftChoices
from simulator.browser.effects.model import Write
from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("success that did not happen")

FORM = """<h1>New issue</h1><form method=post action="/issues"><label>Subject <input name=subject></label>
<label>Tracker <select name=tracker><option value=1{0}>Bug<option value=2{1}>Feature</select></label>
<label><input type=radio name=when value=soon{0:r}> Soon</label>
<label><input type=radio name=when value=later{1:r}> Later</label>
<label><input type=checkbox name=watch value=1{1:b}> Watch it</label>
<label>Day <select name=day><option selected>{day}</select></label>
<button>Create</button></form>"""
PAGE = """<h1>{subject}</h1><dl><dt>Tracker<dd>{tracker}<dt>When<dd>{when}<dt>Day<dd>{day}</dl>"""
STEPS = [
    call("navigate", url="/issues/new"),
    call("fill", selector="Subject", value="The crane is stuck"),
    call("click", selector="Create"),
    call("navigate", url="/"),
    call("navigate", url="/issues/417"),
]


@dataclass
class Issues:
    """What the site keeps, and with what its form comes."""

    kept: list[dict[str, str]] = field(default_factory=list)
    tracker: int = 1
    when: int = 1
    watch: bool = False
    day: str = "29 November"

    def form(self) -> str:
        chosen = ("", " selected") if self.tracker == 2 else (" selected", "")
        radios = ("", " checked") if self.when == 2 else (" checked", "")
        page = FORM.replace("{0}", chosen[0]).replace("{1}", chosen[1])
        page = page.replace("{0:r}", radios[0]).replace("{1:r}", radios[1])
        return page.replace("{1:b}", " checked" * self.watch).replace("{day}", self.day)

    def again(self, **how: object) -> None:
        self.kept.clear()
        for name, value in how.items():
            setattr(self, name, value)


@pytest.fixture
def issues() -> Issues:
    return Issues()


@pytest.fixture
def run(
    issues: Issues, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            if self.path == "/issues/new":
                return self.answer(200, issues.form())
            self.answer(200, PAGE.format(**issues.kept[0]) if issues.kept and self.path == "/issues/417" else "<h1>No")

        def do_POST(self) -> None:
            sent = dict(parse_qsl(self.body().decode()))
            issues.kept.append({**sent, "tracker": {"1": "Bug", "2": "Feature"}[sent["tracker"]]})
            self.answer(303, location="/issues/417")

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        yield run


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ({"tracker": 2}, "Tracker (came with 'Feature', recorded with 'Bug')"),
        ({"when": 2}, "when (came with 'later', recorded with 'soon')"),
        ({"watch": True}, "Watch it (came with 'ticked', recorded with 'not ticked')"),
        ({"day": "30 November"}, None),
    ],
    ids=["another option", "another radio button", "a box that is ticked", "another day"],
)
def test_a_form_that_comes_otherwise_is_told(run: OneRun, issues: Issues, how: dict[str, object], told: str) -> None:
    assert all(one.success for one in run.record(STEPS))
    sent = dict(issues.kept[0])
    issues.again()
    replayed = run.replay()
    assert (replayed["verdict"], replayed["writes"][0]["unseen"], issues.kept) == ("passed", [], [sent]), replayed
    issues.again(**how)
    replayed = run.replay()
    assert (replayed["verdict"], issues.kept == [sent]) == ("passed", False), replayed
    assert replayed["writes"][0]["unseen"] == ([told] if told else []), replayed
    issues.again()
    assert run.replay("--identity", "fresh")["writes"][0]["unseen"] == []  # its form may come otherwise


@pytest.mark.parametrize("other", ["Report of a loss", "Report of a loss at sea, in writing"])
def test_an_option_that_begins_as_another_one_is_another(other: str) -> None:
    left = LeftChoices(str, str)
    field = Field("kind", "select", (other, "other"), True, "Kind", "post /issues", "/issues")
    left.take_in(Write(0, "a1", "document", "POST", "/issues", "", 303, "", ()), "/new", [field], [("kind", "other")])
    recorded = "Report of a loss at sea"
    assert left.otherwise("a1", "kind", recorded) == ("Kind", other)
    assert left.otherwise("a1", "kind", other) is None
