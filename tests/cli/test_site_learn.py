"""``sim site learn`` on a register in Italian: what it writes, and that it leaves the site as it was."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest

from simulator.cli.main import main
from simulator.config import load_settings
from tests.fakes.messages_api import KEY, MODEL, Reply, Request, call, messages_api, say
from tests.fakes.server import served
from tests.sites import segnalazioni as segnalazioni_site
from tests.sites.segnalazioni import MAIL, PASSWORD, TOKEN, Segnalazioni, segnalazioni
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("sim site learn", quick=3)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Segnalazioni]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests of a first look")
    monkeypatch.setenv("REGISTER_PASSWORD", PASSWORD)
    with segnalazioni() as register:
        yield register


def learned(*arguments: str) -> dict[str, Any]:
    """Learn the site into the ``sim.toml`` of the working folder, and give what that says."""
    assert main(["site", "learn", *arguments, "--name", "comune", "--out", "sim.toml"]) == 0
    load_settings(Path("sim.toml"))
    return tomllib.loads(Path("sim.toml").read_text("utf-8"))


def test_a_link_to_log_out_that_holds_a_token_is_no_route(site: Segnalazioni, monkeypatch: pytest.MonkeyPatch) -> None:
    outside, inside = segnalazioni_site.ACCOUNT
    monkeypatch.setattr(segnalazioni_site, "ACCOUNT", (outside, inside.replace("/esci", "/esci?_nonce=284b967694")))
    section = learned(site.url, "--login", "anna", "--password-env", "REGISTER_PASSWORD")["site"]["comune"]
    assert section["routes"] == {"register": "/registrati", "login": "/accedi"}
    assert section["logged_in"] == {"role": "link", "name": "Esci"}


def test_a_look_with_an_account_finds_the_thing_and_only_logs_in(site: Segnalazioni) -> None:
    said = learned(site.url, "--login", "anna", "--password-env", "REGISTER_PASSWORD")

    assert site.writes == ["POST /accedi"]
    section = said["site"]["comune"]
    assert section["base_url"] == site.url
    assert section["language"] == "it"
    assert section["disposable"] is False
    assert section["routes"] == {"register": "/registrati", "login": "/accedi", "logout": "/esci"}
    assert section["logged_in"] == {"role": "link", "name": "Esci"}
    assert section["accounts"] == [{"username": "anna", "password": {"env": "REGISTER_PASSWORD"}}]
    thing = section["things"]["segnalazioni"]
    assert section["things"].keys() == {"segnalazioni"}
    assert (thing["create"], thing["list"]) == ("/segnalazioni/nuova", "/segnalazioni")
    assert thing["edit"] == {"fields": ["descrizione"]}  # "Modifica" says edit
    assert thing["delete"] is True
    assert thing["react"] == [{"button": "Mi interessa"}]
    assert thing["message"]["field"] == "message"  # which "Il tuo commento" means


def test_rows_fit_the_fields_of_the_form(site: Segnalazioni) -> None:
    site.closed = False
    said = learned(site.url)
    made = said["data"][said["site"]["comune"]["things"]["segnalazioni"]["data"]]["make"]

    assert next(iter(made)) == "oggetto"
    assert made["priorita"] == "{bassa|alta}"
    assert made["ore"] == "{{faker.random_int(1, 8)}}"
    assert made["codice"] == "{{faker.lexify('??', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ')}}-{{faker.numerify('####')}}"
    assert "reparto_xyz" not in made  # optional, and nothing says what it means
    settings = load_settings(Path("sim.toml"))
    read, wrong = settings.own_data.check()
    assert wrong == []
    assert read


def test_without_an_account_nothing_at_all_is_written_and_what_was_not_seen_is_said(
    site: Segnalazioni, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["site", "learn", site.url]) == 0

    out, err = capsys.readouterr()
    assert site.writes == []
    assert "# ? nobody was logged in" in out
    assert "# ? these lead to the login: /segnalazioni" in out
    assert "held back" in err
    assert "POST /battito" in out
    tomllib.loads(out)


def test_texts_of_strangers_stay_texts_and_no_secret_is_written(site: Segnalazioni) -> None:
    site.closed = False
    said = learned(site.url)
    text = Path("sim.toml").read_text("utf-8")

    assert said["site"].keys() == {"comune"}
    assert TOKEN not in text
    assert MAIL not in text
    assert all(line.isprintable() for line in text.split("\n"))
    assert max(map(len, text.split("\n"))) < 500


def test_what_is_there_is_not_written_over(site: Segnalazioni, capsys: pytest.CaptureFixture[str]) -> None:
    there = '[site.comune]\nbase_url = "http://127.0.0.1:1"\n'
    Path("sim.toml").write_text(there, "utf-8")

    assert main(["site", "learn", site.url, "--name", "comune", "--out", "sim.toml"]) == 2
    assert Path("sim.toml").read_text("utf-8") == there
    assert "sim.toml has a section [site.comune] already" in capsys.readouterr().err

    site.closed = False
    assert main(["site", "learn", site.url, "--name", "other", "--out", "sim.toml"]) == 0
    after = Path("sim.toml").read_text("utf-8")
    assert after.startswith(there)
    assert load_settings(Path("sim.toml")).site("other").things.keys() == {"segnalazioni"}


def test_with_write_somebody_is_registered_and_told(site: Segnalazioni, capsys: pytest.CaptureFixture[str]) -> None:
    said = learned(site.url, "--write")

    new = site.users.keys() - {"anna"}
    assert len(new) == 1
    assert site.writes == ["POST /registrati", "POST /accedi"]
    assert f"left on the site: the account {new.pop()}" in capsys.readouterr().err
    assert said["site"]["comune"]["things"].keys() == {"segnalazioni"}


def test_a_login_that_fails_is_told(
    site: Segnalazioni, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REGISTER_PASSWORD", "another one")

    assert main(["site", "learn", site.url, "--login", "anna", "--password-env", "REGISTER_PASSWORD"]) == 0
    out, err = capsys.readouterr()
    assert "nobody was logged in: login failed" in err
    assert "another one" not in out + err


class _Odd(PageHandler):
    def do_GET(self) -> None:
        if self.path == "/elsewhere":
            self.answer(302, location="http://127.0.0.2:9/")
        elif self.path == "/json":
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"{}")
        else:
            self.answer(404, "nothing here")


@pytest.mark.parametrize(
    ("path", "code", "said"),
    [
        ("/elsewhere", 2, "leads to another host, 127.0.0.2"),
        ("/json", 2, "is no HTML page"),
        ("/missing", 3, "answered with status 404"),
    ],
)
def test_what_is_no_page_of_the_site_is_one_sentence(
    path: str, code: int, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with served(_Odd) as url:
        assert main(["site", "learn", f"{url}{path}"]) == code

    out, err = capsys.readouterr()
    assert out == ""
    assert said in " ".join(err.split())


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["http://127.0.0.1:1/"], 3, "nothing answers at http://127.0.0.1:1/"),
        (["nonsense"], 2, "expected an address"),
        (["http://[::1"], 2, "is no address"),
        (["http://anna:secret@127.0.0.1:1/"], 2, "without a name and a password"),
        (["http://127.0.0.1:1/", "--name", "Bad Name"], 2, "--name: expected"),
        (["http://127.0.0.1:1/", "--login", "anna"], 2, "no section of sim.toml names this account"),
        (["http://127.0.0.1:1/", "--password-env", "X"], 2, "give both"),
        (["http://127.0.0.1:1/", "--login", "a", "--password-env", "NOT_SET"], 3, "NOT_SET is not set"),
    ],
)
def test_what_cannot_be_looked_at_is_one_sentence(
    arguments: list[str], code: int, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert main(["site", "learn", *arguments]) == code

    out, err = capsys.readouterr()
    assert out == ""
    assert said in " ".join(err.split())
    assert "secret@" not in err


class Scripted:
    """A model that gives one answer after another, and keeps what it was asked."""

    def __init__(self, *answers: Reply) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    def __call__(self, request: Request) -> Reply:
        self.asked.append("\n".join(str(block["text"]) for _, content in request.turns for block in content))
        return self.answers.pop(0)


PRICES = f'packs = []\n[models."{MODEL}"]\ninput = 3\ncache_write = 4\ncache_read = 0.3\noutput = 15\n'


def advised(site: Segnalazioni, monkeypatch: pytest.MonkeyPatch, *answers: Reply) -> tuple[Scripted, int]:
    site.closed = False
    Path("sim.toml").write_text(PRICES, "utf-8")
    model = Scripted(*answers)
    with messages_api(model) as api:
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", api.url)
        code = main(
            ["site", "learn", site.url, "--name", "comune", "--out", "sim.toml", "--agent", "claude", "--model", MODEL]
        )
    return model, code


def test_a_model_names_things_and_what_it_makes_up_is_refused_item_by_item(
    site: Segnalazioni, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    good = {
        "id": "thing 1",
        "name": "report",
        "list": "/segnalazioni",
        "fields": [
            {"column": "reparto_xyz", "made": "company"},
            {"column": "priorita", "made": "city"},
            {"column": "ore", "made": "a lie"},
            {"column": "invented", "made": "word"},
            {"column": "oggetto", "made": "nothing"},
            "reparto_xyz",
        ],
    }
    bad = [
        {"id": "thing 9", "name": "ghost"},
        {"id": "thing 1", "list": "/nowhere"},
        {"id": "thing 1", "name": 'x"]\n[site.evil]'},
        {"id": "thing 1", "keep": "no"},
        {"id": "thing 1", "base_url": "http://evil.example"},
        "thing 1",
        None,
    ]
    model, code = advised(site, monkeypatch, call("decide", decisions=[good, *bad]))

    assert code == 0
    said = tomllib.loads(Path("sim.toml").read_text("utf-8"))
    thing = said["site"]["comune"]["things"]["report"]
    assert thing["list"] == "/segnalazioni"
    made = said["data"][thing["data"]]["make"]
    assert made["reparto_xyz"] == "{{faker.company}}"
    assert made["priorita"] == "{bassa|alta}"
    assert made["ore"] == "{{faker.random_int(1, 8)}}"
    assert said["site"].keys() == {"comune"}
    err = capsys.readouterr().err
    assert "tokens to read" in err
    assert "2 decisions taken, 12 refused; cost: 0." in err
    for why in (
        "about nothing that was found",
        "no page with this address was seen",
        "a word of small letters",
        "true or false",
        "nothing that was asked",
        "there is no column",
        "known from the page",
        "is required",
    ):
        assert why in " ".join(err.split()), why
    assert TOKEN not in model.asked[0]
    assert MAIL not in model.asked[0]


def test_a_model_that_does_not_decide_leaves_what_was_found(
    site: Segnalazioni, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    model, code = advised(site, monkeypatch, say("A fine site."), call("decide", decisions="all"))

    assert code == 0
    assert len(model.asked) == 2
    assert load_settings(Path("sim.toml")).site("comune").things.keys() == {"segnalazioni"}
    assert "0 decisions taken, 0 refused" in capsys.readouterr().err


def test_a_thing_that_a_model_takes_for_none_is_told(site: Segnalazioni, monkeypatch: pytest.MonkeyPatch) -> None:
    _, code = advised(site, monkeypatch, call("decide", decisions=[{"id": "thing 1", "keep": False}]))

    assert code == 0
    text = Path("sim.toml").read_text("utf-8")
    assert "[site.comune.things" not in text
    assert "/segnalazioni/nuova, which a model took for none" in text


class _SinglePage(PageHandler):
    """Notes in German on one page: a button opens the form, whose fields have no names; a script sends it."""

    sent: ClassVar[list[str]] = []
    page = """<nav><button>Übersicht</button></nav><h1>Notizen</h1><ul id=list></ul><button id=new>Neue Notiz</button>
