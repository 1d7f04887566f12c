"""What the browser itself keeps and shows again is no proof that the site kept anything.

The pages ask for more than their HTML says, as pages that scripts draw do: nothing else tells the two apart.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite

pytestmark = pytest.mark.promise("where what was sent is seen")

__all__ = ["run"]

NOTE = "A clock out of the old kitchen"
NEW = """<form method=post action=/notes><label>Note <input name=note></label><button>Keep</button></form>
<script>document.querySelector("form").onsubmit = (e) => {{ const note = e.target.note.value; {keep} }}</script>"""
KEPT = {
    "a list in the local storage": (
        "localStorage.notes = JSON.stringify([{id: 7, note}])",
        "<ul></ul><script>for (const one of JSON.parse(localStorage.notes || '[]')) "
        "document.querySelector('ul').insertAdjacentHTML('beforeend', `<li>Note: <b>${one.note}</b>`)</script>",
    ),
    "a field from the session storage": (
        "sessionStorage.note = note",
        "<label>Note <input name=note></label>"
        "<script>document.querySelector('input').value = sessionStorage.note || ''</script>",
    ),
    "a field from a cookie": (
        "document.cookie = `note=${encodeURIComponent(note)}`",
        "<label>Note <input name=note></label><script>document.querySelector('input').value = "
        "decodeURIComponent(/note=([^;]*)/.exec(document.cookie)?.[1] || '')</script>",
    ),
}


@pytest.mark.parametrize("how", [*KEPT, "nowhere"])
def test_what_comes_out_of_the_browsers_own_stores_proves_nothing(run: OneRun, small_site: SmallSite, how: str) -> None:
    keep, shows = KEPT.get(how, ("", ""))
    asks = "<script>fetch('/stats')</script>"
    small_site.pages |= {"/new": NEW.format(keep=keep), "/thanks": "<h1>Thanks</h1>", "/stats": ""}
    small_site.pages["/all"] = f"<h1>Notes</h1>{shows}{asks}"

    def swallow(fields: object) -> str:
        if how == "nowhere":
            small_site.pages["/all"] = f"<ul><li>Note: <b>{NOTE}</b></ul>{asks}"
        return "/thanks"

    small_site.answers["/notes"] = swallow
    doing = [call("fill", selector="Note", value=NOTE), call("click", selector="Keep")]
    look = [call("navigate", url=url) for url in ("/new", "/all", "/new", "/all")]
    told = run.record([call("navigate", url="/new"), *doing, *look])
    assert all(one.success for one in told), told
    with sqlite3.connect(run.folder / "a.db") as db:
        strengths = {strength for (strength,) in db.execute("SELECT strength FROM effect")}
    assert ("kept" in strengths) is (how == "nowhere"), strengths


OPENED = """const opened = () => new Promise((go) => {
  const asked = indexedDB.open("notes", 1);
  asked.onupgradeneeded = () => asked.result.createObjectStore("notes", { autoIncrement: true });
  asked.onsuccess = () => go(asked.result);
});
const draw = (note) => document.querySelector("ul").insertAdjacentHTML("beforeend", `<li>Note: <b>${note}</b>`);
const send = (note) => fetch("/notes", { method: "POST", body: new URLSearchParams({ note }) });
"""
SCRIPTED = """<form><label>Note <input name=note></label><button>Keep</button></form>
<script>OPENED
document.querySelector("form").onsubmit = async (event) => {
  event.preventDefault();
  const note = event.target.note.value;
  KEEP
  await send(note);
  location.href = "/thanks";
};</script>"""
IN_DATABASES = {
    "a database": (
        "const store = (await opened()).transaction('notes', 'readwrite').objectStore('notes');"
        "await new Promise((go) => { store.add({ note }).onsuccess = go; });",
        "opened().then((db) => { db.transaction('notes').objectStore('notes').getAll().onsuccess = "
        "({ target }) => target.result.forEach(({ note }) => draw(note)); });",
    ),
    "a cache": (
        "await (await caches.open('v')).put('/note', new Response(note));",
        "caches.match('/note').then(async (found) => found && draw(await found.text()));",
    ),
    "a plain text": ("localStorage.note = note;", "if (localStorage.note) draw(localStorage.note);"),
}


@pytest.mark.parametrize("brings", [False, True], ids=["kept by the browser alone", "brought by the site as well"])
@pytest.mark.parametrize("how", IN_DATABASES)
def test_what_a_database_of_the_browser_keeps_proves_only_what_the_site_brings(
    run: OneRun, small_site: SmallSite, how: str, brings: bool
) -> None:
    keep, draws = IN_DATABASES[how]
    small_site.pages |= {
        "/new": SCRIPTED.replace("OPENED", OPENED).replace("KEEP", keep),
        "/thanks": "<h1>Thanks</h1>",
        "/stats": "[]",
        "/all": f"<h1>Notes</h1><ul></ul><script>{OPENED}fetch('/stats'); {draws}</script>",
    }

    def take(fields: Mapping[str, str]) -> tuple[int, str]:
        if brings:
            small_site.pages["/stats"] = json.dumps([{"note": fields["note"]}])
        return 200, "{}"

    small_site.answers["/notes"] = take
    doing = [call("fill", selector="Note", value=NOTE), call("click", selector="Keep"), call("wait", seconds=0.5)]
    told = run.record([call("navigate", url="/new"), *doing, *(call("navigate", url=to) for to in ("/all", "/all"))])
    assert all(one.success for one in told), told
    assert NOTE in told[-1].text
    assert ("kept" in [strength for _, strength, _ in run.effects()]) is brings
    assert [bool(one["unseen"]) for one in run.replay()["writes"]] == [not brings]


LIKES = """<h1>Things</h1><table>
<tr><td>Spade<td><button data-id=48213>Like</button><tr><td>Rake<td><button data-id=48214>Like</button></table>
<script>
const liked = () => JSON.parse(STORE.liked || "[]");
for (const one of document.querySelectorAll("button")) {
  const draw = () => one.setAttribute("aria-pressed", liked().includes(one.dataset.id));
  one.onclick = () => {
    STORE.liked = JSON.stringify([...liked(), one.dataset.id]);
    draw();
    fetch("/like", { method: "POST", body: new URLSearchParams({ id: one.dataset.id }) });
  };
  draw();
}</script>"""


@pytest.mark.parametrize("store", ["localStorage", "sessionStorage"])
def test_a_state_that_the_browser_keeps_proves_no_press(run: OneRun, small_site: SmallSite, store: str) -> None:
    small_site.pages |= {"/list": LIKES.replace("STORE", store), "/about": "<h1>About</h1>"}
    small_site.answers["/like"] = lambda fields: (200, "{}")
    press = call("click", selector="tr:nth-of-type(2) button")
    told = run.record([call("navigate", url="/list"), press, *(call("navigate", url=to) for to in ("/about", "/list"))])
    assert all(one.success for one in told), told
    assert "[pressed]" in told[-1].text
    assert "kept" not in [strength for _, strength, _ in run.effects()]
    (write,) = run.replay()["writes"]
    assert write["unseen"]


WATCHED = """<h1>Sweep the quay</h1><p>Reported by Ellen</p>
<form method=post action=/things/2/{does}><button>{name}</button></form>
<script>document.body.dataset.drawn = Math.random()</script>"""


def test_what_the_program_counts_in_a_store_is_nothing_that_the_page_keeps(run: OneRun, small_site: SmallSite) -> None:
    small_site.pages |= {"/things/2": WATCHED.format(does="watch", name="Watch"), "/about": "<h1>About</h1>"}

    def take(fields: object) -> str:
        small_site.pages["/things/2"] = WATCHED.format(does="unwatch", name="Unwatch")
        return "/about"

    small_site.answers["/things/2/watch"] = take
    there, away, back = (call("navigate", url=url) for url in ("/things/2", "/about", "/things/2"))
    told = run.record([there, call("click", selector="Watch"), away, back])
    assert all(one.success for one in told), told
    assert ("state", "kept", True) in run.effects()


REMARKS = """<TAG id=box><label>Remark <input></label><label>Name <input name=author></label>
<label>E-mail <input name=email></label>
<button>Send</button></TAG><ul></ul><script>
const [text, author, email] = box.querySelectorAll("input");
const draw = ({ text, author }) =>
  document.querySelector("ul").insertAdjacentHTML("beforeend", `<li>${author}: ${text}`);
