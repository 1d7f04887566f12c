"""A form that was not sent, or that came back, is not told as done; what was not asked for is not filled."""

from __future__ import annotations

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite

pytestmark = pytest.mark.promise("what a site refuses")

__all__ = ["run"]

REGISTER = """<h1>Join</h1><form method=post action=/register aria-label=Join>
<label>Your name <input name=user autocomplete=username required {user}></label>
<label>Password <input name=password type=password autocomplete=new-password></label>
<button>Create account</button></form>"""
ADDRESS = """<h1>Where to</h1><form method=post action=/sent aria-label=Address>
<label>Address line 1 <input name=one {one}></label><label>Address line 2 <input name=two {two}></label>
<label>Address line 3 <input name=three></label><label>Town <input name=town></label>
<label>E-mail <input name=email type=email required></label>
<label>Confirm e-mail <input name=email2 type=email required></label>
<button>Save</button></form>"""
NOTE = """<h1>Note</h1><form method=post action=/sent><label>Note <input name=note {note}></label>
<label>Number <input name=number type=number max=9></label><button>Keep</button></form>"""


@pytest.fixture(autouse=True)
def pages(small_site: SmallSite) -> None:
    small_site.pages["/"] = "<h1>Home</h1><a href=/register>Register</a>"
    small_site.answers["/register"] = lambda fields: "/thanks"


@pytest.mark.table
def test_a_username_that_is_an_email_address_is_one(run: OneRun, small_site: SmallSite) -> None:
    small_site.pages["/register"] = REGISTER.format(user="type=email")
    told = run.record([call("navigate", url="/"), call("register")])
    assert told[1].success, told
    ((_, sent),) = small_site.posts
    assert "@" in sent["user"]


@pytest.mark.parametrize("way", ["held back", "came back"])
def test_registering_is_not_done_where_nothing_was_sent_or_the_form_came_back(
    run: OneRun, small_site: SmallSite, way: str
) -> None:
    small_site.pages["/register"] = REGISTER.format(user="pattern=[A-Z]{3} title='Three capitals'")
    if way == "came back":
        small_site.pages["/register"] = REGISTER.format(user="")
        again = "<p>That name is taken.</p>" + REGISTER
        small_site.answers["/register"] = lambda fields: (200, again.format(user=f"value={fields['user']}"))
    told = run.record([call("navigate", url="/"), call("register")])
    assert not told[1].success
    assert told[1].text.startswith("rejected: ")
    if way == "came back":
        assert "came back" in told[1].text
    else:
        assert "Your name: Please match the requested format" in told[1].text
        assert small_site.posts == []


@pytest.mark.table
def test_what_was_not_asked_for_is_left_and_nothing_is_copied(run: OneRun, small_site: SmallSite) -> None:
    small_site.pages["/where"] = ADDRESS.format(one="autocomplete=address-line1", two="autocomplete=address-line2")
    values = {"Address line 1": "1 High Street", "E-mail": "me@example.org"}
    told = run.record([call("navigate", url="/where"), call("fill_form", values=values, submit=True)])
    assert told[1].success, told
    ((_, sent),) = small_site.posts
    assert sent == {
        "one": "1 High Street", "two": "", "three": "", "town": "",
        "email": "me@example.org", "email2": "me@example.org",
    }  # fmt: skip


@pytest.mark.slow
def test_of_an_address_that_nobody_gave_one_line_has_the_street(run: OneRun, small_site: SmallSite) -> None:
    small_site.pages["/where"] = ADDRESS.format(one="", two="required")
    told = run.record([call("navigate", url="/where"), call("fill_form")])
    assert told[1].data["missing"] == ["Address line 2"]
    filled = {one["field"]: one["put"] for one in told[1].data["fields"]}
    assert filled["Address line 1"]
    assert "Address line 2" not in filled


def test_what_the_browser_holds_back_is_told_and_no_field_is_lost(run: OneRun, small_site: SmallSite) -> None:
    """The fields of the first call are still filled when the second one is corrected: a replay fills them, too."""
    small_site.pages["/note"] = NOTE.format(note="")
    told = run.record(
        [
            call("navigate", url="/note"),
            call("fill_form", values={"Note": "Hello", "Number": "12"}, submit=True),
            call("fill_form", values={"Number": "2"}),
            call("submit"),
        ]
    )
    assert [one.success for one in told] == [True, False, True, True], told
    assert "Number: Value must be less than or equal to 9" in told[1].text
    assert small_site.posts == [("/sent", {"note": "Hello", "number": "2"})]
    assert run.replay()["verdict"] == "passed"
    assert small_site.posts[1] == small_site.posts[0]


@pytest.mark.table
def test_a_form_that_came_back_as_it_was_is_not_told_as_taken(run: OneRun, small_site: SmallSite) -> None:
    small_site.pages["/note"] = NOTE.format(note="")
    small_site.answers["/sent"] = lambda fields: (200, "<p>Not now.</p>" + NOTE.format(note=f"value={fields['note']}"))
    told = run.record([call("navigate", url="/note"), call("fill_form", values={"Note": "Hello"}, submit=True)])
    assert not told[1].success
    assert "came back as it was filled" in told[1].text


@pytest.mark.table
def test_a_form_that_is_shown_again_by_a_site_that_took_it_was_taken(run: OneRun, small_site: SmallSite) -> None:
    small_site.pages["/note"] = NOTE.format(note="value=Hello")
    small_site.answers["/sent"] = lambda fields: "/note"
    told = run.record([call("navigate", url="/note"), call("fill_form", values={"Note": "Hello"}, submit=True)])
    assert told[1].success, told
    assert run.replay()["verdict"] == "passed"
