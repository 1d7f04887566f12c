"""What a form of the document sends beside a file, where a script has filled it: the site may lose that alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run_on
from tests.runner.test_scripts_with_files import texts_of
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("success that did not happen")

FORM = """<h1>New repair</h1><form method=post action="ACTION" enctype="multipart/form-data">
<label>Title <input name=title></label><input type=hidden name=trade><span class=chosen>none</span>
<button type=button class=pick>Trade</button>
<div class=menu hidden><div>joiner</div><div>painter</div><div>plumber</div></div>
<label>Photo <input type=file name=photo></label><button SENDS>Save</button></form><script>
const $ = (one) => document.querySelector(one);
$(".pick").onclick = () => { $(".menu").hidden = false; };
document.querySelectorAll(".menu div").forEach((one) => { one.onclick = () => {
  $("[name=trade]").value = $(".chosen").textContent = one.textContent; $(".menu").hidden = true; } });
</script>"""
PAGE = "<h1>{title}</h1><dl><dt>Trade<dd>{trade}</dl>"
STEPS = [
    call("navigate", url="/new"),
    call("fill", selector="Title", value="Leaking roof"),
    call("click", selector=".pick"),
    call("click", selector="text=plumber"),
    call("upload_file", selector="Photo", name="{{photo.1.file}}"),
    call("click", selector="Save"),
    call("navigate", url="/"),
    call("navigate", url="/repairs/417"),
]
FORMS = {"by its form": ("/repairs", ""), "elsewhere, by its button": ("/drafts", 'formaction="/repairs"')}


@dataclass
class Site:
    form: str
    kept: dict[str, Any] = field(default_factory=dict)
    loses: bool = False


@pytest.fixture(params=FORMS)
def site(request: pytest.FixtureRequest) -> Site:
    action, button = FORMS[request.param]
    return Site(FORM.replace("ACTION", action).replace("SENDS", button))


@pytest.fixture
def run(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            there = site.kept and self.path == "/repairs/417"
            self.answer(200, site.form if self.path == "/new" else PAGE.format(**site.kept) if there else "<h1>Home")

        def do_POST(self) -> None:
            site.kept = texts_of(str(self.headers["Content-Type"]), self.body())
            site.kept["trade"] = "none" if site.loses else site.kept["trade"]
            self.answer(303, location="/repairs/417" if self.path == "/repairs" else "/")

    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "roof.txt").write_text("The roof leaks at the third beam.\n", "utf-8")
    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        run.site = '[data.photos]\nrows = [{ file = "files/roof.txt" }]\nfields = { file = "file" }\ncount = 1\n'
        run.tasks = "  - do: Try the page, and {{photo.1.file}}."
        yield run


def test_what_a_script_has_put_into_a_form_with_a_file_is_shown_again(run: OneRun, site: Site) -> None:
    told = run.record(STEPS)
    assert all(one.success for one in told), told
    assert site.kept == {"title": "Leaking roof", "trade": "plumber"}
    replayed = run.replay()
    (write,) = replayed["writes"]
    assert (replayed["verdict"], write["inputs"], write["unseen"]) == ("passed", 3, ["Photo"]), replayed
    site.loses = True
    replayed = run.replay()
    assert (replayed["verdict"], site.kept["trade"]) == ("postcondition", "none"), replayed
