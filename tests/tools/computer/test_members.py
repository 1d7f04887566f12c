"""The tool computer takes what the members of the SDK's computer toolset take, by the same names."""

from __future__ import annotations

from typing import get_args

import pytest
from anthropic.types import beta

from simulator.tools.compat.computer.tools import Action, computer

MEMBERS = get_args(beta.BetaComputerMemberName)


def test_every_member_is_an_action() -> None:
    assert set(MEMBERS) == set(get_args(Action))


@pytest.mark.parametrize("member", MEMBERS)
def test_what_a_member_takes_is_a_parameter(member: str) -> None:
    words = "".join(word.capitalize() for word in member.split("_"))
    fields = set(getattr(beta, f"BetaComputer{words}Input").model_fields)
    assert fields <= set(computer.input_model.model_fields)
    if "coordinate" in fields:
        computer.input_model.model_validate({"action": member, "coordinate": [1, 2]})
