"""Registering, logging in and out on a small site, with and without routes and sign."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.promise("registering and logging in", quick=4)]

OUT = "<nav><a href=/in>Anmelden</a> <a href=/new>Konto erstellen</a></nav>"
IN = "<nav><form method=post action=/out><button>Abmelden</button></form></nav>"
LOGIN = """
<h1>Anmelden</h1><p role=alert>{0}</p>
<form method=post action=/in>
<label>E-Mail <input name=mail></label><label>Kennwort <input type=password name=pw></label>
<label><input type=checkbox name=stay> Angemeldet bleiben</label><button>Los</button></form>
"""
REGISTER = """
<h1>Konto erstellen</h1>
<form method=post action=/new>
<label>Benutzername <input name=u required {1} aria-describedby=ue></label><p id=ue>{0}</p>
<label>E-Mail <input name=mail required></label>
<label>Kennwort <input type=password name=p1 required></label>
<label>Kennwort wiederholen <input type=password name=p2 required></label>
<label><input type=checkbox name=agb required> Ich akzeptiere die Nutzungsbedingungen</label>
<button>Konto anlegen</button></form>
"""


@pytest.fixture
def site_section() -> dict[str, Any]:
    return {"logged_in": {"role": "button", "name": "Abmelden"}}


@pytest.fixture
def club(run: Any, small_site: Any) -> Any:
    users: dict[str, str] = {}

    def enter(fields: Mapping[str, str]) -> str | tuple[int, str]:
        known = users.get(fields["mail"]) == fields["pw"]
        return "/members/12" if known else (401, OUT + LOGIN.format("Falsches Kennwort"))

    def join(fields: Mapping[str, str]) -> str | tuple[int, str]:
        if fields["u"] == "ada_moor_1" and len(small_site.posts) == 1:
            return 409, OUT + REGISTER.format("Name ist vergeben", "aria-invalid=true")
        users[fields["mail"]] = fields["p1"]
        return "/"

    small_site.pages |= {
        "/": OUT,
        "/in": OUT + LOGIN.format(""),
        "/new": OUT + REGISTER.format("", ""),
        "/members/12": IN + "<h1>Willkommen",
    }
    small_site.answers |= {"/in": enter, "/new": join, "/out": lambda fields: "/"}
    run.users = users
    return run


async def test_register_log_in_and_log_out_by_the_words_of_links(club: Any, small_site: Any) -> None:
    registered = await club.call("register", values={"username": "ada_moor_2"})
    assert registered.success, registered.error
    assert registered.metadata["logged_in"] is False
    path, fields = small_site.posts[0]
    password = club.vault.reveal("password")
    assert (path, fields) == (
        "/new",
        {"u": "ada_moor_2", "mail": "ada.moor@example.org", "p1": password, "p2": password, "agb": "on"},
    )

    entered = await club.call("login")
    assert entered.success, entered.error
    assert entered.metadata["verified"] is True
    assert [step["step"] for step in entered.data["steps"]][-1] == "verify"
    assert all(step["ok"] for step in entered.data["steps"])
    assert small_site.posts[1] == ("/in", {"mail": "ada.moor@example.org", "pw": password})

    left = await club.call("logout")
    assert left.success, left.error
    assert left.metadata["verified"] is True
    assert club.ctx.actor.page.url.endswith("/")
    assert password not in repr((registered, entered, left, club.notes))


MENUS = {
    "a button that says so in data": "<button type=button data-toggle=menu {open}>☰</button><p hidden>{items}</p>",
    "a disclosure": "<details><summary>You</summary>{items}</details>",
    "a link beside another menu": """<ul><li><a href=# {open}>Books</a><p hidden><a href=/books>All</a></p></li>
        <li><a href=# {open}>You</a><ul hidden><li>{items}</li></ul></li></ul>""",
    "a menu that a script draws": """<button type=button aria-haspopup=menu onclick="this.insertAdjacentHTML('afterend',
        '<div role=menu>{items}</div>')">You</button>""",
}
OPEN = 'onclick="this.nextElementSibling.hidden = !this.nextElementSibling.hidden; return false"'


@pytest.mark.breadth(1)
@pytest.mark.parametrize("menu", MENUS.values(), ids=MENUS)
async def test_what_is_in_a_closed_menu_is_found_by_opening_it(club: Any, small_site: Any, menu: str) -> None:
    entry = "<a href=/in>Anmelden</a>"
    small_site.pages["/"] = f"<nav><button>Suchen</button>{menu.format(open=OPEN, items=entry)}</nav>"
    small_site.pages["/in"] = LOGIN.format("") + "<a href=/new>Konto erstellen</a>"
    registered = await club.call("register", values={"username": "ada_moor_2"})
    assert registered.success, registered.error
    assert registered.data["steps"][0]["detail"] == "by a link beside the login"
    entered = await club.call("login")
    assert entered.success, entered.error
    assert [path for path, _ in small_site.posts] == ["/new", "/in"]


