"""A notebook in German, on loopback: ``python notebook.py PORT FILE [lying] [strict]``.

One page, drawn as frameworks of widgets do it. A button opens the form in a dialog; what sends it stands in the footer
of the dialog, and is disabled until the form is filled. What changes or deletes a note stands in a menu that a button
without words opens, and that is drawn at the end of the page. Notes, and their pictures, are kept in an SQLite
file. One that lies keeps no mark; a ``strict`` one takes no note without a picture.
"""

from __future__ import annotations

import base64
import json
import secrets
import sqlite3
import sys
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

SCHEMA = """
create table if not exists people (name text primary key, password text);
create table if not exists sessions (token text primary key, name text);
create table if not exists notes (id integer primary key, owner text, title text, shelf text, pages integer, text text,
  picture blob);
create table if not exists marks (note integer, name text, primary key (note, name));
create table if not exists presses (what text);
"""
APP = """<!doctype html><html lang=de><title>Notizbuch</title><style>
.dialog { position: fixed; inset: 10% 20%; background: white; border: 1px solid; padding: 1em; overflow: auto }
.menu { position: absolute; background: white; border: 1px solid; z-index: 9 }</style>
<nav><a href="#/">Übersicht</a> <form id=find role=search><input type=search aria-label=Suche></form>
<span id=who></span></nav><main id=main></main><div id=overlays></div><script>
const main = document.getElementById("main"), who = document.getElementById("who");
const overlays = document.getElementById("overlays");
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
const account = (title, path) => { main.replaceChildren(el(`<h1>${title}</h1><form><label>Benutzername
  <input name=name required></label> <label>Passwort <input name=password type=password required></label>
  <button>${title}</button></form>`));
  main.querySelector("form").onsubmit = async (event) => { event.preventDefault(); const form = event.target;
    const {ok, data} = await ask("POST", path, Object.fromEntries(new FormData(form)));
    ok ? location.hash = "#/" : tell(form, data.errors); }; };
const bytes = (file) => new Promise((done) => { if (!file || !file.size) return done("");
  const reader = new FileReader(); reader.onload = () => done(reader.result.split(",")[1]);
  reader.readAsDataURL(file); });
const dialog = (one) => { const box = el(`<div class=dialog role=dialog aria-modal=true aria-label=Notiz><h2>Notiz</h2>
  <form>
  <p><label>Titel <input name=title maxlength=60></label>
  <p><label>Regal <select name=shelf><option></option><option>Arbeit<option>Garten<option>Reise</select></label>
  <p><label>Seiten <input name=pages></label>
  <p><label>Text <textarea name=text></textarea></label> <button type=button class=tag>Bild hinzufügen</button>
  <p class=file><label>Bild <input type=file name=picture></label></form>
  <footer><button type=button class=no>Abbrechen</button>
    <button type=button class=yes disabled>Anlegen</button></footer>
  </div>`);
  const form = box.querySelector("form"), yes = box.querySelector(".yes");
  if (one.id) { yes.textContent = "Übernehmen"; yes.setAttribute("aria-label", "Änderung speichern");
    box.querySelector(".file").remove(); }
  for (const field of form.elements) if (field.name && one[field.name] !== undefined && field.type !== "file")
    field.value = one[field.name];
  const ready = () => { yes.disabled = !(form.elements.title.value && form.elements.shelf.value); };
  form.oninput = ready; ready(); form.onsubmit = (event) => event.preventDefault();
  box.querySelector(".tag").onclick = () => ask("POST", "presses", {what: "picture"});
  box.querySelector(".no").onclick = () => { ask("POST", "presses", {what: "cancel"}); overlays.replaceChildren(); };
  yes.onclick = async () => { const sent = Object.fromEntries(new FormData(form));
    sent.picture = await bytes(sent.picture);
    const {ok, data} = await ask(one.id ? "PUT" : "POST", one.id ? "notes/" + one.id : "notes", sent);
    if (!ok) return tell(form, data.errors);
    overlays.replaceChildren(); draw(); };
  overlays.replaceChildren(box); };
const menu = (opener, one) => { const box = el(`<div class=menu role=menu>
  ${one.owner === me ? "<button role=menuitem class=edit>Bearbeiten</button>" : ""}
  <button role=menuitem class=mark aria-pressed=${one.marked}>Merken</button>
  ${one.owner === me ? "<button role=menuitem class=gone>Löschen</button>" : ""}</div>`);
  const at = opener.getBoundingClientRect();
  box.firstElementChild.style.cssText = `left: ${at.left}px; top: ${at.bottom + scrollY}px`;
  opener.setAttribute("aria-expanded", "true"); overlays.replaceChildren(box);
  const on = (name, act) => box.querySelector(name)?.addEventListener("click", act);
  on(".edit", () => dialog(one));
  on(".mark", async () => { await ask("POST", `notes/${one.id}/mark`, {}); overlays.replaceChildren(); draw(); });
  on(".gone", async () => { if (!confirm("Wirklich löschen?")) return; await ask("DELETE", "notes/" + one.id, {});
    overlays.replaceChildren(); location.hash = "#/"; draw(); }); };
const opener = (one) => { const button = el(`<button aria-haspopup=menu aria-expanded=false><svg width=16 height=16>
  <circle cx=8 cy=8 r=2></circle></svg></button>`).firstElementChild;
  button.onclick = () => menu(button, one); return button; };
const draw = async () => {
  me = (await ask("GET", "me")).data.name;
  who.innerHTML = me ? `${safe(me)} <details><summary aria-label=Konto>…</summary><button id=bye>Konto löschen</button>
    </details> <button id=out>Abmelden</button>`
    : `<a href="#/registrieren">Registrieren</a> <a href="#/anmelden">Anmelden</a>`;
  document.getElementById("out")?.addEventListener("click", async () => { await ask("POST", "logout", {}); draw(); });
  document.getElementById("bye")?.addEventListener("click", () => ask("POST", "presses", {what: "account"}));
  const [, page, id] = location.hash.split("/");
  if (page === "registrieren") return account("Registrieren", "register");
  if (page === "anmelden") return account("Anmelden", "login");
  const {data} = await ask("GET", "notes");
  if (page === "notiz") {
    const one = data.find((note) => note.id == id);
    if (!one) return main.replaceChildren(el("<h1>Die Notiz gibt es nicht</h1>"));
    main.replaceChildren(el(`<h1>${safe(one.title)}</h1><p>${safe(one.shelf)}, ${one.pages} Seiten, von
      ${safe(one.owner)}<p>${safe(one.text)}<p>${one.marks} haben sie gemerkt`));
    main.querySelector("h1").after(opener(one));
    return; }
  if (page === "notizen") {
    const list = document.createElement("ul");
    for (const one of data) { const row = document.createElement("li");
      row.innerHTML = `<b>${safe(one.title)}</b> ${safe(one.shelf)} (${safe(one.owner)})
        ${one.marked ? "gemerkt" : ""} `;
      row.append(opener(one)); list.append(row); }
    main.replaceChildren(el(`<h1>Alle Notizen</h1><button class=new>Neue Notiz</button>
      <button class=all>Alles löschen</button>`), list);
    main.querySelector(".new").onclick = () => dialog({});
    main.querySelector(".all").onclick = () => ask("POST", "presses", {what: "all"});
    return; }
  main.replaceChildren(el(`<h1>Übersicht</h1><p><a href="#/notizen">Notizen</a> <button class=new>Neue Notiz</button>
    <ul>${data.map((one) => `<li><a href="#/notiz/${one.id}">${safe(one.title)}</a> (${safe(one.owner)})`).join("")}
    </ul>`));
  main.querySelector(".new").onclick = () => dialog({}); };
addEventListener("hashchange", () => { overlays.replaceChildren(); draw(); }); draw();
</script></html>"""
SHELVES = ("Arbeit", "Garten", "Reise")
FIELDS = ("id", "owner", "title", "shelf", "pages", "text")


