"""A form without an address goes to that of its page, with its query: what was put into it was sent."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun
from tests.small_run import SmallSite

pytestmark = pytest.mark.promise("what was sent")

MADE = "/edit?kind=image&template="
FORM = """<header><button onclick="document.getElementById('save').click()">OK</button></header>
<form method=post enctype="multipart/form-data"><label>Picture <input type=file name=picture></label>
<label>Summary <input name=summary></label><input type=submit id=save value=Save hidden></form>"""


@pytest.mark.parametrize("lie", [False, True], ids=["honest", "lying"])
def test_a_file_that_a_button_elsewhere_sends_is_reported(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    small_site: SmallSite,
    lie: bool,
) -> None:
    """Of a form with a file the browser gives no body, and the pressed button is in no form."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    run = OneRun(tmp_path, small_site.url, capsys, 'grants = ["login", "upload"]')
    lies = False

    def keep(fields: Mapping[str, str]) -> str:
        summary = "Taken from somewhere else" if lies else fields["summary"]
        small_site.pages["/harbour"] = f"<h1>Harbour</h1><dl><dt>Summary<dd>{summary}</dl>"
        return "/harbour"

    small_site.pages |= {"/edit": FORM, "/start": "<h1>Start</h1>"}
    small_site.answers[MADE] = keep
    told = run.record(
        [
            call("navigate", url=MADE),
            call("fetch_book_covers", query="Middlemarch", count=1),
            call("upload_cover_image", cover_url="{{file.cover_1}}", selector="Picture"),
            call("fill", selector="Summary", value="Seen from the old lighthouse"),
            call("click", selector='role=button[name="OK"]'),
            call("navigate", url="/start"),
            call("navigate", url="/harbour"),
        ]
    )
    assert all(one.success for one in told), told
    lies = lie
    replayed = run.replay()
    assert [one["inputs"] for one in replayed["writes"]] == [2], replayed
    (write,) = replayed["writes"]
    assert ("Picture" in write["unseen"], "Summary" in write["unseen"]) == (True, lie), replayed
