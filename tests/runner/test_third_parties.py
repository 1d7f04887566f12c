"""Other hosts answer a replay from the recording: they may be down, and are asked nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from simulator.config import load_settings
from simulator.persona import load_personas
from simulator.recording.reader import Recording
from simulator.recording.upkeep.verify import verify
from simulator.runner import events
from simulator.runner.batch import RunOptions, run_batch
from simulator.runner.performing import run as runs
from simulator.runner.replays.options import ReplayOptions
from simulator.runner.replays.replaying import replay
from simulator.runner.stop import Stop
from tests.fakes.door import Answer, Door, open_door
from tests.runner.scripted import scripted

pytestmark = pytest.mark.promise("a replay needs nobody but the site")

PAGE = """<title>Shop</title><h1>Shop</h1><button>Send</button><p id=told></p>
<script src="OTHER/lib.js?v=4711"></script><script>
const told = Promise.all([price("tea"), price("tea"), fetch("OTHER/ASKED").then(it => it.status, () => "refused")]);
document.querySelector("button").onclick = async () => {
  fetch("/drawn", {method: "POST", body: JSON.stringify(await told)});
};
</script>"""
LIBRARY = 'const price = async (of) => (await fetch("OTHER/price?of=" + of)).text();'
PERSONA = "persona: tester\nabout: Somebody who looks.\nlocale: en_GB\ntasks: [register]\n"


@dataclass
class Shop:
    """The site, and the other host that its pages use."""

    folder: Path
    site: Door
    other: Door
    drawn: list[list[object]] = field(default_factory=list)
    asks_for: str = "known"

    def configure(self, third_parties: str) -> None:
        (self.folder / "sim.toml").write_text(
            f'[site.shop]\nbase_url = "{self.site.url}"\nallowed_hosts = ["127.0.0.1:{self.other.port}"]\n'
            f'[site.shop.determinism]\nthird_parties = "{third_parties}"\n',
            "utf-8",
        )

    async def record(self) -> str:
        settings = load_settings(self.folder / "sim.toml")
        options = RunOptions(
            settings=settings, site=settings.site("shop"), count=1, seed="7", db=self.folder / "runs.db",
            personas=tuple(load_personas(self.folder / "personas").values()),
        )  # fmt: skip
        result = await run_batch(options, lambda event: None, Stop())
        assert [run.status for run in result.runs] == ["passed"]
        return result.runs[0].run_id

    async def replay(self) -> events.ReplayResult:
        """Replay the run against the same site."""
        options = ReplayOptions(
            settings=load_settings(self.folder / "sim.toml"), source=self.folder / "runs.db", target="last",
            db=self.folder / "replays.db",
        )  # fmt: skip
        return await replay(options, lambda event: None, Stop())


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shop]:
    def of_site(path: str, headers: object, body: str) -> Answer:
        if path == "/drawn":
            made.drawn.append(json.loads(body))
        return Answer(PAGE.replace("OTHER", made.other.url).replace("ASKED", made.asks_for))

    def of_other(path: str, headers: object, body: str) -> Answer:
        allowed = {"Access-Control-Allow-Origin": made.site.url}
        if path.startswith("/lib.js"):
            return Answer(LIBRARY.replace("OTHER", made.other.url), 200, {"Content-Type": "text/javascript"})
        asked = len(made.other.asked)
        return Answer(f"{asked} pence", 200, {"Content-Type": "text/plain; charset=utf-8", **allowed})

    monkeypatch.setenv("SIM_KEY", "the key of the tests of others")
    monkeypatch.setattr(runs, "Autopilot", scripted([("navigate", {"url": "/"}), ("click", {"selector": "Send"})]))
    (tmp_path / "personas").mkdir()
    (tmp_path / "personas" / "tester.yaml").write_text(PERSONA, "utf-8")
    with (
        open_door(Door(lambda _: True, answer=of_site)) as site,
        open_door(Door(lambda _: True, answer=of_other)) as other,
    ):
        made = Shop(tmp_path, site, other)
        yield made


@pytest.mark.slow
async def test_what_was_recorded_is_answered_in_its_order_and_nobody_is_asked(shop: Shop) -> None:
    shop.configure("recorded")
    run_id = await shop.record()
    with Recording.open(shop.folder / "runs.db") as recording:
        assert recording.run(run_id).environment["determinism"]["third_parties"] == "recorded"
        urls = [row.url.removeprefix(shop.other.url) for row in recording.exchanges(run_id)]
    assert urls == ["/lib.js?v=4711", "/price?of=tea", "/price?of=tea", "/known"], "and nothing of the site itself"
    shop.other.asked.clear()
    result = await shop.replay()
    assert [(run.verdict, run.drift) for run in result.runs] == [("passed", None)]
    assert shop.other.asked == []
    first, again = shop.drawn
    assert again == first
    assert len({*map(str, first)}) == 3, "two prices and a status"
    assert result.blocked == ()
    assert verify(shop.folder / "replays.db") == []


async def test_what_was_not_recorded_is_refused_and_counted(shop: Shop) -> None:
    shop.configure("recorded")
    await shop.record()
    shop.other.asked.clear()
    shop.asks_for = "unheard-of"
    result = await shop.replay()
    assert shop.other.asked == []
    (run,) = result.runs
    assert run.drift is not None
    assert (run.verdict, run.drift.found) == ("site_error", "no answer")
    assert f"GET {shop.other.url}/unheard-of to work" in run.drift.expected
    assert result.blocked == (f"{shop.other.url}/unheard-of",)


@pytest.mark.slow
async def test_they_can_be_refused_though_they_are_allowed(shop: Shop) -> None:
    shop.configure("live")
    await shop.record()
    assert shop.other.asked
    shop.other.asked.clear()
    shop.configure("blocked")
    result = await shop.replay()
    assert shop.other.asked == []
    assert f"{shop.other.url}/lib.js?v=4711" in result.blocked
