"""Accounts of users: those that a site section names, and by what a user registered itself."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from simulator.config import Site
from simulator.config.site import Account
from simulator.persona import Identity
from simulator.recording.rows import ActionRow
from simulator.replay.bind import Part


def dealt(identity: Identity, site: Site, number: int, had: Collection[str] = ()) -> Identity:
    """Give a user the account of its place in the batch; itself where the site names none.

    Args:
        identity: as it was drawn.
        site: the site.
        number: the user's place, from 1.
        had: the names of accounts that act on the site already: each changes places with one at the end, so that the
            other users keep theirs.
    """
    accounts = [*site.accounts]
    taken = {at for at, one in enumerate(accounts) if one.username in had}
    free = [at for at in range(len(accounts) - 1, -1, -1) if at not in taken]
    for at, other in zip(sorted(taken), free, strict=False):
        if other > at:
            accounts[at], accounts[other] = accounts[other], accounts[at]
    return _as(identity, accounts[(number - 1) % len(accounts)]) if accounts else identity


def as_account(part: Part, site: Site) -> Part:
    """Give a fresh user of a replay another account than the recorded one; as it is where the site names none.

    Args:
        part: the run, bound to a fresh user.
        site: the site.
    """
    names = [one.username for one in site.accounts]
    recorded = (part.run.identity or {}).get("username", "")
    place = names.index(recorded) + 1 if recorded in names else 0
    return replace(part, identity=_as(part.identity, site.accounts[place % len(names)])) if names else part


def registered_with(actions: Sequence[ActionRow]) -> dict[str, str]:
    """Give what a user registered with, as templates by meaning, from what was typed."""
    put = {action.value for action in actions}
    names = {name: f"{{{{identity.{name}}}}}" for name in ("username", "email")}
    return {name: text for name, text in names.items() if text in put}


def _as(identity: Identity, account: Account) -> Identity:
    called = account.display_name or account.username
    given = {"username": account.username, "display_name": called}
    # Who logs in with an address is asked for it by a field that takes addresses: the identity's own is nobody's there.
    email = account.email or (account.username if "@" in account.username else "")
    return identity.model_copy(update=given | ({"email": email} if email else {}))
