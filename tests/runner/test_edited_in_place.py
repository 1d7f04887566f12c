"""Rows that are edited in place beside a form for a new one: the fields that came last are those of the row."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

__all__ = ["run", "served_site", "small_site"]
pytestmark = pytest.mark.promise("the rule of evidence in whole runs")

PAGE = """<h1>Boats</h1><main></main><script>
const boats = BOATS;
let edited = "";
const form = (boat) => `<form data-id="${boat.id || ""}">
  <p><input name=title aria-label=Title value="${boat.title || ""}"></p>
  <p><input name=berth aria-label=Berth value="${boat.berth || ""}"></p><button>Save</button></form>`;
const row = (boat) => boat.id === edited ? `<div><div>${form(boat)}</div></div>`
  : `<div class=card><h2>${boat.title}</h2>${boat.berth} <button data-edit="${boat.id}">Edit</button></div>`;
const beside = document.createElement("div");
beside.innerHTML = form({});
const list = document.createElement("section");
const draw = () => { list.innerHTML = boats.map(row).join(""); };
document.querySelector("main").append(beside.firstElementChild, list);
document.addEventListener("click", (event) => {
  const id = event.target.dataset.edit;
  if (!id) return;
  edited = OPENS;
  draw();
});
document.addEventListener("submit", async (event) => {
  event.preventDefault();
  const [id, body] = [event.target.dataset.id, new URLSearchParams(new FormData(event.target))];
  body.set("id", id);
  await fetch("/boats", { method: "POST", body });
  location.reload();
});
draw();
</script>"""


class Harbour:
    """A site that keeps boats in their order."""

    def __init__(self, site: SmallSite) -> None:
        """Serve it."""
        self.site = site
        self.boats: list[dict[str, str]] = []
        self.opens = "id"
        site.answers["/boats"] = self._take

    def begin(self, *titles: str) -> None:
        """Begin with some boats."""
        self.boats[:] = [{"id": str(101 + at), "title": one, "berth": f"North {at}"} for at, one in enumerate(titles)]
        self.show()

    def show(self) -> None:
        """Put up the page."""
        self.site.pages["/"] = PAGE.replace("BOATS", str(self.boats)).replace("OPENS", self.opens)

    def _take(self, fields: Mapping[str, str]) -> tuple[int, str]:
        boat = {
            "id": fields.get("id") or str(101 + len(self.boats)),
            "title": fields["title"],
            "berth": fields["berth"],
        }
        ids = [one["id"] for one in self.boats]
        at = ids.index(boat["id"]) if boat["id"] in ids else len(ids)
        self.boats[at : at + 1] = [boat]
        self.show()
        return 200, "{}"


@pytest.fixture
def harbour(small_site: SmallSite) -> Harbour:
    """Give the site."""
    return Harbour(small_site)


def record(run: OneRun, harbour: Harbour) -> None:
    """Move a boat, and take in another one."""
    harbour.begin("Linnet", "Marigold")
    told = run.record(
        [
            call("navigate", url="/"),
            call("click", selector='[data-edit="102"]'),
            call("fill", selector="section [name=berth]", value="South 14"),
            call("click", selector="section form button"),
            call("fill", selector="main > form [name=title]", value="Sandpiper"),
            call("fill", selector="main > form [name=berth]", value="East 3"),
            call("click", selector="main > form button"),
        ]
    )
    assert all(one.success for one in told), told


def test_the_fields_of_a_row_are_those_that_came_last_whatever_row_is_before(run: OneRun, harbour: Harbour) -> None:
    record(run, harbour)
    harbour.begin("Kittiwake", "Marigold", "Linnet")
    replayed = run.replay()
    assert replayed["verdict"] == "passed", replayed["drift"]
    kept = [(one["title"], one["berth"]) for one in harbour.boats]
    assert kept == [("Kittiwake", "North 0"), ("Marigold", "South 14"), ("Linnet", "North 2"), ("Sandpiper", "East 3")]


@pytest.mark.parametrize(
    "opens",
    ["(beside.innerHTML = form({}), document.querySelector('form').replaceWith(beside.firstElementChild), '')", "''"],
    ids=["the form beside is drawn anew", "nothing opens"],
)
def test_the_form_beside_is_not_taken_for_the_row_that_did_not_open(run: OneRun, harbour: Harbour, opens: str) -> None:
    record(run, harbour)
    harbour.opens = opens
    harbour.begin("Linnet", "Marigold")
    replayed = run.replay()
    assert (replayed["verdict"], replayed["drift"]["step"]) == ("target_missing", 3), replayed
    assert len(harbour.boats) == 2
