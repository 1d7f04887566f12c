"""An apiary in German, on loopback: ``python apiary.py PORT FILE``. One page, drawn by a script that fetches JSON.

Its server says what is wrong field by field, one mistake at a time, and keeps colonies in an SQLite file.
"""

from __future__ import annotations

from datetime import date
from typing import Any

from drawn import SCRIPT, DrawnSite, serve

SCHEMA = """
create table if not exists colonies (id integer primary key, owner text, label text unique, site text, frames integer,
  checked text, remark text);
create table if not exists marks (colony integer, name text, primary key (colony, name));
create table if not exists notes (id integer primary key, colony integer, name text, text text);
"""
APP = (
    """<!doctype html><html lang=de><title>Imkerei</title><nav><a href="#/">Übersicht</a>
<a href="#/neu">Neues Volk</a> <span id=who></span></nav><main id=main></main><script>"""
    + SCRIPT
    + """
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
    : LOGIN;
  document.getElementById("out")?.addEventListener("click", async () => { await ask("POST", "logout", {}); draw(); });
  const [, page, id, what] = location.hash.split("/");
  if (drawsAccount(page)) return;
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
)
SITES = ("Streuobstwiese", "Waldrand", "Dachgarten")


class Apiary(DrawnSite):
    """Serves the page and its data."""

    page = APP

    def api(self, parts: list[str], form: dict[str, str]) -> None:
        match self.command, parts:
            case "GET", ["colonies"]:
                rows = self.db.execute("select id, label, owner from colonies order by id").fetchall()
                return self.json(200, [dict(zip(("id", "label", "owner"), row, strict=True)) for row in rows])
            case "POST", ["colonies"]:
                return self._save(form, None)
            case _, ["colonies", number, *more]:
                return self._one(int(number), more, form)
        return self.json(404, {"errors": {}})

    def _one(self, number: int, more: list[str], form: dict[str, str]) -> None:
        row = self.db.execute("select * from colonies where id = ?", (number,)).fetchone()
        if row is None:
            return self.json(404, {"errors": {}})
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
        return self.json(200, one)

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
            return self.json(422, {"errors": wrong})
        given = (form["label"], form["site"], int(form["frames"]), form["checked"], form["remark"])
        if number is None:
            done = self.db.execute("insert into colonies values (null, ?, ?, ?, ?, ?, ?)", (self.user, *given))
            number = done.lastrowid
        else:
            changed = "label = ?, site = ?, frames = ?, checked = ?, remark = ?"
            self.db.execute(f"update colonies set {changed} where id = ?", (*given, number))
        return self.json(200, {"id": number})


if __name__ == "__main__":
    serve(Apiary, SCHEMA, "apiary")
