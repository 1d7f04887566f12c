"""Sites that lead from a write to a place in a page, which is called otherwise each time: ``/links#frrkxg``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

pytestmark = pytest.mark.promise("what sites call things")

__all__ = ["run", "served_site", "small_site"]

FORM = "<form method=post action=/new><label>Title <input name=title></label><button>Save</button></form>"
DOING = [
    call("navigate", url="/new"),
    call("fill", selector="Title", value="Through {{identity.city}} on foot"),
    call("click", selector="Save"),
    call("navigate", url="/links"),
]


def serve(site: SmallSite, place: str, *, there: Sequence[str]) -> None:
    """Let a site keep links, and lead to a place in their list.

    Args:
        site: that one.
        place: where in the list it leads.
        there: places that the list has by then.
    """

    def keep(fields: Mapping[str, str]) -> str:
        marks = "".join(f"<div id={one}></div>" for one in there)
        site.pages["/links"] = f"<h1>Links</h1>{marks}<p>{fields['title']}</p>"
        return f"/links#{place}"

    site.pages |= {"/new": FORM, "/links": "<h1>Links</h1>"}
    site.answers["/new"] = keep


@pytest.mark.parametrize(
    ("place", "there", "verdict"),
    [
        ("kmvfrt", ("kmvfrt",), "passed"),
        ("wzzqhd", ("wzzqhd",), "passed"),
        ("wzzqhd", ("wzzqhd", "kmvfrt"), "postcondition"),
        ("wzzqhd", (), "postcondition"),
    ],
    ids=["the same", "another name of it", "beside that one", "nowhere"],
)
def test_a_place_in_a_page_may_have_another_name(
    run: OneRun, small_site: SmallSite, place: str, there: Sequence[str], verdict: str
) -> None:
    serve(small_site, "kmvfrt", there=["kmvfrt"])
    told = run.record(DOING)
    assert all(one.success for one in told), told
    serve(small_site, place, there=there)
    replayed = run.replay()
    assert replayed["verdict"] == verdict, replayed["drift"]


LINK = "<div id={0}></div><p><a href='/links/{0}'>{1}</a></p>"


@pytest.mark.parametrize(
    ("before", "place", "verdict"),
    [(("kmvfrt",), "wzzqhd", "passed"), (("kmvfrt", "wzzqhd"), "wzzqhd", "postcondition")],
    ids=["that one stood there before", "both stood there before"],
)
def test_a_place_beside_the_recorded_one_is_another_thing_s(
    run: OneRun, small_site: SmallSite, before: Sequence[str], place: str, verdict: str
) -> None:
    def serve_list(kept: Sequence[str], made: str) -> None:
        def shown(title: str, names: Sequence[str]) -> str:
            return "<h1>Links</h1>" + "".join(LINK.format(one, title if one == made else "Older") for one in names)

        def keep(fields: Mapping[str, str]) -> str:
            small_site.pages["/links"] = shown(fields["title"], [*dict.fromkeys([*kept, made])])
            return f"/links#{made}"

        small_site.pages |= {"/new": FORM, "/links": shown("Older", kept)}
        small_site.answers["/new"] = keep

    serve_list((), "kmvfrt")
    told = run.record([call("navigate", url="/links"), *DOING])
    assert all(one.success for one in told), told
    serve_list(before, place)
    replayed = run.replay()
    assert replayed["verdict"] == verdict, replayed["drift"]


def test_a_place_to_which_no_write_led_keeps_its_name(run: OneRun, small_site: SmallSite) -> None:
    small_site.pages["/"] = "<button onclick=\"location.href = '/list#kmvfrt'\">Open</button>"
    small_site.pages["/list"] = "<h1>List</h1><h2 id=kmvfrt>One</h2>"
    told = run.record([call("navigate", url="/"), call("click", selector="Open")])
    assert all(one.success for one in told), told
    small_site.pages["/"] = "<button onclick=\"location.href = '/list#wzzqhd'\">Open</button>"
    small_site.pages["/list"] = "<h1>List</h1><h2 id=wzzqhd>One</h2>"
    assert run.replay()["verdict"] == "postcondition"
