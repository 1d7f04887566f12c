"""Which request of a replay stands for a recorded one."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from simulator.browser.action_recorder import PageState
from simulator.browser.effects.model import Carried, Write
from simulator.canonical import EFFECTS
from simulator.recording.rows import WriteRow
from simulator.replay.checks import Check
from simulator.replay.effects.expected import Expected
from simulator.replay.effects.sent_again import SentAgain
from simulator.replay.verify import compare
from tests.replay.rows import action


def write(url: str, action_id: str, **given: Any) -> WriteRow:
    usual: dict[str, Any] = {
        "initiator": "fetch",
        "method": "POST",
        "operation": "",
        "status": 200,
        "leads_to": "",
        "carried": (),
    }
    return WriteRow(id=url, run_id="run", action_id=action_id, ordinal=0, url=url, **(usual | given))


@pytest.mark.parametrize(
    ("made", "is_another"),
    [("/", True), ("/{{site.thing_1}}", False), ("/{id}", False)],
)
def test_an_empty_step_of_an_address_is_no_variable(made: str, is_another: bool) -> None:
    done = action("click", after=PageState("/", requests=(("POST", "/track", 200),)))
    kept = write(made, done.id, carried=(Carried("title", "put"),))
    expected = Expected(writes={done.id: [kept, write("/track", done.id)]}, version=EFFECTS)
    assert expected.incidental(done) == ([("POST", "/track")] if is_another else [])


@pytest.mark.parametrize(("carried", "is_incidental"), [((), True), ((Carried("at", "put"),), False)])
def test_what_is_sent_between_two_actions_is_known_by_the_writes_of_the_run(
    carried: tuple[Carried, ...], is_incidental: bool
) -> None:
    """A clock sent it as the one action ended, and it was told as a write of the next one."""
    first = action("fill", after=PageState("/", requests=(("POST", "/beat", 204),)))
    other = action("click", after=PageState("/"))
    expected = Expected(writes={other.id: [write("/beat", other.id, carried=carried)]}, version=EFFECTS)
    assert expected.incidental(first) == ([("POST", "/beat")] if is_incidental else [])


@pytest.mark.parametrize("carried", [(), (Carried("text", "put"),)], ids=["nothing", "an input"])
def test_what_is_sent_between_two_actions_is_known_by_the_last_before_that_sent_it(
    carried: tuple[Carried, ...],
) -> None:
    """A draft was kept as somebody asked, and kept once more by a clock, as the next press began."""
    asked, typed, later = (action("click", id=f"action-{place}", after=PageState("/")) for place in "abd")
    done = action("click", id="action-c", after=PageState("/", requests=(("PUT", "/draft", 204), ("PUT", "/it", 204))))
    put = (Carried("title", "put"),)
    writes = {
        one.id: [write("/draft", one.id, method="PUT", carried=said)]
        for one, said in ((asked, put), (typed, carried), (later, put))
    }
    expected = Expected(writes={**writes, done.id: [write("/it", done.id, method="PUT", carried=put)]}, version=EFFECTS)
    assert expected.incidental(done) == ([] if carried else [("PUT", "/draft")])


def test_what_graphql_asks_is_as_many_requests_as_a_view_likes_and_its_mutation_is_required() -> None:
    one = ("POST", "/graphql", 200)
    done = action("click", after=PageState("/", requests=(one, one, one)))
    login = write("/graphql", done.id, operation="logIn")
    expected = Expected(writes={done.id: [login]}, version=EFFECTS, presses=frozenset({done.id}))
    assert expected.incidental(done) == [("POST", "/graphql")] * 2
    assert done.after is not None
    for made, is_made in ((1, True), (0, False), (5, True)):
        compared = compare(
            done.after,
            PageState("/", requests=(one,) * made),
            url="/",
            arrived=True,
            login_path=None,
            incidental=expected.incidental(done),
        )
        assert (compared.wrong is None) == is_made
    checks: Counter[Check] = Counter()
    sent = SentAgain(expected)
    asked = sent.unsent(done, checks)
    assert asked is not None
    assert asked.expected == "POST /graphql (logIn)"
    sent.take_in([Write(1, "again", "fetch", "POST", "/graphql", "logIn", 200, "", ())])
    assert sent.unsent(done, checks) is None


def test_what_no_write_of_the_run_tells_of_is_required() -> None:
    done = action("fill", after=PageState("/", requests=(("POST", "/save", 200),)))
    other = action("click", after=PageState("/"))
    assert Expected(writes={other.id: [write("/beat", other.id)]}, version=EFFECTS).incidental(done) == []


def test_a_request_that_carries_nothing_of_what_was_put_in_is_told_as_that() -> None:
    done = action("click", after=PageState("/"))
    kept = write("/save", done.id, carried=(Carried("title", "put"),))
    sent = SentAgain(Expected(writes={done.id: [kept]}, version=EFFECTS))
    made = Write(0, "now", "fetch", "POST", "/save", "", 200, "", ())
    sent.take_in([made])
    unlike = sent.unsent(done, Counter())
    assert unlike is not None
    assert (unlike.expected, unlike.found) == ("POST /save with what was put in", "POST /save without it")
