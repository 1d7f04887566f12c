"""Rows on whole forms, and on secrets in fields."""

from __future__ import annotations

from collections.abc import Mapping

from tests.conformance.table import Stage, row

CONTACT = """<form method=post action=/contact><h2>Contact the seller</h2>
<label>E-mail <input type=email name=email required></label>
<label>Message <textarea name=message required></textarea></label>
<label><input type=checkbox name=terms required> I accept the terms</label><button>Send message</button></form>"""
SEARCH = "<form action=/search><label>Search <input name=q></label><button>Search</button></form>"
LOGIN = """<form method=post action=/login id=login><label>Name <input name=name></label>
<label>Password <input type=password name=password></label>
<label>Code <input name=code autocomplete=one-time-code></label>
<button>Log in</button></form>"""
FILLED = {"email": "ada.moor@example.org", "message": "Is it still there?", "terms": "on"}


async def _open(stage: Stage, body: str) -> None:
    stage.site.pages |= {"/thanks": "<h1>Thanks</h1>", "/search": "<h1>Found</h1>"}

    def answer(fields: Mapping[str, str]) -> str | tuple[int, str]:
        if "spam" in fields.get("message", ""):
            alert = "<p role=alert>No spam, please</p>"
            return 422, alert + body
        return "/thanks"

    stage.site.answers |= {"/contact": answer, "/login": answer}
    await stage.open(body)


@row("browser", "fill_form", "values by label; the rest from the user's identity")
async def _(stage: Stage) -> None:
    await _open(stage, CONTACT)
    told = await stage.did("fill_form", values={"Message": "Is it still there?"})
    assert told["submitted"] is False
    assert {one["field"]: one["why"] for one in told["fields"]} == {
        "E-mail": "email",
        "Message": "given",
        "I accept the terms": "terms",
    }
    assert await stage.page.input_value("[name=email]") == FILLED["email"]
    assert stage.site.posts == []


@row("browser", "fill_form", "submit also sends it")
async def _(stage: Stage) -> None:
    await _open(stage, SEARCH + CONTACT)
    told = await stage.did(
        "fill_form", form="Contact the seller", values={"message": "Is it still there?"}, submit=True
    )
    assert told["page"]["url"] == "/thanks"
    assert stage.site.posts == [("/contact", FILLED)]


@row("browser", "fill_form", "a field that there is not is told with those there are")
async def _(stage: Stage) -> None:
    await _open(stage, CONTACT)
    failure = await stage.refused("fill_form", values={"Colour": "red"})
    assert failure.type == "not_found"
    assert "'E-mail', 'Message'" in failure.message


async def _fill(stage: Stage, message: str = "Is it still there?") -> None:
    await stage.did("fill_form", form="Contact the seller", values={"message": message})


@row("browser", "submit", "form may be left out where one form fits; submit_form is an alias")
async def _(stage: Stage) -> None:
    await _open(stage, SEARCH + CONTACT)
    await _fill(stage)
    told = await stage.did("submit_form")
    assert told["form"]["name"] == "Contact the seller"
    assert told["page"]["url"] == "/thanks"
    assert stage.site.posts == [("/contact", FILLED)]


@row("browser", "submit", "form is words of its name, heading or button")
async def _(stage: Stage) -> None:
    await _open(stage, CONTACT + LOGIN)
    await _fill(stage)
    await stage.did("submit", form="send message")
    assert stage.site.posts == [("/contact", FILLED)]


@row("browser", "submit", "form is CSS of it, or of a field in it")
async def _(stage: Stage) -> None:
    await _open(stage, CONTACT + LOGIN)
    await stage.did("fill", selector="Name", value="ada")
    assert (await stage.did("submit", form="#login"))["page"]["url"] == "/thanks"
    await _open(stage, CONTACT + LOGIN)
    await stage.did("submit", form="css=[name=password]")
    assert [path for path, _ in stage.site.posts] == ["/login", "/login"]


@row("browser", "submit", "form is a ref of read_forms")
async def _(stage: Stage) -> None:
    await _open(stage, CONTACT + LOGIN)
    forms = (await stage.did("read_forms"))["forms"]
    await stage.did("submit", form=f"ref={forms[1]['ref']}")
    assert [path for path, _ in stage.site.posts] == ["/login"]


@row(
    "browser",
    "submit",
    "a refusal of the site is an error that says why",
    replay="never: what the site rejected is left out of a replay",
)
async def _(stage: Stage) -> None:
    await _open(stage, CONTACT)
    await _fill(stage, message="Buy spam")
    failure = await stage.refused("submit")
    assert failure.type == "rejected"
    assert "No spam, please" in failure.message


@row("browser", "submit", "several forms that fit are told")
async def _(stage: Stage) -> None:
    await _open(stage, CONTACT + LOGIN)
    failure = await stage.refused("submit")
    assert failure.type == "ambiguous"
    assert "'Contact the seller' (ref=" in failure.message
    assert (await stage.refused("submit", form="Register")).type == "not_found"


@row("browser", "secure_fill", "a secret by its name goes into a password field")
async def _(stage: Stage) -> None:
    await _open(stage, LOGIN)
    await stage.did("secure_fill", selector="Password", secret="password")
    await stage.did("secure_fill", selector="Code", secret="{{secret.password}}")
    typed = await stage.page.input_value("[name=password]")
    assert typed == await stage.page.input_value("[name=code]")
    assert len(typed) >= 16
    assert stage.run.vault.mask(typed) == "{{secret.password}}"


@row("browser", "secure_fill", "a field that is no secret one is refused")
async def _(stage: Stage) -> None:
    await _open(stage, LOGIN)
    failure = await stage.refused("secure_fill", selector="Name", secret="password")
    assert failure.type == "not_allowed"
    assert await stage.page.input_value("[name=name]") == ""


@row("browser", "secure_fill", "never a literal, and what was given instead is not told")
async def _(stage: Stage) -> None:
    await _open(stage, LOGIN)
    for literal in ("hunter2", "{{secret.hunter2}}", "pass word"):
        failure = await stage.refused("secure_fill", selector="Password", secret=literal)
        assert failure.type == "not_allowed"
        assert "takes the name of a secret, never its text" in failure.message
        assert "hunter2" not in failure.message
    assert await stage.page.input_value("[name=password]") == ""
