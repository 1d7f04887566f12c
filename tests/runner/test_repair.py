"""A model repairs one task of a replay on a bookshop that has changed: judged by the shop's own log and state."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from benchmarks.mutations.truth import Truth
from simulator.recording import Recording
from simulator.recording.upkeep.verify import verify
from simulator.report.difference import compare_runs
from simulator.report.follow_up import FollowUp
from simulator.report.junit import junit_xml
from simulator.report.page import html_report
from simulator.report.recorded import read_run, run_lines
from simulator.report.replay_summary import replay_lines
from tests.fakes.messages_api import Answer, Request, call, calls, use
from tests.runner.bench import Original
from tests.runner.repairs import (
    ISBN,
    Model,
    Recorded,
    again,
    model,
    offer,
    performed,
    record,
    revisions,
    script,
)

pytestmark = [pytest.mark.timeout(300), pytest.mark.promise("a model repairs a replay")]

DEALER = {"persona": "dealer", "tasks": ["register", {"list_books": {"count": 2}}, "message_seller", "create_matchup"]}


@pytest.fixture(scope="module")
def seller(seller: Original) -> Recorded:
    """Sells a book and changes its price."""
    return Recorded(seller.db, Truth.of(seller.shop.file))


@pytest.fixture(scope="module")
def dealer(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    """Writes to a seller and starts a matchup of two own books."""
    return asyncio.run(record(tmp_path_factory.mktemp("dealer"), DEALER))


async def test_a_new_required_field_is_filled_in_and_the_rest_goes_on(seller: Recorded, tmp_path: Path) -> None:
    before = seller.db.read_bytes()
    with model(script(offer(isbn=ISBN))) as api:
        replayed = await performed(seller, tmp_path / "repaired", "new-required-field")
        assert api.refused == []
        asked, told = len(api.requests), api.requests[0].task
    for words in (
        "The task: list_books (count 1)",
        "What cannot be done as it was: fill_form: expected the page /books/",
        "It had no effect that lasts: nothing that it sent was taken.",
        "- goto /books/new\n",
        "- fill textbox 'Title': {{book.1.title}} (that is: ",
        "- a new book with author '",
        "It ended on the page /books/{{site.books_1}}.",
        "The page now: /books/new",
    ):
        assert words in told
    run = replayed.run
    assert (run.drift, run.verdict, asked) == (None, "repaired", 2)
    assert replayed.result.passed
    assert replayed.truth.state == seller.truth.state, "the edit that follows found the listing"
    assert replayed.effects() == seller.effects()
    assert seller.db.read_bytes() == before
    (repair,) = run.repairs
    assert (repair.step, repair.tool, repair.task, repair.steps) == (7, "fill_form", "list_books", 4)
    assert repair.why.startswith("postcondition at step 7 (fill_form): expected the page /books/")
    assert "fill textbox 'ISBN': 9780141439587" in repair.did
    assert repair.made[0].startswith("a new book with author ")
    assert (repair.said, repair.spending.calls) == ("Done.", 2)
    assert revisions(replayed.db) == [run.revision]
    assert verify(replayed.db) == []

    strict = await again(replayed, tmp_path / "again", "new-required-field")
    assert (strict.run.drift, strict.run.verdict) == (None, "passed")
    assert strict.truth.state == seller.truth.state
    assert strict.effects() == seller.effects()

    with Recording.open(replayed.db) as recording:
        shown = "\n".join(run_lines(read_run(recording, run.run_id), None))
        revision, source = recording.run(run.revision), recording.run(run.source_run)
        assert (revision.kind, revision.revision, revision.source_run) == ("heal", 2, source.id)
        assert len(recording.llm_calls(revision.id)) == 2
        told = compare_runs(read_run(recording, source.id), read_run(recording, revision.id)).lines()
        page = html_report(recording, replayed.result.batch_id)
    assert "ISBN" in shown
    assert any("only in the second: fill_form" in line for line in told)
    assert "fill textbox &#39;ISBN&#39;: 9780141439587" in page
    lines = "\n".join(replay_lines(replayed.result, FollowUp()))
    assert lines.startswith("repaired: 1 of 1 run, by 1 repair, ")
    assert "  did          goto /books/new" in lines
    assert "2 calls of claude" in lines
    assert "2 calls of claude" in junit_xml(replayed.result)


def confirming(request: Request) -> Answer:
    """A model that says yes where it is asked, and pairs its books once more where it was led away."""
    yes = use("click", selector="Yes, do it")
    books = {"First book": "{{book.1.title}}", "Second book": "{{book.2.title}}"}
    again = use("fill_form", values=books, submit=True)
    turns = [calls(yes)] if "Yes, do it" in request.task else [calls(again), calls(yes)]
    return turns[request.turn] if request.turn < len(turns) else call("complete", result="It is done.")


@pytest.mark.slow
async def test_a_question_in_between_is_answered_and_nothing_is_sent_twice(dealer: Recorded, tmp_path: Path) -> None:
    with model(confirming) as api:
        replayed = await performed(dealer, tmp_path / "repaired", "confirm-step")
        assert api.refused == []
    assert (replayed.run.drift, replayed.run.verdict) == (None, "repaired")
    assert [repair.task for repair in replayed.run.repairs] == ["message_seller", "create_matchup"]
    assert replayed.truth.state == dealer.truth.state
    assert replayed.effects() == dealer.effects()
    strict = await again(replayed, tmp_path / "again", "confirm-step")
    assert (strict.run.drift, strict.run.verdict) == (None, "passed")
    assert strict.truth.state == dealer.truth.state


@pytest.mark.slow
async def test_a_login_in_two_steps_is_repaired_where_texts_say_other_things(seller: Recorded, tmp_path: Path) -> None:
    login = calls(
        use("fill", selector="[name=username]", value="{{identity.username}}"),
        use("click", selector="Continue"),
        use("fill", selector="[name=password]", value="{{secret.password}}"),
        use("click", selector="#main form button:nth-of-type(2)"),
    )
    with model(script(login, offer())) as api:
        replayed = await performed(seller, tmp_path / "repaired", "login-in-two-steps")
        assert api.refused == []
    assert (replayed.run.drift, replayed.run.verdict) == (None, "repaired")
    assert replayed.truth.state == seller.truth.state
    strict = await again(replayed, tmp_path / "again", "login-in-two-steps")
    assert (strict.run.drift, strict.run.verdict) == (None, "passed")


def second(request: Request) -> Answer:
    """A model that puts the book up for sale two times."""
    return offer(isbn=ISBN) if request.turn < 2 else call("complete", result="I listed it.")


@pytest.mark.breadth(0, table=1)
@pytest.mark.parametrize(
    ("answers", "told"),
    [
        pytest.param(script(offer(isbn=ISBN, price="77.00")), "a new book with", id="another value"),
        pytest.param(second, "another book at /books/", id="twice", marks=pytest.mark.slow),
        pytest.param(script(), "nothing that the site took", id="nothing"),
        pytest.param(
            script(offer(isbn=ISBN), calls(use("navigate", url="/books/3"), use("click", selector="Save"))),
            "besides",
            id="something besides",
            marks=pytest.mark.slow,
        ),
    ],
)
async def test_a_repair_that_does_something_else_is_red(
    seller: Recorded, tmp_path: Path, answers: Model, told: str
) -> None:
    with model(answers) as api:
        replayed = await performed(seller, tmp_path / "red", "new-required-field")
        assert api.refused == []
    assert replayed.run.drift is not None
    assert replayed.run.verdict == "postcondition"
    assert told in replayed.run.drift.sentence
    assert not replayed.result.passed
    assert revisions(replayed.db) == []


@pytest.mark.parametrize("mode", [pytest.param("strict", marks=pytest.mark.slow), "heal"])
async def test_without_the_flag_no_model_is_asked(seller: Recorded, tmp_path: Path, mode: str) -> None:
    with model(script(offer())) as api:
        replayed = await performed(seller, tmp_path / "asked", "new-required-field", mode=mode, repair=None)
        assert api.requests == []
    assert replayed.run.verdict == "postcondition"


@pytest.mark.slow
async def test_what_needs_no_repair_asks_no_model(seller: Recorded, tmp_path: Path) -> None:
    with model(script(offer())) as api:
        replayed = await performed(seller, tmp_path / "plain")
        assert api.requests == []
    assert replayed.run.verdict == "passed"
    assert revisions(replayed.db) == []
