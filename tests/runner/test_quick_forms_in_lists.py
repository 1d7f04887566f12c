"""Lists of an administration: a form to add something beside them, one for several rows, one that opens in a row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what a script writes")

PAGE = """<h1>Works</h1><form id=add method=post action=/works><input type=hidden name=action value=add>
<label>Name <input name=name></label><button type=button>Add</button></form>
<form id=list method=post action=/works><select name=action aria-label="Bulk action"><option value=-1>Choose<option value=delete>Delete</select>
<button>Apply</button><table>ROWS</table></form><script>
const send = async (form) => { await fetch("/ajax", { method: "POST", body: new URLSearchParams(new FormData(form)) }); location.reload(); };
document.querySelector("#add button").onclick = ({ target }) => send(target.form);
document.querySelectorAll("tr").forEach((row) => { row.querySelector("button").onclick = () => {
  const id = row.id.slice(5);
  row.innerHTML = `<td><label>State <select name=state><option>Open<option>Postponed<option>Closed</select></label>
    <input type=hidden name=ss value=28><button type=button>Save</button></td>`;
  row.id = "edit-" + id;
  row.querySelector("button").onclick = async () => {
    const said = new URLSearchParams({ action: "inline", work: id });
    for (const one of row.querySelectorAll("[name]")) said.set(one.name, one.value);
    row.outerHTML = await (await fetch("/ajax", { method: "POST", body: said })).text();
  };
} });
</script>"""  # noqa: E501


@dataclass
class Works:
    """What the site keeps: name and state by number; whether it loses what it is told."""

    kept: dict[str, list[str]] = field(default_factory=dict)
    loses: bool = False

    def reset(self) -> None:
        """Keep what was there at first."""
        self.kept = {"4813": ["Alpha", "Open"], "4830": ["Beta", "Open"], "4847": ["Gamma", "Open"]}


def row(number: str, name: str, state: str) -> str:
    """Show a work in the list."""
    return f"<tr id=work-{number}><td><b>{name}</b> — <em>{state}</em> <button type=button>Quick edit</button></tr>"


@pytest.fixture
def works() -> Works:
    works = Works()
    works.reset()
    return works


@pytest.fixture
def run(
    works: Works, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            rows = "".join(row(number, *told) for number, told in works.kept.items())
            self.answer(200, PAGE.replace("ROWS", rows) if self.path == "/works" else "<a href=/works>Works</a>")

        def do_POST(self) -> None:
            sent = dict(parse_qsl(self.body().decode()))
            if sent["action"] == "add":
                works.kept["4864"] = [sent["name"][::-1] if works.loses else sent["name"], "Open"]
                return self.answer(200)
            name, state = works.kept[sent["work"]]
            works.kept[sent["work"]] = [name, state if works.loses else sent["state"]]
            self.answer(200, row(sent["work"], *works.kept[sent["work"]]))

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        yield run


def test_a_list_beside_a_form_that_a_script_sends_was_not_left_by_that(run: OneRun, works: Works) -> None:
    run.record(
        [
            call("navigate", url="/works"),
            call("fill", selector="Name", value="Delta of the north"),
            call("click", selector="Add"),
            call("navigate", url="/"),
            call("navigate", url="/works"),
        ]
    )
    works.reset()
    again = run.replay()
    assert (again["verdict"], [one["unseen"] for one in again["writes"]]) == ("passed", [[]]), again


def test_a_row_that_is_edited_in_place_is_known_by_the_number_that_calls_it(run: OneRun, works: Works) -> None:
    run.record(
        [
            call("navigate", url="/works"),
            call("click", selector="#work-4830 button"),
            call("select", selector="State", label="Postponed"),
            call("click", selector="Save"),
            call("navigate", url="/"),
            call("navigate", url="/works"),
        ]
    )
    works.reset()
    again = run.replay()
    assert (again["verdict"], [one["unseen"] for one in again["writes"]]) == ("passed", [[]]), again
    works.reset()
    works.loses = True
    again = run.replay()
    assert again["verdict"] == "postcondition", again
