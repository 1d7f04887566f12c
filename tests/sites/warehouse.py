"""A store of spare parts in Portuguese, on loopback: ``python warehouse.py PORT FILE``. It keeps an SQLite file.

A part is made by everybody, and changed and deleted where the office keeps it: that form has a line for an order, too,
which nobody has to fill in. Beside it stands a way to make another part that is like one.
"""

from __future__ import annotations

import argparse
import sqlite3
from html import escape
from http.server import ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qsl

from serving import PageHandler

SCHEMA = """
create table if not exists parts (id integer primary key, name text unique, shelf text, note text);
create table if not exists orders (id integer primary key, part integer, price text);
"""
SHELVES = ("Cave", "Sótão", "Oficina")
FIELDS = """<p><label>Nome da peça <input name=nome required maxlength=60 value="{name}"></label>
<p><label>Prateleira <select name=prateleira required><option value="">-</option>{shelves}</select></label>
<p><label>Observações <textarea name=nota>{note}</textarea></label>"""
ORDER = """<div class=linha><p><label>Preço <input name=preco inputmode=decimal></label>
<p><label>Quantidade <input name=quantidade inputmode=numeric></label>
<a href="#" role=button onclick="this.parentElement.remove(); return false">Remover</a></div>"""


class Warehouse(PageHandler):
    """Serves the store."""

    file: Path

    def do_GET(self) -> None:
        self._do({})

    def do_POST(self) -> None:
        self._do(dict(parse_qsl(self.body().decode(), keep_blank_values=True)))

    def _do(self, form: dict[str, str]) -> None:
        self.db = sqlite3.connect(self.file, timeout=30)
        try:
            match self.path.strip("/").split("/"):
                case [""]:
                    self._page("<h1>Armazém</h1>")
                case ["pecas"]:
                    rows = self.db.execute("select id, name from parts order by id").fetchall()
                    found = "".join(f"<li><a href=/pecas/{at}>{escape(name)}</a>" for at, name in rows)
                    self._page(f"<h1>Peças</h1><ul>{found}</ul>")
                case ["pecas", "nova"]:
                    self._new(form)
                case ["pecas" | "escritorio" as where, number, *more]:
                    self._one(where, int(number), more, form)
                case _:
                    self.answer(404, "<h1>Não existe</h1>")
        finally:
            self.db.close()

    def answer(self, status: int, page: str = "", location: str = "") -> None:
        self.db.commit()
        super().answer(status, page, location)

    def _page(self, text: str) -> None:
        self.answer(200, f"<nav><a href=/pecas>Peças</a> <a href=/pecas/nova>Nova peça</a></nav><main>{text}</main>")

    def _asked(self, name: str = "", shelf: str = "", note: str = "") -> str:
        shelves = "".join(f"<option{' selected' * (one == shelf)}>{one}</option>" for one in SHELVES)
        return FIELDS.format(name=escape(name), shelves=shelves, note=escape(note))

    def _new(self, form: dict[str, str]) -> None:
        said = ""
        if form and not self.db.execute("select id from parts where name = ?", (form["nome"],)).fetchone():
            given = (form["nome"], form["prateleira"], form["nota"])
            made = self.db.execute("insert into parts values (null, ?, ?, ?)", given).lastrowid
            return self.answer(303, location=f"/pecas/{made}")
        if form:
            said = "<p role=alert>Já existe uma peça com esse nome</p>"
        self._page(f"<h1>Nova peça</h1>{said}<form method=post>{self._asked()}<p><button>Criar peça</button></form>")

    def _one(self, where: str, number: int, more: list[str], form: dict[str, str]) -> None:
        row = self.db.execute("select name, shelf, note from parts where id = ?", (number,)).fetchone()
        if row is None:
            return self.answer(404, "<h1>Não existe</h1>")
        match where, more:
            case "pecas", []:
                told = "".join(
                    f"<dt>{what}<dd>{escape(text)}" for what, text in zip(("Prateleira", "Nota"), row[1:], strict=True)
                )
                ways = f"""<a href=/pecas/{number}/copia>Fazer uma cópia desta peça</a>
<a href=/escritorio/{number}/mudar>Editar (só o escritório)</a>"""
                self._page(f"<h1>{escape(row[0])}</h1><dl>{told}</dl>{ways}")
            case "pecas", ["copia"]:
                asked = self._asked(f"Cópia de {row[0]}", *row[1:])
                self._page(
                    f"<h1>Nova peça</h1><form method=post action=/pecas/nova>{asked}<button>Criar</button></form>"
                )
            case "escritorio", ["mudar"]:
                self._change(number, row, form)
            case "escritorio", ["eliminar"] if form:
                self.db.execute("delete from parts where id = ?", (number,))
                self.answer(303, location="/pecas")
            case "escritorio", ["eliminar"]:
                asked = "<form method=post><input type=hidden name=sim value=sim><button>Sim, elimine</button></form>"
                self._page(f"<h1>Tem a certeza?</h1><p>{escape(row[0])}</p>{asked}")
            case _:
                self.answer(404, "<h1>Não existe</h1>")

    def _change(self, number: int, row: tuple[str, str, str], form: dict[str, str]) -> None:
        said = ""
        if form.get("preco") and not form.get("quantidade"):
            said = "<p role=alert>Indique a quantidade da encomenda</p>"
        elif form:
            given = (form["nome"], form["prateleira"], form["nota"], number)
            self.db.execute("update parts set name = ?, shelf = ?, note = ? where id = ?", given)
            if form.get("preco"):
                self.db.execute("insert into orders values (null, ?, ?)", (number, form["preco"]))
            return self.answer(303, location="/pecas")
        self._page(
            f"<h1>Mudar uma peça</h1>{said}<form method=post>{self._asked(*row)}{ORDER}"
            "<p><button>Guardar</button> <button name=mais value=1>Guardar e continuar</button>"
            '<a href="#" role=button onclick="return false">Adicionar outra linha</a></form>'
            f"<a href=/escritorio/{number}/eliminar>Eliminar</a>"
        )


if __name__ == "__main__":
    said = argparse.ArgumentParser()
    said.add_argument("port", type=int)
    said.add_argument("file", type=Path)
    given = said.parse_args()
    Warehouse.file = given.file
    with sqlite3.connect(given.file) as database:
        database.executescript(SCHEMA)
    server = ThreadingHTTPServer(("127.0.0.1", given.port), Warehouse)
    print(f"the warehouse is at http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
