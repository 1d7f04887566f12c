"""Fields that a site's own elements draw in shadow roots, and send under their own names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what a site keeps")

ELEMENTS = """<script>
const own = (name, inner, value) => customElements.define(name, class extends HTMLElement {
  static formAssociated = true;
  constructor() {
    super();
    const internals = this.attachInternals();
    this.attachShadow({ mode: "open" }).innerHTML = inner.replace("LABEL", this.getAttribute("label"));
    const at = this.shadowRoot.querySelector("input,button");
    at.addEventListener("input", () => internals.setFormValue(value(at)));
    if (name === "own-button") at.addEventListener("click", () => internals.form.requestSubmit());
  }
});
own("own-input", "<label for=in>LABEL</label><div><input id=in></div>", (at) => at.value);
own("own-switch", "<label><input type=checkbox role=switch> LABEL</label>", (at) => (at.checked ? "on" : null));
own("own-button", "<button type=button>LABEL</button>");
</script>"""
FORM = """<h1>New boat</h1><form method=post action=/new><own-input label="Name of it" name=name></own-input>
<own-input label="Seats for" name=seats></own-input><own-switch label="Lend it" name=lent></own-switch>
<own-button label=Save></own-button></form>"""


@dataclass
class Site:
    """Keeps boats, or something else of them."""

    loses: str = ""
    says: bool = True
    """Whether its pages say who may be lent a boat."""
    boats: list[dict[str, str]] = field(default_factory=list)


@pytest.fixture
def site() -> Site:
    return Site()


@pytest.fixture
def run(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            if self.path == "/new":
                self.answer(200, FORM + ELEMENTS)
            elif self.path.startswith("/boats/"):
                boat = site.boats[-1]
                lent = f"<dt>Lent<dd>{'yes' if 'lent' in boat else 'no'}" if site.says else ""
                self.answer(200, f"<h1>{boat['name']}</h1><dl><dt>Seats<dd>{boat['seats']}{lent}</dl>")
            else:
                self.answer(200, "<h1>Home</h1>")

        def do_POST(self) -> None:
            sent = dict(parse_qsl(self.body().decode()))
            site.boats.append({name: "9" if name == "seats" == site.loses else text for name, text in sent.items()})
            if site.loses == "lent":
                site.boats[-1].pop("lent")
            self.answer(303, location=f"/boats/{48213 + 17 * len(site.boats)}")

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        yield run


CALLED = ("Name of it", "Seats for", "Lend it", "Save")


def record(run: OneRun, called: tuple[str, str, str, str] = CALLED) -> None:
    told = run.record(
        [
            call("navigate", url="/new"),
            call("fill", selector=called[0], value="Sea otter"),
            call("fill", selector=called[1], value="4"),
            call("click", selector=called[2]),
            call("click", selector=called[3]),
            call("navigate", url="/"),
        ]
    )
    assert all(one.success for one in told), [one.text for one in told if not one.success]


@pytest.mark.breadth(1, table=1)
@pytest.mark.parametrize("loses", ["seats", "lent"])
def test_what_such_a_field_puts_in_is_proven_under_the_name_that_it_is_sent_by(
    site: Site, run: OneRun, loses: str
) -> None:
    record(run)
    honest = run.replay()
    assert honest["verdict"] == "passed", honest
    assert [one["unseen"] for one in honest["writes"]] == [[]]
    site.loses = loses
    assert run.replay()["verdict"] != "passed"


def test_a_switch_that_no_page_tells_of_is_not_proven_by_the_texts(site: Site, run: OneRun) -> None:
    site.says = False
    record(run)
    assert [one["unseen"] for one in run.replay()["writes"]] == [["Lend it"]]


def test_such_an_element_stands_for_the_only_control_in_it(site: Site, run: OneRun) -> None:
    record(run, ("own-input[name=name]", "own-input[name=seats]", "own-switch", "own-button"))
    assert site.boats == [{"name": "Sea otter", "seats": "4", "lent": "on"}]
    honest = run.replay()
    assert honest["verdict"] == "passed", honest
    assert [one["unseen"] for one in honest["writes"]] == [[]]
