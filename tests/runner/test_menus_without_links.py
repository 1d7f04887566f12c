"""An application whose menu has no links: what is pressed there leads on, and a first look finds what it leads to."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from simulator.cli.main import main
from tests.fakes.server import served
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("sim site learn")

PAGE = """<style>.item {{ cursor: pointer }}</style><div class=frame>{menu}<div class=content id=at></div></div><script>
const LIST = (kind, rows) => `<h2>${{kind}}</h2><button onclick="go('/${{kind.toLowerCase()}}/new')">New ${{kind.slice(0, -1)}}</button>
  <div class=rows>${{rows.map((row) => `<div class="item row" onclick="go('/${{kind.toLowerCase()}}/${{row.id}}')">${{row.name}}</div>`).join("")}}</div>`;
const FORM = (kind) => `<h2>New ${{kind.slice(0, -1)}}</h2><form onsubmit="send(event, '${{kind}}')">
  <label>Name <input name=name required></label><label>Remark <textarea name=remark required></textarea></label><button>Save</button></form>`;
function go(to) {{ history.pushState(null, "", to); draw(); }}
async function send(event, kind) {{
  event.preventDefault();
  const body = JSON.stringify(Object.fromEntries(new FormData(event.target)));
  const made = await (await fetch(`/api/${{kind.toLowerCase()}}`, {{ method: "POST", headers: {{ "content-type": "application/json" }}, body }})).json();
  go(`/${{kind.toLowerCase()}}/${{made.id}}`);
}}
async function draw() {{
  const [, kind, one] = location.pathname.split("/");
  const called = kind && kind[0].toUpperCase() + kind.slice(1);
  if (!kind) {{ at.innerHTML = "<h2>Welcome</h2>"; return; }}
  if (kind === "quit") {{ fetch("/api/quit"); return; }}
  if (one === "new") {{ at.innerHTML = FORM(called); return; }}
  const kept = await (await fetch(`/api/${{kind}}`)).json();
  const it = kept.find((each) => String(each.id) === one);
  at.innerHTML = it ? `<h2>${{it.name}}</h2><p>${{it.remark}}</p>` : LIST(called, kept);
}}
onpopstate = draw;
function toggle(part) {{ part.hidden = !part.hidden; }}
draw();
</script>"""  # noqa: E501
ITEM = "<{0} class=item onclick=\"go('/{1}')\">{2}</{3}>"
KINDS = (("boats", "Boats"), ("crews", "Crews"), ("quit", "Log out"))


def _menu(tag: str, around: str) -> str:
    items = "".join(ITEM.format(tag, of, called, tag.split()[0]) for of, called in KINDS)
    return around.format(items)


MENUS = {
    "anchors": _menu("a", "<nav>{0}</nav>"),
    "boxes": _menu("div", "<div class=side>{0}</div>"),
    "items": _menu("li role=menuitem", "<ul role=menu>{0}</ul>"),
    "folded": _menu(
        "div",
        '<aside><div class=item onclick="toggle(this.nextElementSibling)">Harbour</div>'
        "<div hidden>{0}</div><div class=item onclick=\"go('/')\">Home</div></aside>",
    ),
    "links in a fold": '<aside><div class=item onclick="toggle(this.nextElementSibling)">Harbour</div>'
    "<div hidden id=fold></div></aside><script>document.querySelector('.item').addEventListener('click', () => {"
    "fold.innerHTML = '<a href=/boats>Boats</a> <a href=/crews>Crews</a>' })</script>",
}


@dataclass
class Harbour:
    """What a test may look into."""

    menu: str = ""
    kept: dict[str, list[dict[str, Any]]] = field(default_factory=lambda: {"boats": [], "crews": []})
    asked: list[str] = field(default_factory=list)


@pytest.fixture
def harbour() -> Harbour:
    return Harbour()


@pytest.fixture
def url(harbour: Harbour, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            if self.path == "/api/quit":
                harbour.asked.append("quit")
                return self.tell({})
            if self.path.startswith("/api/"):
                return self.tell(harbour.kept[self.path.split("/")[2]])
            self.answer(200, PAGE.format(menu=harbour.menu))

        def do_POST(self) -> None:
            kept = harbour.kept[self.path.split("/")[2]]
            kept.append(json.loads(self.body()) | {"id": 4811 + 7 * len(kept)})
            self.tell(kept[-1])

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    with served(Handler) as url:
        yield url


@pytest.mark.parametrize(
    "menu", [one if one == "boxes" else pytest.param(one, marks=pytest.mark.slow) for one in MENUS]
)
def test_a_menu_without_links_leads_on(menu: str, harbour: Harbour, url: str) -> None:
    harbour.menu = MENUS[menu]
    harbour.kept["boats"] = [{"id": 4711, "name": "Heron", "remark": "Leaks a little."}]
    harbour.kept["crews"] = [{"id": 4712, "name": "Ada and her sons", "remark": "Good at knots."}]
    assert main(["site", "learn", url, "--name", "harbour", "--out", "sim.toml"]) == 0
    things = tomllib.loads(Path("sim.toml").read_text("utf-8"))["site"]["harbour"]["things"]
    ways = {(one["create"], one["list"]) for one in things.values()}
    assert ways == {("/boats/new", "/boats"), ("/crews/new", "/crews")}
    assert harbour.asked == []
