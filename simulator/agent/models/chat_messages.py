"""Conversations, tools and answers in the form of the Chat Completions API.

Responsible for what the two forms have in common and for what servers that are compatible with it do differently.
Not responsible for: sending anything. Imports no SDK.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from simulator.agent.models.asking import Broken
from simulator.agent.models.model import Answer, StopReason, ToolUse
from simulator.agent.models.written import tool_input
from simulator.agent.usage import Usage
from simulator.canonical import well_formed

if TYPE_CHECKING:
    from anthropic.types import MessageParam, TextBlockParam, ToolUnionParam
    from openai.types import CompletionUsage
    from openai.types.chat import ChatCompletionChunk
    from openai.types.chat.chat_completion_chunk import ChoiceDeltaToolCall

ERROR = "Error: "
"""How the text of a tool message begins that reports a failure: such messages have no mark for it, as results have."""
PICTURE = "The picture follows."
CHARACTERS_PER_TOKEN = 4
"""About; for servers that do not say how many tokens they counted."""
PICTURE_TOKENS = 1_000
"""About, for the same servers."""
FILTERED = "the answer was withheld by the content filter of the model's API"
_STOPS: Mapping[str, StopReason] = {"length": "max_tokens", "content_filter": "refusal"}
_NOT_IN_A_NAME = re.compile(r"[^a-zA-Z0-9_-]")
_LONGEST_NAME = 64


def chat_messages(system: Iterable[TextBlockParam], messages: Iterable[MessageParam]) -> list[dict[str, Any]]:
    """Write a conversation.

    A result becomes a message of the tool, one for each call, in their order; its pictures, which such a message cannot
    hold, follow them all in a message of the user. Marks for the cache fall away: it needs none.
    """
    rules = "\n\n".join(block["text"] for block in system)
    told: list[dict[str, Any]] = [{"role": "system", "content": rules}] if rules else []
    for message in messages:
        content: Any = message["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else list(content)
        told += _of_the_model(blocks) if message["role"] == "assistant" else _of_the_user(blocks)
    return told


def chat_tools(tools: Iterable[ToolUnionParam]) -> list[dict[str, Any]]:
    """Write tools; each has a schema of its own, for toolsets of the Messages API are unknown here."""
    params: Iterable[Any] = tools
    return [
        {
            "type": "function",
            "function": {"name": one["name"], "description": one["description"], "parameters": one["input_schema"]},
        }
        for one in params
    ]


def call_ids(messages: Iterable[MessageParam]) -> frozenset[str]:
    """Give the ids of all calls of a conversation."""
    contents: Iterable[Any] = (message["content"] for message in messages)
    lists = (content for content in contents if not isinstance(content, str))
    return frozenset(block["id"] for blocks in lists for block in blocks if block["type"] == "tool_use")


def _of_the_model(blocks: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    text = "\n\n".join(block["text"] for block in blocks if block["type"] == "text")
    calls = [
        {
            "id": block["id"],
            "type": "function",
            "function": {"name": _name(block["name"]), "arguments": json.dumps(block["input"], ensure_ascii=False)},
        }
        for block in blocks
        if block["type"] == "tool_use"
    ]
    if text or calls:
        yield {"role": "assistant", "content": text or None} | ({"tool_calls": calls} if calls else {})


def _of_the_user(blocks: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    beside: list[dict[str, Any]] = []
    pictures: list[dict[str, Any]] = []
    for block in blocks:
        if block["type"] != "tool_result":
            beside.append(block)
            continue
        content = block["content"]
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        shown = [part for part in parts if part["type"] == "image"]
        said = "\n".join(part["text"] for part in parts if part["type"] == "text") or PICTURE
        error = ERROR if block.get("is_error") else ""
        yield {"role": "tool", "tool_call_id": block["tool_use_id"], "content": f"{error}{said}"}
        pictures += shown
    text = "\n\n".join(block["text"] for block in beside if block["type"] == "text")
    pictures += [block for block in beside if block["type"] == "image"]
    if pictures:
        last = [{"type": "text", "text": text}] if text else []
        yield {"role": "user", "content": [*map(_picture, pictures), *last]}
    elif text:
        yield {"role": "user", "content": text}


def _picture(block: Mapping[str, Any]) -> dict[str, Any]:
    source = block["source"]
    return {"type": "image_url", "image_url": {"url": f"data:{source['media_type']};base64,{source['data']}"}}


def _name(called: str) -> str:
    """Write the name of a call so that the API takes it back: a model may have called what nobody offered."""
    return _NOT_IN_A_NAME.sub("_", called)[:_LONGEST_NAME] or "unnamed"


@dataclass(slots=True)
class _Call:
    id: str = ""
    name: str = ""
    arguments: str = ""

    @property
    def input(self) -> dict[str, Any] | None:
        """What it gives to the tool; None where that is no JSON object."""
        return tool_input(self.arguments)


@dataclass(slots=True)
class Gathered:
    """An answer, put together from the chunks of its stream.

    Args:
        taken: ids of the calls before it.
    """

    taken: Collection[str] = ()
    model: str = ""
    finished: str = ""
    """Why it ended; empty: it has not."""
    _text: list[str] = field(default_factory=list)
    _refusal: list[str] = field(default_factory=list)
    _calls: list[_Call] = field(default_factory=list)
    _open: dict[int | None, _Call] = field(default_factory=dict)
    """The latest call of each index."""
    _usage: CompletionUsage | None = None

    def add(self, chunk: ChatCompletionChunk) -> None:
        """Take in a chunk.

        Raises:
            Broken: it reports an error.
        """
        self.model = chunk.model or self.model
        self._usage = chunk.usage or self._usage
        for choice in chunk.choices or ():
            delta = choice.delta
            # Reasoning comes as content that is no text.
            self._text += [delta.content] if isinstance(delta.content, str) else []
            self._refusal += [delta.refusal] if delta.refusal else []
            for part in delta.tool_calls or ():
                self._add_call(part)
            self.finished = choice.finish_reason or self.finished
        if self.finished == "error":
            raise Broken("the stream ended with an error")

    def _add_call(self, part: ChoiceDeltaToolCall) -> None:
        function = part.function
        name, arguments = (function.name or "", function.arguments) if function else ("", "")
        call = self._open.get(part.index)
        # Some servers give all calls of an answer one index, or none, and no ids.
        other = call is not None and bool(part.id and call.id) and part.id != call.id
        again = call is not None and not part.id and bool(name) and call.arguments != "" and call.input is not None
        if call is None or other or again:
            call = self._open[part.index] = _Call()
            self._calls.append(call)
        call.id = call.id or part.id or ""
        call.name = call.name or name
        # Others send an object where the API has the text of one.
        call.arguments += arguments if isinstance(arguments, str) else json.dumps(arguments) if arguments else ""

    def answer(self, asked: str, request: Sequence[Any]) -> Answer:
        """Give the whole answer.

        Args:
            asked: the model that was asked.
            request: what was sent, to count where the server did not.
        """
        text = well_formed("".join(self._text))
        taken = set(self.taken)
        uses = []
        for call in self._calls:
            call.arguments = well_formed(call.arguments)
            id = call.id if call.id and call.id not in taken else f"call_{uuid4().hex}"
            taken.add(id)
            uses.append(ToolUse(id, call.name, call.input))
        refusal = well_formed("".join(self._refusal)) or (FILTERED if self.finished == "content_filter" else "")
        stop: StopReason = _STOPS.get(self.finished, "tool_use" if uses else "refusal" if refusal else "end_turn")
        content: list[dict[str, Any]] = [{"type": "text", "text": text}] if text.strip() else []
        content += [{"type": "tool_use", "id": one.id, "name": one.name, "input": one.input or {}} for one in uses]
        return Answer(
            content=content,
            uses=tuple(uses),
            text=text if text.strip() else "",
            stop_reason=stop,
            usage=_counted(self._usage) if self._usage else _estimated(request, content),
            model=self.model or asked,
            seconds=0,
            refusal=refusal if stop == "refusal" else "",
        )


def _counted(usage: CompletionUsage) -> Usage:
    """Give the tokens as a server counted them: its prompt includes what the cache was read and written for."""
    details = usage.prompt_tokens_details
    read = (details.cached_tokens or 0) if details else 0
    written = (details.cache_write_tokens or 0) if details else 0
    return Usage(
        input=max((usage.prompt_tokens or 0) - read - written, 0),
        cache_write=written,
        cache_read=read,
        output=usage.completion_tokens or 0,
    )


def _estimated(request: Sequence[Any], content: Sequence[Any]) -> Usage:
    pictures, characters = 0, 0
    for text in _strings(request):
        if text.startswith("data:image/"):
            pictures += 1
        else:
            characters += len(text)
    asked = characters // CHARACTERS_PER_TOKEN + pictures * PICTURE_TOKENS
    return Usage(input=asked, output=sum(map(len, _strings(content))) // CHARACTERS_PER_TOKEN)


def _strings(value: Any) -> Iterator[str]:
    """Give all texts in a value, keys of objects included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
