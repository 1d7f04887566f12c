"""What pages refuse, in the structures of the usual frameworks; and what is no refusal."""

from __future__ import annotations

import pytest

from simulator.browser.action_recorder import PageState
from simulator.browser.find import Find
from simulator.browser.views.refusals import said_above
from tests.browser.conftest import Answer, SmallSite, Stage
from tests.browser.refusing import REFUSING, TAKING, form

pytestmark = pytest.mark.asyncio(loop_scope="session")

TITLE = "<form method=post action=/save><label>Title <input name=title required></label> <button>Save</button></form>"
SENDS = """<form method=post action=/save onsubmit="event.preventDefault(); {send}">
<label>Title <input name=title></label> <label>Price <input name=price></label> <button>Save</button></form>"""
FETCH = "fetch('/api', {method: 'POST'})"
XHR = "const x = new XMLHttpRequest(); x.open('POST', '/api'); x.send()"


def told(page: PageState) -> list[tuple[str, str, str]]:
    return [(one.field, one.words, one.kind) for one in page.refusals]


@pytest.mark.breadth(4)
@pytest.mark.parametrize("framework", REFUSING)
async def test_a_framework_s_refusals_name_fields_and_words(stage: Stage, site: SmallSite, framework: str) -> None:
    await stage.show(site, REFUSING[framework].page)
    assert told(stage.actor.here) == list(REFUSING[framework].told)
    assert stage.actor.here.alerts == tuple(words for _, words, _ in REFUSING[framework].told)


@pytest.mark.breadth(3)
@pytest.mark.parametrize("framework", TAKING)
async def test_what_went_well_is_no_refusal(stage: Stage, site: SmallSite, framework: str) -> None:
    await stage.show(site, TAKING[framework])
    assert told(stage.actor.here) == []
    assert stage.actor.here.alerts == ()


async def test_a_form_that_the_browser_held_back_says_why(stage: Stage, site: SmallSite) -> None:
    await stage.show(site, TITLE)
    assert told(stage.actor.here) == [], "nobody has sent it yet"
    report = await stage.actor.click(Find("role", "button", "Save"))
    assert told(report.page) == [("Title", "Please fill out this field.", "missing")]
    assert [one.how for one in report.page.refusals] == ["browser"]
    report = await stage.actor.fill(Find("label", "Title"), "Emma")
    assert told(await stage.actor.view.look()) == [], "it can be sent now"


async def test_a_tree_that_tells_when_it_unfolds_refuses_nothing(stage: Stage, site: SmallSite) -> None:
    tree = "<ul><li aria-live=assertive><a href=/walks>Walks</a></li><li aria-live=assertive>{}</li></ul>"
    await stage.show(site, tree.format("<a href=/hills>Hills</a> <a href=/woods>Woods</a>"))
    assert told(stage.actor.here) == []
    await stage.show(site, tree.format('No page "Woods": <a href=/new>make one</a>'))
    assert told(stage.actor.here) == [("", 'No page "Woods": make one', "other")]


async def test_a_list_that_tells_of_its_options_refuses_nothing(stage: Stage, site: SmallSite) -> None:
    page = """<form><div><label>Tag <input role=combobox aria-owns=options {marked}></label>
      <ul id=options role=listbox hidden></ul>
      <span id=region role=status aria-live=assertive>Type 1 or more letters.</span></div></form>{beside}"""
    await stage.show(site, page.format(marked="", beside=""))
    assert told(stage.actor.here) == []
    await stage.show(site, page.format(marked="aria-invalid=true aria-describedby=region", beside=""))
    assert [field for field, _, _ in told(stage.actor.here)] == ["Tag"], "the field says that it is of its error"
    toast = "<div role=status aria-live=assertive>Something went wrong.</div>"
    await stage.show(site, page.format(marked="", beside=toast))
    assert [words for _, words, _ in told(stage.actor.here)] == ["Something went wrong."]


@pytest.mark.parametrize(("says", "refused"), [("June 2027", []), ("June 2027 is past", ["June 2027 is past"])])
async def test_a_calendar_that_says_which_month_it_shows_refuses_nothing(
    stage: Stage, site: SmallSite, says: str, refused: list[str]
) -> None:
    calendar = "<div role=dialog aria-label='Choose a date'><span role=alert>{}</span><h2 hidden>June 2027</h2>"
    await stage.show(site, f"<form><label>Day <input></label>{calendar.format(says)}<button>24</button></div></form>")
    assert [words for _, words, _ in told(stage.actor.here)] == refused