<dialog id=box><form><label for=t>Überschrift</label><input id=t required maxlength=60>
<label for=x>Text</label><textarea id=x></textarea><button>Speichern</button></form></dialog><script>
const send = (body) => fetch("/api/notes", {method: "POST", body});
send("seen"); navigator.sendBeacon("/beat", "x"); fetch("/graphql", {method: "PUT", body: "{}"});
document.getElementById("new").onclick = () => { box.showModal(); send("opened"); };
document.querySelector("form").onsubmit = (event) => { event.preventDefault(); send(t.value); };
setTimeout(() => { list.innerHTML = "<li><a href='/notizen/7'>Einkauf</a>"; }, 500);</script>"""

    def do_GET(self) -> None:
        self.answer(200, self.page)

    def do_POST(self) -> None:
        self.sent.append(f"POST {self.path}")
        self.answer(204)

    do_PUT = do_POST


def test_a_single_page_is_looked_at_by_the_button_that_opens_its_form(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    _SinglePage.sent.clear()
    with served(_SinglePage) as url:
        said = learned(url, "--pages", "4", "--language", "de-DE")

    assert _SinglePage.sent == []
    section = said["site"]["comune"]
    assert section["language"] == "en"  # as the page says
    thing = section["things"]["notiz"]
    assert thing["create"] == "Neue Notiz"
    made = said["data"][thing["data"]]["make"]
    assert list(made) == ["uberschrift", "text"]
    assert made["uberschrift"].endswith("{{n}}")


class _PageWide(PageHandler):
    """A page that is one form, as some frameworks make it: search, a list, and a part that a button opens."""

    sent: ClassVar[list[str]] = []
    page = """<form method=post action="/boats" aria-label=Page><input type=search name=q aria-label="Search boats">
