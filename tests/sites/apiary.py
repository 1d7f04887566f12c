"""An apiary in German, on loopback: ``python apiary.py PORT FILE``. One page, drawn by a script that fetches JSON.

Its server says what is wrong field by field, one mistake at a time, and keeps colonies in an SQLite file.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
import sys
from datetime import date
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

SCHEMA = """
create table if not exists people (name text primary key, password text);
create table if not exists sessions (token text primary key, name text);
create table if not exists colonies (id integer primary key, owner text, label text unique, site text, frames integer,
  checked text, remark text);
create table if not exists marks (colony integer, name text, primary key (colony, name));
create table if not exists notes (id integer primary key, colony integer, name text, text text);
"""
APP = """<!doctype html><html lang=de><title>Imkerei</title><nav><a href="#/">Übersicht</a>
<a href="#/neu">Neues Volk</a> <span id=who></span></nav><main id=main></main><script>
const main = document.getElementById("main"), who = document.getElementById("who");
const el = (html) => { const box = document.createElement("div"); box.innerHTML = html; return box; };
const safe = (text) => el("").appendChild(document.createTextNode(text)).parentNode.innerHTML;
const ask = async (method, path, body) => {
  const answer = await fetch("/api/" + path, {method, headers: {"Content-Type": "application/json"},
    body: body && JSON.stringify(body)});
  return {ok: answer.ok, data: await answer.json()}; };
let me = "";
const sending = (form, method, path, then) => form.addEventListener("submit", async (event) => {
  event.preventDefault(); form.querySelectorAll("[role=alert]").forEach((one) => one.remove());
  const {ok, data} = await ask(method, path, Object.fromEntries(new FormData(form)));
  if (ok) return then(data);
  for (const [name, text] of Object.entries(data.errors)) {
    const field = form.elements[name]; field.setAttribute("aria-invalid", "true");
    field.after(Object.assign(document.createElement("span"), {role: "alert", textContent: text})); } });
const account = (title, path) => { main.replaceChildren(el(`<h1>${title}</h1><form><label>Benutzername
  <input name=name required></label> <label>Passwort <input name=password type=password required></label>
  <button>${title}</button></form>`));
  sending(main.querySelector("form"), "POST", path, () => { location.hash = "#/"; }); };
const colonyForm = (one) => { main.replaceChildren(el(`<h1>${one.id ? "Volk bearbeiten" : "Neues Volk"}</h1>
  <form aria-label=Volk>
  <p><label>Bezeichnung <input name=label required maxlength=60></label>
  <p><label>Standort <select name=site required><option></option><option>Streuobstwiese<option>Waldrand
    <option>Dachgarten
    </select></label>
  <p><label>Anzahl Waben <input name=frames required></label>
  <p><label>Nächste Durchsicht <input type=date name=checked required></label>
  <p><label>Bemerkungen <textarea name=remark></textarea></label>
  <p><button>Speichern</button></form>`));
  const form = main.querySelector("form");
  for (const field of form.elements) if (field.name && one[field.name] !== undefined) field.value = one[field.name];
  sending(form, one.id ? "PUT" : "POST", one.id ? "colonies/" + one.id : "colonies",
    (data) => { location.hash = "#/volk/" + data.id; }); };
const draw = async () => {
  me = (await ask("GET", "me")).data.name;
  who.innerHTML = me ? `${safe(me)} <button id=out>Abmelden</button>`
    : `<a href="#/registrieren">Registrieren</a> <a href="#/anmelden">Anmelden</a>`;
  document.getElementById("out")?.addEventListener("click", async () => { await ask("POST", "logout", {}); draw(); });
  const [, page, id, what] = location.hash.split("/");
  if (page === "registrieren") return account("Registrieren", "register");
  if (page === "anmelden") return account("Anmelden", "login");
  if (page === "neu") return colonyForm({});
  if (page === "volk") {
    const {ok, data: one} = await ask("GET", "colonies/" + id);
    if (!ok) return main.replaceChildren(el("<h1>Das Volk gibt es nicht</h1>"));
    if (what) return colonyForm(one);
    main.replaceChildren(el(`<h1>${safe(one.label)}</h1><p>${safe(one.site)}, ${one.frames} Waben, von
      ${safe(one.owner)}<p>${safe(one.remark)}<p><button id=mark aria-pressed=${one.marked}>Merken</button>
      <span>${one.marks} haben es gemerkt</span><ul>${one.notes.map((n) => `<li>${safe(n)}`).join("")}</ul>
      <form><label>Notiz <textarea name=text required></textarea></label><button>Absenden</button></form>` +
      (one.owner === me ? `<a href="#/volk/${id}/bearbeiten">Bearbeiten</a> <button id=gone>Löschen</button>` : "")));
    main.querySelector("#mark").onclick = async () => { await ask("POST", `colonies/${id}/mark`, {}); draw(); };
    sending(main.querySelector("form"), "POST", `colonies/${id}/notes`, draw);
    main.querySelector("#gone")?.addEventListener("click", async () => { if (confirm("Wirklich löschen?")) {
      await ask("DELETE", "colonies/" + id, {}); location.hash = "#/"; } });
    return; }
  const {data} = await ask("GET", "colonies");
  main.replaceChildren(el(`<h1>Alle Völker</h1><ul>${data.map((one) =>
    `<li><a href="#/volk/${one.id}">${safe(one.label)}</a> (${safe(one.owner)})`).join("")}</ul>`)); };
