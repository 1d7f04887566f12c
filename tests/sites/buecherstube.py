"""A small book market in German, unlike the bundled bookshop in words, fields, their order and its rules.

It is served on a free port, whose address is printed as JSON. What is true of it is told at ``/wahrheit``.
"""

from __future__ import annotations

import html
import json
import re
import secrets
import socket
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

LOWEST, HIGHEST = 1.0, 9.0
LONGEST = 120
SHELVES = ("Belletristik", "Krimi", "Sachbuch", "Sonstiges")


@dataclass
class Person:
    name: str
    shown: str
    mail: str
    word: str
    place: str


@dataclass
class Book:
    number: int
    owner: Person
    title: str
    author: str
    shelf: str
    state: str
    price: str
    text: str
    picture: int
    remembered: list[str] = field(default_factory=list)


PEOPLE: dict[str, Person] = {}
BOOKS: dict[int, Book] = {}
LETTERS: list[dict[str, str]] = []
SESSIONS: dict[str, Person] = {}
TAKEN: set[str] = set()
"""Names that somebody else got just before."""


def me(request: Request) -> Person | None:
    return SESSIONS.get(request.cookies.get("sitzung", ""))


def page(request: Request, title: str, body: str, *, status: int = 200) -> HTMLResponse:
    if who := me(request):
        links = '<a href="/anbieten">Buch anbieten</a> <a href="/regal/meins">Meine Bücher</a> '
        links += f"<span>Hallo, {e(who.shown)}!</span> " + '<a href="/abmelden">Abmelden</a>'
    else:
        links = '<a href="/anmelden">Anmelden</a> <a href="/neu">Neu hier?</a>'
    note = request.query_params.get("gut", "")
    said = f'<p role="status">{e(note)}</p>' if note else ""
    return HTMLResponse(
        f'<!doctype html><html lang="de"><title>{e(title)} | Bücherstube</title><nav><a href="/">Bücherstube</a> '
        f'<a href="/regal">Stöbern</a> {links}</nav><main>{said}<h1>{e(title)}</h1>{body}</main></html>',
        status,
    )


def e(text: str) -> str:
    return html.escape(text)


def go(path: str, note: str = "") -> RedirectResponse:
    return RedirectResponse(f"{path}?gut={note}" if note else path, 303)


def box(label: str, name: str, fields: FormData | dict[str, str], wrong: dict[str, str], kind: str = "text") -> str:
    value = "" if kind == "password" else e(str(fields.get(name, "")))
    flag = f' aria-invalid="true" aria-describedby="f-{name}"' if name in wrong else ""
    said = f'<em id="f-{name}">{e(wrong[name])}</em>' if name in wrong else ""
    if kind == "textarea":
        return f'<p><label>{label}<textarea name="{name}"{flag}>{value}</textarea></label>{said}</p>'
    return f'<p><label>{label}<input type="{kind}" name="{name}" value="{value}"{flag}></label>{said}</p>'


async def home(request: Request) -> Response:
    return page(request, "Willkommen", "<p>Gebrauchte Bücher von Mensch zu Mensch.</p>")


async def join(request: Request) -> Response:
    fields: Any = await request.form() if request.method == "POST" else {}
    wrong: dict[str, str] = {}
    if fields:
        if fields["spitz"] in PEOPLE or fields["spitz"] in TAKEN:
            wrong["spitz"] = "Dieser Benutzername ist leider schon vergeben."
        if fields["w1"] != fields["w2"] or len(fields["w1"]) < 8:
            wrong["w1"] = "Die Kennwörter sind zu kurz oder verschieden."
        if not fields.get("agb"):
            wrong["agb"] = "Bitte zustimmen."
        if not wrong:
            person = Person(fields["spitz"], fields["wie"], fields["post"], fields["w1"], fields["wo"])
            PEOPLE[person.name] = person
            return enter(person, "Schön, dass du da bist")
    body = (
        '<form method="post" novalidate>'
        + box("Wohnort", "wo", fields, wrong)
        + box("E-Mail-Adresse", "post", fields, wrong, "email")
        + box("Kennwort", "w1", fields, wrong, "password")
        + box("Kennwort wiederholen", "w2", fields, wrong, "password")
        + box("Angezeigter Name", "wie", fields, wrong)
        + box("Benutzername", "spitz", fields, wrong)
        + '<p><label><input type="checkbox" name="agb" value="1" required> Ich akzeptiere die AGB</label></p>'
        + "<button>Konto anlegen</button></form>"
    )
    return page(request, "Konto anlegen", body, status=400 if wrong else 200)


def enter(person: Person, note: str) -> Response:
    answer = go("/", note)
    SESSIONS[token := secrets.token_hex(16)] = person
    answer.set_cookie("sitzung", token)
    return answer


