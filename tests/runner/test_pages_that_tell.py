"""A page that tells its site now and then that its user is there: that is not what something was ticked for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what a script writes")
PAGE = """<main><h1>Settings</h1><label><input type=checkbox> Show my boats</label>
<label><input type=checkbox> Show my town</label><button>Keep</button></main><script>
  const put = (path, body) =>
    fetch(path, { method: "PUT", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  const here = () => put("/here", { browser: "mine", active: false });
  const [boats, town] = document.querySelectorAll("input");
  fetch("/settings.json").then((one) => one.json()).then((one) => {
    boats.checked = one.boatsHidden === false;
    town.checked = one.townHidden === false;
  });
  here();
  addEventListener("change", here);
  document.querySelector("button").onclick = () =>
    put("/settings.json", { boatsHidden: !boats.checked, townHidden: !town.checked });
</script>"""


@pytest.fixture
def kept() -> dict[str, Any]:
    return {"loses": False, "settings": {"boatsHidden": True, "townHidden": True}}


@pytest.fixture
def run(
    kept: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            if self.path == "/settings.json":
                return self.tell(kept["settings"])
            self.answer(200, PAGE if self.path == "/settings" else "<a href=/settings>Settings</a>")

        def do_PUT(self) -> None:
            said = json.loads(self.body())
            if self.path == "/settings.json":
                kept["settings"] = {**said, "townHidden": True} if kept["loses"] else said
            self.tell({})

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        yield run


def test_what_was_ticked_is_carried_by_what_is_sent_for_it(kept: dict[str, Any], run: OneRun) -> None:
    first, last = ([call("navigate", url=path) for path in ("/", "/settings")] for _ in range(2))
    ticks = [call("check", selector=label) for label in ("Show my boats", "Show my town")]
    run.record([*first, *ticks, call("click", selector="Keep"), *last])
    kept["settings"] = {"boatsHidden": True, "townHidden": True}
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [[]]), replayed
    kept.update(loses=True, settings={"boatsHidden": True, "townHidden": True})
    replayed = run.replay()
    assert replayed["verdict"] == "postcondition", replayed
    assert "Show my town" in json.dumps(replayed["drift"]), replayed["drift"]
