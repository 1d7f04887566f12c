"""A scripted model acts on the real bookshop through the real SDK; what it did is replayed strictly, without it."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from simulator.recording.reader import Recording
from simulator.runner import events
from simulator.runner.batch import RunOptions, run_batch
from simulator.runner.stop import Stop
from simulator.secrets import Vault, load_key
from tests.fakes.messages_api import KEY, Answer, Fault, MessagesApi, Request, call, calls, messages_api, use
from tests.runner.bench import Bench, persona, settings
from tests.runner.leaks import leaks
from tests.runner.program import KEY as MACHINE_KEY

pytestmark = pytest.mark.timeout(900)

SELLER = {
    "persona": "seller",
    "tasks": ["register", {"list_books": {"count": 2}}],
    "tastes": {"genres": ["Crime"], "price": {"min": 2.0, "max": 30.0}},
}
VISITOR = {
    "persona": "visitor",
    "tasks": [
        "register",
        {"do": "Write a friendly message to another seller."},
        {"do": "Find the cheapest crime novel and save it."},
    ],
}
MESSAGE = "Hello! What a lovely copy of {title}. Is it still to be had? Best wishes, {{{{identity.first_name}}}}"


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path, settings())


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> Callable[[MessagesApi], None]:
    """Points the agent to a server."""

    def point(api: MessagesApi) -> None:
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", api.url)

    return point


def data(request: Request) -> Any:
    """What the last of the results says."""
    return json.loads(request.results[-1]["content"][0]["text"])


def listings(request: Request) -> list[dict[str, Any]]:
    """The links that are called by the title of their card, where it tells a price."""
    links = data(request)["links"]
    return [link for link in links if link["name"] == link.get("card", [""])[0] and "£" in "".join(link["card"])]


def price(card: list[str]) -> float:
    found = re.search(r"£([\d.]+)", " ".join(card))
    assert found, card
    return float(found[1])


class Visitor:
    """A model that does both tasks, by what it reads."""

    def __init__(self) -> None:
        self.chosen = ""
        self.prices: dict[str, float] = {}

    def __call__(self, request: Request) -> Answer:
        task = request.body["messages"][0]["content"][0]["text"]
        write = "friendly message" in task.partition("\n")[0]
        return (self.write if write else self.save)(request)

    def write(self, request: Request) -> Answer:
        match request.turn:
            case 0:
                return calls(use("navigate", url="/books"), use("read_links"), text="I look for a book.")
            case 1:
                book = listings(request)[0]
                self.chosen = book["name"]
                return calls(use("click", selector=f"ref={book['ref']}"), use("read_forms"))
            case 2:
                form = next(form for form in data(request)["forms"] if '"meaning": "message"' in json.dumps(form))
                text = MESSAGE.format(title=self.chosen)
                return calls(use("fill_form", form=f"ref={form['ref']}", values={"message": text}, submit=True))
            case _:
                return call("complete", result=f"I wrote to the seller of {self.chosen}.")

    def save(self, request: Request) -> Answer:
        match request.turn:
            case 0:
                return calls(
                    use("navigate", url="/books"), use("select_option", selector="Genre", value="Crime and mystery")
                )
            case 1:
                return calls(use("click", selector="Show books"), use("read_links"))
            case 2:
                books = listings(request)
                self.prices = {book["name"]: price(book["card"]) for book in books}
                cheapest = min(books, key=lambda book: price(book["card"]))
                return calls(use("click", selector=f"ref={cheapest['ref']}"), use("read_buttons", contains="save"))
            case 3:
                (button,) = data(request)["buttons"]
                return calls(use("click", selector=f"ref={button['ref']}"), use("read_buttons", contains="save"))
            case _:
                return call("complete", result=f"Saved; the button says {data(request)['buttons'][0]['name']}.")


@pytest.mark.slow
async def test_two_tasks_in_free_words_are_recorded_and_replayed_without_the_model(
    bench: Bench, key: Callable[[MessagesApi], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor = Visitor()
    with messages_api(visitor) as api:
        key(api)
        made = await bench.record("made", (SELLER, VISITOR), count=2, concurrency=1, agent="claude", model="claude-x")
        assert api.refused == []
        assert {request.body["model"] for request in api.requests} == {"claude-x"}
    _, run = made.result.runs
    assert run.persona == "visitor"
    assert [(task.task, task.status) for task in run.tasks] == [
        ("register", "done"),
        ("do", "done"),
        ("do", "done"),
    ]
    assert len(visitor.prices) >= 3
    state = made.shop.state[run.username]
    (message,) = state["message"].values()
    assert "What a lovely copy" in json.dumps(message)
    assert len(state["save"]) == 1
    with Recording.open(made.db) as recording:
        row = recording.run(run.run_id)
        assert row.agent == "claude"
        assert row.summary["model"]["calls"] == len(api.requests)
        assert row.summary["model"]["tokens"]["input"] > 0
        tools = [step.tool for step in recording.steps(run.run_id)]
    assert tools.count("complete") == 2

    monkeypatch.delenv("ANTHROPIC_API_KEY")
    replayed = await bench.replay(made.db, "again", concurrency=1)
    assert replayed.verdicts == ["passed", "passed"]
    assert replayed.shop.whole == made.shop.whole


MATCHER = {"persona": "matcher", "tasks": ["register", {"list_books": {"count": 2}}, "create_matchup", "logout"]}
VOTER = {
    "persona": "voter",
    "tasks": [
        "register",
        "list_books",
        {"do": "The price of your book is wrong: it should cost 9.50. Correct it."},
        {"do": "Vote in three matchups. You prefer the title that comes later in the alphabet."},
    ],
}


class Voter:
    """A model that corrects a price, is corrected by the site itself, and votes with a taste."""

    def __init__(self) -> None:
        self.votes: list[str] = []
        self.refused = ""

    def __call__(self, request: Request) -> Answer:
        price = "wrong" in request.body["messages"][0]["content"][0]["text"].partition("\n")[0]
        return (self.correct if price else self.vote)(request)

    def correct(self, request: Request) -> Answer:
        match request.turn:
            case 0:
                return calls(use("navigate", url="/my/books"), use("read_links", contains="edit"))
            case 1:
                edit = next(link for link in data(request)["links"] if link["name"] == "Edit")
                return calls(
                    use("click", selector=f"ref={edit['ref']}"),
                    use("fill_form", values={"price": "-9.50"}, submit=True),
                    use("get_page_text"),
                )
            case 2:
                failed = request.results[1]
                assert failed["is_error"], "the site takes no negative price"
                self.refused = failed["content"][0]["text"]
                return calls(use("fill_form", values={"price": "9.50"}, submit=True), use("get_page_text"))
            case _:
                assert "9.50" in request.said
                return call("complete", result="It costs 9.50 now.")

    def vote(self, request: Request) -> Answer:
        if request.turn == 6:
            return call("complete", result=f"I voted for {', '.join(self.votes)}.")
        if request.turn % 2 == 0:
            return calls(use("navigate", url="/this-or-that"), use("read_links", contains=" or "))
        open = [link for link in data(request)["links"] if link["name"].endswith("?")]
        left, right = open[request.turn // 2]["name"].rstrip("?").split(" or ", 1)
        self.votes.append(max(left, right))
        ref = open[request.turn // 2]["ref"]
        return calls(
            use("click", selector=f"ref={ref}"),
            use("click", selector=f'role=button[name="Vote for {self.votes[-1]}"]'),
        )


@pytest.mark.slow
async def test_three_more_tasks_are_done_and_replayed(
    bench: Bench, key: Callable[[MessagesApi], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    voter = Voter()
    with messages_api(voter) as api:
        key(api)
        made = await bench.record("made", (MATCHER, VOTER), count=2, concurrency=1, agent="claude")
        assert api.refused == []
    state = made.shop.state[made.result.runs[1].username]
    (listing,) = state["listing"].values()
    assert "9.5" in json.dumps(listing)
    assert "rejected" in voter.refused
    assert len(state["vote"]) == len(set(voter.votes)) == 3
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    replayed = await bench.replay(made.db, "again", concurrency=1)
    assert replayed.verdicts == ["passed", "passed"], [run.drift for run in replayed.result.runs]
    assert replayed.shop.whole == made.shop.whole


async def test_a_run_whose_model_fails_is_a_failed_run_and_the_batch_goes_on(
    bench: Bench, key: Callable[[MessagesApi], None]
) -> None:
    busy = Fault(529, "too busy", {"x-should-retry": "false"})
    with messages_api([busy]) as api:
        key(api)
        result = await run_batch(options(bench, VISITOR, SELLER, count=2), lambda _: None, Stop())
    assert [run.status for run in result.runs] == ["failed", "passed"] or [run.status for run in result.runs] == [
        "passed",
        "failed",
    ]
    (failed,) = (run for run in result.runs if run.status == "failed")
    assert "answers 529" in failed.reason
    assert failed.persona == "visitor"


async def test_no_secret_reaches_the_model(
    bench: Bench, key: Callable[[MessagesApi], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SIM_KEY", MACHINE_KEY)
    own = "correct horse battery staple"
    steps = [
        calls(use("navigate", url="/account/register"), use("read_forms"), use("get_page_text")),
        calls(
            use("fill_form", values={"username": "{{identity.username}}", "email": "{{identity.email}}",
                                     "password": "{{secret.password}}"}),
            use("read_forms"),
            use("screenshot"),
        ),
        calls(use("register"), use("logout"), use("navigate", url="/account/login")),
        calls(use("fill", selector="Password", value="{{secret.password}}"), use("read_forms"), use("get_page_text")),
        calls(use("fill", selector="Password", value=own), use("read_forms"), use("get_page_text")),
        calls(use("click", selector="{{secret.password}}"), use("navigate", url="/books?q={{secret.password}}")),
        calls(use("read_forms"), use("get_page_text"), use("get_page_url"), use("login"), use("read_links")),
    ]  # fmt: skip

    def model(request: Request) -> Answer:
        return steps[request.turn] if request.turn < len(steps) else call("complete", result="looked around")

    with messages_api(model) as api:
        key(api)
        ended: list[object] = []
        result = await run_batch(
            options(bench, {"persona": "canary", "tasks": [{"do": "Look around."}]}), ended.append, Stop()
        )
        assert api.refused == []
    (run,) = result.runs
    assert (run.status, run.reason) == ("passed", "")
    secret = Vault(load_key({"SIM_KEY": MACHINE_KEY}).secret, scope="bookshop|canary|7|1").reveal("password")
    assert leaks([("requests", api.everything)], [secret]) == []
    assert b"{{secret.password}}" in api.everything
    later = [json.dumps(request.body).encode() for request in api.requests[5:]]
    assert leaks([("later requests", one) for one in later], [own]) == [], "typed once, then known as a secret"


def options(bench: Bench, *personas: dict[str, Any], count: int = 1, **more: Any) -> RunOptions:
    given = {"agent": "claude", "screenshots": "none", "concurrency": 1, "seed": "7", **more}
    return RunOptions(
        settings=bench.settings,
        site=bench.site(bench.shop("shop")),
        personas=tuple(persona(one) for one in personas),
        count=count,
        db=bench.folder / "runs.db",
        **given,
    )


async def test_without_a_task_that_needs_it_no_model_is_asked_for(bench: Bench) -> None:
    told: list[events.Event] = []
    result = await run_batch(options(bench, {"persona": "new", "tasks": ["register"]}), told.append, Stop())
    assert [run.status for run in result.runs] == ["passed"]


def test_the_parts_that_need_no_model_do_not_import_one() -> None:
    import subprocess

    code = (
        "import sys, simulator.cli.main, simulator.runner.batch, simulator.runner.replaying\n"
        "print([name for name in ('anthropic', 'httpx2') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
