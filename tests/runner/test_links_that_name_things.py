"""Rows of which each link names the thing: to edit it, to see it, to delete it."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from simulator.cli.main import main
from tests.fakes.server import served
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("a site's own things")

SETTINGS = """
packs = []
[site.store]
base_url = "{url}"
[site.store.things.item]
create = "/items/new"
list = "/items"
data = "items"
edit = {{ fields = ["price"] }}
[data.items]
count = 3
fields = {{ price = "number" }}
rows = [{rows}]
"""
PERSONA = """
persona: keeper
about: Keeps a store.
locale: en_GB
tasks:
  - create: {thing: item, count: 2}
  - edit: item
"""
EDIT = "<a href='/items/edit?pk={pk}' aria-label='“{name}” (Edit)'>{name}</a>"
SEE = "<a href='/items/see/{pk}' aria-label='See “{name}”'>See</a>"
DELETE = "<a href='/items/delete?pk={pk}' aria-label='Delete “{name}”'>Delete</a>"
MORE = "<a href='/items/edit?pk={pk}' aria-label='Edit with “{name}”'>Edit</a>"
ASIDE = "<a href='/items/see/{pk}' aria-label='Look “{name}”' style='position: fixed; left: -9999em'>See</a>"
ROWS = {
    "the title first": EDIT + MORE + SEE,
    "with one out of sight": EDIT + MORE + ASIDE,
    "with one to delete": EDIT + MORE + SEE + DELETE,
    "to delete first": DELETE + EDIT + SEE,
    "no other but to see": DELETE + " <b>{name}</b> " + SEE,
    "to throw away first": DELETE.replace("Delete “{name}”", "Move “{name}” to the Trash") + EDIT + SEE,
    "to delete alone": DELETE + " <b>{name}</b> <a href='/items/edit?pk={pk}'>Edit</a>",
}


@pytest.fixture
def kept(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """What each item costs."""
    items = {"Old lamp": "1", "Old lamp stand": "2"}
    row = ROWS[request.param]

    class Handler(PageHandler):
        def do_GET(self) -> None:
            path, asked = urlsplit(self.path).path, parse_qs(urlsplit(self.path).query)
            if not path.startswith("/items"):
                return self.answer(200, "<h1>Store</h1><a href=/items>Items</a>")
            if path == "/items/new":
                title = "<label>Title <input name=title required></label>"
                return self.answer(200, f"<h1>New item</h1>{form('/items', title)}")
            if path == "/items/delete":
                items.pop([*items][int(asked["pk"][0]) - 4100])
                return self.answer(303, location="/items")
            if path != "/items":
                pk = path.rpartition("/")[2] if "see" in path else asked["pk"][0]
                name = [*items][int(pk) - 4100]
                more = f"<a href='/items/edit?pk={pk}'>Edit</a>" if "see" in path else form(f"/items?pk={pk}", "")
                return self.answer(200, f"<h1>{escape(name)}</h1>{more}")
            rows = (row.format(pk=pk, name=escape(name)) for pk, name in enumerate(items, 4100))
            shown = "".join(f"<tr><td>{one}<td>{cost}</tr>" for one, cost in zip(rows, items.values(), strict=True))
            self.answer(200, f"<h1>Items</h1><table><tr><th>Title<th>Price</tr>{shown}</table>")

        def do_POST(self) -> None:
            sent = {name: values[0] for name, values in parse_qs(self.body().decode()).items()}
            asked = parse_qs(urlsplit(self.path).query)
            items[[*items][int(asked["pk"][0]) - 4100] if asked else sent["title"]] = sent["price"]
            self.answer(303, location="/items")

    def form(to: str, title: str) -> str:
        price = "<label>Price <input name=price type=number step=any></label><button>Save</button>"
        return f"<form method=post action='{to}'>{title}{price}</form>"

    rows = ", ".join(f'{{ title = "Brass bell {one}", price = {number} }}' for number, one in enumerate("ABC", 11))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    with served(Handler) as url:
        (tmp_path / "sim.toml").write_text(SETTINGS.format(url=url, rows=rows), "utf-8")
        (tmp_path / "personas").mkdir()
        (tmp_path / "personas/keeper.yaml").write_text(PERSONA, "utf-8")
        yield items


@pytest.mark.parametrize("kept", ROWS, indirect=True)
def test_the_links_of_one_row_speak_of_one_thing_and_none_that_deletes_it_is_followed(kept: dict[str, str]) -> None:
    code = main(["personas", "run", "keeper", "--seed", "7", "--db", "a.db"])
    made = {name[-1]: float(price) for name, price in kept.items() if name.startswith("Brass")}
    assert (code, len(kept), len(made)) == (0, 4, 2), kept
    costs = {"A": 11, "B": 12, "C": 13}
    (third,) = set(costs.values()) - {costs[one] for one in made}
    assert sum(made[one] == third for one in made) == 1, made
