from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from email.utils import formatdate
from pathlib import Path

import httpx
import pytest

from simulator.config import load_settings
from simulator.errors import ToolError
from simulator.packs.bookshop.covers import Cover, CoverService, download
from simulator.packs.bookshop.covers.address import is_public
from simulator.packs.bookshop.covers.cache import MAX_AGE_SECONDS
from simulator.packs.bookshop.covers.pace import Clock
from simulator.packs.bookshop.settings import Covers, settings_of
from tests.fakes.cover_services import CoverServices, body, cover_services, hang, picture, status
from tests.ports import port_of_nobody


class Time:
    """A clock that moves only when somebody waits."""

    def __init__(self) -> None:
        self.at = 1000.0
        self.waits: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.waits.append(round(seconds, 3))
        self.at += seconds

    def clock(self) -> Clock:
        return Clock(now=lambda: self.at, wall=lambda: 1.8e9 + self.at, sleep=self.sleep)


@pytest.fixture
def services() -> Iterator[CoverServices]:
    with cover_services() as running:
        yield running


@pytest.fixture
def cache_dir(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def settings(origin: str, cache_dir: Path, *sources: str, **changes: object) -> Covers:
    base = settings_of(load_settings().site()).covers
    return base.model_copy(
        update={
            "sources": sources or ("open_library",),
            "cache_dir": cache_dir,
            "contact": "books@example.org",
            "open_library_url": origin,
            "open_library_covers_url": origin,
            "google_books_url": f"{origin}/books/v1",
            "rate": 100.0,
            "allow_private": True,
            **changes,
        }
    )


class TestOpenLibrary:
    async def test_gives_covers_of_books_that_have_one_each_title_once(
        self, services: CoverServices, cache_dir: Path
    ) -> None:
        async with CoverService(settings(services.origin, cache_dir)) as covers:
            found = await covers.find("crime & detection", 4)
        assert found == [
            Cover(
                title="The Hound of the Baskervilles",
                author="Arthur Conan Doyle",
                cover_url=f"{services.origin}/b/id/6717853-L.jpg?default=false",
                source="open_library",
            ),
            Cover(
                title="Anonymous Crimes",
                author="",
                cover_url=f"{services.origin}/b/id/12-L.jpg?default=false",
                source="open_library",
            ),
            Cover(
                title="The Moonstone",
                author="Wilkie Collins, A. Second",
                cover_url=f"{services.origin}/b/id/404-L.jpg?default=false",
                source="open_library",
            ),
        ]
        assert services.asked == ["/search.json?q=crime+%26+detection&fields=title%2Cauthor_name%2Ccover_i&limit=20"]

    async def test_is_told_who_asks(self, services: CoverServices, cache_dir: Path) -> None:
        async with CoverService(settings(services.origin, cache_dir)) as covers:
            await covers.find("x")
        (agent,) = services.agents
        assert agent.startswith("simulator/")
        assert agent.endswith("(books@example.org)")

    async def test_verify_tells_a_cover_from_a_missing_one(self, services: CoverServices, cache_dir: Path) -> None:
        async with CoverService(settings(services.origin, cache_dir)) as covers:
            found = await covers.find("crime")
            assert [await covers.verify(cover) for cover in found] == [True, True, False]

    async def test_an_answer_in_another_form_is_unavailable_and_not_kept(
        self, services: CoverServices, cache_dir: Path
    ) -> None:
        services.then("/search.json", body(b"<html>maintenance</html>", "text/html"))
        async with CoverService(settings(services.origin, cache_dir)) as covers:
            with pytest.raises(ToolError, match="Open Library answered in a form that is not understood"):
                await covers.find("crime")
            assert len(await covers.find("crime")) == 3


class TestGoogleBooks:
    async def test_gives_flat_covers_over_https(self, services: CoverServices, cache_dir: Path) -> None:
        async with CoverService(settings(services.origin, cache_dir, "google_books")) as covers:
            found = await covers.find("victorian crime", 2)
            assert [(cover.title, cover.author) for cover in found] == [
                ("The Moonstone", "Wilkie Collins"),
                ("Elsewhere", ""),
            ]
            assert found[0].cover_url.startswith(f"{services.origin}/books/content?id=a1&")
            assert found[1].cover_url == "https://books.google.com/books/content?id=b2&printsec=frontcover&img=1&zoom=1"
            image = await covers.image(found[0].cover_url)
        assert image.media_type == "image/png"  # by content; the server calls it a JPEG
        assert image.data == picture("PNG")


class TestChain:
    async def test_the_next_source_fills_up_and_titles_stay_unique(
        self, services: CoverServices, cache_dir: Path
    ) -> None:
        chain = settings(services.origin, cache_dir, "open_library", "google_books", "offline")
        async with CoverService(chain) as covers:
            found = await covers.find("victorian crime", 6)
        assert [cover.source for cover in found] == ["open_library"] * 3 + ["google_books"] + ["offline"] * 2
        assert len({cover.title for cover in found}) == 6

    async def test_a_later_source_is_not_asked_when_there_is_enough(
        self, services: CoverServices, cache_dir: Path
    ) -> None:
        async with CoverService(settings(services.origin, cache_dir, "open_library", "google_books")) as covers:
            assert len(await covers.find("crime", 2)) == 2
        assert services.count() == {"/search.json": 1}

    async def test_offline_stands_in_for_a_source_that_fails(self, cache_dir: Path) -> None:
        dead = settings(f"http://127.0.0.1:{port_of_nobody()}", cache_dir, "open_library", "offline")
        async with CoverService(dead) as covers:
            found = await covers.find("classic crime")
            assert [cover.source for cover in found] == ["offline"] * 4
            assert all([await covers.verify(cover) for cover in found])
            assert (await covers.image(found[0].cover_url)).source_url == found[0].cover_url

    async def test_without_any_source_left_the_reason_is_told(self, cache_dir: Path) -> None:
        async with CoverService(settings(f"http://127.0.0.1:{port_of_nobody()}", cache_dir)) as covers:
            with pytest.raises(ToolError, match=r"no cover source could be asked: .*/search\.json cannot be") as caught:
                await covers.find("crime")
        assert caught.value.type == "unavailable"

    async def test_the_bundled_settings_need_no_network(self, cache_dir: Path) -> None:
        def refuse(request: httpx.Request) -> httpx.Response:
            raise AssertionError(request.url)

        bundled = load_settings()
        offline = settings_of(bundled.site("bookshop")).covers
        async with CoverService(offline, transport=httpx.MockTransport(refuse)) as covers:
            assert len(await covers.find("classic crime")) == 4


class TestManners:
    async def test_the_same_question_is_asked_once(self, services: CoverServices, cache_dir: Path) -> None:
        first = settings(services.origin, cache_dir)
        async with CoverService(first) as covers:
            answers = await asyncio.gather(*(covers.find("crime") for _ in range(20)))
        async with CoverService(first) as covers:  # as in another process, from the disk
            assert await covers.find("crime") == answers[0] == answers[19]
        assert services.count() == {"/search.json": 1}

    async def test_an_old_answer_is_asked_for_again(self, services: CoverServices, cache_dir: Path) -> None:
        clock = Clock(wall=lambda: time.time() + MAX_AGE_SECONDS + 1)
        async with CoverService(settings(services.origin, cache_dir), clock=clock) as covers:
            await covers.find("crime")
            await covers.find("crime")
        assert services.count() == {"/search.json": 2}

    async def test_a_cache_that_cannot_be_written_costs_no_answer(
        self, services: CoverServices, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        (tmp_path / "file").write_text("in the way")
        async with CoverService(settings(services.origin, tmp_path / "file")) as covers:
            assert len(await covers.find("crime")) == 3
        assert "covers are not cached in" in caplog.text

    async def test_requests_to_a_host_are_kept_apart(self, services: CoverServices, cache_dir: Path) -> None:
        clock = Time()
        slow = settings(services.origin, cache_dir, rate=2.0)
        async with CoverService(slow, clock=clock.clock()) as covers:
            for query in ("one", "two", "three"):
                await covers.find(query)
        assert clock.waits == [0.5, 0.5]

    async def test_a_short_wait_that_is_asked_for_is_waited(self, services: CoverServices, cache_dir: Path) -> None:
        clock = Time()
        services.then("/search.json", status(429, Retry_After="2"))
        async with CoverService(settings(services.origin, cache_dir), clock=clock.clock()) as covers:
            assert len(await covers.find("crime")) == 3
        assert 2.0 in clock.waits
        assert services.count() == {"/search.json": 2}

    @pytest.mark.parametrize(
        ("code", "header", "pause"),
        [
            (429, {"Retry_After": "120"}, 120),
            (403, {}, 60),
            (503, {"Retry_After": formatdate(1.8e9 + 1000 + 300, usegmt=True)}, 300),
            (429, {"Retry_After": "soon"}, 60),
            (429, {"Retry_After": "999999"}, 3600),
        ],
    )
    async def test_a_host_that_refuses_is_left_alone_for_as_long_as_it_says(
        self, services: CoverServices, cache_dir: Path, code: int, header: dict[str, str], pause: int
    ) -> None:
        clock = Time()
        services.then("/search.json", status(code, **header))
        async with CoverService(settings(services.origin, cache_dir), clock=clock.clock()) as covers:
            with pytest.raises(ToolError, match=f"answers {code}"):
                await covers.find("crime")
            clock.at += pause - 5
            with pytest.raises(ToolError, match=f"answers {code}; it is left alone for another 5 s"):
                await covers.find("other")
            assert services.count() == {"/search.json": 1}
            clock.at += 6
            assert len(await covers.find("crime")) == 3

    async def test_a_host_that_asks_twice_for_a_short_wait_is_left_alone(
        self, services: CoverServices, cache_dir: Path
    ) -> None:
        services.then("/search.json", status(429, Retry_After="1"), status(429, Retry_After="30"))
        async with CoverService(settings(services.origin, cache_dir), clock=Time().clock()) as covers:
            with pytest.raises(ToolError, match="answers 429"):
                await covers.find("crime")
            with pytest.raises(ToolError, match="left alone for another 30 s"):
                await covers.find("crime")
        assert services.count() == {"/search.json": 2}

    async def test_no_answer_costs_one_time_out_for_all(self, services: CoverServices, cache_dir: Path) -> None:
        services.then("/search.json", *[hang(services)] * 10)
        quick = settings(services.origin, cache_dir, timeout_seconds=2)
        async with CoverService(quick) as covers:
            with pytest.raises(ToolError, match=r"did not answer within 2 s"):
                await covers.find("one")
            results = await asyncio.gather(*(covers.find(f"q{n}") for n in range(30)), return_exceptions=True)
        assert all("left alone" in str(result) for result in results)
        assert services.count() == {"/search.json": 1}

    async def test_no_network_is_noticed_once(self, cache_dir: Path) -> None:
        looked_up = []

        async def no_network(host: str, port: int) -> list[str]:
            looked_up.append(host)
            raise OSError("Temporary failure in name resolution")

        covers = CoverService(
            settings("https://openlibrary.test", cache_dir, "open_library", "offline", allow_private=False),
            resolve=no_network,
        )
        async with covers:
            for number in range(5):
                assert (await covers.find(f"crime {number}"))[0].source == "offline"
        assert looked_up == ["openlibrary.test"]


class TestDownload:
    async def fails(self, covers: CoverService, url: str) -> ToolError:
        with pytest.raises(ToolError) as caught:
            await covers.image(url)
        return caught.value

    async def test_gives_the_image(self, services: CoverServices, cache_dir: Path) -> None:
        url = f"{services.origin}/b/id/5-L.jpg"
        image = await download(url, settings(services.origin, cache_dir))
        assert (image.data, image.media_type, image.source_url) == (picture(), "image/jpeg", url)

    @pytest.mark.parametrize("length", [True, False])
    async def test_stops_at_the_size_limit(self, services: CoverServices, cache_dir: Path, length: bool) -> None:
        services.then("/b/id/5-L.jpg", body(picture() + bytes(3_000_000), length=length))
        async with CoverService(settings(services.origin, cache_dir, max_bytes=2_000_000)) as covers:
            error = await self.fails(covers, f"{services.origin}/b/id/5-L.jpg")
            assert (error.type, "larger than 2,000,000 bytes" in error.message) == ("rejected", True)

    async def test_goes_by_content_not_by_type(self, services: CoverServices, cache_dir: Path) -> None:
        services.then("/b/id/5-L.jpg", body(b"<html><script>", "image/jpeg"))
        async with CoverService(settings(services.origin, cache_dir)) as covers:
            error = await self.fails(covers, f"{services.origin}/b/id/5-L.jpg")
            assert (error.type, "is not a JPEG, PNG or WebP" in error.message) == ("rejected", True)
            assert (await covers.image(f"{services.origin}/b/id/5-L.jpg")).data == picture()

    async def test_follows_redirects_on_allowed_hosts_only_so_far(
        self, services: CoverServices, cache_dir: Path
    ) -> None:
        services.then("/b/id/5-L.jpg", *[status(302, Location="/b/id/5-L.jpg")] * 3)
        async with CoverService(settings(services.origin, cache_dir)) as covers:
            assert (await covers.image(f"{services.origin}/b/id/5-L.jpg")).data == picture()
            services.then("/b/id/6-L.jpg", *[status(302, Location="/b/id/6-L.jpg")] * 9)
            error = await self.fails(covers, f"{services.origin}/b/id/6-L.jpg")
            assert (error.type, "more than 3 redirects" in error.message) == ("rejected", True)
        assert services.count() == {"/b/id/5-L.jpg": 4, "/b/id/6-L.jpg": 4}

    async def test_a_redirect_to_another_port_of_this_machine_is_blocked(
        self, services: CoverServices, cache_dir: Path
    ) -> None:
        with cover_services() as inner:
            services.then("/b/id/5-L.jpg", status(302, Location=f"{inner.origin}/b/id/1-L.jpg"))
            async with CoverService(settings(services.origin, cache_dir)) as covers:
                error = await self.fails(covers, f"{services.origin}/b/id/5-L.jpg")
            assert (error.type, "none of the hosts" in error.message) == ("blocked", True)
            assert inner.asked == []

    @pytest.mark.parametrize(
        ("url", "said"),
        [
            ("http://covers.test/1.jpg", "may not be fetched over http"),
            ("file:///etc/passwd", "expected a URL with a host"),
            ("ftp://covers.test/1.jpg", "may not be fetched over ftp"),
            ("data:image/png;base64,AAAA", "expected a URL with a host"),
            ("/relative.jpg", "expected a URL with a host"),
            ("https://[bad/1.jpg", "a cover cannot be fetched from"),
            ("https://covers.test:99999/1.jpg", "a cover cannot be fetched from"),
            ("https:///nohost", "expected a URL with a host"),
            ("https://elsewhere.test/1.jpg", "elsewhere.test:443 is none of the hosts"),
            ("https://covers.test:8443/1.jpg", "covers.test:8443 is none of the hosts"),
            ("https://me@covers.test/1.jpg", "may not be fetched with a user name"),
            ("https://evilarchive.org/1.jpg", "evilarchive.org:443 is none of the hosts"),
            ("https://127.0.0.1/1.jpg", "127.0.0.1:443 is none of the hosts"),
            ("https://covers.test/1.jpg", "covers.test leads to 10.0.0.5, which is no public address"),
            ("https://ia800.us.archive.org/1.jpg", "leads to 10.0.0.5, which is no public address"),
        ],
    )
    async def test_only_public_addresses_of_the_sources_are_asked(self, cache_dir: Path, url: str, said: str) -> None:
        async def inside(host: str, port: int) -> list[str]:
            return ["93.184.216.34", "10.0.0.5"]

        def refuse(request: httpx.Request) -> httpx.Response:
            raise AssertionError(request.url)

        strict = settings("https://covers.test", cache_dir, allow_private=False)
        async with CoverService(strict, resolve=inside, transport=httpx.MockTransport(refuse)) as covers:
            error = await self.fails(covers, url)
        assert error.type == "blocked"
        assert said in error.message

    async def test_a_source_that_is_not_configured_lends_no_hosts(self, cache_dir: Path) -> None:
        async with CoverService(
            settings("https://covers.test", cache_dir, "google_books", google_books_url="https://g.test")
        ) as covers:
            for url in ("https://archive.org/1.jpg", "https://covers.test/b/id/1-L.jpg"):
                assert (await self.fails(covers, url)).type == "blocked"

    async def test_the_address_that_was_checked_is_the_one_connected_to(
        self, services: CoverServices, cache_dir: Path
    ) -> None:
        """A name that changes its meaning between two look-ups is caught at the second."""
        meanings = iter([["93.184.216.34"], ["127.0.0.1"]])
        connected: list[tuple[str, object]] = []
        inner = httpx.AsyncHTTPTransport()

        async def rebinding(host: str, port: int) -> list[str]:
            return next(meanings)

        class ToTheFake(httpx.AsyncBaseTransport):
            async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
                connected.append((request.url.host, request.extensions.get("sni_hostname")))
                request.url = request.url.copy_with(scheme="http", host="127.0.0.1", port=int(port))
                return await inner.handle_async_request(request)

            async def aclose(self) -> None:
                await inner.aclose()

        port = services.origin.rpartition(":")[2]
        services.then("/b/id/5-L.jpg", status(302, Location="https://covers.test/b/id/6-L.jpg"))
        strict = settings("https://covers.test", cache_dir, allow_private=False)
        async with CoverService(strict, resolve=rebinding, transport=ToTheFake()) as covers:
            error = await self.fails(covers, "https://covers.test/b/id/5-L.jpg")
        assert (error.type, "covers.test leads to 127.0.0.1" in error.message) == ("blocked", True)
        assert connected == [("93.184.216.34", "covers.test")]
        assert services.hosts == ["covers.test"]


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True),
        ("2606:2800:220:1::1", True),
        ("127.0.0.1", False),
        ("0.0.0.0", False),
        ("10.1.2.3", False),
        ("172.16.0.1", False),
        ("192.168.1.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("224.0.0.1", False),
        ("255.255.255.255", False),
        ("::1", False),
        ("::", False),
        ("fe80::1%eth0", False),
        ("fd00::1", False),
        ("ff02::1", False),
        ("::ffff:127.0.0.1", False),
        ("::ffff:93.184.216.34", True),
        ("64:ff9b::7f00:1", False),
        ("64:ff9b::5db8:d822", True),
        ("2002:7f00:1::", False),
    ],
)
def test_public_addresses(address: str, public: bool) -> None:
    assert is_public(address) is public
