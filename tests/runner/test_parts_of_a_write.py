"""Pages as Rails makes them: parts of requests called otherwise than their fields, and links that stand there twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun
from tests.small_run import SmallSite

pytestmark = pytest.mark.promise("success that did not happen", quick=2)

FORM = """<h1>New tool</h1><form method=post action=/tools><label>Title <input name="tool[title]"></label>
<label>Sort <select name="tool[category_id]"><option value=1>Spades<option value=2>Rakes</select></label>
<label>Lent out <input type=checkbox name="tool[state_flag]" value=1></label><button>Save</button></form>"""
PAGE = "<title>Tool</title><h1>{title}</h1><dl><dt>Sort<dd>{sort}<dt>Lent out<dd>Yes</dl>"
ASKED = [
    call("navigate", url="/tools/new"),
    call("fill", selector="Title", value="Long handled rake"),
    call("select_option", selector="Sort", value="Rakes"),
    call("check", selector="Lent out"),
    call("click", selector="Save"),
    call("navigate", url="/tools/417"),
]


@pytest.fixture
def run(
    tmp_path: Path, small_site: SmallSite, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> OneRun:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    small_site.pages |= {"/tools/new": FORM, "/tools/417": PAGE.format(title="Long handled rake", sort="Rakes")}
    small_site.answers["/tools"] = lambda fields: "/tools/417"
    return OneRun(tmp_path, small_site.url, capsys)


def test_a_choice_is_an_input_of_the_write_whose_part_is_called_as_its_field(
    run: OneRun, small_site: SmallSite
) -> None:
    run.record(ASKED)
    (write,) = run.replay()["writes"]
    assert write["inputs"] == 3
    assert write["unseen"] == []


def test_a_replay_is_red_where_another_option_was_kept(run: OneRun, small_site: SmallSite) -> None:
    run.record(ASKED)
    small_site.pages["/tools/417"] = PAGE.format(title="Long handled rake", sort="Spades")
    again = run.replay()
    assert again["verdict"] == "postcondition"
    assert "Rakes" in again["drift"]["expected"]


def test_links_that_differ_in_the_key_that_reaches_them_are_one(run: OneRun, small_site: SmallSite) -> None:
    edit = "<div><a href=/tools/417/edit{}>Edit</a></div>"
    small_site.pages["/tools/417"] = f"<h1>Rake</h1>{edit.format(' accesskey=e')}<p>Long.</p>{edit.format('')}"
    small_site.pages["/tools/417/edit"] = "<h1>Change</h1>"
    told = run.record([call("navigate", url="/tools/417"), call("click", selector="a[accesskey]")])
    assert told[-1].success, told[-1].text
    assert "could not find" not in told[-1].text
    assert len(run.actions()) == 2
    assert run.replay()["verdict"] == "passed"


LOST = """<h1>New party</h1><label>Name <input id=name></label><label>Town <input id=town></label>
<label>Day <input id=day></label><label>Search <input id=q></label><button id=save>Save</button><script>
save.onclick = async () => {
  const day = {day: Number(document.getElementById("day").value.slice(0, 2))};
  await fetch("/sent", {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(
    {name: document.getElementById("name").value, town: LOSES ? "" : town.value, day})});
  location.href = "/parties/417"; };
</script>"""


@pytest.mark.parametrize("loses", [True, False])
def test_what_a_page_has_made_of_a_text_is_an_input_of_the_write_whose_part_is_called_so(
    run: OneRun, small_site: SmallSite, loses: bool
) -> None:
    small_site.pages["/parties/new"] = LOST.replace("LOSES", str(loses).lower())
    town = "" if loses else "<dt>Town<dd>Whitby"
    small_site.pages["/parties/417"] = f"<h1>Walkers of the Wye</h1><dl>{town}<dt>Day<dd>17 May</dl>"
    small_site.answers["/sent"] = lambda fields: "/parties/417"
    run.record(
        [
            call("navigate", url="/parties/new"),
            call("fill", selector="Name", value="Walkers of the Wye"),
            call("fill", selector="Town", value="Whitby"),
            call("fill", selector="Day", value="17 May"),
            call("fill", selector="Search", value="Ely"),
            call("click", selector="Save"),
        ]
    )
    (write,) = run.replay()["writes"]
    assert write["inputs"] == 3, write
    assert write["unseen"] == (["Town"] if loses else []), write
