"""A file that was uploaded is known again by what it looks like, wherever it is kept and however it is scaled."""

from __future__ import annotations

import io
import json
import sqlite3
from collections.abc import Callable, Iterator
from email import message_from_bytes
from pathlib import Path

import pytest
from PIL import Image, ImageOps

from tests.fakes.messages_api import call
from tests.fakes.server import served
from tests.runner.one_run import OneRun
from tests.seam import needs_bookshop
from tests.sites.serving import PageHandler

pytestmark = [needs_bookshop, pytest.mark.promise("where what was sent is seen")]

ALBUM = """<h1>Album</h1><form method=post action="/album" enctype="multipart/form-data" aria-label=Photo>
<img src="/pictures/{name}" alt="">
<label>Photo <input type=file name=photo></label><button>Save</button></form>"""
CALLS = [
    call("navigate", url="/album"),
    call("fetch_book_covers", query="{{book.1.title}}", count=1),
    call("upload_cover_image", cover_url="{{file.cover_1}}", selector="Photo"),
    call("click", selector="button"),
]
NONE = Image.new("RGB", (90, 90), "silver")


class Album(PageHandler):
    """An album of one photo, cut to a square; it is always at one address, or has its own each time."""

    title = "Album"
    photo: Image.Image
    name: str
    makes: Callable[[Image.Image], Image.Image]
    renames: bool

    def do_GET(self) -> None:
        if not self.path.startswith("/pictures/"):
            return self.answer(200, ALBUM.format(name=self.name))
        made = io.BytesIO()
        self.photo.save(made, "JPEG", quality=70)
        self.send_response(200)
        self.send_header("Content-Type", "image/jpeg")
        self.send_header("Cache-Control", "no-store")
        self.send_header("Content-Length", str(len(made.getvalue())))
        self.end_headers()
        self.wfile.write(made.getvalue())

    def do_POST(self) -> None:
        kind = f"Content-Type: {self.headers['Content-Type']}\n\n"
        (part,) = message_from_bytes(kind.encode() + self.body()).get_payload()
        sent = Image.open(io.BytesIO(part.get_payload(decode=True))).convert("RGB")  # type: ignore[union-attr,arg-type]
        type(self).photo = type(self).makes(sent)
        if self.renames:
            type(self).name = f"{int(self.name) + 1}"
        self.answer(303, location="/album")


def square(photo: Image.Image) -> Image.Image:
    return ImageOps.fit(photo, (90, 90))


def faded(photo: Image.Image) -> Image.Image:
    """Take strength from each colour: it is neither the same nor surely another one."""
    return square(photo).point(lambda value: value + 15 if value < 128 else value - 15)


@pytest.fixture
def album() -> Iterator[tuple[type[Album], str]]:
    own = {"photo": NONE, "name": "48213", "makes": staticmethod(square), "renames": False}
    site = type("Site", (Album,), own)
    with served(site) as url:
        yield site, url


@pytest.fixture
def run(
    tmp_path: Path, album: tuple[type[Album], str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> OneRun:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    one = OneRun(tmp_path, album[1], capsys, 'grants = ["login", "upload"]')
    told = one.record(CALLS)
    assert all(each.success for each in told), told
    return one


def test_another_picture_where_a_file_was_put_in_is_red(run: OneRun, album: tuple[type[Album], str]) -> None:
    site, _ = album

    def replayed(makes: Callable[[Image.Image], Image.Image], *options: str) -> tuple[str, list[str], str]:
        site.photo, site.makes = NONE, staticmethod(makes)
        told = run.replay(*options)
        (write,) = told["writes"]
        return told["verdict"], write["unseen"], json.dumps(told["drift"])

    assert replayed(square, "--identity", "fresh", "--seed", "3")[:2] == ("passed", [])
    verdict, unseen, drift = replayed(lambda photo: square(ImageOps.invert(photo)))
    assert (verdict, unseen) == ("postcondition", ["Photo"])
    assert "another picture" in drift
    assert replayed(faded)[:2] == ("passed", ["Photo"])


def test_an_older_recording_takes_any_picture_at_a_new_address(run: OneRun, album: tuple[type[Album], str]) -> None:
    site, _ = album
    with sqlite3.connect(run.folder / "a.db") as db:
        db.execute("UPDATE run SET environment = json_set(environment, '$.determinism.effects', 3)")
    site.photo, site.makes, site.renames = NONE, staticmethod(lambda photo: NONE), True
    told = run.replay()
    assert (told["verdict"], told["writes"][0]["unseen"]) == ("passed", []), told


def test_verify_site_knows_the_picture_from_another_one(run: OneRun, album: tuple[type[Album], str]) -> None:
    site, _ = album

    def verified() -> tuple[int, list[tuple[str, str, str]]]:
        code, out, err = run.sim("runs", "verify-site", "last", "--db", "a.db", "--json")
        assert out, err
        return code, [(one["field"], one["became"], one["found"]) for one in json.loads(out)["places"]]

    assert verified() == (0, [("Photo", "shown", "")])
    site.photo = ImageOps.invert(site.photo)
    assert verified() == (1, [("Photo", "contradicted", "the site shows 'another picture'")])
