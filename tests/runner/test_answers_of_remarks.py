"""An answer that is kept under another remark, or reads otherwise, stops the replay."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what a site keeps")

SCRIPT = """<script>
for (const one of document.querySelectorAll("button")) one.onclick = () => {
  const form = document.createElement("form");
  form.innerHTML = "<label>Your answer <textarea></textarea></label><button>Send</button>";
  one.after(form);
  form.onsubmit = async (event) => {
    event.preventDefault();
    const said = { parent: Number(one.closest("li").id.slice(1)), text: form.querySelector("textarea").value };
    const headers = { "content-type": "application/json" };
    await fetch("/answers", { method: "POST", headers, body: JSON.stringify(said) });
    location.reload();
  };
};
</script>"""
FIRST = [(50123, 0, "Lovely walk"), (50140, 0, "Too long for me"), (50157, 0, "Any dogs?")]


class Site:
    """Remarks, and answers to them."""

    lie = ""

    def reset(self) -> None:
        """Know three remarks."""
        self.remarks = [*FIRST]

    def keep(self, parent: int, text: str) -> None:
        """Take an answer in, or something else."""
        kept = {"altered": (parent, "Take the train back"), "elsewhere": (50157, text)}.get(self.lie, (parent, text))
        if self.lie != "lost":
            self.remarks.append((50174, *kept))

    def tree(self, parent: int = 0) -> str:
        """Give the answers to a remark."""
        told = (
            f"<li id=c{number}><p>{text}</p><button>Answer</button>{self.tree(number)}</li>"
            for number, above, text in self.remarks
            if above == parent
        )
        return f"<ul>{''.join(told)}</ul>"


@pytest.fixture
def site() -> Site:
    made = Site()
    made.reset()
    return made


@pytest.fixture
def run(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            page = f"<h1>A walk</h1>{site.tree()}{SCRIPT}" if self.path == "/walk" else "<h1>Home</h1>"
            self.answer(200, page)

        def do_POST(self) -> None:
            said = json.loads(self.body())
            site.keep(said["parent"], said["text"])
            self.tell({})

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        yield run


@pytest.mark.parametrize(
    ("lie", "found"), [("", ""), ("elsewhere", "elsewhere"), ("altered", "'Take the train back' instead"), ("lost", "")]
)
def test_an_answer_stands_in_what_it_answers(site: Site, run: OneRun, lie: str, found: str) -> None:
    run.record(
        [
            call("navigate", url="/walk"),
            call("click", selector="#c50140 > button"),
            call("fill", selector="Your answer", value="Take the bus back"),
            call("click", selector="Send"),
            call("navigate", url="/"),
            call("navigate", url="/walk"),
        ]
    )
    assert site.remarks[3:] == [(50174, 50140, "Take the bus back")]
    site.reset()
    site.lie = lie
    replayed = run.replay()
    if found:
        assert replayed["verdict"] == "postcondition", replayed
        assert found in replayed["drift"]["found"], replayed["drift"]
    else:
        # A list may have pages: what is not there is reported.
        unseen = [["Your answer"]] if lie else [[]]
        assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", unseen), replayed
