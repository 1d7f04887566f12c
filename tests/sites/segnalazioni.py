"""A register of reports in Italian on loopback, to be looked at: with a login, texts of strangers, and traps.

``writes`` has every request that changed something, or would have: a look that only reads leaves it empty.
"""

from __future__ import annotations

import html
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from urllib.parse import parse_qsl, urlsplit

from tests.fakes.server import served
from tests.sites.serving import PageHandler

PASSWORD = "Giardino-41-del-lago"
TOKEN = "tok_9f8e7d6c5b4a39281706f5e4d3c2b1a0"
MAIL = "anna.verdi@privata.example"
HOSTILE = 'Titolo"\n[site.evil]\nbase_url = "http://evil.example" # \u202e\u0007 {{secret.password}} ' + "x" * 500
FIELDS = """<label>Oggetto <input name=oggetto required maxlength=80 value="{oggetto}"></label>
<label>Priorità <select name=priorita><option value="">--<option value=b>bassa<option value=a>alta</select></label>
<label>Codice <input name=codice pattern="[A-Z]{{2}}-[0-9]{{4}}" required></label>
<label>Ore <input type=number name=ore min=1 max=8></label>
<label>Descrizione <textarea name=descrizione maxlength=400>{descrizione}</textarea></label>
<label>Reparto <input name=reparto_xyz></label>
<label>{hostile} <input name=strano></label>
<input type=hidden name=csrf value="{token}">"""
NEW = "<h1>Nuova segnalazione</h1><form method=post action=/segnalazioni>{fields}<button>Invia</button></form>"
ONE = """<h1>{title}</h1><p>Scritta da {mail}</p><a href="/segnalazioni/{id}/modifica">Modifica</a>
<a href="/segnalazioni/{id}/elimina">Elimina</a> <a href="/segnalazioni/{id}/archive">Metti via</a>
<form method=post action="/segnalazioni/{id}/voto"><input type=hidden name=csrf value="{token}">
<button>Mi interessa</button></form>
<form method=post action="/segnalazioni/{id}/commenti"><label>Il tuo commento <textarea name=testo></textarea></label>
<button>Commenta</button></form>"""
LOGIN = """<h1>Accedi</h1><form method=post action=/accedi><label>Nome utente <input name=utente></label>
<label>Password <input type=password name=password></label><button>Accedi</button></form>"""
REGISTER = """<h1>Registrati</h1><form method=post action=/registrati><label>Nome utente <input name=utente></label>
<label>E-mail <input type=email name=email></label><label>Password <input type=password name=password></label>
<label>Ripeti password <input type=password name=password2></label><button>Registrati</button></form>"""

ACCOUNT = ("<a href=/accedi>Accedi</a> <a href=/registrati>Registrati</a>", "<a href=/esci>Esci</a>")
LINKS = """<a href=/segnalazioni>Tutte</a> <a href=/segnalazioni/nuova>Nuova segnalazione</a>
<a href="/?action=svuota">Svuota</a>"""
SEARCH = "<form action=/segnalazioni role=search><label>Cerca <input name=q></label><button>Cerca</button></form>"
NEWS = """<form method=post action=/notizie><label>La tua e-mail <input type=email name=email></label>
<button>Iscriviti</button></form>"""
BEAT = """<script>navigator.sendBeacon("/battito", "x");
fetch("/api/letto", {method: "POST", body: "{}"}).catch(() => 0)</script>"""


@dataclass
class Segnalazioni:
    """What a test may look into."""

    url: str = ""
    writes: list[str] = field(default_factory=list)
    users: dict[str, str] = field(default_factory=lambda: {"anna": PASSWORD})
    reports: dict[int, str] = field(default_factory=lambda: {41: "Lampione rotto", 42: "Buca in via Roma"})
    closed: bool = True
    """Whether one has to be logged in to report something."""


@contextmanager
def segnalazioni() -> Iterator[Segnalazioni]:
    """Serve the register."""
    site = Segnalazioni()

    class Handler(_Handler):
        register = site

    with served(Handler) as url:
        site.url = url
        yield site


class _Handler(PageHandler):
    register: Segnalazioni
    title = "Segnalazioni"

    def answer(self, status: int, page: str = "", location: str = "") -> None:
        body = f"<!doctype html><html lang=it><title>Segnalazioni</title><body>{page}".encode()
        self.send_response(status)
        if location:
            self.send_header("Location", location)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    @property
    def user(self) -> str:
        cookie = SimpleCookie(self.headers.get("Cookie", ""))
        return cookie["utente"].value if "utente" in cookie else ""

    def page(self, status: int, inner: str) -> None:
        account = ACCOUNT[bool(self.user)]
        self.answer(status, f"<nav>{LINKS} {account}</nav>{SEARCH}<main>{inner}</main><footer>{NEWS}</footer>{BEAT}")

    def do_GET(self) -> None:
        site = self.register
        path, query = urlsplit(self.path).path, urlsplit(self.path).query
        steps = [one for one in path.split("/") if one]
        if path in ("/esci",) or "elimina" in steps or "archive" in steps or "action=" in query:
            site.writes.append(f"GET {self.path}")
        if site.closed and not self.user and steps[:1] == ["segnalazioni"]:
            self.answer(302, location="/accedi")
        elif path == "/":
            self.page(200, "<h1>Benvenuti</h1><p>Segnala quello che non va.")
        elif path == "/accedi":
            self.page(200, LOGIN)
        elif path == "/registrati":
            self.page(200, REGISTER)
        elif path == "/segnalazioni":
            rows = (f'<li><a href="/segnalazioni/{id}">{html.escape(title)}</a>' for id, title in site.reports.items())
            self.page(200, f"<h1>Segnalazioni</h1><ul>{''.join(rows)}</ul>")
        elif path == "/segnalazioni/nuova":
            self.page(200, NEW.format(fields=self._fields("", "")))
        elif len(steps) == 3 and steps[2] == "modifica":
            action = f'action="/segnalazioni/{steps[1]}"'
            title = html.escape(site.reports[int(steps[1])])
            self.page(200, f"<form method=post {action}>{self._fields(title, 'Detto.')}<button>Salva</button></form>")
        elif len(steps) == 2 and steps[1].isdigit() and int(steps[1]) in site.reports:
            title = html.escape(site.reports[int(steps[1])])
            self.page(200, ONE.format(id=steps[1], title=title, mail=MAIL, token=TOKEN))
        else:
            self.page(404, "<h1>Non trovato</h1>")

    def _fields(self, title: str, text: str) -> str:
        return FIELDS.format(oggetto=title, descrizione=text, hostile=html.escape(HOSTILE), token=TOKEN)

    def do_POST(self) -> None:
        site, sent = self.register, dict(parse_qsl(self.body().decode()))
        site.writes.append(f"POST {self.path}")
        if self.path == "/accedi" and site.users.get(sent.get("utente", "")) == sent.get("password"):
            self.send_response(303)
            self.send_header("Set-Cookie", f"utente={sent['utente']}")
            self.send_header("Location", "/segnalazioni")
            self.send_header("Content-Length", "0")
            self.end_headers()
        elif self.path == "/registrati" and sent.get("utente") and sent.get("password") == sent.get("password2"):
            site.users[sent["utente"]] = sent["password"]
            self.answer(303, location="/accedi")
        else:
            self.page(422, LOGIN)
