"""What users made is taken back where a script asks for it: in a dialog, by a typed word, on a page of the settings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.fakes.messages_api import call
from tests.fakes.server import served
from tests.runner.one_run import OneRun
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what users left on a site")

NEW = """<!doctype html><title>New</title><form id=form>
<label>Name <input name=name></label><button>Save</button></form>
<script>form.onsubmit = async (event) => { event.preventDefault();
  const it = await fetch("/api/surveys", {method: "POST", headers: {"Content-Type": "application/json"},
    body: JSON.stringify({name: form.elements.name.value})});
  location.href = `/surveys/${(await it.json()).id}`; };</script>"""
DIALOG = """<button id=begin>Delete survey</button><div id=asked hidden><p>You are about to delete it.</p>
<button id=no>Cancel</button>{typed}<button id=yes {disabled}>Delete survey</button></div>
<script>begin.onclick = () => asked.hidden = false; no.onclick = () => asked.hidden = true;
yes.onclick = async () => { await fetch("/api/surveys/{number}", {method: "DELETE"}); location.href = "/new"; };
{script}</script>"""
TYPED = '<label>To proceed, type "{word}" in the field below: <input id=word></label>'
BY_WORD = "word.oninput = () => yes.disabled = word.value !== {word};"
WAYS = {
    "in a dialog": ("", ""),
    "by a word": ("delete", ""),
    "by its name": ("{name}", ""),
    "on a page of its settings": ("", "/settings/danger"),
    "by a word, on a page of its settings": ("delete", "/settings/danger"),
    "where sim.toml says that it is edited": ("delete", "/settings"),
    "late, where its page says settings": ("delete", "/settings/danger"),
}
LATE = """<script>setTimeout(() => document.querySelector("main").append(
document.createRange().createContextualFragment({part})), 2200)</script>"""


def dialog(number: int, word: str) -> str:
    text = DIALOG.replace("{typed}", TYPED.replace("{word}", word) if word else "")
    text = text.replace("{script}", BY_WORD.replace("{word}", json.dumps(word)) if word else "")
    return text.replace("{disabled}", "disabled" if word else "").replace("{number}", str(number))


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> OneRun:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    return OneRun(tmp_path, "", capsys)


@pytest.mark.parametrize("way", WAYS)
def test_a_cleanup_answers_what_a_page_asks_before_it_deletes(run: OneRun, way: str) -> None:
    word, beneath = WAYS[way]
    is_said = way.startswith("where")
    run.site = '[site.small.things.survey]\nedit = { by = "Configuration", fields = ["name"] }' if is_said else ""
    names: dict[int, str] = {41: "Another"}

    class Handler(PageHandler):
        def do_GET(self) -> None:
            steps = self.path.split("/")
            if self.path == "/new":
                return self.answer(200, NEW)
            if len(steps) < 3 or int(steps[2]) not in names:
                return self.answer(404, "<h1>Not found</h1>")
            number, at = int(steps[2]), "/".join(["", *steps[3:]]).rstrip("/")
            links = "".join(f"<a href=/surveys/{number}{end}>{end or 'Survey'}</a> " for end in ("", "/settings"))
            links += f"<a href=/surveys/{number}/settings/danger>Danger zone</a>" if at.startswith("/settings") else ""
            asked = dialog(number, word.replace("{name}", names[number])) if at == beneath else ""
            field = f"<label>Name <input value='{names[number]}'></label>" if at == "/settings" else ""
            if way.startswith("late"):
                asked = LATE.replace("{part}", json.dumps(asked).replace("</", "<\\/"))
                links += "<a href=/user/settings>Settings</a>"
            edit = f"<a href=/surveys/{number}/settings>{'Configuration' if is_said else 'Edit'}</a>" if not at else ""
            edit = "" if way.startswith("late") else edit
            return self.answer(200, f"<h1>{names[number]}</h1><nav>{links}</nav><main>{edit}{field}{asked}</main>")

        def do_POST(self) -> None:
            names[max(names) + 1] = json.loads(self.body())["name"]
            self.tell({"id": max(names)})

        def do_DELETE(self) -> None:
            del names[int(self.path.rpartition("/")[2])]
            self.tell({})

    with served(Handler) as run.url:
        make = call("fill_form", values={"name": "{{faker.catch_phrase.1}}"}, submit=True)
        told = run.record([call("navigate", url="/new"), make])
        assert all(one.success for one in told), told
        assert len(names) == 2
        code, out, err = run.sim("cleanup", "last", "--yes", "--db", "a.db")
    assert list(names) == [41], out + err
    assert code == 0, out + err


DRAFTED = """<!doctype html><title>Surveys</title><main id=main></main><script>
const ask = async (method, at, it) => (await fetch(at, {method, body: it && JSON.stringify(it),
  headers: {"Content-Type": "application/json"}})).json();
