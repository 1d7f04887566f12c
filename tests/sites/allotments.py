"""Allotments on loopback, in an SQLite file: ``python allotments.py PORT FILE [details|drawn] [row|page] […]``.

What deletes a plot stands in a menu: a ``details`` of HTML, one that a script draws when its button is pressed, or one
that is ``hidden`` behind words which only the pointer tells from others, or behind a link whose own address (``led``)
a script does not follow, unless it is ``unbound``; beside the plot in the list (``row``), or on
its page. On its page the menu stands in a ``nav`` where the way says so, or the links stand in a ``toolbar`` without a
menu, and the page is one ``article``. It leads to a page that asks. There a button that says no comes first, and
``plain`` ones say yes and no alone. Where it ``asks`` not, what follows is the page of another plot. With ``account``
the site's own navigation stands in the main part, too, with a menu whose item closes the account at once. A ``lying``
site says that a plot has gone, and keeps it. A ``slow`` one takes a second a page, one after another.
"""

from __future__ import annotations

import secrets
import sqlite3
import sys
import threading
import time
from html import escape
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, quote, urlsplit

SCHEMA = """
create table if not exists people (name text primary key, password text);
create table if not exists sessions (token text primary key, name text);
create table if not exists plots (id integer primary key, owner text, title text, soil text);
create table if not exists refusals (id integer primary key, plot integer);
"""
ACCOUNT = """<h1>{0}</h1><form method=post><label>Username <input name=name required></label>
<label>Password <input name=password type=password required></label><button>{0}</button></form>"""
FORM = """<h1>{heading}</h1><form method=post aria-label=Plot>
<label>Title <input name=title required value="{title}"></label>
<label>Soil <textarea name=soil required>{soil}</textarea></label><button>Save</button></form>"""
ASKS = """<h1>Are you sure?</h1><p role=status>Nobody can bring it back.</p><p>“{title}” would go.</p>
<form method=post><button name=answer value=no>{no}</button> <button name=answer value=yes>{yes}</button></form>"""
DETAILS = """<details><summary>More</summary><ul><li><a href="/plots/{id}/edit">Edit</a><li>
<a href="/plots/{id}/remove">Delete</a></ul></details>"""
TOOLBAR = """<ul class=tools><li><a href="/plots/{id}/edit">Edit</a><li><a href="/plots/{id}/remove">Delete</a></ul>"""
HIDDEN = """<div><span class=opener style="cursor: pointer">Actions</span><ul hidden>
<li><a href="/plots/{id}/edit">Edit</a><li><a href="/plots/{id}/remove">Delete</a></ul></div>"""
LED = """<div><a href="/plots" class={bound} data-toggle=dropdown aria-expanded=false>Actions</a><ul hidden>
<li><a href="/plots/{id}/edit">Edit</a><li><a href="/plots/{id}/remove">Delete</a></ul></div>"""
ACCOUNT_MENU = """<details><summary>Account</summary><a href="/account/close">Delete account</a></details>"""
DRAWN = """<button type=button class=more aria-haspopup=true aria-expanded=false data-plot={id}>More</button>"""
SCRIPT = """<script>
for (const more of document.querySelectorAll(".more")) more.onclick = () => {
  const menu = document.createElement("div"); menu.setAttribute("role", "menu");
  for (const [words, to] of [["Edit", "edit"], ["Delete", "remove"]]) {
    const item = document.createElement("a"); item.setAttribute("role", "menuitem");
    item.href = `/plots/${more.dataset.plot}/${to}`; item.textContent = words; menu.append(item); }
  more.setAttribute("aria-expanded", "true"); document.body.append(menu); };
for (const opener of document.querySelectorAll(".opener")) opener.onclick = (event) => {
  event.preventDefault();
  const menu = opener.nextElementSibling; menu.hidden = !menu.hidden; };
</script>"""


ONE = threading.Lock()
SLOW_S = 1.0


