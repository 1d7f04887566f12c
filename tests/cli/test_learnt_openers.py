"""``sim site learn`` where few words say *new*: links of a menu whose addresses do, and a button that begins."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, ClassVar

import pytest

from simulator.cli.main import main
from simulator.config import load_settings
from simulator.runner.surveying.addresses import says_new
from tests.fakes.server import served
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("sim site learn", quick=2)


def learned(folder: Path, url: str, monkeypatch: pytest.MonkeyPatch, *more: str) -> dict[str, Any]:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("SIM_KEY", "the key of the tests of a first look")
    assert main(["site", "learn", url, "--name", "place", "--out", "sim.toml", "--pages", "16", *more]) == 0
    load_settings(Path("sim.toml"))
    return tomllib.loads(Path("sim.toml").read_text("utf-8"))["site"]["place"]["things"]


class _Menu(PageHandler):
    """A page with a menu of kinds of things, each of which has a form of its own."""

    kinds = ("File", "Folder", "Note", "Meeting", "Report")

    def do_GET(self) -> None:
        kind = self.path.partition("++add++")[2]
        if kind in self.kinds:
            return self.answer(
                200,
                f"<h1>{kind}</h1><form method=post action='{self.path}'><label>Title <input name=title></label>"
                f"<label>Text <textarea name={kind.lower()}_text></textarea></label><button>Save</button></form>",
            )
        menu = "".join(f"<li><a href='/++add++{one}'>{one}</a>" for one in self.kinds)
        return self.answer(200, f"<section><h2>Menu</h2><ul>{menu}</ul></section><h1>Home</h1><p>Nothing yet.</p>")


def test_every_form_of_a_menu_is_looked_at_where_its_address_says_that_something_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(_Menu) as url:
        things = learned(tmp_path, url, monkeypatch)

    assert {thing["create"] for thing in things.values()} == {f"/++add++{kind}" for kind in _Menu.kinds}


class _Folders(_Menu):
    """The same menu in each of several folders, and a note whose link to edit it holds a token."""

    kinds = ("Folder", "Note")

    def do_GET(self) -> None:
        if "++add++" in self.path:
            return super().do_GET()
        note = "<a href='/plan/edit?_authenticator=886852917efdeeb5d466db4d18028e89c82ab7af'>Edit</a><h1>Plan</h1>"
        if self.path == "/plan":
            return self.answer(200, f"{note}<p>What is planned.</p>")
        here = self.path.rstrip("/")
        menu = "".join(f"<li><a href='{here}/++add++{one}'>{one}</a>" for one in self.kinds)
        listed = "" if here else "<ol><li><a href=/box>Box</a><li><a href=/shed>Shed</a><li><a href=/plan>Plan</a></ol>"
        return self.answer(200, f"<section><h2>Menu</h2><ul>{menu}</ul></section><h1>{here or 'Home'}</h1>{listed}")


def test_what_is_made_in_several_places_is_one_thing_and_a_link_that_may_not_be_followed_edits_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(_Folders) as url:
        things = learned(tmp_path, url, monkeypatch)

    assert {thing["create"] for thing in things.values()} == {"/++add++Folder", "/++add++Note"}
    assert things["note"]["edit"] == {"fields": ["note_text"]}
    assert "holds a token" in Path("sim.toml").read_text("utf-8")


class _Account(PageHandler):
    """A site where a script draws the login, and a page inside changes the address with the password."""

    inside: ClassVar[bool] = False
    change = """<h1>E-mail</h1><form method=post><label>New e-mail <input name=mail type=email></label>
<label>Password <input name=password type=password></label><button>Change</button></form>"""
    poll = """<h1>Rules of the house</h1><button id=add>Add poll</button><p>Be quiet at night.</p><p id=place></p>
<script>const form = `<form method=post><label>Question <input name=asked></label><label>Days <input name=days></label>
<button>Save</button></form>`; document.getElementById("add").onclick = () => { place.innerHTML = form; };</script>"""
    login = """<h1>Home</h1><button id=in>Log in</button><div id=place></div><script>
document.getElementById("in").onclick = () => { place.innerHTML = `<form method=post action="/in"><label>Username
<input name=name></label><label>Password <input name=password type=password></label><button>Log in</button></form>`; };
</script>"""

    def do_GET(self) -> None:
        if not self.inside:
            return self.answer(200, self.login)
        pages = {"/options/credentials/": self.change, "/t/rules-of-the-house/1/": self.poll}
        links = "<a href='/options/credentials/'>Account</a><a href='/t/rules-of-the-house/1/'>Rules of the house</a>"
        return self.answer(200, f"<a href='/out'>Log out</a>{pages.get(self.path, f'<h1>Home</h1>{links}')}")

    def do_POST(self) -> None:
        self.body()
        type(self).inside = True
        self.answer(303, location="/")


def test_a_form_that_only_users_see_is_no_login_and_a_part_of_a_thing_is_not_called_as_that_thing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLACE_PASSWORD", "a long password 41")
    monkeypatch.setattr(_Account, "inside", False)
    with served(_Account) as url:
        things = learned(tmp_path, url, monkeypatch, "--login", "anna", "--password-env", "PLACE_PASSWORD")

    assert [*things] == ["poll"]
    assert tomllib.loads(Path("sim.toml").read_text("utf-8"))["site"]["place"]["routes"] == {"logout": "/out"}


class _Forum(PageHandler):
    """A forum without threads: a button that begins one opens the form."""

    page = """<html lang=de><nav><a href="/">Start</a><button>Alle Themen</button></nav><h1>Forum</h1>
<button id=begin>Thema beginnen</button><p>Hier gibt es noch keine Themen.</p><div id=place></div><script>
const form = `<form><input placeholder="Titel des Themas"><textarea></textarea>
<button type=submit disabled>Thema beginnen</button></form>`;
document.getElementById("begin").onclick = () => { place.innerHTML = form; };</script>"""

    def do_GET(self) -> None:
        self.answer(200, self.page)


def test_a_button_that_begins_something_opens_its_form(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with served(_Forum) as url:
        things = learned(tmp_path, url, monkeypatch)

    assert [thing["create"] for thing in things.values()] == ["Thema beginnen"]
    assert [*things] == ["thema"]


@pytest.mark.parametrize("words", ["Start a discussion", "Thread beginnen", "Iniciar tema"])
def test_words_that_say_what_is_begun_say_that_something_is_made(words: str) -> None:
    assert says_new(words)


@pytest.mark.parametrize("words", ["Start", "Startseite", "Beginners", "Inicio"])
def test_a_word_alone_may_lead_to_the_first_page(words: str) -> None:
    assert not says_new(words)
