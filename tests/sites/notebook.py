"""A notebook in German, on loopback: ``python notebook.py PORT FILE [lying] [strict]``.

One page, drawn as frameworks of widgets do it. A button opens the form in a dialog; what sends it stands in the footer
of the dialog, and is disabled until the form is filled. What changes or deletes a note stands in a menu that a button
without words opens, and that is drawn at the end of the page. Notes, and their pictures, are kept in an SQLite
file. One that lies keeps no mark; a ``strict`` one takes no note without a picture.
"""

from __future__ import annotations

import base64
import sys

from drawn import SCRIPT, DrawnSite, serve

SCHEMA = """
create table if not exists notes (id integer primary key, owner text, title text, shelf text, pages integer, text text,
  picture blob);
create table if not exists marks (note integer, name text, primary key (note, name));
create table if not exists presses (what text);
"""
APP = (
    """<!doctype html><html lang=de><title>Notizbuch</title><style>
.dialog { position: fixed; inset: 10% 20%; background: white; border: 1px solid; padding: 1em; overflow: auto }
.menu { position: absolute; background: white; border: 1px solid; z-index: 9 }</style>
<nav><a href="#/">Übersicht</a> <form id=find role=search><input type=search aria-label=Suche></form>
<span id=who></span></nav><main id=main></main><div id=overlays></div><script>"""
    + SCRIPT
    + """
const overlays = document.getElementById("overlays");
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
    : LOGIN;
  document.getElementById("out")?.addEventListener("click", async () => { await ask("POST", "logout", {}); draw(); });
  document.getElementById("bye")?.addEventListener("click", () => ask("POST", "presses", {what: "account"}));
  const [, page, id] = location.hash.split("/");
  if (drawsAccount(page)) return;
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
)
SHELVES = ("Arbeit", "Garten", "Reise")
FIELDS = ("id", "owner", "title", "shelf", "pages", "text")


class Notebook(DrawnSite):
    """Serves the page and its data."""

    lying = False
    page = APP

    def api(self, parts: list[str], form: dict[str, str]) -> None:
        match self.command, parts:
            case "GET", ["notes"]:
                return self.json(200, self._notes())
            case "POST", ["presses"]:
                self.db.execute("insert into presses values (?)", (form["what"],))
            case "POST", ["notes"]:
                return self._save(form, None)
            case _, ["notes", number, *more]:
                return self._one(int(number), more, form)
        return self.json(200, {})

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
            return self.json(404, {"errors": {}})
        match self.command, more:
            case "PUT", []:
                return self._save(form, number)
            case "DELETE", []:
                self.db.execute("delete from notes where id = ?", (number,))
            case "POST", ["mark"] if not self.lying:
                self.db.execute("insert or ignore into marks values (?, ?)", (number, self.user))
        return self.json(200, {})

    def _save(self, form: dict[str, str], number: int | None) -> None:
        wrong = {}
        if form["shelf"] not in SHELVES:
            wrong = {"shelf": "Bitte ein Regal wählen"}
        elif not form["pages"].isdigit():
            wrong = {"pages": "Muss eine Zahl sein"}
        elif not 10 <= int(form["pages"]) <= 12:
            wrong = {"pages": "Muss zwischen 10 und 12 liegen"}
        if wrong:
            return self.json(422, {"errors": wrong})
        given = (form["title"], form["shelf"], int(form["pages"]), form["text"])
        if number is None:
            picture = base64.b64decode(form.get("picture", ""))
            self.db.execute("insert into notes values (null, ?, ?, ?, ?, ?, ?)", (self.user, *given, picture))
        else:
            changed = "title = ?, shelf = ?, pages = ?, text = ?"
            self.db.execute(f"update notes set {changed} where id = ?", (*given, number))
        return self.json(200, {})


if __name__ == "__main__":
    Notebook.lying = "lying" in sys.argv[3:]
    if "strict" in sys.argv[3:]:
        Notebook.page = APP.replace("type=file", "type=file required")
    serve(Notebook, SCHEMA, "notebook")
