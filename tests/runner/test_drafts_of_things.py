"""A thing that is made as a draft: the buttons that make it and those that change it say different words."""

from __future__ import annotations

import html
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from simulator.api import record_runs
from tests.fakes.server import served
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("a site's own things")

SETTINGS = """
packs = []
[site.stage]
base_url = "{url}"
[site.stage.things.talk]
create = "/talks/new"
list = "/talks"
data = "talks"
submit = "save as draft for now"
edit = {{ fields = ["abstract"]{said} }}
[data.talks.make]
title = "{{{{faker.city}}}} {{{{n}}}}"
abstract = "About {{{{faker.city}}}} {{{{n}}}}"
"""
PERSONA = """
persona: speaker
about: Speaks.
locale: en_GB
tasks:
  - create: talk
  - edit: talk
"""
HINT = """<style>.sign::before { content: '\uf059' } .hint::after { content: attr(title) }</style>
<span class=hint title="You may go on with it later, or leave it."><i class=sign></i></span>"""
FIELDS = """<label>Title <input name=title value="{0}"></label>
<label>Abstract <textarea name=abstract>{1}</textarea></label>"""
NEW = f"""<h1>New talk</h1><form method=post action=/talks>{FIELDS.format("", "")}
<button name=go value=on>Continue</button><button name=go value=draft>save as draft for now {HINT}</button></form>"""
EDIT = f"""<h1>Talk</h1><form method=post>{FIELDS}
<button name=go value=draft>Save draft</button><button name=go value=submit>Submit proposal</button></form>"""


@pytest.fixture
def talks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, dict[str, dict[str, str]]]]:
    kept: dict[str, dict[str, str]] = {}

    class Handler(PageHandler):
        def do_GET(self) -> None:
            if self.path in kept:
                return self.answer(
                    200, EDIT.format(*map(html.escape, (kept[self.path][k] for k in ("title", "abstract"))))
                )
            rows = "".join(f"<li><a href={at}>{html.escape(one['title'])}</a></li>" for at, one in kept.items())
            pages = {"/talks/new": NEW, "/talks": f"<h1>Talks</h1><ul>{rows}</ul><a href=/talks/new>New talk</a>"}
            self.answer(200, pages.get(self.path, "<a href=/talks>Talks</a>"))

        def do_POST(self) -> None:
            at = self.path if self.path in kept else f"/talks/{48213 + len(kept)}"
            kept[at] = dict(parse_qsl(self.body().decode()))
            self.answer(303, "", "/talks")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    (tmp_path / "personas").mkdir()
    (tmp_path / "personas/speaker.yaml").write_text(PERSONA, "utf-8")
    with served(Handler) as url:
        yield url, kept


def test_an_edit_is_sent_by_the_button_that_the_section_names(
    talks: tuple[str, dict[str, dict[str, str]]], tmp_path: Path
) -> None:
    url, kept = talks
    (tmp_path / "sim.toml").write_text(SETTINGS.format(url=url, said=', submit = "Save draft"'), "utf-8")
    (run,) = record_runs((), db="a.db", count=1, seed="7", agent="autopilot").runs
    assert [(one.status, one.reason) for one in run.tasks] == [("done", "")] * 2
    assert [one["go"] for one in kept.values()] == ["draft"]


def test_an_edit_whose_form_has_several_buttons_asks_which(
    talks: tuple[str, dict[str, dict[str, str]]], tmp_path: Path
) -> None:
    url, _ = talks
    (tmp_path / "sim.toml").write_text(SETTINGS.format(url=url, said=""), "utf-8")
    (run,) = record_runs((), db="a.db", count=1, seed="7", agent="autopilot").runs
    assert "say which in 'submit' of the edit" in run.tasks[-1].reason
