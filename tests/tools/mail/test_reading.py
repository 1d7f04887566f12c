"""What stands in mails: texts, links, and the values that are others in each; and finding them again."""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from simulator.bindings import Bindings
from simulator.browser.wire.server_values import UrlTemplates
from simulator.errors import TemplateError
from simulator.secrets import Vault
from simulator.tools.mail.links import match_link, write_link
from simulator.tools.mail.message import MAX_BYTES, MAX_LINKS, Link, read_mail_source
from simulator.tools.mail.reading import Read, Taker
from simulator.tools.mail.values import find_values

SITE = "http://site.example"
WHO = {"identity.email": "ada.moor@example.org", "identity.display_name": "Ada Moor", "identity.username": "ada_moor"}


def mail(text: str, subject: str = "Hello", *, markup: str = "") -> bytes:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "site@example.org", "ada.moor@example.org", subject
    if text:
        message.set_content(text)
    if markup:
        (message.add_alternative if text else message.set_content)(markup, subtype="html")
    return message.as_bytes()


class Reader:
    """A run that reads mail."""

    def __init__(self) -> None:
        self.vault = Vault(b"0123456789abcdef", scope="tests")
        self.bindings = Bindings(WHO, secret=self.vault.reveal)
        self.urls = UrlTemplates(self.bindings)
        self.taker = Taker(self.bindings, self.vault, self.urls.variables, lambda url: url.removeprefix(SITE))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Your code is 493027.", [("code", "493027", "your code is")]),
        ("Your code is 493 027.", [("code", "493027", "your code is")]),
        ("Hello Ada, your PIN: 4931", [("code", "4931", "your pin")]),
        ("Your verification code:\n\n  G-493027\n", [("code", "G-493027", "your verification code")]),
        ("493027 is your code", [("code", "493027", "… is your code")]),
        ("Your code:\n493027 (for ten minutes)", [("code", "493027", "… for ten minutes")]),
        ("Dein Bestätigungscode lautet AB12CD.", [("code", "AB12CD", "dein bestatigungscode lautet")]),
        ("Enter this:\n\nHFKQ-ZZPW\n\nYour code.", []),
        ("Enter this code:\n\nHFKQ-ZZPW\n", [("code", "HFKQ-ZZPW", "enter this code")]),
        ("Use this:\n\n77120943\n", [("code", "77120943", "use this")]),
        ("Your order number is LMP-48213, sent in 2026.", [("number", "LMP-48213", "your order number is")]),
        ("Order 48213. Your code is 1122.", [("number", "48213", "order"), ("code", "1122", "your code is")]),
        ("Your password: xK9.fjw2!", [("password", "xK9.fjw2!", "your password")]),
        ("Your temporary password is swordfish99.", [("password", "swordfish99", "your temporary password is")]),
        ("Your new password:\n\nopen,sesame\n", [("password", "open,sesame", "your new password")]),
        ("Your password is changed. It was sent on 2026-05-04 at 10.15.", []),
        ("To choose a password: [link 1]", []),
        ("Version 1.20.3, 4 May 2026, call 555", []),
    ],
)
def test_values_are_found_by_what_stands_before_them(text: str, found: list[tuple[str, str, str]]) -> None:
    assert [(one.kind, one.value, one.where) for one in find_values(text, "Hello")] == found


def test_all_codes_of_a_list_are_secrets() -> None:
    codes = [f"{number}a{number}b" for number in range(1000, 1020)]
    reader = Reader()
    taken = reader.taker.take(read_mail_source(mail("Your recovery codes:\n" + "\n".join(codes)), "1"))
    assert not any(code in taken.text for code in codes)


def test_several_after_the_same_words_are_told_apart_by_their_order() -> None:
    found = find_values("Your code: 111111\nYour code: 222222\n", "")
    assert [(one.value, one.nth) for one in found] == [("111111", 1), ("222222", 2)]


