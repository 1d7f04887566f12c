"""The conversation about one task as it is sent to a model: bounded, cacheable, and without secrets.

Responsible for the order of messages, for what of them a later request still shows, and for the marks up to which the
API may cache. Not responsible for: what is said in them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from simulator.canonical import map_strings
from simulator.tools.observing import CHANGES, PAGE

if TYPE_CHECKING:
    from anthropic.types import MessageParam

KEPT = 3
"""Pictures and long texts that every request shows whole: the latest."""
CHUNK = 4
"""How many more may gather before the older ones are replaced, all at once: each replacement costs the cache."""
LONG = 2_000
"""Characters from which a text counts as long."""
CHANGED = 160
"""Characters that stay of what changed on a page that has been left."""
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

    def withhold(self, call_id: str, input: Any) -> None:
        """Show a call with another input from now on: it typed into a secret field.

        Args:
            call_id: the model's id of the call.
            input: what stands for its input.
        """
        for message in self._messages:
            if message["role"] == "assistant":
                message["content"] = [
                    {**block, "input": input} if block.get("id") == call_id else block for block in message["content"]
                ]

    def tell(self, results: Sequence[dict[str, Any]], note: str = "") -> None:
        """Add what the model reads next: the results of all its calls, and a note after them."""
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
        """Replace what is old by a line: pages that were left at once, pictures and long texts as enough have gathered.

        What was said since a page was left is little, so its loss to the cache costs less than to send that page again
        with each request.
        """
        places = list(self._blocks())
        latest = max((at for at, place in enumerate(places) if _says_page(place.block)), default=0)
        for place in places[:latest]:
            if place.block["type"] == "text":
                place.replace(_text(_left(place.block["text"])))
        bulky = [
            place
            for place in self._blocks()
            if place.block["type"] == "image" or (_is_long(place.block) and not _says_page(place.block))
        ]
        if len(bulky) < KEPT + CHUNK:
            return
        for place in bulky[:-KEPT]:
            picture = place.block["type"] == "image"
            place.replace(_text(OLD_PICTURE if picture else _shortened(place.block["text"])))

    def _blocks(self) -> Iterator[_Place]:
        """Give what the results hold, block by block."""
        for message in self._messages:
            for result in message["content"]:
                if result["type"] == "tool_result" and isinstance(result["content"], list):
                    yield from (_Place(result["content"], at) for at in range(len(result["content"])))


class _Place(NamedTuple):
    """Where a block stands."""

    content: list[dict[str, Any]]
    at: int

    @property
    def block(self) -> dict[str, Any]:
        return self.content[self.at]

    def replace(self, block: dict[str, Any]) -> None:
        self.content[self.at] = block


def _says_page(block: dict[str, Any]) -> bool:
    """Return whether a block shows a page whole."""
    return block["type"] == "text" and str(block["text"]).startswith(PAGE)


def _is_long(block: dict[str, Any]) -> bool:
    return block["type"] == "text" and len(str(block["text"])) > LONG


def _left(text: str) -> str:
    """Shorten what was shown of a page that has been left; anything else stays as it is."""
    if text.startswith(PAGE):
        return f"[a page that was left: {text.partition(chr(10))[0].removeprefix(PAGE)}]"
    if text.startswith(CHANGES) and len(text) > CHANGED:
        return f"{text[:CHANGED]} …"
    return text


def _shortened(text: str) -> str:
    return f"{text[:200]} … [{len(text)} characters of an older page, left out: read the page again where it matters]"


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}
