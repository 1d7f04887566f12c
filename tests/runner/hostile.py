"""Recordings of strangers: one small recording of every kind of action, and what an attacker would write into it."""

from __future__ import annotations

import ast
import json
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from simulator.browser.action_recorder import ActionOutcome, ActionStart, PageState
from simulator.browser.evidence import Alike, Scope, Target
from simulator.recording import Recorder
from simulator.tools.contracts import ToolCall, ToolResult
from tests.journal import enter

CARD = Scope(kind="card", role="listitem", texts=("Emma", "4.50"), tells=2)
SAVE = Target(
    tag="button", role="button", name="Save", css="#save", scopes=(CARD,), scope_depth=0,
    alike=Alike(role_name=2, role_name_scoped=1),
)  # fmt: skip
FIELD = Target(tag="input", role="textbox", name="Title", css="#title", alike=Alike(role_name=1), frame=("shop",))
LINK = Target(tag="a", role="link", name="Emma", href="/books/{id}", css="a", alike=Alike(role_name=1))
COVER = Target(tag="input", type="file", name_attr="cover", css="#cover", hidden=True, alike=Alike(name_attr=1))
BARE = Target(tag="body", unprovable="the page itself")
DATA = b"\x89PNG a picture"
IDENTITY = {
    "persona": "collector", "number": 1, "seed": "7", "locale": "en_GB", "username": "ada1",
    "timezone": "Europe/London",
    "display_name": "Ada Moor", "first_name": "Ada", "last_name": "Moor", "email": "ada@example.org", "city": "Leeds",
    "email_domain": "example.org", "ascii_first_name": "Ada", "ascii_last_name": "Moor", "bio": "Reads.", "books": [],
    "answers": {}, "messages": [], "phone": "1", "postcode": "1", "street": "A Street 1", "tagline": "x",
    "traits": {"pace": "normal"}, "viewport": {"width": 1280, "height": 720},
}  # fmt: skip


def stranger(path: Path) -> str:
    """Write a recording with every kind of action that an export takes; gives the id of its run."""
    form = PageState(url="/books/new", title="New", status=200)
    saved = PageState(url="/books/{{site.books_1}}", status=200, notes=("Saved Emma", "confirm: Sure?"))
    asked = PageState(url="/books/new", status=200, requests=(("POST", "/api/{id}", 201),), alerts=("too dear",))
    with Recorder.open(path) as recorder:
        batch = recorder.begin_batch(argv=["run"], seed="7", settings={"a": "b"})
        run = recorder.begin_run(
            batch_id=batch, number=1, kind="record", agent="autopilot", persona="collector", label="a label",
            identity=IDENTITY,
            environment={"base_url": "http://127.0.0.1:8765", "context": {"width": 1280, "height": 720}},
            site="bookshop",
        )  # fmt: skip
        picture = recorder.put_blob(DATA, "image/png")
        actions: list[ActionStart] = [
            ActionStart("goto", "user", value="/books/new", recorded_value="/books/new"),
            ActionStart("fill", "user", target=FIELD, value="{{book.1.title}}", recorded_value="Emma", before=form),
            ActionStart("fill", "user", target=FIELD, value="{{secret.password}}", before=form),
            ActionStart("type", "user", target=FIELD, value="x", recorded_value="x", before=form),
            ActionStart("select", "user", target=FIELD, value="x", recorded_value="x", options={"option": "y"}),
            ActionStart("press", "user", target=FIELD, value="a", recorded_value="a", options={"hold_ms": 5}),
            ActionStart("press", "user", target=BARE, value="a", recorded_value="a"),
            ActionStart("check", "user", target=FIELD),
            ActionStart("drag", "user", target=LINK, options={"onto": SAVE.model_dump(mode="json")}),
            ActionStart("upload", "user", target=COVER, value=picture,
                        options={"sha256": picture, "name": "cover.png", "source": ""}),
            ActionStart("scroll", "user", value="500", recorded_value="500", options={"dx": 2}),
            ActionStart("scroll", "user", target=SAVE, options={"by": [0, 5]}),
            ActionStart("wait", "user", value="/x*", recorded_value="/x*", options={"until": "url", "timeout": 9}),
            ActionStart("wait", "user", value="b", recorded_value="b",
                        options={"until": "element", "how": "role", "name": "c", "timeout": 9}),
            ActionStart("click", "user", target=LINK, before=form, options={"count": 2, "modifiers": ["Shift"]}),
            ActionStart("click", "the other", target=SAVE, before=form, options={"position": [1, 2]}),
        ]  # fmt: skip
        pages = {"goto": form, "click": saved, "check": asked}
        step = run.begin_step(
            call=ToolCall(id="1", name="fill_form", input={"a": "b"}), replay="actions", task="a task"
        )
        for start in actions:
            settled: Any = "navigated" if start.kind == "click" else "quiet"
            action = run.begin(start)
            run.end(action, ActionOutcome("done", settled=settled, after=pages.get(start.kind, form)))
        enter(run, step_id=step, kind="book", url="/books/{{site.books_1}}", fields={"title": "{{book.1.title}}"})
        run.end_step(step, ToolResult(success=True, data={"said": "done"}, metadata={"screenshot": picture}))
        run.variables.set("book.1.title", "Emma", kind="book")
        run.variables.set("site.books_1", "17", kind="site", step_id=step)
        run.end_run(status="passed", verdict="passed", reason="a reason", summary={"a": "b"})
        recorder.end_batch(batch, status="passed")
    return run.id


