"""The three kinds of mailbox: what is there, what is new, and what stands in the way."""

from __future__ import annotations

import asyncio
import os
import re
import smtplib
import socket
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from simulator.config import load_settings
from simulator.config.mailbox import Mailbox
from simulator.errors import ConfigError, MailboxUnreachable, ToolError
from simulator.tools.mail.mailbox import Inbox, Source
from simulator.tools.mail.opening import open_mailbox
from tests.fakes.mailpit import FakeMailpit, fake_mailpit
from tests.ports import port_of_nobody

ADA = "ada@example.org"
REPOSITORY = Path(__file__).parents[3]
Send = Callable[[EmailMessage], None]


def letter(subject: str, to: str = f"Ada <{ADA.title()}>", text: str = "Hello") -> EmailMessage:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "site@example.org", to, subject
    mail.set_content(text)
    return mail


@pytest.fixture
def mailpit() -> Iterator[FakeMailpit]:
    with fake_mailpit() as box:
        yield box


@pytest.fixture(params=["smtp_port", "maildir", "mailpit"])
def kind(request: pytest.FixtureRequest, mailpit: FakeMailpit, tmp_path: Path) -> tuple[Mailbox, Send]:
    """A mailbox of each kind, and what puts mail into it."""
    if request.param == "mailpit":
        return Mailbox(mailpit=mailpit.url), mailpit.take
    if request.param == "maildir":
        return Mailbox(maildir=tmp_path), lambda mail: put(tmp_path, mail)
    port = port_of_nobody()

    def send(mail: EmailMessage) -> None:
        with smtplib.SMTP("127.0.0.1", port, local_hostname="localhost", timeout=10) as server:
            server.login("anybody", "anything")
            server.send_message(mail)

    return Mailbox(smtp_port=port), send


def put(folder: Path, mail: EmailMessage) -> None:
    new, making = folder / "new", folder / "tmp"
    for one in (new, making):
        one.mkdir(exist_ok=True)
    count = len(list(new.iterdir()))
    made = making / f"{count}.host"
    made.write_bytes(mail.as_bytes())
    os.utime(made, ns=(count, count))
    made.rename(new / made.name)


async def test_only_new_mail_to_an_address_is_read_and_none_twice(kind: tuple[Mailbox, Send]) -> None:
    section, send = kind
    async with open_mailbox(section) as source:
        await asyncio.to_thread(send, letter("Old"))
        inbox = Inbox(source, await source.ids())
        for mail in (letter("First"), letter("For Ben", "ben@example.org"), letter("Second"), letter("Other news")):
            await asyncio.to_thread(send, mail)
        newest = await inbox.receive(ADA, "", 5)
        assert (newest.mail.subject, newest.place) == ("Other news", 3)
        with pytest.raises(ToolError, match="no new mail to ada@example") as found:
            await inbox.receive(ADA, "", 0)
        assert found.value.type == "timeout"
        waiting = asyncio.create_task(inbox.receive(ADA, "third", 10))
        await asyncio.to_thread(send, letter("The Third"))
        assert (await waiting).mail.subject == "The Third"
        assert (await inbox.receive("ben@example.org", "", 5)).mail.subject == "For Ben"


async def test_a_place_is_waited_for_and_what_comes_after_it_stays_unread(kind: tuple[Mailbox, Send]) -> None:
    section, send = kind
    async with open_mailbox(section) as source:
        inbox = Inbox(source)
        await asyncio.to_thread(send, letter("Code 1"))
        waiting = asyncio.create_task(inbox.receive(ADA, "code", 10, place=2))
        for number in (2, 3):
            await asyncio.to_thread(send, letter(f"Code {number}"))
        assert (await waiting).mail.subject == "Code 2"
        assert (await inbox.receive(ADA, "code", 5, place=1)).mail.subject == "Code 3"


async def test_a_port_that_is_taken_is_told() -> None:
    section = Mailbox(smtp_port=port_of_nobody())
    async with open_mailbox(section):
        with pytest.raises(MailboxUnreachable, match=r"no mail can be taken at 127\.0\.0\.1:\d+ .* another run"):
            await open_mailbox(section).__aenter__()
    async with open_mailbox(section) as again:
        assert await again.ids() == frozenset()


async def test_a_connection_that_is_still_open_keeps_nobody_from_ending() -> None:
    section = Mailbox(smtp_port=port_of_nobody())
    with socket.socket() as client:
        async with open_mailbox(section):
            await asyncio.to_thread(client.connect, ("127.0.0.1", section.smtp_port or 0))


async def test_a_mail_that_is_moved_in_its_maildir_stays_the_same(tmp_path: Path) -> None:
    async with open_mailbox(Mailbox(maildir=tmp_path)) as source:
        assert await source.ids() == frozenset()
        put(tmp_path, letter("Hello"))
        before = await source.ids()
        (tmp_path / "cur").mkdir()
        (tmp_path / "new" / "0.host").rename(tmp_path / "cur" / "0.host:2,S")
        assert await source.ids() == before
        assert [mail.subject for mail in await source.find(ADA, ())] == ["Hello"]


async def unreadable(source: Source) -> str:
    """Give what an inbox says where its mailbox cannot be read."""
    with pytest.raises(ToolError) as found:
        await Inbox(source).receive(ADA, "", 0)
    assert found.value.type == "unavailable"
    return found.value.message


