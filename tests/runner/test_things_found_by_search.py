"""Things whose list shows a few of them on each page, and names them in rows without a link: a search finds them."""

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


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """What each item costs; the first page of the list shows the one that was there before."""
    items = {"Old lamp": "1"}

    def form(price: str) -> str:
        return (
            f"<label>Price <input name=price type=number step=any value='{price}'></label><button>Save</button></form>"
        )

    class Handler(PageHandler):
        def do_GET(self) -> None:
            path, asked = urlsplit(self.path).path, parse_qs(urlsplit(self.path).query)
            if path == "/items/new":
                title = "<form method=post action=/items><label>Title <input name=title required></label>"
                return self.answer(200, f"<h1>New item</h1>{title}{form('')}")
            if path == "/items/edit":
                name = [*items][int(asked["pk"][0]) - 100]
                head = f"<h1>{escape(name)}</h1><form method=post action='{escape(self.path)}'>"
                return self.answer(200, head + form(items[name]))
            found = [name for name in items if asked["q"][0] in name] if "q" in asked else [*items][:1]
            rows = "".join(
                f"<tr><td><a aria-label=Edit href='/items/edit?pk={[*items].index(name) + 100}'>&#9998;</a></td>"
                f"<td>{escape(name)}</td><td>{items[name]}</td></tr>"
                for name in found
            )
            search = "<form action=/items><label>Search <input type=search name=q></label><button>Find</button></form>"
            return self.answer(200, f"<h1>Items</h1>{search}<table><tr><th></th><th>Title<th>Price</tr>{rows}</table>")

        def do_POST(self) -> None:
            sent = {name: values[0] for name, values in parse_qs(self.body().decode()).items()}
            asked = parse_qs(urlsplit(self.path).query)
            items[[*items][int(asked["pk"][0]) - 100] if asked else sent["title"]] = sent["price"]
            self.answer(303, location="/items")

    rows = ", ".join(f'{{ title = "Brass bell {one}", price = {number} }}' for number, one in enumerate("ABC", 11))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    with served(Handler) as url:
        (tmp_path / "sim.toml").write_text(SETTINGS.format(url=url, rows=rows), "utf-8")
        (tmp_path / "personas").mkdir()
        (tmp_path / "personas/keeper.yaml").write_text(PERSONA, "utf-8")
        yield items


def test_a_thing_without_a_link_of_its_name_is_edited_from_the_row_that_a_search_finds(kept: dict[str, str]) -> None:
    code = main(["personas", "run", "keeper", "--seed", "7", "--db", "a.db"])
    assert (code, len(kept)) == (0, 3)
    costs = sorted(float(price) for name, price in kept.items() if name != "Old lamp")
    made = {name[-1]: {"A": 11, "B": 12, "C": 13}[name[-1]] for name in kept if name != "Old lamp"}
    (third,) = {11, 12, 13} - set(made.values())
    assert third in costs
