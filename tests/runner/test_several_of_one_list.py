"""Several options of one list that a script draws, which stays open between them; and what a form had chosen of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what fields are given")

TAGS = {"4": "beginner", "7": "advanced", "9": "sailors"}
FORM = """<h1>Talk</h1><form method=post><label>Title <input name=title value="{title}"></label>
<label for=tags>Tags</label>
<div class=widget role=combobox aria-haspopup=listbox aria-expanded=false><div class=shown></div>
<select id=tags name=tags multiple hidden>{options}</select><input aria-label=Tags type=search>
<div class=list hidden><div role=listbox aria-multiselectable=true></div></div></div>
<button>Save</button></form><a href=/>Home</a><script>
const one = (selector) => document.querySelector(selector), kept = one("select"), list = one("[role=listbox]");
const draw = () => {{
  one(".shown").innerHTML = [...kept.selectedOptions].map((at) => `<span>${{at.label}}</span>`).join("");
  list.innerHTML = [...kept.options].filter((at) => !at.selected)
    .map((at) => `<div role=option data-value=${{at.value}}>${{at.label}}</div>`).join("");
}};
draw();
one(".widget").onclick = () => {{
  one(".list").hidden = false;
  one(".widget").setAttribute("aria-expanded", true);
}};
list.onmousedown = (event) => {{
  [...kept.options].find((at) => at.value === event.target.dataset.value).selected = true;
  draw();
}};
</script>"""


@dataclass
class Talks:
    """What a test may look into, and which tag the site loses."""

    title: str = ""
    tags: list[str] = field(default_factory=list)
    loses: str = ""
    takes: str = ""
    """Which tag it takes instead of one that it loses."""

    def form(self, *, empty: bool = False) -> str:
        """Write the form."""
        chosen = [] if empty else self.tags
        options = "".join(
            f"<option value={key}{' selected' * (key in chosen)}>{text}</option>" for key, text in TAGS.items()
        )
        return FORM.format(title="" if empty else self.title, options=options)

    def keep(self, sent: dict[str, list[str]]) -> None:
        """Keep what was sent."""
        self.title = sent["title"][0]
        self.tags = [self.takes if one == self.loses else one for one in sent.get("tags", [])]


@pytest.fixture
def talks() -> Talks:
    return Talks()


@pytest.fixture
def run(
    talks: Talks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            if self.path == "/talks/48213":
                return self.answer(200, talks.form())
            self.answer(200, talks.form(empty=True) if self.path == "/new" else "<h1>Home</h1>")

        def do_POST(self) -> None:
            talks.keep(parse_qs(self.body().decode()))
            self.answer(303, location="/talks/48213")

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        yield run


@pytest.mark.parametrize("loses", ["7", "9"])
@pytest.mark.parametrize("takes", ["", "4"], ids=["lost", "exchanged"])
def test_each_of_several_options_is_seen_again_or_red(talks: Talks, run: OneRun, loses: str, takes: str) -> None:
    told = run.record(
        [
            call("navigate", url="/new"),
            call("fill", selector="input[name=title]", value="Knots for everybody"),
            call("click", selector=".widget"),
            call("click", selector='role=option[name="advanced"]'),
            call("click", selector='role=option[name="sailors"]'),
            call("click", selector="Save"),
            call("navigate", url="/"),
        ]
    )
    assert all(one.success for one in told), told
    assert talks.tags == ["7", "9"]
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [[]]), replayed
    talks.loses, talks.takes = loses, takes
    replayed = run.replay()
    assert replayed["verdict"] == "postcondition", replayed
    assert TAGS[loses] in replayed["drift"]["expected"], replayed["drift"]


@pytest.mark.parametrize("takes", ["", "4"], ids=["lost", "exchanged"])
def test_what_a_form_had_chosen_of_a_list_is_seen_again_or_red(talks: Talks, run: OneRun, takes: str) -> None:
    talks.title, talks.tags = "Knots", ["7", "9"]
    told = run.record(
        [
            call("navigate", url="/talks/48213"),
            call("fill", selector="input[name=title]", value="Knots for everybody"),
            call("click", selector="Save"),
            call("navigate", url="/"),
        ]
    )
    assert all(one.success for one in told), told
    talks.title, talks.tags = "Knots", ["7", "9"]
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [[]]), replayed
    talks.title, talks.tags, talks.loses, talks.takes = "Knots", ["7", "9"], "9", takes
    replayed = run.replay()
    assert replayed["verdict"] == "postcondition", replayed
