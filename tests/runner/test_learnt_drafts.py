"""What a first look makes of a form at an address that is drawn for each visit, and of what adds to a thing."""

from __future__ import annotations

import itertools
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from simulator.cli.main import main
from tests.fakes.server import served
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("sim site learn")

FIELDS = """<label>Title <input name=title value="{0}" required></label>
<label>Abstract <textarea name=abstract required>{1}</textarea></label>"""
HINT = """<style>.sign::before {{ content: '\uf059' }} .hint::after {{ content: attr(title) }}</style>
<span class=hint title="You may go on with it later, or leave it."><i class=sign></i></span>"""
NEW = f"""<h1>Tell us</h1><form method=post>{FIELDS.format("", "")}<button name=go value=on>Continue</button>
<button name=go value=draft>save as draft for now {HINT.format()}</button></form>"""
ADDING = """<div id=more></div><button type=button onclick="more.innerHTML =
'<label>Description <input name=part-0></label><label>Address <input name=link-0></label>'">Add a document</button>"""
EDIT = f"""<h1>Lanterns</h1><form method=post>{FIELDS.format("Lanterns", "About lanterns")}{ADDING}
<button name=go value=draft>Save draft</button><button name=go value=submit>Submit</button></form>"""
CODES = ("NJviLG", "KRtHQo", "yRWOMb", "uUBEPq", "JzZSab", "QwErTy")
PAGES = {
    "/days/": "<h1>Days</h1><a href=/days/cfp>Call</a> <a href=/days/mine/>Your talks</a>",
    "/days/cfp": "<h1>Call for papers</h1><a href=/days/propose/>Propose a talk</a>",
    "/days/mine/": """<h1>Your talks</h1><table><tr><td><a href=/days/mine/VMSPFM/>Lanterns</a></table>
        <a href=/days/propose/>Propose another</a>""",
    "/days/mine/VMSPFM/": EDIT,
}


@pytest.fixture
def said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    codes = itertools.cycle(CODES)

    class Handler(PageHandler):
        def do_GET(self) -> None:
            if self.path == "/days/propose/":
                return self.answer(302, "", f"/days/propose/{next(codes)}/info/")
            if self.path.startswith("/days/propose/"):
                return self.answer(*((200, NEW) if self.path.endswith("info/") else (302, "", f"{self.path}info/")))
            self.answer(200 if self.path in PAGES else 404, PAGES.get(self.path, "<h1>Nothing here"))

    monkeypatch.chdir(tmp_path)
    with served(Handler) as url:
        assert main(["site", "learn", f"{url}/days/", "--name", "days", "--out", "sim.toml"]) == 0
        yield tomllib.loads(Path("sim.toml").read_text("utf-8"))["site"]["days"]


def test_the_address_that_leads_to_the_form_is_the_way_and_what_adds_to_a_thing_is_none(said: dict[str, Any]) -> None:
    ((_, thing),) = said["things"].items()
    assert (thing["create"], thing["list"]) == ("/days/propose/", "/days/mine/")
    assert thing["submit"] == "save as draft for now"
    assert thing["edit"] == {"fields": ["abstract"], "submit": "Save draft"}
