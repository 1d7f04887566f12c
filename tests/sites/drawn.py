"""What sites of one page share that a script draws: accounts, JSON in and out, and an SQLite file.

For scripts beside this one, which are run by themselves: ``python apiary.py PORT FILE``. The accounts are in German.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
import sys
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ACCOUNTS = """
create table if not exists people (name text primary key, password text);
create table if not exists sessions (token text primary key, name text);
"""
SCRIPT = """
const main = document.getElementById("main"), who = document.getElementById("who");
const el = (html) => { const box = document.createElement("div"); box.innerHTML = html; return box; };
const safe = (text) => el("").appendChild(document.createTextNode(text)).parentNode.innerHTML;
const ask = async (method, path, body) => {
  const answer = await fetch("/api/" + path, {method, headers: {"Content-Type": "application/json"},
    body: body && JSON.stringify(body)});
  return {ok: answer.ok, data: await answer.json()}; };
let me = "";
const tell = (form, errors) => { form.querySelectorAll("[role=alert]").forEach((one) => one.remove());
  for (const [name, text] of Object.entries(errors)) { const field = form.elements[name];
    field.setAttribute("aria-invalid", "true");
    field.after(Object.assign(document.createElement("span"), {role: "alert", textContent: text})); } };
const sending = (form, method, path, then) => form.addEventListener("submit", async (event) => {
  event.preventDefault(); tell(form, {});
  const {ok, data} = await ask(method, path, Object.fromEntries(new FormData(form)));
  ok ? then(data) : tell(form, data.errors); });
const account = (title, path) => { main.replaceChildren(el(`<h1>${title}</h1><form><label>Benutzername
  <input name=name required></label> <label>Passwort <input name=password type=password required></label>
  <button>${title}</button></form>`));
  sending(main.querySelector("form"), "POST", path, () => { location.hash = "#/"; }); };
const LOGIN = `<a href="#/registrieren">Registrieren</a> <a href="#/anmelden">Anmelden</a>`;
const drawsAccount = (page) => page === "registrieren" ? (account("Registrieren", "register"), true)
  : page === "anmelden" ? (account("Anmelden", "login"), true) : false;
"""
"""Stands before the script of a site, whose page has a ``main``, and an element ``who`` for the user."""


class DrawnSite(BaseHTTPRequestHandler):
    """Serves the page, the accounts, and by :meth:`api` what a site has besides."""

    file: Path
    page: str
    db: sqlite3.Connection
    user: str
    """Empty: nobody is logged in."""

    def api(self, parts: list[str], form: dict[str, str]) -> None:
        """Answer a request for data; only reading comes here where nobody is logged in.

        Args:
            parts: of the address, behind ``/api/``.
            form: what was sent.
        """
        raise NotImplementedError

    def do_GET(self) -> None:
        if not self.path.startswith("/api/"):
            return self._answer(200 if self.path == "/" else 404, self.page.encode(), "text/html; charset=utf-8")
        sent = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        form = json.loads(sent) if sent else {}
        self.db = sqlite3.connect(self.file, timeout=30)
        try:
            token = SimpleCookie(self.headers.get("Cookie", "")).get("sitzung")
            asked = (token.value if token else "",)
            found = self.db.execute("select name from sessions where token = ?", asked).fetchone()
            self.user = found[0] if found else ""
            return self._account(self.path.split("/")[2:], form)
        finally:
            self.db.close()

    do_POST = do_PUT = do_DELETE = do_GET

    def _account(self, parts: list[str], form: dict[str, str]) -> None:
        match self.command, parts:
            case "GET", ["me"]:
                return self.json(200, {"name": self.user})
            case "POST", ["register"]:
                if self.db.execute("select 1 from people where name = ?", (form["name"],)).fetchone():
                    return self.json(409, {"errors": {"name": "Dieser Benutzername ist schon vergeben"}})
                self.db.execute("insert into people values (?, ?)", (form["name"], form["password"]))
                return self._enter(form["name"])
            case "POST", ["login"]:
                pair = (form["name"], form["password"])
                if not self.db.execute("select 1 from people where name = ? and password = ?", pair).fetchone():
                    return self.json(401, {"errors": {"password": "Falsches Passwort"}})
                return self._enter(form["name"])
            case "POST", ["logout"]:
                return self.json(200, {}, "sitzung=; Path=/; Max-Age=0")
            case _ if not self.user and self.command != "GET":
                return self.json(401, {"errors": {}})
        return self.api(parts, form)

    def _enter(self, name: str) -> None:
        token = secrets.token_hex(16)
        self.db.execute("insert into sessions values (?, ?)", (token, name))
        self.json(200, {"name": name}, f"sitzung={token}; Path=/")

    def json(self, status: int, data: object, cookie: str = "") -> None:
        """Keep what was changed, and answer."""
        self.db.commit()
        self._answer(status, json.dumps(data).encode(), "application/json", cookie)

    def _answer(self, status: int, body: bytes, kind: str, cookie: str = "") -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if cookie:
            self.send_header("Set-Cookie", cookie)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


def serve(handler: type[DrawnSite], schema: str, name: str) -> None:
    """Serve a site on the port and with the file that the command line names, until it is killed.

    Args:
        handler: the site.
        schema: its tables beside those of the accounts.
        name: of the site, for the line that tells its address.
    """
    handler.file = Path(sys.argv[2])
    with sqlite3.connect(handler.file) as database:
        database.execute("pragma journal_mode = wal")
        database.executescript(ACCOUNTS + schema)
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), handler)
    print(f"the {name} is at http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
