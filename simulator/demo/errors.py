"""The ways in which the bookshop can fail to start or be read. Pages answer with HTTP statuses instead.

DemoError
├── NotABookshop
├── PortInUse
└── UnknownMutation
"""


class DemoError(Exception):
    """The bookshop cannot do what was asked; the text says what to do about it."""

    exit_code = 3


class NotABookshop(DemoError):
    """The database file is missing, unreadable, or something else than a bookshop."""

    exit_code = 2


class PortInUse(DemoError):
    """Another program listens on the address, or it cannot be bound."""


class UnknownMutation(DemoError):
    """There is no mutation of that name."""

    exit_code = 2
