from __future__ import annotations

import http.server
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def answering() -> Iterator[str]:
    """The address of a server that answers everything with 501."""
    server = http.server.HTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler)
    server.RequestHandlerClass.log_message = lambda *_: None  # type: ignore[assignment]
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def no_browser(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(folder))


def test_all_is_well(sim, folder: Path, answering: str) -> None:
    (folder / "sim.toml").write_text(f"packs = []\n[site.mine]\nbase_url = '{answering}'\n", "utf-8")
    looked = sim("doctor", "--json")
    assert looked.code == 0, looked.out
    found = {finding["name"]: finding["detail"] for finding in looked.json}
    assert list(found) == [
        "python", "packages", "config", "browser", "driver", "site mine", "site bookshop", "key", "recording",
    ]  # fmt: skip
    assert found["config"] == str(folder / "sim.toml")
    assert "starts" in found["driver"]
    assert found["site mine"] == f"{answering} answers with status 501"
    assert found["recording"].endswith("will be made by the first run")
    assert not (folder / "recordings").exists()


@pytest.mark.usefixtures("no_browser")
def test_mailboxes_are_looked_into(sim, folder: Path, answering: str) -> None:
    (folder / "mail" / "new").mkdir(parents=True)
    (folder / "mail" / "new" / "1.host").write_text("Subject: Hello\n\nHello", "utf-8")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        (folder / "sim.toml").write_text(
            f"[mailbox]\nmaildir = 'mail'\n[site.mine]\nbase_url = '{answering}'\n"
            f"[site.other]\nbase_url = '{answering}'\nmailbox = {{ mailpit = '{answering}' }}\n"
            f"[site.third]\nbase_url = '{answering}'\nmailbox = {{ smtp_port = {port} }}\n",
            "utf-8",
        )
        looked = sim("doctor", "--json")
    found = {finding["name"]: (finding["ok"], finding["detail"]) for finding in looked.json}
    assert found["mail mine"] == (True, f"the maildir {folder / 'mail'} answers, and holds 1 mails")
    assert found["mail other"] == (False, f"the Mailpit at {answering} answers with status 501")
    assert found["mail third"][0] is False
    assert found["mail third"][1].startswith(f"no mail can be taken at 127.0.0.1:{port} ")
    assert looked.code == 3


@pytest.mark.usefixtures("no_browser")
def test_no_browser(sim) -> None:
    looked = sim("doctor")
    assert looked.code == 3
    assert "WRONG  browser         no browser was found; install one with" in looked.out
    assert looked.err.startswith("sim: no browser was found; install one with")
    assert "driver" not in looked.out


@pytest.mark.usefixtures("no_browser")
def test_every_fault_is_told(sim, folder: Path) -> None:
    (folder / "sim.toml").write_text(
        "packs = []\n[site.down]\nbase_url = 'http://127.0.0.1:1'\n[site.far]\nbase_url = 'https://far.example'\n",
        "utf-8",
    )
    (folder / "recordings").mkdir()
    (folder / "recordings" / "runs.db").write_text("no recording", "utf-8")
    looked = sim("doctor", "--json")
    assert looked.code == 3
    wrong = {finding["name"]: finding["exit_code"] for finding in looked.json if not finding["ok"]}
    assert wrong == {"browser": 3, "site down": 3, "site far": 2, "recording": 2}


@pytest.mark.usefixtures("no_browser")
def test_environment_variables_that_the_settings_refer_to_are_looked_for(
    sim, folder: Path, answering: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "sim.toml").write_text(
        f"[site.mine]\nbase_url = '{answering}'\n"
        "basic_auth = { username = 'me', password = { env = 'DOOR_KEY' } }\n"
        "headers = { X-Key = { env = 'HEADER_KEY' } }\nsecrets = { root = { env = 'ROOT_KEY' } }\n",
        "utf-8",
    )
    monkeypatch.setenv("HEADER_KEY", "a header's")
    looked = sim("doctor", "--json")
    assert looked.code == 3
    told = [finding["detail"] for finding in looked.json if finding["name"] == "secrets" and not finding["ok"]]
    assert told == [
        "the environment variable DOOR_KEY is not set; site.mine.basic_auth.password of sim.toml refers to it: set it",
        "the environment variable ROOT_KEY is not set; site.mine.secrets.root of sim.toml refers to it: set it",
    ]
    monkeypatch.setenv("DOOR_KEY", "a door's")
    monkeypatch.setenv("ROOT_KEY", "a root's")
    again = {finding["name"]: finding for finding in sim("doctor", "--json").json}
    assert again["secrets"]["ok"]
    assert "a door's" not in again["secrets"]["detail"]


def test_a_wrong_sim_toml_ends_the_look(sim, folder: Path) -> None:
    (folder / "sim.toml").write_text("[run]\nnonsense = 1\n", "utf-8")
    looked = sim("doctor")
    assert looked.code == 2
    assert looked.out.splitlines()[-1].startswith("WRONG  config")
