"""What a model is shown of the page after its calls, on the real bookshop and by the real SDK, and what is recorded."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from simulator.recording.reader import Recording
from simulator.secrets import Vault, load_key
from simulator.tools.observing import CHANGES, PAGE, SAME, SEEN, TOLD
from tests.fakes.messages_api import KEY, Answer, MessagesApi, Request, call, calls, messages_api, use
from tests.runner.bench import Bench, settings
from tests.runner.leaks import leaks
from tests.runner.program import KEY as MACHINE_KEY

pytestmark = pytest.mark.timeout(600)

VISITOR = {"persona": "visitor", "tasks": ["register", {"do": "Look around."}]}


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    monkeypatch.setenv("SIM_KEY", MACHINE_KEY)
    return Bench(tmp_path, settings())


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> Callable[[MessagesApi], None]:
    """Points the agent to a server."""

    def point(api: MessagesApi) -> None:
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", api.url)

    return point


def pages(request: Request) -> list[str]:
    """What the last results show of the page, one for each; empty where one shows nothing."""
    seen = []
    for result in request.results:
        texts = [block["text"] for block in result["content"] if block["type"] == "text"]
        seen.append(next((text for text in texts[1:] if text.startswith((PAGE, CHANGES, SAME))), ""))
    return seen


class Visitor:
    """A model that acts by what the answers to its acts show, and never reads a page."""

    def __init__(self) -> None:
        self.seen: list[list[str]] = []

    def __call__(self, request: Request) -> Answer:
        if request.turn:
            self.seen.append(pages(request))
        return (self.go, self.choose, self.show, self.open, self.save, self.again, self.log_in, self.finish)[
            request.turn
        ](self.seen[-1][-1] if self.seen else "")

    def go(self, _: str) -> Answer:
        return call("navigate", url="/books")

    def choose(self, page: str) -> Answer:
        genre = re.search(r'combobox "Genre" \[ref=(e\d+)\]', page)
        assert genre
        return call("select", selector=f"ref={genre[1]}", label="Gothic and horror")

    def show(self, page: str) -> Answer:
        return call("click", selector="Show books")

    def open(self, page: str) -> Answer:
        book = re.search(r'link "Frankenstein" \[ref=(e\d+)\]', page)
        assert book
        return call("click", selector=f"ref={book[1]}")

    def save(self, page: str) -> Answer:
        button = re.search(r'button "Save" \[ref=(e\d+)\]', page)
        assert button
        return call("click", selector=f"ref={button[1]}")

    def again(self, page: str) -> Answer:
        return calls(
            use("fill", selector="Message to The house shelf", value="One"),
            use("click", selector="Nothing of this name"),
            use("double_click", selector="Send message"),
        )

    def log_in(self, page: str) -> Answer:
        return calls(
            use("logout"),
            use("navigate", url="/account/login"),
            use("fill", selector="Password", value="{{secret.password}}"),
        )

    def finish(self, page: str) -> Answer:
        return call("complete", result="I looked around.")


@pytest.mark.table
async def test_an_act_answers_with_what_it_did_to_the_page(bench: Bench, key: Callable[[MessagesApi], None]) -> None:
    visitor = Visitor()
    with messages_api(visitor) as api:
        key(api)
        made = await bench.record("made", (VISITOR,), count=1, concurrency=1, agent="claude")
        assert api.refused == []
        assert "read_page" not in {name for request in api.requests for name in uses(request)}
    first, chosen, found, book, saved, failed, login = visitor.seen

    assert first[0].startswith(f'{PAGE}/books "Browse books')
    assert 'link "Dracula"' in first[0]
    assert re.fullmatch(
        rf'{CHANGES}:\nin form "Filter books" \[ref=e\d+\]\n~ combobox "Genre" \[ref=e\d+\]: "Gothic and horror"',
        chosen[0],
    )
    assert found[0].startswith(f"{PAGE}/books?")
    assert re.search(r"- banner \[ref=e\d+\] \(as before: \d+ lines inside\)", found[0])
    assert 'link "Dracula"' in found[0], "what a page is about is told, also where it was on the page before"
    assert book[0].startswith(f'{PAGE}/books/2 "Frankenstein')
    assert re.search(r'~ button "Saved" \[pressed\] \[ref=e\d+\]', saved[0])
    assert '+ "1 reader has saved this book"' in saved[0]
    assert '- "0 readers have saved this book"' in saved[0]
    assert [text.partition("\n")[0] for text in failed] == ["", f"{CHANGES}:", ""], (
        "after the call that failed, which is the last one that was made, with what the one before it did"
    )
    assert '"One"' in failed[1]
    (run,) = made.result.runs
    assert not made.shop.state[run.username].get("message"), "a tool that is not offered is not called after a failure"
    assert [bool(text) for text in login] == [False, False, True], "only after the last of several acts"
    assert "(filled)" in login[2]
    secret = Vault(load_key({"SIM_KEY": MACHINE_KEY}).secret, scope="bookshop|visitor|7|1").reveal("password")
    assert leaks([("requests", api.everything)], [secret]) == []

    with Recording.open(made.db) as recording:
        steps = recording.steps(run.run_id)
    by_model = [step for step in steps if step.task == "do"]
    told = [step.metadata[SEEN] for step in by_model if SEEN in step.metadata]
    shown = [text.replace("{{site.books_1}}", "2") for text in told]
    assert shown == [text for seen in visitor.seen for text in seen if text], "the recording holds what the model saw"
    assert max(map(len, told)) <= TOLD + 200
    others = [step for step in steps if step.task != "do"]
    assert others
    assert not any(SEEN in step.metadata for step in others), "the autopilot pays for nothing of it"


def uses(request: Request) -> list[str]:
    """The tools that the last answer before a request called."""
    said: list[dict[str, Any]] = [one for one in request.body["messages"] if one["role"] == "assistant"]
    return [block["name"] for one in said[-1:] for block in one["content"] if block["type"] == "tool_use"]


@pytest.mark.slow
async def test_a_long_page_is_cut_and_says_so(bench: Bench, key: Callable[[MessagesApi], None]) -> None:
    def model(request: Request) -> Answer:
        if request.turn == 0:
            return call("navigate", url="/books/2")
        if request.turn == 1:
            return call("fill", selector="Message to The house shelf", value="A word. " * 30)
        return call("complete", result="It is written.")

    with messages_api(model) as api, pytest.MonkeyPatch.context() as patch:
        patch.setattr("simulator.tools.observing.TOLD", 900)
        key(api)
        await bench.record("made", (VISITOR,), count=1, concurrency=1, agent="claude")
        first, second = (request for request in api.requests if 0 < request.turn < 3)
    (page,), (change,) = pages(first), pages(second)
    assert len(page) < 1200
    assert re.search(r"\n\[cut: \d+ more lines; read_page shows them, or a part by its ref\]$", page)
    assert change.startswith(CHANGES)
    assert json.dumps("A word. A word.")[1:-1] in change
