"""Ids that look like none, as PocketBase and others draw them: the data of the page says that they are ids."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.messages_api import Reply, call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what sites call things")

IDS = {"wx3aecg3hiysade": "Cracked pane", "qmvtbeohrlkyusw": "Loose gutter", "eo8emchom6dhrut": "Split beam"}
PAGE = """<div id=app></div><script>
const api = (method, path, body) => fetch("/api/" + path, { method, body: body && JSON.stringify(body) });
const $$ = (all) => [...document.querySelectorAll(all)];
let things;
const draw = async () => {
  things = (await (await api("GET", "things")).json()).items;
  const row = (one) => `<tr><td><input type=checkbox></td><td>${one.id}</td><td>${one.name}</td><td><button>ACT</button></td></tr>`;
  app.innerHTML = `<table><tbody>${things.map(row).join("")}</tbody></table><button class=all>ACT all</button>`
    + `<dialog><button class=yes>Yes</button></dialog>`;
  $$("td button").forEach((one, at) => { one.onclick = async () => { await each([things[at]]); draw(); } });
  const chosen = () => things.filter((_, at) => $$("td input")[at].checked);
  $$(".all")[0].onclick = () => $$("dialog")[0].showModal();
  $$(".yes")[0].onclick = async () => { await each(chosen()); draw(); };
};
const each = SENDS;
draw();
</script>"""  # noqa: E501
DELETES = "async (chosen) => { for (const one of chosen) await api('DELETE', 'things/' + one.id); }"
LISTED = "async (chosen) => api('POST', 'things/delete', { ids: chosen.map((one) => one.id) })"
LENDS = "async (chosen) => { for (const one of chosen) await api('POST', `things/${one.id}/lend`); }"


@dataclass(frozen=True)
class Way:
    """What is pressed, and what the page sends for it."""

    sends: str
    rows: tuple[int, ...]
    """What is ticked; nothing: what is pressed stands in the second row."""
    is_seen: bool = True
    """Whether the page shows what became of it."""

    @property
    def acts(self) -> tuple[Reply, ...]:
        if not self.rows:
            return (call("click", selector="tr:nth-of-type(2) button"),)
        ticks = [call("check", selector=f"tr:nth-of-type({row}) input") for row in self.rows]
        return (*ticks, call("click", selector="ACT all"), call("click", selector=".yes"))


WAYS = {
    "deleted in its row": Way(DELETES, ()),
    "ticked and deleted": Way(DELETES, (1,)),
    "several ticked and deleted": Way(DELETES, (1, 2)),
    "several deleted by a list": Way(LISTED, (1, 3)),
    "lent in its row": Way(LENDS, (), is_seen=False),
    "ticked and lent": Way(LENDS, (2,), is_seen=False),
    "several ticked and lent": Way(LENDS, (1, 2), is_seen=False),
}


@dataclass
class Things:
    """What the site keeps."""

    way: Way
    kept: dict[str, str] = field(default_factory=lambda: dict(IDS))
    lent: list[str] = field(default_factory=list)
    loses: bool = False

    def again(self, *, loses: bool = False) -> None:
        self.kept, self.lent, self.loses = dict(IDS), [], loses


@pytest.fixture
def things(request: pytest.FixtureRequest) -> Things:
    return Things(WAYS[request.param])


@pytest.fixture
def run(
    things: Things, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            if self.path == "/api/things":
                items = [{"id": key, "name": name, "kind": "repair"} for key, name in things.kept.items()]
                return self.tell({"page": 1, "items": items})
            self.answer(200, PAGE.replace("SENDS", things.way.sends) if self.path == "/things" else "<h1>Home</h1>")

        def write(self) -> None:
            _, _, _, key, *act = self.path.split("/")
            body: dict[str, Any] = json.loads(self.body() or "{}")
            for one in () if things.loses else body.get("ids", [key]):
                if act:
                    things.lent.append(one)
                else:
                    things.kept.pop(one)
            self.answer(204)

        do_POST = do_DELETE = write

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        yield run


def visits() -> list[Reply]:
    """Go elsewhere, and to the things."""
    return [call("navigate", url="/"), call("navigate", url="/things")]


@pytest.mark.parametrize("things", WAYS, indirect=True)
def test_what_is_pressed_for_a_thing_is_a_write_and_what_the_site_loses_is_told(things: Things, run: OneRun) -> None:
    told = run.record([*visits(), *things.way.acts, *visits()])
    assert all(one.success for one in told), told
    kept = dict(things.kept), list(things.lent)
    things.again()
    replayed = run.replay()
    unseen = [bool(one["unseen"]) for one in replayed["writes"]]
    assert (replayed["verdict"], unseen[-1:]) == ("passed", [not things.way.is_seen]), replayed
    assert (things.kept, things.lent) == kept
    things.again(loses=True)
    replayed = run.replay()
    assert replayed["verdict"] == ("postcondition" if things.way.is_seen else "passed"), replayed
    assert replayed["writes"][-1]["unseen"], replayed
