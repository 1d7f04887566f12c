"""A script that sends the title of a thing, and before it the address that it has made of that."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what a script writes")

PAGE = """<textarea placeholder="Post title"></textarea><button>Publish</button><script>
document.querySelector("button").onclick = async () => {
  const said = document.querySelector("textarea").value, slug = said.toLowerCase().replaceAll(" ", "-");
  await fetch("/posts", { method: "POST", headers: { "content-type": "application/json" },
    body: JSON.stringify({ posts: [{ slug, headline: said }] }) });
  location.href = `/posts/${slug}`;
};
</script>"""


@pytest.fixture
def kept() -> dict[str, Any]:
    return {"loses": False}


@pytest.fixture
def run(
    kept: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            if self.path.startswith("/posts/"):
                return self.answer(200, f"<h1>{kept['headline']}</h1><p>Written today.")
            self.answer(200, PAGE if self.path == "/new" else "<a href=/new>New</a>")

        def do_POST(self) -> None:
            (said,) = json.loads(self.body())["posts"]
            kept.update(said | ({"headline": "Low water in spring"} if kept["loses"] else {}))
            self.tell({"posts": [{"id": "65f0c0ffee15900d"}]})

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        yield run


def test_the_part_that_says_just_what_was_put_in_carries_it(kept: dict[str, Any], run: OneRun) -> None:
    title = "High water in autumn"
    told = run.record(
        [
            call("navigate", url="/new"),
            call("fill", selector="Post title", value=title),
            call("click", selector="Publish"),
            call("navigate", url="/"),
            call("navigate", url="/posts/high-water-in-autumn"),
        ]
    )
    assert all(one.success for one in told), told
    with closing(sqlite3.connect(run.folder / "a.db")) as db:
        parts = [json.loads(str(row[0])) for row in db.execute("SELECT carried FROM write")]
    assert [[one["part"] for one in each] for each in parts] == [["posts.0.headline"]]
    kept["loses"] = True
    lied = run.replay()
    assert lied["verdict"] == "postcondition" or lied["writes"][0]["unseen"] == ["Post title"], lied