class Handler(BaseHTTPRequestHandler):
    """Serves the allotments."""

    file = ""
    ways: frozenset[str] = frozenset()

    def do_GET(self) -> None:
        self._do({})

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        self._do(dict(parse_qsl(self.rfile.read(length).decode(), keep_blank_values=True)))

    def _do(self, form: dict[str, str]) -> None:
        if "slow" in self.ways:
            with ONE:
                time.sleep(SLOW_S)
        self.db = sqlite3.connect(self.file, timeout=30)
        try:
            parts = urlsplit(self.path)
            self.query = dict(parse_qsl(parts.query))
            token = SimpleCookie(self.headers.get("Cookie", "")).get("session")
            asked = (token.value if token else "",)
            found = self.db.execute("select name from sessions where token = ?", asked).fetchone()
            self.user = found[0] if found else ""
            match [part for part in parts.path.split("/") if part]:
                case []:
                    return self._say("Allotments", "<h1>Allotments</h1><p>Welcome.")
                case ["signup"] | ["login"] as way:
                    return self._enter(way[0], form)
                case ["logout"]:
                    return self._go("/", "session=; Path=/; Max-Age=0")
                case ["account", "close"] if self.user:
                    self.db.execute("delete from people where name = ?", (self.user,))
                    return self._go("/plots")
                case ["plots", *rest] if self.user or not rest:
                    return self._plots(rest, form)
            return self._go("/login") if not self.user else self._say("Gone", "<h1>There is no such page</h1>", 404)
        finally:
            self.db.close()

    def _enter(self, way: str, form: dict[str, str]) -> None:
        heading = "Sign up" if way == "signup" else "Log in"
        if not form:
            return self._say(heading, ACCOUNT.format(heading))
        pair = form["name"], form["password"]
        if way == "signup":
            self.db.execute("insert into people values (?, ?)", pair)
        elif not self.db.execute("select 1 from people where name = ? and password = ?", pair).fetchone():
            return self._say(heading, f"<p role=alert>Wrong name or password</p>{ACCOUNT.format(heading)}")
        token = secrets.token_hex(16)
        self.db.execute("insert into sessions values (?, ?)", (token, form["name"]))
        return self._go("/plots", f"session={token}; Path=/")

    def _plots(self, rest: list[str], form: dict[str, str]) -> None:
        if rest == ["new"]:
            return self._form(("", "", ""), form, 0)
        if not rest:
            rows = self.db.execute("select id, title, owner from plots order by id desc").fetchall()
            told = "".join(
                f'<li><a href="/plots/{one}">{escape(title)}</a> ({escape(owner)}) {self._menu(one, owner, "row")}'
                for one, title, owner in rows
            )
            return self._say("Plots", f'<h1>Plots</h1><p><a href="/plots/new">New plot</a><ul>{told}</ul>')
        found = self.db.execute("select owner, title, soil from plots where id = ?", (rest[0],)).fetchone()
        if found is None:
            return self._say("Gone", "<h1>There is no such plot</h1>", 404)
        one, mine = int(rest[0]), found[0] == self.user
        match rest[1:]:
            case ["edit"] if mine:
                return self._form(found, form, one)
            case ["remove"] if mine:
                return self._remove(one, found[1], form)
        menu = self._menu(one, found[0], "page")
        menu = f"<nav>{menu}</nav>" if "nav" in self.ways else menu
        said = f"<h1>{escape(found[1])}</h1><p>{escape(found[2])}<p>{escape(found[0])} {menu}"
        said = f"<article>{said}</article>" if "article" in self.ways else said
        return self._say(found[1], said)

    def _menu(self, one: int, owner: str, place: str) -> str:
        if owner != self.user or place not in self.ways:
            return ""
        menus = {"drawn": DRAWN, "toolbar": TOOLBAR, "hidden": HIDDEN, "led": LED}
        bound = "later" if "unbound" in self.ways else "opener"
        return next((told for way, told in menus.items() if way in self.ways), DETAILS).format(id=one, bound=bound)

    def _form(self, found: tuple[str, str, str], form: dict[str, str], one: int) -> None:
        if not form:
            told = FORM.format(
                heading="Change a plot" if one else "New plot", title=escape(found[1]), soil=escape(found[2])
            )
            return self._say("Plot", told)
        pair = form["title"], form["soil"]
        if one:
            self.db.execute("update plots set title = ?, soil = ? where id = ?", (*pair, one))
        else:
            one = self.db.execute("insert into plots values (null, ?, ?, ?)", (self.user, *pair)).lastrowid or 0
        return self._go(f"/plots/{one}")

    def _remove(self, one: int, title: str, form: dict[str, str]) -> None:
        if "asks" in self.ways and not form:
            plain = "plain" in self.ways
            no, yes = ("No", "Yes") if plain else ("No, do not delete it", "Yes, delete the plot")
            return self._say("Are you sure?", ASKS.format(title=escape(title), no=no, yes=yes))
        if form.get("answer") == "no":
            self.db.execute("insert into refusals values (null, ?)", (one,))
            return self._go(f"/plots/{one}")
        if "lying" not in self.ways:
            self.db.execute("delete from plots where id = ?", (one,))
        left = self.db.execute("select id from plots where owner = ? order by id limit 1", (self.user,)).fetchone()
        return self._go(f"/plots?said={quote('The plot is gone')}" if "asks" in self.ways else f"/plots/{left[0]}")

    def _say(self, title: str, body: str, status: int = 200) -> None:
        note = f"<p role=status>{escape(self.query['said'])}</p>" if "said" in self.query else ""
        account = '<a href="/signup">Sign up</a> <a href="/login">Log in</a>'
        if self.user:
            account = f'{escape(self.user)} <a href="/logout">Log out</a>'
        page = f"<!doctype html><html lang=en><title>{escape(title)}</title>"
        menu = ACCOUNT_MENU if "account" in self.ways and self.user else ""
        nav = f'<nav><a href="/plots">Plots</a> {account} {menu}</nav>'
        page += f"<main>{nav}{note}{body}</main>{SCRIPT}" if menu else f"{nav}{note}<main>{body}</main>{SCRIPT}"
        self._answer(status, page.encode(), "Content-Type: text/html; charset=utf-8")

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
    Handler.file, Handler.ways = sys.argv[2], frozenset(sys.argv[3:])
    with sqlite3.connect(Handler.file) as database:
        database.execute("pragma journal_mode = wal")
        database.executescript(SCHEMA)
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
    print(f"the allotments are at http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
