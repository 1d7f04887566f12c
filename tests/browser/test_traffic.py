"""What is recorded of a browser's traffic is what a local server received, but for secrets."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from simulator.browser.find import Find
from simulator.browser.launch.executable import find_executable
from simulator.browser.launch.network import NetworkPolicy
from simulator.browser.launch.pool import BrowserPool
from simulator.browser.wire.bodies import Part, join
from simulator.canonical import sha256
from simulator.recording.rows import ExchangeRow
from tests.browser.wire import HTML, Reply, Told, Wire, policy_of, serving, watching
from tests.runner.leaks import cells, leaks

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.promise("what was on the wire", quick=4)]
PICTURE = bytes(range(256)) * 3


@pytest.fixture(scope="module")
def server() -> Iterator[Wire]:
    with serving() as wire:
        yield wire


@pytest.fixture(scope="module")
def policy(server: Wire) -> NetworkPolicy:
    return policy_of(server)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pool(server: Wire, policy: NetworkPolicy) -> AsyncIterator[BrowserPool]:
    async with BrowserPool(find_executable(), policy, origin=server.url) as found:
        yield found


@pytest.fixture
def wire(server: Wire) -> Wire:
    server.replies.clear()
    server.received.clear()
    server.page("/", "<h1>Start</h1>")
    server.page("/done", "<h1>Done</h1>")
    return server


@pytest_asyncio.fixture(loop_scope="module")
async def told(pool: BrowserPool, wire: Wire, policy: NetworkPolicy, tmp_path: Path) -> AsyncIterator[Told]:
    async with watching(pool, wire, policy, tmp_path / "runs.db") as found:
        yield found


def content_type(row: ExchangeRow) -> str:
    return next(value for name, value in row.request_headers if name.lower() == "content-type")


def sent(told: Told, row: ExchangeRow) -> bytes:
    """Put a recorded request's body together again."""
    render = told.actor.bindings.render
    if row.request_parts is None:
        return render(told.blob(row.request_body).decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
    parts = []
    for part in row.request_parts:
        if "filename" in part:
            data = told.blob(part["file"])
            parts.append(Part(part["name"], filename=render(part["filename"]), media_type=part["type"], data=data))
        else:
            parts.append(Part(part["name"], render(part["value"], secrets=True), media_type=part.get("type", "")))
    return join(content_type(row), parts)


async def test_a_form_with_files_is_what_was_sent_byte_for_byte(told: Told, wire: Wire, tmp_path: Path) -> None:
    wire.page(
        "/sell",
        "<form method=post action=/sell/new enctype=multipart/form-data>"
        "<label>Title<input name='book[\"title\"]'></label><label>About<textarea name=about></textarea></label>"
        "<label>Cover<input type=file name=cover></label><label>Other<input type=file name=other></label>"
        "<label>Password<input type=password name=x1></label><button name=what value=sell>Sell</button></form>",
    )
    wire.replies["/sell/new"] = Reply(status=303, headers=(("Location", "/done"), ("Set-Cookie", "id=one; HttpOnly")))
    picture = tmp_path / 'cover of"Zoë.png'
    picture.write_bytes(PICTURE)
    told.begin()
    await told.actor.navigation.goto("/sell")
    await told.actor.fill(Find("label", "Title"), "{{book.1.title}}")
    await told.actor.fill(Find("label", "About"), "One\nand two: & = % é {{book.1.title}}")
    key = told.run.put_blob(PICTURE, "image/png")
    await told.actor.upload(Find("label", "Cover"), path=picture, sha256=key)
    await told.actor.fill(Find("label", "Password"), "{{secret.password}}")
    await told.actor.click(Find("css", "button"))
    rows = told.end()
    visit, post, done = (row for row in rows if row.initiator == "document")
    received = wire.wait_for("/sell/new")
    assert PICTURE in received.body
    assert sent(told, post) == received.body
    assert post.request_parts is not None
    assert [part["name"] for part in post.request_parts] == ['book["title"]', "about", "cover", "other", "x1", "what"]
    assert post.request_parts[0] == {"name": 'book["title"]', "value": "{{book.1.title}}"}
    assert post.request_parts[2]["file"] == sha256(PICTURE)
    assert post.request_parts[4] == {"name": "x1", "value": "{{secret.password}}"}
    assert (visit.url, post.method, post.url, post.status, done.url) == ("/sell", "POST", "/sell/new", 303, "/done")
    assert (done.redirect_of, visit.redirect_of) == (post.id, None)
    assert told.blob(done.response_body).endswith(b"<h1>Done</h1>")
    assert ("Set-Cookie", "id={{secret.withheld}}; HttpOnly") in post.response_headers
    assert len({post.action_id, visit.action_id}) == 2
    assert post.step_id == visit.step_id is not None
    assert (done.action_id, post.actor) == (post.action_id, "ada")


async def test_a_file_that_a_script_sends_in_a_form_of_its_own(told: Told, wire: Wire, tmp_path: Path) -> None:
    send = "const d = new FormData(); d.append('n', '1'); d.append('photo', this.files[0]);"
    send += "fetch('/x', {method: 'POST', body: d})"
    wire.page("/", f'<label>Photo<input type=file onchange="{send}"></label>')
    wire.replies["/x"] = Reply(b"{}", headers=(("Content-Type", "application/json"),))
    picture = tmp_path / "p.png"
    picture.write_bytes(PICTURE)
    await told.goto("/")
    told.begin()
    key = told.run.put_blob(PICTURE, "image/png")
    await told.actor.upload(Find("label", "Photo"), path=picture, sha256=key)
    *_, row = told.end()
    assert sent(told, row) == wire.wait_for("/x").body
    photo = {"name": "photo", "filename": "p.png", "file": sha256(PICTURE), "type": "image/png"}
    assert row.request_parts == ({"name": "n", "value": "1"}, photo)


async def test_bodies_of_one_length_to_one_address_are_not_mixed_up(told: Told, wire: Wire) -> None:
    hold = threading.Event()
    wire.replies["/part"] = lambda got: Reply(b"", 200, (), hold=hold if got.body.endswith(b"1") else None)
    await told.goto("/")
    told.begin()
    before = len(told.rows())
    over = asyncio.Semaphore(0)
    told.actor.page.on("requestfinished", lambda _: over.release())
    await told.actor.page.evaluate(
        "() => { for (const n of [1, 2, 3]) fetch('/part', {method: 'POST', body: new Blob([`part ${n}`])})"
        ".then(one => one.text()); }"
    )
    await over.acquire()
    hold.set()
    for _ in range(2):
        await over.acquire()
    await told.traffic.rest()
    rows = told.end()[before:]
    assert [sent(told, row) for row in rows] == [b"part 1", b"part 2", b"part 3"]


async def test_a_form_that_its_page_changes_when_it_is_sent(told: Told, wire: Wire, tmp_path: Path) -> None:
    change = "event.formData.set('n', 'changed'); event.formData.append('more', '1')"
    wire.page(
        "/",
        "<form method=post action=/elsewhere enctype=multipart/form-data><input name=n value=was>"
        f"<label>File<input type=file name=f></label><button formaction=/x>Go</button></form>"
        f"<script>document.forms[0].addEventListener('formdata', (event) => {{ {change} }})</script>",
    )
    wire.page("/x", "<h1>Taken</h1>")
    given = tmp_path / "a.txt"
    given.write_text("content")
    await told.goto("/")
    told.begin()
    key = told.run.put_blob(b"content", "text/plain")
    await told.actor.upload(Find("label", "File"), path=given, sha256=key)
    await told.actor.click(Find("css", "button"))
    row = told.end()[-1]
    assert (row.method, row.url, row.status) == ("POST", "/x", 200)
    assert sent(told, row) == wire.wait_for("/x").body


async def test_headers_are_those_of_the_wire_in_their_order(told: Told, wire: Wire) -> None:
    cookies = (("Set-Cookie", "b=0123456789abcdef; Path=/"), ("Set-Cookie", "a=one; Path=/x"))
    wire.replies["/"] = Reply(b"<h1>Start</h1>", headers=(("Content-Type", HTML), *cookies, ("X-Own", f"{wire.url}/x")))
    await told.goto("/")
    *_, row = await told.goto("/?again=yes")
    received = wire.wait_for("/?again=yes")
    names = [name.lower() for name, _ in row.request_headers]
    assert sorted(names) == sorted(name.lower() for name, _ in received.headers)
    values = {name.lower(): value for name, value in row.request_headers}
    assert received.header("cookie") == "b=0123456789abcdef"
    assert values["cookie"] == "b={{secret.withheld}}"
    assert values["host"] == "{{site.host}}"
    assert {values[name] == received.header(name) for name in values.keys() - {"cookie", "host"}} == {True}
    got = dict(row.response_headers)
    assert got["X-Own"] == "{{site.origin}}/x"
    cookies = [value for name, value in row.response_headers if name == "Set-Cookie"]
    assert cookies == ["b={{secret.withheld}}; Path=/", "a={{secret.withheld}}; Path=/x"]
    assert row.timings["sent"] <= row.timings["answered"] <= row.timings["ended"]


JSON = "{'Content-Type': 'application/json'}"
FORM = "{'Content-Type': 'application/x-www-form-urlencoded'}"
SCRIPTS = {
    "json": f"""post('json', JSON.stringify({{a: 'The Moonstone', b: [1, 'é"']}}), {JSON})""",
    "plain": "fetch('/plain', {method: 'PUT', body: 'one {{two}} The Moonstone'})",
    "pairs": "post('pairs', new URLSearchParams([['a', 'b&c'], ['é', '~*-._ x'], ['a', '']]))",
    "odd": f"post('odd', 'a&b=%7e', {FORM})",
    "bytes": "post('bytes', new Uint8Array([0, 255, 128, 65]))",
    "blob": "post('blob', new Blob([new Uint8Array([0, 255, 128, 66])]))",
    "data": "const data = new FormData(); data.append('n', 'v\\n');"
    "data.append('f', new Blob(['in\\0ner'], {type: 'image/x'}), 'b.bin'); post('data', data)",
    "xhr": "const asked = new XMLHttpRequest(); asked.open('POST', '/xhr'); asked.send('said by XHR')",
    "keep": "fetch('/keep', {method: 'POST', body: 'kept alive', keepalive: true})",
    "beacon": "navigator.sendBeacon('/beacon', 'a beacon')",
    "beacons": "navigator.sendBeacon('/beacons', new Blob(['of a blob'], {type: 'text/plain'}))",
}
POST = "const post = (path, body, headers = {}) => fetch(`/${path}`, {method: 'POST', body, headers});"


@pytest.mark.parametrize("name", SCRIPTS)
async def test_what_a_script_sends_is_what_was_sent(told: Told, wire: Wire, name: str) -> None:
    path = f"/{name}"
    wire.replies[path] = Reply(b'{"ok": true}', headers=(("Content-Type", "application/json"),))
    await told.goto("/")
    before = len(told.rows())
    told.begin()
    async with told.actor.page.expect_event("requestfinished", lambda one: one.url == wire.url + path):
        await told.actor.page.evaluate(f"() => {{ {POST} {SCRIPTS[name]}; }}")
    received = wire.wait_for(path)
    await told.traffic.rest()
    (row,) = told.end()[before:]
    assert received.body
    assert sent(told, row) == received.body
    assert (row.url, row.status, row.method, row.error) == (path, 200, received.method, None)
    assert json.loads(told.blob(row.response_body)) == {"ok": True}


async def test_redirects_are_a_chain_and_307_sends_the_body_again(told: Told, wire: Wire) -> None:
    for status in (302, 307):
        wire.replies[f"/{status}"] = Reply(b"gone there", status, (("Location", f"/to-{status}"),))
        wire.replies[f"/to-{status}"] = Reply(b"there", headers=(("Content-Type", "text/plain"),))
    await told.goto("/")
    rows = await told.script(
        "await fetch('/302', {method: 'POST', body: 'x=1'}); await fetch('/307', {method: 'POST', body: 'x=2'})"
    )
    assert [(row.method, row.url, row.status) for row in rows] == [
        ("POST", "/302", 302), ("GET", "/to-302", 200), ("POST", "/307", 307), ("POST", "/to-307", 200)
    ]  # fmt: skip
    assert [row.redirect_of for row in rows] == [None, rows[0].id, None, rows[2].id]
    assert [row.request_body and sent(told, row) for row in rows] == [b"x=1", None, b"x=2", b"x=2"]
    assert [row.response_body and told.blob(row.response_body) for row in rows] == [None, b"there", None, b"there"]


async def test_answers_without_a_body_cut_off_aborted_or_from_the_cache(told: Told, wire: Wire) -> None:
    plain = ("Content-Type", "text/plain")
    tag = (plain, ("ETag", '"a"'), ("Cache-Control", "no-cache"))
    hold = threading.Event()
    wire.replies |= {
        "/204": Reply(status=204, headers=()),
        "/head": Reply(b"never sent", headers=(plain,)),
        "/tagged": lambda got: Reply(b"", 304, tag) if got.header("if-none-match") else Reply(b"tagged", 200, tag),
        "/kept": Reply(b"kept", headers=(plain, ("Cache-Control", "max-age=600"))),
        "/cut": Reply(b"half", headers=(plain,), cut=True),
        "/endless": Reply(b"data: 1\n\n", headers=(("Content-Type", "text/event-stream"),), hold=hold),
    }
    await told.goto("/")
    rows = await told.script(
        "await fetch('/204'); await fetch('/head', {method: 'HEAD'}); await fetch('/tagged'); await fetch('/tagged');"
        "await fetch('/kept').then(one => one.text()); await fetch('/kept');"
        "await fetch('/cut').then(one => one.text()).catch(() => 0); const stop = new AbortController();"
        "fetch('/endless?n=1', {signal: stop.signal}).then(() => stop.abort()).catch(() => 0);"
        "await new Promise(ready => { new EventSource('/endless?n=2').onmessage = ready; })"
    )
    hold.set()
    by_url: dict[str, list[ExchangeRow]] = {}
    for row in rows:
        by_url.setdefault(row.url, []).append(row)
    (nothing,), (head,), tagged, kept = (by_url[path] for path in ("/204", "/head", "/tagged", "/kept"))
    assert (nothing.status, nothing.error, nothing.response_body) == (204, None, None)
    assert (head.method, head.status, head.error, head.response_body) == ("HEAD", 200, None, None)
    assert [told.blob(row.response_body) for row in (*tagged, *kept)] == [b"tagged"] * 2 + [b"kept"] * 2
    assert "If-None-Match" in dict(tagged[1].request_headers)
    assert len([one for one in wire.received if one.path == "/kept"]) == 1
    assert kept[0].timings
    assert kept[1].timings == {}
    (cut,), (aborted,), (open_still,) = by_url["/cut"], by_url["/endless?n=1"], by_url["/endless?n=2"]
    assert cut.error == "net::ERR_CONTENT_LENGTH_MISMATCH"
    assert (aborted.status, aborted.error) == (200, "net::ERR_ABORTED")
    assert (open_still.status, open_still.error) == (200, "it had not ended when this was recorded")


async def test_what_a_cache_gives_for_a_page_is_what_came_over_the_wire(told: Told, wire: Wire) -> None:
    wire.page("/", "<link rel=stylesheet href=/style.css>")
    wire.page("/again", "<link rel=stylesheet href=/style.css><p>Again</p>")
    wire.replies["/style.css"] = Reply(
        b"p { color: red }", headers=(("Content-Type", "text/css"), ("Cache-Control", "max-age=600"), ("X-Own", "1"))
    )
    await told.goto("/")
    rows = await told.goto("/again")
    first, again = (row for row in rows if row.initiator == "stylesheet")
    assert len([one for one in wire.received if one.path == "/style.css"]) == 1
    assert told.blob(again.response_body) == told.blob(first.response_body) == b"p { color: red }"
    assert again.response_headers == first.response_headers
    assert (again.status, again.error, again.timings) == (200, None, {})
    assert first.timings


async def test_a_body_beyond_the_cap_is_not_kept_and_that_is_told(
    told: Told, wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("simulator.browser.wire.traffic.MAX_BODY", 1000)
    wire.replies["/big"] = Reply(b"a" * 1001, headers=(("Content-Type", "text/plain"),))
    await told.goto("/")
    (row,) = await told.script("await fetch('/big')")
    assert (row.status, row.response_body) == (200, None)
    assert row.error == "the body of the answer is not kept: 1001 bytes are more than 1000"


async def test_only_documents_and_what_they_lead_to(
    pool: BrowserPool, wire: Wire, policy: NetworkPolicy, tmp_path: Path
) -> None:
    wire.page("/", "<link rel=stylesheet href=/style.css><img src=/picture.png><iframe src=/done></iframe>")
    wire.replies["/old"] = Reply(status=301, headers=(("Location", "/"),))
    async with watching(pool, wire, policy, tmp_path / "documents.db", "documents") as told:
        rows = await told.goto("/old")
    assert [(row.url, row.initiator) for row in rows] == [
        ("/old", "document"),
        ("/", "document"),
        ("/done", "document"),
    ]


async def test_minted_values_are_variables_in_addresses(told: Told, wire: Wire) -> None:
    wire.page("/things/4711", "<script>fetch('/things/4711/more')</script>")
    rows = await told.goto("/things/4711")
    assert [row.url for row in rows] == ["/things/{{site.things_1}}", "/things/{{site.things_1}}/more"]


PREFILLED, CSRF, KEY = "filled-in-by-the-page-1", "f00dfeedcafe0123456789", "k3yOfTheApp-0123456789"
SESSION, GIVEN = "5e55ion0123456789ab", "t0ken-in-json-4242"


async def test_no_secret_that_the_vault_does_not_know_is_recorded(told: Told, wire: Wire) -> None:
    form = (
        f"<meta name=csrf-token content={CSRF}><form id=f method=post action=/in><input name=zz type=password>"
        f"<input type=hidden name=_csrf value={CSRF}><button>In</button></form>"
        f"<script>document.forms[0].zz.value = '{PREFILLED}'</script>"
    )
    cookies = ("Set-Cookie", f"s={SESSION}; HttpOnly")
    wire.replies["/login"] = Reply(form.encode(), headers=(("Content-Type", HTML), cookies))
    wire.replies["/in"] = Reply(f"<p>Hello {PREFILLED}, {SESSION}, {CSRF}, {GIVEN}</p>".encode())
    wire.replies["/api"] = Reply(
        json.dumps({"access_token": GIVEN, "user": "ada"}).encode(), headers=(("Content-Type", "application/json"),)
    )
    await told.goto("/login")
    await told.script(
        f"await fetch('/api?api_key={KEY}', {{method: 'POST', body: JSON.stringify({{k: document.forms[0].zz.value}}),"
        f"headers: {{'Authorization': 'Bearer {KEY}', 'X-CSRF-Token': '{CSRF}'}}}})"
    )
    told.begin()
    await told.actor.click(Find("css", "#f button"))
    rows = told.end()
    received = [wire.wait_for("/in"), wire.wait_for(f"/api?api_key={KEY}")]
    assert PREFILLED in received[0].body.decode()
    assert CSRF in received[0].body.decode()
    assert PREFILLED in received[1].body.decode()
    assert KEY in received[1].header("authorization")
    assert [row.url for row in rows[-2:]] == ["/api?api_key={{secret.address_api_key}}", "/in"]
    prefilled, token = (part["value"] for part in rows[-1].request_parts or ())
    assert (prefilled, token) == ("{{secret.typed_1}}", "{{secret.withheld}}"), "what stood in the field has a name"
    answer = told.blob(rows[-1].response_body).decode()
    assert answer == "<p>Hello {{secret.typed_1}}, {{secret.cookie_s}}, {{secret.withheld}}, {{secret.withheld}}</p>"
    given = told.blob(next(row for row in rows if row.url.startswith("/api")).response_body)
    assert json.loads(given) == {"access_token": "{{secret.withheld}}", "user": "ada"}
    assert leaks(cells(told.path), [PREFILLED, CSRF, KEY, SESSION, GIVEN]) == []


async def test_what_stands_in_an_address_under_the_name_of_a_secret_is_not_recorded(told: Told, wire: Wire) -> None:
    sending = (
        f"<form method=post action='/sent?access_token={GIVEN}'><input aria-label=Title name=t><button>Send</button>"
    )
    wire.page("/", f"<a href='/next?apiKey={KEY}&sort=asc'>Next</a>")
    wire.page("/next", sending)
    wire.page("/sent", f"<h1>Thank you</h1><p>{GIVEN}</p>")
    await told.goto("/")
    for act in (
        lambda: told.actor.click(Find("css", "a")),
        lambda: told.actor.fill(Find("css", "input"), "Emma of Highbury"),
        lambda: told.actor.click(Find("css", "button")),
    ):
        told.begin()
        await act()
        told.end()
    assert wire.wait_for(f"/sent?access_token={GIVEN}").body == b"t=Emma+of+Highbury"
    pages = [value.decode() for name, value in cells(told.path) if name == "page.url"]
    assert "/sent?access_token={{secret.address_access_token}}" in pages
    assert leaks(cells(told.path), [KEY, GIVEN]) == []


async def test_a_window_that_an_action_opens_belongs_to_it(told: Told, wire: Wire) -> None:
    wire.page("/", "<a target=_blank href=/done>New</a>")
    told.begin()
    await told.actor.navigation.goto("/")
    await told.actor.click(Find("css", "a"))
    visit, opened = (row for row in told.end() if row.initiator == "document")
    assert (opened.url, opened.status) == ("/done", 200)
    assert opened.action_id not in (None, visit.action_id)
    assert told.blob(opened.response_body).endswith(b"<h1>Done</h1>")


async def test_what_the_program_looks_up_itself_is_told_apart(told: Told, wire: Wire) -> None:
    wire.page("/", "<script>fetch('/done')</script>")
    told.begin()
    await told.actor.navigation.goto("/")
    assert await told.actor.reader.lacks(["Done", "Undone"], "/done") == ["Undone"]
    await told.traffic.rest()
    rows = told.end()
    assert [(row.url, row.initiator) for row in rows] == [("/", "document"), ("/done", "fetch"), ("/done", "simulator")]


async def test_a_host_that_is_not_allowed_is_told_with_its_failure(told: Told, wire: Wire) -> None:
    wire.page("/", "<img src=http://127.0.0.1:9999/tracker.gif?who=ada>")
    told.begin()
    await told.actor.navigation.goto("/")
    await told.traffic.rest()
    (blocked,) = (row for row in told.end() if row.initiator == "image")
    assert (blocked.url, blocked.status) == ("http://127.0.0.1:9999/tracker.gif?who=ada", 0)
    assert blocked.error == "net::ERR_PROXY_CONNECTION_FAILED"
