"""Freezes what comes of replaying golden recordings: ``python -m tests.golden.freeze [NAME…]``.

Only additions are written: a recording or an identity policy that the table does not have yet, a kind of check that is
new, a number of checks that has grown. Anything else that differs is told, and left to a person: whoever checks less
than before, or comes to another verdict, has to change the table by hand and say why.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.golden.replaying import FOLDER, SUFFIX, TABLE, Golden, describe, golden, hash_of, outcomes, table
from tests.golden.sites import SITES


def differences(frozen: list[dict[str, Any]], now: list[dict[str, Any]]) -> Iterator[tuple[str, bool]]:
    """Say in what two outcomes differ, and whether it is an addition: more checks, or another kind of them.

    Args:
        frozen: as the table has it.
        now: as it is today.
    """
    if len(frozen) != len(now):
        yield f"{len(now)} runs, not {len(frozen)}", False
    for was, there in zip(frozen, now, strict=False):
        for name in sorted({*was, *there} - {"checks"}):
            if was.get(name) != there.get(name):
                yield f"user {was['user']}: {name} {there.get(name)}, not {was.get(name)}", False
        for kind in sorted({*was["checks"], *there["checks"]}):
            before, after = was["checks"].get(kind, 0), there["checks"].get(kind, 0)
            if before != after:
                yield f"user {was['user']}: {after} checks of the kind {kind}, not {before}", after > before


def write(entries: dict[str, Any]) -> None:
    """Write the table."""
    TABLE.write_text(json.dumps(dict(sorted(entries.items())), indent=1, ensure_ascii=False) + "\n", "utf-8")


def add_new_files() -> None:
    """Give each file that the table does not have an entry, with nothing frozen in it yet."""
    for file in sorted(FOLDER.glob(f"*{SUFFIX}")):
        name = file.name.removesuffix(SUFFIX)
        entries = table()
        if name not in entries:
            site, _, commit = name.partition("-")
            with tempfile.TemporaryDirectory() as folder:
                told = describe(Golden(name, SITES[site], {}).unpack(Path(folder)))
            about = {"site": site, "made_by": commit, "sha256": hash_of(file), **told}
            write({**entries, name: {**about, "expected": {"same": [], "fresh": []}}})
            print(f"{name}: new")


def freeze(name: str, identity: str, now: list[dict[str, Any]]) -> bool:
    """Freeze an outcome, as far as it is an addition.

    Args:
        name: of the recording.
        identity: the policy.
        now: as it is today.

    Returns:
        Whether the table says what is so today.
    """
    entries = table()
    frozen = entries[name]["expected"][identity]
    found = list(differences(frozen, now)) if frozen else []
    for run in () if frozen else now:
        if run["verdict"] != "passed":
            found.append((f"user {run['user']}: {run['verdict']}, {run['drift']}", False))
    for said, _ in found:
        print(f"{name}, {identity}: {said}")
    if not all(addition for _, addition in found):
        print(f"{name}, {identity}: left as it is; only additions are frozen, and only what passes at first")
        return False
    if found or not frozen:
        entries[name]["expected"][identity] = now
        write(entries)
    print(f"{name}, {identity}: {'frozen' if found or not frozen else 'as frozen'}")
    return True


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("name", nargs="*", help="golden recordings; all of them")
    add_new_files()
    names = parser.parse_args().name or list(golden())
    refused = False
    for name in names:
        one = golden()[name]
        with tempfile.TemporaryDirectory() as folder:
            now = outcomes(one, one.about["expected"], Path(folder))
        refused |= not all([freeze(name, identity, runs) for identity, runs in now.items()])
    raise SystemExit(1 if refused else 0)


if __name__ == "__main__":
    main()
