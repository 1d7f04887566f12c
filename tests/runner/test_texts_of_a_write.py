"""Several texts of one write: where one of them stands, none of the others is shown by that."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from benchmarks.sites.recorded import recorded_writes
from simulator.recording.reader import Recording
from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

pytestmark = pytest.mark.promise("where what was sent is seen")

__all__ = ["run", "served_site", "small_site"]

FORM = """<form method=post action=/new enctype="multipart/form-data"><label>Title <input name=title></label>
<label>Maker <input name=maker></label><label>Details <textarea name=details></textarea></label>
<label>Picture <input type=file name=picture></label><button>Save</button></form>"""
PAGE = "<h1>{title}</h1><p class=by>{maker}</p><h2>Details</h2><p class=more>{details}</p>"
TITLE, MAKER = "The spade behind the mill", "Joinery of Hebden Bridge"
DETAILS = f"{TITLE} was made by hand. Its ash handle is new."


def record(run: OneRun, site: SmallSite, lying: dict[str, str], page: str = PAGE) -> None:
    site.pages["/new"] = FORM

    def keep(fields: Mapping[str, str]) -> str:
        kept = {name: fields.get(name, "") for name in ("title", "maker", "details")}
        wrong = {name: kept.get(other, other) for name, other in lying.items()}
        site.pages["/things/48213"] = page.format(**kept | wrong)
        return "/things/48213"

    site.answers["/new"] = keep
    told = run.record(
        [
            call("navigate", url="/new"),
            call("fill", selector="Title", value=TITLE),
            call("fill", selector="Maker", value=MAKER),
            call("fill", selector="Details", value=DETAILS),
            call("click", selector="Save"),
        ]
    )
    assert all(one.success for one in told), told
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [[]]), replayed


def test_what_judges_lies_knows_the_fields_of_a_form_whose_body_nobody_tells(
    run: OneRun, small_site: SmallSite
) -> None:
    run.recording = ("--exchanges", "all")
    record(run, small_site, {})
    with Recording.open(run.folder / "a.db") as recording:
        (one,) = recording.runs()
        effects = recording.effects(one.id)
        (write,) = recorded_writes(
            recording.exchanges(one.id),
            recording.blobs.read,
            recording.writes(one.id),
            effects,
            recording.actions(one.id),
        )
    assert (write.fields, write.files) == (("title", "maker", "details"), ("picture",))
    assert write.kept == {"title", "maker", "details"}


@pytest.mark.parametrize(
    ("lie", "unseen"),
    [
        # What begins with the title is not shown by the title.
        ({"details": ""}, "Details"),
        ({"details": "The spade behind the mill was made by machine."}, "Details"),
        # Neither is the title by what names it.
        ({"title": ""}, "Title"),
        ({"title": "A rake"}, "Title"),
        # Nothing says which of the two is which.
        ({"title": "maker", "maker": "title"}, "Title"),
        # What was shown as a whole is cut.
        ({"details": "The spade behind the mill was made by"}, "Details"),
        ({"details": "The spade behind the mill was made by hand…"}, "Details"),
    ],
    ids=["dropped", "altered", "title dropped", "title altered", "swapped", "cut", "cut and marked"],
)
def test_where_one_text_of_a_write_stands_no_other_one_is_shown(
    run: OneRun, small_site: SmallSite, lie: dict[str, str], unseen: str
) -> None:
    lying = dict[str, str]()
    record(run, small_site, lying)
    lying.update(lie)
    replayed = run.replay()
    assert replayed["verdict"] == "postcondition", (replayed["verdict"], replayed["writes"])
    assert any(unseen in name for one in replayed["writes"] for name in one["unseen"]), replayed["writes"]


def test_what_the_form_had_filled_stands_in_the_place_of_nothing_that_was_put_in(
    run: OneRun, small_site: SmallSite
) -> None:
    path, lying = "/things/48213", list[bool]()
    form = """<form method=post action=/things/48213/edit><label>Title <input name=title value="{title}"></label>
<label>Maker <input name=maker value="{maker}"></label><button>Save</button></form>"""

    def show(title: str, maker: str) -> None:
        small_site.pages[path] = f"<h1>{title}</h1><p class=by>{maker}</p><a href=/things/48213/edit>Edit</a>"
        small_site.pages[f"{path}/edit"] = form.format(title=title, maker=maker)

    def keep(fields: Mapping[str, str]) -> str:
        title, maker = fields["title"], fields["maker"]
        show(*((maker, title) if lying else (title, maker)))
        # The form is gone for good: nothing else tells.
        del small_site.pages[f"{path}/edit"]
        return path

    small_site.answers[f"{path}/edit"] = keep
    show("A spade", MAKER)
    told = run.record(
        [
            call("navigate", url=f"{path}/edit"),
            call("fill", selector="Title", value=TITLE),
            call("click", selector="Save"),
        ]
    )
    assert all(one.success for one in told), told
    for lie, verdict, unseen in ((False, "passed", []), (True, "postcondition", ["Title"])):
        lying[:] = [True] * lie
        show("A spade", MAKER)
        replayed = run.replay()
        assert replayed["verdict"] == verdict, (lie, replayed["verdict"], replayed["writes"])
        assert [name for one in replayed["writes"] for name in one["unseen"] if name == "Title"] == unseen, replayed


def test_what_stood_there_before_is_no_beginning_of_what_was_put_in(run: OneRun, small_site: SmallSite) -> None:
    """The remark on a thing begins with its name, by which its page is headed."""
    page = """<h1>The spade behind the mill</h1>{}<form method=post action=/things/48213/remarks>
<label>Remark <input name=remark></label><button>Send</button></form>"""
    small_site.pages["/things/48213"] = page.format("")

    def lose(fields: Mapping[str, str]) -> str:
        small_site.pages["/things/48213"] = page.format("<p>1 remark</p>")
        return "/things/48213"

    small_site.answers["/things/48213/remarks"] = lose
    told = run.record(
        [
            call("navigate", url="/things/48213"),
            call("fill", selector="Remark", value="The spade behind the mill is a good one."),
            call("click", selector="Send"),
        ]
    )
    assert all(one.success for one in told), told
    small_site.pages["/things/48213"] = page.format("")
    replayed = run.replay()
    assert (replayed["verdict"], [len(one["unseen"]) for one in replayed["writes"]]) == ("passed", [1]), replayed


@pytest.mark.parametrize(
    "page", [PAGE, "<article><a href=/things/48213>{title}</a><div class=more>{details}</div></article>"]
)
def test_a_text_that_stands_in_the_place_of_an_empty_field_is_not_that_of_its_own(
    run: OneRun, small_site: SmallSite, page: str
) -> None:
    lying = dict[str, str]()
    small_site.pages["/new"] = FORM

    def keep(fields: Mapping[str, str]) -> str:
        kept = {name: fields.get(name, "") for name in ("title", "maker", "details")}
        wrong = {name: kept.get(other, other) for name, other in lying.items()}
        small_site.pages["/things/48213"] = page.format(**kept | wrong)
        return "/things/48213"

    small_site.answers["/new"] = keep
    told = run.record(
        [
            call("navigate", url="/new"),
            call("fill", selector="Title", value=TITLE),
            call("fill", selector="Maker", value=MAKER),
            call("click", selector="Save"),
            call("navigate", url="/thanks"),
            call("navigate", url="/things/48213"),
        ]
    )
    assert all(one.success for one in told), told
    lying |= {"title": "Untitled", "details": "title"}
    replayed = run.replay()
    assert "Title" in replayed["writes"][0]["unseen"], replayed
