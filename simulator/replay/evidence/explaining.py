"""Why a query did not give one element, in words."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from simulator.browser.evidence import Target
from simulator.replay.evidence.query import Query


class Explanation(BaseModel):
    """Why a query did not give one element, as the page reports it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    verdict: Literal["target_missing", "target_ambiguous", "target_contradicted"]
    found: str
    agreed: tuple[str, ...] = ()
    contradicted: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()


def explain(query: Query, seen: dict[str, Any]) -> Explanation:
    """Put a failed query into words.

    Args:
        query: what was looked for.
        seen: what the page answered for it (``documents.explain``).
    """
    located = [(Target.model_validate(one["evidence"]), one["against"]) for one in seen["candidates"]]
    if seen.get("stopped"):
        return Explanation(verdict="target_contradicted", found="; ".join(seen["stopped"]))
    if seen["admitted"] > 1:
        listed = tuple(_words(target) for target, against in located if not against)
        return Explanation(
            verdict="target_ambiguous", found=f"{seen['admitted']} that cannot be told apart", candidates=listed
        )
    if seen["admitted"] == 1:
        return Explanation(
            verdict="target_missing",
            found=f"it, but it {_blocker(seen)}",
            candidates=tuple(_words(target) for target, _ in located),
        )
    if located:
        against = tuple(
            f"{kind}: expected '{expected}', found '{found}'"
            for _, differences in located
            for kind, expected, found in differences
        )
        kinds = {kind for _, differences in located for kind, _, _ in differences}
        judged = dict.fromkeys((query.by, *query.must))
        agreed = tuple(kind for kind in judged if kind.split("_")[0] not in kinds)
        return Explanation(
            verdict="target_contradicted",
            found=", ".join(_words(target) for target, _ in located) + ", which differs",
            agreed=agreed,
            contradicted=tuple(dict.fromkeys(against)),
            candidates=tuple(_words(target) for target, _ in located),
        )
    others = [_words(Target.model_validate(one)) for one in seen.get("elsewhere", ())]
    near = [_words(Target.model_validate(one)) for one in seen["near"]]
    found = "no such element on the page"
    if others:
        found += f", but {', '.join(others)}, in another role"
    return Explanation(
        verdict="target_missing",
        found=found + ("" if _in_dialog(query) else _open(seen)),
        candidates=tuple(dict.fromkeys((*others, *near))),
    )


def _blocker(seen: dict[str, Any]) -> str:
    """Say what keeps the one element from being acted on."""
    if seen.get("cover"):
        return f"is covered by {seen['cover']}"
    return f"{seen.get('obstacle') or 'could not be acted on in time (moving, or out of view)'}{_open(seen)}"


def _open(seen: dict[str, Any]) -> str:
    return "".join(f"; a dialog opened: '{one}'" for one in seen.get("opened", ())[:1])


def _in_dialog(query: Query) -> bool:
    return query.must.get("place") == "dialog"


def _words(target: Target) -> str:
    card = next((scope.texts[0] for scope in target.scopes if scope.kind == "card" and scope.texts), "")
    inside = f" in the card '{card}'" if card and card != target.called else ""
    return target.words + (f" ({target.form})" if target.form else "") + inside
