"""What a page saves as a draft while something else is pressed, and sends as a whole then: both writes carry it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("success that did not happen")

TITLE, TEXT = "Pruning of old apple trees", "Cut them back in March, before the buds open."
EDITOR = """<h1>New post</h1><div><label>Title <input id=title></label><label>Text <textarea id=text></textarea></label>
<label>Tag <input id=tag></label><button id=add>Add tag</button><ul id=tags></ul><button id=publish>Publish</button>
</div>
<script>
const at = (id) => document.getElementById(id), tags = [];
const says = () => ({ title: at("title").value, text: at("text").value, tags });
const send = async (method, path, body) => {
  const headers = { "content-type": "application/json" };
  return (await fetch(path, { method, headers, body: JSON.stringify(body) })).json();
};
at("add").onclick = async () => {
  tags.push(at("tag").value);
  at("tag").value = "";
  at("tags").innerHTML = tags.map((one) => `<li>${one}</li>`).join("");
  await send("PUT", "/drafts/55012", says());
};
at("publish").onclick = async () => { location.href = `/posts/${(await send("POST", "/posts", says())).id}`; };
</script>"""
ACTS = (
    call("navigate", url="/new"),
    call("fill", selector="Title", value=TITLE),
    call("fill", selector="Text", value=TEXT),
    call("fill", selector="Tag", value="gardening"),
    call("click", selector="Add tag"),
    call("click", selector="Publish"),
)


class Posts:
    """What a site keeps, and what it makes of it."""

    def __init__(self) -> None:
        self.kept: list[dict[str, Any]] = []
        self.altered: dict[str, Any] = {}
        self.editor = EDITOR


@pytest.fixture
def posts() -> Posts:
    return Posts()


@pytest.fixture
def run(
    posts: Posts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            if self.path == "/new":
                return self.answer(200, posts.editor)
            shown = "<article><h2>{title}</h2><p>{text}</p><p>Tags: <span>{tag}</span></p></article>"
            each = (
                shown.format(**one, tag=", ".join(one["tags"])) for one in posts.kept if str(one["id"]) in self.path
            )
            self.answer(200, f"<h1>Posts</h1><a href=/new>New post</a>{''.join(each)}")

        def do_PUT(self) -> None:
            said = json.loads(self.body())
            if not self.path.startswith("/posts/"):
                return self.tell({"draft": 55012})
            posts.kept[-1] |= said | posts.altered
            self.tell({"id": posts.kept[-1]["id"]})

        def do_POST(self) -> None:
            said = {"text": "", "tags": [], **json.loads(self.body()), **posts.altered}
            posts.kept.append({"id": 77101 + 13 * len(posts.kept), **said})
            self.tell({"id": posts.kept[-1]["id"]})

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        yield run


@pytest.mark.parametrize("late", [False, True])
def test_what_a_draft_has_sent_is_sent_again_by_what_is_pressed_then(late: bool, posts: Posts, run: OneRun) -> None:
    if late:  # as a page does that sends what has changed by a clock
        later = "onclick = () => setTimeout(publish, 1500);\nconst publish = async () => { location"
        posts.editor = EDITOR.replace("onclick = async () => { location", later)
    told = run.record([*ACTS, call("wait", seconds=3)])
    assert all(one.success for one in told), told
    posts.kept.clear()
    replayed = run.replay()
    assert replayed["verdict"] == "passed", replayed["drift"]
    assert [(one["method"], one["inputs"], one["unseen"]) for one in replayed["writes"]] == [("POST", 3, [])]


@pytest.mark.parametrize("altered", [{"text": "Leave them alone."}, {"title": "Felling"}, {"tags": ["cookery"]}])
def test_what_the_site_keeps_otherwise_of_it_is_red(altered: dict[str, Any], posts: Posts, run: OneRun) -> None:
    run.record(ACTS)
    posts.kept.clear()
    posts.altered = altered
    replayed = run.replay()
    assert replayed["verdict"] == "postcondition", replayed


def test_a_part_of_a_draft_that_is_sent_elsewhere_is_another_write(posts: Posts, run: OneRun) -> None:
    posts.editor = EDITOR.replace('"/posts", says()', '"/posts", { title: at("title").value }')
    run.record(ACTS)
    posts.kept.clear()
    replayed = run.replay()
    assert replayed["verdict"] == "passed", replayed["drift"]
    first = replayed["writes"][0]
    assert (first["method"], first["inputs"], {"Text", "Tag"} <= {*first["unseen"]}) == ("PUT", 3, True), replayed[
        "writes"
    ]


def test_what_is_sent_once_its_form_has_gone_is_no_draft(posts: Posts, run: OneRun) -> None:
    """A script that changes a thing sends all of it, and what its user has put in long before."""
    closes = "document.querySelectorAll(`label`).forEach((one) => one.remove())"
    posts.editor = (
        EDITOR.replace('"PUT", "/drafts/55012", says()', '"PUT", "/drafts/55012", (known = says())')
        .replace("tags = [];", "tags = []; let known;")
        .replace("<button id=publish>", f'<button onclick="{closes}">Close</button><button id=publish>')
        .replace('"/posts", says()', '"/posts", known')
    )
    run.record([*ACTS[:-1], call("click", selector="Close"), ACTS[-1]])
    posts.kept.clear()
    replayed = run.replay()
    assert replayed["verdict"] == "passed", replayed["drift"]
    assert [(one["method"], one["inputs"]) for one in replayed["writes"]] == [("PUT", 3)], replayed["writes"]


FORM_OF_THING = """<h1>Posts</h1><main></main><script>
let at = document.querySelector("main"), kept = { title: "", text: "" };
const form = (button) => {
  at.innerHTML = `<form><label>Title <input name=title></label><label>Text <textarea name=text></textarea></label>
    <button>${button}</button></form><button class=pin>Pin it</button><p>${kept.pinned ? "Pinned" : "Loose"}</p>`;
  const own = document.forms[0];
  for (const name of ["title", "text"]) own[name].value = kept[name];
  document.querySelector(".pin").onclick = () => { kept.pinned = true; form(button); };
  own.onsubmit = async (event) => {
    event.preventDefault();
    const said = { title: own.title.value, text: own.text.value, tags: [], pinned: !!kept.pinned }, told = await send(said);
    kept = { ...said, ...told };
    if (location.pathname !== "/new") return;
    history.pushState({}, "", "/posts/" + told.id);
    at.innerHTML = "";
    setTimeout(() => form("Update"), LATE);
  };
};
const send = async (said) => (await fetch(kept.id ? `/posts/${kept.id}` : "/posts", { method: kept.id ? "PUT" : "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(said) })).json();
form("Create");
</script>"""  # noqa: E501


@pytest.mark.parametrize(("recorded", "replayed"), [(0, 700), (700, 0)], ids=["replay is slower", "replay is quicker"])
def test_a_thing_that_was_made_is_no_draft_of_what_its_form_sends_next(
    recorded: int, replayed: int, posts: Posts, run: OneRun
) -> None:
    """However late the application has drawn the form of what it has made, filled with the same."""
    posts.editor = FORM_OF_THING.replace("LATE", str(recorded))
    told = run.record(
        [
            call("navigate", url="/new"),
            call("fill", selector="Title", value=TITLE),
            call("fill", selector="Text", value=TEXT),
            call("click", selector="Create"),
            call("click", selector="Pin it"),
            call("click", selector="Update"),
            call("navigate", url="/"),
            call("navigate", url="/posts/77101"),
        ]
    )
    assert all(one.success for one in told), told
    assert [one["pinned"] for one in posts.kept] == [True]
    posts.kept, posts.editor = [], FORM_OF_THING.replace("LATE", str(replayed))
    honest = run.replay()
    assert (honest["verdict"], next(one["unseen"] for one in honest["writes"])) == ("passed", []), honest
    posts.kept, posts.altered = [], {"text": "Cut them back in May."}
    assert run.replay()["verdict"] == "postcondition"
