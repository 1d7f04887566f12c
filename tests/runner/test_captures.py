"""What a site generates on one page and asks for on the next is read anew at each replay, wherever it is given back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import copy
from pathlib import Path
from typing import Any

import pytest

from simulator.bindings import Bindings
from simulator.recording.reader import Recording
from simulator.replay.left.made import made_things
from tests.fakes.messages_api import Reply, call
from tests.runner.desk import ACCOUNT, LOGIN, Desk
from tests.sites.office import Office, office

pytestmark = pytest.mark.promise("what sites call things")


@pytest.fixture
def served() -> Iterator[Office]:
    with office() as found:
        yield found


@pytest.fixture
def desk(served: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Desk:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests of the office")
    return Desk(served, tmp_path, capsys)


def ordering(office: Office) -> list[Any]:
    """Order a lamp, and track it by what the page has shown: the number first, then the code."""

    def shown(place: int) -> str:
        number, (_, code) = next(reversed(office.orders.items()))
        return (number, code)[place]

    def fill(field: str, place: int) -> Any:
        def turn(request: Any) -> Reply:
            assert shown(place) in str(request.body), "it has read it"
            return call("fill", selector=field, value=shown(place))

        return turn

    return [
        call("click", selector='role=button[name="Order a lamp"]'),
        call("read_page"),
        call("click", selector="Track an order"),
        fill("Order", 0),
        fill("Code", 1),
        call("click", selector='role=button[name="Track"]'),
    ]


@pytest.mark.breadth(0, table=1)
@pytest.mark.parametrize(
    "secret", [pytest.param(False, id="plain", marks=pytest.mark.slow), pytest.param(True, id="one-time-code")]
)
def test_an_order_number_and_a_code_are_read_anew(desk: Desk, served: Office, secret: bool) -> None:
    served.secret_codes = secret
    desk.record([*ACCOUNT, *LOGIN, *ordering(served)])
    ((number, (_, code)),) = served.orders.items()
    with Recording.open(desk.folder / "a.db") as recording:
        (run,) = recording.runs()
        values = {action.value for action in recording.actions(run.id) if action.kind == "fill"}
        assert {"{{site.order_number_1}}", "{{site.your_code_1}}"} <= values
        held = {one.name: one.value for one in recording.variables(run.id)}
    assert held["site.order_number_1"] == number
    assert held["site.your_code_1"] == (None if secret else code)
    code_, out, _ = desk.sim("runs", "show", "last", "--variables", "--db", "a.db")
    assert code_ == 0
    assert re.search(rf"site\.order_number_1 +{number} +step 6: after 'Order number' +\d+", out), out
    assert re.search(r"site\.orders_1 +\d+ +step 6: address", out), out

    for identity in ("fresh", "reuse"):
        run = desk.replay("a.db", "--identity", identity)
        assert (run["verdict"], run["drift"]) == ("passed", None)
        who, order = served.tracked[-1]
        assert (who, order != number) == (run["username"], True)
        # What gives back what the site had told is a question: nobody has to see it again.
        assert run["writes"], run
        assert "/track" not in [one["url"] for one in run["writes"]]
    assert len({order for _, order in served.tracked}) == 3


@pytest.mark.table
def test_a_page_that_shows_no_code_any_more_stops_the_replay(
    desk: Desk, served: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.record([*ACCOUNT, *LOGIN, *ordering(served)])
    from tests.sites import office as module

    changed = module.ORDER.replace("<dt>Order number</dt>", "<dt>Receipt</dt>")
    monkeypatch.setattr(module, "ORDER", changed)
    run = desk.replay("a.db", "--identity", "fresh")
    assert run["verdict"] == "postcondition"
    assert "one code after 'Order number'" in run["drift"]["expected"]
    assert len(served.tracked) == 1


@pytest.mark.slow
def test_an_address_of_words_and_chance_is_the_one_that_the_note_has_now(desk: Desk, served: Office) -> None:
    served.slugs = True
    note = [
        call("fill", selector="Note", value="{{identity.display_name}} was here"),
        call("click", selector='role=button[name="Keep note"]'),
        call("fill", selector="Text", value="Gone again"),
        call("click", selector='role=button[name="Change"]'),
    ]
    desk.record([*ACCOUNT, *LOGIN, *note])
    (slug,) = served.named
    with Recording.open(desk.folder / "a.db") as recording:
        (run,) = recording.runs()
        last = recording.actions(run.id)[-1]
        assert last.after is not None
        assert last.after.url == "/notes/{{identity.display_name.slug}}-{{site.notes_1}}"
        assert last.target is not None
        assert last.target.form == "post /notes/{{identity.display_name.slug}}-{{site.notes_1}}/again"
        known = Bindings({one.name: one.value for one in recording.variables(run.id) if one.value is not None})
        (made,) = made_things(recording, run.id, known)
        assert (made.kind, made.url, made.own) == ("note", last.after.url, True)
        assert made.texts == {"Note": "{{identity.display_name}} was here"}
    served.requests.clear()
    run = desk.replay("a.db", "--identity", "fresh", "--seed", "3")
    assert (run["verdict"], run["drift"]) == ("passed", None)
    assert [text for _, text in served.notes.values()] == ["Gone again"] * 2
    assert len(served.named) == 2
    assert not any(
        slug.rpartition("-")[0] in request for request in served.requests[served.requests.index("GET /") :][20:]
    )


@pytest.mark.table
def test_another_actor_visits_what_the_first_one_made(desk: Desk, served: Office) -> None:
    def visit(request: Any) -> Reply:
        return call("navigate", url=f"/notes/{next(reversed(served.notes))}")

    second = {"Username": "{{identity.username}}b", "Name": "{{identity.display_name}}"}
    second |= {"E-mail": "b.{{identity.email}}", "Password": "{{secret.password}}"}
    desk.record(
        [
            *ACCOUNT,
            *LOGIN,
            call("fill", selector="Note", value="Good day"),
            call("click", selector='role=button[name="Keep note"]'),
            call("switch_user", name="friend"),
            call("navigate", url="/register"),
            call("fill_form", values=second),
            call("click", selector='role=button[name="Create account"]'),
            call("fill_form", values={"Username": "{{identity.username}}b", "Password": "{{secret.password}}"}),
            call("click", selector='role=button[name="Log in"]'),
            visit,
            call("fill", selector="Text", value="Seen"),
            call("click", selector='role=button[name="Change"]'),
        ]
    )
    with Recording.open(desk.folder / "a.db") as recording:
        (run,) = recording.runs()
        visited = [action.value for action in recording.actions(run.id) if action.kind == "goto"]
    assert visited[-1] == "/notes/{{site.notes_1}}"
    run = desk.replay("a.db", "--identity", "fresh")
    assert (run["verdict"], run["drift"]) == ("passed", None)
    assert [text for _, text in served.notes.values()] == ["Seen", "Seen"]


def visiting(office: Office, way: str = "") -> list[Any]:
    """Keep a note, visit it by the number that the model has read, and change it."""

    def visit(request: Any) -> Reply:
        return call("navigate", url=f"{'/note?id=' if office.asks else '/notes/'}{max(office.notes)}{way}")

    return [
        call("fill", selector="Note", value="{{identity.display_name}} came in"),
        call("click", selector='role=button[name="Keep note"]'),
        visit,
        call("fill", selector="Text", value="{{identity.display_name}} left"),
        call("click", selector='role=button[name="Change"]'),
    ]


@pytest.mark.table
@pytest.mark.parametrize(
    ("listed", "way"),
    [pytest.param(True, "", marks=pytest.mark.slow), pytest.param(True, "/again", marks=pytest.mark.slow), (False, "")],
)
def test_an_address_that_is_visited_is_read_from_the_link_that_told_it(
    desk: Desk, served: Office, listed: bool, way: str
) -> None:
    served.stays, served.lists = True, listed
    desk.record([*ACCOUNT, *LOGIN, *visiting(served, way)])
    before = dict(served.notes)
    assert [text.rpartition(" ")[2] for _, text in before.values()] == ["left"]
    run = desk.replay("a.db", "--identity", "fresh")
    assert before.items() <= served.notes.items(), "nobody else's note is changed"
    told = [(who, text.rpartition(" ")[2]) for who, text in served.notes.values()]
    if listed:
        assert run["verdict"] == "passed"
        assert told[1:] == [(run["username"], "left")]
    else:
        assert run["verdict"] == "unbound_text"
        assert "no page and no link showed" in run["drift"]["found"]
        assert told[1:] == [(run["username"], "in")]


@pytest.mark.table
@pytest.mark.parametrize("listed", [True, False])
def test_an_id_in_a_query_is_read_from_the_link_that_told_it(desk: Desk, served: Office, listed: bool) -> None:
    served.stays, served.asks, served.lists = True, True, listed
    desk.record([*ACCOUNT, *LOGIN, *visiting(served)])
    before = dict(served.notes)
    run = desk.replay("a.db", "--identity", "fresh")
    assert before.items() <= served.notes.items(), "nobody else's note is changed"
    assert run["verdict"] == ("passed" if listed else "unbound_text")
    assert [who for who, _ in served.notes.values()][1:] == [run["username"]]


@pytest.mark.slow
def test_an_address_that_nothing_told_is_the_same_on_a_site_in_the_same_state(desk: Desk, served: Office) -> None:
    served.stays, numbers = True, copy(served.numbers)
    desk.record([*ACCOUNT, *LOGIN, *visiting(served)])
    kept = dict(served.notes)
    served.users.clear()
    served.notes.clear()
    served.numbers = numbers
    assert desk.replay("a.db")["verdict"] == "passed"
    assert served.notes == kept


@pytest.mark.slow
@pytest.mark.parametrize("leads", ["history.replaceState(null, '', '/draft/kept')", "location.assign('/draft/kept')"])
def test_an_address_that_a_script_puts_off_is_waited_for(desk: Desk, served: Office, leads: str) -> None:
    served.leads = leads
    desk.record([*ACCOUNT, *LOGIN, call("navigate", url="/draft"), call("fill", selector="Draft", value="A lamp")])
    served.delay = 1500
    run = desk.replay("a.db", "--identity", "fresh")
    assert (run["verdict"], run["drift"]) == ("passed", None)
