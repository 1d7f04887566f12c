"""How foreign sites are judged: the proxy before them, bodies as values, and what honest replays agree on."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.sites.bodies import changed, leaves, renamed
from benchmarks.sites.hidden import hidden_copies
from benchmarks.sites.honest import Honest, NotDeterministic, Performed, Write
from benchmarks.sites.others import Pattern
from benchmarks.sites.proxy import Answered, Ask, Asked, Change, Proxy, proxied
from simulator.browser.wire.bodies import Part, join
from tests.fakes import asking
from tests.fakes.server import served as local

FORM = "application/x-www-form-urlencoded"
MULTIPART = 'multipart/form-data; boundary="x7x"'
JSON = "application/json"
PICTURE = b"\x89PNG\r\n\x1a\n--x7"


class Site:
    """Says what it was asked; its list comes in pieces, the second when somebody says so."""

    def __init__(self) -> None:
        self.url = ""
        self.more = threading.Event()
        self.asked: list[tuple[str, str, dict[str, str], bytes]] = []


def _handler(site: Site) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            site.asked.append(("GET", self.path, dict(self.headers), b""))
            if self.path == "/list":
                self.send_response(200)
                self.send_header("Transfer-Encoding", "chunked")
                self.end_headers()
                for piece in (b"one", b"two"):
                    self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
                    self.wfile.flush()
                    assert site.more.wait(30)
                self.wfile.write(b"0\r\n\r\n")
                return
            self.answer(b"<!doctype html><title>Site</title><p>Hello")

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            site.asked.append(("POST", self.path, dict(self.headers), body))
            if self.path == "/broken":
                self.close_connection = True
                return
            self.send_response(303)
            self.send_header("Location", f"{site.url}/list")
            self.send_header("Set-Cookie", "a=1; Path=/")
            self.send_header("Set-Cookie", "b=2; Path=/")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def answer(self, page: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Security-Policy", "script-src 'none'")
            self.send_header("Content-Length", str(len(page)))
            self.end_headers()
            self.wfile.write(page)

        def log_message(self, format: str, *args: object) -> None:
            pass

    return Handler


@contextmanager
def served() -> Iterator[tuple[Site, Proxy]]:
    site = Site()
    with local(_handler(site)) as site.url, proxied(site.url) as proxy:
        try:
            yield site, proxy
        finally:
            site.more.set()


class Shouting(Change):
    rewrites = True

    async def write(self, asked: Asked, ask: Ask) -> Answered:
        return await ask(Asked(asked.method, asked.target, asked.headers, asked.body.upper()))

    def document(self, asked: Asked, html: str) -> str:
        return html.replace("Hello", "HELLO")


def test_what_is_not_changed_passes_as_it_is_and_as_it_comes() -> None:
    with served() as (site, proxy), asking.Client(base_url=proxy.url) as client:
        client.cookies.set("own", "1")
        with client.stream("GET", "/list?x=%2F%20y") as other:
            assert other.read()
        assert site.asked[-1][1] == "/list?x=%2F%20y"
        with client.stream("GET", "/list") as answer:
            pieces = answer.iter_raw()
            assert next(pieces) == b"one", "before the second piece is there"
            site.more.set()
            assert b"".join(pieces) == b"two"
        assert proxy.sent == proxy.received == []
        answer = client.post("/notes", data={"text": "a b"})
        assert (answer.status_code, answer.headers["location"]) == (303, f"{proxy.url}/list")
        assert answer.headers.get_list("set-cookie") == ["a=1; Path=/", "b=2; Path=/"]
        _, _, headers, body = site.asked[-1]
        assert body == b"text=a+b"
        assert (headers["host"], headers["cookie"]) == (proxy.url.removeprefix("http://"), "own=1")
        asked = len(site.asked)
        assert client.get("/.mutated/wrap").status_code == 204
        assert (proxy.change.marks, len(site.asked)) == ({"wrap"}, asked)
        (passed,) = proxy.received
        assert (passed.asked.body, passed.answered.status) == (b"text=a+b", 303)


def test_what_the_site_received_otherwise_is_told() -> None:
    with served() as (_, proxy), asking.Client(base_url=proxy.url) as client:
        client.post("/notes", content=b"text=abc")
        assert not proxy.received_otherwise(proxy.sent[0])
        proxy.begin(Shouting())
        client.post("/notes", content=b"text=abc")
        assert proxy.received_otherwise(proxy.sent[0])


def test_documents_and_writes_are_changed_and_kept_as_they_came_and_went() -> None:
    with served() as (site, proxy), asking.Client(base_url=proxy.url) as client:
        proxy.begin(Shouting())
        page = client.get("/", headers={"sec-fetch-dest": "document"})
        assert page.text.endswith("<p>HELLO")
        assert "content-security-policy" not in page.headers
        assert client.get("/", headers={"sec-fetch-dest": "empty"}).text.endswith("<p>Hello")
        client.post("/notes", content=b"text=abc")
        assert site.asked[-1][3] == b"TEXT=ABC"
        assert [one.body for one in proxy.sent] == [b"text=abc"]
        assert [one.asked.body for one in proxy.received] == [b"TEXT=ABC"]


def test_a_site_that_breaks_off_is_told_as_by_a_gateway() -> None:
    with served() as (_, proxy), asking.Client(base_url=proxy.url) as client:
        assert client.post("/broken", content=b"x=1").status_code == 502
        assert [one.answered.status for one in proxy.received] == [502]


@pytest.mark.parametrize(
    ("kind", "body", "places"),
    [
        (FORM, b"a=1&b=&a=x+y", ["a", "b", "a#2"]),
        (JSON, b'{"a": {"b": [1, "x"]}, "c": null}', ["/a/b/0", "/a/b/1", "/c"]),
        ("text/plain", b"a=1", None),
    ],
)
def test_a_body_is_told_by_its_values(kind: str, body: bytes, places: list[str] | None) -> None:
    found = leaves(kind, body)
    assert (found and [one.place for one in found]) == places


def test_values_are_put_dropped_and_swapped() -> None:
    assert changed(FORM, b"a=1&b=&a=x+y", {"a#2": "ä&"}, ["b"]) == b"a=1&a=%C3%A4%26"
    assert json.loads(changed(JSON, b'{"a": {"b": [1, "x"]}, "c": null}', {"/a/b/0": "y"}, ["/c"])) == {
        "a": {"b": ["y", "x"]}
    }
    parts = (Part("t", "x"), Part("f", filename="a.png", media_type="image/png", data=PICTURE))
    body = join(MULTIPART, parts)
    assert [(one.place, one.value) for one in leaves(MULTIPART, body) or ()] == [
        ("t", "x"),
        ("f", PICTURE),
    ]
    assert changed(MULTIPART, body, {}, ["f"]) == join(MULTIPART, parts[:1])
    assert b"GIF" in changed(MULTIPART, body, {"f": b"GIF"})
    assert changed("text/plain", b"a=1", {"a": "2"}) == b"a=1"
    assert renamed(FORM, b"a=1&b=2", {"a": "b", "b": "a"}) == b"b=1&a=2"


@given(st.dictionaries(st.text(min_size=1, max_size=5), st.text(max_size=9), min_size=1, max_size=4))
def test_a_body_that_nothing_is_changed_of_says_the_same(values: dict[str, str]) -> None:
    body = join(FORM, [Part(name, value) for name, value in values.items()])
    assert changed(FORM, body, {}) == body


def _write(target: str, body: str) -> Write:
    return Write.of(Asked("POST", target, (("content-type", FORM),), body.encode()))


def _did(*writes: Write, code: int = 1, text: str = "x") -> Performed:
    return Performed(writes, {"note": [{"id": code, "text": text}, {"id": 0, "text": "y"}]})


def test_what_differs_between_honest_replays_judges_nothing_and_everything_else_does() -> None:
    first = _did(_write("/notes/7", "text=x&token=1"), _write("/notes", "text=y"), code=4)
    second = _did(_write("/notes/8", "text=x&token=2"), _write("/notes", "text=y"), code=5)
    honest = Honest.of(first, second)
    assert honest.astray([_write("/notes/9", "token=3&text=x"), _write("/notes", "text=y")]) == []
    for astray in ("text=z&token=3", "text=x", "text=x&token=3&more=1", "text=3&token=x"):
        assert honest.astray([_write("/notes/9", astray)]), astray
    assert honest.astray([_write("/notes", "text=y")] * 2) == [_write("/notes", "text=y")], "once too often"
    assert honest.astray([_write("/notes/9/delete", "text=x&token=3")])
    assert [str(one) for one in honest.missing([_write("/notes/9", "text=x&token=3")])] == ["POST /notes text=y"]
    assert honest.differences(_did(code=77).state) == []
    assert honest.differences(_did(text="z").state) == ["note: text"]
    assert honest.differences({"note": [], "user": [{"id": 1}]}) == ["note: 0 rows, not 2", "user: 1 rows, not 0"]


@pytest.mark.parametrize(
    ("day", "differs"),
    [
        ("1862-03-01 00:00:00+00:00", False),
        ("1862-03-01T02:00:00+02:00", False),
        ("1862-03-01 00:00:00+02:00", True),
        ("1862-03-02 00:00:00.000000", True),
        ("0101-01-01 00:00:00.000000", True),
        ("1862-03-01", True),
        ("1862-03-01 00:00:00.000000, a Saturday", True),
    ],
)
def test_a_moment_is_the_same_however_a_column_holds_it(day: str, differs: bool) -> None:
    did = _did(_write("/notes", "text=y"), text="1862-03-01 00:00:00.000000")
    assert Honest.of(did, did).differences(_did(text=day).state) == ["note: text"] * differs


@pytest.mark.parametrize(
    "other",
    [
        _did(),
        _did(_write("/notes", "text=y"), _write("/notes", "text=y")),
        _did(_write("/orders", "text=y&more=1")),
        Performed((_write("/notes", "text=y"),), {"note": []}),
    ],
)
def test_honest_replays_that_do_different_things_judge_nothing(other: Performed) -> None:
    with pytest.raises(NotDeterministic):
        Honest.of(_did(_write("/notes", "text=y")), other)


COPIES = """<form action="/notes/7"><input name=day value=1999-12-31>
<input type=hidden name=initial-day value=1999-12-31>
<textarea name=text>a</textarea><input type=hidden name=text_was value=a>
<select name=kind><option value=x>X<option value=y selected>Y</select><input type=hidden name=old_kind value=y>
<input type=hidden name=day_id value=7><input type=hidden name=other value=a>
<input type=checkbox name=urgent value=1><input type=hidden name=urgent_was value=""></form>"""


def test_a_hidden_field_that_holds_what_another_one_held_is_a_copy_of_it() -> None:
    assert hidden_copies([COPIES]) == {"initial-day", "text_was", "old_kind"}
    elsewhere = COPIES.replace("value=y>", "value=x>")
    assert hidden_copies([COPIES, elsewhere]) == {"initial-day", "text_was"}, "there it says what is to be done"


def test_others_have_to_do_the_same_with_values_of_their_own() -> None:
    def did(name: str, rows: int, told: str = "") -> Performed:
        state = {"note": [{"id": n, "text": told or name} for n in range(rows)], "visit": [{"n": 1}]}
        return Performed((_write(f"/notes/{rows}", f"text={name}&to=x"),), state)

    pristine = {"note": [], "visit": [{"n": 1}]}
    pattern = Pattern.of(pristine, did("Emma", 1), did("Emma", 1))
    left = did("Emma", 1).state
    assert pattern.unlike(pristine, did("Persuasion", 1)) == []
    assert pattern.unlike(left, did("Persuasion", 2)) == []
    assert pattern.unlike(left, did("Persuasion", 3)) == ["note: 2 rows more, not 1"]
    assert pattern.unlike(pristine, did("Persuasion", 1, "Emma")) == ["note.text does not hold text of POST number 1"]
    # What all users would add alike is added once, or by each of them, and no more often.
    once = {"thread": [{"id": 1, "uri": "/demo"}]}
    first = Performed(did("Emma", 1).writes, {**did("Emma", 1).state, **once})
    shared = Pattern.of(pristine, first, first)
    second = Performed(did("Persuasion", 2).writes, {**did("Persuasion", 2).state, **once})
    assert shared.unlike(first.state, second) == []
    again = Performed(second.writes, {**second.state, "thread": [*once["thread"], {"id": 2, "uri": "/demo"}]})
    assert shared.unlike(first.state, again) == []
    threads = [{"id": number, "uri": "/demo"} for number in (2, 3)]
    often = Performed(second.writes, {**second.state, "thread": [*once["thread"], *threads]})
    assert shared.unlike(first.state, often) == ["thread: 2 rows more, not 1"]
    assert shared.unlike(pristine, did("Persuasion", 1)) == ["thread: 0 rows more, not 1"]
    twice = Performed(did("Emma", 1).writes * 2, did("Emma", 1).state)
    assert pattern.unlike(pristine, twice)[0].startswith("it wrote POST")
