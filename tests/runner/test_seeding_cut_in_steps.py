"""A seeding that is killed on a page of a form that a site keeps for the visit of one browser, and gone on with."""

from __future__ import annotations

import html
import itertools
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from simulator.cli.main import main
from tests.fakes.server import served
from tests.sites.serving import PageHandler

pytestmark = [pytest.mark.timeout(300), pytest.mark.promise("a run that was cut off goes on", quick=1)]
SIM = Path(sys.executable).with_name("sim")
SECTION = """packs = []
[site.small]
base_url = "{url}"
disposable = true
[site.small.things.talk]
create = "/propose"
list = "/talks"
data = "talks"
[data.talks]
rows = [{rows}]
"""
PERSONA = """persona: speaker
about: Speaks.
locale: en_GB
tasks:
  - create: {thing: talk, count: 2}
"""
WHERE = [f"{a} of {b}" for a in ("Low tide", "Old oak", "Red barn", "Tall pine") for b in ("Bray", "Cork", "Down")]
PAGES = {
    "info": "<h1>New talk</h1><form method=post><label>Title <input name=title value='{title}'></label>{go}",
    "more": "<h1>More</h1><form method=post><label>Text <textarea name=text>{text}</textarea></label>{go}",
    "last": "<h1>At last</h1><form method=post><label>Place <input name=place value='{place}'></label>{go}",
}
GO = "<button>Continue</button></form>"


@dataclass
class Talks:
    """A site that keeps talks, and kills whoever shall be killed."""

    kept: list[dict[str, str]] = field(default_factory=list)
    url: str = ""
    fatal: str = ""
    """The step that is not answered any more; ``propose``: the next form, once there is the third talk."""
    victim: int = 0

    def asked(self, step: str) -> None:
        if step == self.fatal and len(self.kept) == (3 if step == "propose" else 2):
            self.fatal = ""
            os.kill(self.victim, signal.SIGKILL)


@pytest.fixture(params=["more", "propose"])
def talks(request: pytest.FixtureRequest) -> Iterator[Talks]:
    site = Talks()
    codes = (f"v{number}4x7" for number in itertools.count(1))
    browsers = itertools.count(1)
    begun: dict[tuple[str, str], dict[str, str]] = {}

    class Handler(PageHandler):
        head = "<button>Log out</button>"

        def one(self) -> tuple[str, str, str]:
            """Give the browser, the code of its visit, and the step."""
            cookie = SimpleCookie(self.headers.get("Cookie", "")).get("b")
            code, _, step = self.path.removeprefix("/propose/").partition("/")
            return cookie.value if cookie else "", code, step

        def do_GET(self) -> None:
            browser, code, step = self.one()
            if self.path == "/propose":
                site.asked("propose")
                self.send_response(302)
                if not browser:
                    self.send_header("Set-Cookie", f"b={next(browsers)}; Path=/")
                self.send_header("Location", f"/propose/{next(codes)}/info")
                self.send_header("Content-Length", "0")
                self.end_headers()
            elif step in PAGES:
                held = begun.get((browser, code), {})
                values = {name: html.escape(held.get(name, "")) for name in ("title", "text", "place")}
                self.answer(200, PAGES[step].format(go=GO, **values))
            else:
                talks = "".join(f"<li>{html.escape(one['title'])}</li>" for one in site.kept)
                self.answer(200, f"<h1>Talks</h1><ul>{talks}</ul><a href=/propose>Propose</a>")

        def do_POST(self) -> None:
            browser, code, step = self.one()
            begun.setdefault((browser, code), {}).update(parse_qsl(self.body().decode()))
            onward = dict(itertools.pairwise(PAGES)).get(step)
            site.asked(step)
            if onward is None and len(begun[browser, code]) == 3:
                site.kept.append(begun[browser, code])
            self.answer(303, "", f"/propose/{code}/{onward}" if onward else "/talks")

    site.fatal = request.param
    with served(Handler) as site.url:
        yield site


def test_a_user_who_was_killed_within_a_form_of_several_pages_goes_on(
    talks: Talks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fatal, talks.fatal = talks.fatal, ""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the talks")
    rows = ", ".join(f'{{ title = "{one}", text = "About {one} in May.", place = "By {one}" }}' for one in WHERE)
    (tmp_path / "sim.toml").write_text(SECTION.format(url=talks.url, rows=rows), "utf-8")
    (tmp_path / "personas").mkdir()
    (tmp_path / "personas" / "speaker.yaml").write_text(PERSONA, "utf-8")
    assert main(["personas", "run", "speaker", "--seed", "1", "--db", "a.db"]) == 0, capsys.readouterr()
    assert len(talks.kept) == 2
    talks.kept.clear()
    talks.fatal = fatal
    command = [SIM, "seed", "a.db", "--count", "2", "--seed", "5", "--concurrency", "1", "--yes", "--db", "b.db"]
    with subprocess.Popen([*command, "--screenshots", "none"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as one:
        talks.victim = one.pid
        said = one.communicate(timeout=200)[0].decode()
    assert one.returncode == -signal.SIGKILL, said
    capsys.readouterr()
    code = main(["runs", "resume", "last", "--db", "b.db", "--concurrency", "1"])
    assert code == 0, capsys.readouterr()
    titles = [one["title"] for one in talks.kept]
    assert len(titles) == len({*titles}) == 4, titles
