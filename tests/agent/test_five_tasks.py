"""Five tasks in free words on the real bookshop: recorded, and performed again without the model.

A scripted model does each by our tools, by the API's own browser toolset, and through another API, each with the real
SDK in the real browser.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from simulator.recording.reader import Recording
from simulator.runner.continuing.offline import OfflineOptions, replay_offline
from tests.agent.five_tasks import MESSAGE, RIGHT_PRICE, TASKS, Doer, MemberHands, OurHands, ToolClient
from tests.fakes import chat_completions, messages_api
from tests.fakes.model_server import ModelApi, Script
from tests.runner.bench import Bench, Original, settings

pytestmark = pytest.mark.timeout(900)

SELLER = {
    "persona": "seller",
    "tasks": ["register", {"list_books": {"count": 2}}, "create_matchup", "logout"],
    "tastes": {"genres": ["Crime"], "price": {"min": 2.0, "max": 30.0}},
}


class Way(NamedTuple):
    """How a model is reached, and by which tools it acts."""

    agent: str
    client: type[ToolClient]
    toolsets: tuple[str, ...]
    serve: Callable[[Script], AbstractContextManager[ModelApi]]
    environ: Mapping[str, str]
    """What points the agent to a server; ``{url}`` is its address."""


ANTHROPIC = {"ANTHROPIC_API_KEY": messages_api.KEY, "ANTHROPIC_BASE_URL": "{url}"}
OPENAI = {"OPENAI_API_KEY": chat_completions.KEY, "OPENAI_BASE_URL": "{url}/v1"}
WAYS = {
    "claude": Way("claude", OurHands, ("browser", "books"), messages_api.messages_api, ANTHROPIC),
    "anthropic-browser": Way(
        "claude", MemberHands, ("anthropic-browser", "books"), messages_api.messages_api, ANTHROPIC
    ),
    "openai": Way("openai", OurHands, ("browser", "books"), chat_completions.chat_completions, OPENAI),
}
MATRIX = [
    pytest.param("claude", tuple(TASKS), id="claude"),
    pytest.param("anthropic-browser", ("cheapest", "recover"), marks=pytest.mark.slow, id="anthropic-browser"),
    pytest.param("openai", ("message", "vote"), marks=pytest.mark.slow, id="openai"),
    pytest.param(
        "anthropic-browser", ("message", "price", "vote"), marks=pytest.mark.slow, id="anthropic-browser-more"
    ),
    pytest.param("openai", ("cheapest", "price", "recover"), marks=pytest.mark.slow, id="openai-more"),
]
"""Every task in every way; the rest of the other two ways is a repetition."""


@dataclass(frozen=True)
class Done:
    """A task that was done and recorded."""

    made: Original
    model: Doer
    requests: int

    @property
    def state(self) -> dict[str, Any]:
        """What the site holds of the user who did it."""
        held: dict[str, Any] = self.made.shop.state[self.made.result.runs[1].username]
        return held

    def of(self, reference: Sequence[Any]) -> dict[str, Any]:
        """Give what a reference in the site's state means."""
        owner, kind, place = reference
        thing: dict[str, Any] = self.made.shop.state[owner][kind][str(place)]
        return thing


Do = Callable[..., Any]


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path, settings())


@pytest.fixture
def do(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> Do:
    """Has tasks done on a new site on which somebody else sells; afterwards no model is at hand."""

    async def done(way: Way, names: Sequence[str]) -> Done:
        user = {
            "persona": "visitor",
            "tasks": ["register", {"list_books": {"count": 2}}, *({"do": TASKS[name][0]} for name in names)],
            "tools": {"toolsets": list(way.toolsets)},
        }
        model = Doer(way.client())
        with way.serve(model) as api:
            for name, value in way.environ.items():
                monkeypatch.setenv(name, value.format(url=api.url))
            made = await bench.record(
                "made", (SELLER, user), count=2, concurrency=1, agent=way.agent, model="model-of-the-tests"
            )
        for name in way.environ:
            monkeypatch.delenv(name)
        assert api.refused == []
        assert [task.status for task in made.result.runs[1].tasks] == ["done"] * len(user["tasks"])
        assert len(model.done) == len(names)
        return Done(made, model, len(api.requests))

    return done


def wrote(done: Done) -> None:
    (message,) = done.state["message"].values()
    title = done.model.seen["wrote about"]
    assert message["body"].startswith(MESSAGE.format(title=title).partition(" Best")[0])
    assert done.of(message["listing"])["title"] == title


def saved(done: Done) -> None:
    prices = done.model.seen["prices"]
    assert len(prices) >= 3
    assert len(set(prices.values())) == len(prices), "one is the cheapest"
    (save,) = done.state["save"].values()
    assert done.of(save["listing"])["title"] == min(prices, key=prices.__getitem__)


def corrected(done: Done) -> None:
    assert RIGHT_PRICE in [listing["price"] for listing in done.state["listing"].values()]


def voted(done: Done) -> None:
    votes = done.model.seen["votes"]
    cast = done.state["vote"].values()
    duels = [done.of(vote["matchup"]) for vote in cast]
    chosen = [done.of(duel[vote["choice"]])["title"] for duel, vote in zip(duels, cast, strict=True)]
    assert len(votes) == 3
    assert sorted(chosen) == sorted(votes)
    assert chosen == [max(done.of(duel[one])["title"] for one in ("first", "second")) for duel in duels]


def recovered(done: Done) -> None:
    assert done.model.seen["the most"] == "500.00"
    assert "500.00" in [listing["price"] for listing in done.state["listing"].values()]


PROOFS: Mapping[str, Callable[[Done], None]] = {
    "message": wrote, "cheapest": saved, "price": corrected, "vote": voted, "recover": recovered,
}  # fmt: skip


@pytest.mark.table
@pytest.mark.parametrize(("way", "names"), MATRIX)
async def test_tasks_are_done_recorded_and_performed_again_without_the_model(
    way: str, names: Sequence[str], do: Do, bench: Bench
) -> None:
    done = await do(WAYS[way], names)
    for name in names:
        PROOFS[name](done)
    with Recording.open(done.made.db) as recording:
        row = recording.run(done.made.result.runs[1].run_id)
        assert row.agent == WAYS[way].agent
        assert row.summary["model"]["calls"] == done.requests

    same = await bench.replay(done.made.db, "same", concurrency=1)
    assert same.verdicts == ["passed", "passed"], [run.drift for run in same.result.runs]
    assert same.shop.whole == done.made.shop.whole

    offline = await replay_offline(OfflineOptions(settings=bench.settings, source=done.made.db, target="last"))
    assert [(run.agent, run.difference, run.note) for run in offline.runs] == [(WAYS[way].agent, None, "")] * 2
    assert offline.runs[1].requests == done.requests


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
async def test_what_a_user_does_with_own_things_is_done_by_fresh_users_too(way: str, do: Do, bench: Bench) -> None:
    done = await do(WAYS[way], ("price", "recover"))
    fresh = await bench.replay(done.made.db, "fresh", concurrency=1, identity="fresh", seed="99")
    assert fresh.verdicts == ["passed", "passed"], [run.drift for run in fresh.result.runs]
    before, after = done.made.result.runs[1].username, fresh.result.runs[1].username
    assert before != after
    listed = fresh.shop.state[after]["listing"].values()
    assert sorted(listing["price"] for listing in listed) == ["500.00", RIGHT_PRICE]
    assert {listing["title"] for listing in listed}.isdisjoint(
        listing["title"] for listing in done.state["listing"].values()
    )