<button name=find>Find</button><h1>Boats</h1><ul><li><a href="/boats/71">Emma</a></ul>
<button type=button id=new onclick="document.getElementById('box').hidden = false">New boat</button>
<div id=box hidden><h2>New boat</h2><label>Name <input name=name maxlength=40></label>
<label>Remark <textarea name=remark></textarea></label><button name=keep>Save</button></div></form>"""

    def do_GET(self) -> None:
        self.answer(200, self.page)

    def do_POST(self) -> None:
        self.sent.append(f"POST {self.path}")
        self.answer(204)


def test_a_button_that_sends_nothing_is_pressed_within_a_form_around_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    _PageWide.sent.clear()
    with served(_PageWide) as url:
        said = learned(f"{url}/boats", "--pages", "4")

    assert _PageWide.sent == []
    thing = said["site"]["comune"]["things"]["boat"]
    assert (thing["create"], thing["submit"], thing["list"]) == ("New boat", "Save", "/boats")
    assert list(said["data"][thing["data"]]["make"]) == ["name", "remark"]


class _Languages(PageHandler):
    """Walks in any language: the address begins with it, and each page leads to the others."""

    asked: ClassVar[set[str]] = set()
    codes = ("de", "fr", "it", "nl", "pt-br", "uk")

    def do_GET(self) -> None:
        self.asked.add(self.path)
        code, _, rest = self.path.strip("/").partition("/")
        if code not in self.codes:
            return self.answer(302, location="/de/")
        others = "".join(f"<a href=/{one}/{rest}>{one}</a>" for one in self.codes)
        page = {"": f"<a href=/{code}/walks/new>Neu</a>", "walks/new": "<form method=post><input name=title></form>"}
        self.answer(200, f"<script>document.documentElement.lang = '{code}'</script>{others}{page.get(rest, '')}")


def test_pages_in_other_languages_are_not_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    _Languages.asked.clear()
    with served(_Languages) as url:
        said = learned(url)

    assert _Languages.asked - {"/favicon.ico"} <= {"/", "/de/", "/de/walks/new", "/de/walks"}, _Languages.asked
    assert said["site"]["comune"]["things"]["walk"]["create"] == "/de/walks/new"


class _Desk(PageHandler):
    """Tickets of a desk in German: the form's address is one word, and what a user sets has a form, too."""

    pages: ClassVar[dict[str, str]] = {
        "/": "<a href=/newticket>Neues Ticket</a> <a href=/prefs/look>Aussehen</a> <a href=/ticket/7>Tor klemmt</a>",
        "/newticket": """<h1>Neues Ticket</h1><form method=post><label>Titel <input name=summary required></label>
<label>Stunden <input name=hours inputmode=decimal></label>
<label>Bis <input name=due pattern="\\d{2}/\\d{2}/\\d{4}"></label>
<label>Von <input name=begun placeholder="TT.MM.JJJJ"></label><label>Fällig am <input name=term></label>
<label><input type=checkbox name=wo value=1> Halle</label><label><input type=checkbox name=wo value=2> Hof</label>
<label id=l>Art</label><div role=combobox aria-labelledby=l tabindex=0 aria-expanded=false>-</div>
<button disabled>Ticket anlegen</button></form>""",
        "/prefs/look": """<h1>Aussehen</h1><form method=post><label>Zeit <input name=time></label>
<button>Speichern</button></form>""",
        "/ticket/7": "<h1>Tor klemmt</h1>",
    }

    def do_GET(self) -> None:
        self.answer(200, self.pages.get(self.path, ""))


