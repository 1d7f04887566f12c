"""How the autopilot registers, logs in and logs out. Not responsible for: which tasks need a login."""

from __future__ import annotations

from pydantic import JsonValue

from simulator.agent.filling import refused_names
from simulator.agent.hands import Hands, TaskFailed
from simulator.agent.reading import Refusal
from simulator.persona.identity import alternative_email, alternative_username
from simulator.tools.contracts import ToolResult

_NAMES_TRIED = 5
"""Usernames or addresses that are tried when others have them."""


class Account:
    """The user's account on the site.

    Args:
        hands: the run's tools.
    """

    def __init__(self, hands: Hands) -> None:
        self._hands = hands
        self._logged_in = False
        self.opened = False
        """Whether the user has an account that it was given in this run, and has not left it since."""

    def noticed(self, tool: str, result: ToolResult) -> None:
        """Take in what somebody else's call did to the account."""
        if not result.success:
            return
        if tool in ("login", "logout"):
            self._logged_in = self.opened = tool == "login"
        elif tool == "register":
            self.opened = True
            self._logged_in = bool(result.metadata.get("logged_in"))

    async def register(self) -> None:
        """Open an account; another username or address is tried while the one given is taken.

        Raises:
            TaskFailed: the site refuses it, with what it said.
        """
        values: dict[str, JsonValue] = {}
        for attempt in range(1, _NAMES_TRIED + 1):
            result = await self._hands.do("register", values=dict(values))
            if result.error is None:
                self.noticed("register", result)
                self._hands.username = str(values.get("username", self._hands.username))
                return
            names = refused_names(Refusal.all_of(result.data))
            if not names:
                break
            if "username" in names:
                values["username"] = alternative_username(self._hands.identity, attempt)
            if "email" in names:
                values["email"] = alternative_email(self._hands.identity, attempt)
        assert result.error is not None
        raise TaskFailed(result.error.message)

    async def login(self) -> None:
        """Log in, unless the user is.

        Raises:
            TaskFailed: it does not work.
        """
        if not self._logged_in:
            self.noticed("login", await self._hands.must("login"))

    async def logout(self) -> None:
        """Log out.

        Raises:
            TaskFailed: it does not work.
        """
        self.noticed("logout", await self._hands.must("logout"))
