"""Rows of the tools that read mail and open its links."""

from __future__ import annotations

from tests.conformance.table import Stage, row

CODE = "493027"
TOKEN = "c3f09a-77e21d5b8840"


def letter(stage: Stage, path: str = f"/confirm/{TOKEN}") -> str:
    """Write what brings a code, a password, a number and a link."""
    return (
        f"Hello Ada,\n\nyour order number is LMP-48213.\nYour code is {CODE}.\nYour password: xK9.fjw2!\n\n"
        f"Confirm your address: {stage.site.url}{path}\n"
    )


@row("mail", "read_mail", "gives sender, subject, text, codes and links; what is secret as variables")
async def _(stage: Stage) -> None:
    stage.deliver("Welcome to the club", letter(stage))
    told = await stage.did("read_mail")
    assert (told["from"], told["subject"]) == ("The site <site@example.org>", "Welcome to the club")
    assert told["text"].startswith("Hello Ada,\n\nyour order number is {{site.order_number_1}}.")
    assert told["text"].endswith("Confirm your address: [link 1]")
    assert {one["value"]: one["after"] for one in told["codes"]} == {
        "{{site.order_number_1}}": "your order number is",
        "{{secret.mailed_code_1}}": "your code is",
        "{{secret.mailed_password_1}}": "your password",
    }
    link = {"number": 1, "says": "Confirm your address", "leads_to": "/confirm/{{secret.mailed_token_1}}"}
    assert told["links"] == [link]
    vault = stage.run.vault
    assert vault.mask(f"{CODE} xK9.fjw2! {TOKEN}") == (
        "{{secret.mailed_code_1}} {{secret.mailed_password_1}} {{secret.mailed_token_1}}"
    )


@row("mail", "read_mail", "reads no mail twice, and says what there is when none comes in time")
async def _(stage: Stage) -> None:
    stage.deliver("Welcome", "Hello")
    await stage.did("read_mail")
    stage.deliver("News", "Nothing new")
    failure = await stage.refused("read_mail", subject_contains="Welcome", timeout=200)
    assert failure.type == "timeout"
    assert failure.message.startswith("no new mail to ada.moor@example.org about 'Welcome' came within 0.2 s into the")
    assert failure.message.endswith("not read yet: 'News'")


@row("mail", "read_mail", "subject_contains is a part of the subject, in any case, and may hold variables")
async def _(stage: Stage) -> None:
    stage.deliver("Your login, Ada Moor", "First")
    stage.deliver("Something else", "Second")
    told = await stage.did("read_mail", subject_contains="LOGIN, {{identity.display_name}}")
    assert told["text"] == "First"


@row("mail", "read_mail", "what was sent to somebody else is read where that address is given in to")
async def _(stage: Stage) -> None:
    stage.deliver("For Ben", "Hello Ben", to="ben@example.org")
    failure = await stage.refused("read_mail", timeout=200)
    assert "no new mail to ada.moor@example.org came" in failure.message
    assert (await stage.did("read_mail", to="ben@example.org"))["text"] == "Hello Ben"


@row("mail", "read_mail", "a mail in HTML is read as text, and nothing in it is loaded")
async def _(stage: Stage) -> None:
    markup = (
        f"<html><head><title>no</title><style>p {{}}</style></head><body><p>Your code:</p><h2>{CODE}</h2>"
        f"<script>steal()</script><img src='{stage.site.url}/pixel' alt='Our sign'>"
        f"<a href='{stage.site.url}/in?key={TOKEN}'>Come <b>in</b></a></body></html>"
    )
    stage.deliver("Your code", markup, markup=True)
    told = await stage.did("read_mail")
    assert told["text"] == "Your code:\n\n{{secret.mailed_code_1}}\nOur sign Come in [link 1]"
    assert told["links"] == [{"number": 1, "says": "Come in", "leads_to": "/in?key={{secret.mailed_token_1}}"}]


@row("mail", "read_mail", "without a mailbox it says what sim.toml takes")
async def _(stage: Stage) -> None:
    stage.run.inbox = None
    failure = await stage.refused("read_mail")
    assert failure.type == "unavailable"
    assert "sim.toml takes a section [mailbox]" in failure.message


@row("mail", "read_mail", "timeout is bounded by the tool's own")
async def _(stage: Stage) -> None:
    failure = await stage.refused("read_mail", timeout=130_001)
    assert failure.type == "invalid_input"


