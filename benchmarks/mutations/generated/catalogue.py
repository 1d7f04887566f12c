"""The kinds of generated changes, and what of each is drawn by seed.

What a kind does stands in ``page/``. Not responsible for: which kinds come together (``draw``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Literal

from benchmarks.sites.recorded import RecordedWrite

Sort = Literal["harmless", "bait", "deceptive"]
"""``harmless``: a person would act the same. ``bait``: what is meant is still there, with a lookalike beside it or in
its place now and then, or it has gone and lookalikes are left. ``deceptive``: what looks the same means something else
now, so that a replay has to stop. Whatever it is, no replay may write what an honest one does not write."""
Params = Mapping[str, Any]
Draw = Callable[[Random, Sequence[RecordedWrite]], Params | None]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of changes."""

    name: str
    sort: Sort
    draw: Draw
    """Draws the rest of a change; None where the recording has nothing that could be changed so."""


def _nothing(chance: Random, writes: Sequence[RecordedWrite]) -> Params | None:
    return {}


def _form(chance: Random, writes: Sequence[RecordedWrite], least: int = 0) -> RecordedWrite | None:
    forms = [one for one in writes if one.is_form and len(_own(one)) >= least]
    return chance.choice(forms) if forms else None


def _own(write: RecordedWrite) -> list[str]:
    """Give the fields that a person fills: what a site puts into each form to guard it is none of theirs."""
    return [name for name in write.fields if "csrf" not in name.lower() and "#" not in name]


def _meant(write: RecordedWrite) -> dict[str, Any]:
    return {"path": write.path, "fields": [name for name in (*write.fields, *write.files) if "#" not in name]}


def _renamed(chance: Random, writes: Sequence[RecordedWrite]) -> Params | None:
    write = _form(chance, writes, least=1)
    if write is None:
        return None
    pattern = chance.choice(["new_{}", "item[{}]", "{}_field", "f{}"])
    names = [*_own(write), *write.files]
    some = names if chance.random() < 0.6 else chance.sample(names, chance.randint(1, len(names)))
    return {**_meant(write), "names": {name: pattern.format(name) for name in some}}


def _pair(chance: Random, writes: Sequence[RecordedWrite]) -> tuple[RecordedWrite, list[str]] | None:
    write = _form(chance, writes, least=2)
    return None if write is None else (write, chance.sample(_own(write), 2))


def _exchanged(chance: Random, writes: Sequence[RecordedWrite]) -> Params | None:
    found = _pair(chance, writes)
    if found is None:
        return None
    write, (one, other) = found
    return {**_meant(write), "names": {one: other, other: one}}


def _swapped(chance: Random, writes: Sequence[RecordedWrite]) -> Params | None:
    found = _pair(chance, writes)
    return None if found is None else {**_meant(found[0]), "pair": found[1]}


def _swapped_late(chance: Random, writes: Sequence[RecordedWrite]) -> Params | None:
    found = _swapped(chance, writes)
    return None if found is None else {**found, "on": chance.choice(["focusin", "pointerdown"])}


def _choices(chance: Random, writes: Sequence[RecordedWrite]) -> Params | None:
    write = _form(chance, writes, least=1)
    return None if write is None else _meant(write)


def _retargeted(chance: Random, writes: Sequence[RecordedWrite]) -> Params | None:
    write = _form(chance, writes)
    ways = ("action", "method", "hidden-method", "hidden-input", "formaction", "submitter")
    return None if write is None else {**_meant(write), "way": chance.choice(ways)}


def _twin(chance: Random, writes: Sequence[RecordedWrite]) -> Params | None:
    write = _form(chance, writes)
    return None if write is None else _meant(write)


def _decoy(chance: Random, writes: Sequence[RecordedWrite]) -> Params | None:
    write = _form(chance, writes)
    return None if write is None else {**_meant(write), "role": chance.choice(["dialog", "alertdialog", "region"])}


_ALL = (
    Kind("wrap", "harmless", _nothing),
    Kind("move", "harmless", _nothing),
    Kind("rename-ids", "harmless", _nothing),
    Kind("rename-names", "harmless", _renamed),
    Kind("exchange-names", "harmless", _exchanged),
    Kind("resort", "harmless", _nothing),
    Kind("twin-hidden", "harmless", _nothing),
    Kind("twin-link", "harmless", _nothing),
    Kind(
        "reword",
        "harmless",
        lambda chance, _: {"language": chance.choice(["words", "accents"]), "keeps": chance.choice([0, 0.5, 0.8])},
    ),
    Kind("paginate", "harmless", _nothing),
    Kind(
        "delay",
        "harmless",
        lambda chance, _: {
            "what": chance.choice(["main", "body > *", "form", "label", "button"]),
            "ms": chance.choice([100, 300, 600, 1500]),
        },
    ),
    Kind("retype", "harmless", _nothing),
    Kind("banner", "harmless", _nothing),
    Kind("cover", "harmless", lambda chance, _: {"dialog": chance.random() < 0.5}),
    Kind("tabulate", "harmless", _nothing),
    Kind("insert", "harmless", _nothing),
    Kind("twin-other", "bait", _twin),
    Kind("twin-dialog", "bait", _twin),
    Kind("remove", "bait", _nothing),
    Kind(
        "recycle",
        "bait",
        lambda chance, _: {
            "ms": chance.choice([0, 40, 150, 400]),
            "on": chance.choice([["pointermove"], ["pointerover"], ["pointerdown"], ["mousedown"], ["pointerup"]]),
        },
    ),
    Kind("swap-names", "deceptive", _swapped),
    Kind("swap-labels", "deceptive", _swapped),
    Kind("retarget", "deceptive", _retargeted),
    Kind("decoy-dialog", "deceptive", _decoy),
    Kind("swap-late", "deceptive", _swapped_late),
    Kind("swap-choices", "deceptive", _choices),
    Kind("swap-buttons", "deceptive", _nothing),
    Kind("swap-contents", "deceptive", _nothing),
    Kind("swap-headings", "deceptive", _nothing),
    Kind(
        "swap-addresses",
        "deceptive",
        lambda chance, _: {"of": chance.choice(["a[href]", "form[action]", "a[href],form[action]"])},
    ),
    Kind("columns", "harmless", _nothing),
    Kind("swap-acts", "deceptive", _nothing),
    Kind("swap-rows", "deceptive", _nothing),
)
KINDS: Mapping[str, Kind] = {kind.name: kind for kind in _ALL}
"""By name."""