@pytest.mark.parametrize(
    ("url", "template"),
    [
        ("/confirm/MQ/c3f09a-77e21d5b8840", "/confirm/{{plain.confirm}}/{{secret.confirm}}"),
        ("/set-password/done.html", "/set-password/done.html"),
        ("/in?key=abcd1&next=/members", "/in?key={{secret.key}}&next=/members"),
        ("/books/57?ref=mail", "/books/{{plain.books}}?ref=mail"),
        ("/u/ada_moor?mail=ada.moor%40example.org", "/u/{{identity.username}}?mail={{identity.email}}"),
        ("/#/verify?token=A1b2C3d4", "/#/verify?token={{secret.token}}"),
        ("https://track.example/c/1234567/x", "https://track.example/c/{{secret.c}}/x"),
        ("https://track.example:8443", "https://track.example:8443"),
    ],
)
def test_links_are_templates(url: str, template: str) -> None:
    values: dict[str, str] = {}

    def bind(value: str, called: str, secret: bool) -> str:
        name = f"{'secret' if secret else 'plain'}.{called}"
        values[name] = value
        return name

    written, names = write_link(url, Bindings(WHO).recognise, bind)
    assert written == template
    assert match_link(written, url, Bindings(WHO).render, names) == values
    assert match_link(written, f"{url}/more", Bindings(WHO).render, names) is None


def test_another_mail_of_the_kind_gives_other_values_under_the_same_names() -> None:
    def welcome(order: str, code: str, uid: str, token: str) -> bytes:
        link = f"{SITE}/confirm/{uid}/{token}?mail=ada.moor%40example.org"
        return mail(f"Hello Ada Moor,\n\norder {order}. Your code is {code}.\n\nConfirm: {link}\n", f"Order {order}")

    first = Reader()
    taken = first.taker.take(read_mail_source(welcome("LMP-48213", "493027", "MQ", "c3f09a-77e21d5b8840"), "1"))
    assert taken.subject == "Order {{site.order_1}}"
    assert taken.text == (
        "Hello {{identity.display_name}},\n\norder {{site.order_1}}. Your code is {{secret.mailed_code_1}}.\n\n"
        "Confirm: [link 1]"
    )
    (link,) = taken.links
    assert link.url == "/confirm/{{site.confirm_1}}/{{secret.mailed_token_1}}?mail={{identity.email}}"
    assert first.urls.write("/confirm/MQ/set-password")[0] == "/confirm/{{site.confirm_1}}/set-password"
    assert "c3f09a" not in taken.model_dump_json()

    second = Reader()
    read = Read(to="{{identity.email}}", timeout_ms=1, values=taken.values, links=taken.links)
    other = read_mail_source(welcome("LMP-99999", "112233", "Mg", "d41d8c-d98f00b20499"), "2")
    assert second.taker.take_again(other, read) == {}
    rendered = second.bindings.render_on_site("{{site.order_1}} {{secret.mailed_code_1}} {{secret.mailed_token_1}}")
    assert rendered == "LMP-99999 112233 d41d8c-d98f00b20499"
    assert second.urls.render(link.url) == "/confirm/Mg/d41d8c-d98f00b20499?mail=ada.moor%40example.org"


@pytest.mark.parametrize("path", ["confirm/", "in?token=", "#/set?next=/home&key="])
def test_the_key_of_a_link_is_a_secret_wherever_the_mail_says_it(path: str) -> None:
    def welcome(key: str) -> bytes:
        return mail(f"Hello,\n\nyour ticket {key} is here: {SITE}/{path}{key}\n", f"Welcome in {key}")

    first = Reader()
    taken = first.taker.take(read_mail_source(welcome("c3f09a77e21d5b88"), "1"))
    assert taken.bound == {"secret.mailed_token_1": None}
    assert "c3f09a" not in taken.model_dump_json()
    assert taken.subject == "Welcome in {{secret.mailed_token_1}}"
    second = Reader()
    read = Read(to="x", timeout_ms=1, values=taken.values, links=taken.links)
    assert second.taker.take_again(read_mail_source(welcome("d41d8cd98f00b204"), "2"), read) == {}
    assert second.bindings.render_on_site("{{secret.mailed_token_1}}") == "d41d8cd98f00b204"


@pytest.mark.parametrize(
    ("link", "written", "bound"),
    [
        ("in?token=c3f09a77e21d", "/in?token={{secret.mailed_token_1}}", {"secret.mailed_token_1": None}),
        ("books/c3f09a77e21d", "/books/{{site.book_1}}", {}),
    ],
)
def test_what_a_page_showed_before_is_a_secret_where_a_link_names_it_as_its_key(
    link: str, written: str, bound: dict[str, None]
) -> None:
    reader = Reader()
    reader.bindings.set("site.book_1", "c3f09a77e21d")
    taken = reader.taker.take(read_mail_source(mail(f"Hello: {SITE}/{link}\n"), "1"))
    assert (taken.links[0].url, taken.bound) == (written, bound)


