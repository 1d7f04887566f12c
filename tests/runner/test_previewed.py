"""A form that is given back filled, to be looked at first: what its last button sends is what has to be kept."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

__all__ = ["run", "served_site", "small_site"]
pytestmark = pytest.mark.promise("success that did not happen", quick=2)

FORM = """<h1>Write about hills</h1>{shown}<form method=post action=/hills>
<label>Text <textarea name=text>{text}</textarea></label> <label>Author <input name=author value="{author}"></label>
<fieldset><legend>Ready?</legend><button name=preview value=1>Preview</button>
<button name=save value=1>Save</button></fieldset></form>"""
PAGE = "<h1>Hills</h1><p>{text}<dl><dt>Author<dd>{author}</dl><p><a href=/hills/write>Write</a>"
EMPTY = FORM.format(shown="", text="", author="")
NOTHING = "<h1>Hills</h1><p>There is no such page yet.<p><a href=/hills/write>Write</a>"


def _serve(site: SmallSite, *, keeps: bool = True, instead: Mapping[str, str] | None = None) -> None:
    """Give the form back where a preview was asked for, and keep what is saved, or something else."""

    def take(fields: Mapping[str, str]) -> str | tuple[int, str]:
        said = {name: escape(text) for name, text in fields.items()}
        if "preview" in fields:
            return 200, FORM.format(shown=f"<h2>Preview</h2><p>{said['text']}", **said)
        if keeps:
            site.pages["/hills"] = PAGE.format(**{**said, **(instead or {})})
        return "/hills"

    site.pages["/hills/write"] = EMPTY
    site.pages.pop("/hills", None)
    site.answers["/hills"] = take


def _record(run: OneRun, *between: tuple[str, str]) -> None:
    told = run.record(
        [
            call("navigate", url="/hills"),
            call("navigate", url="/hills/write"),
            call("fill", selector="Text", value="They are steep and green."),
            call("fill", selector="Author", value="Rambling Wren"),
            call("click", selector='role=button[name="Preview"]'),
            *(call("fill", selector=field, value=value) for field, value in between),
            call("click", selector='role=button[name="Save"]'),
            call("navigate", url="/hills"),
        ]
    )
    assert all(one.success for one in told), told


@pytest.mark.parametrize("between", [(), (("Text", "They are very steep and rather green."),)], ids=["as is", "mended"])
def test_what_a_preview_showed_is_proven_of_what_was_saved(
    run: OneRun, small_site: SmallSite, between: tuple[tuple[str, str], ...]
) -> None:
    _serve(small_site)
    _record(run, *between)
    _serve(small_site)
    again = run.replay()
    assert again["verdict"] == "passed"
    # One write: the preview is what the form was asked on the way to it.
    assert [(one["inputs"], one["unseen"]) for one in again["writes"]] == [(2, [])]
    for instead in {"text": "They are flat."}, {"author": "Somebody Else"}:
        _serve(small_site, instead=instead)
        again = run.replay()
        assert again["verdict"] == "postcondition", again
        assert again["writes"]
        assert all(one["unseen"] for one in again["writes"]), again


def test_what_was_saved_after_a_preview_is_not_proven_where_nothing_was_kept(
    run: OneRun, small_site: SmallSite
) -> None:
    _serve(small_site)
    _record(run)
    _serve(small_site, keeps=False)
    again = run.replay()
    assert again["verdict"] != "passed"
    assert again["writes"]
    assert all(one["unseen"] for one in again["writes"]), again


def test_a_button_of_a_preview_is_gone_from_no_address(run: OneRun, small_site: SmallSite) -> None:
    """What answers a form stands at no address: that a visit there shows another page is no removal."""
    small_site.pages |= {"/ask": "<h1>Ask</h1><form method=post action=/hills><button>Go on</button></form>"}
    small_site.pages |= {"/hills": NOTHING}
    page = """<h1>Sure?</h1><section><h2>Old mill</h2><form method=post action=/hills><button name=sure value=1>Do it
        </button></form></section>"""
    small_site.answers["/hills"] = lambda fields: "/hills" if "sure" in fields else (200, page)
    presses = (call("click", selector=name) for name in ("Go on", "Do it"))
    run.record([call("navigate", url="/ask"), *presses, call("navigate", url="/hills")])
    assert not [kind for kind, strength, _ in run.effects() if (kind, strength) == ("disappearance", "kept")]


def test_two_remarks_by_one_button_are_two_writes(run: OneRun, small_site: SmallSite) -> None:
    """A form that is left filled is sent again with another remark: the first one was a write, too."""
    page = """<h1>Mill</h1><ul>{said}</ul><form method=post action=/mill><label>Remark
        <input name=remark value="{left}"></label><button>Say</button></form>"""
    remarks: list[str] = []

    def say(fields: Mapping[str, str]) -> tuple[int, str]:
        remarks.append(fields["remark"])
        small_site.pages["/mill"] = page.format(said="".join(f"<li>{one}" for one in remarks), left="")
        return 200, page.format(said="".join(f"<li>{one}" for one in remarks), left=fields["remark"])

    small_site.pages["/mill"] = page.format(said="", left="")
    small_site.answers["/mill"] = say
    turns = [call("navigate", url="/mill")]
    for text in "The wheel is broken again.", "Somebody has mended the wheel.":
        turns += [call("fill", selector="Remark", value=text), call("click", selector="Say")]
    run.record([*turns, call("navigate", url="/mill")])
    remarks.clear()
    small_site.pages["/mill"] = page.format(said="", left="")
    again = run.replay()
    assert (again["verdict"], [one["inputs"] for one in again["writes"]]) == ("passed", [1, 1]), again
