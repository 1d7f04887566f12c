"""The difference of two readings of a page, and how it is told."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from simulator.tools.difference import applied, edit_lines, edits, page_lines, same_document

FORM = """\
- banner [ref=e1]
  - link "Shop" [ref=e2] -> /
- main [ref=e3]
  - form "Sell" [ref=e4]
    - textbox "Title" [ref=e5]
    - textbox "Price" [ref=e6]
    - button "Sell" [ref=e7]
  - list
    - listitem
      - link "Emma" [ref=e8] -> /books/1
      - button "Save" [ref=e9]""".splitlines()

texts = st.sampled_from(['"a"', '"b"', 'heading "c [ref=e1]"', "list"]) | st.builds(
    'button "{}" [ref=e{}]'.format, st.sampled_from("xyz"), st.integers(1, 9)
)


@st.composite
def readings(draw: st.DrawFn) -> list[str]:
    """A tree as a page is read: no line is more than one level below the one before."""
    lines: list[str] = []
    depth = -1
    for text in draw(st.lists(texts, max_size=20)):
        depth = draw(st.integers(0, depth + 1))
        lines.append(f"{'  ' * depth}- {text}")
    return lines


@given(readings(), readings())
def test_what_was_before_and_the_difference_are_what_is_after(before: list[str], after: list[str]) -> None:
    assert applied(before, edits(before, after)) == after


@given(readings(), readings())
def test_all_that_is_new_is_told(before: list[str], after: list[str]) -> None:
    changes = edits(before, after)
    told = {line.lstrip(" ")[2:] for line in edit_lines(before, changes) if line.lstrip(" ")[:2] in ("+ ", "~ ")}
    new = {line.lstrip(" ").removeprefix("- ") for change in changes for line in change.lines}
    here = {line.lstrip(" ").removeprefix("- ") for line in before}
    assert new - here <= told <= new, "what is new, and nothing that is not on the page"


@given(readings())
def test_nothing_is_told_of_what_is_as_it_was(reading: list[str]) -> None:
    assert edit_lines(reading, edits(reading, reading)) == []


@given(readings(), readings())
def test_another_page_is_told_but_for_its_frame(before: list[str], after: list[str]) -> None:
    frame = ["- banner [ref=e90]", '  - link "Shop" [ref=e91] -> /', '  - "[ref=e2]"']
    later = ["- banner [ref=e92]", '  - link "Shop" [ref=e93] -> /', '  - "[ref=e2]"']
    assert page_lines([*frame, *before], [*later, *after]) == ["- banner [ref=e92] (as before: 2 lines inside)", *after]
    other = [*later[:-1], '  - "[ref=e3]"']
    assert page_lines([*frame, *before], [*other, *after]) == [*other, *after], "what a page says is no reference"


def test_a_field_that_was_filled_is_one_line_with_its_place() -> None:
    after = [line.replace('"Title" [ref=e5]', '"Title" [ref=e5]: "Emma"') for line in FORM]
    assert edit_lines(FORM, edits(FORM, after)) == ['in form "Sell" [ref=e4]', '~ textbox "Title" [ref=e5]: "Emma"']


def test_what_has_gone_is_told_by_its_first_line() -> None:
    after = [*FORM[:7], '  - status "1 book sold"']
    assert edit_lines(FORM, edits(FORM, after)) == [
        "in main [ref=e3]",
        '+ status "1 book sold"',
        "- list (and 3 lines inside)",
    ]


def test_what_came_keeps_its_shape() -> None:
    after = [*FORM, "    - listitem", '      - link "Ivanhoe" [ref=e10] -> /books/2']
    assert edit_lines(FORM, edits(FORM, after)) == [
        "in list",
        "+ listitem",
        '  + link "Ivanhoe" [ref=e10] -> /books/2',
    ]


def test_the_marked_place_of_a_navigation_does_not_make_it_another() -> None:
    frame = ["- navigation [ref=e1]", '  - link "A" [current] [ref=e2]', '  - link "B" [ref=e3]']
    later = ["- navigation [ref=e4]", '  - link "A" [ref=e5]', '  - link "B" [current] [ref=e6]']
    assert page_lines(frame, later) == ["- navigation [ref=e4] (as before: 2 lines inside)"]


def test_a_document_is_known_by_the_references_that_it_gave_out() -> None:
    other = [re.sub(r"ref=e(\d+)", r"ref=e1\1", line) for line in FORM]
    assert same_document(FORM, FORM[3:])
    assert not same_document(FORM, other)
    assert not same_document(FORM, [*other, '- "a text that says [ref=e5]"'])
