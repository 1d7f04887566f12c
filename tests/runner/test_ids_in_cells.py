"""A table shows what the site calls its rows, by codes that each performance has anew, and when they were made."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import pytest

from tests.fakes.messages_api import Reply, call
from tests.fakes.server import served
from tests.runner.one_run import OneRun
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what sites call things")

CODES = ("kenzznfpku60jav", "umu4kt0p3lfhl0i", "f1zzgi9w1wl4uk5", "df86ijan2p0rr5a")
PAGE = """<h1>Plots</h1><main></main><section aria-label=Plot hidden><h2>Plot</h2><label>Title <input id=title></label>
<label>Rent <input id=rent></label><button id=save>Save</button> <button id=remove>Remove</button></section>
<button id=make>New plot</button><script>
const main = document.querySelector("main"), panel = document.querySelector("section");
const ask = async (path, method = "GET", body) => (await fetch("/api/plots" + path, {
  method, body: body && JSON.stringify(body), headers: { "content-type": "application/json" } })).json();
const $ = (id) => document.getElementById(id);
let open = null;
async function draw() {
  const rows = await ask("");
  main.innerHTML = "<table><tr><th>Id<th>Title<th>Rent<th>Made</tr>" + rows.map((one) => `<tr>` +
    [one.id, one.title, one.rent, one.made].map((text) => `<td>${text}</td>`).join("") + `</tr>`).join("") + "</table>";
  main.querySelectorAll("tr").forEach((row, at) => { if (at) row.onclick = () => show(rows[at - 1]); });
}
function show(one) {
  open = one;
  panel.hidden = false;
  [title.value, rent.value] = [one.title ?? "", one.rent ?? ""];
  $("remove").hidden = !one.id;
  history.replaceState({}, "", one.id ? "#/plots?open=" + one.id : "#/plots");
}
async function shut() { panel.hidden = true; history.replaceState({}, "", "#/plots"); await draw(); }
make.onclick = () => show({});
save.onclick = async () => {
  const sent = { title: title.value, rent: rent.value };
  await (open.id ? ask("/" + open.id, "PATCH", sent) : ask("", "POST", sent));
  await shut();
};
remove.onclick = async () => { await ask("/" + open.id, "DELETE"); await shut(); };
draw();
</script>"""


@dataclass
class Plots:
    """Keeps plots; each is called by the next code."""

    url: str = ""
    rows: list[dict[str, str]] = field(default_factory=list)
    codes: Iterator[int] = field(default_factory=count)
    form: str = "2026-11-{day} 13:{at:02}:09.{at}5Z"
    """How it writes when something was made."""
    lost: bool = False
    called: str = ""
    """A field that its answers call the key of the thing as well."""
    instead: dict[str, str] = field(default_factory=dict)
    """What it keeps, and answers, in the place of what is sent."""

    def again(self) -> None:
        """Hold one plot, as at the beginning: that one is called as before."""
        self.rows = [{"id": "n0rthc0rner4a7b", "title": "North corner", "rent": "12", "made": self.at(7)}]

    def at(self, number: int) -> str:
        return self.form.format(at=number + 10, day=10 + number)


@pytest.fixture
def site() -> Iterator[Plots]:
    site = Plots()
    site.again()

    class Handler(PageHandler):
        def tell(self, value: object) -> None:
            body = json.dumps(value).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self) -> None:
            if self.path.startswith("/api/"):
                return self.tell(site.rows[::-1])
            return self.answer(200, PAGE)

        def do_POST(self) -> None:
            number = next(site.codes)
            row = {"id": CODES[number], **json.loads(self.body()), "made": site.at(number), **site.instead}
            site.rows.append(row)
            self.tell({**row, **({"key": row[site.called]} if site.called else {})})

        def own(self) -> dict[str, str]:
            return next(one for one in site.rows if one["id"] == self.path.rpartition("/")[2])

        def do_PATCH(self) -> None:
            sent = json.loads(self.body())
            row = self.own()
            if not site.lost:
                row |= sent
            self.tell({**row, **sent})

        def do_DELETE(self) -> None:
            row = self.own()
            site.rows.remove(row)
            self.tell(row)

    with served(Handler) as url:
        site.url = url
        yield site


@pytest.fixture
def run(tmp_path: Path, site: Plots, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> OneRun:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    return OneRun(tmp_path, site.url, capsys)


def entered(title: str, rent: str) -> list[Reply]:
    return [
        call("fill", selector="Title", value=title),
        call("fill", selector="Rent", value=rent),
        call("click", selector="Save"),
    ]


def acts() -> list[Reply]:
    return [
        call("navigate", url="/"),
        call("click", selector="New plot"),
        *entered("Plot of {{identity.first_name}}", "17.5"),
        call("click", selector="New plot"),
        *entered("A mistake of {{identity.last_name}}", "3"),
        call("click", selector='role=cell[name="Plot of {{identity.first_name}}"]'),
        *entered("Plot of {{identity.first_name}} and friends", "21.25"),
        call("click", selector='role=cell[name="A mistake of {{identity.last_name}}"]'),
        call("click", selector="Remove"),
        call("navigate", url="/"),
    ]


OPENED = [call("click", selector='role=cell[name="3"]'), call("navigate", url="/")]
FORMS = {
    "with a zone": "2026-11-{day} 13:{at:02}:09.{at}5Z",
    "as programs write it": "2026-11-{day}T13:{at:02}:09Z",
    "the hour alone": "13:{at:02}:09.{at}5Z",
    "from Greenwich": "2026-11-{day}T13:{at:02}:09.{at}5+01:00",
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("identity", [(), ("--identity", "fresh", "--seed", "3")], ids=["same", "fresh"])
def test_other_codes_and_times_are_no_other_rows(
    run: OneRun, site: Plots, form: str, identity: tuple[str, ...]
) -> None:
    site.form = FORMS[form]
    site.again()
    told = run.record(acts())
    assert all(one.success for one in told), told
    site.again()
    replayed = run.replay(*identity)
    assert (replayed["verdict"], replayed["drift"]) == ("passed", None)
    assert replayed["writes"][2]["unseen"] == []
    assert [one["rent"] for one in site.rows] == ["12", "21.25"]


def test_a_change_that_is_lost_is_red(run: OneRun, site: Plots) -> None:
    run.record(acts())
    site.again()
    site.lost = True
    replayed = run.replay()
    assert replayed["verdict"] not in ("passed", "healed"), replayed


def test_a_code_that_a_user_has_put_in_is_no_name_that_the_site_gave(run: OneRun, site: Plots) -> None:
    site.called = "title"
    run.record([call("navigate", url="/"), call("click", selector="New plot"), *entered("B4R7K2Q9", "3"), *OPENED])
    site.again()
    site.instead = {"title": "B4R7K2Q8"}
    replayed = run.replay()
    assert replayed["verdict"] not in ("passed", "healed"), replayed
