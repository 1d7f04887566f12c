"""What a page says while it still waits for what it has asked for is no refusal, where it is gone after that."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.messages_api import call
from tests.fakes.server import served
from tests.runner.one_run import OneRun
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what a site refuses")

PAGE = """<h1>Walks</h1><main id=main></main><script>
const shown = document.getElementById("main"), wait = setTimeout(() => {
  shown.innerHTML = "<p role=alert>Loading content.</p>"; }, 200);
fetch("/data").then((answer) => answer.json()).then(({ said }) => { clearTimeout(wait); shown.innerHTML = said; });
</script>"""


PARTS = """<h1>Walks</h1><main id=main></main><script>
const shown = document.getElementById("main"), wait = setTimeout(() => {
  shown.innerHTML = "<p role=alert>Loading content.</p>"; }, 200);
fetch("/data?part=1");
fetch("/data?part=2").then((answer) => answer.json()).then(({ said }) => {
  clearTimeout(wait); shown.innerHTML = said; });
</script>"""
# Modules that an application imports while it runs are on their way unseen: the page has asked for nothing.
IMPORTING = """<h1>Walks</h1><main id=main></main><script>
const shown = document.getElementById("main");
fetch("/data").then((answer) => answer.json()).then(({ said }) => {
  const late = said.startsWith("<i>") ? 2000 : 0;
  if (late) shown.innerHTML = "<p role=alert>Loading content.</p>";
  import("/walks.js?late=" + late).then(() => { shown.innerHTML = said; });
});
</script>"""
SENDING = """<h1>Walks</h1><label>Walk <input name=walk></label><button>Keep</button><main id=main></main><script>
document.querySelector("button").onclick = async () => {
  const answer = await fetch("/kept", { method: "POST", body: document.querySelector("input").value });
  const shown = document.getElementById("main"), { said } = await answer.json();
  shown.innerHTML = said;
  await fetch("/data");
};
</script>"""


class Walks(PageHandler):
    """A page that says that it loads, as an alert, for as long as its data takes."""

    title = "Walks"
    takes_s: float
    said: str

    def do_GET(self) -> None:
        path, _, query = self.path.partition("?")
        if path == "/walks.js":
            time.sleep(int(query.removeprefix("late=")) / 1000)
            return self.script()
        if path != "/data":
            return self.answer(200, {"/new": SENDING, "/parts": PARTS, "/import": IMPORTING}.get(path, PAGE))
        time.sleep(min(self.takes_s, 1.0) if self.path.endswith("part=1") else self.takes_s)
        self.tell()

    def script(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/javascript")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.tell()

    def tell(self) -> None:
        data = f'{{"said": "{self.said}"}}'.encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


@pytest.fixture
def walks() -> Iterator[tuple[type[Walks], str]]:
    site = type("Site", (Walks,), {"takes_s": 0.0, "said": "<p>Along the mill</p>"})
    with served(site) as url:
        yield site, url


def test_an_alert_that_goes_when_the_data_has_come_is_no_refusal(
    tmp_path: Path, walks: tuple[type[Walks], str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    site, url = walks
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    run = OneRun(tmp_path, url, capsys)
    told = run.record([call("navigate", url="/walks")])
    assert all(each.success for each in told), told
    site.takes_s = 7.0
    assert run.replay()["verdict"] == "passed"
    site.said = "<p role=alert>The walks could not be read.</p>"
    refused = run.replay()
    assert (refused["verdict"], "could not be read" in str(refused["drift"])) == ("postcondition", True), refused


def test_so_it_is_while_a_part_of_the_application_is_on_its_way(
    tmp_path: Path, walks: tuple[type[Walks], str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    site, url = walks
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    run = OneRun(tmp_path, url, capsys)
    told = run.record([call("navigate", url="/import")])
    assert all(each.success for each in told), told
    site.said = "<i>Along the mill</i>"
    assert run.replay()["verdict"] == "passed"
    site.said = "<p role=alert>The walks could not be read.</p>"
    assert run.replay()["verdict"] == "postcondition"


def test_so_it_is_where_several_views_ask_one_address(
    tmp_path: Path, walks: tuple[type[Walks], str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two parts of a page ask for their own by a query; the second of them takes long."""
    site, url = walks
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    run = OneRun(tmp_path, url, capsys)
    told = run.record([call("navigate", url="/parts")])
    assert all(each.success for each in told), told
    site.takes_s = 4.0
    assert run.replay()["verdict"] == "passed"


def test_what_a_page_says_of_what_it_has_sent_is_a_refusal_while_it_reads_on(
    tmp_path: Path, walks: tuple[type[Walks], str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    site, url = walks
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    run = OneRun(tmp_path, url, capsys)
    turns = [call("navigate", url="/new"), call("fill", selector="Walk", value="Mill"), call("click", selector="Keep")]
    told = run.record(turns)
    assert all(each.success for each in told), told
    assert run.replay()["verdict"] == "passed"
    site.takes_s, site.said = 9.0, "<p role=alert>The walk was not kept.</p>"
    refused = run.replay()
    assert (refused["verdict"], "was not kept" in str(refused["drift"])) == ("postcondition", True), refused
