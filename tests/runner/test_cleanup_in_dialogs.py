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
}


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
            edit = f"<a href=/surveys/{number}/settings>{'Configuration' if is_said else 'Edit'}</a>" if not at else ""
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