async def login(request: Request) -> Response:
    fields: Any = await request.form() if request.method == "POST" else {}
    wrong: dict[str, str] = {}
    if fields:
        found = [one for one in PEOPLE.values() if (one.mail, one.word) == (fields["post"], fields["wort"])]
        if found:
            return enter(found[0], "Willkommen zurück")
        wrong["post"] = "E-Mail-Adresse oder Kennwort stimmt nicht."
    body = '<form method="post">' + box("Deine E-Mail-Adresse", "post", fields, wrong)
    body += box("Kennwort", "wort", fields, wrong, "password") + "<button>Einloggen</button></form>"
    return page(request, "Anmelden", body)


async def logout(request: Request) -> Response:
    SESSIONS.pop(request.cookies.get("sitzung", ""), None)
    return go("/", "Bis bald")


def offer_form(request: Request, fields: Any, wrong: dict[str, str], action: str, new: bool) -> Response:
    states = "".join(
        f"<option>{state}</option>" for state in ("Bitte wählen", "Neuwertig", "Gut", "Akzeptabel", "Abgenutzt")
    )
    kept = str(fields.get("zustand", ""))
    states = states.replace(f"<option>{kept}<", f"<option selected>{kept}<") if kept else states
    chosen = str(fields.get("rubrik", ""))
    radios = "".join(
        f'<label><input type="radio" name="rubrik" value="{n}"{" checked" * (chosen == str(n))}>{name}</label>'
        for n, name in enumerate(SHELVES)
    )
    picture = '<p><label>Titelbild <input type="file" name="bild" required></label></p>' if new else ""
    body = (
        f'<form method="post" action="{action}" enctype="multipart/form-data" novalidate>'
        + box("Verkaufspreis in Euro", "betrag", fields, wrong)
        + f'<p><label>Erhaltung<select name="zustand" required>{states}</select></label></p>'
        + picture
        + (f"<p role=alert>{e(wrong['bild'])}</p>" if "bild" in wrong else "")
        + box("Anmerkungen", "text", fields, wrong, "textarea")
        + box("Verfasser", "von", fields, wrong)
        + box("Buchtitel", "werk", fields, wrong)
        + f"<fieldset><legend>Rubrik</legend>{radios}</fieldset>"
        + "<button>Jetzt anbieten</button> <button name=vorschau>Vorschau</button></form>"
    )
    return page(request, "Buch anbieten" if new else "Angebot bearbeiten", body, status=400 if wrong else 200)


def checked(fields: Any) -> dict[str, str]:
    wrong: dict[str, str] = {}
    price = str(fields["betrag"])
    if not re.fullmatch(r"\d+,\d\d", price) or not LOWEST <= float(price.replace(",", ".")) <= HIGHEST:
        wrong["betrag"] = "Der Preis liegt zwischen 1,00 und 9,00 Euro."
    if len(str(fields["text"])) > LONGEST:
        wrong["text"] = f"Bitte höchstens {LONGEST} Zeichen."
    for name in ("werk", "von"):
        if not fields[name]:
            wrong[name] = "Das fehlt noch."
    return wrong


async def offer(request: Request) -> Response:
    who = me(request)
    if who is None:
        return go("/anmelden")
    if request.method == "GET":
        return offer_form(request, {}, {}, "/anbieten", new=True)
    fields = await request.form()
    wrong = checked(fields)
    picture = fields.get("bild")
    size = len(await picture.read()) if isinstance(picture, UploadFile) else 0
    if not size:
        wrong["bild"] = "Ein Bild fehlt."
    if wrong:
        return offer_form(request, fields, wrong, "/anbieten", new=True)
    shelf = SHELVES[int(str(fields["rubrik"]))]
    texts = [str(fields[name]) for name in ("zustand", "betrag", "text")]
    number = len(BOOKS) + 100
    BOOKS[number] = Book(number, who, str(fields["werk"]), str(fields["von"]), shelf, *texts, picture=size)
    return go("/regal/meins", "Dein Buch steht jetzt im Regal")


async def change(request: Request) -> Response:
    book = BOOKS[request.path_params["number"]]
    if book.owner is not me(request):
        return page(request, "Nicht erlaubt", "", status=403)
    address = f"/buch/{book.number}/aendern"
    if request.method == "GET":
        fields: Any = {"betrag": book.price, "text": book.text, "von": book.author, "werk": book.title}
        fields |= {"zustand": book.state, "rubrik": str(SHELVES.index(book.shelf))}
        return offer_form(request, fields, {}, address, new=False)
    fields = await request.form()
    if wrong := checked(fields):
        return offer_form(request, fields, wrong, address, new=False)
    book.price, book.text = str(fields["betrag"]), str(fields["text"])
    return go("/regal/meins", "Gespeichert")


async def remove(request: Request) -> Response:
    if BOOKS[request.path_params["number"]].owner is not me(request):
        return page(request, "Nicht erlaubt", "", status=403)
    del BOOKS[request.path_params["number"]]
    return go("/regal/meins", "Weg ist es")