def change(path: Path, sql: str, *values: Any) -> None:
    """Change a recording as no program of ours would."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute(sql, values)


def set_options(path: Path, kind: str, options: dict[str, Any]) -> None:
    """Change the options of the actions of a kind."""
    change(path, "UPDATE action SET options = ? WHERE kind = ?", json.dumps(options), kind)


def payloads(canary: Path) -> list[str]:
    """Give what runs, leads elsewhere, or breaks out of a text, where it is taken for anything but a text."""
    code = f"__import__('pathlib').Path({str(canary)!r}).touch()"
    return [
        code,
        *(f"{mark}+{code}+{mark}" for mark in ('"', "'", '"""', '\\"')),
        *(f"{mark}{code}{mark}" for mark in ("\n", "\x0c", "\u2028")),
        *(f"\r{code}#", f"x\\\n{code}", f'")\n    {code}\n    ("', f'\\N{{DIGIT ONE}}"); {code} #'),
        *(f"{{{code}}}", f"{{{{{code}}}}}", f"# -*- coding: utf-7 -*-\n+{code}"),
        *("\x00", "\ud800", "\u202e\u2066", "\x1b]0;title\x07\x1b[2J", "9" * 5000),
        *("</script><script>alert(1)</script>", "]]>&<!--", "'\"><img src=x onerror=alert(1)>", "=cmd|' /C calc'!A0"),
        *("../../x/conftest.py", "/../../x/conftest.py", "..", ".", "", " ", "C:\\x", "a/b", "a\\b", "conftest.py"),
        *("x\0y", "n" * 400, "é" * 200, "CON", "{{identity.", "{{site.books_1}}", "{{nothing.here}}"),
        *("!!python/object/apply:os.system [x]", "*x", "&x y", "%YAML 9.9"),
        *("file:///etc/passwd", "javascript:alert(1)", "x >> internal:control=enter-frame"),
    ]


ODD: list[Any] = [None, True, 0, -1, 10**400, 1.5, float("1e308"), [], {}, [[]], {"a": {"b": []}}, ["x", 1], [1, 2, 3]]
_TABLES = ("batch", "run", "actor", "step", "action", "variable", "created", "page", "blob")
_KEPT = ("id", "sha256", "_id")
"""What refers to rows: another value is another recording, not a hostile one."""