def test_settings_are_no_thing_and_a_button_may_be_disabled_at_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with served(_Desk) as url:
        said = learned(url)
    text = Path("sim.toml").read_text("utf-8")

    things = said["site"]["comune"]["things"]
    assert things.keys() == {"ticket"}
    assert "on /prefs/look: it changes settings" in text
    assert "which button sends it" not in text
    made = said["data"]["tickets"]["make"]
    assert made.keys() == {"summary", "hours", "begun", "term"}
    assert made["begun"] == made["term"] == "{{faker.date_between('-30d', '+30d')}}"
    assert "# ? term: a date, by its words" in text
    assert made["hours"] == "{{faker.random_int(1, 100)}}"
    assert "# ? due: a date, by its pattern" in text
    assert "a list that opens when it is pressed" in text
    assert "one of a group, with Hof: each has a column of its own" in text


class _Club(PageHandler):
    """Members of a club in German. No page says its language but the one of the framework, for what is not there."""

    pages: ClassVar[dict[str, str]] = {
        "/": "<a href=/members/add>Mitglied hinzufügen</a> <a href=/members/list>Mitglieder</a> <a href=/x>Mehr</a>",
        "/members/list": "<h1>Mitglieder</h1><a href=/members/view/1>Anna Beck</a>",
        "/members/view/1": """<h1>Anna Beck</h1><form method=post><label>Nummer <input name=number value=1></label>
<label>Name <input name=name value="Anna Beck"></label><label>Beginn <input name=begun value=01.02.2026></label>
<button>Speichern</button></form>""",
        "/members/add": """<h1>Mitglied hinzufügen</h1>
<form method=post><label>Nummer <input name=number value=2></label>
<label>Name <input name=name></label><label>Beginn <input name=begun value=29.11.2026></label>
<button>Speichern</button></form>""",
    }

    def do_GET(self) -> None:
        if (page := self.pages.get(self.path)) is None:
            return self.answer(404, "<h1>Not found</h1>")
        self.answer(200, f"<script>document.documentElement.lang = ''</script>{page}")