async def mine(request: Request) -> Response:
    own = [book for book in BOOKS.values() if book.owner is me(request)]
    rows = "".join(
        f'<tr><td><a href="/buch/{book.number}">{e(book.title)}</a></td><td>{book.price} €</td>'
        f'<td><a href="/buch/{book.number}/aendern">Bearbeiten</a></td>'
        f'<td><form method="post" action="/buch/{book.number}/weg"><button>Löschen</button></form></td></tr>'
        for book in own
    )
    return page(request, "Meine Bücher", f"<table><tr><th>Buch<th>Preis<th><th></tr>{rows}</table>")


async def shelf(request: Request) -> Response:
    words = request.query_params.get("wonach", "").casefold()
    found = [book for book in BOOKS.values() if words in f"{book.title} {book.author}".casefold()]
    number = int(request.query_params.get("seite", "1"))
    rows = "".join(
        f'<li><a href="/buch/{book.number}">{e(book.title)}</a> von {e(book.author)}, <b>{book.price} €</b>, '
        f"angeboten von {e(book.owner.shown)}</li>"
        for book in found[2 * number - 2 : 2 * number]
    )
    more = (
        f'<a href="/regal?wonach={e(words)}&amp;seite={number + 1}">Nächste Seite</a>'
        if len(found) > 2 * number
        else ""
    )
    body = '<form><label>Suchbegriff <input type="search" name="wonach"></label><button>Suchen</button></form>'
    return page(request, "Alle Bücher", f"{body}<ul>{rows}</ul>{more}")


async def show(request: Request) -> Response:
    book = BOOKS[request.path_params["number"]]
    body = f"<p>von {e(book.author)}, {book.price} €, {e(book.state)}</p><p>{e(book.text)}</p>"
    body += f"<p>Angeboten von {e(book.owner.shown)} aus {e(book.owner.place)}</p>"
    who = me(request)
    if who and who is not book.owner:
        body += f'<form method="post" action="/buch/{book.number}/merken"><button>Auf die Merkliste</button></form>'
        body += f'<a href="/nachricht/{book.number}">Nachricht schreiben</a>'
    return page(request, book.title, body)


async def remember(request: Request) -> Response:
    book, who = BOOKS[request.path_params["number"]], me(request)
    assert who is not None
    book.remembered.append(who.name)
    return go(f"/buch/{book.number}", "Gemerkt")


async def letter(request: Request) -> Response:
    book, who = BOOKS[request.path_params["number"]], me(request)
    assert who is not None
    if request.method == "POST":
        fields = await request.form()
        LETTERS.append({"von": who.name, "an": book.owner.name, "buch": book.title, "text": str(fields["zeilen"])})
        return go(f"/buch/{book.number}", "Deine Nachricht ist unterwegs")
    body = '<form method="post"><label>Deine Nachricht <textarea name="zeilen"></textarea></label>'
    body += "<button>Senden</button></form>"
    return page(request, f"An {book.owner.shown}", body)


async def truth(request: Request) -> Response:
    books = [{**vars(book), "owner": book.owner.name} for book in sorted(BOOKS.values(), key=lambda book: book.number)]
    return JSONResponse(
        {"people": {name: vars(one) for name, one in PEOPLE.items()}, "books": books, "letters": LETTERS}
    )


async def take(request: Request) -> Response:
    TAKEN.add(request.query_params["name"])
    return JSONResponse(sorted(TAKEN))


async def anew(request: Request) -> Response:
    for kept in (PEOPLE, BOOKS, LETTERS, SESSIONS, TAKEN):
        kept.clear()
    return JSONResponse({})


def routes() -> list[Route]:
    both = ["GET", "POST"]
    return [
        Route("/", home),
        Route("/neu", join, methods=both),
        Route("/anmelden", login, methods=both),
        Route("/abmelden", logout),
        Route("/anbieten", offer, methods=both),
        Route("/regal", shelf),
        Route("/regal/meins", mine),
        Route("/buch/{number:int}", show),
        Route("/buch/{number:int}/aendern", change, methods=both),
        Route("/buch/{number:int}/weg", remove, methods=["POST"]),
        Route("/buch/{number:int}/merken", remember, methods=["POST"]),
        Route("/nachricht/{number:int}", letter, methods=both),
        Route("/wahrheit", truth),
        Route("/vergeben", take, methods=["POST"]),
        Route("/von-vorn", anew, methods=["POST"]),
    ]


if __name__ == "__main__":
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    print(json.dumps({"url": f"http://127.0.0.1:{listener.getsockname()[1]}"}), flush=True)
    config = uvicorn.Config(Starlette(routes=routes()), lifespan="off", access_log=False, log_level="warning")
    uvicorn.Server(config).run([listener])
