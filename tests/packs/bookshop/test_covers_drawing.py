from __future__ import annotations

import io
import os
import subprocess
import sys

import pytest
from PIL import Image

from simulator.errors import ToolError
from simulator.packs.bookshop.catalogue import catalogue
from simulator.packs.bookshop.covers.cover import check_image
from simulator.packs.bookshop.covers.drawing import HEIGHT, MAX_BYTES, WIDTH, draw_cover
from simulator.packs.bookshop.covers.layouts import LAYOUTS
from simulator.packs.bookshop.covers.lettering import fit, letters
from simulator.packs.bookshop.covers.offline import Drawings, search

HASHES = """
from simulator.canonical import sha256
from simulator.packs.bookshop.covers.drawing import draw_cover
for book in (("Emma", "Jane Austen", "Classics"), ("Les Misérables", "", "Fiction"), ("坊っちゃん", "", "")):
    print(sha256(draw_cover(*book)))
"""


def titles(query: str, count: int = 4) -> list[str]:
    return [book.title for book in search(query)[:count]]


def test_every_cover_of_the_catalogue_is_small_whole_and_its_own() -> None:
    seen = set()
    for book in catalogue():
        data = draw_cover(book.title, book.author, book.genre)
        image = check_image(data, "cover:")
        assert image.media_type == "image/jpeg"
        assert len(data) <= MAX_BYTES, book.title
        assert Image.open(io.BytesIO(data)).size == (WIDTH, HEIGHT)
        seen.add(image.sha256)
    assert len(seen) == len(catalogue())


def test_the_bytes_are_the_same_in_another_process() -> None:
    def run(seed: str) -> list[str]:
        done = subprocess.run(
            [sys.executable, "-c", HASHES],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.split()

    first = run("1")
    assert len(set(first)) == 3
    assert first == run("2")


@pytest.mark.breadth(8)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    "title", ["She", "Übermäßig lange Überschriften über alles " * 8, "Мёртвые души", "a" * 200, "…"]
)
def test_every_layout_takes_every_title(layout: str, title: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simulator.packs.bookshop.covers.drawing._BY_GENRE", {"": layout})
    assert check_image(draw_cover(title, "Some Author"), "cover:").media_type == "image/jpeg"


def test_the_title_is_on_the_cover(monkeypatch: pytest.MonkeyPatch) -> None:
    lettered = draw_cover("Emma", "Jane Austen", "Classics")
    monkeypatch.setattr("simulator.packs.bookshop.covers.drawing.letters", lambda text: None)
    assert draw_cover("Emma", "Jane Austen", "Classics") != lettered


def test_letters_are_spelled_with_what_the_font_has() -> None:
    assert letters("Les Misérables — Tome “I”") == "Les Mise\u0301rables - Tome “I”"
    assert letters("Straße, Ærø, Łódź") == "Strasse, AEro, Lo\u0301dz\u0301"
    assert letters("坊っちゃん") is None


def test_a_text_becomes_smaller_until_it_fits_and_is_cut_when_it_cannot() -> None:
    short, long = (fit("word " * number, 600, 300, 100, 30) for number in (2, 20))
    assert short.size == 100
    assert 30 < long.size < 100
    assert len(long.lines) > 1
    endless = fit("word " * 400, 600, 300, 100, 30)
    assert endless.size == 30
    assert endless.height <= 300
    assert endless.lines[-1].endswith("…")
    assert fit("x" * 100, 300, 300, 100, 30).lines[0].endswith("…")


def test_drawings_are_kept_by_the_hash_of_their_bytes() -> None:
    drawings = Drawings()
    (cover,) = drawings.find("Emma Jane Austen", 1)
    image = drawings.image(cover.cover_url)
    assert cover.cover_url == f"cover:{image.sha256}"
    assert (cover.title, cover.author, cover.source) == ("Emma", "Jane Austen", "offline")
    assert image.data == draw_cover("Emma", "Jane Austen", "Classics")
    assert Drawings().find("emma", 1) == [cover]
    with pytest.raises(ToolError, match="no cover was drawn as cover:00") as caught:
        drawings.image("cover:00")
    assert caught.value.type == "not_found"


class TestSearch:
    @pytest.mark.parametrize(
        "query",
        [
            "Wuthering Heights Emily Brontë",
            "wuthering heights",
            "Emily Bronte Wuthering Heights, paperback",
            "WUTHERING  HEIGHTS: a novel",
        ],
    )
    def test_finds_the_book_that_is_meant_first(self, query: str) -> None:
        assert titles(query, 1) == ["Wuthering Heights"]

    def test_every_title_of_the_catalogue_is_found_by_title_and_author(self) -> None:
        for book in catalogue():
            assert search(f"{book.title} {book.author}")[0] == book

    def test_more_of_the_author_and_shelf_follow(self) -> None:
        found = search("Emma Jane Austen")[:4]
        assert {book.author for book in found[:3]} == {"Jane Austen"}
        assert {book.genre for book in found} == {"Classics"}

    def test_a_topic_gives_its_shelf_each_query_in_its_own_order(self) -> None:
        found = search("classic crime")
        assert {book.genre for book in found[:4]} <= {"Crime", "Classics"}
        assert titles("classic crime") == titles("classic crime")
        assert titles("old crime novels") != titles("crime books")
        assert all(book.genre == "Crime" for book in search("crime books")[:4])

    def test_an_unknown_title_gets_a_cover_of_its_own(self) -> None:
        (book,) = search("Zwölf Tulpenzwiebeln by Q. Xylander")
        assert (book.title, book.author) == ("Zwölf Tulpenzwiebeln", "Q. Xylander")
        assert titles("吾輩は猫") == ["吾輩は猫"]

    def test_a_title_stands_once(self) -> None:
        found = [book.title for book in search("history")]
        assert len(found) == len(set(found)) > 4

    def test_nothing_gives_nothing(self) -> None:
        assert search("  ?! ") == []


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"<html>not an image</html>", "is not a JPEG, PNG or WebP image"),
        (b"GIF89a\x01\x00\x01\x00\x00\x00\x00;", "is not a JPEG, PNG or WebP image"),
        (draw_cover("Emma", "")[:5000], "is a damaged image"),
    ],
)
def test_what_is_no_image_is_rejected(data: bytes, said: str) -> None:
    with pytest.raises(ToolError, match=said) as caught:
        check_image(data, "https://x.example/1.jpg")
    assert caught.value.type == "rejected"


@pytest.mark.parametrize(("size", "said"), [((6000, 6000), "36000000|6000 x 6000"), ((1, 1), "a placeholder of 1 x 1")])
def test_bombs_and_placeholders_are_rejected(size: tuple[int, int], said: str) -> None:
    file = io.BytesIO()
    Image.new("1", size).save(file, "PNG")
    with pytest.raises(ToolError, match=said):
        check_image(file.getvalue(), "https://x.example/1.png")


def test_a_bomb_that_pillow_itself_refuses() -> None:
    file = io.BytesIO()
    Image.new("1", (20_000, 20_000)).save(file, "PNG")
    with pytest.raises(ToolError, match="far too many pixels"):
        check_image(file.getvalue(), "https://x.example/1.png")
