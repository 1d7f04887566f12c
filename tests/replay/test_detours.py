"""Attempts that the site rejected are taken out, and nothing else."""

from __future__ import annotations

from dataclasses import replace

from simulator.browser.evidence import Target
from simulator.recording.rows import ActionRow
from simulator.replay.detours import drop_detours, is_rejected
from tests.replay.rows import action, field, page, submit

TAKEN = "Username is taken"


def fill(name: str, value: str, aimed: Target | None = None) -> ActionRow:
    return action("fill", aimed or field(name), value=value)


def dropped(*actions: ActionRow) -> list[tuple[int, str]]:
    kept, gone = drop_detours(actions)
    assert kept == {one.id for one in actions} - {one.id for one, _ in gone}
    return [(actions.index(one), reason) for one, reason in gone]


def test_what_was_accepted_at_once_is_kept() -> None:
    assert dropped(fill("title", "Emma"), fill("price", "3"), submit(url="/books/7")) == []


def test_a_rejected_submission_goes_with_what_was_corrected() -> None:
    actions = (fill("title", "Emma"), fill("price", "-3"), submit(TAKEN), fill("price", "3"), submit(url="/books/7"))
    assert dropped(*actions) == [(1, "corrected later"), (2, f"the site rejected it: {TAKEN}")]


def test_what_is_typed_after_what_a_field_holds_corrects_nothing() -> None:
    more = action("type", field("title"), value=" Woodhouse")
    actions = (fill("title", "Emma"), submit("Too short"), more, submit(url="/books/7"))
    assert [place for place, _ in dropped(*actions)] == [1]


def test_what_is_pressed_and_sends_nothing_was_no_attempt() -> None:
    option = submit().target
    assert option
    option = option.model_copy(update={"tag": "li", "role": "option", "type": "", "name": "Editor"})
    out, in_again = (action("click", option, settled="changed", after=page("/", *said)) for said in (("None",), ()))
    assert not is_rejected(out)
    assert dropped(out, in_again, submit(url="/books/7")) == []


def test_it_is_corrected_more_than_once() -> None:
    actions = (
        fill("price", "a"),
        submit("No number"),
        fill("price", "b"),
        submit("No number"),
        fill("price", "3"),
        submit(url="/books/7"),
    )
    assert [place for place, _ in dropped(*actions)] == [0, 1, 2, 3]


def test_a_rejection_that_was_never_mended_is_kept() -> None:
    assert dropped(fill("price", "a"), submit("No number"), action("goto", value="/", after=page("/"))) == []


def test_a_form_that_was_opened_anew_holds_nothing_of_before() -> None:
    actions = (
        action("goto", value="/books/new", settled="navigated", after=page()),
        fill("title", "Emma"),
        fill("price", "a"),
        submit("No number"),
        action("goto", value="/books/new", settled="navigated", after=page()),
        fill("title", "Emma"),
        fill("price", "3"),
        submit(url="/books/7"),
    )
    assert dropped(*actions) == [
        (1, "the form was opened anew"),
        (2, "the form was opened anew"),
        (3, "the site rejected it: No number"),
    ]


def test_fields_of_other_forms_are_kept() -> None:
    search = field("q", form="get /books")
    actions = (fill("q", "x", search), fill("price", "a"), submit("No"), fill("q", "y", search), fill("price", "3"))
    assert [place for place, _ in dropped(*actions, submit(url="/books/7"))] == [1, 2]


def test_an_alert_that_was_there_before_rejects_nothing() -> None:
    assert is_rejected(submit(TAKEN))
    assert not is_rejected(submit(TAKEN, before=(TAKEN,)))
    assert not is_rejected(fill("price", "3"))
    assert is_rejected(action("press", field("price"), value="Enter", before=page(), after=page("/books/new", "No")))


def test_the_same_button_of_another_form_mends_nothing() -> None:
    assert dropped(submit(TAKEN), submit(url="/", form="post /account/login")) == []


def test_a_field_whose_label_now_says_what_is_wrong_is_the_same_field() -> None:
    actions = (
        fill("price", "a"),
        submit("No number"),
        fill("price", "3", field("price", label="Price Give a number")),
        submit(url="/books/7"),
    )
    assert [place for place, _ in dropped(*actions)] == [0, 1]


def test_a_pointer_on_the_bare_page_proves_nothing_and_is_left_out() -> None:
    bare = Target(tag="main", role="main")
    idle = action("hover", bare, before=page("/books"), after=page("/books"))
    menu = action("hover", Target(tag="button", role="button", name="Menu"), before=page("/"), after=page("/"))
    click = action("click", bare, before=page("/books"), after=page("/books"))
    asked = action("hover", bare, before=page("/books"), after=replace(page("/books"), requests=(("GET", "/x", 200),)))
    gone = action("hover", bare, before=page("/books"), after=page("/"), settled="navigated")
    assert dropped(idle, menu, click, asked, gone) == [(0, "the pointer rested on the bare page")]


def test_what_the_page_says_of_each_submission_is_no_rejection() -> None:
    first, second = submit("Task 'Emma' was added"), submit("Task 'Kim' was added")
    assert first.after
    assert second.after
    second = replace(second, before=first.after)
    assert dropped(fill("title", "Emma"), first, fill("title", "Kim"), second) == []
    shown = replace(second, after=first.after, before=first.after)
    assert dropped(fill("title", "Emma"), first, fill("title", "Kim"), shown) == []


def test_what_a_script_sent_and_the_site_took_was_not_rejected() -> None:
    taken, refused = (("POST", "/tasks", status) for status in (201, 422))
    sent = submit("Saved")
    assert sent.after
    for request, rejected in ((taken, False), (refused, True)):
        assert is_rejected(replace(sent, settled="changed", after=replace(sent.after, requests=(request,)))) is rejected
