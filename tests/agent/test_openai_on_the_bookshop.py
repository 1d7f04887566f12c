"""A model of a bare local server opens an account on the real bookshop and writes to a seller; replayed without it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from simulator.recording.reader import Recording
from simulator.runner.continuing.offline import OfflineOptions, replay_offline
from simulator.secrets import Vault, load_key
from tests.fakes.chat_completions import Answer, Dialect, Request, call, calls, chat_completions, use
from tests.runner.bench import Bench, settings
from tests.runner.leaks import leaks
from tests.runner.program import KEY as MACHINE_KEY

pytestmark = pytest.mark.timeout(600)

NEWCOMER = {"persona": "newcomer", "tasks": [{"do": "Open an account and write a friendly message to a seller."}]}
LOCAL = Dialect(key=None, vision=False, usage=False, one_index=True, objects=True, finished="stop")
"""As small servers are: no key, no pictures, no count of tokens, and calls in a form of their own."""
MESSAGE = "Hello! Is {title} still to be had? Best wishes, {{{{identity.first_name}}}}"


def data(request: Request) -> Any:
    """What the last of the results says."""
    return json.loads(request.results[-1]["content"][0]["text"])


class Newcomer:
    """A model that writes about the first book that somebody else sells."""

    title = ""

    def __call__(self, request: Request) -> Answer:
        match request.turn:
            case 0:
                return calls(use("register"), use("login"))
            case 1:
                return calls(use("navigate", url="/books"), use("read_links"), text="I look for a book.")
            case 2:
                cards = [link for link in data(request)["links"] if "£" in "".join(link.get("card", []))]
                book = next(link for link in cards if link["name"] == link["card"][0])
                self.title = book["name"]
                return calls(use("click", selector=f"ref={book['ref']}"), use("read_forms"))
            case 3:
                form = next(form for form in data(request)["forms"] if '"meaning": "message"' in json.dumps(form))
                text = MESSAGE.format(title=self.title)
                return call("fill_form", form=f"ref={form['ref']}", values={"message": text}, submit=True)
            case _:
                return call("complete", result=f"I wrote to the seller of {self.title}.")


@pytest.mark.slow
async def test_a_message_is_written_recorded_and_replayed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIM_KEY", MACHINE_KEY)
    bench, model = Bench(tmp_path, settings()), Newcomer()
    with chat_completions(model, LOCAL) as api:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{api.url}/v1")
        made = await bench.record("made", [NEWCOMER], count=1, concurrency=1, agent="openai", model="small")
        assert api.refused == []
        asked = len(api.requests)
    (run,) = made.result.runs
    ((sent,),) = (made.shop.state[run.username]["message"].values(),)
    assert MESSAGE.partition("{title}")[0] in json.dumps(sent)
    with Recording.open(made.db) as recording:
        row = recording.run(run.run_id)
        assert (row.agent, row.summary["model"]["calls"], row.summary["model"]["names"]) == ("openai", asked, ["small"])
        assert row.summary["model"]["tokens"]["input"] > 0, "estimated, where the server does not count"
        steps = [step.tool for step in recording.steps(run.run_id)]
    assert steps == ["register", "login", "navigate", "read_links", "click", "read_forms", "fill_form", "complete"]
    secret = Vault(load_key({"SIM_KEY": MACHINE_KEY}).secret, scope="bookshop|newcomer|7|1").reveal("password")
    assert leaks([("requests", api.everything)], [secret]) == []

    monkeypatch.delenv("OPENAI_BASE_URL")
    offline = await replay_offline(OfflineOptions(settings=bench.settings, source=made.db, target="last"))
    assert [(one.difference, one.requests, one.calls) for one in offline.runs] == [(None, asked, len(steps))]
    same = await bench.replay(made.db, "same", concurrency=1)
    assert same.verdicts == ["passed"], [one.drift for one in same.result.runs]
    assert same.shop.whole == made.shop.whole