async def test_a_button_that_says_nothing_of_a_menu_is_not_pressed_to_find_one(club: Any, small_site: Any) -> None:
    small_site.pages["/"] = """<nav><button onclick="location = '/wrong'">Weiter</button>
        <div hidden><a href=/in>Anmelden</a></div></nav>"""
    refused = await club.call("login")
    assert "no link or button on / leads to login" in refused.error.message
    assert all(action.kind == "goto" for action in club.notes.started)


async def test_an_entry_of_a_menu_leads_there_and_not_a_card_that_says_the_same(club: Any, small_site: Any) -> None:
    small_site.pages["/"] = """
    <ul><li><a href=/books/7>Konto erstellen</a> Ein Ratgeber</li><li><a href=/books/8>Emma</a> Ein Roman</li></ul>
    <nav><ul><li><a href=/in>Anmelden</a></li><li><a href=/new>Konto erstellen</a></li></ul></nav>"""
    registered = await club.call("register", values={"username": "ada_moor_2"})
    assert registered.success, registered.error
    assert (await club.call("login")).success
    assert [path for path, _ in small_site.posts] == ["/new", "/in"]


@pytest.mark.parametrize(
    "beside",
    [
        "<button>Konto anlegen</button> <a href=/in role=button>Anmelden</a>",
        "<button name=by value=other>Weiter mit Ausweis</button> <button>Konto anlegen</button>",
    ],
    ids=["a link that looks like one", "another way to register"],
)
async def test_of_several_buttons_the_one_that_says_so_sends_the_form(club: Any, small_site: Any, beside: str) -> None:
    small_site.pages["/new"] = small_site.pages["/new"].replace("<button>Konto anlegen</button>", beside)
    registered = await club.call("register", values={"username": "ada_moor_2"})
    assert registered.success, registered.error
    ((path, fields),) = small_site.posts
    assert (path, fields.get("by")) == ("/new", None)


async def test_a_login_whose_button_stands_beside_the_form_is_sent_by_enter(club: Any, small_site: Any) -> None:
    await club.call("register", values={"username": "ada_moor_2"})
    sends = "onkeydown=\"if (event.key === 'Enter') this.submit()\""
    form = LOGIN.format("").replace("<form", f"<form {sends}").replace("<button>Los</button></form>", "</form>")
    small_site.pages["/in"] = f"{OUT}{form}<button type=button>Los</button>"

    entered = await club.call("login")
    assert entered.success, entered.error
    assert entered.metadata["verified"] is True
    assert [path for path, _ in small_site.posts] == ["/new", "/in"]


async def test_a_taken_name_is_told_with_its_field(club: Any) -> None:
    result = await club.call("register")
    assert result.error.type == "rejected"
    assert "Name ist vergeben" in result.error.message
    assert result.data["errors"] == [
        {"field": "u", "label": "Benutzername", "meaning": "username", "text": "Name ist vergeben", "kind": "taken"}
    ]
    assert result.data["steps"][-1] == {"step": "send it", "ok": False, "detail": result.data["steps"][-1]["detail"]}
    assert club.users == {}


async def test_a_failed_login_names_the_step_and_the_words_of_the_site(club: Any) -> None:
    result = await club.call("login")
    assert result.error.type == "rejected"
    assert "Falsches Kennwort" in result.error.message
    assert [step["ok"] for step in result.data["steps"]][-1] is False


async def test_login_is_not_believed_without_the_sign(club: Any, small_site: Any) -> None:
    small_site.pages["/members/12"] = "<h1>Willkommen"
    club.users["ada.moor@example.org"] = club.vault.reveal("password")
    result = await club.call("login")
    assert result.error.type == "rejected"
    assert result.data["steps"][-1]["step"] == "verify"


async def test_logging_in_twice_is_told_and_as_another_user_refused(club: Any, small_site: Any) -> None:
    club.users["ada.moor@example.org"] = club.vault.reveal("password")
    assert (await club.call("login")).success
    assert (await club.call("login")).data["steps"][0]["detail"] == "someone is"
    assert (await club.call("login", username="ben")).error.type == "rejected"
    assert len(small_site.posts) == 1


async def test_logging_out_when_nobody_is_logged_in_does_nothing(club: Any, small_site: Any) -> None:
    await club.did("navigate", url="/")
    result = await club.call("logout")
    assert result.success
    assert result.data["steps"] == [{"step": "see who is logged in", "ok": True, "detail": "nobody"}]
    assert small_site.posts == []


async def test_a_session_that_is_logged_in_from_the_start_is_seen_at_the_login_page(club: Any, small_site: Any) -> None:
    small_site.pages["/in"] = IN
    result = await club.call("login")
    assert result.success, result.error
    assert result.metadata["verified"] is True
    assert small_site.posts == []


async def test_no_way_to_the_page_is_told(club: Any, small_site: Any) -> None:
    small_site.pages["/"] = "<h1>Nichts"
    result = await club.call("login")
    assert result.error.type == "not_found"
    assert "set routes.login or words.login" in result.error.message


