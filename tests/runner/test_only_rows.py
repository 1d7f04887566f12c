"""Tables of a part of the site: their only row is a thing, and what a script announces of them is no message."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what is pressed alone")

LIST = "/club/48213/works"
PAGE = """<h1>Works of the club</h1><nav><a href=/club/48213/rules>Rules</a></nav><table><thead><tr><th>Work<th>State<th></thead>
<tbody LIVE>ROWS</tbody></table><form><label>Work <input name=title></label><button>Add</button></form>
<dialog><p>Sure?</p><button class=yes>OK</button></dialog><script>
const send = async (method, at, body) => { await fetch(at, { method, headers: { "content-type": "application/json" }, body: body && JSON.stringify(body) }); location.reload(); };
document.forms[0].onsubmit = (event) => { event.preventDefault(); send("POST", "/club/48213/works", { title: event.target.elements.title.value }); };
for (const one of document.querySelectorAll("[data-done]")) one.onclick = () => send("PATCH", one.dataset.done, { state: "done" });
for (const one of document.querySelectorAll("[data-drop]")) one.onclick = () => {
  document.querySelector("dialog").showModal();
  document.querySelector(".yes").onclick = () => send("DELETE", one.dataset.drop);
};
</script>"""  # noqa: E501
ROW = """<tr><td>{title}<td>{state}<td><button data-done={at}>Done</button> <button data-drop={at}>Remove</button>
<a href=# data-href={at}/edit>Work</a></tr>"""
DONE = (call("click", selector="Done"), call("navigate", url=LIST))
REMOVED = (call("click", selector="Remove"), call("click", selector=".yes"), call("navigate", url=LIST))
ADDED = (
    call("fill", selector="Work", value="Mend the fence"),
    call("click", selector="Add"),
    call("navigate", url=LIST),
)
WAYS = {"done": ("PATCH", DONE), "removed": ("DELETE", REMOVED), "added": ("POST", ADDED)}


class _Club(PageHandler):
    works: dict[int, dict[str, str]]
    live = ""
    loses = ""

    def do_GET(self) -> None:
        rows = [ROW.format(at=f"{LIST}/{number}", **work) for number, work in self.works.items()]
        self.answer(200, PAGE.replace("LIVE", self.live).replace("ROWS", "".join(rows)))

    def do_POST(self) -> None:
        sent = json.loads(self.body())
        if self.loses != "POST":
            self.works[51_040] = {"title": sent["title"], "state": "open"}
        self.tell({})

    def do_PATCH(self) -> None:
        sent = json.loads(self.body())
        if self.loses != "PATCH":
            self.works[self._number()] |= sent
        self.tell({})

    def do_DELETE(self) -> None:
        if self.loses != "DELETE":
            del self.works[self._number()]
        self.tell({})

    def _number(self) -> int:
        return int(re.findall(r"\d+", self.path)[-1])


@pytest.fixture(params=[("", 1), ("aria-live=polite", 1), ("aria-live=polite", 3)], ids=["one", "one, live", "live"])
def club(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[tuple[OneRun, Any]]:
    live, count = request.param
    titles = ["Paint the shed", "Sweep the yard", "Count the chairs"]

    class Club(_Club):
        works: dict[int, dict[str, str]] = {}  # noqa: RUF012

        @classmethod
        def begin(cls, loses: str) -> None:
            cls.loses = loses
            cls.works.clear()
            cls.works.update({51_022 + at: {"title": one, "state": "open"} for at, one in enumerate(titles[:count])})

    Club.live = live
    Club.begin("")
    with run_on(Club, tmp_path, monkeypatch, capsys) as run:
        yield run, Club


@pytest.mark.parametrize("way", WAYS)
def test_what_is_done_in_a_table_of_a_part_of_the_site_is_proven(way: str, club: tuple[OneRun, Any]) -> None:
    run, site = club
    method, acts = WAYS[way]
    many = len(site.works) > 1 and way != "added"
    first = [call("click", selector=f"tr:nth-of-type(2) [data-{'done' if way == 'done' else 'drop'}]"), *acts[1:]]
    told = run.record([call("navigate", url=LIST), *(first if many else acts)])
    assert [one.success for one in told] == [True] * len(told), told
    site.begin("")
    honest = run.replay()
    site.begin(method)
    lost = run.replay()

    assert (honest["verdict"], [one["unseen"] for one in honest["writes"]]) == ("passed", [[]])
    assert len(lost["writes"]) == 1
    assert lost["writes"][0]["unseen"]
    assert lost["verdict"] == "postcondition" or way == "added"


COLUMNS = """<div class=column><p>Works</p></div><div class=column><p>BUTTON</p></div><script>
document.querySelector("button").onclick = ({ target }) => fetch(target.dataset.at, { method: "POST" });
</script>"""
BUTTONS = {
    "/club/48213/works": "<button data-at=/club/48213/works/ring>Ring the bell</button>",
    "/club/48213/rules": "<button data-at=/club/48213/copy>Copy</button>",
}


def test_another_button_of_the_same_part_of_the_site_is_not_what_a_pressed_one_has_become(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Club(PageHandler):
        def do_GET(self) -> None:
            self.answer(200, COLUMNS.replace("BUTTON", BUTTONS.get(self.path, "")))

        def do_POST(self) -> None:
            self.tell({})

    with run_on(Club, tmp_path, monkeypatch, capsys) as run:
        run.record(
            [
                call("navigate", url="/club/48213/works"),
                call("click", selector="Ring the bell"),
                call("navigate", url="/club/48213/rules"),
            ]
        )

        assert run.effects() == []


STANDING = """<div class=column><p>Tools</p><button data-at=/club/48213/works/copy>Copy</button></div>
<div class=column><p>Works</p></div>
<section><div class=column><p>Bells</p><button data-at=/club/48213/works/ring>Ring the bell</button></div>
<div class=column>Done</div></section><script>
for (const one of document.querySelectorAll("button"))
  one.onclick = ({ target }) => fetch(target.dataset.at, { method: "POST", body: "club=48213" });
</script>"""


@pytest.mark.parametrize("later", ["/club/48213/works", "/club/48213/works?"], ids=["the same", "again"])
def test_a_control_that_stands_as_it_did_has_not_become_another_one(
    later: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Club(PageHandler):
        def do_GET(self) -> None:
            self.answer(200, STANDING)

        def do_POST(self) -> None:
            self.body()
            self.tell({})

    with run_on(Club, tmp_path, monkeypatch, capsys) as run:
        told = run.record(
            [
                call("navigate", url="/club/48213/works"),
                call("click", selector="Ring the bell"),
                call("navigate", url=later),
            ]
        )

        assert all(one.success for one in told), told
        assert run.effects() == []
