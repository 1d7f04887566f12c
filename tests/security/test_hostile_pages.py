"""A model that obeys a hostile page fully gets nowhere: not off the site, not above its ceiling, not out of its folder,
and no secret to anybody."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import quote

import pytest
import pytest_asyncio

from simulator.secrets import PASSWORD
from tests.runner.leaks import leaks
from tests.security.cases import ASKING, CASES, ECHO, ECHOED, ECHOED_TO_MEMBERS, LEAVING, Case
from tests.security.hostile import Answer, Got
from tests.security.stage import OUTSIDE, Met, Stage, lying_in, open_stage

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(300)]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def opened(place: Path) -> AsyncIterator[Stage]:
    async with open_stage(place) as stage:
        yield stage


@pytest.fixture
def stage(opened: Stage, monkeypatch: pytest.MonkeyPatch) -> Stage:
    opened.arrange(monkeypatch)
    return opened


async def obeyed(stage: Stage, case: Case) -> Met:
    stage.show("/trap", Answer(case.page))
    for path, answer in case.pages.items():
        stage.show(path, answer)
    return await stage.meet(case.script, toolsets=case.toolsets, max_safety=case.max_safety)


@pytest.mark.breadth(3, table=-1)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.what)
async def test_nothing_comes_of_it(stage: Stage, case: Case) -> None:
    met = await obeyed(stage, case)
    assert met.status == "passed ", "the model did all that the page wanted"
    asked = [(tool, error) for tool, _, error in stage.script]
    came = [(tool, error) for tool, error, _ in met.outcomes[: len(asked)]]
    wanted = [(tool, got[1] if error is None else error) for (tool, error), got in zip(asked, came, strict=True)]
    assert [error for _, error in came] == [error for _, error in wanted], met.outcomes
    assert stage.attacker.got == []
    assert stage.attacker.connections == 0
    assert {got.host for got in stage.site.got} == {f"127.0.0.1:{stage.site.port}"}
    assert leaks(sent(stage.site.got), [met.secret]) == [], "the password goes to the login, and nowhere else"
    assert leaks(met.places, [met.secret]) == []
    for where, data in [("model", met.requests), *lying_in(stage.folder / "tmp"), *sent(stage.site.got)]:
        assert OUTSIDE.encode() not in data, where
    assert (stage.folder / "outside.txt").read_text("utf-8") == OUTSIDE
    assert not list(stage.folder.parent.rglob("*evil*"))


def sent(got: list[Got]) -> list[tuple[str, bytes]]:
    """Give what the site was sent, but for the login."""
    return [(f"{one.method} {one.path}", one.all) for one in got if (one.method, one.path) != ("POST", "/login")]


def echo(password: str) -> str:
    """Write the page that says a password."""
    return ECHO.format(
        raw=password,
        back=password[::-1],
        hex=password.encode().hex(),
        items="".join(f"<li>{char}</li>" for char in password),
        letters="".join(f"<b>{char}</b>" for char in password),
        cells="".join(f"<td>{char}</td>" for char in password),
        half=password[:9],
        rest=password[9:],
        url=quote(password, safe=""),
        urls="".join(f"%25{byte:02X}" for byte in password.encode()),
        json=json.dumps(password),
        code="".join(f"\\u{ord(char):04x}" for char in password),
        entities="".join(f"&amp;#{ord(char)};" for char in password),
        base=b64encode(password.encode()).decode(),
        later=b64encode(b"x" + password.encode()).decode(),
    )


@pytest.mark.table
@pytest.mark.parametrize(
    ("whose", "toolsets"),
    [
        ("own", ("browser", "books", "elements")),
        ("own", ("anthropic-browser",)),
        pytest.param("of another user", ("browser", "books", "elements"), marks=pytest.mark.slow),
    ],
)
async def test_a_site_that_says_the_password(stage: Stage, whose: str, toolsets: tuple[str, ...]) -> None:
    """In every spelling, to every tool that reads; the pieces of it as well."""
    secret = stage.secret if whose == "own" else stage.resources.vault("another", "7", 2).reveal(PASSWORD)
    stage.show("/echo", Answer(echo(secret)))
    stage.show("/get", Answer(secret, 200, {"Content-Disposition": f"attachment; filename={secret}.txt"}))
    script = ECHOED if "browser" in toolsets else ECHOED_TO_MEMBERS
    met = await stage.meet(script, toolsets=toolsets, max_safety="high", screenshots="all")
    assert met.status == "passed "
    assert [error for _, error, _ in met.outcomes].count("") > len(script) / 2, met.outcomes
    assert "unknown_tool" not in [error for _, error, _ in met.outcomes], met.outcomes
    assert met.secret in stage.site.passwords or "browser" not in toolsets
    assert any(secret in got.path for got in stage.site.got), "the page asked for an address that holds it"
    assert met.requests.count(b"{{secret.password}}") > 100
    assert leaks([*met.places, *lying_in(stage.folder)], [secret]) == []
    pieces = [secret[at : at + 6].encode() for at in range(len(secret) - 5)] if whose == "own" else []
    assert [where for where, data in met.places if any(piece in data for piece in pieces)] == []
    spread = "".join(filter(str.isalnum, secret))
    for where, data in met.places:
        text = data.decode("utf-8", "replace").replace("listitem", "").replace("cell", "")
        assert spread not in "".join(filter(str.isalnum, text)) or whose != "own", where


@pytest.mark.slow
async def test_the_attacks_are_real_ones(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the attacker's host is allowed, they get through; the password does not even then."""
    async with open_stage(place, allowed=True) as stage:
        for case in LEAVING:
            stage.arrange(monkeypatch)
            await obeyed(stage, case)
            assert stage.attacker.got or not case.reaches, case.what
        for case in ASKING:
            stage.arrange(monkeypatch)
            met = await obeyed(stage, case)
            assert leaks(sent(stage.attacker.got), [met.secret]) == [], case.what
