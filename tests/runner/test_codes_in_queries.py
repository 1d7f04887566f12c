"""An application of one page keeps at the site what its user sees, and writes the code of that into its address."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what sites call things")

PAGE = """<!doctype html><title>Board</title><h1>Harbour figures</h1><button>Star</button><script>
const tell = (at) => fetch(at, {method: "POST"}).then((answer) => answer.json());
const button = document.querySelector("button");
button.textContent = STARRED ? "Unstar" : "Star";
button.onclick = () => tell("/api/boards/7/star").then(() => { button.textContent = "Unstar" });
setTimeout(async () => {
  const state = await tell("/api/boards/7/state");
  history.replaceState({}, "", "?state=" + (state.goes?.join("") || state.key));
}, 900);
</script>"""


@pytest.fixture
def keys() -> list[str]:
    """What the site calls the states of the board."""
    return ["kT_ORC0e9RY", "B6d90Z_o9fc", "aB-cdEFghIJ", "x9Yq-3LmT_a", "Zz81_kQv2-L", "pR7-Tb_0WcE", "m_N5xYd2-Ks"]


@pytest.fixture
def run(
    keys: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    stars: list[str] = []

    class Handler(PageHandler):
        def do_GET(self) -> None:
            board = PAGE.replace("STARRED", "true" if stars else "false")
            self.answer(200, board if self.path.startswith("/boards/7") else "<h1>Start</h1>")

        def do_POST(self) -> None:
            if self.path.endswith("/star"):
                stars.append(self.path)
                return self.tell({})
            self.tell({"key": keys.pop(0)} if keys else {"goes": ["closed", "Boards"]})

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        told = run.record(
            [
                call("navigate", url="/boards/7"),
                call("wait", seconds=2),
                call("click", selector="Star"),
                call("navigate", url="/start"),
                call("navigate", url="/boards/7"),
            ]
        )
        assert all(one.success for one in told), told
        stars.clear()
        yield run


def test_the_code_of_what_a_page_shows_is_another_one_for_each_visit(run: OneRun) -> None:
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [[]]), replayed


def test_a_word_instead_of_the_code_is_another_page(keys: list[str], run: OneRun) -> None:
    keys[:] = ["closed"] * 9
    assert run.replay()["verdict"] == "postcondition"


def test_a_code_that_no_answer_has_told_is_another_page(keys: list[str], run: OneRun) -> None:
    """Many a word of an address is written like a code."""
    keys.clear()
    assert run.replay()["verdict"] == "postcondition"
