"""When a replay does what: the schedule, which is computed before, and that actions come in the recorded order."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from simulator.browser.acting.pace import Beat, Pace, Pacer, human_beats, is_typed, recorded_beats
from simulator.browser.action_recorder import ActionKind, Settled
from simulator.browser.evidence import Target
from simulator.cli.main import main
from simulator.config import load_settings
from simulator.persona import load_personas
from simulator.recording.reader import Recording
from simulator.runner.batch import RunOptions, run_batch
from simulator.runner.performing import run as runs
from simulator.runner.replays.options import ReplayOptions
from simulator.runner.replays.replaying import replay
from simulator.runner.stop import Stop
from tests.fakes.door import Answer, Door, open_door
from tests.runner.scripted import scripted

FIELD = Target(tag="input", type="text", role="textbox", name="Title")


@dataclass(frozen=True)
class Done:
    id: str
    kind: ActionKind = "click"
    target: Target | None = FIELD
    settled: Settled | None = "changed"
    started_ns: int = 0
    ended_ns: int | None = None


def test_the_recorded_gaps_are_from_end_to_beginning() -> None:
    second = 10**9
    actions = [
        Done("a", started_ns=0, ended_ns=second),
        Done("b", started_ns=3 * second, ended_ns=3 * second),
        Done("c", started_ns=3 * second, ended_ns=None),
        Done("d", started_ns=2 * second),
    ]
    assert recorded_beats(actions) == {"b": Beat(2000), "c": Beat(0), "d": Beat(0)}
    assert recorded_beats([]) == {}


def test_a_person_is_drawn_from_seed_and_user() -> None:
    actions = [Done("1", "goto", None, "navigated"), Done("2", "fill"), Done("3")]
    beats = human_beats(actions, "normal", "7", "seller", 1)
    assert beats == human_beats(actions, "normal", "7", "seller", 1)
    renamed = [replace(action, id=f"other {action.id}") for action in actions]
    assert list(human_beats(renamed, "normal", "7", "seller", 1).values()) == list(beats.values())
    for other in (("8", "seller", 1), ("7", "seller", 2)):
        assert human_beats(actions, "normal", *other) != beats
    assert [beat.key_ms is not None for beat in beats.values()] == [False, True, False]
    slow, fast = human_beats(actions, "slow", "7", "seller", 1), human_beats(actions, "fast", "7", "seller", 1)
    assert all(slow[each].pause_ms > beats[each].pause_ms > fast[each].pause_ms for each in beats)


def test_people_look_around_on_a_page_that_is_new_to_them() -> None:
    actions = [Done(str(n), settled="navigated" if n % 2 else "changed") for n in range(400)]
    beats = human_beats(actions, "normal", "7")
    new, known = (
        mean(beats[str(n)].pause_ms for n in range(0, 400, 2)),
        mean(beats[str(n)].pause_ms for n in range(1, 400, 2)),
    )
    assert 2.2 < new / known < 3.4
    assert all(200 < beat.pause_ms < 10_000 for beat in beats.values())


@pytest.mark.parametrize(
    ("kind", "target", "typed"),
    [
        ("fill", FIELD, True),
        ("fill", Target(tag="textarea"), True),
        ("fill", Target(tag="input", type="password"), True),
        ("fill", Target(tag="input", type="date"), False),
        ("fill", Target(tag="input", type="range"), False),
        ("fill", Target(tag="div"), False),
        ("type", Target(tag="div"), True),
        ("select", Target(tag="select"), False),
        ("press", FIELD, False),
        ("goto", None, False),
    ],
)
def test_what_is_typed_key_by_key(kind: ActionKind, target: Target | None, typed: bool) -> None:
    assert is_typed(kind, target) == typed


PAGE = """<title>Keys</title><form><label>Title <input name=title value=before></label>
<label>Day <input type=date name=day></label><button type=button>Send</button></form><script>
const seen = [];
for (const type of ["keydown", "input", "click"]) addEventListener(type, (event) => seen.push(
  `${type} ${event.key || event.target.name || event.target.textContent}`));
document.querySelector("button").onclick = () => setTimeout(() => fetch("/seen", {method: "POST", body: JSON.stringify({
  seen, title: document.forms[0].title.value, day: document.forms[0].day.value})}), 0);
