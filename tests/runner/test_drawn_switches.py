"""A switch that a script draws in a form is an input: it is proven, red, or reported as not seen again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.messages_api import call
from tests.fakes.server import served
from tests.runner.one_run import OneRun
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what fields are given")

FORM = """<h1>Thing</h1><form><label>Title <input name=title value="{title}"></label>
<{tag} type=button role={role} tabindex=0 aria-checked={open} aria-label=Open>Open</{tag}>
<button>Save</button></form><script>
const open_ = document.querySelector("[aria-label=Open]"), isOpen = () => open_.getAttribute("aria-checked") === "true";
open_.onclick = () => open_.setAttribute("aria-checked", String(!isOpen()));
document.forms[0].onsubmit = async (event) => {{
  event.preventDefault();
  const said = {{ title: event.target.elements.title.value, open: isOpen() }};
  const headers = {{ "content-type": "application/json" }};
  await fetch("/things", {{ method: "POST", headers, body: JSON.stringify(said) }});
  location.href = "/things/48213";
}};
</script>"""
CALLS = [
    call("navigate", url="/new"),
    call("fill", selector="Title", value="The house by the lake"),
    call("click", selector='[aria-label="Open"]'),
    call("click", selector="Save"),
    call("navigate", url="/things/48213"),
]


@dataclass
class Things:
    """What a test may look into."""

    tag: str = "button"
    role: str = "switch"
    kept: dict[str, Any] = field(default_factory=dict)
    loses: bool = False
    edited: bool = False
    """Whether the page of a thing is its form."""


@pytest.fixture
def things() -> Things:
    return Things()


@pytest.fixture
def run(
    things: Things, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            thing = self.path == "/things/48213"
            if thing and not things.edited:
                return self.answer(200, f"<h1>{things.kept['title']}</h1>")
            title, is_open = (things.kept["title"], things.kept["open"]) if thing else ("", False)
            page = FORM.format(tag=things.tag, role=things.role, title=title, open=json.dumps(is_open))
            self.answer(200, page)

        def do_POST(self) -> None:
            things.kept = json.loads(self.body())
            if things.loses:
                things.kept["open"] = False
            self.tell({"id": 48213})

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    with served(Handler) as url:
        yield OneRun(tmp_path, url, capsys)


@pytest.mark.parametrize(("tag", "role"), [("button", "switch"), ("div", "checkbox")])
@pytest.mark.parametrize("loses", [False, True], ids=["kept", "lost"])
def test_what_no_page_shows_of_it_is_reported(things: Things, run: OneRun, tag: str, role: str, loses: bool) -> None:
    things.tag, things.role = tag, role
    told = run.record(CALLS)
    assert all(one.success for one in told), told
    assert things.kept["open"] is True
    things.loses = loses
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [["Open"]]), replayed


@pytest.mark.parametrize("tag", ["button", "div"])
def test_where_its_form_shows_another_state_nothing_is_proven(things: Things, run: OneRun, tag: str) -> None:
    things.tag, things.edited = tag, True
    told = run.record(CALLS)
    assert all(one.success for one in told), told
    assert run.replay()["verdict"] == "passed"
    assert things.kept["open"] is True
    things.loses = True
    replayed = run.replay()
    assert replayed["verdict"] == "postcondition" or replayed["writes"][0]["unseen"] == ["Open"], replayed
