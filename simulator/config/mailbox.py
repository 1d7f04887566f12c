"""Where the mail of users arrives. Not responsible for: reading it."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, StringConstraints, model_validator

from simulator.config.access import BasicAuth
from simulator.config.values import HttpUrl, RootedPath, Section

Domain = Annotated[str, StringConstraints(pattern=r"^[a-z0-9-]+(\.[a-z0-9-]+)*$", max_length=40)]


class Mailbox(Section):
    """Takes or holds the mail that a site sends to users: one of three kinds."""

    smtp_port: Annotated[int, Field(gt=0, lt=65536)] | None = None
    """A port of this machine on which the program itself takes mail while users act, for whomever it is."""
    maildir: RootedPath | None = None
    """A folder in which a mail server of this machine puts mail."""
    mailpit: HttpUrl | None = None
    """The address of a Mailpit, or of what has its API."""
    basic_auth: BasicAuth | None = None
    """What the Mailpit demands."""
    domain: Domain | None = None
    """Domain of the addresses of users; None: domains that nobody has."""

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if [self.smtp_port, self.maildir, self.mailpit].count(None) != 2:
            raise ValueError("expected one of smtp_port, maildir and mailpit")
        if self.basic_auth is not None and self.mailpit is None:
            raise ValueError("expected 'basic_auth' only with mailpit")
        return self

    @property
    def words(self) -> str:
        """Say which mailbox it is."""
        if self.smtp_port is not None:
            return f"mail at 127.0.0.1:{self.smtp_port}"
        return f"the maildir {self.maildir}" if self.maildir is not None else f"the Mailpit at {self.mailpit}"