class TestWithoutSign:
    @pytest.fixture
    def site_section(self) -> dict[str, Any]:
        return {"routes": {"login": "/in"}}

    @pytest.mark.parametrize(
        "members",
        [IN, "<details><summary>Ada</summary><a href=/out>Abmelden</a></details>"],
        ids=["on the page", "in a closed menu"],
    )
    async def test_what_offers_to_log_out_is_a_sign(self, club: Any, small_site: Any, members: str) -> None:
        small_site.pages |= {
            "/members/12": members,
            "/out": "<form method=post action=/out><button>Abmelden</button></form>",
        }
        club.users["ada.moor@example.org"] = club.vault.reveal("password")
        result = await club.call("login")
        assert result.success, result.error
        assert result.metadata["verified"] is True
        assert result.data["steps"][-1]["detail"] == "the page offers to log out"
        again = await club.call("login")
        assert (again.success, again.metadata["verified"]) == (True, True)
        assert [path for path, _ in small_site.posts] == ["/in"]
        left = await club.call("logout")
        assert left.success, left.error
        assert left.metadata["verified"] is False
        assert [path for path, _ in small_site.posts] == ["/in", "/out"]

    async def test_login_says_that_it_could_not_verify(self, club: Any, small_site: Any) -> None:
        small_site.pages["/members/12"] = "<h1>Willkommen"
        club.users["ada.moor@example.org"] = club.vault.reveal("password")
        result = await club.call("login")
        assert result.success, result.error
        assert result.metadata["verified"] is False
        assert "not verified" in result.data["steps"][-1]["detail"]
        assert "logged_in = {" in result.data["steps"][-1]["detail"]

    async def test_a_route_to_no_page_is_told(self, club: Any, small_site: Any) -> None:
        del small_site.pages["/in"]
        result = await club.call("login")
        assert result.error.type == "not_found"
        assert "/in answers with status 404: correct routes.login in [site." in result.error.message

    @pytest.mark.parametrize("pages", [{"/in": "<h1>Willkommen"}, {"/in": OUT}], ids=["led to the members", "no form"])
    async def test_a_login_without_its_form_says_what_to_write(
        self, club: Any, small_site: Any, pages: dict[str, str]
    ) -> None:
        small_site.pages |= pages
        result = await club.call("login")
        assert result.error.type == "not_found"
        assert "if the user is logged in already" in result.error.message
        assert 'write logged_in = { role = "link", name = "Sign out" }' in result.error.message
        assert "of sim.toml" in result.error.message

    async def test_a_form_that_is_still_there_is_a_failure(self, club: Any, small_site: Any) -> None:
        small_site.answers["/in"] = lambda fields: "/in"
        result = await club.call("login")
        assert result.error.type == "rejected"
        assert "still there" in result.error.message


BOTH = """
<h1>Willkommen</h1><p role=alert>{0}</p><form method=post>
<div><h4>Ich habe ein Konto</h4><label>E-Mail <input type=email name=mail autocomplete=username></label>
<label>Kennwort <input type=password name=pw autocomplete=current-password></label>
<button>Anmelden</button><a href=/reset>Kennwort vergessen</a></div>
<div><h4>Ich brauche ein Konto</h4><label>Name <input name=name></label>
<label>E-Mail <input type=email name=new_mail></label>
<label>Kennwort <input type=password name=p1 autocomplete=new-password></label>
<label>Kennwort wiederholen <input type=password name=p2 autocomplete=new-password></label>
<button>Registrieren</button></div></form>
"""


async def test_one_form_that_logs_in_and_registers_is_as_many_forms(club: Any, small_site: Any) -> None:
    def enter(fields: Mapping[str, str]) -> str | tuple[int, str]:
        if fields["new_mail"] and not fields["mail"] and fields["p1"] == fields["p2"]:
            club.users[fields["new_mail"]] = fields["p1"]
            return "/"
        known = not fields["new_mail"] and club.users.get(fields["mail"]) == fields["pw"]
        return "/members/12" if known else (401, OUT + BOTH.format("Das passt nicht"))

    small_site.pages |= {"/in": OUT + BOTH.format(""), "/new": OUT + BOTH.format("")}
    small_site.answers |= {"/in": enter, "/new": enter}
    registered = await club.call("register")
    assert registered.success, registered.error
    entered = await club.call("login")
    assert entered.success, entered.error
    password = club.vault.reveal("password")
    assert [[name for name, value in fields.items() if value] for _, fields in small_site.posts] == [
        ["name", "new_mail", "p1", "p2"],
        ["mail", "pw"],
    ]
    assert password not in repr((registered, entered, club.notes))


@pytest.mark.parametrize("words", ["Los", "Konto anlegen"])
async def test_a_login_that_asks_the_browser_for_a_new_password_is_one_by_its_address(
    club: Any, small_site: Any, words: str
) -> None:
    """What it says decides: its button opens an account, or its address is that of a login."""
    club.users["ada.moor@example.org"] = club.vault.reveal("password")
    form = LOGIN.format("").replace("name=pw", "name=pw autocomplete=new-password").replace(">Los<", f">{words}<")
    small_site.pages["/login"] = OUT + form
    small_site.pages["/"] = "<a href=/login>Anmelden</a>"
    entered = await club.call("login")
    assert entered.success is (words == "Los")
