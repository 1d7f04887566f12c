"""How the autopilot comes to a planned matchup, wherever others' matchups have put it in the list of all."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence

import pytest

from simulator.persona import Persona
from tests.fakes import asking

STARTING = ("register", {"list_books": {"count": 2}}, "create_matchup")


@pytest.fixture
def pair(make_persona) -> list[Persona]:
    """One user who starts a matchup, and one who votes in it."""
    return [make_persona(*STARTING, name="aa"), make_persona("register", "vote", name="bb")]


def start_matchups(url: str, pairs: Sequence[tuple[int, int]]) -> None:
    """Let another member start matchups."""
    password = secrets.token_hex(8)
    someone = {"username": "someone", "display_name": "Some One", "email": "someone@example.org", "city": "Leeds"}
    with asking.Client(base_url=url) as client:

        def submit(path: str, **fields: object) -> None:
            token = re.findall(r'name="csrf_token" value="([^"]+)"', client.get(path).text)[-1]
            assert client.post(path, data={"csrf_token": token, **fields}).status_code == 303

        submit("/account/register", **someone, password=password, password_repeat=password, terms="yes")
        submit("/account/login", username="someone", password=password)
        for first, second in pairs:
            submit("/this-or-that/new", first=first, second=second)


def visited(run) -> list[str]:
    return [str(call.input["url"]) for call, _ in run.calls if call.name == "navigate"]


@pytest.mark.slow
async def test_a_matchup_is_found_on_the_page_of_its_book(shop, bookshop, stage, pair) -> None:
    alike, many = [(13, 14), (14, 13)], [(1, other) for other in range(2, 13)]

    def after(number: int) -> None:
        if number == 1:
            start_matchups(shop.url, [*alike, *many])

    on_shop = await stage(bookshop.with_base_url(shop.url))
    runs = await on_shop.batch(pair, count=2, after=after)
    assert [run.end.reason for run in runs] == ["", ""]
    starter, voter = (run.identity.username for run in runs)
    state = shop.state()
    assert sum(len(mine.get("matchup", ())) for mine in state.values()) > 12
    (vote,) = state[voter]["vote"].values()
    assert vote["matchup"] == [starter, "matchup", 1]
    assert "/this-or-that" not in visited(runs[1])
    link = [action.target for action in runs[1].actions if action.target and action.target.href][-1]
    assert re.fullmatch(r"{{user\.1\.book\.\d\.title}} or {{user\.1\.book\.\d\.title}}\?", link.name)
    assert link.scopes[0].kind == "card"
    assert "{{user.1.display_name}}" in link.scopes[0].texts


@pytest.mark.slow
async def test_a_site_without_such_links_has_a_list(altered_shop, bookshop, stage, pair) -> None:
    shop = altered_shop({'<section class="narrow" aria-labelledby="matchups">': "<section hidden>"})
    runs = await (await stage(bookshop.with_base_url(shop.url))).batch(pair, count=2)
    assert [run.end.reason for run in runs] == ["", ""]
    starter, voter = (run.identity.username for run in runs)
    (vote,) = shop.state()[voter]["vote"].values()
    assert vote["matchup"] == [starter, "matchup", 1]
    assert "/this-or-that" in visited(runs[1])