async def test_a_maildir_that_is_not_there_is_told(tmp_path: Path) -> None:
    async with open_mailbox(Mailbox(maildir=tmp_path / "none")) as source:
        assert await unreadable(source) == f"there is no maildir {tmp_path / 'none'}"


async def test_a_mailpit_is_asked_page_by_page_and_changed_in_nothing(mailpit: FakeMailpit) -> None:
    for number in range(250):
        mailpit.take(letter(f"Mail {number}"))
    async with open_mailbox(Mailbox(mailpit=mailpit.url)) as source:
        assert len(await source.ids()) == 250
        mailpit.take(letter("New"))
        inbox = Inbox(source, {id for id, _ in mailpit.messages[1:]})
        assert (await inbox.receive(ADA, "new", 5)).mail.subject == "New"
    assert sum(path.endswith("/raw") for path in mailpit.asked) == 1, "what was there before is not fetched"
    assert [path.partition("?")[0] for path in mailpit.asked[:2]] == ["/api/v1/messages"] * 2
    assert any("start=200" in path for path in mailpit.asked)
    assert any(path.startswith("/api/v1/search?") and "to%3A%22ada%40example.org%22" in path for path in mailpit.asked)


async def test_what_a_mailpit_demands_is_given_and_what_is_none_is_told(
    mailpit: FakeMailpit, monkeypatch: pytest.MonkeyPatch
) -> None:
    mailpit.access = "tester:open sesame"
    monkeypatch.setenv("BOX", "open sesame")
    section: dict[str, Any] = {"mailpit": mailpit.url, "basic_auth": {"username": "tester", "password": {"env": "BOX"}}}
    async with open_mailbox(Mailbox.model_validate(section)) as source:
        assert await source.ids() == frozenset()
    async with open_mailbox(Mailbox(mailpit=mailpit.url)) as source:
        assert await unreadable(source) == f"the Mailpit at {mailpit.url} answers with status 401"
        mailpit.access, mailpit.broken = "", True
        assert "does not answer as a Mailpit does" in await unreadable(source)
    nowhere = f"http://127.0.0.1:{port_of_nobody()}"
    async with open_mailbox(Mailbox(mailpit=nowhere)) as source:
        assert (await unreadable(source)).startswith(f"the Mailpit at {nowhere} does not answer: ")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "expected one of smtp_port, maildir and mailpit"),
        ({"smtp_port": 2525, "maildir": "mail"}, "expected one of smtp_port, maildir and mailpit"),
        ({"maildir": "mail", "basic_auth": {"username": "a", "password": {"env": "B"}}}, "only with mailpit"),
        ({"smtp_port": 0}, "greater than 0"),
        ({"smtp_port": 2525, "domain": "two words"}, "String should match pattern"),
    ],
)
def test_a_mailbox_is_of_one_kind(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Mailbox.model_validate(given)


def test_a_secret_of_the_site_is_not_called_as_those_of_mails(tmp_path: Path) -> None:
    file = tmp_path / "sim.toml"
    file.write_text(
        "[site.a]\nbase_url = 'http://127.0.0.1:8000'\nsecrets = { mailed_code_1 = { env = 'A' } }\n", "utf-8"
    )
    with pytest.raises(ConfigError, match="expected a name that does not begin with 'mailed_'"):
        load_settings(file)


async def test_the_examples_of_the_reference_are_mailboxes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAILPIT_PASSWORD", "open sesame")
    blocks = re.findall(r"```toml\n(.*?)```", (REPOSITORY / "docs" / "sites.md").read_text("utf-8"), re.DOTALL)
    examples = [block for block in blocks if ".mailbox]" in block]
    kinds = []
    for example in examples:
        (name,) = set(re.findall(r"\[site\.(\w+)\.mailbox\]", example))
        whole = example if "base_url" in example else f"[site.{name}]\nbase_url = 'http://127.0.0.1:8000'\n{example}"
        (tmp_path / "sim.toml").write_text(whole.replace("2525", str(port_of_nobody())), "utf-8")
        settings = load_settings(tmp_path / "sim.toml")
        section = settings.mailbox_for(settings.site(name))
        assert section is not None
        kinds += [kind for kind in ("smtp_port", "maildir", "mailpit") if getattr(section, kind) is not None]
        async with open_mailbox(section) as source:
            assert source.words
    assert kinds == ["smtp_port", "maildir", "mailpit"]


def test_a_site_has_its_own_mailbox_or_that_of_all(tmp_path: Path) -> None:
    file = tmp_path / "sim.toml"
    file.write_text(
        "[mailbox]\nsmtp_port = 2525\n[site.a]\nbase_url = 'http://127.0.0.1:1'\n"
        "[site.b]\nbase_url = 'http://127.0.0.1:2'\nmailbox = { maildir = 'post' }\n",
        "utf-8",
    )
    settings = load_settings(file)
    both = [settings.mailbox_for(settings.site(name)) for name in ("a", "b")]
    assert [box and box.words for box in both] == ["mail at 127.0.0.1:2525", f"the maildir {tmp_path / 'post'}"]
    file.write_text("[site.a]\nbase_url = 'http://127.0.0.1:1'\n", "utf-8")
    settings = load_settings(file)
    assert settings.mailbox_for(settings.site("a")) is None
