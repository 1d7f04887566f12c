"""Whether a replay would find again what is acted on, asked in the moment in which it is.

Not responsible for: the rule by which a replay knows an element (it is handed in), or reporting a doubt.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from simulator.bindings import Bindings
from simulator.browser.action_recorder import ActionKind
from simulator.browser.effects.sent.answered_ids import MADE_BY, MadeThings
from simulator.browser.evidence import Target
from simulator.browser.views.frames import Place
from simulator.browser.views.script_client import ScriptClient
from simulator.browser.views.template_writer import TemplateWriter
from simulator.errors import ToolError

PROVES: Final = "query => window.__sim ? __sim.proves(query) : null"
"""Asks a page whether a query admits what the guard is armed with, and nothing else; None where it does."""

_ENTER = frozenset({"Enter", "NumpadEnter"})


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something that was acted on, and that a replay could not find again."""

    target: str
    """What it is, and what it is called: a template."""
    why: str
    instead: str
    """What an agent can do instead."""

    @property
    def sentence(self) -> str:
        """Say it."""
        return f"a replay could not find {self.target} again: {self.why}. {self.instead}"


class EvidenceRule(Protocol):
    """The rule by which a replay knows an element again."""

    def asked(
        self, target: Target, render: Callable[[str], str], *, enters: bool, sets: bool, older: Sequence[str] = ()
    ) -> Mapping[str, Any] | Doubt | None:
        """Give the query that a page is asked.

        Args:
            target: the evidence of the element, a template.
            render: puts values into a template.
            enters: whether it is to send the form of a field, as Enter does.
            sets: whether pressing it sets a field of its form.
            older: by what the things are identified that were there before the user had made the one that it is of.

        Returns:
            The query; why no page could answer it; or None where that cannot be known in this moment.
        """
        ...

    def doubted(self, target: Target, query: Mapping[str, Any], seen: Mapping[str, Any]) -> Doubt:
        """Say why a page does not admit the element alone.

        Args:
            target: the evidence of the element.
            query: of :meth:`asked`.
            seen: what the page answered.
        """
        ...


class EvidenceCheck:
    """Asks of what one user acts on whether a replay would find it again.

    Args:
        rule: of a replay; None: nobody asks.
        doubts: get what it would not; the actors of a run share one list.
        bindings: the run's variables.
        writer: writes what a page answers.
        script: asks documents.
        made: what the user has made.
    """

    def __init__(
        self,
        rule: EvidenceRule | None,
        doubts: list[Doubt],
        bindings: Bindings,
        writer: TemplateWriter,
        script: ScriptClient,
        made: MadeThings,
    ) -> None:
        self.rule = rule
        self.doubts = doubts
        self._bindings = bindings
        self._writer = writer
        self._script = script
        self._made = made

    async def doubts_of(
        self, kind: ActionKind, target: Target, place: Place, value: str | None, how: Mapping[str, Any]
    ) -> tuple[Doubt | None, Doubt | None]:
        """Ask by the rule of a replay whether it would find again what is about to be acted on; None where it would.

        Returns:
            The doubt where it sets no field of its form, and where it does: that shows when it is done.
        """
        if self.rule is None:
            return None, None
        older = self._made.before(how.get(MADE_BY, ()))
        plain = await self._doubt(self.rule, kind, target, place, value, older)
        if plain is None or kind != "click" or not target.member:
            return plain, plain
        return plain, await self._doubt(self.rule, kind, target, place, value, older, sets=True)

    async def _doubt(
        self,
        rule: EvidenceRule,
        kind: ActionKind,
        target: Target,
        place: Place,
        value: str | None,
        older: Sequence[str],
        *,
        sets: bool = False,
    ) -> Doubt | None:
        enters = kind == "press" and (value or "").rpartition("+")[2] in _ENTER
        asked = rule.asked(target, self._bindings.render_on_site, enters=enters, sets=sets, older=older)
        if asked is None or isinstance(asked, Doubt):
            return asked
        try:
            seen = await self._script.read(PROVES, dict(asked), where=place.where)
        except ToolError:
            return None  # its document has gone: what is done next shows that
        return None if seen is None else rule.doubted(target, asked, self._writer.written(seen))
