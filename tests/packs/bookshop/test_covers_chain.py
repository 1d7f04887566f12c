"""What users are offered when a source or an image fails: the next candidate, the next source, a drawn one."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from simulator.cli.main import main
from simulator.config.values import SecretRef
from simulator.packs.bookshop.covers import CoverService
from simulator.packs.bookshop.covers.cover import Cover, of_the_book
from simulator.packs.bookshop.settings import Covers
from tests.fakes.cover_services import CoverServices, body, cover_services, picture, status

Answer = Callable[[BaseHTTPRequestHandler], None]
SEARCH, VOLUMES = "/search.json", "/books/v1/volumes"


@pytest.fixture
def services() -> Iterator[CoverServices]:
    with cover_services() as running:
        yield running


def settings(services: CoverServices, folder: Path, *sources: str, **more: object) -> Covers:
    given = {
        "sources": sources,
        "cache_dir": str(folder / "cache"),
        "open_library_url": services.origin,
        "open_library_covers_url": services.origin,
        "google_books_url": f"{services.origin}/books/v1",
        "rate": 100.0,
        "allow_private": True,
        "timeout_seconds": 2.0,
    }
    return Covers.model_validate(given | more)


def docs(*titles: str) -> Answer:
    found = [{"title": title, "author_name": ["A. Writer"], "cover_i": n} for n, title in enumerate(titles, start=1)]
    return body(json.dumps({"docs": found}).encode(), "application/json")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (status(500), "answers 500"),
        (status(404), "there is nothing"),
        (body(b"<html>Sorry</html>"), "is not a JPEG"),
        (body(picture()[:300]), "damaged"),
        (body(picture(size=(1, 1))), "placeholder"),
    ],
)
async def test_the_next_candidate_is_taken(services: CoverServices, tmp_path: Path, answer: Answer, said: str) -> None:
    services.then(SEARCH, docs("Silas Marner", "Silas Marner (abridged)"))
    services.then("/b/id/1-L.jpg", answer)
    async with CoverService(settings(services, tmp_path, "open_library")) as covers:
        found, failures = await covers.offer("Silas Marner", 1, title="Silas Marner")
    assert [cover.title for cover in found] == ["Silas Marner (abridged)"]
    assert [failure.source for failure in failures] == ["open_library"]
    assert said in failures[0].message


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (status(500), "answers 500"),
        (body(b"<html>Sorry</html>", "text/html"), "in a form that is not understood"),
        (body(b'{"docs": [{"title": null}, 7]}', "application/json"), None),
        (docs("The Mill on the Floss", "Silas Marner Explained"), None),
    ],
)
async def test_then_the_next_source_and_then_a_drawn_one(
    services: CoverServices, tmp_path: Path, answer: Answer, said: str | None
) -> None:
    services.then(SEARCH, answer, answer)
    async with CoverService(settings(services, tmp_path, "open_library", "google_books")) as covers:
        found, failures = await covers.offer("The Moonstone", 1, title="The Moonstone")
        assert [(cover.title, cover.source) for cover in found] == [("The Moonstone", "google_books")]
        assert [said in failure.message for failure in failures] == ([True] if said else [])
        (tmp_path / "cache").rename(tmp_path / "old")
        services.then("/books/content", *[status(500)] * 8)
        ((drawn,), failures) = await covers.offer("The Moonstone", 1, title="The Moonstone")
        assert (drawn.title, drawn.source) == ("The Moonstone", "offline")
        assert failures[-1].source == "google_books"
        assert await covers.verify(drawn)


def test_titles_are_compared() -> None:
    titles = ["Emma: a novel", "Emma and the Werewolves", "EMMA", "Emma (Penguin Classics)", "The Emma", "Émma"]
    covers = [
        Cover(title=title, author="Jane Austen", cover_url=f"cover:{n}", source="open_library")
        for n, title in enumerate(titles)
    ]
    kept = [titles[0], *titles[2:]]
    assert [cover.title for cover in of_the_book(covers, "", "Emma")] == kept
    assert [cover.title for cover in of_the_book(covers, "Emma by Jane Austen", "")] == kept
    assert of_the_book(covers, "regency romance", "") == covers
    assert of_the_book(covers, "regency romance", "Persuasion") == []


async def test_a_key_goes_to_google_books_alone_and_stands_in_no_address(
    services: CoverServices, tmp_path: Path
) -> None:
    key = SecretRef.model_validate({"env": "BOOKS_KEY"}, context={"environ": {"BOOKS_KEY": "k-1"}})
    chain = settings(services, tmp_path, "open_library", "google_books").model_copy(update={"google_books_key": key})
    services.then(SEARCH, docs("Other"))
    async with CoverService(chain) as covers:
        await covers.offer("The Moonstone", 1, title="The Moonstone")
    assert [(path.partition("?")[0], key) for path, key in zip(services.asked, services.keys, strict=True)] == [
        (SEARCH, None), (VOLUMES, "k-1"), ("/books/content", None),
    ]  # fmt: skip
    assert "k-1" not in "".join(services.asked)


async def test_a_key_that_is_not_set_is_a_failure_of_its_source(services: CoverServices, tmp_path: Path) -> None:
    key = SecretRef.model_validate({"env": "BOOKS_KEY"}, context={"environ": {}})
    chain = settings(services, tmp_path, "google_books").model_copy(update={"google_books_key": key})
    async with CoverService(chain) as covers:
        ((drawn,), (failure,)) = await covers.offer("The Moonstone", 1)
    assert (drawn.source, services.asked) == ("offline", [])
    assert "BOOKS_KEY is not set" in failure.message


def test_commands_tell_what_each_source_failed_with(
    services: CoverServices, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sim.toml").write_text(
        f"[bookshop.covers]\nsources = ['open_library', 'google_books']\nopen_library_url = '{services.origin}'\n"
        f"open_library_covers_url = '{services.origin}'\ngoogle_books_url = '{services.origin}/books/v1'\n"
        f"cache_dir = 'cache'\nallow_private = true\nrate = 100\n[site.mine]\nbase_url = '{services.origin}'\n",
        "utf-8",
    )
    services.then(SEARCH, status(500))
    assert main(["packs", "pictures", "The Moonstone", "--site", "mine"]) == 0
    told = capsys.readouterr()
    assert "open_library gave nothing: " in told.err
    assert "answers 500" in told.err
    assert "google_books" in told.out
    services.then(SEARCH, status(500))
    services.then(VOLUMES, docs("x"))
    main(["doctor", "--json"])
    found = {one["name"]: one for one in json.loads(capsys.readouterr().out)}
    assert not found["covers open_library"]["ok"]
    assert "answers 500" in found["covers open_library"]["detail"]
    assert not found["covers google_books"]["ok"]
