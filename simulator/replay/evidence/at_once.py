"""The replay's own rule, asked while a run is recorded: would what is acted on be found again?

Not responsible for: asking the page (``browser``), or reporting to the agent (``runner``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from simulator.browser.acting.again import Doubt
from simulator.browser.evidence import Target
from simulator.browser.views.own_words import MASKED
from simulator.errors import TemplateError
from simulator.replay.evidence.explaining import explain
from simulator.replay.evidence.query import Query
from simulator.replay.evidence.resolve import Unprovable, compile_query

_SECOND_WAY = "Where another way leads to the same, take that: open the thing's own page and do it there, or use "
_NAMED = "a control that has a name of its own."


class ReplayRule:
    """Knows an element as a strict replay does."""

    def asked(
        self, target: Target, render: Callable[[str], str], *, enters: bool, sets: bool, older: Sequence[str] = ()
    ) -> Mapping[str, Any] | Doubt | None:
        """Give the query that a page is asked; see :class:`simulator.browser.acting.again.EvidenceRule`."""
        try:
            query = compile_query(target, render, enters=enters, sets=sets, own=bool(older))
        except Unprovable as error:
            return Doubt(target.words, str(error), _SECOND_WAY + _NAMED)
        except TemplateError:
            return None  # a variable that the site has yet to give
        asked = query.model_copy(update={"older": tuple(older)}).model_dump(exclude_defaults=True)
        # What holds a secret is asked for in the page's own words, which only a replay has to do.
        return None if MASKED in query.model_dump_json() else asked

    def doubted(self, target: Target, query: Mapping[str, Any], seen: Mapping[str, Any]) -> Doubt:
        """Say why a page does not admit the element alone."""
        if seen.get("other"):
            other = Target.model_validate(seen["other"])
            why = f"it would take {other.words} for it"
        else:
            explained = explain(Query.model_validate(query), dict(seen))
            why = explained.found
            why += f" ({', '.join(explained.contradicted[:2])})" if explained.contradicted else ""
        return Doubt(target.words, why, _SECOND_WAY + _NAMED)