class Handler(BaseHTTPRequestHandler):
    """Serves the page and its data."""

    file: Path
    lying = False
    page = APP

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
            return self._api(self.path.split("/")[2:], form)
        finally:
            self.db.close()

    do_POST = do_PUT = do_DELETE = do_GET

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
            case "GET", ["notes"]:
                return self._json(200, self._notes())
            case _ if not self.user:
                return self._json(401, {"errors": {}})
            case "POST", ["presses"]:
                self.db.execute("insert into presses values (?)", (form["what"],))
            case "POST", ["notes"]:
                return self._save(form, None)
            case _, ["notes", number, *more]:
                return self._one(int(number), more, form)
        return self._json(200, {})

    def _notes(self) -> list[dict[str, object]]:
        rows = self.db.execute(f"select {', '.join(FIELDS)} from notes order by id").fetchall()
        notes = [dict(zip(FIELDS, row, strict=True)) for row in rows]
        for one in notes:
            names = [name for (name,) in self.db.execute("select name from marks where note = ?", (one["id"],))]
            one |= {"marks": len(names), "marked": self.user in names}
        return notes

    def _one(self, number: int, more: list[str], form: dict[str, str]) -> None:
        owner = self.db.execute("select owner from notes where id = ?", (number,)).fetchone()
        if owner is None or (not more and owner[0] != self.user):
            return self._json(404, {"errors": {}})
        match self.command, more:
            case "PUT", []:
                return self._save(form, number)
            case "DELETE", []:
                self.db.execute("delete from notes where id = ?", (number,))
            case "POST", ["mark"] if not self.lying:
                self.db.execute("insert or ignore into marks values (?, ?)", (number, self.user))
        return self._json(200, {})

    def _save(self, form: dict[str, str], number: int | None) -> None:
        wrong = {}
        if form["shelf"] not in SHELVES:
            wrong = {"shelf": "Bitte ein Regal wählen"}
        elif not form["pages"].isdigit():
            wrong = {"pages": "Muss eine Zahl sein"}
        elif not 10 <= int(form["pages"]) <= 12:
            wrong = {"pages": "Muss zwischen 10 und 12 liegen"}
        if wrong:
            return self._json(422, {"errors": wrong})
        given = (form["title"], form["shelf"], int(form["pages"]), form["text"])
        if number is None:
            picture = base64.b64decode(form.get("picture", ""))
            self.db.execute("insert into notes values (null, ?, ?, ?, ?, ?, ?)", (self.user, *given, picture))
        else:
            changed = "title = ?, shelf = ?, pages = ?, text = ?"
            self.db.execute(f"update notes set {changed} where id = ?", (*given, number))
        return self._json(200, {})

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
    Handler.file, Handler.lying = Path(sys.argv[2]), "lying" in sys.argv[3:]
    if "strict" in sys.argv[3:]:
        Handler.page = APP.replace("type=file", "type=file required")
    with sqlite3.connect(Handler.file) as database:
        database.execute("pragma journal_mode = wal")
        database.executescript(SCHEMA)
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
    print(f"the notebook is at http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
