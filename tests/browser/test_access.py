"""Sites that let nobody in who does not show what they demand: each is asked with it, and without."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trustme
from cryptography.hazmat.primitives import serialization
from playwright.async_api import BrowserContext, Page
from playwright.async_api import Error as PlaywrightError

from simulator.browser.launch.access import Access, Certificate, public_key, trusted_keys
from simulator.browser.launch.executable import find_executable
from simulator.browser.launch.network import Endpoint, NetworkPolicy, endpoints
from simulator.browser.launch.pool import BrowserPool, ContextProfile
from tests.fakes.door import PASSPHRASE, Answer, Door, open_door, server_tls, write_papers

pytestmark = pytest.mark.promise("access to a site", quick=2)

STATE = {
    "cookies": [
        {
            "name": "session", "value": "c00kie-of-a-login", "domain": "127.0.0.1", "path": "/", "expires": -1,
            "httpOnly": True, "secure": False, "sameSite": "Lax",
        },
        {
            "name": "theme", "value": "midnight", "domain": "127.0.0.1", "path": "/", "expires": -1,
            "httpOnly": False, "secure": False, "sameSite": "Lax",
        },
    ],
}  # fmt: skip


@asynccontextmanager
async def visitor(
    door: Door, access: Access, *, allowed: tuple[str, ...] = (), mark: Callable[[], str] = str
) -> AsyncIterator[Page]:
    policy = NetworkPolicy(endpoints(door.url, allowed))
    keys = await trusted_keys(access, policy.allowed)
    pool = BrowserPool(find_executable(), policy, origin=door.url, authority=access.authority, keys=keys)
    context: BrowserContext
    async with pool, pool.context(ContextProfile(), access, marking=mark) as context:
        yield await context.new_page()


async def seen(page: Page, url: str) -> str:
    await page.goto(url)
    return await page.inner_text("h1")


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def papers(authority: trustme.CA, tmp_path: Path) -> Path:
    """A folder with the authority's certificate, and a user's certificate whose key has a passphrase."""
    write_papers(authority, tmp_path)
    return tmp_path


async def test_a_stored_login_is_there_from_the_first_request() -> None:
    with open_door(Door(lambda headers: "session=c00kie-of-a-login" in headers.get("Cookie", ""))) as door:
        stored = [{"name": "auth", "value": '{"token": "0123456789abcdef01"}'}]
        login = {**STATE, "origins": [{"origin": door.url, "localStorage": stored}]}
        access = Access(login=login)
        async with visitor(door, access) as page:
            assert await seen(page, door.url) == "Inside"
            assert "0123456789abcdef01" in await page.evaluate("() => localStorage.auth")
        async with visitor(door, Access()) as page:
            assert await seen(page, door.url) == "Outside"
    # A word that stands on any page is no secret of a login.
    assert access.secrets() == {"login_1": "c00kie-of-a-login", "login_2": "0123456789abcdef01"}


async def test_every_request_says_what_made_it() -> None:
    steps = iter(("run=a; step=1", "run=a; step=2"))
    with open_door(Door(lambda _: True)) as door:
        async with visitor(door, Access(mark="X-Synthetic"), mark=lambda: next(steps)) as page:
            await seen(page, f"{door.url}/one")
            await seen(page, f"{door.url}/two")
        assert [(path, headers["X-Synthetic"]) for path, headers in door.asked] == [
            ("/one", "run=a; step=1"),
            ("/two", "run=a; step=2"),
        ]


async def test_headers_stay_with_the_site_where_it_redirects_to_another_host() -> None:
    with open_door(Door(lambda _: True)) as beside, open_door(Door(lambda _: True)) as door:
        beside.answer = lambda path, _, __: Answer(headers={"Access-Control-Allow-Origin": "*"})
        pages = {
            "/away": Answer("", 302, {"Location": f"{beside.url}/away"}),
            "/home": Answer("", 302, {"Location": f"{door.url}/there"}),
            "/page": Answer(
                "<h1></h1><iframe src=/away></iframe><script>"
                "fetch('/away').then(async () => { document.querySelector('h1').append('Asked'); }); open('/away');"
                "</script>"
            ),
        }
        door.answer = lambda path, _, __: pages.get(path, Answer())
        access = Access(headers={"X-Access": "let me in"}, mark="X-Synthetic")
        allowed = (f"127.0.0.1:{beside.port}",)
        async with visitor(door, access, allowed=allowed, mark=lambda: "run=a") as page:
            assert await seen(page, f"{door.url}/away") == "Inside"
            assert await seen(page, f"{door.url}/home") == "Inside"
            async with page.expect_popup() as popup:
                await page.goto(f"{door.url}/page")
            await (await popup.value).wait_for_url(f"{beside.url}/**")
            await page.get_by_text("Asked").wait_for()
            await page.frame_locator("iframe").get_by_text("Inside").wait_for()
    assert len(beside.asked) >= 4
    for _, headers in beside.asked:
        sent = {name.lower() for name in headers}
        assert not {"x-access", "x-synthetic"} & sent
        assert {"user-agent", "accept-language"} <= sent
    assert {headers.get("X-Access", headers.get("x-access")) for _, headers in door.asked} == {"let me in"}


async def test_a_private_authority_vouches_for_its_hosts_and_no_other(authority: trustme.CA, papers: Path) -> None:
    access = Access(authority=papers / "authority.pem")
    with open_door(Door(lambda _: True, server_tls(authority))) as door:
        async with visitor(door, access) as page:
            assert await seen(page, door.url) == "Inside"
        async with visitor(door, Access()) as page:
            with pytest.raises(PlaywrightError, match="ERR_CERT_AUTHORITY_INVALID"):
                await page.goto(door.url)
    for tls in (server_tls(authority, "other.example.org"), server_tls(trustme.CA())):
        with open_door(Door(lambda _: True, tls)) as door:
            async with visitor(door, access) as page:
                with pytest.raises(PlaywrightError, match="ERR_CERT_"):
                    await page.goto(door.url)
            assert door.asked == []


async def test_the_site_is_shown_a_certificate(authority: trustme.CA, papers: Path) -> None:
    held = Certificate(papers / "user.pem", papers / "user.key", PASSPHRASE)
    with (
        open_door(Door(lambda _: True, server_tls(authority, demanding=True))) as door,
        open_door(Door(lambda _: True)) as beside,
        open_door(Door(lambda _: True)) as forbidden,
    ):
        access = Access(authority=papers / "authority.pem", certificate=held)
        async with visitor(door, access, allowed=(f"127.0.0.1:{beside.port}",)) as page:
            assert await seen(page, door.url) == "Inside"
            assert await seen(page, beside.url) == "Inside"
            with pytest.raises(PlaywrightError, match="ERR_"):
                await page.goto(forbidden.url)
        async with visitor(door, Access(authority=papers / "authority.pem")) as page:
            with pytest.raises(PlaywrightError, match="ERR_"):
                await page.goto(door.url)
        assert (len(door.asked), len(beside.asked), forbidden.asked) == (1, 1, [])


async def test_who_shows_a_certificate_looks_whom_it_is_shown_to(authority: trustme.CA, papers: Path) -> None:
    held = Certificate(papers / "user.pem", papers / "user.key", PASSPHRASE)
    with open_door(Door(lambda _: True, server_tls(trustme.CA()))) as door:
        async with visitor(door, Access(authority=papers / "authority.pem", certificate=held)) as page:
            answer = await page.goto(door.url)
            assert answer is not None
            assert answer.status == 503
        assert door.asked == []


async def test_keys_are_looked_up_where_the_authority_signed_for_the_host(authority: trustme.CA, papers: Path) -> None:
    access = Access(authority=papers / "authority.pem")
    with (
        open_door(Door(lambda _: True, server_tls(authority))) as signed,
        open_door(Door(lambda _: True, server_tls(authority, "other.example.org"))) as other,
        open_door(Door(lambda _: True)) as plain,
    ):
        places = [Endpoint("127.0.0.1", door.port) for door in (signed, other, plain)]
        assert len(await trusted_keys(access, places)) == 1
        assert await trusted_keys(Access(), places) == []


def test_the_public_key_is_cut_out_of_a_certificate(authority: trustme.CA) -> None:
    from cryptography import x509

    certificate = x509.load_pem_x509_certificate(authority.issue_cert("a.example").cert_chain_pems[0].bytes())
    whole = certificate.public_bytes(serialization.Encoding.DER)
    spki = serialization.PublicFormat.SubjectPublicKeyInfo
    assert public_key(whole) == certificate.public_key().public_bytes(serialization.Encoding.DER, spki)


def test_what_must_not_be_seen_is_told_and_never_printed() -> None:
    access = Access(username="tester", password="open sesame", headers={"X-Access": "let me in"}, login=STATE)
    assert access.secrets() == {
        "header_x_access": "let me in",
        "basic_auth": "open sesame",
        "basic_auth_header": base64.b64encode(b"tester:open sesame").decode(),
        "login_1": "c00kie-of-a-login",
    }
    assert not any(secret in repr(access) for secret in access.secrets().values())
