"""A stable in Polish, on loopback: ``python stable.py PORT FILE``. It keeps horses in an SQLite file, five a page.

It asks for more than a list of horses has, refuses what is too short, and asks again before a horse goes. It says of
what ``--lies`` names that it was done, and does it not: ``make``, ``edit``, ``delete``, ``like`` or ``comment``.
"""

from __future__ import annotations

import argparse
import secrets
import sqlite3
from html import escape
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qsl, quote, urlsplit

BREEDS = ("Arab", "Fryz", "Hucuł", "Konik polski", "Shire")
SCHEMA = """
create table if not exists people (name text primary key, password text);
create table if not exists sessions (token text primary key, name text);
create table if not exists horses (id integer primary key, owner text, name text, breed text, year integer,
  passport text, coat text, story text);
create table if not exists likes (horse integer, name text, primary key (horse, name));
create table if not exists comments (id integer primary key, horse integer, name text, text text);
"""
PAGE = 5
LEAST = 40
"""Characters in a story."""
HORSE = """<h1>{heading}</h1>{errors}<form method=post aria-label="Koń">
<p><label for=f1>Imię konia *</label> <input id=f1 name=imie required maxlength=60 value="{name}">
<p><label for=f2>Rasa</label> <select id=f2 name=rasa required><option value="">wybierz</option>{breeds}</select>
<p><label for=f3>Rok urodzenia</label> <input id=f3 name=rok type=number min=1995 max=2024 required value="{year}">
<p><label for=f4>Numer paszportu</label> <input id=f4 name=paszport required pattern="[A-Z]{{3}}[0-9]{{6}}"
  value="{passport}">
<p><label for=f5>Maść</label> <input id=f5 name=masc value="{coat}">
<p><label for=f6>Opis</label> <textarea id=f6 name=opis required>{story}</textarea>
<p><button>Zapisz</button></form>"""
ACCOUNT = """<h1>{heading}</h1>{errors}<form method=post><label>Nazwa użytkownika <input name=nazwa required></label>
<label>Hasło <input name=haslo type=password required></label><button>{heading}</button></form>"""


