"""A scripted model acts on the real bookshop by the real SDK: what fails, what stays secret, what is not loaded."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from simulator.runner import events
from simulator.runner.batch import RunOptions, run_batch
from simulator.runner.stop import Stop
from simulator.secrets import Vault, load_key
from tests.fakes.messages_api import KEY, Answer, Fault, MessagesApi, Request, call, calls, messages_api, use
from tests.runner.bench import Bench, persona, settings
from tests.runner.leaks import leaks
from tests.runner.program import KEY as MACHINE_KEY

pytestmark = pytest.mark.timeout(900)

SELLER = {
    "persona": "seller",
    "tasks": ["register", {"list_books": {"count": 2}}],
    "tastes": {"genres": ["Crime"], "price": {"min": 2.0, "max": 30.0}},
}
VISITOR = {
    "persona": "visitor",
    "tasks": [
        "register",
        {"do": "Write a friendly message to another seller."},
        {"do": "Find the cheapest crime novel and save it."},
    ],
}


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path, settings())


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> Callable[[MessagesApi], None]:
    """Points the agent to a server."""

    def point(api: MessagesApi) -> None:
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", api.url)

    return point


@pytest.mark.slow
async def test_a_run_whose_model_fails_is_a_failed_run_and_the_batch_goes_on(
    bench: Bench, key: Callable[[MessagesApi], None]
) -> None:
    busy = Fault(529, "too busy", {"x-should-retry": "false"})
    with messages_api([busy]) as api:
        key(api)
        result = await run_batch(options(bench, VISITOR, SELLER, count=2), lambda _: None, Stop())
    assert [run.status for run in result.runs] == ["failed", "passed"] or [run.status for run in result.runs] == [
        "passed",
        "failed",
    ]
    (failed,) = (run for run in result.runs if run.status == "failed")
    assert "answers 529" in failed.reason
    assert failed.persona == "visitor"


async def test_no_secret_reaches_the_model(
    bench: Bench, key: Callable[[MessagesApi], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SIM_KEY", MACHINE_KEY)
    own = "correct horse battery staple"
    steps = [
        calls(use("navigate", url="/account/register"), use("read_forms"), use("get_page_text")),
        calls(
            use("fill_form", values={"username": "{{identity.username}}", "email": "{{identity.email}}",
                                     "password": "{{secret.password}}"}),
            use("read_forms"),
            use("screenshot"),
        ),
        calls(use("register"), use("logout"), use("navigate", url="/account/login")),
        calls(use("fill", selector="Password", value="{{secret.password}}"), use("read_forms"), use("get_page_text")),
        calls(use("fill", selector="Password", value=own), use("read_forms"), use("get_page_text")),
        calls(use("click", selector="{{secret.password}}"), use("navigate", url="/books?q={{secret.password}}")),
        calls(use("read_forms"), use("get_page_text"), use("get_page_url"), use("login"), use("read_links")),
    ]  # fmt: skip

    def model(request: Request) -> Answer:
        return steps[request.turn] if request.turn < len(steps) else call("complete", result="looked around")

    with messages_api(model) as api:
        key(api)
        ended: list[object] = []
        result = await run_batch(
            options(bench, {"persona": "canary", "tasks": [{"do": "Look around."}]}), ended.append, Stop()
        )
        assert api.refused == []
    (run,) = result.runs
    assert (run.status, run.reason) == ("passed", "")
    secret = Vault(load_key({"SIM_KEY": MACHINE_KEY}).secret, scope="bookshop|canary|7|1").reveal("password")
    assert leaks([("requests", api.everything)], [secret]) == []
    assert b"{{secret.password}}" in api.everything
    later = [json.dumps(request.body).encode() for request in api.requests[5:]]
    assert leaks([("later requests", one) for one in later], [own]) == [], "typed once, then known as a secret"


def options(bench: Bench, *personas: dict[str, Any], count: int = 1, **more: Any) -> RunOptions:
    given = {"agent": "claude", "screenshots": "none", "concurrency": 1, "seed": "7", **more}
    return RunOptions(
        settings=bench.settings,
        site=bench.site(bench.shop("shop")),
        personas=tuple(persona(one) for one in personas),
        count=count,
        db=bench.folder / "runs.db",
        **given,
    )


@pytest.mark.slow
async def test_without_a_task_that_needs_it_no_model_is_asked_for(bench: Bench) -> None:
    told: list[events.Event] = []
    result = await run_batch(options(bench, {"persona": "new", "tasks": ["register"]}), told.append, Stop())
    assert [run.status for run in result.runs] == ["passed"]


def test_the_parts_that_need_no_model_do_not_import_one() -> None:
    import subprocess

    code = (
        "import sys, simulator.cli.main, simulator.runner.batch, simulator.runner.replays.replaying\n"
        "print([name for name in ('anthropic', 'httpx2') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
