"""What other hosts answered a run, for its replays. Not responsible for: answering."""

from __future__ import annotations

from functools import partial

from simulator.bindings import Bindings
from simulator.browser.launch.network import endpoints
from simulator.browser.launch.third_parties import RecordedAnswer, ThirdParties
from simulator.browser.wire.exchange import HOST, ORIGIN
from simulator.recording.reader import Recording
from simulator.recording.rows import ExchangeRow, RunRow
from simulator.runner.surroundings.resources import Resources


def recorded_third_parties(recording: Recording, run: RunRow, resources: Resources, bindings: Bindings) -> ThirdParties:
    """Give what answers for other hosts in a replay.

    Args:
        recording: where the run stands.
        run: the run that is replayed.
        resources: of the replay.
        bindings: the variables of the replay.
    """
    site = resources.site
    own = endpoints(site.base_url)
    place = {ORIGIN: site.origin, HOST: site.origin.partition("://")[2]}

    def shown(template: str) -> str:
        for name, value in place.items():
            template = template.replace(name, value)
        return bindings.shown(template)

    def body(exchange: ExchangeRow) -> bytes:
        if exchange.response_body is None:
            return b""
        return recording.blobs.read(exchange.response_body).replace(ORIGIN.encode(), site.origin.encode())

    answers = [
        RecordedAnswer(
            one.method,
            shown(one.url),
            one.status,
            [(name, shown(value)) for name, value in one.response_headers],
            partial(body, one),
        )
        for one in recording.exchanges(run.id) or recording.exchanges(run.original)
        if not one.url.startswith("/") and one.status and (one.response_body or not one.error)
    ]
    hosts = [host for host in resources.policy.allowed if host not in own]
    return ThirdParties(hosts, answers, resources.pool.blocked.append)
