"""Two things that go by one form, in which one value was put: the form of the one proves nothing of the other."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.fakes.messages_api import Reply, call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what a script writes")

PAGE = """<button>New</button><section></section><script>
const list = document.querySelector("section");
const form = ({ id, text = "", until: day = "" }) => `<form data-id="${id || ""}"><label>Text <input name=text value="${text}"></label>
  <label>Day <input type=date name=day value="${day}"></label><button>Save</button></form>`;
const api = async (call, args) =>
  (await fetch("/rpc", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ call, args }) })).json();
let jobs, edited;
const show = () => {
  list.innerHTML = jobs.map((one) => (one.id === edited ? form(one) : `<div><b>${one.text}</b> <button>Edit</button></div>`)).join("");
  list.querySelectorAll("div > button").forEach((one, at) => { one.onclick = () => { edited = jobs[at].id; show(); } });
  if (edited === "new") list.insertAdjacentHTML("beforeend", form({}));
};
document.querySelector("button").onclick = () => { edited = "new"; show(); };
document.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { text, day } = event.target, id = event.target.dataset.id;
  const saved = await api(id ? "change" : "make", { id, text: text.value, day: day.value });
  jobs = id ? jobs.map((one) => (one.id === id ? saved : one)) : [...jobs, saved];
  edited = "";
  show();
});
api("all").then((all) => { jobs = all; show(); });
</script>"""  # noqa: E501


@dataclass
class Jobs:
    """What the site keeps, and of which job it drops the day."""

    kept: list[dict[str, str]] = field(default_factory=list)
    drops: int = -1


@pytest.fixture
def jobs() -> Jobs:
    return Jobs()


@pytest.fixture
def run(
    jobs: Jobs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            self.answer(200, PAGE if self.path == "/jobs" else "<a href=/jobs>Jobs</a>")

        def do_POST(self) -> None:
            asked = json.loads(self.body())
            if asked["call"] == "all":
                return self.tell([{"id": one["id"], "text": one["text"], "until": one["day"]} for one in jobs.kept])
            called = asked["args"]["id"] or str(65085 + len(jobs.kept))
            kept = {**asked["args"], "id": called} | ({"day": ""} if jobs.drops == len(jobs.kept) else {})
            jobs.kept = [one for one in jobs.kept if one["id"] != called] + [kept]
            self.tell({"id": called, "text": kept["text"], "until": kept["day"]})

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        yield run


def made(text: str) -> tuple[Reply, ...]:
    return (
        call("navigate", url="/jobs"),
        call("click", selector="New"),
        call("fill", selector="Text", value=text),
        call("fill", selector="Day", value="2027-03-14"),
        call("click", selector="Save"),
    )


@pytest.mark.parametrize("dropped", [0, 1])
def test_the_form_of_another_thing_shows_no_day_of_this_one(run: OneRun, jobs: Jobs, dropped: int) -> None:
    told = run.record(
        [
            *made("Oil the hinges of the gate"),
            *made("Wax the boards of the boat"),
            call("navigate", url="/jobs"),
            call("click", selector="div:nth-of-type(1) > button"),
            call("navigate", url="/"),
        ]
    )
    assert all(one.success for one in told), told
    kept, jobs.kept = jobs.kept, []
    honest = run.replay()
    assert (honest["verdict"], jobs.kept) == ("passed", kept), honest
    assert [one["unseen"] for one in honest["writes"]] == [[], ["Day"]], honest
    jobs.kept, jobs.drops = [], dropped
    lied = run.replay()
    assert lied["verdict"] == ("passed" if dropped else "postcondition"), lied
    assert any("Day" in one["unseen"] for one in lied["writes"][dropped:]), lied
