"""The conversation about one task as it is sent to a model: bounded, cacheable, and without secrets.

Responsible for the order of messages, for what of them a later request still shows, and for the marks up to which the
API may cache. Not responsible for: what is said in them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

from simulator.canonical import map_strings

if TYPE_CHECKING:
    from anthropic.types import MessageParam

KEPT = 3
"""Pictures and long texts of pages that every request shows whole: the latest."""
CHUNK = 4
"""How many more may gather before the older ones are replaced, all at once: each replacement costs the cache."""
LONG = 2_000
"""Characters from which a text counts as long."""
OLD_PICTURE = "[an older picture of the page, left out: take a new one to see the page as it is now]"
_CACHE = {"type": "ephemeral"}


class Conversation:
    """What was said about one task.

    Args:
        first: what the task is.
        mask: takes secrets out of a text.
    """

    def __init__(self, first: str, mask: Callable[[str], str]) -> None:
        self._messages: list[dict[str, Any]] = [{"role": "user", "content": [_text(first)]}]
        self._mask = mask

    def answered(self, content: Sequence[dict[str, Any]]) -> None:
        """Add what the model answered; an empty answer leaves no message."""
        if content:
            self._messages.append({"role": "assistant", "content": list(content)})

    def tell(self, results: Sequence[dict[str, Any]], note: str = "") -> None:
        """Add what the model is told: the results of all its calls, and a note after them."""
        blocks = [*results, *([_text(note)] if note else [])]
        last = self._messages[-1]
        if last["role"] == "user":
            last["content"] += blocks
        else:
            self._messages.append({"role": "user", "content": blocks})
        self._prune()

    def messages(self) -> list[MessageParam]:
        """Give the messages of the next request.

        The ends of the last two messages of the user are marked for the cache: up to the earlier one, the request
        before has written it.
        """
        shown = [self._masked(message) for message in self._messages]
        for message in [message for message in shown if message["role"] == "user"][-2:]:
            message["content"][-1]["cache_control"] = dict(_CACHE)
        return cast("list[MessageParam]", shown)

    def _masked(self, message: dict[str, Any]) -> dict[str, Any]:
        return {"role": message["role"], "content": [self._without_secrets(block) for block in message["content"]]}

    def _without_secrets(self, block: dict[str, Any]) -> dict[str, Any]:
        """Mask every text; what is signed or encoded is left as it is."""
        if block["type"] in ("image", "thinking", "redacted_thinking"):
            return dict(block)
        if block["type"] == "tool_result" and isinstance(block["content"], list):
            return {**block, "content": [self._without_secrets(one) for one in block["content"]]}
        masked: dict[str, Any] = map_strings(block, self._mask)
        return masked

    def _prune(self) -> None:
        """Replace pictures and long texts of pages by a line, once enough of them have gathered."""
        bulky = [
            (result, place)
            for message in self._messages
            for result in message["content"]
            if result["type"] == "tool_result" and isinstance(result["content"], list)
            for place, block in enumerate(result["content"])
            if block["type"] == "image" or (block["type"] == "text" and len(block["text"]) > LONG)
        ]
        if len(bulky) < KEPT + CHUNK:
            return
        for result, place in bulky[:-KEPT]:
            block = result["content"][place]
            result["content"][place] = _text(OLD_PICTURE if block["type"] == "image" else _shortened(block["text"]))


def _shortened(text: str) -> str:
    return f"{text[:200]} … [{len(text)} characters of an older page, left out: read the page again where it matters]"


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}
