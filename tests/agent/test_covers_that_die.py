"""The picture of a cover is there when it is offered, and gone or another one when it is given to the form."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from simulator.errors import ToolError
from simulator.packs.bookshop.covers.service import CoverService
from simulator.packs.bookshop.settings import Covers
from simulator.persona.population import draw_population
from tests.fakes.cover_services import CoverServices, body, cover_services, picture, status

SEARCH, FIRST, SECOND = "/search.json", "/b/id/1-L.jpg", "/b/id/2-L.jpg"
OTHER = body(picture(size=(240, 360)))
SELLS = ("register", {"list_books": {"count": 1}})


@pytest.fixture
def services() -> Iterator[CoverServices]:
    with cover_services() as running:
        yield running


@pytest.fixture
async def chain(services, tmp_path, shop, bookshop, stage, make_persona):
    """A stage with two candidates for the user's book, where nothing is kept between offer and upload."""
    (identity,) = draw_population([make_persona(*SELLS)], 1, 7)
    title = identity.books[0].title
    found = [
        {"title": one, "author_name": ["A. Writer"], "cover_i": number}
        for number, one in enumerate([title, f"{title} (abridged)"], start=1)
    ]
    services.then(SEARCH, *[body(json.dumps({"docs": found}).encode(), "application/json")] * 9)
    (tmp_path / "file").touch()
    given = {
        "sources": ("open_library",),
        "cache_dir": str(Path(tmp_path / "file" / "no-folder")),
        "open_library_url": services.origin,
        "open_library_covers_url": services.origin,
        "rate": 100.0,
        "allow_private": True,
    }
    made = await stage(bookshop.with_base_url(shop.url))
    async with CoverService(Covers.model_validate(given)) as made.covers:
        yield made


def uploads(run) -> list[tuple[str, str]]:
    """Give what was uploaded of which address, and how that failed."""
    address: dict[str, str] = {}
    told = []
    for call, result in run.calls:
        if call.name == "fetch_book_covers":
            address[f"{{{{{result.metadata['variables'][0]}}}}}"] = result.data[0]["cover_url"]
        if call.name == "upload_cover_image":
            told.append((address[call.input["cover_url"]], result.error.type if result.error else ""))
    return told


@pytest.mark.parametrize(
    ("then", "said"),
    [(status(500), "unavailable"), (status(404), "not_found"), (OTHER, "rejected"), (body(b"<html>"), "rejected")],
    ids=["500", "404", "another", "junk"],
)
async def test_the_next_candidate_is_given(chain, services, shop, make_persona, then, said) -> None:
    services.then(FIRST, body(picture()), *[then] * 9)
    (run,) = await chain.batch([make_persona(*SELLS)], count=1)
    assert run.tasks[-1] == ("list_books", "done", "")
    first, second = services.origin + FIRST, services.origin + SECOND
    assert [(url.partition("?")[0], failed) for url, failed in uploads(run)] == [(first, said), (second, "")]
    assert shop.state()[run.identity.username]["listing"]["1"]["cover"]["size"] == len(picture())


@pytest.mark.table
async def test_at_last_a_drawn_one_is_given(chain, services, shop, make_persona) -> None:
    services.then(FIRST, body(picture()), *[status(500)] * 9)
    services.then(SECOND, body(picture()), *[status(500)] * 9)
    (run,) = await chain.batch([make_persona(*SELLS)], count=1)
    assert run.tasks[-1] == ("list_books", "done", "")
    assert [failed for _, failed in uploads(run)] == ["unavailable", "unavailable", ""]
    assert uploads(run)[-1][0].startswith("cover:")
    assert shop.state()[run.identity.username]["listing"]["1"]["cover"]["size"] > 1000


@pytest.mark.table
async def test_what_fails_for_another_reason_fails_once(chain, services, shop, make_persona, monkeypatch) -> None:
    """The field is at fault where the same picture is found again."""

    async def refuse(*given, **named):
        raise ToolError("rejected", "the field takes no file")

    monkeypatch.setattr("simulator.browser.actor.Actor.upload", refuse)
    (run,) = await chain.batch([make_persona(*SELLS)], count=1)
    assert run.tasks[-1][:2] == ("list_books", "failed")
    assert len(uploads(run)) == 1
