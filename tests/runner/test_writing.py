"""What tools say that they put into fields, through a whole run: told to a model, recorded, replayed strictly."""

from __future__ import annotations

import sqlite3

import pytest

from simulator.recording.reader import Recording
from tests.fakes.cover_services import cover_services, status
from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.seam import needs_bookshop
from tests.small_run import SmallSite

pytestmark = pytest.mark.promise("what fields are given")

__all__ = ["run"]

PAGE = """<h1>Sell</h1><form method=post action=/sent>
<label>Title <input name=title></label>
<label>Price <input name=price></label>
<label>Size <input name=size></label>
<label>News <input name=news type=checkbox></label>
<label>Photo <input name=photo type=file></label>
<button>Send</button></form><script>
const named = (name) => document.querySelector(`[name=${name}]`);
named("price").onchange = named("price").oninput = ({target}) => {
  target.value = target.value.replace(/\\d{4,}/, (all) => Number(all).toLocaleString("en-GB"));
};
named("size").oninput = ({target}) => { setTimeout(() => { target.value = target.value.replace(/\\D/g, ""); }, 5); };
named("size").value = "";
</script>"""


@pytest.fixture(autouse=True)
def pages(run: OneRun, small_site: SmallSite) -> None:
    run.site = 'grants = ["login", "upload"]'
    small_site.pages["/"] = PAGE


@needs_bookshop
def test_success_is_what_the_fields_hold(run: OneRun, small_site: SmallSite) -> None:
    """A field that takes no file, one that takes no letters, and one that writes numbers in its own way."""
    told = run.record(
        [
            call("navigate", url="/"),
            call("fetch_book_covers", query="The Moonstone", count=1),
            call("upload_cover_image", cover_url="{{file.cover_1}}", selector="input[name=title]"),
            call("upload_cover_image", cover_url="{{file.cover_1}}", selector="input[name=news]"),
            call("fill", selector="Size", value="large"),
            call("fill", selector="Price", value="1234"),
            call("fill", selector="Title", value="Moss"),
            call("upload_cover_image", cover_url="{{file.cover_1}}", selector="Photo"),
            call("submit"),
        ]
    )
    assert [one.success for one in told] == [True, True, False, False, False, True, True, True, True], told
    assert "takes no file" in told[2].text
    assert "takes no file" in told[3].text
    assert "could not fill textbox 'Size': it is empty" in told[4].text
    assert told[5].data["reads"] == "1,234"
    assert "reads" not in told[6].data
    ((_, sent),) = small_site.posts
    assert (sent["price"], sent["size"], sent["title"]) == ("1,234", "", "Moss")
    assert [(one.kind, one.status) for one in run.actions() if one.kind in ("fill", "upload")] == [
        ("fill", "failed"), ("fill", "done"), ("fill", "done"), ("upload", "done"),
    ]  # fmt: skip
    assert run.replay()["verdict"] == "passed"
    assert small_site.posts[1] == small_site.posts[0]


@pytest.mark.table
@pytest.mark.parametrize(
    ("changed", "found"),
    [
        ("<input name=title maxlength=3>", "it reads 'Mos'"),
        ("<input name=title oninput='value = String()'>", "it is empty"),
    ],
)
def test_a_field_that_takes_less_than_it_did_stops_a_replay(
    run: OneRun, small_site: SmallSite, changed: str, found: str
) -> None:
    run.record([call("navigate", url="/"), call("fill", selector="Title", value="Moss"), call("submit")])
    small_site.posts.clear()
    small_site.pages["/"] = PAGE.replace("<input name=title>", changed)
    replayed = run.replay()
    assert (replayed["verdict"], small_site.posts) == ("postcondition", [])
    assert found in str(replayed)


@pytest.mark.table
def test_what_an_older_recording_does_not_say_of_a_field_is_not_missed(run: OneRun, small_site: SmallSite) -> None:
    """Evidence of the first version does not tell what a page makes of a text; an empty field is told all the same."""
    page = (
        "<form method=post action=/sent><label>Size <input name=size oninput='{}'></label><button>Send</button></form>"
    )
    small_site.pages["/"] = page.format("value = parseInt(value)")
    told = run.record([call("navigate", url="/"), call("fill", selector="Size", value="12 cm"), call("submit")])
    assert told[1].data["reads"] == "12"
    with sqlite3.connect(run.folder / "a.db") as db:
        db.execute("UPDATE action SET options = json_remove(options, '$.reads')")
        db.commit()
        assert run.replay()["verdict"] == "postcondition"
        db.execute("UPDATE action SET target = json_remove(target, '$.version', '$.press') WHERE target IS NOT NULL")
        db.execute("UPDATE run SET environment = json_remove(environment, '$.determinism.evidence')")
    assert run.replay()["verdict"] == "passed"
    small_site.pages["/"] = page.format("value = String()")
    assert run.replay()["verdict"] == "postcondition"


