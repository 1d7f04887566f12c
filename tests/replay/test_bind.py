"""Who performs a recording, with which values, and what keeps a run from being performed at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from simulator.bindings import Bindings
from simulator.browser.evidence import Scope, Target
from simulator.errors import RecordingError, ToolError
from simulator.persona import Persona, draw_identity
from simulator.recording.rows import ActionRow, DependencyRow, VariableRow
from simulator.replay.bind import (
    Part,
    bind_files,
    bind_identity,
    find_blockers,
    for_others,
    shared_variables,
    values_of,
)
from simulator.replay.plan import Plan, PlannedStep
from simulator.replay.residue import RecordedRows
from tests.replay.rows import action, field, run, step, variable

pytest.importorskip("simulator.packs.bookshop", reason="its users list books")

PERSONA = Persona.model_validate(
    {"persona": "seller", "about": "Sells.", "locale": "en_GB", "tasks": ["register", {"list_books": {"count": 2}}]}
)
IDENTITY = draw_identity(PERSONA, seed="7", number=1)
TITLE = IDENTITY.books[0].title


def plan(
    *actions: ActionRow,
    id: str = "run-1",
    number: int = 1,
    variables: Sequence[VariableRow] = (),
    needs: Sequence[str] = (),
    refused: str = "",
) -> Plan:
    identity = draw_identity(PERSONA, seed="7", number=number)
    row = run(
        id=id,
        number=number,
        identity=identity.model_dump(mode="json"),
        environment={"persona": PERSONA.model_dump(mode="json", exclude_unset=True)},
    )
    uses = tuple(DependencyRow(id, "step-0", producer, None, "user.1.book.1.title") for producer in needs)
    return Plan(row, (PlannedStep(step(), actions, (), uses),), (), tuple(variables), refused)


def part(*actions: ActionRow, **given: Any) -> Part:
    return bind_identity(plan(*actions, **given), "same", "7")


def test_the_recorded_user_performs_unless_a_fresh_one_is_wanted() -> None:
    assert bind_identity(plan(), "same", "9").identity == IDENTITY
    assert bind_identity(plan(), "fresh", "9").identity == draw_identity(PERSONA, seed="9", number=1)


def test_without_an_identity_or_a_persona_nobody_can() -> None:
    with pytest.raises(RecordingError, match="without an identity"):
        bind_identity(Plan(run(), (), (), ()), "same", "7")
    with pytest.raises(RecordingError, match="no fresh user can be drawn"):
        bind_identity(Plan(run(identity=IDENTITY.model_dump(mode="json")), (), (), ()), "fresh", "7")


def test_what_cannot_be_read_is_told() -> None:
    with pytest.raises(RecordingError, match="run-1 holds no identity that this program can read: "):
        bind_identity(Plan(run(identity={"username": 7}), (), (), ()), "same", "7")
    broken = run(identity=IDENTITY.model_dump(mode="json"), environment={"persona": {"persona": "x", "tasks": [{}]}})
    with pytest.raises(RecordingError, match="holds no persona that this program can read: about, locale, tasks"):
        bind_identity(Plan(broken, (), (), ()), "fresh", "7")


def test_the_recorded_user_keeps_the_name_that_was_taken_at_the_site() -> None:
    taken = [variable("identity.username", "anna.2")]
    assert values_of(part(variables=taken), "same")["identity.username"] == "anna.2"
    fresh = bind_identity(plan(variables=taken), "fresh", "9")
    assert values_of(fresh, "fresh")["identity.username"] == fresh.identity.username


def test_others_know_names_and_books_but_no_more() -> None:
    shared = shared_variables(3, IDENTITY.variables(), IDENTITY.naming)
    assert shared["user.3.username"] == IDENTITY.username
    assert shared["user.3.book.1.title"] == TITLE
    assert not any(name.endswith((".email", ".price")) for name in shared)


def test_what_a_user_knows_of_others_is_not_given_to_others_as_its_own() -> None:
    known = {"tool.2.title": "Border spade", "tool.2.price": "4.00", "user.1.book.1.title": "Emma"}
    assert shared_variables(2, known, {}) == {"user.2.tool.2.title": "Border spade"}


def test_words_that_no_variable_stands_for_are_not_said_by_a_fresh_user() -> None:
    said = part(action("fill", field("message"), value=f"Is {TITLE} still there?"))
    assert find_blockers([said], "same") == {}
    report = find_blockers([said], "fresh")["run-1"]
    assert (report.verdict, report.step) == ("unbound_text", 1)
    assert TITLE in report.found
    assert "{{book.1.title}}" in report.found


def test_words_of_other_users_are_not_said_either() -> None:
    other = part(id="run-2", number=2)
    said = part(action("goto", value=f"/sellers/{other.identity.username}"))
    assert find_blockers([said, other], "fresh").keys() == {"run-1"}


def test_a_card_need_not_show_a_fresh_user_the_words_of_the_recorded_one() -> None:
    author = IDENTITY.variables()["book.1.author"]
    words = ("{{book.1.title}}", "In the cellar", f"{author} · £7.00 · Good")
    card = Scope(kind="card", role="listitem", texts=words[:1], words=words, titles=1)
    pressed = part(action("click", Target(tag="a", role="link", name="Edit", scopes=(card,))))
    (performed,) = for_others(pressed, [pressed]).plan.steps[0].actions
    assert performed.target is not None
    assert (performed.target.scopes[0].words, performed.target.scopes[0].titles) == (words[:2], 1)


@pytest.mark.parametrize("whose", ["", "user.2."])
def test_what_a_row_of_others_says_need_not_stand_in_a_card_that_is_called_after_it(whose: str) -> None:
    others = part(id="run-2", number=2)
    row = (IDENTITY if not whose else others.identity).books[0]
    title, shelf = f"{{{{{whose}book.1.title}}}}", "On the top shelf"
    words = (title, row.condition.replace("-", " ").capitalize(), shelf)
    card = Scope(kind="card", role="listitem", texts=(*words, "£3.40"), tells=2, words=words, titles=1)
    pressed = part(action("click", Target(tag="a", role="link", name="Edit", scopes=(card,))))
    (performed,) = for_others(pressed, [pressed, others]).plan.steps[0].actions
    assert performed.target is not None
    (left,) = performed.target.scopes
    assert (left.words, left.titles) == ((title, shelf), 1)
    assert left.texts[: left.tells] == (title,)
    named = card.model_copy(update={"texts": ("The top shelf", *words[1:])})
    alone = part(
        action(
            "click", Target(tag="a", role="link", name="Edit", scopes=(named.model_copy(update={"words": words[1:]}),))
        )
    )
    (performed,) = for_others(alone, [alone, others]).plan.steps[0].actions
    assert performed.target is not None
    assert performed.target.scopes[0].words == words[1:], "nothing says that it is of that row"


@pytest.mark.parametrize(
    ("texts", "tells", "told"),
    [
        (("£7.50", "{{user.2.display_name}}"), 2, ("{{user.2.display_name}}",)),
        (("£7.50", "Atlas", "{{user.2.display_name}}"), 1, ("{{user.2.display_name}}",)),
        (("£7.50", "Atlas"), 2, ("£7.50", "Atlas")),
        (("Volume 2", "{{user.2.display_name}}"), 2, ("Volume 2", "{{user.2.display_name}}")),
    ],
)
def test_a_number_tells_no_card_of_another_user_that_a_variable_tells(
    texts: tuple[str, ...], tells: int, told: tuple[str, ...]
) -> None:
    words = tuple(text for text in texts if "£" not in text)
    card = Scope(
        kind="card", role="row", texts=texts, tells=tells, words=words, numbered=any("£" in one for one in texts)
    )
    another = card.for_another(lambda _: False)
    assert another.texts[: another.tells] == told
    assert sorted(another.texts) == sorted(texts)


def test_a_word_beside_a_variable_that_is_another_users_value_is_not_sought() -> None:
    values = {"note.1.title": "Leeds 4", "note.1.shelf": "Garten", "note.1.mood": "sehr gut"}
    of = RecordedRows(values).named_in(("{{note.1.title}}",))
    words = ("Garten ({{identity.username}})", "Boats, sehr gut: {{note.1.title}}", "{{note.1.title}}, Garten")
    card = Scope(kind="card", role="row", texts=words, words=words, stems=("garten", "boats"))
    assert card.for_another(of).stems == ("boats",)
    whole = Scope(
        kind="card",
        role="row",
        texts=("Sehr gut ({{user.2.name}})",),
        words=("Sehr gut ({{user.2.name}})",),
        stems=("sehr", "gut"),
    )
    assert whole.for_another(of).stems == ()
    assert whole.for_another(lambda _: False).stems == ("sehr", "gut")


@pytest.mark.parametrize("put_in", ["Reading Violet", "Reading, Violet", "Violet;Reading"])
def test_a_value_that_is_shown_by_its_members_is_another_users(put_in: str) -> None:
    said = "The tide is low from noon on, and nobody has to wait for the ferry any more."
    rows = RecordedRows({"note.1.title": "Leeds 4", "note.1.tags": put_in, "note.1.about": f"{said} Anna has seen it."})
    words = ("{{note.1.title}}", "Reading", "Violet", "Red", said)
    of = rows.named_in(words)
    card = Scope(kind="card", role="div", texts=words, tells=3, words=words, titles=4)
    left = card.for_another(of)
    assert (left.words, left.titles, left.texts[: left.tells]) == (("{{note.1.title}}", "Red"), 2, words[:1])
    alone = rows.named_in(("{{note.1.title}}", "Violet", "Red"))
    assert not alone("Violet"), "the site may say a single word of it by itself"
    assert not of("The tide"), "a text that was cut off is long"


def test_a_line_of_a_value_is_another_users_also_without_its_number_and_with_other_quotes() -> None:
    about = "Serves in winter's frost; on hook no. 69.\nOil it before autumn."
    of = RecordedRows({"note.1.title": "Leeds 4", "note.1.about": about}).named_in(("{{note.1.title}}",))
    words = (
        "{{note.1.title}}",
        "Serves in winter\u2019s frost; on hook no. #",
        "Oil it before autumn.",
        "Serves",
        "# oars",
    )
    assert [one for one in words if of(one)] == [words[1], words[2]]


def test_a_line_of_another_row_that_was_put_into_a_thing_is_another_users() -> None:
    values = {
        "note.1.title": "Leeds 4",
        "note.2.title": "Hull 9",
        "note.2.about": "Serves at low tide, on hook no. 69.",
    }
    of = RecordedRows(values).named_in(("{{note.1.title}}",))
    assert of("Serves at low tide, on hook no. #")
    assert not of("Hull #"), "a few words may be anybody's"


def test_another_users_value_beside_a_variable_does_not_say_whose_menu_it_is() -> None:
    of = RecordedRows({"note.1.title": "Leeds 4", "note.1.shelf": "Garten"}).named_in(("{{note.1.title}}",))
    texts = ("{{note.1.title}}", "Garten ({{identity.username}})", "Garten")
    opener = Scope(kind="opener", texts=texts, names=True)
    assert opener.for_another(of).texts == ("{{note.1.title}}", "{{identity.username}})")


def test_variables_may_be_said() -> None:
    said = part(action("fill", field("message"), value="Is {{book.1.title}} still there?"))
    assert find_blockers([said], "fresh") == {}


@pytest.mark.parametrize("policy", ["same", "fresh"])
def test_a_text_that_was_withheld_is_not_made_up(policy: Any) -> None:
    typed = part(action("fill", field("code", secret=True), value="{{secret.withheld}}"))
    assert find_blockers([typed], policy)["run-1"].verdict == "unbound_text"


def test_what_needs_a_run_that_is_not_performed_is_not_performed() -> None:
    whole = part(id="run-1")
    cut = part(id="run-2", refused="step 3 was interrupted")
    needs = part(id="run-3", needs=["run-1", "run-2"])
    needs_that = part(id="run-4", needs=["run-3"])
    needs_none = part(id="run-5", needs=["run-9"])
    found = find_blockers([needs_that, needs, whole, cut, needs_none], "same")
    assert {run_id: report.verdict for run_id, report in found.items()} == {
        "run-2": "interrupted",
        "run-3": "missing_dependency",
        "run-4": "missing_dependency",
        "run-5": "missing_dependency",
    }
    assert "run-2" in found["run-3"].found
    assert "run-1" not in found["run-3"].found


def test_what_needs_a_run_is_content_with_a_revision_of_it() -> None:
    made = part(id="run-1")
    revised = replace(made, plan=replace(made.plan, run=replace(made.run, id="run-9", source_run="run-1", revision=2)))
    assert find_blockers([revised, part(id="run-3", needs=["run-1"])], "same") == {}


class Cover:
    def __init__(self, url: str) -> None:
        self.address = url


class Covers:
    """Gives so many covers, and remembers what it was asked for."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.asked: list[tuple[str, int]] = []

    async def find(self, query: str, count: int) -> list[Cover]:
        self.asked.append((query, count))
        return [Cover(f"cover:{number}") for number in range(self.count)]