</script>"""
CALLS = [
    ("navigate", {"url": "/"}),
    ("fill", {"selector": "Title", "value": "Emma"}),
    ("fill", {"selector": "Day", "value": "2026-03-04"}),
    ("click", {"selector": "Send"}),
]


class Unhurried(Stop):
    """Keeps the pauses that it was asked for, and takes none."""

    def __init__(self) -> None:
        super().__init__()
        self.pauses: list[float] = []

    async def pause(self, seconds: float) -> None:
        self.pauses.append(seconds)


@pytest.fixture
def seen() -> list[dict[str, Any]]:
    return []


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seen: list[dict[str, Any]]) -> Iterator[Path]:
    def answer(path: str, headers: Mapping[str, str], body: str) -> Answer:
        if path == "/seen":
            seen.append(json.loads(body))
        return Answer(PAGE)

    monkeypatch.setenv("SIM_KEY", "the key of the tests of pace")
    monkeypatch.setattr(runs, "Autopilot", scripted(CALLS))
    with open_door(Door(lambda _: True, answer=answer)) as door:
        (tmp_path / "sim.toml").write_text(f'[site.keys]\nbase_url = "{door.url}"\n', "utf-8")
        (tmp_path / "personas").mkdir()
        text = "persona: typist\nabout: Somebody who types.\nlocale: en_GB\ntraits: {pace: fast}\ntasks: [register]\n"
        (tmp_path / "personas" / "typist.yaml").write_text(text, "utf-8")
        yield tmp_path


@pytest.mark.slow
async def test_events_come_in_order_at_every_pace(folder: Path, seen: list[dict[str, Any]]) -> None:
    settings = load_settings(folder / "sim.toml")
    options = RunOptions(
        settings=settings, site=settings.site("keys"), personas=tuple(load_personas(folder / "personas").values()),
        count=1, seed="7", db=folder / "runs.db",
    )  # fmt: skip
    await run_batch(options, lambda event: None, Stop())
    kept: dict[Pace, list[float]] = {}
    paces: tuple[Pace, ...] = ("none", "recorded", "human", "human")
    for pace in paces:
        stop = Unhurried()
        source, db = folder / "runs.db", folder / "replays.db"
        result = await replay(
            ReplayOptions(settings=settings, source=source, target="last", db=db, pace=pace), lambda event: None, stop
        )
        assert [(run.verdict, run.drift) for run in result.runs] == [("passed", None)]
        assert stop.pauses == kept.get(pace, stop.pauses)
        kept[pace] = stop.pauses
    assert [len(kept[pace]) for pace in ("none", "recorded", "human")] == [0, 3, 4]
    assert [(one["title"], one["day"]) for one in seen] == [("Emma", "2026-03-04")] * 5
    keys = [[event for event in one["seen"] if event.startswith("keydown")] for one in seen]
    assert keys == [[]] * 3 + [["keydown Delete", "keydown E", "keydown m", "keydown m", "keydown a"]] * 2
    assert [one["seen"][-2:] for one in seen] == [["input day", "click Send"]] * 5


async def test_who_acts_for_the_first_time_may_take_the_time_of_a_person(
    folder: Path, seen: list[dict[str, Any]]
) -> None:
    settings = load_settings(folder / "sim.toml")
    options = RunOptions(
        settings=settings, site=settings.site("keys"), personas=tuple(load_personas(folder / "personas").values()),
        count=1, seed="7", db=folder / "runs.db", human=True,
    )  # fmt: skip
    stop = Unhurried()
    result = await run_batch(options, lambda event: None, stop)
    assert [run.status for run in result.runs] == ["passed"]
    assert len(stop.pauses) == 4
    assert all(0.1 < pause < 10 for pause in stop.pauses)
    ((title, keys),) = [(one["title"], [event for event in one["seen"] if "keydown" in event]) for one in seen]
    assert (title, keys) == ("Emma", ["keydown Delete", "keydown E", "keydown m", "keydown m", "keydown a"])
    with Recording.open(options.db) as recording:
        run = recording.runs(result.batch_id)[0]
        kinds = [action.kind for step in recording.steps(run.id) for action in recording.actions(step.id)]
        assert kinds == ["goto", "fill", "fill", "click"]
        assert recording.batch(result.batch_id).settings["human"] is True, "who resumes it goes on so"


async def test_the_time_of_a_person_is_not_that_of_a_call() -> None:
    rested: list[float] = []

    async def rest(seconds: float) -> None:
        rested.append(seconds)

    pacer = Pacer("slow", ("7",), rest)
    async with asyncio.timeout(5) as limit:
        before = limit.when() or 0
        with pacer.unhurried(limit):
            await pacer.pause()
            keys = pacer.between_keys("fill", FIELD, "Emma") or 0
        after = limit.when() or 0
        await pacer.pause()
        assert limit.when() == after
    assert after - before == pytest.approx(rested[0] + 4 * keys / 1000)
    assert pacer.between_keys("click", FIELD, "") is None


@pytest.mark.parametrize(("pace", "said"), [("recorded", "nothing has been recorded yet"), ("quick", "none or human")])
def test_a_pace_that_is_none_is_refused(pace: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["personas", "run", "--pace", pace]) == 2
    assert said in capsys.readouterr().err