author.value = localStorage.author || "";
email.value = localStorage.email || "";
fetch("/remarks").then((answer) => answer.text()).then((page) => JSON.parse(page.split("<body>")[1]).forEach(draw));
document.querySelector("button").onclick = async (event) => {
  event.preventDefault();
  Object.assign(localStorage, { author: author.value, email: email.value });
  const one = { text: text.value, author: author.value, email: email.value };
  await fetch("/remarks/new", { method: "POST", body: new URLSearchParams(one) });
  draw(one);
  text.value = "";
};</script>"""


@pytest.mark.parametrize("stays", [False, True], ids=["loaded anew", "on the same document"])
@pytest.mark.parametrize("tag", ["form", "div"])
def test_what_the_site_brings_of_one_input_says_nothing_of_another_that_names_it(
    run: OneRun, small_site: SmallSite, tag: str, stays: bool
) -> None:
    """The second remark is sent with the name and the address that the script has put back, or left there."""
    small_site.pages |= {"/talk": REMARKS.replace("TAG", tag), "/remarks": "[]", "/about": "<h1>About</h1>"}
    kept: list[dict[str, str]] = []

    def take(fields: Mapping[str, str]) -> tuple[int, str]:
        kept.append({"text": fields["text"], "author": fields["author"]})
        small_site.pages["/remarks"] = json.dumps(kept)
        return 200, "{}"

    small_site.answers["/remarks/new"] = take
    values = {"Remark": NOTE, "Name": "Ellen Harbour", "E-mail": "ellen.harbour.7x2@example.org"}
    second = {"Remark": "It still goes, and tells the time"}
    acts = [call("navigate", url="/talk")]
    for filled in (values, second):
        acts += [call("fill", selector=name, value=value) for name, value in filled.items()]
        acts += [call("click", selector="Send"), call("wait", seconds=0.5)]
        acts += [call("navigate", url=url) for url in ("/about", "/talk") if not stays or filled is second]
    told = run.record([*acts, *(call("navigate", url=url) for url in ("/about", "/talk"))])
    assert all(one.success for one in told), told
    assert values["E-mail"] in told[-1].text
    kept.clear()
    small_site.pages["/remarks"] = "[]"
    writes = run.replay()["writes"]
    assert ["E-mail" in one["unseen"] for one in writes] == [True, True]
    assert "Name" not in writes[0]["unseen"]
