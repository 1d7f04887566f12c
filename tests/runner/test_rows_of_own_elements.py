"""Things that an application shows in elements of its own, in shadow roots or not: what is done to them is proven."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what a site keeps")

APPLICATION = """<!doctype html><title>Boats</title><own-app></own-app><script>
const rootOf = (el) => ROOT;
customElements.define("own-row", class extends HTMLElement {
  connectedCallback() {
    const { boat, at, app } = this, root = rootOf(this);
    root.innerHTML = `<div><span></span> <i>${boat.moored ? "moored" : ""}</i> <button class=m${at}>Moor</button>` +
      `<button class=r${at}>Remove</button></div>`;
    root.querySelector("span").textContent = boat.name;
    const send = (method) => fetch(`/api/boats/${boat.id}`, { method }).then(() => app.load());
    root.querySelector(`.m${at}`).onclick = () => send("PATCH");
    root.querySelector(`.r${at}`).onclick = () => send("DELETE");
  }
});
customElements.define("own-app", class extends HTMLElement {
  connectedCallback() { this.load(); }
  async load() {
    const boats = await (await fetch("/api/boats")).json(), root = rootOf(this);
    root.innerHTML = "<h1>Boats</h1><form><label>Name <input name=name></label><button>Add</button></form><div id=all></div>";
    root.querySelector("form").onsubmit = async (event) => {
      event.preventDefault();
      await fetch("/api/boats", { method: "POST", body: JSON.stringify({ name: root.querySelector("input").value }) });
      this.load();
    };
    boats.forEach((boat, at) => root.querySelector("#all").append(Object.assign(document.createElement("own-row"), { boat, at, app: this })));
  }
});
</script>"""  # noqa: E501
ROOTS = {"shadow": 'el.shadowRoot || el.attachShadow({ mode: "open" })', "light": "el"}


@dataclass
class Site:
    """Keeps boats, or something else of them."""

    drawn: str
    lie: str = ""
    boats: dict[str, dict[str, object]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Keep two boats."""
        names = {"48001": "Old Nelly", "48002": "Grey Gull"}
        self.boats = {key: {"name": name, "moored": False} for key, name in names.items()}

    def write(self, method: str, path: str, sent: bytes) -> None:
        """Do what is asked for, or what the lie says."""
        key = path.rpartition("/")[2]
        if method == "POST" and self.lie != "none added":
            self.boats[str(48213 + len(self.boats))] = {"name": json.loads(sent)["name"], "moored": False}
        elif method == "PATCH" and self.lie != "none moored":
            self.boats["48002" if self.lie == "another moored" else key]["moored"] = True
        elif method == "DELETE" and self.lie != "none removed":
            self.boats.pop("48002" if self.lie == "another removed" else key)


@pytest.fixture
def site(request: pytest.FixtureRequest) -> Site:
    return Site(request.param)


@pytest.fixture
def run(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            if urlsplit(self.path).path == "/api/boats":
                self.tell([{"id": key, **boat} for key, boat in site.boats.items()])
            else:
                self.answer(200, APPLICATION.replace("ROOT", ROOTS[site.drawn]))

        def do_POST(self) -> None:
            site.write(self.command, self.path, self.body())
            self.tell({"ok": True})

        do_PATCH = do_DELETE = do_POST

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        yield run


@pytest.mark.breadth(1, table=2)
@pytest.mark.parametrize("site", ROOTS, indirect=True)
@pytest.mark.parametrize("lie", ["none moored", "another moored", "none removed", "another removed"])
def test_what_is_done_to_such_a_row_is_proven(site: Site, run: OneRun, lie: str) -> None:
    told = run.record(
        [
            call("navigate", url="/"),
            call("fill", selector="Name", value="Sea otter of Porto"),
            call("click", selector="Add"),
            call("click", selector=".m2"),
            call("click", selector=".r0"),
            call("navigate", url="/"),
        ]
    )
    assert all(one.success for one in told), [one.text for one in told]
    Site.__post_init__(site)
    honest = run.replay()
    assert honest["verdict"] == "passed", honest
    assert [one["unseen"] for one in honest["writes"]] == [[], [], []]
    Site.__post_init__(site)
    site.lie = lie
    assert run.replay()["verdict"] != "passed"


@pytest.mark.breadth(1, table=1)
@pytest.mark.parametrize("site", ROOTS, indirect=True)
def test_what_such_an_element_said_before_proves_nothing(site: Site, run: OneRun) -> None:
    site.lie = "none added"
    adds = [
        call("navigate", url="/"),
        call("fill", selector="Name", value="Grey Gull"),
        call("click", selector="Add"),
        call("navigate", url="/"),
    ]
    run.record(adds)
    assert [one["unseen"] for one in run.replay()["writes"]] == [["Name"]]
