from __future__ import annotations

import json
from pathlib import Path

import pytest

from simulator.config import (
    Browser,
    Endpoint,
    Model,
    Models,
    Recording,
    Run,
    SecretRef,
    Settings,
    Site,
    check_target,
    default_text,
    host_port,
    load_settings,
)
from simulator.config.site import ROUTES
from simulator.config.values import Section
from simulator.domain import Edit, Message, Reaction, SiteThing
from simulator.errors import ConfigError, HostRefused, KeyMissing
from simulator.packs.bookshop.settings import BookshopSettings, Covers, settings_of
from simulator.toml_places import positions

REPOSITORY = Path(__file__).parent.parent


def read(tmp_path: Path, text: str, environ: dict[str, str] | None = None) -> Settings:
    file = tmp_path / "sim.toml"
    file.write_text(text, "utf-8")
    return load_settings(file, environ if environ is not None else {})


def site_of(tmp_path: Path, text: str) -> Site:
    return read(tmp_path, f"[site.shop]\n{text}").site("shop")


def mistakes(tmp_path: Path, text: str) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        read(tmp_path, text)
    return [line.removeprefix(f"{tmp_path}/") for line in str(caught.value).splitlines()]


class TestFinding:
    def test_the_file_at_the_top_is_the_packaged_default(self) -> None:
        assert (REPOSITORY / "sim.toml").read_text("utf-8") == default_text()

    def test_an_empty_folder_gets_the_bundled_bookshop(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        settings = load_settings()
        assert settings.file is None
        assert settings.root == tmp_path
        assert settings.site().name == "bookshop"
        assert settings.site().bundled
        assert settings.site().database == tmp_path / ".sim/bookshop.db"
        assert settings.recording.db == tmp_path / "recordings/runs.db"

    def test_the_nearest_file_above_is_taken_and_paths_are_relative_to_it(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "sim.toml").write_text("[recording]\ndb = 'mine.db'\n", "utf-8")
        below = tmp_path / "a/b"
        below.mkdir(parents=True)
        monkeypatch.chdir(below)
        settings = load_settings()
        assert settings.file == tmp_path / "sim.toml"
        assert settings.recording.db == tmp_path / "mine.db"
        assert settings.site("bookshop").database == tmp_path / ".sim/bookshop.db"

    def test_absolute_and_home_paths_stay(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("HOME", "/home/someone")
        settings = read(tmp_path, "recording.db = '/data/x.db'\nbookshop.covers.cache_dir = '~/covers'\n")
        assert settings.recording.db == Path("/data/x.db")
        assert settings_of(settings.site()).covers.cache_dir == Path("/home/someone/covers")

    def test_a_file_that_is_not_there(self, tmp_path: Path) -> None:
        with pytest.raises(ConfigError, match=r"none\.toml:1:1: there is no such file; 'sim init' writes one"):
            load_settings(tmp_path / "none.toml")

    def test_a_file_that_is_not_text(self, tmp_path: Path) -> None:
        (tmp_path / "sim.toml").write_bytes(b"a = 1\n\xff")
        with pytest.raises(
            ConfigError, match=r"sim\.toml:\d+:\d+: expected UTF-8 text; save the file in that encoding"
        ):
            load_settings(tmp_path / "sim.toml")

    def test_a_folder(self, tmp_path: Path) -> None:
        with pytest.raises(ConfigError, match="this is a folder; name a file in it"):
            load_settings(tmp_path)


class TestMistakes:
    @pytest.mark.parametrize(
        ("text", "said"),
        [
            (
                '[run]\nconcurrency = "three"',
                "2:15: run.concurrency: expected a whole number above 0, or 'auto', found 'three'",
            ),
            (
                "[run]\nconcurrency = true",
                "2:15: run.concurrency: expected a whole number above 0, or 'auto', found true",
            ),
            ('[run]\n  screenshot = "all"', "2:3: run.screenshot: unknown key; did you mean 'screenshots'?"),
            (
                "screenshots = 'all'",
                "1:1: screenshots: unknown key; known here are run, recording, browser, models, packs, data, "
                "mailbox, site",
            ),
            (
                "[run]\nscreenshots = 'some'",
                "2:15: run.screenshots: expected one of 'none', 'failures', 'all', found 'some'",
            ),
            ("[browser]\nheaded = 1", "2:10: browser.headed: expected true or false, found 1"),
            ("[browser]\naction_ms = 0", "2:13: browser.action_ms: expected a number above 0, found 0"),
            ("[browser]\naction_ms = '5'", "2:13: browser.action_ms: expected a whole number, found '5'"),
            ("[browser]\nargs = '--x'", "2:8: browser.args: expected a list, found '--x'"),
            ("[bookshop.covers]\nrate = nan", "2:8: bookshop.covers.rate: expected a finite number, found nan"),
            ("[bookshop.covers]\nsources = []", "2:11: bookshop.covers.sources: expected at least one value, found []"),
            ("[bookshop.covers]\nrat = 1", "2:1: bookshop.covers.rat: unknown key; did you mean 'rate'?"),
            ("[bookshop]\ncover = {}", "2:1: bookshop.cover: unknown key; did you mean 'covers'?"),
            ("bookshop = 3", "1:12: bookshop: expected a table, found a number"),
            ("[covers]\nrate = 1", "1:2: covers: has moved; write bookshop.covers"),
            ("[recording]\ndb = 3", "2:6: recording.db: expected a path in quotes, found 3"),
            ("site = 1", "1:8: site: expected a table, found a number"),
            ("[[run]]", "1:3: run: expected a table, found a list"),
            ("[site.shop]\nbundled = true", "1:2: site.shop.base_url: the key is missing in [site.shop]"),
            (
                "[site.Shop]\nbase_url = 'http://x'",
                "1:2: site.Shop: expected a name of small letters, digits, '-' and '_', found 'Shop'",
            ),
            ("[site.x\n", "1:8: expected ']' at the end of a table declaration"),
            ('a = "x', "1:7: unterminated string"),
        ],
    )
    def test_are_told_with_their_place(self, tmp_path: Path, text: str, said: str) -> None:
        assert mistakes(tmp_path, text) == [f"sim.toml:{said}"]

    @pytest.mark.parametrize(
        ("line", "said"),
        [
            (
                "base_url = 'ftp://x'",
                "2:12: site.shop.base_url: expected an address like 'https://staging.example.com', found 'ftp://x'",
            ),
            (
                "base_url = 'localhost:80'",
                "2:12: site.shop.base_url: expected an address like 'https://staging.example.com', found 'localhost:80'"
                "; did you mean 'http://localhost:80'?",
            ),
            (
                "base_url = 'http://a b'",
                "2:12: site.shop.base_url: expected an address like 'https://staging.example.com', found 'http://a b'",
            ),
            (
                "base_url = 'http://me:pw@x'",
                "2:12: site.shop.base_url: expected an address without user and password; put them in basic_auth",
            ),
            (
                "base_url = 'http://x/?a=1'",
                "2:12: site.shop.base_url: expected an address without '?' and '#', found 'http://x/?a=1'",
            ),
            (
                "allowed_hosts = ['ok', 'a b']",
                "2:24: site.shop.allowed_hosts.1: expected 'host' or 'host:port', found 'a b'",
            ),
            (
                "allowed_hosts = ['ok:99999']",
                "2:18: site.shop.allowed_hosts.0: expected 'host' or 'host:port', found 'ok:99999'",
            ),
            (
                "routes.regster = '/x'",
                "2:1: site.shop.routes.regster: unknown key; did you mean 'register'?",
            ),
            (
                "routes = { seller = '/x/{name}' }",
                "2:21: site.shop.routes.seller: expected {username} in the route, found '{name}'",
            ),
            ("routes.sel = '/x'", "2:1: site.shop.routes.sel: unknown key; did you mean 'sell'?"),
            ("routes.home = '/{x}'", "2:15: site.shop.routes.home: expected no braces in the route, found '{x}'"),
            (
                "routes.My = '/x'",
                "2:1: site.shop.routes.My: expected a name of small letters, digits, '-' and '_', found 'My'",
            ),
            (
                "routes.login = 'login'",
                "2:16: site.shop.routes.login: expected a path that begins with one '/', found 'login'",
            ),
            (
                "routes.login = '//evil.example'",
                "2:16: site.shop.routes.login: expected a path that begins with one '/', found '//evil.example'",
            ),
            (
                "logged_in = { role = 'button', text = 'x' }",
                "2:13: site.shop.logged_in: expected role and name, or text, or selector, and only one of these three",
            ),
            (
                "headers = { A = 'secret' }",
                "2:17: site.shop.headers.A: expected a table, found a text",
            ),
            (
                "headers.A = { env = 'E', fil = 1 }",
                "2:26: site.shop.headers.A.fil: unknown key; known here are env",
            ),
            (
                "grants = ['login', 'upld']",
                "2:20: site.shop.grants.1: expected one of 'login', 'upload', found 'upld'",
            ),
            (
                "bookshop.covers.rate = 0",
                "2:24: site.shop.bookshop.covers.rate: expected a number above 0, found 0",
            ),
            ("covers.rate = 0", "2:1: site.shop.covers: has moved; write site.shop.bookshop.covers"),
            ("stock_seller = 'a'", "2:1: site.shop.stock_seller: has moved; write site.shop.bookshop.stock_seller"),
            (
                "things.ticket.create = '//x'",
                "2:24: site.shop.things.ticket.create: "
                "expected a path that begins with one '/', or the words of a link, found '//x'",
            ),
            (
                "things.ticket = { edit = { fields = [] } }",
                "2:37: site.shop.things.ticket.edit.fields: expected at least one value, found []",
            ),
            ("things.ticket.creat = '/x'", "2:1: site.shop.things.ticket.creat: unknown key; did you mean 'create'?"),
            (
                "things.ticket.react = [{button = 'x', onc = true}]",
                "2:39: site.shop.things.ticket.react.0.onc: unknown key; did you mean 'once'?",
            ),
            (
                "things.ticket.data = 'boks'",
                "2:22: site.shop.things.ticket.data: there is no data set 'boks'; did you mean 'books'?",
            ),
            ("database = 'x.db'", "1:2: site.shop: expected 'database' only with bundled = true"),
        ],
    )
    def test_in_a_site_section(self, tmp_path: Path, line: str, said: str) -> None:
        rest = "" if line.startswith("base_url") else "\nbase_url = 'http://127.0.0.1:1'"
        assert mistakes(tmp_path, f"[site.shop]\n{line}{rest}") == [f"sim.toml:{said}"]

    def test_are_all_told_in_the_order_of_the_file(self, tmp_path: Path) -> None:
        told = mistakes(
            tmp_path, "[browser]\naction_ms = 0\n[run]\nx = 1\n[bookshop]\ny = 2\n[site.a]\nroutes.hom = '/'"
        )
        assert [line.split(": ")[1] for line in told] == [
            "browser.action_ms", "run.x", "bookshop.y", "site.a.base_url", "site.a.routes.hom",
        ]  # fmt: skip


class TestSite:
    def test_addresses(self, tmp_path: Path) -> None:
        site = site_of(tmp_path, "base_url = 'https://Staging.Example.com/shop/'")
        assert site.origin == "https://staging.example.com"
        assert site.host_port == ("staging.example.com", 443)
        assert site.url("/books?q=a") == "https://Staging.Example.com/shop/books?q=a"
        assert site.url("https://other.example/x") == "https://other.example/x"

    def test_a_list_is_found_by_where_something_is_sent(self, tmp_path: Path) -> None:
        routes = 'routes.sell = "/new"\nroutes.my_items = "/mine"\n'
        names = site_of(tmp_path, f'base_url = "http://127.0.0.1"\n{routes}')
        assert names.list_of("/new") is None, "names of routes say nothing"
        said = """[[site.shop.listed]]
sent_to = "/tickets/new"
at = "/mine"
[[site.shop.listed]]
sent_to = "/board/"
at = "/board"
of_all = true
"""
        site = site_of(tmp_path, f'base_url = "http://127.0.0.1"\n{said}')
        assert [site.list_of(one) for one in ("/tickets/new?x=1", "/tickets/new/2", "/board/4/say")] == [
            "/mine", None, "/board",
        ]  # fmt: skip
        assert [site.own_list(one) for one in ("/tickets/new", "/board/4/say")] == ["/mine", ""]

    def test_things(self, tmp_path: Path) -> None:
        said = """create = "/tickets/new"
list = "/tickets"
data = "tickets"
edit = { fields = ["priority"] }
delete = true
react = [{ button = "Vote", once = true }]
message = { field = "Comment", data = "comments" }
"""
        site = site_of(tmp_path, f"base_url = 'http://localhost'\n[site.shop.things.ticket]\n{said}")
        ticket = site.things["ticket"]
        assert (ticket.create, ticket.list, ticket.data) == ("/tickets/new", "/tickets", "tickets")
        assert (ticket.edit, ticket.deleting) == (Edit(fields=("priority",)), "delete")
        assert ticket.react == (Reaction(button="Vote", once=True),)
        assert ticket.message == Message(field="Comment", data="comments")

    def test_routes(self, tmp_path: Path) -> None:
        site = load_settings(REPOSITORY / "sim.toml").site()
        assert site.route("seller") == "/sellers/{username}"
        assert site.route("login") == "/account/login"
        assert site.route("logout") is None
        own = site_of(tmp_path, "base_url = 'http://localhost'\nroutes.tour = '/tours/{day}'")
        assert (own.route("home"), own.route("tour")) == ("/", "/tours/{day}")

    def test_a_pack_that_is_not_in_use_may_keep_its_section_and_routes(self, tmp_path: Path) -> None:
        text = (REPOSITORY / "sim.toml").read_text("utf-8").replace('packs = ["bookshop"]', "packs = []")
        assert read(tmp_path, text).site().route("sell") == "/books/new"

    @pytest.mark.parametrize(
        ("address", "loopback"),
        [
            ("http://127.0.0.1:8765", True),
            ("http://127.9.9.9", True),
            ("http://[::1]:80", True),
            ("http://localhost", True),
            ("http://shop.localhost:81", True),
            ("http://localhost.example.com", False),
            ("http://10.0.0.1", False),
            ("http://127.0.0.1.example.com", False),
            ("http://[::ffff:10.0.0.1]", False),
        ],
    )
    def test_loopback(self, tmp_path: Path, address: str, loopback: bool) -> None:
        site = site_of(tmp_path, f"base_url = '{address}'")
        assert site.is_loopback is loopback
        if loopback:
            check_target(site)
        else:
            with pytest.raises(HostRefused):
                check_target(site)

    def test_a_listed_host_is_accepted_on_its_usual_ports_only(self, tmp_path: Path) -> None:
        site = site_of(tmp_path, "base_url = 'https://s.example'\nallowed_hosts = ['S.example','b.example:81']")
        check_target(site)
        check_target(site.with_base_url("http://s.example"))
        check_target(site.with_base_url("http://b.example:81"))
        with pytest.raises(HostRefused, match=r'add "s\.example:8443" to allowed_hosts in \[site\.shop\]'):
            check_target(site.with_base_url("https://s.example:8443"))
        with pytest.raises(HostRefused, match=r'add "b\.example" to'):
            check_target(site.with_base_url("http://b.example"))

    @pytest.mark.parametrize(
        ("base", "given", "visited"),
        [
            ("https://s.example", "http://s.example/a?b=c#d", "https://s.example/a?b=c#d"),
            ("https://s.example", "http://other.example:80/a", "https://other.example/a"),
            ("https://s.example", "http://other.example:8080/a", "https://other.example:8080/a"),
            ("https://s.example", "HTTP://s.example/{{book.1.title}}", "https://s.example/{{book.1.title}}"),
            ("https://s.example", "http://old.example/a", "http://old.example/a"),
            ("https://s.example", "http://127.0.0.1:81/a", "http://127.0.0.1:81/a"),
            ("https://s.example", "http://shop.localhost/a", "http://shop.localhost/a"),
            ("http://s.example", "http://s.example/a", "http://s.example/a"),
            ("http://s.example:81", "http://s.example/a", "https://s.example/a"),
            ("https://s.example", "https://s.example/a", "https://s.example/a"),
            ("https://s.example", "/a?next=http://b", "/a?next=http://b"),
            ("https://s.example", "", ""),
        ],
    )
    def test_plain_http_is_upgraded_unless_something_says_otherwise(
        self, tmp_path: Path, base: str, given: str, visited: str
    ) -> None:
        assert site_of(tmp_path, f"base_url = '{base}'\nhttp_hosts = ['old.example']").secured(given) == visited

    def test_what_the_browser_may_reach(self, tmp_path: Path) -> None:
        site = site_of(tmp_path, "base_url = 'http://127.0.0.1:8765'\nallowed_hosts = ['cdn.example', '[::1]:99']")
        assert site.allows("http://127.0.0.1:8765/x")
        assert site.allows("https://cdn.example/y")
        assert site.allows("http://[::1]:99/")
        for url in (
            "http://127.0.0.1:8766",
            "http://localhost:8765",
            "https://cdn.example:1",
            "http://[::1]:8",
        ):
            assert not site.allows(url), url

    def test_another_base_url_keeps_the_rest(self, tmp_path: Path) -> None:
        site = site_of(tmp_path, "base_url = 'http://127.0.0.1:1'\ndisposable = true")
        other = site.with_base_url("http://127.0.0.1:2/")
        assert (other.base_url, other.name, other.disposable) == ("http://127.0.0.1:2", "shop", True)
        assert not other.can_be_reset, "nobody has said how"
        assert site.base_url == "http://127.0.0.1:1"
        with pytest.raises(ConfigError, match="base URL of site 'shop': expected an address like"):
            site.with_base_url("127.0.0.1:2")

    def test_the_bundled_shop_is_not_what_another_address_means(self) -> None:
        shop = load_settings().site("bookshop")
        other = shop.with_base_url("http://127.0.0.1:2")
        assert (shop.bundled, shop.can_be_reset) == (True, True)
        assert (other.bundled, other.database, other.can_be_reset) == (False, None, False)

    def test_an_unknown_name_is_answered_with_the_nearest(self, tmp_path: Path) -> None:
        settings = read(tmp_path, "[site.staging]\nbase_url = 'http://localhost'")
        assert settings.site().name == "staging"
        with pytest.raises(ConfigError, match=r"there is no site 'stagin' in .*; did you mean 'staging'"):
            settings.site("stagin")

    def test_what_a_site_says_of_a_pack_overrides_single_keys(self, tmp_path: Path) -> None:
        settings = read(
            tmp_path,
            "bookshop.covers = {rate = 3, contact = 'me'}\n"
            "[site.shop]\nbase_url = 'http://localhost'\nbookshop.covers.rate = 4\n",
        )
        shop = settings_of(settings.site("shop"))
        assert (shop.covers.rate, shop.covers.contact, shop.stock_seller) == (4, "me", None)
        bundled = settings_of(settings.site("bookshop"))
        assert (bundled.covers.rate, bundled.stock_seller) == (3, "house")


class TestSecrets:
    TEXT = (
        "[site.shop]\nbase_url = 'http://localhost'\n"
        "basic_auth = { username = 'u', password = { env = 'STAGING_PASSWORD' } }\n"
        "reset = { url = '/reset', token = { env = 'TOKEN' } }\n"
    )

    def test_are_looked_up_when_asked_for_and_never_printed(self, tmp_path: Path) -> None:
        environ = {"STAGING_PASSWORD": "s3cret-canary"}
        settings = read(tmp_path, self.TEXT, environ)
        site = settings.site("shop")
        assert site.basic_auth is not None
        assert site.basic_auth.password.reveal() == "s3cret-canary"
        for printed in (repr(settings), settings.model_dump_json(), str(settings.model_dump())):
            assert "s3cret-canary" not in printed
            assert "STAGING_PASSWORD" in printed
        environ["STAGING_PASSWORD"] = "changed"
        assert site.basic_auth.password.reveal() == "changed"

    def test_one_that_is_not_set_is_missed_only_when_used(self, tmp_path: Path) -> None:
        reset = read(tmp_path, self.TEXT).site("shop").reset
        assert reset is not None
        assert reset.token is not None
        with pytest.raises(KeyMissing, match="TOKEN is not set"):
            reset.token.reveal()

    def test_without_an_environment_the_process_is_asked(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("SIM_TEST_SECRET", "x")
        assert SecretRef(env="SIM_TEST_SECRET").reveal() == "x"


def test_positions_follow_every_shape_of_toml() -> None:
    text = (
        "# a [comment] = 1\n"
        'top = """\n[not.a.table]\nx = 1 \\"""" # end\n'
        "a . 'b.c'.\"d\\u0065\" = [1, # one ]\n"
        "  { k = ']', l = [ 'x', ] },\n"
        "]\n"
        "[ t . u ] # [v]\n"
        "when = 2026-01-01T00:00:00\n"
        "lit = '''it''s'''\n"
    )
    places = positions(text)
    assert places["top",].value == (2, 7)
    assert places["a", "b.c", "de"] == ((5, 1), (5, 23))
    assert places["a", "b.c", "de", "1", "k"] == ((6, 5), (6, 9))
    assert places["a", "b.c", "de", "1", "l", "0"].value == (6, 20)
    assert places["t", "u"].key == (8, 3)
    assert places["t", "u", "when"].value == (9, 8)
    assert places["t", "u", "lit"] == ((10, 1), (10, 7))
    assert ("not",) not in places


def test_secrets_are_named_as_placeholders_are(tmp_path: Path) -> None:
    text = "base_url = 'http://127.0.0.1'\nsecrets = { admin_password = { env = 'ADMIN' } }"
    assert site_of(tmp_path, text).secrets["admin_password"].env == "ADMIN"
    (mistake,) = mistakes(tmp_path, f"[site.shop]\n{text.replace('admin_password', 'Admin-Password')}")
    assert "site.shop.secrets.Admin-Password" in mistake


PRICES = "input = 3\ncache_write = 3.75\ncache_read = 0.3\noutput = 15\n"


def test_a_model_is_found_by_its_name_and_by_its_name_with_a_date(tmp_path: Path) -> None:
    models = read(tmp_path, f'[models."gpt-5.1"]\n{PRICES}[models."small"]\nvision = false\n').models
    assert models.at_once == 8
    large = models.find("gpt-5.1")
    assert large is not None
    assert (large.priced, large.input, large.output, large.currency, large.vision) == (True, 3.0, 15.0, "USD", True)
    assert models.find("gpt-5.1-2026-08-01") == models.find("gpt-5.1-20260801") == large
    assert models.find("gpt-5.1-mini") is None, "another model, at another price"
    small = models.find("small")
    assert small is not None
    assert (small.priced, small.vision) == (False, False)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[models."x"]\ninput = 3\noutput = 15\n', "1:2: models.x: expected all prices or none, found none for cache_"),
        ('[models."x"]\nimput = 3\n', "2:1: models.x.imput: unknown key; did you mean 'input'?"),
        ("[models]\natonce = 3\n", "2:10: models.atonce: expected a table, found a number"),
        ("[models]\nat_once = 0\n", "2:11: models.at_once: expected a number above 0, found 0"),
        ('[models."x"]\ncurrency = "usd"\n', "2:12: models.x.currency: expected three capital letters, such as 'USD'"),
        (
            f'[models."x"]\n{PRICES}'.replace("3.75", "-1"),
            "3:15: models.x.cache_write: expected a number of at least 0",
        ),
    ],
)
def test_mistakes_about_models(tmp_path: Path, text: str, said: str) -> None:
    (mistake,) = mistakes(tmp_path, text)
    assert mistake.startswith(f"sim.toml:{said}")


def test_host_port_needs_a_host() -> None:
    with pytest.raises(ValueError, match="expected a URL with a host"):
        host_port("/relative")


@pytest.mark.parametrize(
    "section", [Run, Recording, Browser, Models, Model, Covers, BookshopSettings, Site, SiteThing, Endpoint]
)
def test_the_reference_tells_every_key_and_its_default(section: type[Section]) -> None:
    reference = (REPOSITORY / "docs/sites.md").read_text("utf-8").splitlines()
    for name, field in section.model_fields.items():
        (row,) = [line for line in reference if line.startswith(f"| `{name}` |")]
        default = row.split(" | ")[1]
        if isinstance(field.default, bool | int | float | str) and name != "method":
            assert default == f"`{json.dumps(field.default)}`", row
        elif isinstance(field.default, tuple | Path):
            plain = str(field.default) if isinstance(field.default, Path) else list(field.default)
            assert default == f"`{json.dumps(plain)}`", row


def test_the_reference_tells_every_route() -> None:
    reference = (REPOSITORY / "docs/sites.md").read_text("utf-8")
    for route in ROUTES:
        assert f"\n| `{route}` |" in reference
