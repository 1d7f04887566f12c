"""Making choices again: one of a collection, where any would have done. Not responsible for: variables."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from simulator.browser.actor import Actor
from simulator.browser.documents import BrowserError, Document, choices
from simulator.errors import ToolError
from simulator.recording.rows import ActionRow
from simulator.replay.evidence.query import Query


@dataclass(slots=True)
class Chooser:
    """Makes the choices of one run."""

    _chosen: set[str] = field(default_factory=set)

    async def choose(
        self, actor: Actor, where: Document, action: ActionRow, recorded: Query | None, seed: str
    ) -> tuple[Query, str]:
        """Choose from the collection that the recorded choice was made from.

        Args:
            actor: who chooses.
            where: the page, or the frame in it that the collection is in.
            action: the recorded choice.
            recorded: what was chosen then, for who performs the recording as it was: it is taken where it is still
                there.
            seed: what a new choice is drawn from.

        Returns:
            What is acted on, and the name of what was chosen again.

        Raises:
            ToolError: ``ambiguous``: several are like what was chosen; ``not_found``: there is nothing to choose from.
        """
        assert action.choice is not None
        assert action.target is not None
        asked = {
            "query": recorded.model_dump(exclude_defaults=True) if recorded else None,
            "collection": action.choice.collection,
            "own": [actor.bindings.get(f"identity.{name}") for name in ("username", "display_name")],
        }
        try:
            told = await choices(where, asked)
        except BrowserError as error:
            raise ToolError("timeout", error.message.splitlines()[0]) from error
        if recorded and told["exact"]:
            self._chosen.add(told["exact"]["href"])
            return recorded, ""
        if recorded and told["several"]:
            raise ToolError("ambiguous", "several are like what was chosen")
        links = told["links"]
        if not links:
            meant = f"{action.choice.rule} ({action.choice.collection})"
            raise ToolError("not_found", f"no link that is {meant} on {actor.page.url}")
        # What a user has dealt with once may not take the same act again.
        others = [link for link in links if link["href"] not in self._chosen] or links
        drawn = hashlib.sha256(seed.encode()).digest()
        link = others[int.from_bytes(drawn[:8], "big") % len(others)]
        self._chosen.add(link["href"])
        must = {"tag": action.target.tag, "role": action.target.role}
        return Query(by="ref", value=link["ref"], must=must), link["name"]
