"""An editor draws a frame in the place of a field, as TinyMCE does: what goes into the field is written in there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from simulator.cli.main import main
from tests.fakes.messages_api import Reply, call
from tests.fakes.server import served
from tests.runner.one_run import run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what fields are given")

FORM = """<h1>New walk</h1><form method=post action=/walks><p><label>Title <input name=title></label>
<p><label for=text>Description</label><textarea id=text name=text></textarea><button>Save</button></form><script>
const field = document.querySelector("textarea"), editor = document.createElement("div");
editor.innerHTML = "<div role=toolbar><button type=button>Bold</button></div><iframe title='Rich text'></iframe>";
field.style.display = "none";
field.after(editor);
const inner = editor.querySelector("iframe").contentDocument;
inner.body.contentEditable = true;
inner.body.setAttribute("aria-label", "Rich text");
document.forms[0].addEventListener("submit", () => { field.value = inner.body.innerHTML; });
</script>"""
SHOWN = "<h1>{title}</h1><div>{text}</div><a href=/walks>Walks</a>"
SAID = "It stood still for an hour."


@dataclass
class Walks:
    """What the site keeps, and says instead of it."""

    kept: list[dict[str, str]] = field(default_factory=list)
    lie: str = ""
    url: str = ""


@pytest.fixture
def walks() -> Walks:
    return Walks()


@pytest.fixture
def handler(walks: Walks) -> type[PageHandler]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            listed = "".join(f"<li><a href=/walks/{at}>{one['title']}</a>" for at, one in enumerate(walks.kept, 48213))
            pages = {f"/walks/{at}": SHOWN.format(**one) for at, one in enumerate(walks.kept, 48213)}
            pages |= {"/walks": f"<h1>Walks</h1><a href=/new>New walk</a><ul>{listed}</ul>", "/new": FORM}
            self.answer(200, pages.get(self.path, "<h1>Home</h1><a href=/walks>Walks</a>"))

        def do_POST(self) -> None:
            sent = dict(parse_qsl(self.body().decode(), keep_blank_values=True))
            walks.kept.append(sent | ({"text": walks.lie} if walks.lie else {}))
            self.answer(303, location=f"/walks/{48212 + len(walks.kept)}")

    return Handler


@pytest.fixture
def site(walks: Walks, handler: type[PageHandler]) -> Iterator[Walks]:
    with served(handler) as walks.url:
        yield walks


@pytest.mark.parametrize("way", ["by its label", "by CSS", "in its form"])
def test_what_goes_into_such_a_field_is_written_into_the_frame(
    way: str,
    walks: Walks,
    handler: type[PageHandler],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    given: dict[str, Reply] = {
        "by its label": call("fill", selector="Description", value=SAID),
        "by CSS": call("fill", selector="#text", value=SAID),
        "in its form": call("fill_form", values={"Description": SAID}),
    }
    with run_on(handler, tmp_path, monkeypatch, capsys) as run:
        told = run.record(
            [
                call("navigate", url="/new"),
                call("read_forms"),
                call("fill", selector="Title", value="Herons at the weir"),
                given[way],
                call("click", selector="Save"),
                call("navigate", url="/walks"),
                call("click", selector="Herons at the weir"),
            ]
        )
        assert [one.text for one in told if not one.success] == []
        assert '"label":"Description"' in told[1].text
        assert walks.kept == [{"title": "Herons at the weir", "text": SAID}]
        walks.kept.clear()
        honest = run.replay()
        walks.kept.clear()
        walks.lie = "Nothing was to be seen."
        lied = run.replay()

    assert (honest["verdict"], [one["unseen"] for one in honest["writes"]]) == ("passed", [[]]), honest
    assert lied["verdict"] == "postcondition", lied


SECTION = """packs = []
[site.small]
base_url = "{url}"
disposable = true
[site.small.things.walk]
create = "/new"
list = "/walks"
data = "walks"
fields = {{ title = "Title", text = "Description" }}
[data.walks]
rows = [{{ title = "Herons at the weir", text = "{text}" }}]
"""
PERSONA = """persona: walker
about: Describes walks.
locale: en_GB
tasks:
  - create: {thing: walk}
"""


def test_a_thing_is_described_in_such_a_field(
    site: Walks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the walks")
    (tmp_path / "sim.toml").write_text(SECTION.format(url=site.url, text=SAID), "utf-8")
    (tmp_path / "personas").mkdir()
    (tmp_path / "personas" / "walker.yaml").write_text(PERSONA, "utf-8")
    assert main(["personas", "run", "walker", "--seed", "1", "--db", "a.db"]) == 0, capsys.readouterr()
    assert site.kept == [{"title": "Herons at the weir", "text": SAID}]
