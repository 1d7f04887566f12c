"""Pages whose address is made of what they are called, in letters with accents: fresh users have their own."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import parse_qs

import pytest

from simulator.api import record_runs, replay_runs
from tests.fakes.server import served
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("fresh users")

SETTINGS = """
packs = []

[site.noticiario]
base_url = "{url}"
language = "es"
routes = {{ login = "/login" }}
logged_in = {{ text = "Salir" }}
accounts = [
  {{ username = "ana", password = {{ env = "PLACE_PASSWORD" }} }},
  {{ username = "luis", password = {{ env = "PLACE_PASSWORD" }} }},
]

[site.noticiario.things.aviso]
create = "/nuevo"
list = "/"
data = "avisos"
fields = {{ rotulo = "Título", resena = "Texto" }}
edit = {{ fields = ["resena"] }}

[data.avisos]
count = 2
rows = [
  {{ rotulo = "El río número uno de León", resena = "Baja crecido desde el puente viejo" }},
  {{ rotulo = "La fuente pública de Ávila", resena = "Cerrada por obras hasta la primavera" }},
  {{ rotulo = "Größe über Maß in Köln", resena = "Ein Brett von dort liegt im Lager" }},
  {{ rotulo = "Molino año nuevo de Soria", resena = "Se abre al público los domingos" }},
]

[run]
concurrency = 1
"""
PERSONA = "persona: maker\nabout: Escribe.\nlocale: es_ES\ntasks:\n  - create: aviso\n  - edit: aviso\n"
FORM = """<h1>Aviso</h1><form method=post><label>Título <input name=title required value="{0}"></label>
<label>Texto <textarea name=text required>{1}</textarea></label><button>Guardar</button></form>"""


def stripped(title: str) -> str:
    plain = unicodedata.normalize("NFKD", title.lower().replace("ß", "ss")).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain)


def spelt(title: str) -> str:
    return stripped(title.lower().translate(str.maketrans({"ö": "oe", "ü": "ue", "ä": "ae"})))


def cut(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


class Board(PageHandler):
    """Keeps notices by their addresses."""

    kept: ClassVar[dict[str, tuple[str, str]]] = {}
    address: ClassVar[Callable[[str], str]] = staticmethod(stripped)

    def do_GET(self) -> None:
        if self.path == "/login":
            login = "<label>Usuario <input name=u></label><label>Contraseña <input name=p type=password></label>"
            return self.answer(200, f"<h1>Entrar</h1><form method=post>{login}<button>Entrar</button></form>")
        links = "".join(f"<li><a href='/{slug}'>{title}</a>" for slug, (title, _) in self.kept.items())
        slug, _, does = self.path.strip("/").partition("/")
        title, text = self.kept.get(slug, ("", ""))
        page = f"<h1>Avisos</h1><a href=/nuevo>Nuevo aviso</a><ul>{links}</ul>"
        if does or slug == "nuevo":
            page = FORM.format(title, text)
        elif title:
            page = f"<h1>{title}</h1><p>{text}</p><a href='/{slug}/editar'>Editar</a>"
        self.answer(200, f"<a href=/salir>Salir</a>{page}")

    def do_POST(self) -> None:
        said = {name: values[0] for name, values in parse_qs(self.body().decode()).items()}
        if self.path == "/login":
            return self.answer(303, location="/")
        slug = self.path.strip("/").partition("/")[0] if "editar" in self.path else type(self).address(said["title"])
        self.kept[slug] = said["title"], said["text"]
        self.answer(303, location=f"/{slug}")


@pytest.mark.parametrize("address", [stripped, spelt, cut])
def test_fresh_users_go_to_the_address_that_is_made_of_their_own_words(
    address: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLACE_PASSWORD", "a long password 41")
    monkeypatch.setattr(Board, "address", staticmethod(address))
    monkeypatch.setattr(Board, "kept", {})
    with served(Board) as url, chdir(tmp_path):
        (tmp_path / "personas").mkdir()
        (tmp_path / "personas/maker.yaml").write_text(PERSONA, "utf-8")
        (tmp_path / "sim.toml").write_text(SETTINGS.format(url=url), "utf-8")
        (run,) = record_runs((), db="a.db", count=1, seed="5", agent="autopilot").runs
        assert run.status == "passed", run
        (first,) = Board.kept
        Board.kept.clear()
        (replayed,) = replay_runs("a.db", db="b.db", identity="fresh", seed="11").runs
        assert replayed.verdict == "passed", replayed
        (second,) = Board.kept
    assert first != second