FILES = [variable(f"file.cover_{n}", f"cover:old{n}", kind="file", step_id="step-0") for n in (1, 2, 3)]
SEARCH = step(replay="result", input={"query": "{{book.1.title}}"}, metadata={"variables": [one.name for one in FILES]})


async def test_the_recorded_covers_are_given_to_the_recorded_user() -> None:
    bindings, covers = Bindings(), Covers(0)
    await bind_files(SEARCH, part(variables=FILES), "same", bindings, covers)
    assert bindings.values() == {one.name: one.value for one in FILES}
    assert covers.asked == []


async def test_a_fresh_user_gets_covers_of_the_new_books() -> None:
    bindings, covers = Bindings({"book.1.title": "Emma"}), Covers(2)
    await bind_files(SEARCH, part(variables=FILES), "fresh", bindings, covers)
    assert covers.asked == [("Emma", 3)]
    assert [bindings.get(one.name) for one in FILES] == ["cover:0", "cover:1", "cover:0"]


async def test_no_cover_is_an_error_and_a_step_without_files_asks_for_none() -> None:
    with pytest.raises(ToolError, match="no picture for 'Emma'"):
        await bind_files(SEARCH, part(variables=FILES), "fresh", Bindings({"book.1.title": "Emma"}), Covers(0))
    covers = Covers(1)
    await bind_files(step(), part(), "fresh", Bindings(), covers)
    assert covers.asked == []
