"""A site answers a login with the number of its user, and things have such numbers, too."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("where what was sent is seen")

LOGIN = """<label>Name <input id=name></label><label>Password <input id=secret type=password></label>
<button>Log in</button><script>document.querySelector("button").onclick = async () => {
  const sent = Object.fromEntries(["name", "secret"].map((one) => [one, document.querySelector(`#${one}`).value]));
  const told = await (await fetch("/api/login", { method: "POST", body: JSON.stringify(sent) })).json();
  document.body.textContent = told.message;
};</script>"""


@pytest.fixture
def made() -> set[str]:
    """The things that are there."""
    return set()


@pytest.fixture
def run(
    made: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            there = "<h1>Thing 1</h1><p>Low tide</p><a href=/things/1/parts>Parts</a>" * (self.path == "/things/1")
            page = there or "<h1>Home</h1>" + "<a href=/things/1>Low tide</a>" * bool(made)
            self.answer(200, LOGIN if self.path == "/login" else page)

        def do_POST(self) -> None:
            sent = json.loads(self.body())
            made.add("1")
            self.tell({"message": "Welcome", "user": {"id": 1, "collection": "users", "name": sent["name"]}})

    with run_on(Handler, tmp_path, monkeypatch, capsys) as one:
        yield one


def test_a_login_has_made_nothing_that_has_the_number_of_its_user(run: OneRun) -> None:
    told = run.record(
        [
            call("navigate", url="/things"),
            call("navigate", url="/login"),
            call("fill", selector="Name", value="{{identity.username}}"),
            call("fill", selector="Password", value="{{secret.password}}"),
            call("click", selector="Log in"),
            call("navigate", url="/things"),
            call("click", selector="Low tide"),
            call("navigate", url="/things"),
        ]
    )
    assert all(one.success for one in told), told
    assert [kind for kind, _, _ in run.effects() if kind != "echo"] == []
    assert run.replay()["verdict"] == "passed"