def test_a_told_value_is_known_in_addresses_only_and_until_it_is_forgotten() -> None:
    urls = Reader().urls
    urls.variables.learn_beside("site.confirm_1", "MQ")
    assert urls.write("/confirm/MQ/done?MQ=MQ")[0] == "/confirm/{{site.confirm_1}}/done?MQ=MQ"
    assert urls.write("/other/MQ")[0] == "/other/MQ"
    assert (
        urls.variables.write_in("post /confirm/MQ/set, not MQ or MQX")
        == "post /confirm/{{site.confirm_1}}/set, not MQ or MQX"
    )
    urls.variables.forget("site.confirm_1")
    assert urls.variables.write_in("/confirm/MQ") == "/confirm/MQ"


def test_what_a_mail_lacks_is_told_and_what_it_gave_before_stays_masked() -> None:
    reader = Reader()
    taken = reader.taker.take(read_mail_source(mail(f"Your code is 493027.\n{SITE}/in?key=a1b2c3d4"), "1"))
    read = Read(to="x", timeout_ms=1, values=taken.values, links=taken.links)
    other = read_mail_source(mail(f"Here is 112233.\n{SITE}/out?key=a1b2c3d4"), "2")
    assert reader.taker.take_again(other, read) == {
        "secret.mailed_code_1": "secret.mailed_code_1 after 'your code is'",
        "secret.mailed_token_1": "secret.mailed_token_1 in the link /in?key={{secret.mailed_token_1}}",
    }
    again = read_mail_source(mail(f"Your code is 778899.\n{SITE}/in?key=zz99zz99"), "3")
    assert reader.taker.take_again(again, read) == {}
    assert reader.bindings.render_on_site("{{secret.mailed_code_1}}") == "778899"
    assert "493027" not in reader.vault.mask("not 493027 any more")


def test_each_mail_has_names_of_its_own_and_an_unread_one_has_none() -> None:
    reader = Reader()
    for number in (1, 2):
        taken = reader.taker.take(read_mail_source(mail("Your code is 493027."), str(number)))
        assert [one.name for one in taken.values] == [f"secret.mailed_code_{number}"]
    with pytest.raises(TemplateError, match="no mail that was read has given"):
        reader.bindings.render("{{secret.mailed_code_3}}", secrets=True)
    assert reader.bindings.render("{{secret.mailed_code_1}}") == "{{secret.mailed_code_1}}", "only the site is given it"


def test_the_text_is_the_plain_one_and_the_links_are_those_of_the_markup() -> None:
    markup = (
        f"<p>Hello</p><a href='{SITE}/a'>Go <b>on</b></a> <a href='javascript:x()'>no</a> <a href='mailto:a@b.c'>no</a>"
    )
    read = read_mail_source(mail(f"Hello, go on: {SITE}/a.\nOr there ({SITE}/b).", markup=markup), "1")
    assert read.text == "Hello, go on: [link 1].\nOr there ([link 2])."
    assert read.links == (Link(f"{SITE}/a", "Go on"), Link(f"{SITE}/b", "Or there ("))
    assert read.to == {"ada.moor@example.org"}


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xfe\x00garbage",
        b"Subject: =?utf-8?b?!!!?=\nTo: <<<@@\n\nHello",
        b"Content-Type: text/plain; charset=no-such\nTo: a@b.c\n\nHell\xf6",
        b"Content-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/html\n\n<a href=x><<<style>"
        + b"<p>" * 9,
        b"Content-Transfer-Encoding: base64\n\n%%%%",
    ],
)
def test_a_broken_mail_is_read_as_far_as_it_can_be(data: bytes) -> None:
    read = read_mail_source(data, "1", ["Ada@Example.org"])
    assert "ada@example.org" in read.to
    Reader().taker.take(read)


def test_a_huge_mail_is_cut() -> None:
    read = read_mail_source(mail("\n".join(f"{SITE}/{n}" for n in range(500)) + "\n" + "long " * MAX_BYTES), "1")
    assert len(read.links) == MAX_LINKS
    assert len(read.text) < 100_000
