"""What belongs to a repair, what of it the site took, and what later steps need: by rows alone, without a browser."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from simulator.bindings import Bindings
from simulator.browser.acting.sightings import SHOWS, Sightings
from simulator.browser.effects.model import Carried
from simulator.canonical import sha256
from simulator.recording.redoing import Redone
from simulator.recording.rows import ActionRow, StepRow, VariableRow, WriteRow
from simulator.replay.drift import Drift, DriftReport, Verdict
from simulator.replay.effects.expected import Expected
from simulator.replay.plan import Plan, PlannedStep
from simulator.runner.repairs.repair import Repair
from simulator.runner.repairs.repair_check import Verified, flows_of
from simulator.runner.repairs.repair_effect import repairable, taken_write
from simulator.runner.repairs.repair_ending import Ending
from simulator.runner.repairs.repair_pairing import elsewhere, too_few_files, unnamed
from simulator.runner.repairs.repair_rows import redone
from simulator.runner.repairs.repair_segment import Segment, needed_by, segment_of
from simulator.runner.repairs.repair_words import words_of_owed
from simulator.runner.repairs.repairing import RunRepairer
from simulator.runner.replays.progress import Progress
from simulator.runner.spending import Spending
from tests.replay.rows import action, field, page, run, step, submit, target, variable

pytestmark = pytest.mark.promise("a model repairs a replay")

REPORT = DriftReport("target_missing", "run-1", 3, "fill_form", "a button", "none")


def planned(one: StepRow, *actions: Any) -> PlannedStep:
    return PlannedStep(one, actions)


def sent_by(one: ActionRow) -> WriteRow:
    put = (Carried("title", one.id),)
    return WriteRow(f"write-{one.id}", "run-1", one.id, 0, "document", "POST", "/books/new", "", 302, "/books/7", put)


def plan_of(steps: list[PlannedStep], **summary: Any) -> Plan:
    return Plan(run(summary=summary or None), tuple(steps), (), ())


def tasks(*names: str | None) -> tuple[list[StepRow], list[PlannedStep]]:
    steps = [step(at, task=name) for at, name in enumerate(names)]
    return steps, [planned(one, action("fill", field("title"), value="Emma", step_id=one.id)) for one in steps]


@pytest.mark.parametrize(
    ("names", "ends", "failed", "found"),
    [
        (["register", "list_books 1/2", "list_books 1/2", "list_books 2/2"], [], 2, (1, 2)),
        (["do", "do", "do", "do"], [2, 4], 1, (0, 1)),
        (["do", "do", "do", "do"], [2, 4], 3, (2, 3)),
        (["do", "do"], [], 0, (0, 1)),
    ],
)
def test_a_task_or_its_part_is_repaired_and_no_other(
    names: list[str], ends: list[int], failed: int, found: tuple[int, int]
) -> None:
    steps, own = tasks(*names)
    segment = segment_of(plan_of(own, ends=ends), steps, own[failed])
    first, last = found
    assert [one.step.ordinal for one in (*segment.before, *segment.open)] == list(range(first, last + 1))
    assert [one.ordinal for one in segment.out] == list(range(failed, last + 1))
    assert segment.task == names[failed]


def test_without_tasks_it_goes_on_to_the_next_write() -> None:
    steps, own = tasks(None, None, None, None, None)
    writes = {one.id: [sent_by(one)] for one in (own[0].actions[0], own[3].actions[0])}
    segment = segment_of(replace(plan_of(own), expected=Expected(writes=writes)), steps, own[2])
    assert [one.step.ordinal for one in segment.before] == [1]
    assert [one.ordinal for one in segment.out] == [2, 3]
    (owed,) = segment.owed
    assert (owed.action.step_id, owed.fields) == (steps[3].id, {"title": "Emma"})
    assert words_of_owed(owed, str) == "what POST /books/new sends, with title 'Emma'"


def test_a_step_needs_what_no_address_before_gives() -> None:
    to_edit = action("click", target(name="Edit {{book.1.title}}"), after=page("/books/{{site.books_1}}/edit"))
    visit = action("goto", value="/books/{{site.books_1}}")
    other = action("fill", field("note"), value="Order {{site.order_1}}, {{book.1.title.slug}}")
    assert needed_by(planned(step(), to_edit, visit, other)) == {"book.1.title", "site.order_1"}
    assert needed_by(planned(step(), visit, to_edit)) == {"site.books_1", "book.1.title"}


def saved(status: int) -> Any:
    """A press of a button by which a script sends something."""
    return action("click", target(form=""), after=page(requests=(("POST", "/books/7/save", status),)))


@pytest.mark.parametrize(
    ("sent", "taken"),
    [
        (submit(url="/books/{{site.books_1}}"), {("POST", "/books/new")}),
        (submit("Enter the ISBN."), None),
        (submit("The price is wrong.", before=("The price is wrong.",)), {("POST", "/books/new")}),
        (action("click", target(tag="a", form=""), after=page("/books"), settled="navigated"), None),
        (action("click", target(), after=page("/books/new", status=422), settled="navigated"), None),
        (saved(200), {("POST", "/books/{id}/save")}),
        (saved(500), None),
        (action("click", target(), after=page(), settled="quiet"), None),
        (action("click", target(), after=page("/thanks"), settled="navigated", status="cancelled"), None),
    ],
)  # fmt: skip
def test_what_the_site_took_is_told_by_its_answer(sent: Any, taken: set[tuple[str, str]] | None) -> None:
    write = taken_write(sent)
    assert (write and set(write.shapes)) == taken


def question(button: str, before: str, after: str) -> Any:
    aimed = target(name=button, form="post /pairs/new")
    return action("click", aimed, before=page(before), after=page(after), settled="navigated")


def test_a_question_in_between_is_one_flow_and_two_sendings_are_two() -> None:
    asked = question("Start", "/pairs/new", "/pairs/new")
    yes = question("Yes, do it", "/pairs/new", "/pairs/{{site.pairs_1}}")
    assert [flow.action for flow in flows_of([asked, yes])] == [yes]
    anew = question("Start", "/pairs/new", "/pairs/new")
    assert [flow.action for flow in flows_of([asked, anew])] == [asked, anew]
    made = question("Start", "/pairs/new", "/pairs/{{site.pairs_1}}")
    more = question("Yes, do it", "/pairs/{{site.pairs_1}}", "/pairs/{{site.pairs_2}}")
    assert [flow.action for flow in flows_of([made, more])] == [made, more]
    left = action("goto", value="/pairs/new", before=page("/pairs/new"), after=page("/pairs/new"))
    assert [flow.action for flow in flows_of([asked, left, yes])] == [asked, yes]


@pytest.mark.parametrize(
    ("verdict", "acting", "may"),
    [
        ("target_missing", True, True),
        ("target_ambiguous", True, True),
        ("target_contradicted", True, True),
        ("postcondition", True, True),
        ("postcondition", False, False),
        ("site_error", True, False),
        ("session_lost", True, False),
        ("data_collision", True, False),
        ("missing_dependency", False, False),
        ("unbound_text", True, False),
        ("environment", True, False),
    ],
)
def test_some_drifts_are_for_a_model_and_others_never(verdict: Verdict, acting: bool, may: bool) -> None:
    drift = Drift(DriftReport(verdict, "run-1", 3, "click", "a page", "another"))
    drift.action = submit() if acting else None
    assert repairable(drift) is may


def test_who_needs_what_a_repair_did_not_give_stops_and_is_told() -> None:
    visit = planned(step(4), action("goto", value="/books/{{site.books_1}}/edit"))
    bindings = Bindings({})
    worker: Any = SimpleNamespace(setup=SimpleNamespace(bindings=bindings))
    part: Any = SimpleNamespace(run=run())
    repairs: Any = None
    repairer = RunRepairer(
        repairs=repairs, part=part, worker=worker, progress=Progress(), lost={"site.books_1", "site.books_2"}
    )
    with pytest.raises(Drift, match=r"expected site\.books_1, which the recorded steps gave") as stopped:
        repairer.check(visit)
    assert stopped.value.report.verdict == "missing_dependency"
    bindings.set("site.books_1", "7")
    repairer.check(visit)
    assert repairer.lost == {"site.books_2"}


def test_others_are_told_by_their_names_for_it() -> None:
    progress = Progress()
    progress.begin("run-1", 2, Bindings({}))
    assert progress.lost_by("run-1") == frozenset()
    progress.lose("run-1", {"site.books_1"})
    assert progress.lost_by("run-1") == {"user.2.site.books_1"}


def sent_to(form: str, name: str = "Send") -> Any:
    return action("click", target(name=name, form=form), before=page("/books/7"), after=page("/books/7"),
                  settled="navigated", step_id="step-3")  # fmt: skip


TO_A_USER = sent_to("post /sellers/{{user.1.username}}/message")
FOR_A_BOOK = sent_to("post /pairs/7", "Vote for {{user.1.book.1.title}}")


@pytest.mark.parametrize(
    ("recorded", "now", "told"),
    [
        (TO_A_USER, [sent_to("post /sellers/ann/message")], ""),
        (TO_A_USER, [sent_to("post /confirm"), sent_to("post /sellers/ann/message")], ""),
        (TO_A_USER, [sent_to("post /sellers/ben/message")], "one that was sent to post /sellers/ben/message"),
        (FOR_A_BOOK, [sent_to("post /pairs/7", "Vote for Emma"), sent_to("post /pairs/7", "Yes")], ""),
        (FOR_A_BOOK, [sent_to("post /pairs/7", "I prefer Emma")], ""),
        (FOR_A_BOOK, [sent_to("post /pairs/7", "Vote for Persuasion")], "a press of Vote for Persuasion"),
    ],
)
def test_what_is_sent_goes_to_whom_it_went_and_is_about_what_it_was_about(
    recorded: Any, now: list[Any], told: str
) -> None:
    shown = Bindings({"user.1.username": "ann", "user.1.book.1.title": "Emma"}).shown
    assert elsewhere(recorded, now, shown) == told


def test_an_account_is_opened_under_the_users_own_names() -> None:
    name, mail = (action("fill", field(one), value=f"{{{{identity.{one}}}}}") for one in ("username", "email"))
    other = action("fill", field("username"), value="somebody")
    secret = action("fill", field("password", secret=True), value="{{secret.password}}")
    assert unnamed([name, mail, secret], [mail, secret, name]) == []
    assert unnamed([name, mail, secret], [mail, secret, other]) == ["{{identity.username}}"]
    assert unnamed([name, secret], [mail, secret]) == [], "one logs in by either"
    assert unnamed([name, secret], [other, secret]) == ["{{identity.username}}"]
    assert unnamed([name, mail], [other]) == [], "no secret, no account"


def test_a_form_that_was_opened_anew_gets_its_files_once_more() -> None:
    file, anew, sent = action("upload", field("cover")), action("goto", value="/books/new"), submit(url="/books/7")
    assert not too_few_files([file], [sent], [], [sent])
    assert too_few_files([file], [sent], [], [anew, sent])
    assert not too_few_files([file], [sent], [], [anew, file, sent])
    assert too_few_files([], [file, sent], [], [sent])
    assert not too_few_files([], [file, sent], [file], [sent])


def segment_with(one: StepRow, *actions: Any) -> Segment:
    return Segment("do", (), planned(one, *actions), (), (one,))


async def test_a_code_that_is_given_back_later_is_taken_from_the_page_that_shows_it() -> None:
    shows = {"site.order_1": {"action": 0, "words": "Order of {{identity.username}}"}}
    shows |= {"site.code_1": {"action": 0, "words": "Your code"}, "site.lost_1": {"action": 0, "words": "Ticket"}}
    bindings = Bindings({"identity.username": "ann"})
    codes = [["A-771", "Order of ann"], ["90210", "Your code"], ["T-1", "Ticket"], ["T-2", "Ticket"]]

    async def read() -> list[list[str]]:
        return codes

    kept: list[tuple[str, str | None]] = []
    resolver, reader = SimpleNamespace(sightings=Sightings(bindings)), SimpleNamespace(codes=read)
    actor: Any = SimpleNamespace(bindings=bindings, resolver=resolver, reader=reader)
    recorder: Any = SimpleNamespace(variables=SimpleNamespace(set=lambda name, value, **_: kept.append((name, value))))
    nothing: Any = None
    variables = [variable("site.order_1", "B-9", kind="site"), variable("site.code_1", None, kind="site")]
    done = action("click", target(), after=page("/thanks"), step_id="new")
    verified = Verified()
    segment = segment_with(step(3, flags={SHOWS: shows}))
    await Ending(actor, segment, nothing, recorder, variables, nothing).take_shown([done], verified)
    assert (bindings.get("site.order_1"), bindings.get("site.code_1")) == ("A-771", "90210")
    assert bindings.get("site.lost_1") is None, "two codes behind the same words are none"
    assert kept == [("site.order_1", "A-771"), ("site.code_1", None)], "what was secret is kept without its value"
    assert verified.shows["site.order_1"] == (done.id, shows["site.order_1"])


def uploaded(name: str, **given: Any) -> Any:
    options = {"source": "{{file.cover_1}}", "sha256": sha256(name), "name": name}
    return action("upload", field("cover"), value=sha256(name), options=options, **given)


def test_what_takes_the_place_of_steps_has_the_recorded_names_files_and_choices() -> None:
    failed = step(3, id="old", flags={SHOWS: {"site.order_1": {"action": 1, "words": "Order"}}})
    begun, new = step(0, id="begun"), step(1, id="new", metadata={"variables": ["file.cover_1"]})
    filled = action("fill", field("title"), value="{{choice.1}}", step_id="begun")
    missed = action("click", target(), step_id="begun", status="failed")
    put = uploaded("theirs.png", step_id="new")
    sent = action("click", target(), after=page("/books/{{site.books_2}}"), step_id="new")
    given = [
        variable("file.cover_1", "cover:b", kind="file", step_id="new"),
        variable("site.books_2", "7", kind="site", step_id="new", action_id=sent.id),
    ]
    recording: Any = SimpleNamespace(
        steps=lambda _: [begun, new], actions=lambda _: [filled, missed, put, sent], variables=lambda _: given,
        writes=lambda _: [replace(sent_by(sent), leads_to="/books/{{site.books_2}}"), sent_by(missed)],
        effects=lambda _: [],
    )  # fmt: skip
    known = [
        variable("choice.1", "Emma", kind="text", step_id="old"),
        variable("site.books_1", "3", kind="site", step_id="old"),
        variable("file.cover_1", "cover:a", kind="file", step_id="other"),
    ]
    verified = Verified({"site.order_1": (sent.id, {"action": 0, "words": "Order"})}, {"site.books_2": "site.books_1"})
    segment, own = segment_with(failed, filled), {"{{file.cover_1}}": uploaded("ours.png")}

    def taking(variables: list[VariableRow]) -> Redone:
        named = {one.name: one for one in variables}
        return redone(recording, "run-2", segment, "begun", {"new"}, verified, named, own)

    found = taking(known)
    (first, kept), (second, instead) = found.steps
    assert (first.id, [one.value for one in kept], first.flags) == ("old", ["Emma"], {SHOWS: {}})
    assert [one.after.url for one in instead if one.after] == ["/books/{{site.books_1}}"]
    assert second.flags[SHOWS]["site.order_1"] == {"action": 1, "words": "Order"}
    assert second.metadata == {"variables": ["file.cover_2"]}, "another step has the file of that name"
    assert [(one.name, one.value, one.step_id) for one in found.variables] == [
        ("file.cover_2", "cover:b", "new"),
        ("site.books_1", "7", "new"),
    ]
    assert [one.leads_to for one in found.writes] == ["/books/{{site.books_1}}"], "what was not done sent nothing"
    (upload, _) = taking(known[:2]).steps[1][1]
    assert (upload.value, upload.options["name"]) == (sha256("ours.png"), "ours.png"), "of the recorded user"


def test_a_repair_is_read_as_it_was_kept() -> None:
    repair = Repair(
        3, "click", "do", REPORT.sentence, ("click button 'Yes'",), "Done.", ("a message",), 2, Spending(1, ("m",))
    )
    assert Repair.of_summary(repair.as_summary()) == repair
    assert repair.sentence == f"step 3 (click) of do: {REPORT.sentence}; done by m in 2 calls"
