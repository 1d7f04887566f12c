"""A list of the browser's own: another option is chosen, several are, and the site keeps all of them, or not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from tests.fakes.messages_api import Reply, call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what a site keeps")

OPTIONS = "".join(f"<option value=c{place}>{name}" for place, name in enumerate(("Crimson", "Turquoise", "Ochre")))
LISTS = {
    "one": f"<select name=colour>{OPTIONS}</select>",
    "several": f"<select multiple name=colour>{OPTIONS}</select>",
}
FORM = "<h1>New</h1><form method=post action=/new><label>Volume <input type=range name=volume></label>LIST<label><input type=checkbox name=letters> Letters</label><button>Save</button></form>"  # noqa: E501
NAMES = {"c0": "Crimson", "c1": "Turquoise", "c2": "Ochre"}


@dataclass
class Site:
    """What was sent last, and is shown on a page of its own."""

    kind: str
    loses: bool = False
    louder: bool = False
    unasked: bool = False
    """Whether it forgets who wants its letters."""
    letters: bool = False
    answers: tuple[str, str] = ("no", "yes")
    """What its pages say of that."""
    rows: list[tuple[str, list[str]]] = field(default_factory=list)

    def keep(self, sent: list[tuple[str, str]]) -> None:
        """Take in what was sent, or a part of it."""
        chosen = [value for name, value in sent if name == "colour"]
        volume = "45" if self.louder else dict(sent)["volume"]
        self.letters = "letters" in dict(sent) and not self.unasked
        self.rows.append((volume, chosen[:-1] if self.loses else chosen))


@pytest.fixture
def site(request: pytest.FixtureRequest) -> Site:
    return Site(request.param)


@pytest.fixture
def run(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            if self.path == "/new":
                chosen = f"<label>Colours {LISTS[site.kind]}</label>"
                self.answer(200, FORM.replace("LIST", chosen))
            elif self.path.startswith("/made/") and site.rows:
                volume, chosen = site.rows[-1]
                colours = ", ".join(NAMES[one] for one in chosen)
                letters = site.answers[site.letters]
                said = f"<p>Volume {volume} %</p><p>Colours: {colours}</p><dl><dt>Letters<dd>{letters}</dl>"
                self.answer(200, f"<h1>Made</h1>{said}")
            else:
                self.answer(200, "<h1>Home</h1>")

        def do_POST(self) -> None:
            site.keep(parse_qsl(self.body().decode()))
            self.answer(303, location=f"/made/{48213 + 17 * len(site.rows)}")

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        yield run


def chosen(*more: Reply) -> list[Reply]:
    """Give the calls that fill the form in and send it."""
    first = call("select", selector="Colours", label="Turquoise")
    volume = call("fill", selector="Volume", value="35")
    return [
        call("navigate", url="/new"),
        volume,
        first,
        *more,
        call("click", selector="Save"),
        call("navigate", url="/"),
    ]


@pytest.mark.parametrize("site", ["one", "several"], indirect=True)
def test_another_option_takes_the_place_of_the_first_one(site: Site, run: OneRun) -> None:
    told = run.record(chosen(call("select", selector="Colours", label="Ochre")))
    assert [one.text for one in told if not one.success] == []
    assert site.rows == [("35", ["c2"])]


@pytest.mark.parametrize("site", ["several"], indirect=True)
def test_an_option_is_chosen_beside_another_one_and_each_of_them_is_proven(site: Site, run: OneRun) -> None:
    run.record(chosen(call("select", selector="Colours", label="Ochre", beside=True)))
    assert site.rows == [("35", ["c1", "c2"])]

    site.rows = []
    honest = run.replay()
    assert (honest["verdict"], [one["unseen"] for one in honest["writes"]]) == ("passed", [[]]), honest
    assert site.rows == [("35", ["c1", "c2"])]

    site.rows, site.loses = [], True
    lied = run.replay()
    assert lied["verdict"] == "postcondition"
    assert "'Ochre' for listbox 'Colours'" in lied["drift"]["expected"]


@pytest.mark.parametrize("site", ["one"], indirect=True)
def test_a_short_number_behind_the_name_of_its_field_is_proven(site: Site, run: OneRun) -> None:
    run.record(chosen())
    site.rows, site.louder = [], True
    lied = run.replay()
    assert site.rows == [("45", ["c1"])]
    assert lied["verdict"] == "postcondition"
    assert "'35' for slider 'Volume'" in lied["drift"]["expected"]


DRAWN = ("<img alt=False width=9 height=9>", "<img alt=True width=9 height=9>")


@pytest.mark.parametrize("answers", [("no", "yes"), ("✗", "✓"), DRAWN], ids=["words", "signs", "pictures"])
@pytest.mark.parametrize("site", ["one"], indirect=True)
def test_a_tick_is_proven_by_a_yes_under_its_name(site: Site, run: OneRun, answers: tuple[str, str]) -> None:
    site.answers = answers
    run.record(chosen(call("check", selector="Letters")))
    assert site.letters
    honest = run.replay()
    assert (honest["verdict"], [one["unseen"] for one in honest["writes"]]) == ("passed", [[]]), honest

    site.unasked = True
    lied = run.replay()
    assert not site.letters
    no = "False" if answers is DRAWN else answers[0]
    assert (lied["verdict"], lied["drift"]["found"]) == ("postcondition", f"'{no}' instead"), lied
