"""Pages whose address is a field of their form, called as something of the user: ``Adresse``, and no street."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit

import pytest

from simulator.api import record_runs, replay_runs
from tests.fakes.server import served
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("where what was sent is seen")

SETTINGS = """
packs = []

[site.wiki]
base_url = "{url}"
language = "de"
routes = {{ login = "/login" }}
accounts = [{{ username = "anna", password = {{ env = "WIKI_PASSWORD" }} }}]

[site.wiki.things.artikel]
create = "/new"
list = "/"
data = "woods"
fields = {{ kopf = "Titel", rumpf = "Inhalt" }}

[data.woods]
count = 2
rows = [
  {{ kopf = "Das alte Hafenholz", rumpf = "Es kam im Winter mit dem letzten Schiff" }},
  {{ kopf = "Karten vom oberen Tal", rumpf = "Auf Leinen gezeichnet und zweimal gefaltet" }},
]

[run]
concurrency = 1
"""
PERSONA = "persona: maker\nabout: Schreibt.\nlocale: de_DE\ntasks:\n  - create: {thing: artikel, count: 2}\n"
SLUGS = {"das-alte-hafenholz", "karten-vom-oberen-tal"}
NEW = """<h1>Neuer Artikel</h1><form method=post action=/new>
<label>Titel <input name=title required {fills}></label>
<label>Adresse <input name=slug required pattern="[a-z0-9_-]+"></label>
<label>Inhalt <textarea name=content></textarea></label><button>Speichern</button></form>"""
FILLS = """onchange="this.form.slug.value = this.value.toLowerCase().replace(/[^a-z]+/g, '-')" """
LOGIN = """<h1>Anmelden</h1><form method=post action=/login><label>Benutzername <input name=username></label>
<label>Passwort <input name=password type=password></label><button>Anmelden</button></form>"""


class Wiki(PageHandler):
    """Keeps articles by their addresses."""

    kept: ClassVar[dict[str, dict[str, str]]] = {}
    fills: ClassVar[str] = ""
    renames: ClassVar[str] = ""
    """What it hangs on an address that it was given."""

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        slug = path.rpartition("/")[2]
        if path == "/login":
            return self.answer(200, LOGIN)
        if path == "/new":
            return self.answer(200, NEW.format(fills=self.fills))
        if path == "/":
            links = "".join(f"<li><a href='/pages/{slug}'>{one['title']}</a>" for slug, one in self.kept.items())
            return self.answer(200, f"<a href=/logout>Abmelden</a><h1>Artikel</h1><ul>{links}</ul>")
        if slug not in self.kept:
            return self.answer(404, "<h1>Nicht gefunden</h1>")
        one = self.kept[slug]
        return self.answer(200, f"<a href=/>Alle</a><h1>{one['title']}</h1><p>{one['content']}</p>")

    def do_POST(self) -> None:
        given = {name: texts[0] for name, texts in parse_qs(self.body().decode()).items()}
        if self.path == "/login":
            return self.answer(303, location="/")
        slug = given["slug"] + self.renames
        self.kept[slug] = given
        return self.answer(303, location=f"/pages/{slug}")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("SIM_KEY", "the key of the tests of addresses")
    monkeypatch.setenv("WIKI_PASSWORD", "Rosebud-91-of-the-lake")
    Wiki.kept.clear()
    with served(Wiki) as url, chdir(tmp_path):
        (tmp_path / "personas").mkdir()
        (tmp_path / "sim.toml").write_text(SETTINGS.format(url=url), "utf-8")
        (tmp_path / "personas/maker.yaml").write_text(PERSONA, "utf-8")
        yield tmp_path


def unseen(run: Any) -> list[tuple[str, ...]]:
    return [tuple(one.unseen) for one in run.writes]


@pytest.mark.parametrize("fills", [FILLS, ""])
def test_an_address_is_that_of_the_page_or_spelled_as_the_thing_is_called(
    project: Path, monkeypatch: pytest.MonkeyPatch, fills: str
) -> None:
    monkeypatch.setattr(Wiki, "fills", fills)

    (run,) = record_runs((), db="a.db", count=1, seed="7", agent="autopilot").runs
    assert (run.status, Wiki.kept.keys()) == ("passed", SLUGS), run
    # What the page wrote is known by the address of the thing; of what the user typed no page says that it was kept.
    lacks = [(), ()] if fills else [("Adresse",), ("Adresse",)]
    assert unseen(run) == lacks
    Wiki.kept.clear()
    (same,) = replay_runs("a.db", db="b.db").runs
    assert (same.verdict, Wiki.kept.keys(), unseen(same)) == ("passed", SLUGS, lacks), same


def test_an_address_that_the_site_has_changed_is_not_seen_again(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Wiki, "fills", FILLS)
    monkeypatch.setattr(Wiki, "renames", "-2")

    (run,) = record_runs((), db="a.db", count=1, seed="7", agent="autopilot").runs
    assert (run.status, unseen(run)) == ("passed", [("Adresse",), ("Adresse",)]), run
