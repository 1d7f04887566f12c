"""Fields as component libraries draw them: a label for nothing, a switch beside a box that nobody sees, and a calendar
in a dialog, whose days say their whole date and are sent as a moment."""

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

pytestmark = pytest.mark.promise("success that did not happen")

FORM = """<main><h1>Chair</h1><form><div><label>Title <input name=title></label></div>
<div role=group><label for=nothing>Made on</label><button type=button class=opens>MM/DD/YYYY</button></div>
<div role=group><label for=none>Fragile</label><span role=switch tabindex=0 aria-checked=false class=switch></span><input type=checkbox
aria-hidden=true tabindex=-1 style="position:fixed; width:1px; height:1px; clip-path:inset(50%)"></div>
<div role=group><label for=no>Weight</label><input type=number name=weight></div>
<button>Save</button></form></main><style>.switch { display: inline-block; width: 32px; height: 18px; background: #999 }</style><script>
const at = (selector) => document.querySelector(selector);
let day = null;
at(".switch").onclick = () => {
  const on = at(".switch").getAttribute("aria-checked") !== "true";
  at(".switch").setAttribute("aria-checked", on);
  at("[type=checkbox]").checked = on;
};
at(".opens").onclick = () => {
  const days = [17, 18, 19].map((one) => `<button type=button aria-label="DAY November ${one}th, 2026">${one}</button>`).join(" ");
  document.body.insertAdjacentHTML("beforeend", `<div role=dialog tabindex=-1 class=calendar><div><div>November 2026 ${days}</div></div></div>`);
  at(".calendar").focus();
  for (const one of document.querySelectorAll(".calendar button")) one.onclick = () => {
    day = Number(one.textContent);
    at(".opens").textContent = `11/${day}/2026 12:00 AM`;
    at(".calendar").focus();
  };
  at(".calendar").onkeydown = ({ key }) => key === "Escape" && at(".calendar").remove();
};
document.forms[0].onsubmit = async (event) => {
  event.preventDefault();
  const more = { madeOn: `2026-11-${day}T00:00:00.000Z`, fragile: at("[type=checkbox]").checked, weight: Number(event.target.weight.value) };
  const body = JSON.stringify({ title: event.target.title.value, more });
  await fetch("/chairs", { method: "POST", headers: { "content-type": "application/json" }, body });
  location = "/chairs/48213";
};
</script>"""  # noqa: E501
CALLS: tuple[Reply, ...] = (
    call("navigate", url="/new"),
    call("fill", selector="Title", value="The chair by the stove"),
    call("click", selector=".opens"),
    call("click", selector=".calendar button:nth-of-type(2)"),
    call("press_key", key="Escape"),
    call("check", selector="Fragile"),
    call("fill", selector="[name=weight]", value="47"),
    call("click", selector="Save"),
    call("navigate", url="/new"),
    call("navigate", url="/chairs/48213"),
)


@dataclass
class Chairs:
    """What a test may look into, and what the site keeps otherwise."""

    kept: dict[str, Any] = field(default_factory=dict)
    lie: dict[str, Any] = field(default_factory=dict)
    day: str = "Wednesday,"
    """What stands before each date in the calendar."""


@pytest.fixture
def chairs() -> Chairs:
    return Chairs()


@pytest.fixture
def run(
    chairs: Chairs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            if self.path != "/chairs/48213":
                return self.answer(200, FORM.replace("DAY", chairs.day))
            year, month, day = chairs.kept["madeOn"][:10].split("-")
            told = {"Made on": f"{month}/{day}/{year} 12:00 AM", "Weight": chairs.kept["weight"]}
            told["Fragile"] = "Yes" if chairs.kept["fragile"] else "No"
            rows = "".join(f"<dt>{name}<dd>{value}" for name, value in told.items())
            self.answer(200, f"<h1>{chairs.kept['title']}</h1><dl>{rows}</dl>")

        def do_POST(self) -> None:
            sent = json.loads(self.body())
            chairs.kept = {"title": sent["title"]} | sent["more"] | chairs.lie
            self.tell({"id": 48213})

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        yield run


def _unseen(run: dict[str, Any]) -> list[str]:
    return [str(each) for one in run["writes"] for each in one["unseen"]]


@pytest.mark.parametrize("day", ["Wednesday,", "Today, Wednesday,", ""])
@pytest.mark.parametrize("lie", [{"madeOn": "2026-11-19T00:00:00.000Z"}, {"fragile": False}, {"weight": 48}])
def test_what_is_put_into_them_is_seen_again(chairs: Chairs, run: OneRun, day: str, lie: dict[str, Any]) -> None:
    chairs.day = day
    told = run.record(CALLS)
    assert [one.text for one in told if not one.success] == []
    assert chairs.kept == {
        "title": "The chair by the stove", "madeOn": "2026-11-18T00:00:00.000Z", "fragile": True, "weight": 47,
    }  # fmt: skip
    replayed = run.replay()
    assert (replayed["verdict"], _unseen(replayed)) == ("passed", []), replayed
    chairs.lie = lie
    replayed = run.replay()
    assert replayed["verdict"] == "postcondition", replayed
