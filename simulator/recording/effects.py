"""Stores what was observed of an action: what it sent, and what of that was seen again.

Not responsible for: noticing it (``browser.effects``), or reading it back (``reader``).
"""

from __future__ import annotations

import re
from dataclasses import asdict

from simulator.browser.effects.model import Observed
from simulator.canonical import canonical_json, url_shape
from simulator.recording.rows import EffectRow, WriteRow
from simulator.recording.stamps import new_id
from simulator.recording.writer import Writer

_MINTED = re.compile(r"\{\{(?:user\.\d+\.)?(?:site|choice)\.[^}]*\}\}")
_PUT_WRITE = """
INSERT INTO write (id, run_id, action_id, ordinal, initiator, method, url, operation, status, leads_to, carried)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (action_id, ordinal) DO UPDATE SET url = excluded.url, status = excluded.status,
                                               leads_to = excluded.leads_to, carried = excluded.carried"""
_WRITE_OF = "SELECT id FROM write WHERE action_id = ? AND ordinal = ?"


def store_observed(writer: Writer, run_id: str, action_id: str, observed: Observed) -> None:
    """Store the writes and the effects of an action; within a transaction.

    Args:
        writer: the open recording.
        run_id: the run.
        action_id: the action after which it was observed.
        observed: what was.
    """
    for write in observed.writes:
        url, operation, leads_to = writer.texts(write.url, write.operation, write.leads_to)
        carried = canonical_json([asdict(one) for one in write.carried])
        writer.execute(
            _PUT_WRITE,
            (
                new_id(), run_id, write.action_id, write.number, write.initiator, write.method, url, operation,
                write.status, leads_to, carried,
            ),
        )  # fmt: skip
    (first,) = writer.execute("SELECT count(*) FROM effect WHERE action_id = ?", (action_id,)).fetchone()
    for ordinal, effect in enumerate(observed.effects, first):
        (write_id,) = writer.execute(_WRITE_OF, (effect.write_action, effect.write)).fetchone()
        known = canonical_json(asdict(effect.thing))
        url, label, thing, was, shows = writer.texts(
            effect.place.url, effect.place.label, known, effect.was, effect.shows
        )
        writer.insert(
            "effect", id=new_id(), run_id=run_id, action_id=action_id, ordinal=ordinal, write_id=write_id,
            input_id=effect.input, kind=effect.kind, strength=effect.strength, likeness=effect.likeness, url=url,
            by=effect.place.by, label=label, keyed=int(effect.place.keyed), looked=int(effect.looked), thing=thing,
            was=was, shows=shows, spot=effect.place.spot,
        )  # fmt: skip


def identity(effect: EffectRow, write: WriteRow) -> tuple[object, ...]:
    """Give what makes an effect the same in two performances of a run, beside the places of its actions.

    Nothing in it was minted by the site.

    Args:
        effect: what was seen.
        write: what it follows from.
    """
    sent = (write.method, url_shape(_bare(write.url)).partition("?")[0], write.operation)
    seen = (url_shape(_bare(effect.url)), effect.by, effect.label, effect.keyed)
    return effect.kind, effect.strength, *sent, *seen, effect.was, effect.shows


def _bare(template: str) -> str:
    """Take out what the site minted: two performances may know it by variables of different names."""
    return _MINTED.sub("0", template)
