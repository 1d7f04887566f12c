"""An address that names another one, with what the user has searched for, as where one returns to after an edit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("where what was sent is seen")

NAMES = ("Geige aus Köln", "Flöte von 1920", "Harfe & Horn")


@dataclass
class Site:
    """What each thing costs; the site lists what is searched for, and leads back there from its forms."""

    prices: dict[str, str] = field(default_factory=lambda: dict.fromkeys(NAMES, "1"))


@pytest.fixture
def site() -> Site:
    return Site()


@pytest.fixture
def run(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            asked = parse_qs(urlsplit(self.path).query)
            back = quote(self.path, safe="")
            if self.path.startswith("/edit"):
                name = NAMES[int(asked["id"][0]) - 48213]
                form = f'<form method=post action="{escape(self.path)}"><label>Price <input name=price></label>'
                return self.answer(200, f"<h1>{escape(name)}</h1>{form}<button>Save</button></form>")
            found = [(at, name) for at, name in enumerate(NAMES) if name == asked.get("q", [name])[0]]
            rows = "".join(
                f"<li>{escape(name)} {site.prices[name]} <a href='/edit?id={at + 48213}&back={back}'>Edit</a></li>"
                for at, name in found
            )
            search = "<form action=/things><label>Search <input name=q></label><button>Find</button></form>"
            return self.answer(200, f"<h1>Things</h1>{search}<ul>{rows}</ul>")

        def do_POST(self) -> None:
            asked = parse_qs(urlsplit(self.path).query)
            site.prices[NAMES[int(asked["id"][0]) - 48213]] = parse_qs(self.body().decode())["price"][0]
            self.answer(303, location=asked["back"][0])

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        rows = ", ".join(f'{{ title = "{name}", price = "{at}7.50" }}' for at, name in enumerate(NAMES, 1))
        run.site = f"\n[data.tools]\ncount = 1\nrows = [{rows}]\n"
        yield run


def test_a_fresh_user_is_led_back_to_a_search_of_its_own(run: OneRun, site: Site) -> None:
    told = run.record(
        [
            call("navigate", url="/things"),
            call("fill", selector="Search", value="{{tool.1.title}}"),
            call("click", selector="Find"),
            call("click", selector="Edit"),
            call("fill", selector="Price", value="{{tool.1.price}}"),
            call("click", selector="Save"),
        ]
    )
    assert [one.text for one in told if not one.success] == []
    for seed in ("11", "12", "13", "14", "15"):
        replayed = run.replay("--identity", "fresh", "--seed", seed)
        assert replayed["verdict"] == "passed", replayed["drift"]
    changed = {name for name, price in site.prices.items() if price != "1"}
    assert len(changed) > 1
    assert all(site.prices[name] == f"{NAMES.index(name) + 1}7.50" for name in changed)
