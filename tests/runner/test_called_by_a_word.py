"""Things whose addresses end in a word with a number: others get others, and steps of a wizard are no things."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

pytestmark = pytest.mark.promise("what sites call things")

__all__ = ["run", "served_site", "small_site"]

NEW = """<h1>New</h1><form method=post action=/new><label>Title <input name=title></label><button>Add</button></form>"""
THING = """<h1>{title}</h1><form method=post action={path}><label>Remark <input name=remark></label>
<button>Submit changes</button></form><a href=/list>List</a><ul>{remarks}</ul>"""


@pytest.mark.parametrize("called", ["/issue", "/browse/BUG-"])
def test_a_fresh_user_makes_another_one_and_goes_on_there(run: OneRun, small_site: SmallSite, called: str) -> None:
    made: dict[str, dict[str, str]] = {}

    def show(path: str) -> None:
        remarks = "".join(f"<li>{text}" for text in made[path]["remarks"].splitlines())
        small_site.pages[path] = THING.format(title=made[path]["title"], path=path, remarks=remarks)
        small_site.pages["/list"] = "".join(f"<p><a href={one}>{one}</a>" for one in made)

    def make(fields: Mapping[str, str]) -> str:
        path = f"{called}{len(made) + 1}"
        made[path] = {"title": fields["title"], "remarks": ""}
        show(path)
        small_site.answers[path] = lambda fields: remark(path, fields)
        return path

    def remark(path: str, fields: Mapping[str, str]) -> str:
        made[path]["remarks"] += f"{fields['remark']}\n"
        show(path)
        return path

    small_site.pages["/new"], small_site.answers["/new"] = NEW, make
    told = run.record(
        [
            call("navigate", url="/new"),
            call("fill", selector="Title", value="The lamp is out"),
            call("click", selector="Add"),
            call("click", selector="List"),
            call("navigate", url=f"{called}1"),
            call("fill", selector="Remark", value="It flickers, too"),
            call("click", selector="Submit changes"),
        ]
    )
    assert all(one.success for one in told), told
    replayed = run.replay("--identity", "fresh")
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [[], []]), replayed
    kept = {"title": "The lamp is out", "remarks": "It flickers, too\n"}
    assert made == {f"{called}1": kept, f"{called}2": kept}


def test_a_step_that_the_site_does_not_go_on_from_is_red(run: OneRun, small_site: SmallSite) -> None:
    form = """<h1>Step {0}</h1><form method=post action=/step{0}><label>Name <input name=name></label>
<button>On</button></form>"""
    small_site.pages |= {"/step1": form.format(1), "/step2": form.format(2)}
    goes_to = ["/step2", "/step2", "/step1"]
    small_site.answers["/step1"] = lambda fields: goes_to.pop(0)
    told = run.record(
        [
            call("navigate", url="/step1"),
            call("fill", selector="Name", value="The lamp is out"),
            call("click", selector="On"),
        ]
    )
    assert all(one.success for one in told), told
    assert run.replay()["verdict"] == "passed"
    assert run.replay()["verdict"] == "postcondition"


ROW = """<tr><td><a href=/works/{id}>{title}</a><td>
<form method=post action="/works?ids={id}"><input type=hidden name=_method value=delete>
<button>Remove</button></form>"""


@pytest.mark.parametrize("swallows", [False, True])
def test_the_word_with_which_a_list_and_a_request_end_names_nothing_in_the_list(
    run: OneRun, small_site: SmallSite, swallows: bool
) -> None:
    titles = {"1": "Paint the bollards", "2": "Sweep the quay", "3": "Mend the crane"}

    def draw(*gone: str) -> None:
        left = [ROW.format(id=one, title=title) for one, title in titles.items() if one not in gone]
        small_site.pages["/harbour/works"] = f"<h1>Works</h1><table>{''.join(left)}</table>"

    def remove(number: str) -> Callable[[object], str]:
        def removed(fields: object) -> str:
            gone.append(number)
            draw(*([] if swallows and is_replayed else gone))
            return "/harbour/works"

        return removed

    gone: list[str] = []
    is_replayed = False
    draw()
    small_site.pages["/about"] = "<h1>About</h1>"
    small_site.answers |= {f"/works?ids={one}": remove(one) for one in titles}
    presses = [call("click", selector="tr:first-of-type button") for _ in "12"]
    visits = [call("navigate", url=url) for url in ("/harbour/works", "/about", "/harbour/works")]
    told = run.record([visits[0], *presses, *visits[1:]])
    assert all(one.success for one in told), told
    assert [kind for kind, strength, _ in run.effects() if strength == "kept"] == ["disappearance"] * 2
    is_replayed = True
    gone.clear()
    draw()
    replayed = run.replay()
    assert (replayed["verdict"] == "passed") is not swallows, replayed["drift"]
    assert [bool(one["unseen"]) for one in replayed["writes"]] == ([True] if swallows else [False, False])
