"""What is put in by other means than a field of the form: the stars of a rating, an editor in a frame of its own.

It is sent with the form all the same, so the write is not proven until it is seen again.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator
from email import message_from_bytes
from pathlib import Path

import pytest

from tests.fakes.messages_api import call
from tests.fakes.server import served
from tests.runner.one_run import OneRun
from tests.seam import needs_bookshop
from tests.sites.serving import PageHandler

pytestmark = [needs_bookshop, pytest.mark.promise("what fields are given")]

FORM = """<h1>Say something</h1><form method=post action="/notes" enctype="multipart/form-data" aria-label=Note>
<label>Title <input name=title></label>
<div>Score <span class=stars><i>☆</i><i>☆</i><i>☆</i><i>☆</i><i>☆</i></span><input type=hidden name=score></div>
<textarea name=body hidden></textarea><iframe title=Editor srcdoc="<body id=editor contenteditable></body>"></iframe>
<label>Photo <input type=file name=photo></label><button>Save</button></form><script>
const stars = [...document.querySelectorAll("i")], form = document.forms[0];
stars.forEach((star, at) => { star.onclick = () => { form.score.value = at + 1; }; });
form.onsubmit = () => { form.body.value = document.querySelector("iframe").contentDocument.body.innerHTML; };
</script>"""
BODY = "Green shutters, and a garden that leads down to the water."
CALLS = [
    call("navigate", url="/new"),
    call("fill", selector="Title", value="The house by the lake"),
    call("click", selector="i:nth-of-type(4)"),
    call("fill", selector="#editor", value=BODY),
    call("fetch_book_covers", query="The Moonstone", count=1),
    call("upload_cover_image", cover_url="{{file.cover_1}}", selector="Photo"),
    call("click", selector="button"),
]


class Notes(PageHandler):
    """A note with a photo; its page tells what it keeps."""

    title = "Notes"
    kept: dict[str, str]
    lies: Callable[[str], str] = staticmethod(str)
    shows_score: bool

    def do_GET(self) -> None:
        if self.path.startswith("/photos/"):
            return self.answer(404)
        if self.path != "/notes/48213" or not self.kept:
            return self.answer(200, FORM)
        score = f"<dl><dt>Score</dt><dd>{self.kept['score']}</dd></dl>" if self.shows_score else ""
        text = type(self).lies(self.kept["body"])
        self.answer(200, f"<h1>{html.escape(self.kept['title'])}</h1>{score}<div>{text}</div>")

    def do_POST(self) -> None:
        kind = f"Content-Type: {self.headers['Content-Type']}\n\n"
        parts = message_from_bytes(kind.encode() + self.body()).get_payload()
        for part in parts:
            if part.get_filename() is None:  # type: ignore[union-attr]
                name = str(part.get_param("name", header="content-disposition"))  # type: ignore[union-attr]
                self.kept[name] = part.get_payload(decode=True).decode()  # type: ignore[union-attr]
        self.answer(303, location="/notes/48213")


@pytest.fixture
def site() -> Iterator[tuple[type[Notes], str]]:
    site = type("Site", (Notes,), {"kept": {}, "shows_score": False})
    with served(site) as url:
        yield site, url


@pytest.fixture
def run(
    tmp_path: Path, site: tuple[type[Notes], str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> OneRun:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    return OneRun(tmp_path, site[1], capsys, 'grants = ["login", "upload"]')


@pytest.mark.table
def test_a_star_and_an_editor_in_a_frame_are_inputs(run: OneRun, site: tuple[type[Notes], str]) -> None:
    told = run.record(CALLS)
    assert all(one.success for one in told), told
    notes, _ = site
    assert (notes.kept["score"], notes.kept["body"]) == ("4", BODY)

    notes.kept.clear()
    replayed = run.replay()
    assert replayed["verdict"] == "passed", replayed["drift"]
    (write,) = replayed["writes"]
    assert (write["inputs"], sorted(write["unseen"])) == (4, ["Photo", "Score"])

    notes.kept.clear()
    notes.shows_score = True
    (write,) = run.replay()["writes"]
    assert write["unseen"] == ["Photo"]

    notes.kept.clear()
    notes.lies = staticmethod(lambda text: "Red shutters.")
    replayed = run.replay()
    assert replayed["verdict"] == "postcondition", replayed
