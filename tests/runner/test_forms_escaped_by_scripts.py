"""A script that writes the body of a form may escape it otherwise than browsers do: it carries what was put in."""

from __future__ import annotations

import html
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what a script writes")
WAYS = {
    "as parts of an address": "encodeURIComponent",
    "in small letters": "(text) => encodeURIComponent(text).replace(/%../g, (one) => one.toLowerCase())",
    "not at all": "(text) => text",
}
PAGE = """<label>Name <input id=name></label><label>Notes <textarea id=notes></textarea></label>
<button>Keep</button><script>
  const escaped = %s, put = (name) => name + "=" + escaped(document.getElementById(name).value);
  document.querySelector("button").onclick = () => fetch("/keep", {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded; charset=UTF-8" },
    body: put("name") + "&" + put("notes") + "&kind=boat",
  }).then(() => { location.href = "/boats"; });
</script>"""


@pytest.fixture(params=WAYS)
def kept(request: pytest.FixtureRequest) -> dict[str, str]:
    return {"way": WAYS[request.param], "loses": ""}


@pytest.fixture
def run(
    kept: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            name, notes = (html.escape(kept.get(one, "")) for one in ("name", "notes"))
            boats = f"<h1>Boats</h1><h2>{name}</h2><p>{notes}</p><a href=/>New</a>"
            self.answer(200, boats if self.path == "/boats" else PAGE % kept["way"])

        def do_POST(self) -> None:
            sent = {name: value for name, [value] in parse_qs(self.body().decode()).items()}
            kept.update(sent if not kept["loses"] else {**sent, kept["loses"]: "Something else"})
            self.tell({})

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        yield run


def test_it_is_proven_and_what_the_site_loses_is_reported(kept: dict[str, str], run: OneRun) -> None:
    run.record(
        [
            call("navigate", url="/"),
            call("fill", selector="Name", value="Lamp (old) of Zoë's!"),
            call("fill", selector="Notes", value="Stands by the wall, two steps from the water."),
            call("click", selector="Keep"),
            call("navigate", url="/boats"),
        ]
    )
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [[]]), replayed
    kept["loses"] = "notes"
    replayed = run.replay()
    assert any("Notes" in name for one in replayed["writes"] for name in one["unseen"]), replayed
