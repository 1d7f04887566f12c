"""The server as a process: how it starts, what it tells, how it ends, and what it sends with every page."""

from __future__ import annotations

import os
import signal
import socket
import sqlite3
import subprocess
import sys
import textwrap
from contextlib import closing
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.fakes import asking

pytestmark = pytest.mark.promise("the bookshop as a process", quick=3)


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "simulator.demo", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)


def test_without_a_token_there_are_no_control_endpoints(serving: Any, tmp_path: Path) -> None:
    _, url = serving(tmp_path / "shop.db")
    for token in ("", "Bearer", "Bearer None"):
        for path in ("state", "log"):
            assert asking.get(f"{url}/_control/{path}", headers={"Authorization": token}).status_code == 404
        assert asking.post(f"{url}/_control/reset", headers={"Authorization": token}).status_code == 404
    assert asking.get(f"{url}/books").status_code == 200


def test_control_endpoints_hide_from_a_wrong_token(shop: Any) -> None:
    for headers in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": shop.token}):
        answer = asking.get(f"{shop.url}/_control/state", headers=headers)
        assert answer.status_code == 404
        assert "Hay-on-Wye" not in answer.text
    assert shop.control("GET", "reset").status_code == 404


def test_the_token_is_not_in_the_process_list(shop: Any) -> None:
    commands = [p.info["cmdline"] or [] for p in psutil.process_iter(["cmdline"])]
    assert ["--control-token-env", "SHOP_TOKEN"] in [
        command[n : n + 2] for command in commands for n in range(len(command))
    ]
    assert not any(shop.token in argument for command in commands for argument in command)


def test_a_taken_port_is_told_in_one_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        result = run("--db", str(tmp_path / "shop.db"), "--port", str(port))
    assert result.returncode == 3
    assert result.stderr.count("\n") == 1
    assert f"cannot listen on 127.0.0.1:{port}" in result.stderr
    assert result.stdout == ""


def test_an_impossible_port_is_told_in_one_sentence(tmp_path: Path) -> None:
    result = run("--db", str(tmp_path / "shop.db"), "--port", "70000")
    assert (result.returncode, result.stderr.count("\n")) == (3, 1)


def test_a_file_that_is_no_database_is_told_in_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("not a database at all, but long enough to be looked at\n" * 50)
    result = run("--db", str(file), "--port", "0")
    assert result.returncode == 2
    assert result.stderr.count("\n") == 1
    assert "notes.txt" in result.stderr


@pytest.mark.parametrize("option", ["--control-token-env", "--control-token-file"])
def test_a_missing_token_is_a_usage_error(tmp_path: Path, option: str) -> None:
    result = run("--db", str(tmp_path / "shop.db"), "--port", "0", option, "NOWHERE_TO_BE_FOUND")
    assert result.returncode == 2
    assert "NOWHERE_TO_BE_FOUND" in result.stderr


def test_the_token_may_come_from_a_file(serving: Any, tmp_path: Path) -> None:
    (tmp_path / "token").write_text("from-a-file\n")
    _, url = serving(tmp_path / "shop.db", "--control-token-file", str(tmp_path / "token"))
    answer = asking.get(f"{url}/_control/state", headers={"Authorization": "Bearer from-a-file"})
    assert answer.status_code == 200


def test_what_is_in_the_file_is_served_again_and_reset_on_demand(serving: Any, tmp_path: Path) -> None:
    db = tmp_path / "shop.db"
    process, _ = serving(db)
    process.terminate()
    assert process.wait(10) == 0
    with closing(sqlite3.connect(db)) as connection, connection:
        connection.execute("UPDATE listing SET title = 'A later find' WHERE id = 1")
    process, url = serving(db)
    assert "A later find" in asking.get(f"{url}/books").text
    process.terminate()
    process.wait(10)
    _, url = serving(db, "--reset")
    assert "A later find" not in asking.get(f"{url}/books").text


def test_it_goes_when_its_parent_is_killed(tmp_path: Path) -> None:
    program = textwrap.dedent(
        """
        import subprocess, sys
        command = [sys.executable, "-m", "simulator.demo", "--port", "0", "--db", sys.argv[1]]
        child = subprocess.Popen([*command, "--exit-with-parent"], stdout=subprocess.PIPE)
        child.stdout.readline()
        print(child.pid, flush=True)
        child.wait()
        """
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path / "shop.db")], stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    with parent.stdout:
        shop = psutil.Process(int(parent.stdout.readline()))
    assert shop.is_running()
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait()
    gone, _ = psutil.wait_procs([shop], timeout=30)
    assert gone == [shop]


def test_a_broken_site_answers_with_a_page_and_goes_on(serving: Any, tmp_path: Path) -> None:
    db = tmp_path / "shop.db"
    _, url = serving(db)
    with closing(sqlite3.connect(db)) as connection, connection:
        connection.execute("ALTER TABLE matchup RENAME TO mislaid")
    answer = asking.get(f"{url}/this-or-that")
    assert answer.status_code == 500
    assert "<h1>Something broke</h1>" in answer.text
    assert "Traceback" not in answer.text
    assert asking.get(f"{url}/books").status_code == 200


def test_every_answer_has_the_security_headers(visitor: Any) -> None:
    for path in ("/", "/nowhere", "/static/nothing.css", "/books/new", "/favicon.ico"):
        headers = visitor.get(path).headers
        assert "default-src 'self'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
