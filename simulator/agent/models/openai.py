"""The model of the agent ``openai``: requests to the Chat Completions API, or to a server that is compatible with it.

Responsible for the client, for what a server does not know of the API, and for what an error means to a run. Not
responsible for: the form of messages (``chat_messages``), what is said, or what is done with an answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, cast

import httpx2
import openai

from simulator.agent.models.asking import AT_ONCE, MAX_TOKENS, RETRIES, TIMEOUT_S, Asking, Broken
from simulator.agent.models.chat_messages import Gathered, call_ids, chat_messages, chat_tools
from simulator.agent.models.choose import DEFAULT_MODELS
from simulator.agent.models.model import Answer, no_longer_fits
from simulator.errors import KeyMissing, ModelRefused, ModelUnavailable, UsageError

if TYPE_CHECKING:
    from anthropic.types import MessageParam, TextBlockParam, ToolUnionParam
    from openai.types.chat import ChatCompletionChunk

DEFAULT_MODEL = DEFAULT_MODELS["openai"]
DEFAULT_URL = "https://api.openai.com/v1"
KEY_VARIABLE = "OPENAI_API_KEY"
URL_VARIABLE = "OPENAI_BASE_URL"
PATIENT_S = 600.0
"""Seconds that another server is waited for: it may have to load the model, or read the prompt without a GPU."""
_BOUNDS = {"max_completion_tokens": 4 * MAX_TOKENS, "max_tokens": MAX_TOKENS}
"""The two names of the bound of an answer. The first one, which only newer servers know, counts thoughts, too."""
_TOO_LONG = frozenset({"context_length_exceeded", "exceed_context_size_error"})
_TOO_LONG_WORDS = "maximum context length"
"""What servers without a code for it say."""
_SPENT = "insufficient_quota"


@dataclass(frozen=True, slots=True)
class _Manners:
    """What a server is believed to know of the API."""

    bounds: tuple[str, ...]
    """Names of the bound of an answer that it has not refused; the first one is sent."""
    counts: bool = True
    """Whether it can be asked to count tokens in a stream."""

    @property
    def options(self) -> dict[str, Any]:
        bound = {self.bounds[0]: _BOUNDS[self.bounds[0]]} if self.bounds else {}
        return bound | ({"stream_options": {"include_usage": True}} if self.counts else {})

    def without(self, refused: str) -> _Manners | None:
        """Give other manners for a server that refused a request; None: they were not the reason."""
        if self.bounds and self.bounds[0] in refused:
            return replace(self, bounds=self.bounds[1:])
        if self.counts and "stream_options" in refused:
            return replace(self, counts=False)
        return None


class ChatModel:
    """Asks the Chat Completions API; shared by the users of a batch.

    Args:
        key: the API's key; empty: none is sent.
        base_url: where the API is.
        name: the model's name.
        at_once: how many requests may be under way.
    """

    def __init__(self, key: str, *, base_url: str = DEFAULT_URL, name: str, at_once: int = AT_ONCE) -> None:
        own = base_url == DEFAULT_URL
        self.name = name
        self._key = key
        self._asking = Asking(at_once)
        self._manners = _Manners(tuple(_BOUNDS if own else reversed(_BOUNDS)))
        self._address = str(httpx2.URL(base_url).copy_with(userinfo=b""))
        self._client = openai.AsyncOpenAI(
            api_key=key or "none", base_url=base_url, max_retries=RETRIES, timeout=TIMEOUT_S if own else PATIENT_S
        )
        self._headers = {} if key else {"Authorization": openai.omit}

    @classmethod
    def from_environment(cls, environ: Mapping[str, str], *, name: str = "", at_once: int = AT_ONCE) -> Self:
        """Make the client as the environment says.

        Args:
            environ: holds the key, and the address of another API that speaks the same, which may need no key.
            name: the model; the usual one when empty.
            at_once: how many requests may be under way.

        Raises:
            KeyMissing: there is no key, and no other address.
            UsageError: the address is not one, or nobody knows which models there are.
        """
        key, url = environ.get(KEY_VARIABLE, ""), environ.get(URL_VARIABLE, "")
        if not url and not key:
            raise KeyMissing(
                f"the agent 'openai' needs {KEY_VARIABLE}, or {URL_VARIABLE} for a server that asks for none; "
                "set it, or take --agent autopilot"
            )
        if not url:
            return cls(key, name=name or DEFAULT_MODEL, at_once=at_once)
        if not url.startswith(("http://", "https://")):
            raise UsageError(f"{URL_VARIABLE} is no address; expected one such as http://127.0.0.1:11434/v1")
        if not name:
            raise UsageError(f"which models there are at {URL_VARIABLE}, only its server knows; name one with --model")
        return cls(key, base_url=url, name=name, at_once=at_once)

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
        told, offered = chat_messages(system, messages), chat_tools(tools)
        taken = call_ids(messages)
        answer, seconds = await self._asking.whole(lambda: self._answer(told, offered, Gathered(taken)))
        return replace(answer, seconds=seconds)

    async def _answer(self, told: list[dict[str, Any]], offered: list[dict[str, Any]], gathered: Gathered) -> Answer:
        try:
            async with await self._opened(told, offered) as stream:
                await self._gather(stream, gathered)
        except openai.APIStatusError as error:
            if _is_too_long(error):
                return no_longer_fits(self.name)
            raise self._meant(error) from error
        except openai.APIConnectionError as error:
            raise ModelUnavailable(f"nothing answers at {self._address}: {self._said(error)}") from error
        return gathered.answer(self.name, [told, offered])

    async def _opened(
        self, told: list[dict[str, Any]], offered: list[dict[str, Any]]
    ) -> openai.AsyncStream[ChatCompletionChunk]:
        """Begin a stream, with other manners where the server does not know those of the API."""
        tools: dict[str, Any] = {"tools": offered} if offered else {}
        manners = self._manners
        while True:
            try:
                stream: openai.AsyncStream[ChatCompletionChunk] = await self._client.chat.completions.create(
                    model=self.name,
                    messages=cast(Any, told),
                    stream=True,
                    extra_headers=self._headers,
                    **tools,
                    **manners.options,
                )
                return stream
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                other = None if _is_too_long(error) else manners.without(f"{error.param} {error.message}")
                if other is None:
                    raise
                manners = self._manners = other

    async def _gather(self, stream: openai.AsyncStream[ChatCompletionChunk], gathered: Gathered) -> None:
        try:
            # The stream is read to its own end first. One that is left in its middle, as a chunk makes no sense, is
            # closed by the garbage collector: its nested generators then in tasks of their own, beside each other.
            for chunk in [chunk async for chunk in stream]:
                gathered.add(chunk)
        except (openai.APIError, httpx2.HTTPError, AttributeError, ValueError, LookupError, TypeError) as error:
            # The client checks no chunk; what has another form than the API's shows as it is read.
            raise Broken(f"{type(error).__name__}: {self._said(error)}") from error
        if not gathered.finished:
            raise Broken("the stream ended before the answer did")

    def _meant(self, error: openai.APIStatusError) -> ModelRefused | ModelUnavailable:
        """Say what an error of the API means."""
        status, said = error.status_code, self._said(error)
        if status in (401, 403):
            if not self._key:
                return ModelRefused(
                    f"the model's API at {self._address} wants a key ({status}: {said}); set {KEY_VARIABLE}"
                )
            return ModelRefused(f"the model's API refuses the key ({status}: {said}); check {KEY_VARIABLE}")
        if status == 404:
            return ModelRefused(
                f"the model's API at {self._address} does not know '{self.name}' ({said}); name another with --model, "
                f"or check {URL_VARIABLE}"
            )
        if error.code == _SPENT:
            return ModelRefused(f"the account of {KEY_VARIABLE} has nothing left to pay with ({status}: {said})")
        if status in (408, 409, 429) or status >= 500:
            return ModelUnavailable(f"the model's API answers {status} however often it is asked: {said}")
        return ModelRefused(f"the model's API refuses the request ({status}: {said})")

    def _said(self, error: Exception) -> str:
        """Give what an error says, in a line and without the key."""
        body = error.body if isinstance(error, openai.APIError) else None
        text = str((body.get("message") or body.get("detail") or body) if isinstance(body, dict) else error)
        text = " ".join(text.split())[:300]
        return text.replace(self._key, f"${KEY_VARIABLE}") if self._key else text


def _is_too_long(error: openai.APIStatusError) -> bool:
    return bool(_TOO_LONG & {error.code, error.type}) or _TOO_LONG_WORDS in error.message
