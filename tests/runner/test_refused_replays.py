"""What a site refuses: a tool does not call it done, and a replay names the field and the words."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.browser.refusing import REFUSING, form
from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun
from tests.small_run import SmallSite

pytestmark = pytest.mark.promise("what a site refuses")

JOIN = form(
    "<div><label for=email>Email</label><input id=email name=email></div>",
    "<div><label for=nickname>Nickname</label><input id=nickname name=nickname></div>",
)
ASKED = [
    call("navigate", url="/join"),
    call("fill_form", values={"Email": "{{identity.email}}", "Nickname": "ann", "Town": "Leeds"}, submit=True),
]
WITH_TAKEN = [name for name, one in REFUSING.items() if any(kind == "taken" for _, _, kind in one.told)]
QUICK = ("bootstrap 3", "rails", "mediawiki ooui")
NOTE = "<form method=post action=/save><label>Note <input name=note></label>{more} <button>Keep</button></form>"
KEEP = [call("navigate", url="/note"), call("fill", selector="Note", value="Hello"), call("click", selector="Keep")]


@pytest.fixture
def run(
    tmp_path: Path, small_site: SmallSite, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> OneRun:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    small_site.pages |= {"/join": JOIN, "/": "<h1>Home</h1>", "/thanks": "<h1>Thanks</h1>"}
    small_site.pages["/note"] = NOTE.format(more="")
    small_site.answers |= {"/join": lambda fields: "/thanks", "/save": lambda fields: "/thanks"}
    return OneRun(tmp_path, small_site.url, capsys)


@pytest.mark.parametrize(
    "framework", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in WITH_TAKEN]
)
def test_a_refusal_is_told_to_the_agent_and_to_the_replay(run: OneRun, small_site: SmallSite, framework: str) -> None:
    page = REFUSING[framework]
    assert run.record(ASKED)[1].success
    small_site.answers["/join"] = lambda fields: (200, page.page)
    again = run.replay()
    assert again["verdict"] == "data_collision"
    (words,) = {words for _, words, kind in page.told if kind == "taken"}
    assert again["drift"]["found"] == f"Email: '{words}'"
    assert "in the field 'Email'" in again["drift"]["expected"]

    told = run.record(ASKED)
    assert not told[1].success
    for field, words, _ in page.told:
        assert not field or f"{field}: {words}" in told[1].text


@pytest.mark.table
def test_a_form_that_the_browser_holds_back_says_which_field(run: OneRun, small_site: SmallSite) -> None:
    run.record(KEEP)
    small_site.pages["/note"] = NOTE.format(more="<label>Title <input name=title required></label>")
    again = run.replay()
    assert again["verdict"] == "postcondition"
    assert "Title: 'Please fill out this field.'" in again["drift"]["found"]
    assert len(small_site.posts) == 1


@pytest.mark.table
def test_a_dialog_that_opens_in_place_of_the_page_is_named(run: OneRun, small_site: SmallSite) -> None:
    run.record(KEEP)
    ask = "<div role=dialog aria-label='Are you sure?' id=ask hidden>Keep it? <button type=button>Yes</button></div>"
    script = "<script>document.forms[0].onsubmit = (e) => { e.preventDefault(); ask.hidden = false }</script>"
    small_site.pages["/note"] = NOTE.format(more="") + ask + script
    again = run.replay()
    assert again["verdict"] == "postcondition"
    assert "a dialog opened: 'Are you sure?'" in again["drift"]["found"]


@pytest.mark.table
def test_what_covers_an_element_is_named(run: OneRun, small_site: SmallSite) -> None:
    run.record(KEEP)
    over = "<div role=dialog aria-label=Cookies style='position:fixed;inset:0;background:#fff'>We use cookies.</div>"
    small_site.pages["/note"] = NOTE.format(more="") + over
    again = run.replay()
    assert again["verdict"] == "target_missing"
    assert again["drift"]["found"] == "it, but it is covered by dialog 'Cookies'"


@pytest.mark.table
def test_the_same_name_in_another_role_is_told(run: OneRun, small_site: SmallSite) -> None:
    run.record(KEEP)
    small_site.pages["/note"] = NOTE.format(more="").replace("<button>Keep</button>", "<a href=/thanks>Keep</a>")
    again = run.replay()
    assert again["verdict"] == "target_missing"
    assert "but link 'Keep' (post /save), in another role" in again["drift"]["found"]
    assert again["drift"]["candidates"][0].startswith("link 'Keep'")


@pytest.mark.table
@pytest.mark.parametrize(("rules", "verdict"), [(1, "passed"), (2, "postcondition")])
def test_an_older_recording_is_not_held_to_what_its_rules_did_not_see(
    run: OneRun, small_site: SmallSite, rules: int, verdict: str
) -> None:
    small_site.pages["/thanks"] = "<h1>Thanks</h1><div class='alert-danger'>Deleting is final.</div>"
    run.record(KEEP)
    assert run.replay()["verdict"] == "passed"
    with closing(sqlite3.connect(run.folder / "a.db")) as db, db:
        db.execute("UPDATE run SET environment = json_set(environment, '$.determinism.refusals', ?)", (rules,))
        db.execute("UPDATE page SET alerts = '[]'")
    assert run.replay()["verdict"] == verdict


@pytest.mark.table
def test_who_registered_with_an_address_comes_back_with_it(run: OneRun, small_site: SmallSite) -> None:
    users: set[str] = set()
    enter = """<h1>{head}</h1>{above}<form method=post action={to}><label>{label} <input name=user type={type}></label>
