"""How the autopilot registers, logs in and logs out, also where the site writes to its user on the way.

Not responsible for: which tasks need a login.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from pydantic import JsonValue

from simulator.agent.filling import refused_names
from simulator.agent.reading import Form, Mail, Page, Refusal
from simulator.agent.tool_client import TaskFailed, ToolClient
from simulator.persona.identity import alternative_email, alternative_username
from simulator.template import SECRET
from simulator.tools.contracts import ToolResult
from simulator.tools.families.account import ASKS
from simulator.tools.pages.meanings import asks_code

_MAILS = 3
"""Mails that are read until one brings what the site asks for."""
_NAMES_TRIED = 5
"""Usernames or addresses that are tried when others have them."""


class Account:
    """The user's account on the site.

    Args:
        client: the run's tools.
    """

    def __init__(self, client: ToolClient) -> None:
        self._client = client
        self._logged_in = False
        self._is_guest = False
        """Whether the site has no accounts, as far as it shows."""
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
            result = await self._client.do("register", values=dict(values))
            if result.error is None:
                self.noticed("register", result)
                self._client.username = str(values.get("username", self._client.username))
                if self._client.reads_mail and not self._logged_in:
                    await self._confirm()
                return
            names = refused_names(Refusal.all_of(result.data))
            if not names:
                break
            if "username" in names:
                values["username"] = alternative_username(self._client.identity, attempt)
            if "email" in names:
                values["email"] = alternative_email(self._client.identity, attempt)
        assert result.error is not None
        raise TaskFailed(result.error.message)

    async def login_where_offered(self) -> None:
        """Log in, unless the site offers that nowhere, and nobody has said that users log in: it knows no accounts.

        Raises:
            TaskFailed: it does not work.
        """
        site = self._client.site
        said = self.opened or site.accounts or site.logged_in or "login" in site.routes
        if self._is_guest:
            return
        if said or self._logged_in:
            await self.login()
            return
        result = await self._client.do("login")
        if result.error is None:
            await self._entered(result, None)
        elif result.error.type == "not_found":
            self._is_guest = True
        else:
            raise TaskFailed(result.error.message)

    async def login(self, given: Mapping[str, JsonValue] | None = None) -> None:
        """Log in, unless the user is.

        Args:
            given: with whom and with which password, templates; by default the user's own.

        Raises:
            TaskFailed: it does not work.
        """
        if self._logged_in:
            return
        await self._entered(await self._client.must("login", **(given or {})), given)

    async def _entered(self, result: ToolResult, given: Mapping[str, JsonValue] | None) -> None:
        """Give the code that a login may ask for."""
        if ASKS in result.metadata:
            await self._give_code(await self._asking())
            result = await self._client.must("login", **(given or {})) if self._client.site.logged_in else result
        self.noticed("login", result)

    async def _confirm(self) -> None:
        """Do what the site asks for by mail before it takes the account.

        Raises:
            TaskFailed: there is no such mail, or it does not lead there.
        """
        form = await self._asking()
        if form is not None:
            await self._give_code(form)
        elif await self._client.says("mailed"):
            await self._mailed(lambda mail: [one.leads_to for one in mail.links])
            page = Page.of((await self._client.must("open_mail_link")).data)
            if page.status >= 400:
                raise TaskFailed(f"the link of the mail answered with status {page.status}: {'; '.join(page.alerts)}")
            buttons = [pair for pair in await self._client.controls("confirm") if pair[1].is_button]
            if buttons:
                await self._client.follow(max(buttons, key=lambda pair: pair[0])[1])

    async def _asking(self) -> Form | None:
        """Give the form of the page that asks for a code, and for nothing else."""
        for form in await self._client.forms():
            asked = [field for field in form.fields if field.type not in ("checkbox", "radio", "hidden")]
            if len(asked) == 1 and asks_code(asked[0].meaning, asked[0].label or asked[0].name):
                return form
        return None

    async def _give_code(self, form: Form | None) -> None:
        """Put the code of the next mail into a form."""
        if form is None:
            raise TaskFailed("no form on this page asks for the code that the site has sent")
        code = await self._mailed(lambda mail: [one.value for one in mail.codes])
        asked = next(field for field in form.fields if asks_code(field.meaning, field.label or field.name))
        values: dict[str, JsonValue] = {asked.label or asked.name: code}
        await self._client.must("fill_form", form=f"ref={form.ref}", values=values, submit=True)

    async def _mailed(self, told: Callable[[Mail], Iterable[str]]) -> str:
        """Read mails until one brings what is made for the user alone: a code, or a link."""
        for _ in range(_MAILS):
            mail = Mail.model_validate((await self._client.must("read_mail")).data)
            if found := next((text for text in told(mail) if SECRET in text), ""):
                return found
        raise TaskFailed(f"{_MAILS} mails have come, and none brings what the site asks for")

    async def logout(self) -> None:
        """Log out.

        Raises:
            TaskFailed: it does not work.
        """
        self.noticed("logout", await self._client.must("logout"))
