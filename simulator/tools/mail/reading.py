"""What a run takes out of a mail: texts for its agent, and values as variables that a replay reads again.

Codes, passwords and the tokens of links are secrets: the vault holds them, and nothing else does. Not responsible for:
waiting for mail, or finding what in a text is such a value.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import count
from typing import Protocol

from pydantic import BaseModel, ConfigDict

from simulator.bindings import Bindings
from simulator.masking import MAILED
from simulator.template import SECRET
from simulator.tools.mail.links import match_link, secrets_of, write_link
from simulator.tools.mail.message import Mail
from simulator.tools.mail.values import SECRET_KINDS, Value, find_values

_SITE = "site."
_TOLD = 6_000
"""Characters of a text that an agent gets."""


class Keeper(Protocol):
    """What is needed of a vault."""

    def names(self) -> tuple[str, ...]:
        """Give the names of the user's secrets, without ``secret.``."""
        ...

    def hold(self, name: str, value: str) -> None:
        """Take in a secret that came by mail."""
        ...

    def mask(self, text: str) -> str:
        """Put placeholders in place of known secrets."""
        ...


class AddressVariables(Protocol):
    """What is needed of the variables in a site's addresses."""

    def learn_beside(self, name: str, value: str) -> None:
        """Bind a variable that may stand in addresses."""
        ...


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Place(_Value):
    """Where a value stood in the text of a mail."""

    name: str
    """Its variable."""
    after: str
    """The words before it, a template."""
    nth: int = 1


class Address(_Value):
    """A link of a mail."""

    url: str
    """A template."""
    names: tuple[str, ...] = ()
    """The variables in it that the mail gave."""
    says: str = ""


class Read(_Value):
    """What a step read, so that a replay reads its like."""

    to: str
    """To whom the mail was, a template."""
    about: str = ""
    """What its subject held, a template."""
    timeout_ms: int
    place: int = 1
    """Which one of such mails it was that had come since the last that was read."""
    values: tuple[Place, ...] = ()
    links: tuple[Address, ...] = ()


class Taken(_Value):
    """A mail as a run may know it: templates without secrets."""

    sender: str
    subject: str
    text: str
    values: tuple[Place, ...]
    links: tuple[Address, ...]
    bound: dict[str, str | None]
    """The variables that it gave, with their values; None for a secret."""


class Taker:
    """Takes mails into a run.

    Args:
        bindings: the run's variables.
        vault: its secrets.
        variables: those of the site's addresses, as its user knows them.
        relative: gives an address relative to the site, or whole where it is elsewhere.
    """

    def __init__(
        self, bindings: Bindings, vault: Keeper, variables: AddressVariables, relative: Callable[[str], str]
    ) -> None:
        self._bindings = bindings
        self._vault = vault
        self._variables = variables
        self._relative = relative

    def take(self, mail: Mail) -> Taken:
        """Take in a mail that was not read before."""
        bound: dict[str, str | None] = {}

        def bind(value: str, called: str, secret: bool) -> str:
            name = self._new(called if not secret or called in SECRET_KINDS else "token", secret)
            bound[name] = self._bind(name, value)
            return name

        body = _body(mail)
        keys = [key for link in mail.links for key in secrets_of(self._relative(link.url))]
        values: list[tuple[Value, str]] = []
        for one in find_values(body, mail.subject):
            if one.kind == "number" and any(one.value in key for key in keys):
                continue  # It is a secret by the link that holds it, whatever the mail says of it beside that.
            if self._known(one.value) == one.value and one.value not in (value.value for value, _ in values):
                number = one.kind == "number"
                values.append((one, bind(one.value, one.where if number else one.kind, not number)))
        links = [(link, *write_link(self._relative(link.url), self._known, bind)) for link in mail.links]
        subject, _, text = self._shown(body, values).partition("\n")
        return Taken(
            sender=self._written(mail.sender),
            subject=subject,
            text=text[:_TOLD],
            values=tuple(Place(name=name, after=self._written(one.where), nth=one.nth) for one, name in values),
            links=tuple(Address(url=url, names=names, says=self._written(link.text)) for link, url, names in links),
            bound=bound,
        )

    def take_again(self, mail: Mail, read: Read) -> dict[str, str]:
        """Take out of a mail what its like gave when it was recorded.

        Returns:
            The variables that it does not give, each with where it was sought.
        """
        found = find_values(_body(mail), mail.subject)
        render = self._bindings.render
        lost: dict[str, str] = {}
        for place in read.values:
            words = render(place.after)
            fitting = [one.value for one in found if (one.where, one.nth) == (words, place.nth)]
            if fitting:
                self._bind(place.name, fitting[0])
            else:
                lost[place.name] = f"{place.name} after '{words}'"
        for address in (one for one in read.links if one.names):
            read_out = [match_link(address.url, self._relative(link.url), render, address.names) for link in mail.links]
            values = {tuple(one.items()) for one in read_out if one is not None}
            if len(values) == 1:
                for name, value in values.pop():
                    self._bind(name, value)
            else:
                lost |= {name: f"{name} in the link {address.url}" for name in address.names}
        return lost

    def _new(self, called: str, secret: bool) -> str:
        if secret:
            known = self._vault.names()
            return next(f"{SECRET}{one}" for one in map(f"{MAILED}{called}_{{}}".format, count(1)) if one not in known)
        words = [word for word in called.split() if len(word) > 2]
        noun = re.sub(r"[^a-z0-9]+", "_", " ".join(words[-2:])).strip("_") or "item"
        return next(one for one in map(f"{_SITE}{noun}_{{}}".format, count(1)) if self._bindings.get(one) is None)

    def _bind(self, name: str, value: str) -> str | None:
        """Bind a variable; gives what a recording may say of its value."""
        if name.startswith(SECRET):
            self._vault.hold(name.removeprefix(SECRET), value)
            return None
        self._variables.learn_beside(name, value)
        return value

    def _known(self, value: str) -> str:
        """Write what has a variable; what an earlier mail gave as a secret may be another one the next time."""
        written = self._written(value)
        return value if f"{SECRET}{MAILED}" in written else written

    def _written(self, text: str) -> str:
        return self._vault.mask(self._bindings.recognise(text))

    def _shown(self, body: str, values: list[tuple[Value, str]]) -> str:
        """Write the text with variables in place of the values."""
        parts: list[str] = []
        at = 0
        for value, name in values:
            parts += [self._written(body[at : value.start]), "{{" + name + "}}"]
            at = value.end
        return "".join((*parts, self._written(body[at:])))


def _body(mail: Mail) -> str:
    return f"{mail.subject}\n{mail.text}"
