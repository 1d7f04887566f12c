"""Finding covers and giving them to a file field, and what stays of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from simulator.canonical import sha256
from tests.seam import needs_bookshop

pytestmark = [needs_bookshop, pytest.mark.asyncio(loop_scope="session")]

FORM = "<form method=post action=/up enctype=multipart/form-data><label>Cover <input type=file name=cover {0}></label>"


@pytest_asyncio.fixture(loop_scope="session")
async def uploading(run: Any, small_site: Any) -> Any:
    small_site.pages |= {
        "/one": FORM.format("") + "<button>Send",
        "/styled": FORM.format("style='display:none'") + "<button>Send",
        "/two": FORM.format("") + "<label>Back <input type=file name=back></label><button>Send",
        "/": "<h1>Done",
    }
    small_site.answers["/up"] = lambda fields: "/"
    return run


async def test_covers_are_offered_as_variables(run: Any) -> None:
    covers = await run.did("fetch_book_covers", query="{{book.1.title}}", count=2)
    assert covers[0]["title"] == "The Moonstone"
    assert set(covers[0]) == {"title", "author", "cover_url", "source"}
    assert run.notes.variables["file.cover_1"] == covers[0]["cover_url"]
    assert run.ctx.bindings.render("{{file.cover_1}}") == covers[0]["cover_url"]
    await run.did("fetch_book_covers", query="Emma", count=1)
    assert f"file.cover_{len(covers) + 1}" in run.notes.variables


@pytest.mark.parametrize("path", ["/one", "/styled"])
async def test_an_upload_reaches_the_site_and_leaves_only_a_blob(
    uploading: Any, small_site: Any, tmp_path: Path, path: str
) -> None:
    await uploading.did("fetch_book_covers", query="{{book.1.title}}", count=1)
    await uploading.did("navigate", url=path)
    told = await uploading.did("upload_cover_image", cover_url="{{file.cover_1}}")
    assert list(tmp_path.iterdir()) == []
    await uploading.did("click", selector="Send")
    assert small_site.posts == [("/up", {"cover": told["sha256"]})]
    assert sha256(uploading.notes.blobs[told["sha256"]]) == told["sha256"]


async def test_several_file_fields_have_to_be_told_apart(uploading: Any) -> None:
    (cover,) = await uploading.did("fetch_book_covers", query="Emma", count=1)
    await uploading.did("navigate", url="/two")
    result = await uploading.call("upload_cover_image", cover_url=cover["cover_url"])
    assert result.error.type == "ambiguous"
    assert "'Back' (ref=" in result.error.message
    for selector in ("Back", "back", "[name=back]"):
        await uploading.did("upload_cover_image", cover_url=cover["cover_url"], selector=selector)
        assert uploading.notes.started[-1].target.name_attr == "back"


async def test_the_temporary_file_goes_when_the_upload_fails(uploading: Any, tmp_path: Path) -> None:
    (cover,) = await uploading.did("fetch_book_covers", query="Emma", count=1)
    await uploading.did("navigate", url="/")
    for selector in ("", "#nowhere"):
        result = await uploading.call("upload_cover_image", cover_url=cover["cover_url"], selector=selector)
        assert result.error.type == "not_found"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/x.png", "file:///etc/passwd", "cover:" + "0" * 64])
async def test_what_is_no_cover_is_refused(uploading: Any, url: str) -> None:
    await uploading.did("navigate", url="/one")
    result = await uploading.call("upload_cover_image", cover_url=url)
    assert result.error.type in ("blocked", "not_found")
    assert uploading.notes.blobs == {}
