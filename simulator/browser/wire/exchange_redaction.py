"""Writes an exchange as it is stored: variables as such, without the place of the site, and without secrets.

Not responsible for: what is secret by its name (``withheld``) or known to the vault (whoever stores it masks that).
"""

from __future__ import annotations

from typing import Any

from simulator.bindings import Bindings
from simulator.browser.wire.bodies import Part
from simulator.browser.wire.exchange import (
    HOST,
    MAX_BODY,
    ORIGIN,
    Exchange,
    Headers,
    WrittenExchange,
    header_of,
    is_cached,
    readable,
)
from simulator.browser.wire.server_values import UrlTemplates
from simulator.browser.wire.withheld import Withheld
from simulator.template import literal

_PHASES = {
    "domainLookupStart": "lookup",
    "connectStart": "connect",
    "secureConnectionStart": "secure",
    "connectEnd": "connected",
    "requestStart": "sent",
    "responseStart": "answered",
    "responseEnd": "ended",
}


class ExchangeTeller:
    """Writes the exchanges of one user.

    Args:
        actor: name of the user.
        origin: the site's scheme, host and port.
        bindings: the run's variables.
        urls: writes addresses of the run.
        withheld: what is left out of the run's traffic.
    """

    def __init__(self, actor: str, origin: str, bindings: Bindings, urls: UrlTemplates, withheld: Withheld) -> None:
        self._actor = actor
        self._origin = origin
        self._host = origin.partition("://")[2]
        self._bindings = bindings
        self._urls = urls
        self._withheld = withheld

    def tell(self, exchange: Exchange) -> WrittenExchange:
        """Write an exchange, as it is now."""
        request, response, hide = exchange.request, exchange.response, self._withheld
        url = request.url.removeprefix(self._origin) if request.url.startswith(f"{self._origin}/") else request.url
        body, parts = exchange.body, None
        if exchange.parts is not None:
            parts = [self._part(part) for part in exchange.parts]
        elif body is not None and len(body) > MAX_BODY:
            exchange.remarks.append(f"the request's body is not kept: {len(body)} bytes are more than {MAX_BODY}")
            body = None
        elif body is not None and (text := readable(body)) is not None:
            body = self._template(hide.sent(literal(text))).encode("utf-8", "surrogateescape")
        answer = exchange.answer
        if answer is not None and (text := readable(answer)) is not None:
            answer = self._placeless(hide.text(text)).encode("utf-8", "surrogateescape")
        timing: dict[str, Any] = dict(request.timing)
        timings = {name: round(timing[phase], 3) for phase, name in _PHASES.items() if timing.get(phase, -1) >= 0}
        over = exchange.over
        return WrittenExchange(
            actor=self._actor,
            action_id=exchange.action_id,
            initiator=exchange.initiator,
            method=request.method,
            url=self._placeless(self._urls.recognise(hide.url(url))),
            request_headers=self._headers(exchange.headers),
            request_parts=parts,
            request_body=body,
            request_type=header_of(exchange.headers, "content-type"),
            status=response.status if response else 0,
            response_headers=self._headers(exchange.answer_headers),
            response_body=answer,
            response_type=header_of(exchange.answer_headers, "content-type"),
            error="; ".join(exchange.remarks) or (None if over else "it had not ended when this was recorded"),
            timings=timings if over and not is_cached(exchange.headers) else {},
        )

    def _headers(self, headers: Headers) -> list[tuple[str, str]]:
        shown = self._withheld.headers([(name, literal(value)) for name, value in headers])
        return [(name, self._template(value)) for name, value in shown]

    def _part(self, part: Part) -> dict[str, Any]:
        told: dict[str, Any] = {"name": part.name}
        if part.filename is not None:
            told |= {"filename": self._template(literal(part.filename)), "file": part.sha256 or part.data}
        else:
            told["value"] = self._template(self._withheld.value(part.name, literal(part.value)))
        return told | ({"type": part.media_type} if part.media_type else {})

    def _template(self, text: str) -> str:
        return self._bindings.recognise(self._placeless(text))

    def _placeless(self, text: str) -> str:
        """Write a text without the place of the site: it stands in a run once, in its environment."""
        text = text.replace(self._origin, ORIGIN)
        return HOST if text == self._host else text