def test_a_form_that_comes_with_the_next_number_makes_something(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with served(_Club) as url:
        said = learned(url, "--language", "de-DE")

    section = said["site"]["comune"]
    assert section["language"] == "de"
    assert {name: thing["create"] for name, thing in section["things"].items()} == {"member": "/members/add"}
    assert section["things"]["member"]["edit"]["fields"]


class _Surveys(PageHandler):
    """An application whose form a button opens on its first page; one survey, with a menu of settings in a list."""

    dialog = """<h1>Welcome</h1><a href="/surveys">All</a> <button id=new>New survey</button>
<dialog id=box><form><label>Name <input name=name required></label><label>Text <textarea name=text></textarea></label>
<button>Save</button></form></dialog><script>document.getElementById("new").onclick = () => box.showModal();</script>"""

    def do_GET(self) -> None:
        menu = "".join(f"<li><a href=/surveys/1/settings/{one}>{one}</a>" for one in ("colours", "rights", "danger"))
        if self.path == "/":
            return self.answer(200, self.dialog)
        if self.path == "/surveys":
            return self.answer(200, "<h1>Surveys</h1><a href=/surveys/1/data>Tides</a>")
        if self.path == "/surveys/1/data":
            return self.answer(200, "<h1>Tides</h1><a href=/surveys/1/settings>Settings</a>")
        field = "<p>Nothing can be changed here.</p>"
        return self.answer(200, f"<h1>Settings</h1><ul>{menu}</ul>{field}<a href=/surveys>All</a>")


def test_a_menu_of_one_thing_is_no_list_of_things(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with served(_Surveys) as url:
        said = learned(url, "--pages", "9")

    assert said["site"]["comune"]["things"]["survey"]["list"] == "/surveys"
