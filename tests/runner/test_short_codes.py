"""An application of one page that calls its things by short codes: what is put into a thing is tied to its view."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what things are called")

PAGE = """<main></main><script>
const main = document.querySelector("main");
async function show() {
  const at = location.hash.split("/")[2];
  if (!at) { main.innerHTML = "<h1>Soups</h1><a href='#/soup/k3f9a1'>Plain soup</a>"; return; }
  const soup = await (await fetch("/api/soups/" + at)).json();
  main.innerHTML = `<a href="#/">All</a><h1>${soup.name}</h1>` + soup.remarks.map((one) => `<article><p>${one}</p></article>`).join("") +
    "<form><label>Remark <textarea name=remark></textarea></label><button>Post</button></form>";
  main.querySelector("form").onsubmit = async (event) => {
    event.preventDefault();
    await fetch("/api/soups/" + at + "/remarks", { method: "POST", body: JSON.stringify({ text: event.target.remark.value }) });
    show();
  };
}
onhashchange = show; show();
</script>"""  # noqa: E501


@dataclass
class Site:
    """A soup with remarks, and what becomes of one that is sent."""

    kept: str = ""
    """What is kept instead; empty: what was sent."""
    remarks: list[str] = field(default_factory=list)


@pytest.fixture
def site() -> Site:
    return Site()


@pytest.fixture
def run(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            if self.path == "/":
                return self.answer(200, PAGE)
            self.tell({"name": "Plain soup", "remarks": site.remarks})

        def do_POST(self) -> None:
            site.remarks.append(site.kept or json.loads(self.body())["text"])
            self.tell({"ok": True})

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        yield run


@pytest.mark.parametrize("kept", ["Made it.", "Burnt by my neighbours."])
def test_a_remark_stands_in_the_view_of_its_thing(site: Site, run: OneRun, kept: str) -> None:
    view = [call("click", selector="Plain soup"), call("wait", text="Remark")]
    told = run.record(
        [
            call("navigate", url="/"),
            *view,
            call("fill", selector="Remark", value="Made it for my neighbours."),
            call("click", selector="Post"),
            call("wait", text="Made it for my neighbours."),
            call("navigate", url="/"),
            call("click", selector="Plain soup"),
            call("wait", text="Made it for my neighbours."),
        ]
    )
    assert all(one.success for one in told), told
    site.remarks.clear()
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [[]]), replayed
    site.remarks.clear()
    site.kept = kept
    replayed = run.replay()
    assert replayed["verdict"] == "postcondition", replayed