@pytest.mark.table
def test_what_a_page_refused_and_reacted_to_is_refused_again(run: OneRun, small_site: SmallSite) -> None:
    """The action was done: a replay does it again, and expects the same of the page."""
    small_site.pages["/"] = """<label>Tag <input name=tag oninput="note.textContent = 'Refused'; value = ''"></label>
    <p id=note></p><button onclick="note.textContent = 'Pressed'">Press</button>"""
    told = run.record(
        [call("navigate", url="/"), call("fill", selector="Tag", value="Moss"), call("click", selector="Press")]
    )
    assert [one.success for one in told] == [True, False, True]
    (done,) = [one for one in run.actions() if one.kind == "fill"]
    assert (done.status, bool(done.error)) == ("done", True)
    assert run.replay()["verdict"] == "passed"
    small_site.pages["/"] = small_site.pages["/"].replace("value = ''", "")
    replayed = run.replay()
    assert replayed["verdict"] == "postcondition"
    assert "the page to refuse what is put in" in str(replayed)


TOWNS = """<form method=post action=/sent><label>Town <input name=town></label>
<label>Country <select name=country><option>GB<option>IE</select></label><button>Send</button></form>
<script>const town = document.querySelector("[name=town]");
document.querySelector("select").onchange = () => { town.value = ""; };</script>"""


@pytest.mark.table
def test_a_field_that_a_later_one_empties_is_filled_again(run: OneRun, small_site: SmallSite) -> None:
    small_site.pages["/"] = TOWNS
    values = {"Town": "Cork", "Country": "IE"}
    told = run.record([call("navigate", url="/"), call("fill_form", values=values, submit=True)])
    assert told[1].success, told
    assert small_site.posts == [("/sent", {"town": "Cork", "country": "IE"})]
    assert run.replay()["verdict"] == "passed"
    assert small_site.posts[1] == small_site.posts[0]


@pytest.mark.slow
def test_a_field_that_the_page_empties_again_and_again_is_told(run: OneRun, small_site: SmallSite) -> None:
    small_site.pages["/"] = """<form><label>Town <input name=town oninput="news.checked = false"></label>
    <label>News <input type=checkbox name=news onchange="town.value = ''"></label><button>Send</button></form>
    <script>const [town, news] = document.querySelectorAll("input");</script>"""
    told = run.record([call("navigate", url="/"), call("fill_form", values={"Town": "Cork", "News": "yes"})])
    assert not told[1].success
    assert "the page empties 'News' again" in told[1].text


def test_a_date_that_the_page_reads_as_another_one_is_told(run: OneRun, small_site: SmallSite) -> None:
    small_site.pages["/"] = """<form method=post action=/sent><label>Name <input name=name></label>
    <label>Day <input name=day role=combobox aria-haspopup=dialog aria-expanded=false></label>
    <label>Note <input name=note></label><button>Send</button></form><script>
    const day = document.querySelector("[name=day]");
    day.onblur = () => { if (day.value !== "06/11/2013") day.value = "01/02/2027"; };
    </script>"""
    values = {"Name": "Boat house", "Note": "Green"}
    told = run.record(
        [
            call("navigate", url="/"),
            call("fill_form", values={**values, "Day": "2013-06-11"}, submit=True),
            call("fill_form", values={**values, "Day": "06/11/2013"}, submit=True),
        ]
    )
    assert [one.success for one in told] == [True, False, True], told
    assert "the page empties 'Day' as it is left, or puts another date there" in told[1].text
    assert small_site.posts == [("/sent", {**{key.lower(): text for key, text in values.items()}, "day": "06/11/2013"})]
    assert run.replay()["verdict"] == "passed"


@needs_bookshop
@pytest.mark.table
def test_a_cover_whose_image_is_dead_is_not_offered(run: OneRun, small_site: SmallSite) -> None:
    with cover_services() as services:
        run.covers = f"""[bookshop.covers]\nsources = ["open_library"]\nopen_library_url = "{services.origin}"
open_library_covers_url = "{services.origin}"\ncache_dir = "cache"\nallow_private = true\nrate = 100"""
        services.then("/b/id/6717853-L.jpg", status(500))
        told = run.record(
            [
                call("navigate", url="/"),
                call("fetch_book_covers", query="The Hound of the Baskervilles", count=1),
                call("upload_cover_image", cover_url="{{file.cover_1}}"),
                call("submit"),
            ]
        )
        assert all(one.success for one in told), told
        (cover,) = told[1].data
        assert cover["cover_url"].startswith(f"{services.origin}/b/id/11-")
        with Recording.open(run.folder / "a.db") as recording:
            (step,) = [
                one for each in recording.runs() for one in recording.steps(each.id) if one.tool == "fetch_book_covers"
            ]
        ((failure,),) = [step.metadata["failures"]]
        assert (failure["source"], failure["type"]) == ("open_library", "unavailable")
        assert "answers 500" in failure["message"]
        asked = len(services.asked)
        assert run.replay()["verdict"] == "passed"
        assert len(services.asked) == asked, "a replay asks no public service"
    assert small_site.posts[0] == small_site.posts[1]