addEventListener("hashchange", draw); draw();
</script></html>"""
SITES = ("Streuobstwiese", "Waldrand", "Dachgarten")


class Handler(BaseHTTPRequestHandler):
    """Serves the page and its data."""

    file: Path

    def do_GET(self) -> None:
        self._do()

    do_POST = do_PUT = do_DELETE = do_GET

    def _do(self) -> None:
        if not self.path.startswith("/api/"):
            return self._answer(200 if self.path == "/" else 404, APP.encode(), "text/html; charset=utf-8")
        sent = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        form = json.loads(sent) if sent else {}
        self.db = sqlite3.connect(self.file, timeout=30)
        try:
            token = SimpleCookie(self.headers.get("Cookie", "")).get("sitzung")
            asked = (token.value if token else "",)
            found = self.db.execute("select name from sessions where token = ?", asked).fetchone()
            self.user = found[0] if found else ""
            return self._api(self.path.split("/")[2:], form)
        finally:
            self.db.close()

    def _api(self, parts: list[str], form: dict[str, str]) -> None:
        match self.command, parts:
            case "GET", ["me"]:
                return self._json(200, {"name": self.user})
            case "POST", ["register"]:
                if self.db.execute("select 1 from people where name = ?", (form["name"],)).fetchone():
                    return self._json(409, {"errors": {"name": "Dieser Benutzername ist schon vergeben"}})
                self.db.execute("insert into people values (?, ?)", (form["name"], form["password"]))
                return self._enter(form["name"])
            case "POST", ["login"]:
                pair = (form["name"], form["password"])
                if not self.db.execute("select 1 from people where name = ? and password = ?", pair).fetchone():
                    return self._json(401, {"errors": {"password": "Falsches Passwort"}})
                return self._enter(form["name"])
            case "POST", ["logout"]:
                return self._json(200, {}, "sitzung=; Path=/; Max-Age=0")
            case "GET", ["colonies"]:
                rows = self.db.execute("select id, label, owner from colonies order by id").fetchall()
                return self._json(200, [dict(zip(("id", "label", "owner"), row, strict=True)) for row in rows])
            case _ if not self.user:
                return self._json(401, {"errors": {}})
            case "POST", ["colonies"]:
                return self._save(form, None)
            case _, ["colonies", number, *more]:
                return self._one(int(number), more, form)
        return self._json(404, {"errors": {}})

    def _one(self, number: int, more: list[str], form: dict[str, str]) -> None:
        row = self.db.execute("select * from colonies where id = ?", (number,)).fetchone()
        if row is None:
            return self._json(404, {"errors": {}})
        one: dict[str, Any] = dict(
            zip(("id", "owner", "label", "site", "frames", "checked", "remark"), row, strict=True)
        )
        match self.command, more:
            case "PUT", [] if one["owner"] == self.user:
                return self._save(form, number)
            case "DELETE", [] if one["owner"] == self.user:
                self.db.execute("delete from colonies where id = ?", (number,))
            case "POST", ["mark"]:
                self.db.execute("insert or ignore into marks values (?, ?)", (number, self.user))
            case "POST", ["notes"]:
                self.db.execute("insert into notes values (null, ?, ?, ?)", (number, self.user, form["text"]))
        names = [name for (name,) in self.db.execute("select name from marks where colony = ?", (number,))]
        notes = self.db.execute("select name || ': ' || text from notes where colony = ? order by id", (number,))
        one |= {"marks": len(names), "marked": self.user in names, "notes": [text for (text,) in notes]}
        return self._json(200, one)

    def _save(self, form: dict[str, str], number: int | None) -> None:
        wrong = {}
        taken = self.db.execute("select id from colonies where label = ?", (form["label"],)).fetchone()
        if taken and taken[0] != number:
            wrong = {"label": "Diese Bezeichnung ist bereits vergeben"}
        elif form["site"] not in SITES:
            wrong = {"site": "Bitte einen Standort wählen"}
        elif not form["frames"].isdigit():
            wrong = {"frames": "Muss eine Zahl sein"}
        elif not 10 <= int(form["frames"]) <= 12:
            wrong = {"frames": "Muss zwischen 10 und 12 liegen"}
        elif form["checked"] <= date.today().isoformat():
            wrong = {"checked": "Das Datum muss in der Zukunft liegen"}
        if wrong:
            return self._json(422, {"errors": wrong})
        given = (form["label"], form["site"], int(form["frames"]), form["checked"], form["remark"])
        if number is None:
            done = self.db.execute("insert into colonies values (null, ?, ?, ?, ?, ?, ?)", (self.user, *given))
            number = done.lastrowid
        else:
            changed = "label = ?, site = ?, frames = ?, checked = ?, remark = ?"
            self.db.execute(f"update colonies set {changed} where id = ?", (*given, number))
        return self._json(200, {"id": number})

    def _enter(self, name: str) -> None:
        token = secrets.token_hex(16)
        self.db.execute("insert into sessions values (?, ?)", (token, name))
        self._json(200, {"name": name}, f"sitzung={token}; Path=/")

    def _json(self, status: int, data: object, cookie: str = "") -> None:
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
        pass


if __name__ == "__main__":
    Handler.file = Path(sys.argv[2])
    with sqlite3.connect(Handler.file) as database:
        database.execute("pragma journal_mode = wal")
        database.executescript(SCHEMA)
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
    print(f"the apiary is at http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
