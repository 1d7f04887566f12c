"""Rows of the tools that act as a user of the site: registering, logging in and out, another user."""

from __future__ import annotations

from collections.abc import Mapping

from tests.conformance.table import Stage, row

SIGN = {"logged_in": {"role": "button", "name": "Log out"}}
OUT = "<nav><a href=/in>Log in</a> <a href=/new>Create an account</a></nav>"
IN = "<nav><form method=post action=/out><button>Log out</button></form></nav>"
LOGIN = """<h1>Log in</h1><p role=alert>{0}</p><form method=post action=/in>
<label>E-mail <input name=mail></label><label>Password <input type=password name=pw></label><button>Log in</button>
</form>"""
REGISTER = """<h1>Create an account</h1><form method=post action=/new>
<label>Username <input name=user required></label><label>E-mail <input name=mail required></label>
<label>Password <input type=password name=pw required></label>
<label><input type=checkbox name=terms required> I accept the terms</label><button>Create</button></form>"""
MAIL = "ada.moor@example.org"


def club(stage: Stage, *, member: bool) -> str:
    """Put up a site with accounts, on which the user may have one already; gives the password."""
    password = str(stage.run.bindings.render("{{secret.password}}", secrets=True))
    known = {MAIL: password} if member else {}

    def enter(fields: Mapping[str, str]) -> str | tuple[int, str]:
        right = known.get(fields["mail"]) == fields["pw"]
        return "/members" if right else (401, OUT + LOGIN.format("Wrong password"))

    def join(fields: Mapping[str, str]) -> str:
        known[fields["mail"]] = fields["pw"]
        return "/"

    stage.site.pages |= {
        "/": OUT,
        "/in": OUT + LOGIN.format(""),
        "/new": OUT + REGISTER,
        "/members": IN + "<h1>Welcome</h1>",
    }
    stage.site.answers |= {"/in": enter, "/new": join, "/out": lambda fields: "/"}
    return password


@row("browser", "register", "fills the site's form with the user's own values and a password of its own", site=SIGN)
async def _(stage: Stage) -> None:
    password = club(stage, member=False)
    told = await stage.did("register")
    assert stage.site.posts == [("/new", {"user": "ada_moor_1", "mail": MAIL, "pw": password, "terms": "on"})]
    assert password not in repr(told)


@row("browser", "register", "values take precedence, and a username given so is the user's from then on", site=SIGN)
async def _(stage: Stage) -> None:
    club(stage, member=False)
    await stage.did("register", values={"username": "ada_of_leeds"})
    assert stage.site.posts[0][1]["user"] == "ada_of_leeds"
    assert stage.run.bindings.get("identity.username") == "ada_of_leeds"


@row(
    "browser",
    "login",
    "username and password default to the user's own, and the sign of success is looked for",
    site=SIGN,
)
async def _(stage: Stage) -> None:
    password = club(stage, member=True)
    result = await stage.call("login")
    assert result.success, result.error
    assert result.metadata["verified"] is True
    assert stage.site.posts == [("/in", {"mail": MAIL, "pw": password})]
    assert await stage.page.inner_text("h1") == "Welcome"


@row("browser", "login", "as the one who is logged in says that nothing was tried", site=SIGN)
async def _(stage: Stage) -> None:
    club(stage, member=True)
    assert (await stage.did("login"))["tried"] is True
    count = len(stage.site.posts)
    told = await stage.did("login", password="not the password")
    assert told["tried"] is False
    assert "nothing was tried: the session is logged in already" in told["steps"][-1]["detail"]
    assert len(stage.site.posts) == count


@row("browser", "login", "a wrong password is told in the site's words", site=SIGN)
async def _(stage: Stage) -> None:
    club(stage, member=False)
    failure = await stage.refused("login")
    assert failure.type == "rejected"
    assert "Wrong password" in failure.message


@row("browser", "logout", "logs out, and does nothing where nobody is logged in", site=SIGN)
async def _(stage: Stage) -> None:
    club(stage, member=True)
    await stage.did("login")
    await stage.did("logout")
    assert stage.site.posts[-1][0] == "/out"
    count = len(stage.site.posts)
    assert (await stage.did("logout"))["steps"][0]["detail"] == "nobody"
    assert len(stage.site.posts) == count


@row("browser", "switch_user", "gives each user a session of its own, and the first its page back")
async def _(stage: Stage) -> None:
    await stage.open("<h1>Shop</h1><script>document.cookie = 'seen=1'</script>")
    await stage.did("switch_user", name="buyer")
    assert stage.actor.name == "buyer"
    stage.site.pages["/as-buyer"] = "<h1>Buyer</h1>"
    await stage.did("navigate", url="/as-buyer")
    assert await stage.page.evaluate("document.cookie") == ""
    await stage.did("switch_user", name="user")
    assert await stage.page.inner_text("h1") == "Shop"
    assert await stage.page.evaluate("document.cookie") == "seen=1"
    await stage.did("switch_user", name="buyer")
    assert await stage.page.inner_text("h1") == "Buyer"


@row("tot", "switch_user", "takes username for name")
async def _(stage: Stage) -> None:
    await stage.open("<h1>Shop</h1>")
    assert (await stage.did("switch_user", username="buyer"))["user"] == "buyer"
    assert stage.actor.name == "buyer"
    failure = await stage.refused("switch_user", name="seller", username="buyer")
    assert (failure.type, "username: is not a parameter" in failure.message) == ("invalid_input", True)
    await stage.did("navigate", url="/")


@row("tot", "login", "takes a username and a password", site=SIGN)
async def _(stage: Stage) -> None:
    password = club(stage, member=True)
    await stage.did("login", username=MAIL, password="{{secret.password}}")
    assert stage.site.posts == [("/in", {"mail": MAIL, "pw": password})]
