"""The users that a seeding has made, for testers: who they are, and where what they made is.

Not responsible for: looking whether the site has it still.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from simulator.canonical import canonical_json
from simulator.config import Site
from simulator.errors import EnvironmentFailure, UsageError
from simulator.recording.reader import Recording
from simulator.runner.events import ReplayResult
from simulator.runner.upkeep.owners import Owner, find_owners
from simulator.secrets import PASSWORD, Vault, load_key, scope_of

KINDS = (".json", ".csv")
"""How the name of a manifest ends, by what is in it."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for the beginning of a formula."""


@dataclass(frozen=True, slots=True)
class Made:
    """Something that a user made."""

    kind: str
    """What its address calls it."""
    address: str
    """Its own, or that of a page that shows it."""


@dataclass(frozen=True, slots=True)
class MadeUser:
    """A user who did all that was recorded."""

    number: int
    """In the population."""
    persona: str
    username: str
    email: str
    display_name: str
    cast: int
    """Which copy of a cast it belongs to; 0 for a user that all share."""
    run: str
    made: tuple[Made, ...]
    password: str | None = None
    """None: it was not asked for."""


def made_users(result: ReplayResult, site: Site, *, with_passwords: bool = False) -> tuple[MadeUser, ...]:
    """Give the users of a seeding who did all that was recorded, in the order of their numbers.

    Args:
        result: of the seeding; users of earlier ones that it counts are given, too.
        site: on which they act.
        with_passwords: whether their passwords are given.

    Raises:
        KeyMissing: passwords are asked for, and this machine has no key.
    """
    assert result.seeded is not None
    found: list[MadeUser] = []
    with Recording.open(result.db) as recording:
        for batch in (*result.seeded.earlier, result.batch_id):
            runs = recording.runs(batch, kind="replay") if batch else []
            if any(run.status == "passed" for run in runs):
                owners = [one for one in find_owners(recording, batch) if one.run.status == "passed"]
                found += [_user(one, site, with_passwords) for one in owners]
    return tuple(sorted(found, key=lambda one: one.number))


def _user(owner: Owner, site: Site, with_passwords: bool) -> MadeUser:
    run, values = owner.run, owner.values
    return MadeUser(
        number=run.number,
        persona=owner.identity.persona,
        username=owner.username,
        email=values.get("identity.email", ""),
        display_name=values.get("identity.display_name", ""),
        cast=run.copy or 0,
        run=run.id,
        made=tuple(dict.fromkeys(_made(owner, site))),
        password=_password(owner, site) if with_passwords else None,
    )


def _made(owner: Owner, site: Site) -> Iterator[Made]:
    for thing in owner.things:
        if thing.url:
            yield Made(thing.kind, site.url(owner.shown(thing.url)))
    for row in owner.standing():
        if row.url and row.status == "live":
            yield Made(row.kind, site.url(owner.shown(row.url)))


def _password(owner: Owner, site: Site) -> str:
    account = site.account(owner.identity.username)
    if account is not None:
        return account.password.reveal()
    one = owner.identity
    vault = Vault(load_key(os.environ).secret, scope=scope_of(site.name, one.persona, one.seed, one.number))
    return vault.reveal(PASSWORD)


def manifest_text(users: Sequence[MadeUser], result: ReplayResult, site: Site, kind: str) -> str:
    """Write a manifest.

    Args:
        users: who is in it.
        result: of the seeding.
        site: on which they act.
        kind: ``.json``, or ``.csv`` with a user in each row.
    """
    rows = [{name: value for name, value in asdict(one).items() if value is not None} for one in users]
    if kind == ".json":
        assert result.seeded is not None
        head = {"site": site.name, "base_url": site.base_url, "seed": result.seeded.seed, "batch": result.batch_id}
        return canonical_json({**head, "users": rows}) + "\n"
    written = io.StringIO()
    names = [name for name in MadeUser.__dataclass_fields__ if name != "password" or any(map(_has_password, users))]
    table = csv.DictWriter(written, names, lineterminator="\n")
    table.writeheader()
    for row in rows:
        addresses = " ".join(one["address"] for one in row["made"])
        cells = {**row, "made": addresses}
        table.writerow({name: _plain(str(value)) if name != "password" else value for name, value in cells.items()})
    return written.getvalue()


def _has_password(user: MadeUser) -> bool:
    return user.password is not None


def _plain(text: str) -> str:
    """Keep a spreadsheet from taking a text for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def write_manifest(path: Path, text: str, *, secret: bool) -> None:
    """Write a manifest; one that holds passwords is for its owner alone.

    Args:
        path: the file.
        text: what is in it.
        secret: whether it holds passwords.

    Raises:
        EnvironmentFailure: there is no room for it, for example.
    """
    try:
        if secret:
            path.unlink(missing_ok=True)  # the mode of a file that is there would stay as it is
        alone = os.O_EXCL if secret else os.O_TRUNC
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | alone, 0o600 if secret else 0o666)
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
            file.write(text)
    except OSError as error:
        raise EnvironmentFailure(f"{path} cannot be written: {error.strerror}; make room for it") from error


def check_manifest(path: Path | None, *, with_passwords: bool) -> None:
    """See that a manifest can be written as it was asked for.

    Raises:
        UsageError: its name does not say what is to be in it, or there is none to put passwords into.
    """
    if path is None:
        if with_passwords:
            raise UsageError("--with-passwords puts passwords into a manifest: give --manifest FILE, too")
    elif path.suffix not in KINDS:
        raise UsageError(f"--manifest {path}: the name has to end in {' or '.join(KINDS)}")
