"""A site calls things by tokens in lower case, and says them under a name of its own: each performance has its own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.fakes.messages_api import call
from tests.fakes.server import served
from tests.runner.one_run import OneRun
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what sites call things")

TITLE = "Bellows from the old forge"
IDS = ("w3h1y40b3in7ndmby7u2728c", "cnp5gk8om7ktx84j2j122qrv", "mogsh2cws7vh5tl8ah4g7mld", "e09w26q86dui3xjot4t3jce7")
PAGE = """<h1>Notes</h1><main></main><script type=module>
const main = document.querySelector("main"), at = location.pathname.split("/")[2];
const ask = async (path, how) => (await fetch("/api/notes" + path, how)).json();
const edit = (note) => {
  main.innerHTML = `<form><label>Title <input name=title></label><label>Copies <input name=copies></label>
    <button>Save</button></form><button type=button id=publish>Publish</button>`;
  const [form, publish] = [main.querySelector("form"), main.querySelector("#publish")];
  for (const name of ["title", "copies"]) form[name].value = note[name] ?? "";
  publish.disabled = !note.documentId || note.published;
  publish.onclick = async () => edit(await ask(`/${note.documentId}/publish`, { method: "POST" }));
  form.onsubmit = async (event) => {
    event.preventDefault();
    const body = JSON.stringify(Object.fromEntries(new FormData(form)));
    const made = await ask("", { method: "POST", body, headers: { "Content-Type": "application/json" } });
    history.pushState({}, "", `/notes/${made.data.documentId}`);
    edit(made.data);
  };
};
if (at === "new") edit({});
else if (at && location.search) {
  const { data: note } = await ask(`/${at}`);
  main.innerHTML = `<h2>${note.title}</h2><dl><dt>Copies</dt><dd>${note.copies}</dd></dl>`;
} else if (at) edit((await ask(`/${at}`)).data);
else for (const one of (await ask("")).data)
  main.innerHTML += `<p><a href="/notes/${one.documentId}">${one.title}</a></p>`;
</script>"""


@dataclass
class Notes:
    """Keeps notes; each is called by the next token."""

    url: str = ""
    instead: dict[str, object] = field(default_factory=dict)
    """What it keeps in the place of what is sent."""
    made: int = 0
    notes: dict[str, dict[str, object]] = field(default_factory=dict)


@pytest.fixture
def site() -> Iterator[Notes]:
    site = Notes()

    class Handler(PageHandler):
        def tell(self, value: object) -> None:
            body = json.dumps({"data": value}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self) -> None:
            if not self.path.startswith("/api/"):
                return self.answer(200, PAGE)
            own = self.path.rpartition("/")[2]
            return self.tell(site.notes[own] if own in site.notes else list(site.notes.values()))

        def do_POST(self) -> None:
            sent = self.body()
            if self.path.endswith("/publish"):
                note = site.notes[self.path.split("/")[3]]
                if "publish" not in site.instead:
                    note["published"] = True
                return self.tell({**note, "published": True})
            name = IDS[site.made]
            site.made += 1
            site.notes[name] = {"documentId": name, "published": False, **json.loads(sent), **site.instead}
            # What the answer says is what was sent: only a later look tells.
            self.tell({**site.notes[name], **json.loads(sent)})

    with served(Handler) as url:
        site.url = url
        yield site


@pytest.fixture
def run(tmp_path: Path, site: Notes, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> OneRun:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    return OneRun(tmp_path, site.url, capsys)


SAVE = [
    call("navigate", url="/notes/new"),
    call("fill", selector="Title", value=TITLE),
    call("fill", selector="Copies", value="5"),
    call("click", selector="Save"),
    call("navigate", url="/notes/"),
    call("click", selector=TITLE),
]
PUBLISH = [call("click", selector="Publish"), call("navigate", url="/notes/"), call("click", selector=TITLE)]


@pytest.mark.parametrize("identity", [(), ("--identity", "fresh", "--seed", "3")])
def test_another_token_is_no_other_page(run: OneRun, site: Notes, identity: tuple[str, ...]) -> None:
    told = run.record(SAVE)
    assert all(one.success for one in told), told
    assert ("echo", "kept", True) in run.effects()
    site.notes.clear()
    replayed = run.replay(*identity)
    assert (replayed["verdict"], replayed["drift"]) == ("passed", None)
    assert [(one["inputs"], one["unseen"]) for one in replayed["writes"]] == [(2, [])]
    assert list(site.notes) == [IDS[1]]


def test_the_page_that_a_script_goes_to_is_that_of_the_thing_whatever_the_answer_calls_its_id(
    run: OneRun, site: Notes
) -> None:
    run.record([*SAVE[:-2], call("navigate", url=f"/notes/{IDS[0]}?view=all")])
    assert ("echo", "kept", True) in run.effects()
    site.notes.clear()
    site.instead = {"copies": "4"}
    replayed = run.replay()
    assert (replayed["verdict"], replayed["writes"][0]["unseen"]) == ("postcondition", ["Copies"]), replayed


@pytest.mark.parametrize(("instead", "called"), [({"title": "Bellows"}, "Title"), ({"copies": "4"}, "Copies")])
def test_what_stands_at_that_address_is_tied(run: OneRun, site: Notes, instead: dict[str, object], called: str) -> None:
    run.record(SAVE)
    site.notes.clear()
    site.instead = instead
    replayed = run.replay()
    assert replayed["verdict"] in ("postcondition", "target_missing"), replayed
    assert called in replayed["writes"][0]["unseen"]


def test_a_press_at_that_address_is_told(run: OneRun, site: Notes) -> None:
    run.record([*SAVE, *PUBLISH])
    assert ("state", "kept", True) in run.effects()
    site.notes.clear()
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [[], []])
    site.notes.clear()
    site.instead = {"publish": "not"}  # it says so, and keeps nothing
    replayed = run.replay()
    assert replayed["verdict"] == "postcondition", replayed
