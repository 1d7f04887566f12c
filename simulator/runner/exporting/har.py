"""The exchanges of runs as an HTTP archive (HAR 1.2), which browsers' developer tools and Playwright open.

Not responsible for: recording them. Secrets stay the placeholders that they are in the recording.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from http.client import responses
from typing import Any
from urllib.parse import parse_qsl, quote

from simulator.addresses import urlsplit
from simulator.bindings import Bindings
from simulator.browser.wire.bodies import Part, join
from simulator.browser.wire.exchange import HOST, ORIGIN, readable
from simulator.errors import RecordingError
from simulator.persona import Identity
from simulator.recording.reader import Recording
from simulator.recording.rows import ExchangeRow, RunRow
from simulator.replay.bind import read_row
from simulator.template import PLACEHOLDER
from simulator.version import VERSION

_URL_SAFE = "%/:?#[]@!$&'()*+,;=~{}"
_PHASES = ("dns", "connect", "send", "wait", "receive")


def write_har(recording: Recording, runs: Sequence[RunRow]) -> str:
    """Write the exchanges of runs, in the order in which they began, as JSON.

    Args:
        recording: where they stand.
        runs: recorded, or replays.

    Raises:
        RecordingError: none are recorded of any of them.
    """
    pages: list[dict[str, Any]] = []
    entries: list[dict[str, Any]] = []
    for run in runs:
        exchanges = recording.exchanges(run.id)
        if not exchanges:
            continue
        writer = _RunWriter(recording, run)
        for entry in map(writer.entry, exchanges):
            if entry["pageref"] not in {page["id"] for page in pages}:
                pages.append(writer.page(entry))
            entries.append(entry)
    if not entries:
        raise RecordingError(
            f"{recording.path} holds no requests and answers of {'these runs' if len(runs) > 1 else 'this run'}: "
            "record or replay with '--exchanges all'"
        )
    entries.sort(key=lambda entry: str(entry["startedDateTime"]))
    log = {
        "version": "1.2",
        "creator": {"name": "simulator", "version": VERSION},
        "browser": {"name": "chromium", "version": str(runs[0].environment.get("browser", ""))},
        "pages": pages,
        "entries": entries,
    }
    return json.dumps({"log": log}, ensure_ascii=False, indent=1) + "\n"


class _RunWriter:
    """Writes the exchanges of one run."""

    def __init__(self, recording: Recording, run: RunRow) -> None:
        self._recording = recording
        self._run = run
        self._steps = {step.id: step for step in recording.steps(run.id)}
        base = urlsplit(str(run.environment.get("base_url") or "http://127.0.0.1"))
        self._origin = f"{base.scheme}://{base.netloc}"
        recorded = {one.name: one.value for one in recording.variables(run.id) if one.value is not None}
        identity = read_row(Identity, run.identity, run).variables() if run.identity else {}
        place = {ORIGIN.strip("{}"): self._origin, HOST.strip("{}"): base.netloc}
        self._bindings = Bindings({**identity, **recorded, **place})

    def entry(self, one: ExchangeRow) -> dict[str, Any]:
        """Give an exchange as an entry."""
        timings = _timings(one.timings)
        return {
            "pageref": f"{self._run.id} {one.step_id or ''}".strip(),
            "startedDateTime": one.started_at,
            "time": sum(timings[phase] for phase in _PHASES if timings[phase] > 0),
            "request": self._request(one),
            "response": self._response(one),
            "cache": {},
            "timings": timings,
            "_resourceType": one.initiator,
            "comment": one.error or "",
        }

    def page(self, entry: Mapping[str, Any]) -> dict[str, Any]:
        """Give the page that an entry belongs to: a step of the run."""
        run, step = self._run, self._steps.get(str(entry["pageref"]).partition(" ")[2])
        told = f"step {step.ordinal + 1}: {step.tool or 'by hand'}" if step else "beside its steps"
        return {
            "startedDateTime": entry["startedDateTime"],
            "id": entry["pageref"],
            "title": f"{run.persona or 'run'} {run.number}, {told}",
            "pageTimings": {"onContentLoad": -1, "onLoad": -1},
        }

    def _request(self, one: ExchangeRow) -> dict[str, Any]:
        headers = self._headers(one.request_headers)
        url = self._url(one.url)
        body = self._sent(one, headers)
        request = {
            "method": one.method,
            "url": url,
            "httpVersion": _version(one),
            "cookies": _cookies(headers, "cookie"),
            "headers": headers,
            "queryString": [
                {"name": name, "value": value} for name, value in parse_qsl(urlsplit(url).query, keep_blank_values=True)
            ],
            "headersSize": -1,
            "bodySize": -1 if body is None else len(body),
        }
        return request if body is None else request | {"postData": self._post_data(one, headers, body)}

    def _sent(self, one: ExchangeRow, headers: Sequence[Mapping[str, str]]) -> bytes | None:
        if one.request_parts is not None:
            return join(_header(headers, "content-type"), [self._part(part) for part in one.request_parts])
        if one.request_body is None:
            return None
        data = self._recording.blobs.read(one.request_body)
        text = readable(data)
        return data if text is None else self._bindings.shown(text).encode()

    def _part(self, part: Mapping[str, Any]) -> Part:
        if "value" in part:
            return Part(part["name"], self._bindings.shown(part["value"]), media_type=part.get("type", ""))
        data = self._recording.blobs.read(part["file"]) if part["file"] else b""
        name = self._bindings.shown(part["filename"])
        return Part(part["name"], filename=name, media_type=part.get("type", ""), data=data)

    def _post_data(self, one: ExchangeRow, headers: Sequence[Mapping[str, str]], body: bytes) -> dict[str, Any]:
        told: dict[str, Any] = {"mimeType": _header(headers, "content-type"), "text": body.decode("latin-1")}
        if (text := readable(body)) is not None:
            told["text"] = text
        params = []
        for part in map(self._part, one.request_parts or ()):
            param = {"name": part.name, "value": part.value}
            if part.filename is not None:
                param = {"name": part.name, "fileName": part.filename, "contentType": part.media_type}
            params.append(param)
        return told | {"params": params}

    def _response(self, one: ExchangeRow) -> dict[str, Any]:
        headers = self._headers(one.response_headers)
        content: dict[str, Any] = {"size": 0, "mimeType": _header(headers, "content-type") or "x-unknown"}
        if one.response_body is not None:
            data = self._recording.blobs.read(one.response_body)
            text = readable(data)
            if text is None:
                content |= {"size": len(data), "text": base64.b64encode(data).decode(), "encoding": "base64"}
            else:
                shown = text.replace(ORIGIN, self._origin)
                content |= {"size": len(shown.encode()), "text": shown}
        elif one.error:
            content["comment"] = one.error
        return {
            "status": one.status or -1,
            "statusText": responses.get(one.status, ""),
            "httpVersion": _version(one),
            "cookies": _cookies(headers, "set-cookie"),
            "headers": headers,
            "content": content,
            "redirectURL": _header(headers, "location"),
            "headersSize": -1,
            "bodySize": -1,
        }

    def _headers(self, headers: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
        return [{"name": name, "value": self._bindings.shown(value)} for name, value in headers]

    def _url(self, template: str) -> str:
        shown = PLACEHOLDER.sub(lambda found: quote(self._bindings.shown(found.group(0)), safe="{}:/"), template)
        whole = f"{self._origin}{shown}" if shown.startswith("/") else shown
        return quote(whole, safe=_URL_SAFE)


def _timings(told: Mapping[str, float]) -> dict[str, float]:
    """Give how long each phase took, in milliseconds; -1 where there was none."""
    sent, answered, ended = (told.get(name, 0.0) for name in ("sent", "answered", "ended"))
    connected = told.get("connected", 0.0)
    phases = {
        "blocked": -1.0,
        "dns": told["connect"] - told["lookup"] if {"connect", "lookup"} <= told.keys() else -1.0,
        "connect": connected - told["connect"] if {"connect", "connected"} <= told.keys() else -1.0,
        "ssl": connected - told["secure"] if {"secure", "connected"} <= told.keys() else -1.0,
        "send": 0.0,
        "wait": max(answered - sent, 0.0),
        "receive": max(ended - answered, 0.0),
    }
    return {name: round(value, 3) for name, value in phases.items()}


def _version(one: ExchangeRow) -> str:
    return "HTTP/2.0" if any(name == ":authority" for name, _ in one.request_headers) else "HTTP/1.1"


def _header(headers: Sequence[Mapping[str, str]], name: str) -> str:
    return next((header["value"] for header in headers if header["name"].lower() == name), "")


def _cookies(headers: Sequence[Mapping[str, str]], name: str) -> list[dict[str, str]]:
    """Give the cookies of a message: their names, as no recording holds their values."""
    lines = [header["value"] for header in headers if header["name"].lower() == name]
    pairs = [pair for line in lines for pair in (line.split(";") if name == "cookie" else [line.partition(";")[0]])]
    named = [pair.strip().partition("=") for pair in pairs if "=" in pair]
    return [{"name": key, "value": value} for key, _, value in named]
