"""An editor in a frame of its own that takes its placeholder away as the focus comes, and sends HTML.

What was written there is an input like any other, whatever tags the editor puts around it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from tests.fakes.messages_api import call
from tests.fakes.server import served
from tests.runner.one_run import OneRun
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what fields are given")

FORM = """<h1>Say something</h1><form method=post action="/notes" aria-label=Note>
<label>Title <input name=title></label><textarea name=body hidden></textarea>
<iframe title="Text of the note"
srcdoc="<!doctype html><body class=editor contenteditable>Type your message here</body>"></iframe>
<button>Save</button></form><script>
const frame = document.querySelector("iframe"), form = document.forms[0];
frame.onload = () => {
  const { body } = frame.contentDocument;
  body.onfocus = () => { body.onfocus = null; body.innerHTML = "<p></p>"; };
  form.onsubmit = () => { form.body.value = `<p>${body.innerText.trim()}</p>\\n\\n<p>&nbsp;</p>\\n`; };
};
</script>"""
BODY = "Green shutters, and a garden that leads down to the water."
CALLS = [
    call("navigate", url="/new"),
    call("fill", selector="Title", value="The house by the lake"),
    call("fill", selector="body.editor", value=BODY),
    call("click", selector="button"),
    call("navigate", url="/notes/48213"),
]


class Notes(PageHandler):
    """A note; its page tells what it keeps."""

    title = "Notes"
    kept: dict[str, str]
    lies: Callable[[str], str] = staticmethod(str)

    def do_GET(self) -> None:
        if self.path != "/notes/48213" or not self.kept:
            return self.answer(200, FORM)
        self.answer(200, f"<h1>{self.kept['title']}</h1><div>{type(self).lies(self.kept['body'])}</div>")

    def do_POST(self) -> None:
        self.kept.update({name: values[0] for name, values in parse_qs(self.body().decode()).items()})
        self.answer(303, location="/notes/48213")


@pytest.fixture
def site() -> Iterator[tuple[type[Notes], str]]:
    site = type("Site", (Notes,), {"kept": {}})
    with served(site) as url:
        yield site, url


@pytest.fixture
def run(
    tmp_path: Path, site: tuple[type[Notes], str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> OneRun:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    return OneRun(tmp_path, site[1], capsys)


def test_what_is_written_in_a_frame_and_sent_as_html_is_proven(run: OneRun, site: tuple[type[Notes], str]) -> None:
    notes, _ = site
    told = run.record(CALLS)
    assert all(one.success for one in told), told
    assert notes.kept["body"].startswith(f"<p>{BODY}</p>")

    notes.kept.clear()
    replayed = run.replay()
    assert replayed["verdict"] == "passed", replayed["drift"]
    assert [(one["inputs"], one["unseen"]) for one in replayed["writes"]] == [(2, [])]

    notes.kept.clear()
    notes.lies = staticmethod(lambda text: "<p>Red shutters.</p>")
    assert run.replay()["verdict"] == "postcondition"


def test_what_no_page_shows_is_told_as_its_frame_is_called(run: OneRun, site: tuple[type[Notes], str]) -> None:
    notes, _ = site
    notes.lies = staticmethod(lambda text: "")
    run.record(CALLS)
    notes.kept.clear()
    replayed = run.replay()
    assert replayed["verdict"] == "passed", replayed["drift"]
    assert [one["unseen"] for one in replayed["writes"]] == [["Text of the note"]]
