"""Which field a secret goes into, as its evidence says. Pages and replays have tests of their own."""

from __future__ import annotations

from typing import Any

import pytest

from simulator.browser.acting.secret_fields import check_receiver
from simulator.browser.evidence import Press, Target
from simulator.errors import ToolError

SITE = "https://shop.example"
PASSWORD = Target(tag="input", type="password", secret=True, form="post /login", press=Press(sends="post /login"))


def refusal(target: Target | None, **places: Any) -> str:
    try:
        check_receiver(
            target,
            places.get("value", "{{secret.password}}"),
            at=places.get("at", f"{SITE}/login"),
            shown=f"{SITE}/login",
            origin=SITE,
            allowed=places.get("allowed", ""),
        )
    except ToolError as error:
        return f"{error.type}: {error.message}"
    return ""


@pytest.mark.parametrize("at", [f"{SITE}/login", f"{SITE}/frame"])
def test_it_goes_into_a_password_field_of_the_site(at: str) -> None:
    assert refusal(PASSWORD, at=at) == ""


@pytest.mark.parametrize(
    "sent",
    [
        {"form": "post https://elsewhere.example/login"},
        {"press": Press(sends="post https://elsewhere.example/login")},
        {"press": Press(sends="get http://shop.example/login")},
    ],
    ids=["its form", "the button that Enter presses", "the same host without encryption"],
)
def test_it_is_sent_to_the_site_alone(sent: dict[str, Any]) -> None:
    assert "a secret is only sent to https://shop.example" in refusal(PASSWORD.model_copy(update=sent))


def test_fields_that_are_made_for_something_else_get_none() -> None:
    note = Target(tag="input", type="text", form="post /login")
    assert "into a password" in refusal(note)
    assert "into a password" in refusal(None)
    assert "into a password" in refusal(PASSWORD.model_copy(update={"autocomplete": "cc-csc"}))
    assert refusal(note, value="{{secret.mailed_1}}") == "", "a code that came by mail goes into any input"
    assert "into a password" in refusal(note, value="code {{secret.mailed_1}}"), "but alone"


def test_other_hosts_get_none() -> None:
    assert "only typed on shop.example" in refusal(PASSWORD, allowed="shop.example")
    assert "shows in a frame" in refusal(PASSWORD, at="https://widgets.example/login")
