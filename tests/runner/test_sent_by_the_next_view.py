"""What the view sends that a press has led to, late and within one document: it is nothing that was pressed for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.fakes.messages_api import call
from tests.fakes.server import served
from tests.runner.one_run import OneRun
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what is pressed alone")

APP = """<main></main><script>
const kept = KEPT, main = document.querySelector("main");
const ask = async (method, at, it) => (await fetch(at, {method, body: it && JSON.stringify(it),
  headers: {"Content-Type": "application/json"}})).json();
const show = () => {
  const id = location.pathname.split("/")[2];
  if (id) {
    main.innerHTML = "<h1>One thing</h1><p>Nobody has looked yet.</p>";
    setTimeout(() => ask("POST", `/api/views?tab=0&thing=${id}`), LATE);
    return;
  }
  const rows = Object.entries(kept).map(([one, name]) => `<a href="/things/${one}">${name}</a>`).join(" ");
  main.innerHTML = `<div class=box><h2>Welcome</h2><p>Let us begin.</p><button>New</button><p>${rows}</p></div>
    <div class=box><h2>Resources</h2><p>Learn more.</p><a href="/help">Help</a></div>`;
  document.querySelector("button").onclick = async () => {
    document.querySelector(".box").insertAdjacentHTML("beforeend", `<div role=dialog aria-label="New thing">
      <form onsubmit="return false"><label>Name <input name=name></label></form><button id=save>Save</button></div>`);
    const { id } = await ask("POST", "/api/things", { name: "Unnamed" });
    save.onclick = async () => {
      await ask("PATCH", `/api/things/${id}`, { name: document.querySelector("input").value });
      history.pushState(0, "", `/things/${id}`);
      show();
    };
  };
};
show();
</script>"""


@pytest.mark.parametrize("late", [0, 2500], ids=["at once", "late"])
def test_what_the_next_view_sends_late_is_not_what_was_pressed_for(
    late: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    kept: dict[int, str] = {71000: "The hoe by the well"}

    class Handler(PageHandler):
        def do_GET(self) -> None:
            self.answer(200, APP.replace("KEPT", json.dumps(kept)).replace("LATE", str(late)))

        def do_POST(self) -> None:
            self.body()
            number = max(kept) + 1
            # Somebody else has made something meanwhile.
            kept[number] = "Unnamed" if self.path == "/api/things" else "The rake under the bridge"
            self.tell({"id": number if self.path == "/api/things" else 512_004})

        def do_PATCH(self) -> None:
            kept[int(self.path.rpartition("/")[2])] = json.loads(self.body())["name"]
            self.tell({})

    with served(Handler) as url:
        run = OneRun(tmp_path, url, capsys)
        told = run.record(
            [
                call("navigate", url="/"),
                call("click", selector="New"),
                call("fill", selector="Name", value="The spade behind the mill"),
                call("click", selector="Save"),
                call("wait", seconds=3.5),
                call("navigate", url="/"),
                call("get_page_text"),
                call("navigate", url="/"),
            ]
        )
    assert all(one.success for one in told), told
    assert "The spade behind the mill" in kept.values()
    assert "state" not in {kind for kind, _, _ in run.effects()}
