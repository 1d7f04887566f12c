from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fakes import asking
from tests.seam import needs_bookshop

pytestmark = needs_bookshop

SIM = Path(sys.executable).with_name("sim")


def test_serves_the_shop_until_it_is_told_to_stop() -> None:
    command = [SIM, "demo", "serve", "--port", "0", "--db", "shop.db"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            said = process.stdout.readline()
            url = said.split()[4]
            assert asking.get(url, trust_env=False).status_code == 200
            assert "(database shop.db)" in said
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=20) == 0
        finally:
            process.kill()


def test_state_and_reset(sim, folder: Path) -> None:
    assert sim("demo", "reset").out.startswith(str(folder / ".sim" / "bookshop.db"))
    state = sim("demo", "state")
    assert "house" in json.loads(state.out)
    assert sim("demo", "state").out == state.out


def test_the_database_may_be_named_by_the_environment(sim, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIM_DEMO_DB", "mine.db")
    sim("demo", "reset")
    assert (folder / "mine.db").is_file()
    assert not (folder / ".sim").exists()


def test_a_shop_that_is_changed_is_asked_for_by_name(sim) -> None:
    assert "polling: a page that asks for news all the time\n" in sim("demo", "serve", "--mutate", "list").out
    refused = sim("demo", "serve", "--db", "shop.db", "--mutate", "poling")
    assert refused.code == 2
    assert "there is no mutation 'poling'; there are ids-renamed, " in refused.err


def test_a_port_that_is_taken(sim) -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        refused = sim("demo", "serve", "--port", str(taken.getsockname()[1]), "--db", "shop.db")
    assert refused.code == 3
    assert "choose another port" in refused.err
