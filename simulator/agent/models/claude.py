"""The model of the agent ``claude``: requests to the Messages API by its official client.

Responsible for the client, and for what an error means to a run. Not responsible for: how many requests run at once or
are begun again (``asking``), what is said, or what is done with an answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Self

import anthropic
import httpx2
from anthropic.types import Message, MessageParam, TextBlockParam, ToolUnionParam

from simulator.agent.models.asking import AT_ONCE, MAX_TOKENS, RETRIES, TIMEOUT_S, Asking, Broken
from simulator.agent.models.choose import DEFAULT_MODELS
from simulator.agent.models.model import Answer, ToolUse, no_longer_fits
from simulator.agent.models.streaming import put_together
from simulator.agent.usage import Usage
from simulator.errors import KeyMissing, ModelRefused, ModelUnavailable
from simulator.tools.views import BETAS

DEFAULT_MODEL = DEFAULT_MODELS["claude"]
KEY_VARIABLE = "ANTHROPIC_API_KEY"
URL_VARIABLE = "ANTHROPIC_BASE_URL"
_PASSING = frozenset({"overloaded_error", "api_error", "rate_limit_error", "timeout_error"})
"""Errors in a stream that may be over at the next try."""
_TOO_LARGE = 413
_TOO_LONG_WORDS = ("prompt is too long", "exceed context limit")
"""What an error 400 says of a conversation that does not fit the model; it has no type of its own."""


class Claude:
    """Asks the Messages API; shared by the users of a batch.

    Args:
        key: the API's key.
        base_url: where the API is, when not at its usual address.
        name: the model's name.
        at_once: how many requests may be under way.
    """

    def __init__(
        self, key: str, *, base_url: str | None = None, name: str = DEFAULT_MODEL, at_once: int = AT_ONCE
    ) -> None:
        self.name = name
        self._key = key
        self._asking = Asking(at_once)
        self._client = anthropic.AsyncAnthropic(
            api_key=key, base_url=base_url or None, max_retries=RETRIES, timeout=TIMEOUT_S
        )

    @classmethod
    def from_environment(cls, environ: Mapping[str, str], *, name: str = "", at_once: int = AT_ONCE) -> Self:
        """Make the client as the environment says.

        Args:
            environ: holds the key, and the address of another API that speaks the same.
            name: the model; the usual one when empty.
            at_once: how many requests may be under way.

        Raises:
            KeyMissing: there is no key.
        """
        key = environ.get(KEY_VARIABLE, "")
        if not key:
            raise KeyMissing(f"the agent 'claude' needs {KEY_VARIABLE}; set it, or take --agent autopilot")
        return cls(key, base_url=environ.get(URL_VARIABLE), name=name or DEFAULT_MODEL, at_once=at_once)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close the connections."""
        await self._client.close()

    async def ask(
        self, system: list[TextBlockParam], tools: Sequence[ToolUnionParam], messages: list[MessageParam]
    ) -> Answer:
        """Send a conversation and wait for the whole answer.

        Raises:
            ModelRefused: the API takes no request of this kind: the key, the model or the request is wrong.
            ModelUnavailable: it gives no answer, however often it is asked.
        """
        message, seconds = await self._asking.whole(lambda: self._stream(system, tools, messages))
        return _answer(message, seconds) if message else no_longer_fits(self.name)

    async def _stream(
        self, system: list[TextBlockParam], tools: Sequence[ToolUnionParam], messages: list[MessageParam]
    ) -> Message | None:
        """Give the whole answer; None: the conversation is too long for the model."""
        try:
            stream = await self._client.messages.create(
                model=self.name,
                max_tokens=MAX_TOKENS,
                system=system,
                tools=tools,
                messages=messages,
                extra_headers=_headers(tools),
                stream=True,
            )
            async with stream:
                return await put_together(stream)
        except anthropic.APIStatusError as error:
            if _is_too_long(error):
                return None
            said = self._masked(error.api_message or error.message)
            if error.status_code < 400 and error.type in _PASSING:
                raise Broken(said) from error
            raise self._told(error.status_code, said) from error
        except anthropic.APIConnectionError as error:
            raise ModelUnavailable(f"nothing answers at {self._client.base_url}: {self._masked(str(error))}") from error
        except (httpx2.HTTPError, ValueError, RuntimeError, AssertionError, LookupError, TypeError) as error:
            # What the client raises over events that it cannot put together has no type of its own.
            raise Broken(self._masked(f"{type(error).__name__}: {error}")) from error

    def _told(self, status: int, said: str) -> ModelRefused | ModelUnavailable:
        """Say what an error of the API means."""
        if status in (401, 403):
            return ModelRefused(f"the model's API refuses the key ({status}: {said}); check {KEY_VARIABLE}")
        if status == 404:
            return ModelRefused(f"the model's API does not know '{self.name}' ({said}); name another with --model")
        if status in (408, 409, 429) or status >= 500:
            return ModelUnavailable(f"the model's API answers {status} however often it is asked: {said}")
        return ModelRefused(f"the model's API refuses the request ({status}: {said})")

    def _masked(self, text: str) -> str:
        return text.replace(self._key, f"${KEY_VARIABLE}")


def _headers(tools: Sequence[ToolUnionParam]) -> dict[str, str] | None:
    """Name what of the API's beta the tools are."""
    types = [str(tool.get("type")) for tool in tools]
    betas = sorted({BETAS[type] for type in types if type in BETAS})
    return {"anthropic-beta": ",".join(betas)} if betas else None


def _is_too_long(error: anthropic.APIStatusError) -> bool:
    said = error.api_message or error.message
    refused = error.status_code == 400 or error.type == "invalid_request_error"
    return error.status_code == _TOO_LARGE or (refused and any(words in said for words in _TOO_LONG_WORDS))


def _answer(message: Message, seconds: float) -> Answer:
    content: list[dict[str, Any]] = []
    uses: list[ToolUse] = []
    texts: list[str] = []
    for block in message.content:
        told = block.to_dict(mode="json", warnings=False)
        if block.type == "text":
            if not block.text.strip():
                continue
            texts.append(block.text)
        elif block.type == "tool_use":
            given: object = block.input
            input = dict(given) if isinstance(given, dict) else None
            told["input"] = input or {}
            uses.append(ToolUse(block.id, block.name, input, block.toolset_name or ""))
        content.append(told)
    usage, details = message.usage, message.stop_details
    return Answer(
        content=content,
        uses=tuple(uses),
        text="\n".join(texts),
        stop_reason=message.stop_reason or "end_turn",
        usage=Usage(
            usage.input_tokens,
            usage.cache_creation_input_tokens or 0,
            usage.cache_read_input_tokens or 0,
            usage.output_tokens,
        ),
        model=message.model,
        seconds=seconds,
        refusal=(details.explanation or details.category or "") if details else "",
    )
