"""An application that asks for its lists by POST: what the site holds is told there, though no row has an id."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.messages_api import call
from tests.fakes.server import served
from tests.runner.one_run import OneRun
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("where what was sent is seen")

ID = "0f6a4d2e-5d7f-4a53-9b1c-2f3f8f1f6c11"
PAGE = """<h1>Variables</h1><table id=all></table>
<dialog id=dialog><form id=form><label>Value <input name=value></label><button>Save</button></form></dialog><script>
const ask = (path, what, method = "POST") => fetch(path, {
  method, headers: {"Content-Type": "application/json"}, body: JSON.stringify(what)}).then((it) => it.json());
const draw = () => ask("/api/variables/filter", {limit: 10}).then((found) => {
  all.replaceChildren(...found.map((one) => {
    const row = document.createElement("tr");
    row.innerHTML = "<td></td><td></td><td><button>Edit</button></td>";
    row.children[0].textContent = one.name; row.children[1].textContent = one.value;
    row.querySelector("button").onclick = () => {
      dialog.show(); form.value.value = one.value;
      form.onsubmit = async (event) => { event.preventDefault();
        await ask(`/api/variables/${one.id}`, {...one, id: undefined, value: form.value.value}, "PATCH");
        dialog.close(); await draw(); }; };
    return row; })); });
draw();
</script>"""


@dataclass
class Site:
    """One variable, and what is done to what is put into it."""

    url: str = ""
    held: dict[str, Any] = field(default_factory=dict)
    lie: str | None = None

    def fill(self, lie: str | None = None) -> None:
        self.held = {"id": ID, "name": "rate_of_north", "value": "Set by nobody", "tags": "", "kind": "text"}
        self.lie = lie


@pytest.fixture
def site() -> Iterator[Site]:
    made = Site()
    made.fill()

    class Handler(PageHandler):
        def do_GET(self) -> None:
            self.answer(200, PAGE)

        def do_POST(self) -> None:
            self.body()
            self.tell([made.held])

        def do_PATCH(self) -> None:
            said = json.loads(self.body())
            made.held |= said if made.lie is None else said | {"value": made.lie}
            self.tell({"ok": True})

    with served(Handler) as url:
        made.url = url
        yield made


def test_what_a_list_that_is_asked_for_by_post_holds_otherwise_is_red(
    tmp_path: Path, site: Site, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    run = OneRun(tmp_path, site.url, capsys)
    run.record(
        [
            call("navigate", url="/"),
            call("click", selector="Edit"),
            call("fill", selector="Value", value="Set by Ada for the north"),
            call("click", selector="Save"),
            call("navigate", url="/"),
        ]
    )
    assert site.held["value"] == "Set by Ada for the north"
    site.fill()
    assert run.replay()["verdict"] == "passed"
    for lie in ("Set by nobody", "Set by Ada for the moon"):
        site.fill(lie)
        replayed = run.replay()
        assert replayed["verdict"] == "postcondition", (lie, replayed)
        assert lie in str(replayed["drift"]), (lie, replayed)