def spoil(path: Path, seed: int, canary: Path) -> list[str]:
    """Replace some texts of a recording, in columns and inside their JSON, by what an attacker would write.

    Returns:
        What was replaced where.
    """
    draw = random.Random(seed)
    done: list[str] = []
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        for _ in range(draw.choice((1, 1, 1, 2, 5))):
            table = draw.choice((*_TABLES, "action", "action", "page"))
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})") if row[2] == "TEXT"]
            columns = [one for one in columns if not one.endswith(_KEPT)]
            column = draw.choice(columns)
            keys = [row[1] for row in connection.execute(f"PRAGMA table_info({table})") if row[5]]
            row = draw.choice(connection.execute(f"SELECT {', '.join(keys)}, {column} FROM {table}").fetchall())
            held = row[-1]
            value = _spoilt(held, draw, payloads(canary))
            try:
                where = " AND ".join(f"{key} = ?" for key in keys)
                connection.execute(f"UPDATE {table} SET {column} = ? WHERE {where}", (value, *row[:-1]))
            except (sqlite3.Error, UnicodeEncodeError):
                continue  # no recording can hold it
            done.append(f"{table}.{column}: {ascii(held)[:60]} -> {ascii(value)[:120]}")
    return done


def _spoilt(held: str | None, draw: random.Random, hostile: list[str]) -> str:
    try:
        whole = json.loads(held or "")
    except ValueError:
        whole = None
    if not isinstance(whole, list | dict):
        return draw.choice(hostile)
    places = list(_places(whole))
    if not places:
        return json.dumps(draw.choice([*hostile, *ODD]))
    holder, key = draw.choice(places)
    if isinstance(holder, dict) and draw.random() < 0.1:
        holder[draw.choice(hostile)] = draw.choice(hostile)
    else:
        holder[key] = draw.choice([*hostile, *ODD])
    return json.dumps(whole)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in list(items):
        yield value, key
        yield from _places(one)


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


METHODS = words("""
    get get_by_role get_by_label get_by_text get_by_test_id get_by_alt_text locator filter and_ or_ frame_locator
    goto go_back go_forward reload evaluate press press_sequentially fill select_option check uncheck click
    dblclick hover focus drag_to set_input_files read_bytes scroll_into_view_if_needed wheel wait_for wait_for_url
    new_context new_page on accept expect_navigation expect_response to_have_url to_be_visible to_contain_text
    to_have_count to_have_title evaluate_all search compile
""")
FUNCTIONS = frozenset({"expect", "one", "answered", "sent", "len", "set", "Path"})
NAMES = words("""
    BASE_URL FILES os re __file__ str int bool dialog landed beside browser Page Browser Locator Response Callable
    None found seen acts answer status method address at each all
""")


def check_source(text: str) -> None:
    """Fail where a generated test does anything but call what tests call, with literals."""
    tree = ast.parse(text)
    imported = {ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)}
    known = {"__future__", "os", "re", "pathlib", "collections.abc", "playwright.sync_api"}
    assert {one.split()[1] for one in imported} <= known
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=name)):
                assert name in FUNCTIONS, name
            case ast.Call(func=ast.Attribute(attr=name, value=of)):
                assert name in METHODS, name
                assert not (isinstance(of, ast.Name) and of.id == "os"), name
            case ast.Call():
                raise AssertionError(ast.dump(node))
            case ast.Attribute(attr=name):
                assert not name.startswith("_"), name
            case ast.Name(id=name):
                ours = name in NAMES | FUNCTIONS or name.endswith("page") or name.startswith(("TEST_", "saved"))
                assert ours, name
            case ast.Lambda() | ast.FunctionDef() | ast.JoinedStr() | ast.expr() | ast.stmt() | ast.mod():
                assert not isinstance(node, ast.ClassDef | ast.Global | ast.Delete | ast.Try | ast.While | ast.Await)
