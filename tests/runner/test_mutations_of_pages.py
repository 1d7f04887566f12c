"""A mutation that a page sends by itself, as it keeps how a view is set up, need not come again: a site that still has
what the last replay left is sent none."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.messages_api import Reply, call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("replays of what a site does by itself")

ASK = """<script>
const ask = (operationName, query, variables = {}) => fetch("/graphql", { method: "POST",
  headers: { "content-type": "application/json" }, body: JSON.stringify({ operationName, query, variables }) })
  .then((it) => it.json()).then((it) => it.data);
const setUp = async () => {
  const { settings } = await ask("Settings", "query Settings { settings }");
  if (!settings) await ask("SetSettings", "mutation SetSettings($to: JSON!) { setSettings(to: $to) }", { to: { channel: "1", rows: 10 } });
};
</script>"""  # noqa: E501
LOGIN = f"""<h1>Log in</h1><form><label>Name <input name=name></label><label>Password <input type=password name=password></label>
<button>Sign in</button></form>{ASK}<script>
document.forms[0].onsubmit = async (event) => {{
  event.preventDefault();
  const {{ name, password }} = event.target;
  await ask("Login", "mutation Login($name: String!, $password: String!) {{ login(name: $name, password: $password) {{ id channels }} }}", {{ name: name.value, password: password.value }});
  await setUp();
  location = "/lamps/new";
}};
</script>"""  # noqa: E501
FORM = f"""<h1>New lamp</h1><form><label>Title <input name=title></label><button>Save</button></form>{ASK}<script>
document.forms[0].onsubmit = async (event) => {{
  event.preventDefault();
  await ask("MakeLamp", "mutation MakeLamp($title: String!) {{ makeLamp(title: $title) {{ id }} }}", {{ title: event.target.title.value }});
  await setUp();
  location = "/lamps/48213";
}};
</script>"""  # noqa: E501
LAMP = "<h1>{title}</h1><a href=/>Home</a>"
SAVED: tuple[Reply, ...] = (
    call("navigate", url="/lamps/new"),
    call("fill", selector="Title", value="The lamp of the quay"),
    call("click", selector="Save"),
    call("navigate", url="/"),
    call("navigate", url="/lamps/48213"),
)
LOGGED_IN: tuple[Reply, ...] = (
    call("navigate", url="/login"),
    call("fill", selector="Name", value="Harriet"),
    call("secure_fill", selector="Password", secret="password"),
    call("click", selector="Sign in"),
)


@dataclass
class Site:
    """What it keeps."""

    lamps: list[str] = field(default_factory=list)
    settings: Any = None
    swallows: bool = False


@pytest.fixture
def site() -> Site:
    return Site()


@pytest.fixture
def run(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            if self.path == "/lamps/48213":
                return self.answer(200 if site.lamps else 404, LAMP.format(title="".join(site.lamps[-1:])))
            self.answer(200, {"/login": LOGIN, "/lamps/new": FORM}.get(self.path, "<h1>Home</h1>"))

        def do_POST(self) -> None:
            asked = json.loads(self.body())
            if asked["operationName"] == "SetSettings":
                site.settings = asked["variables"]["to"]
            if asked["operationName"] == "MakeLamp" and not site.swallows:
                site.lamps.append(asked["variables"]["title"])
            login = {"id": "1", "channels": ["1"]}
            told = {"Login": {"login": login}, "MakeLamp": {"makeLamp": {"id": "48213"}}}
            self.tell({"data": told.get(asked["operationName"], {"settings": site.settings})})

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        run.site = 'routes = { login = "/login" }'
        yield run


@pytest.mark.parametrize("calls", [LOGGED_IN, SAVED], ids=["who logs in", "who saves"])
def test_it_need_not_come_again(calls: tuple[Reply, ...], site: Site, run: OneRun) -> None:
    told = run.record(calls)
    assert all(one.success for one in told), told
    assert site.settings == {"channel": "1", "rows": 10}
    for settings in (None, site.settings):
        site.settings, site.lamps = settings, []
        replayed = run.replay()
        assert (replayed["verdict"], len(replayed["writes"])) == ("passed", 1), replayed


def test_what_its_user_has_sent_has_to(site: Site, run: OneRun) -> None:
    told = run.record(SAVED)
    assert all(one.success for one in told), told
    site.lamps, site.swallows = [], True
    assert run.replay()["verdict"] == "postcondition"
