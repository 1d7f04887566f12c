"""What a selector may mean, before anything is looked for."""

from __future__ import annotations

import pytest

from simulator.browser.find import Find
from simulator.errors import ToolError
from simulator.tools.selectors import read_selector


@pytest.mark.parametrize(
    ("selector", "role", "name"),
    [
        ('role=button[name="Save"]', "button", "Save"),
        ("role=button[name='Save all']", "button", "Save all"),
        ("role=button[name=Save all]", "button", "Save all"),
        ("role=button[ name = Save ]", "button", "Save"),
        ("role=button[name=\"Say 'yes'\"]", "button", "Say 'yes'"),
        ('role=link[name="Part [2]"]', "link", "Part [2]"),
        ("role=main", "main", ""),
    ],
)
def test_a_role_and_its_name(selector: str, role: str, name: str) -> None:
    assert read_selector(selector) == (Find("role", role, name),)


@pytest.mark.parametrize(
    "selector",
    [
        "role=button[name=/sa/]",
        'role=button[name="Save" i]',
        "role=checkbox[checked]",
        'role=button[name="Save"] >> css=b',
        "role=button[name=Save",
        "role=button[name=]",
    ],
)
def test_a_role_with_anything_else_is_no_text_that_stands_on_a_page(selector: str) -> None:
    with pytest.raises(ToolError) as raised:
        read_selector(selector)
    assert raised.value.type == "invalid_input"
    assert 'role=button[name="Save"]' in raised.value.message


@pytest.mark.parametrize(
    ("selector", "field", "hows"),
    [
        ("Save", False, ["text", "css"]),
        ("Save", True, ["label", "text", "css"]),
        ("#save", False, ["css", "text"]),
        ("#save", True, ["css", "label", "text"]),
        ("text=#save", False, ["text"]),
        ("the role=button of it", False, ["text", "css"]),
    ],
)
def test_css_or_words(selector: str, field: bool, hows: list[str]) -> None:
    assert [find.how for find in read_selector(selector, field=field)] == hows
