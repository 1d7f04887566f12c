"""What is pressed away in a long list, where one user has made several things: each is known by what is its own."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

pytestmark = pytest.mark.promise("what is pressed alone")

__all__ = ["run", "served_site", "small_site"]

NOTE = """<li id=note-{number} data-by={code}><b>{by}</b><p>{text}</p>
<form method=post action=/notes/{number}/delete><button aria-label="Delete {text}">Delete</button></form></li>"""
PEOPLE = ["ada", "bob", "cas", "dan", "eve", "fay", "gus", "hal", "ivo", "jan", "kim", "lea", "max", "ned"]


def test_what_others_of_the_same_user_say_too_is_not_what_was_deleted(run: OneRun, small_site: SmallSite) -> None:
    """The user's first thing stands far before the second one, and all that both say is who made them."""
    by = {48_201 + place: f"The {name} of the wall" for place, name in enumerate(PEOPLE)}
    first, second = 48_207, 48_214
    by[second] = by[first]
    there = dict(by)
    swallows = list[bool]()

    def note(number: int, name: str) -> str:
        code = f"{name.split()[1]}-480991"
        return NOTE.format(number=number, by=name, code=code, text=f"Something {PEOPLE[number - 48_201]} has lost")

    def show() -> None:
        notes = (note(one, name) for one, name in there.items())
        small_site.pages["/"] = f"<h1>Notes</h1><ul>{''.join(notes)}</ul>"

    def delete(fields: Mapping[str, str]) -> str:
        if not swallows:
            del there[second]
        show()
        return "/"

    small_site.answers[f"/notes/{second}/delete"] = delete
    show()
    told = run.record([call("navigate", url="/"), call("click", selector=f"#note-{second} button")])
    assert all(one.success for one in told), told
    assert ("disappearance", "kept", True) in run.effects()
    for lie, verdict, unseen in (([], "passed", 0), ([True], "postcondition", 1)):
        there.update(by)
        show()
        swallows[:] = lie
        replayed = run.replay()
        told_of = [len(one["unseen"]) for one in replayed["writes"]]
        assert (replayed["verdict"], told_of) == (verdict, [unseen]), (lie, replayed["drift"])
