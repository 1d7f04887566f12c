"""A list that was put in is shown as links of their own: where another text stands in their place, it is not kept."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

pytestmark = pytest.mark.promise("where what was sent is seen")

__all__ = ["run", "served_site", "small_site"]

TITLE, AUTHORS, TAGS = "Middlemarch, a study of Leeds", "George Eliot", "Provincial, Petrov"
EDIT = """<form method=post action=/books/2/edit enctype="multipart/form-data">
<label>Title <input name=title value="{title}"></label><label>Authors <input name=authors value="{authors}"></label>
<label>Tags <input name=tags value="{tags}"></label><label>Series <input name=series value="{series}"></label>
<label>Cover <input type=file name=cover></label><button>Save</button></form>"""


def page(book: Mapping[str, str]) -> str:
    """Draw the page of a book: each list where it is not empty, and no part says what it is."""
    chips = "\n".join(
        f'<a class="btn" role=button href="/category/{n}">{one.strip()}</a>'
        for n, one in enumerate(sorted(book["tags"].split(",")))
        if one.strip()
    )
    series = f'<p>Book 1 of <a href="/series/1">{book["series"]}</a></p>' if book["series"] else ""
    tags = f"<div class=tags><p><span class=icon></span>\n{chips}</p></div>" if chips else ""
    author = f'<p class=author><a href="/author/1">{book["authors"]}</a></p>'
    return f"<h2 id=title>{book['title']}</h2>{author}{series}{tags}<a href=/books/2/edit>Edit</a>"


@pytest.mark.parametrize("swapped", [(), ("authors", "tags"), ("tags", "series"), ("title", "authors")], ids="-".join)
def test_a_list_in_whose_place_another_text_stands_is_not_kept(
    run: OneRun, small_site: SmallSite, swapped: tuple[str, str] | tuple[()]
) -> None:
    lying = list[str]()

    def show(book: Mapping[str, str]) -> None:
        small_site.pages["/books/2"] = page(book)
        small_site.pages["/books/2/edit"] = EDIT.format(**book)

    def keep(fields: Mapping[str, str]) -> str:
        book = {name: fields.get(name, "") for name in ("title", "authors", "tags", "series")}
        if lying:
            one, other = lying
            book[one], book[other] = book[other], book[one]
        show(book)
        # The form is gone for good: nothing else tells.
        del small_site.pages["/books/2/edit"]
        return "/books/2"

    small_site.answers["/books/2/edit"] = keep
    begin = {"title": "Middlemarch", "authors": AUTHORS, "tags": "", "series": ""}
    show(begin)
    told = run.record(
        [
            call("navigate", url="/books/2"),
            call("click", selector="Edit"),
            call("fill", selector="Title", value=TITLE),
            call("fill", selector="Tags", value=TAGS),
            call("click", selector="Save"),
        ]
    )
    assert all(one.success for one in told), told
    lying += swapped
    show(begin)
    replayed = run.replay()
    assert replayed["verdict"] == ("postcondition" if swapped else "passed"), (replayed["verdict"], replayed["writes"])