<label>Password <input name=password type=password></label><button>{head}</button></form>"""
    register = {"head": "Register", "to": "/register", "label": "E-mail", "type": "email"}
    small_site.pages |= {
        "/": "<h1>Home</h1><a href=/login>Log in</a> <a href=/register>Register</a>",
        "/register": enter.format(above="", **register),
        "/login": enter.format(above="", head="Log in", to="/login", label="User name", type="text"),
        "/in": "<h1>Welcome</h1><a href=/logout>Log out</a><a href=/note>Notes</a>",
    }

    def registering(fields: object) -> str | tuple[int, str]:
        name = dict(fields)["user"]  # type: ignore[call-overload]
        if name in users:
            above = "<p class='alert-danger'>Cette adresse est déjà utilisée.</p>"
            return 200, enter.format(above=above, **register)
        users.add(name)
        return "/in"

    small_site.answers |= {
        "/register": registering,
        "/login": lambda fields: "/in" if fields["user"] in users else (200, small_site.pages["/login"]),
    }
    run.record([call("navigate", url="/"), call("register"), *KEEP])
    (address,) = users
    assert "@" in address
    assert run.replay()["verdict"] == "data_collision"
    again = run.replay("--identity", "reuse")
    assert again["verdict"] == "passed", again
    assert users == {address}
    assert [path for path, _ in small_site.posts].count("/login") == 1


LEAVING = """<label>Roles <input id=roles aria-describedby=why></label><p id=why></p><button id=go>Clear</button>
<p id=done></p><script>document.querySelector('#go').onclick = () => {{
  if (roles.hasAttribute('aria-invalid')) {{
    roles.removeAttribute('aria-invalid'); why.textContent = ''; done.textContent = 'Cleared'; return }}
  roles.setAttribute('aria-invalid', 'true');
  {say}
}}</script>"""
SAYS = "why.textContent = 'Please choose a role'"


@pytest.mark.parametrize("words", [SAYS, ""])
def test_a_field_that_is_marked_before_the_page_says_why_is_refused_as_it_was(
    run: OneRun, small_site: SmallSite, words: str
) -> None:
    small_site.pages["/roles"] = LEAVING.format(say=SAYS)
    run.record([call("navigate", url="/roles"), call("click", selector="Clear"), call("click", selector="#go")])
    small_site.pages["/roles"] = LEAVING.format(say=f"setTimeout(() => {{ {words} }}, 1500)")
    again = run.replay()
    assert again["verdict"] == ("passed" if words else "postcondition"), again["drift"]["expected"]


ROLES = """<form action=/sent method=post><ul role=listbox aria-label=Roles></ul><p id=why role=alert></p>
<input type=hidden name=roles><button>Save</button></form><script>
const chosen = new Set(["Editor"]), list = document.querySelector("ul");
function draw() {
  list.replaceChildren(...["Editor", "Reader"].map((name) => {
    const one = Object.assign(document.createElement("li"), { role: "option", textContent: name });
    one.setAttribute("role", "option"); one.setAttribute("aria-selected", chosen.has(name));
    one.onclick = () => { chosen.has(name) ? chosen.delete(name) : chosen.add(name); draw(); };
    return one;
  }));
  why.textContent = chosen.size ? "" : "Please choose at least one role";
  document.querySelector("[name=roles]").value = [...chosen];
}
draw();
</script>"""


def test_what_was_taken_out_of_a_list_stays_out_though_the_list_may_not_be_empty(
    run: OneRun, small_site: SmallSite
) -> None:
    sent: list[str] = []
    small_site.pages["/roles"] = ROLES
    small_site.answers["/sent"] = lambda fields: sent.append(fields["roles"]) or "/thanks"
    editor, reader = 'role=option[name="Editor"]', 'role=option[name="Reader"]'
    # Out, where the list is empty for a moment, and in again behind the other one.
    presses = [editor, reader, editor, "Save"]
    run.record([call("navigate", url="/roles"), *[call("click", selector=one) for one in presses]])
    assert run.replay()["verdict"] == "passed"
    assert sent == ["Reader,Editor"] * 2