const items = (all) => all.map(([at, name]) => `<li><a href="${at}">${name}</a></li>`).join("");
async function draw() {
  const [, , number, view, tab] = location.pathname.split("/"), all = await ask("GET", "/api/surveys");
  if (!number) {
    main.innerHTML = `<h1>Welcome</h1><ul>${items(all.map((one) => [`/surveys/${one.id}`, one.name]))}</ul>
      <button id=begin>New survey</button>`;
    begin.onclick = async () => {
      const draft = await ask("POST", "/api/surveys", {name: "Unnamed"});
      main.innerHTML = `<form id=form><label>Name <input name=name></label><button>Save</button></form>`;
      form.onsubmit = async (event) => { event.preventDefault();
        await ask("PATCH", `/api/surveys/${draft.id}`, {name: form.elements.name.value});
        history.pushState({}, "", `/surveys/${draft.id}/data`); draw(); };
    };
    return;
  }
  const it = all.find((one) => one.id === +number), base = `/surveys/${number}`;
  if (!it) { main.innerHTML = "<h1>Nothing is here</h1>"; return; }
  if (!view) { history.replaceState({}, "", `${base}/data`); return draw(); }
  const menu = [["", "General"], ["/parts", "Parts"], ["/danger", "Danger zone"]];
  main.innerHTML = view === "data"
    ? `<h1>${it.name}</h1><a href="${base}/settings">Settings</a><p>Nothing has been answered.</p>`
    : `<ul>${items(menu.map(([at, name]) => [`${base}/settings${at}`, name]))}</ul>` + (tab === "danger"
      ? `<h2>Danger</h2><button>Delete answers</button> <button id=go>Delete survey</button>`
      : tab === "parts" ? `<ul>${items([[`${base}/settings/parts/7`, "Part of a survey"]])}</ul>`
      : `<label>Name <input value="${it.name}"></label>`);
  if (tab === "danger") go.onclick = () => { if (!window.asked) { asked = true; go.insertAdjacentHTML("afterend",
    "<div role=dialog><p>Do you mean it?</p><button id=no>Cancel</button><button id=yes>Proceed</button></div>");
    yes.onclick = async () => { await ask("DELETE", `/api/surveys/${number}`); location.href = "/"; }; } };
}
draw();</script>"""


def test_what_a_script_drafts_and_writes_then_is_one_thing_and_deleted_in_its_settings(run: OneRun) -> None:
    run.site = '[site.small.things.survey]\nedit = { by = "Settings", fields = ["name"] }'
    names: dict[int, str] = {41: "Another"}

    class Handler(PageHandler):
        def do_GET(self) -> None:
            if self.path == "/api/surveys":
                return self.tell([{"id": number, "name": name} for number, name in names.items()])
            return self.answer(200, DRAFTED)

        def do_POST(self) -> None:
            names[max(names) + 1] = json.loads(self.body())["name"]
            self.tell({"id": max(names)})

        def do_PATCH(self) -> None:
            number = int(self.path.rpartition("/")[2])
            names[number] = json.loads(self.body())["name"]
            self.tell({"id": number, "name": names[number]})

        def do_DELETE(self) -> None:
            del names[int(self.path.rpartition("/")[2])]
            self.tell({})

    with served(Handler) as run.url:
        told = run.record(
            [
                call("navigate", url="/"),
                call("click", selector="New survey"),
                call("fill_form", values={"name": "{{faker.catch_phrase.1}}"}, submit=True),
                call("navigate", url="/"),
            ]
        )
        assert all(one.success for one in told), told
        assert len(names) == 2
        assert "Unnamed" not in names.values()
        shown = run.sim("runs", "show", "last", "--db", "a.db")[1]
        code, out, err = run.sim("cleanup", "last", "--yes", "--db", "a.db")
    made = shown.partition("\nmade\n")[2].partition("\n\n")[0]
    assert len(made.splitlines()) == 1, shown
    assert list(names) == [41], out + err
    assert "1 removed" in out
    assert code == 0, out + err
