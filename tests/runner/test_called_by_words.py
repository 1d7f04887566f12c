"""An application that calls its things by their titles, and lists those that a user has searched for.

What a request calls its thing is nothing that the user put in, and what a filter hides is not gone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.fakes.messages_api import Reply, call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what sites call things")

PAGE = """<h1>Things</h1><label>Filter <input type=search></label><table><tbody></tbody></table><script>
const send = (act, id) => GRAPHQL
  ? fetch("/graphql", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(
      { query: `mutation ${act}Thing($id: ID!) { ${act}Thing(id: $id) { done } }`, variables: { id } }) })
  : fetch(`/api/things/${id}/${act}`, { method: "POST" });
const draw = async () => {
  const all = await (await fetch("/api/things")).json(), wanted = document.querySelector("input").value.toLowerCase();
  document.querySelector("tbody").innerHTML = all.filter((one) => one.title.toLowerCase().includes(wanted)).map((one) =>
    `<tr><td><a href="/thing/${one.id}">${one.title}</a><td>${one.text}<td><button data-act=like>Like</button>
     <button data-act=remove>Remove</button>`).join("");
  for (const button of document.querySelectorAll("button")) button.onclick = async () => {
    await send(button.dataset.act, button.closest("tr").querySelector("a").pathname.split("/").at(-1)); draw();
  };
};
document.querySelector("input").oninput = draw; draw();
</script>"""
THINGS = {"lantern-of-the-old-pier": "Open", "bench-under-the-lime-tree": "Open", "kite-with-a-torn-tail": "Lent"}


@dataclass
class Site:
    """Things by what they are called, and what it swallows."""

    swallows: str = ""
    likes: list[str] = field(default_factory=list)
    kept: dict[str, str] = field(default_factory=lambda: dict(THINGS))

    def take(self, act: str, called: str) -> None:
        """Do what is asked."""
        if act == self.swallows:
            return
        if act == "remove":
            self.kept.pop(called)
        else:
            self.likes.append(called)


@pytest.fixture
def site() -> Site:
    return Site()


@pytest.fixture(params=["graphql", "rest"])
def run(
    request: pytest.FixtureRequest,
    site: Site,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            if self.path == "/things":
                return self.answer(200, PAGE.replace("GRAPHQL", json.dumps(request.param == "graphql")))
            told = [
                {"id": one, "title": one.replace("-", " ").title(), "text": text} for one, text in site.kept.items()
            ]
            self.tell(told)

        def do_POST(self) -> None:
            *_, called, act = ["", *self.path.split("/")]
            if self.path == "/graphql":
                asked = json.loads(self.body())
                called, act = asked["variables"]["id"], asked["query"].split("Thing")[0].removeprefix("mutation ")
            site.take(act, called)
            self.tell({"done": True})

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        yield run


def press(name: str, title: str) -> list[Reply]:
    """Search for a thing, and press a button of it; then come to the list anew."""
    found = [call("navigate", url="/things"), call("fill", selector="Filter", value=title)]
    return [*found, call("click", selector=f'role=button[name="{name}"]'), call("navigate", url="/things")]


def test_a_press_on_what_was_searched_for_is_told_where_it_was_swallowed(site: Site, run: OneRun) -> None:
    told = run.record([*press("Like", "Lantern Of The Old Pier"), *press("Like", "Bench Under The Lime Tree")])
    assert all(one.success for one in told), told
    assert site.likes == ["lantern-of-the-old-pier", "bench-under-the-lime-tree"]
    assert run.effects() == []
    replayed = run.replay()
    assert [(one["inputs"], one["unseen"]) for one in replayed["writes"]] == [(0, ["button 'Like'"])] * 2, replayed


def test_a_removal_of_what_was_searched_for_is_proven_and_red_where_it_was_swallowed(site: Site, run: OneRun) -> None:
    told = run.record(press("Remove", "Lantern Of The Old Pier"))
    assert all(one.success for one in told), told
    assert [*site.kept] == [*THINGS][1:]
    for site.swallows, verdict in (("", "passed"), ("remove", "postcondition")):
        site.kept = dict(THINGS)
        replayed = run.replay()
        unseen = [one["unseen"] for one in replayed["writes"]]
        assert (replayed["verdict"], unseen == [[]]) == (verdict, verdict == "passed"), replayed


def test_a_press_on_what_one_word_calls_is_told_where_it_was_swallowed(site: Site, run: OneRun) -> None:
    site.kept = {"lantern": "Open", "bench": "Open"}
    told = run.record(press("Like", "Lantern"))
    assert all(one.success for one in told), told
    assert (site.likes, run.effects()) == (["lantern"], [])
    site.swallows = "like"
    replayed = run.replay()
    assert [(one["inputs"], one["unseen"]) for one in replayed["writes"]] == [(0, ["button 'Like'"])], replayed