class Handler(BaseHTTPRequestHandler):
    """Serves the stable."""

    file: Path
    lies: frozenset[str] = frozenset()

    def do_GET(self) -> None:
        self._do({})

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        self._do(dict(parse_qsl(self.rfile.read(length).decode(), keep_blank_values=True)))

    def _do(self, form: dict[str, str]) -> None:
        self.db = sqlite3.connect(self.file, timeout=30)
        try:
            parts = urlsplit(self.path)
            self.query = dict(parse_qsl(parts.query))
            token = SimpleCookie(self.headers.get("Cookie", "")).get("sesja")
            asked = (token.value if token else "",)
            found = self.db.execute("select name from sessions where token = ?", asked).fetchone()
            self.user = found[0] if found else ""
            name, *rest = [part for part in parts.path.split("/") if part] or ["start"]
            if name == "konie" and rest and not self.user:
                return self._go("/logowanie")
            pages = {"start": self._start, "rejestracja": self._rejestracja, "logowanie": self._logowanie}
            pages |= {"wyloguj": self._wyloguj, "konie": self._konie}
            return pages.get(name, self._lost)(rest, form)
        finally:
            self.db.close()

    def _lost(self, rest: list[str], form: dict[str, str]) -> None:
        self._say("Nie ma", "<p>Nie ma takiej strony", 404)

    def _start(self, rest: list[str], form: dict[str, str]) -> None:
        self._say("Stajnia", "<p>Witamy w stajni.")

    def _rejestracja(self, rest: list[str], form: dict[str, str]) -> None:
        if not form:
            return self._say("Rejestracja", ACCOUNT.format(heading="Zarejestruj się", errors=""))
        try:
            self.db.execute("insert into people values (?, ?)", (form["nazwa"], form["haslo"]))
        except sqlite3.IntegrityError:
            said = "<p role=alert>Ta nazwa użytkownika jest już zajęta</p>"
            return self._say("Rejestracja", ACCOUNT.format(heading="Zarejestruj się", errors=said))
        return self._enter(form["nazwa"])

    def _logowanie(self, rest: list[str], form: dict[str, str]) -> None:
        pair = (form.get("nazwa"), form.get("haslo"))
        if form and self.db.execute("select 1 from people where name = ? and password = ?", pair).fetchone():
            return self._enter(form["nazwa"])
        said = "<p role=alert>Zła nazwa lub hasło</p>" if form else ""
        return self._say("Logowanie", ACCOUNT.format(heading="Zaloguj się", errors=said))

    def _enter(self, name: str) -> None:
        token = secrets.token_hex(16)
        self.db.execute("insert into sessions values (?, ?)", (token, name))
        self._go("/konie", f"sesja={token}; Path=/")

    def _wyloguj(self, rest: list[str], form: dict[str, str]) -> None:
        self._go("/", "sesja=; Path=/; Max-Age=0")

    def _konie(self, rest: list[str], form: dict[str, str]) -> None:
        if not rest:
            return self._list()
        if rest == ["dodaj"]:
            return self._form({}, form, "")
        row = self.db.execute("select * from horses where id = ?", (rest[0],)).fetchone()
        if row is None:
            return self._lost(rest, form)
        horse = dict(zip(("id", "owner", "name", "breed", "year", "passport", "coat", "story"), row, strict=True))
        match rest[1:]:
            case ["edytuj"] if horse["owner"] == self.user:
                return self._form(horse, form, rest[0])
            case ["usun"] if horse["owner"] == self.user:
                return self._delete(horse, posted=self.command == "POST")
            case ["polub"]:
                if "like" not in self.lies:
                    self.db.execute("insert or ignore into likes values (?, ?)", (rest[0], self.user))
                return self._go(f"/konie/{rest[0]}")
            case ["komentarz"]:
                if "comment" not in self.lies:
                    self.db.execute("insert into comments values (null, ?, ?, ?)", (rest[0], self.user, form["tresc"]))
                return self._go(f"/konie/{rest[0]}?info={quote('Dodano komentarz')}")
        return self._one(horse)

    def _list(self) -> None:
        at = int(self.query.get("strona", 1))
        rows = self.db.execute("select id, name, owner from horses order by id desc").fetchall()
        shown = rows[(at - 1) * PAGE : at * PAGE]
        items = "".join(f'<li><a href="/konie/{one}">{escape(name)}</a>, {escape(owner)}' for one, name, owner in shown)
        onward = f'<a href="/konie?strona={at + 1}">następna</a>' if len(rows) > at * PAGE else ""
        self._say("Konie", f'<h1>Konie</h1><p><a href="/konie/dodaj">Dodaj konia</a><ul>{items}</ul>{onward}')

    def _one(self, horse: dict[str, object]) -> None:
        one = horse["id"]
        (likes,) = self.db.execute("select count(*) from likes where horse = ?", (one,)).fetchone()
        liked = self.db.execute("select 1 from likes where horse = ? and name = ?", (one, self.user)).fetchone()
        said = self.db.execute("select name, text from comments where horse = ? order by id", (one,)).fetchall()
        body = f"<h1>{escape(str(horse['name']))}</h1><dl><dt>Rasa<dd>{escape(str(horse['breed']))}<dt>Właściciel"
        body += f"<dd>{escape(str(horse['owner']))}</dl><p>{escape(str(horse['story']))}<p>Polubienia: {likes}"
        if horse["owner"] == self.user:
            body += f' <a href="/konie/{one}/edytuj">Edytuj</a> <a href="/konie/{one}/usun">Usuń</a>'
        if not liked:
            body += f'<form method=post action="/konie/{one}/polub"><button>Polub</button></form>'
        body += "<ul>" + "".join(f"<li>{escape(name)}: {escape(text)}" for name, text in said) + "</ul>"
        body += f'<form method=post action="/konie/{one}/komentarz"><label>Twoja opinia '
        body += "<textarea name=tresc required>"
        self._say(str(horse["name"]), body + "</textarea></label><button>Wyślij</button></form>")

    def _form(self, horse: dict[str, object], form: dict[str, str], one: str) -> None:
        names = {
            "imie": "name",
            "rasa": "breed",
            "rok": "year",
            "paszport": "passport",
            "masc": "coat",
            "opis": "story",
        }
        values = {key: form.get(name, str(horse.get(key, ""))) for name, key in names.items()}
        short = form and len(form["opis"]) < LEAST
        errors = f"<p role=alert>Opis musi mieć co najmniej {LEAST} znaków</p>" if short else ""
        if form and not errors:
            if not ({"edit"} if one else {"make"}) & self.lies:
                given = tuple(values.values())
                if one:
                    changed = "name = ?, breed = ?, year = ?, passport = ?, coat = ?, story = ?"
                    self.db.execute(f"update horses set {changed} where id = ?", (*given, one))
                else:
                    done = self.db.execute("insert into horses values (null, ?, ?, ?, ?, ?, ?, ?)", (self.user, *given))
                    one = str(done.lastrowid)
            return self._go(f"/konie{f'/{one}' if one else ''}?info={quote('Zapisano: ' + form['imie'])}")
        chosen = "".join(f"<option{' selected' if one == values['breed'] else ''}>{one}</option>" for one in BREEDS)
        told = {key: escape(value, quote=True) for key, value in values.items()}
        heading = f"Zmień: {told['name']}" if one else "Dodaj konia"
        self._say(heading, HORSE.format(heading=heading, errors=errors, breeds=chosen, **told))

    def _delete(self, horse: dict[str, object], *, posted: bool) -> None:
        if posted:
            if "delete" not in self.lies:
                self.db.execute("delete from horses where id = ?", (horse["id"],))
            return self._go(f"/konie?info={quote('Koń został usunięty')}")
        ask = f"<h1>Czy na pewno?</h1><p>{escape(str(horse['name']))} zniknie."
        return self._say("Usuwanie", f"{ask}<form method=post><button>Usuń</button></form>")

    def _say(self, title: str, body: str, status: int = 200) -> None:
        note = f"<p role=status>{escape(self.query['info'])}</p>" if "info" in self.query else ""
        account = (
            f'{escape(self.user)} <a href="/wyloguj">Wyloguj się</a>'
            if self.user
            else '<a href="/rejestracja">Zarejestruj się</a> <a href="/logowanie">Zaloguj się</a>'
        )
        page = f"<!doctype html><html lang=pl><title>{escape(title)}</title>"
        page += f'<nav><a href="/konie">Konie</a> {account}</nav>'
        self._answer(status, f"{page}{note}<main>{body}</main>".encode(), "Content-Type: text/html; charset=utf-8")

    def _go(self, path: str, cookie: str = "") -> None:
        self._answer(303, b"", f"Location: {path}", *([f"Set-Cookie: {cookie}"] if cookie else []))

    def _answer(self, status: int, body: bytes, *headers: str) -> None:
        self.db.commit()
        self.send_response(status)
        for header in headers:
            self.send_header(*header.split(": ", 1))
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


if __name__ == "__main__":
    said = argparse.ArgumentParser()
    said.add_argument("port", type=int)
    said.add_argument("file", type=Path)
    said.add_argument("--lies", nargs="*", default=())
    given = said.parse_args()
    Handler.file, Handler.lies = given.file, frozenset(given.lies)
    with sqlite3.connect(given.file) as database:
        database.execute("pragma journal_mode = wal")
        database.executescript(SCHEMA)
    server = ThreadingHTTPServer(("127.0.0.1", given.port), Handler)
    print(f"the stable is at http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
