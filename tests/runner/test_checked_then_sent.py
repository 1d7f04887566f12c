"""A page that has what was put in checked by the server, and sends it then, also when the press has long ended."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what a script writes")

PAGE = """<h1>New note</h1><form method=post action=/save><label>Title <input name=title></label>
<button type=button>Save</button></form><script>
document.querySelector("button").onclick = async () => {
  const form = document.querySelector("form"), title = form.title.value;
  const headers = { "content-type": "application/json" };
  await fetch("/check", { method: "POST", headers, body: JSON.stringify({ title }) });
  form.submit();
};
</script>"""


@pytest.fixture
def kept() -> dict[str, Any]:
    return {"slow": 0.0, "loses": False, "titles": []}


@pytest.fixture
def run(
    kept: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            said = "".join(f"<li>{one}" for one in kept["titles"])
            self.answer(200, PAGE if self.path == "/new" else f"<h1>Notes</h1><ul>{said}</ul><a href=/new>New</a>")

        def do_POST(self) -> None:
            body = self.body().decode()
            if self.path == "/check":
                time.sleep(kept["slow"])
                return self.tell({"fits": True})
            kept["titles"].append("Something else" if kept["loses"] else parse_qs(body)["title"][0])
            self.answer(303, location="/")

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        run.covers = "settle_ms = 700"  # which is below [browser], too
        yield run


def test_what_is_sent_after_a_slow_check_is_the_write(kept: dict[str, Any], run: OneRun) -> None:
    told = run.record(
        [
            call("navigate", url="/new"),
            call("fill", selector="Title", value="Low water in spring"),
            call("click", selector="Save"),
            call("wait", text="Low water in spring"),
            call("navigate", url="/"),
        ]
    )
    assert all(one.success for one in told), told
    kept.update(titles=[], slow=2.0)
    slow = run.replay()
    assert (slow["verdict"], kept["titles"]) == ("passed", ["Low water in spring"]), slow
    assert [one["unseen"] for one in slow["writes"]] == [[]], slow
    kept.update(titles=[], loses=True)
    lied = run.replay()
    assert lied["verdict"] == "postcondition" or lied["writes"][0]["unseen"] == ["Title"], lied