@row("mail", "open_mail_link", "opens the link of the mail that was read last")
async def _(stage: Stage) -> None:
    stage.site.pages[f"/confirm/{TOKEN}"] = f"<h1>Confirmed</h1><p>By {TOKEN}.</p>"
    stage.deliver("Welcome", letter(stage))
    await stage.did("read_mail")
    told = await stage.did("open_mail_link")
    assert (told["subject"], told["opened"]) == ("Welcome", "/confirm/{{secret.mailed_token_1}}")
    assert told["page"]["url"] == "/confirm/{{secret.mailed_token_1}}"
    assert stage.page.url.endswith(f"/confirm/{TOKEN}")


@row("mail", "open_mail_link", "waits for the mail where none was read that fits")
async def _(stage: Stage) -> None:
    stage.site.pages["/reset"] = "<h1>New password</h1>"
    stage.deliver("Something else", f"See {stage.site.url}/other")
    await stage.did("read_mail")
    stage.deliver("Reset your password", f"Go to {stage.site.url}/reset?sig={TOKEN}")
    told = await stage.did("open_mail_link", subject_contains="reset")
    assert told["opened"] == "/reset?sig={{secret.mailed_token_1}}"
    assert stage.page.url.endswith(f"/reset?sig={TOKEN}")


@row("mail", "open_mail_link", "link_contains chooses by what a link says or where it leads; several are an error")
async def _(stage: Stage) -> None:
    stage.site.pages["/no"] = "<h1>Not you</h1>"
    text = f"If it was you: {stage.site.url}/yes?id={TOKEN}\nIf not: {stage.site.url}/no?id={TOKEN[::-1]}\n"
    stage.deliver("A new login", text)
    failure = await stage.refused("open_mail_link")
    assert failure.type == "ambiguous"
    assert "'If it was you' to /yes?id={{secret.mailed_token_1}}" in failure.message
    failure = await stage.refused("open_mail_link", link_contains="unsubscribe")
    assert (failure.type, "there are: 'If it was you' to" in failure.message) == ("not_found", True)
    await stage.did("open_mail_link", link_contains="/no?")
    assert stage.page.url.endswith(f"/no?id={TOKEN[::-1]}")


@row("mail", "open_mail_link", "a link to a host that is not allowed is refused")
async def _(stage: Stage) -> None:
    stage.deliver("Welcome", f"Confirm: http://elsewhere.example/confirm/{TOKEN}")
    failure = await stage.refused("open_mail_link")
    assert failure.type == "blocked"
    assert "is not on this site" in failure.message
    assert TOKEN not in failure.message
    assert stage.page.url == "about:blank"


@row("browser", "fill", "what came by mail goes, alone, into inputs of the site's own forms", replay="never: no mail")
async def _(stage: Stage) -> None:
    stage.run.vault.hold("mailed_code_1", CODE)
    field = "<label>{0} <input name={0}></label>"
    away = "<form method=post action=http://elsewhere.example/>" + field.format("Away")
    message = "<label>Message <textarea name=text></textarea></label>"
    await stage.open(f"<form method=post action=/code>{field.format('Home')}{message}</form>{away}</form>")
    await stage.did("fill", selector="Home", value="{{secret.mailed_code_1}}")
    assert await stage.page.input_value("input[name=Home]") == CODE
    failure = await stage.refused("fill", selector="Away", value="{{secret.mailed_code_1}}")
    assert failure.type == "not_allowed"
    for selector, value in (("Message", "{{secret.mailed_code_1}}"), ("Home", "It is {{secret.mailed_code_1}}")):
        failure = await stage.refused("fill", selector=selector, value=value)
        assert failure.type == "not_allowed"
    failure = await stage.refused("fill", selector="Home", value="{{secret.password}}")
    assert "a secret may only be typed into a password or one-time-code field" in failure.message
    failure = await stage.refused("fill", selector="Home", value="{{secret.mailed_code_2}}")
    assert "no mail that was read has given" in failure.message


@row("browser", "navigate", "what came by mail stands in addresses of the site only", replay="never: no mail")
async def _(stage: Stage) -> None:
    stage.run.vault.hold("mailed_token_1", TOKEN)
    stage.site.pages[f"/in/{TOKEN}"] = "<h1>In</h1>"
    await stage.did("navigate", url="/in/{{secret.mailed_token_1}}")
    assert stage.page.url.endswith(f"/in/{TOKEN}")
    failure = await stage.refused("navigate", url="http://elsewhere.example/{{secret.mailed_token_1}}")
    assert failure.type == "not_allowed"
    assert TOKEN not in failure.message