async def test_a_script_that_asks_whether_a_form_is_valid_refuses_nothing(stage: Stage, site: SmallSite) -> None:
    await stage.show(site, TITLE + "<script>document.forms[0].checkValidity()</script>")
    assert told(stage.actor.here) == []


@pytest.mark.breadth(4)
@pytest.mark.parametrize("send", [FETCH, XHR])
@pytest.mark.parametrize(
    ("status", "answer", "refusals"),
    [
        (422, '{"message": "The data was invalid.", "errors": {"title": ["The title has already been taken."]}}',
         [("Title", "The title has already been taken.", "taken")]),
        (422, '{"title": ["is too short"], "price": ["must be a number"]}',
         [("Title", "is too short", "invalid"), ("Price", "must be a number", "invalid")]),
        (400, '{"non_field_errors": ["Not now."]}', [("", "Not now.", "invalid")]),
        (200, '{"data": null, "errors": [{"message": "Not on sale", "extensions": {"field": "price"}}]}',
         [("Price", "Not on sale", "invalid")]),
        (200, '{"error": {"code": "protectedpage", "info": "This page is protected."}}',
         [("", "This page is protected.", "other")]),
        (429, '{"detail": "Request was throttled."}', [("", "Request was throttled.", "rate_limit")]),
        (403, '{"code": "rest_forbidden", "message": "Sorry."}', [("", "Sorry.", "forbidden")]),
        (400, '{"errors": [{"detail": "is odd", "source": {"pointer": "/data/attributes/price"}}]}',
         [("Price", "is odd", "invalid")]),
        (200, '{"data": {"id": 7, "title": "Emma"}, "errors": [], "error": null}', []),
        (200, '{"message": "Saved", "errors": {}}', []),
        (200, '["errors"]', []),
        (400, "no JSON at all", []),
    ],
)  # fmt: skip
async def test_an_answer_in_json_says_what_it_refuses(
    stage: Stage, site: SmallSite, send: str, status: int, answer: str, refusals: list[tuple[str, str, str]]
) -> None:
    site.routes["/api"] = Answer(answer, status, "application/json")
    await stage.show(site, SENDS.format(send=send))
    report = await stage.actor.click(Find("role", "button", "Save"))
    assert told(report.page) == refusals
    assert report.page.requests == (("POST", "/api", status),)


async def test_a_page_that_reads_its_answer_reads_all_of_it(stage: Stage, site: SmallSite) -> None:
    site.routes["/api"] = Answer('{"errors": {"title": ["is odd"]}}', 422, "application/problem+json")
    await stage.show(site, SENDS.format(send=FETCH + ".then((a) => a.json()).then((a) => saw(a.errors.title[0]))"))
    report = await stage.actor.click(Find("role", "button", "Save"))
    assert told(report.page) == [("Title", "is odd", "invalid")]
    assert await stage.seen() == ["is odd"]


async def test_a_form_that_comes_back_tells_by_what_is_new_above_it(stage: Stage, site: SmallSite) -> None:
    page = form(
        "<p>All fields are read.</p>", "<div><label>Name <input name=name value='{}'></label></div>", above="{}"
    )
    site.page("/join", page.format("<p>That name is taken.</p>", "anna"))
    await stage.show(site, page.format("<p>Welcome.</p>", ""))
    before = await stage.actor.answers.form_texts()
    report = await stage.actor.click(Find("role", "button", "Join"))
    assert told(report.page) == []
    after = await stage.actor.answers.form_texts()
    above = said_above(before, after, "post /join")
    assert [(one.words, one.kind, one.how) for one in above] == [("That name is taken.", "taken", "form")]
    assert said_above(before, before, "post /join") == ()
    assert said_above((), after, "post /join") == (), "another form, of which nothing is known"


async def test_refusals_in_a_frame_and_in_a_shadow_root_are_read(stage: Stage, site: SmallSite) -> None:
    site.page("/inner", TITLE)
    await stage.show(site, "<iframe src=/inner></iframe>")
    report = await stage.actor.click(Find("role", "button", "Save"))
    assert told(report.page) == [("Title", "Please fill out this field.", "missing")]
    body = "<p class=alert-danger>Too dear</p>"
    await stage.show(site, f"<div id=h></div><script>h.attachShadow({{mode: 'open'}}).innerHTML = '{body}'</script>")
    assert told(stage.actor.here) == [("", "Too dear", "other")]
