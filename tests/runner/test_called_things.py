"""Things as sites call them: by what the user put in, or by a word and a number."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

pytestmark = pytest.mark.promise("what sites call things")

__all__ = ["run", "served_site", "small_site"]

DOING = [
    call("navigate", url="/notes"),
    call("fill", selector="Note", value="A mistake of {{identity.last_name}}"),
    call("click", selector="Keep"),
    call("click", selector="li:last-of-type button"),
]


def test_what_another_user_took_back_is_called_by_that_users_own_words(run: OneRun, small_site: SmallSite) -> None:
    notes = {31: "A clock", 32: "A lamp"}

    def show() -> str:
        rows = "".join(
            f"<li><b>{text}</b> <form method=post action=/notes/{at}/drop><button>Drop</button></form>"
            for at, text in notes.items()
        )
        form = "<form method=post action=/notes><label>Note <input name=note></label><button>Keep</button></form>"
        small_site.pages["/notes"] = f"{form}<ul>{rows}</ul>"
        return "/notes"

    def keep(fields: Mapping[str, str]) -> str:
        number = 33 + len(small_site.posts)
        notes[number] = fields["note"]
        small_site.answers[f"/notes/{number}/drop"] = lambda _: (notes.pop(number), show())[1]
        return show()

    small_site.answers["/notes"] = keep
    show()
    told = run.record(DOING)
    assert all(one.success for one in told), told
    assert len(notes) == 2
    code, out, said = run.sim("prove", "last", "--db", "a.db", "--yes", "--json")
    assert code == 0, (out, said)
    assert [one["why_not"] for one in json.loads(out)["runs"]] == [""]


@pytest.mark.parametrize("swallows", [False, True])
def test_what_a_button_that_asks_back_should_have_deleted_is_still_listed(
    run: OneRun, small_site: SmallSite, swallows: bool
) -> None:
    asks = """<script>for (const button of document.querySelectorAll("li button")) button.onclick = (event) => {
    if (button.textContent !== "Sure?") { event.preventDefault(); button.textContent = "Sure?"; } }</script>"""
    notes = {31: "A clock", 32: "A lamp", 33: "A mistake"}

    def show() -> str:
        rows = "".join(
            f"<li><b>{text}</b> <form method=post action=/notes/{at}/drop><button>Drop</button></form>"
            for at, text in notes.items()
        )
        small_site.pages["/notes"] = f"<ul>{rows}</ul>{asks}"
        return "/notes"

    lies = False

    def drop(_: Mapping[str, str]) -> str:
        if not lies:
            notes.pop(33)
        return show()

    small_site.answers["/notes/33/drop"] = drop
    show()
    presses = [call("click", selector="li:last-of-type button") for _ in range(2)]
    told = run.record([call("navigate", url="/notes"), *presses])
    assert all(one.success for one in told), told
    notes[33], lies = "A mistake", swallows
    show()
    replayed = run.replay()
    assert replayed["verdict"] == ("postcondition" if swallows else "passed"), replayed
    assert [one["unseen"] for one in replayed["writes"]] == [["button 'Sure?'"] if swallows else []]
    if swallows:
        assert "still listed" in replayed["drift"]["found"]


ISSUE = """<form method=post action={path}><label>Title <input name=title value="{title}"></label>
<label>Priority <select name=priority><option>low<option {high}>high</select></label><button>Save</button></form>
<form method=post action={path}><label>Remark <input name=remark></label><button>Add</button></form>
<pre>{remark}</pre>"""


@pytest.mark.parametrize(
    ("lies", "told"),
    [
        ({}, ""),
        ({"priority": "low"}, "low"),
        ({"remark": "It rattles on another floor"}, "without it"),
    ],
)
def test_the_page_of_a_thing_that_is_called_by_a_word_and_a_number_shows_what_it_holds(
    run: OneRun, small_site: SmallSite, lies: Mapping[str, str], told: str
) -> None:
    kept: dict[str, str] = {}
    lying: dict[str, str] = {}

    def keep(fields: Mapping[str, str]) -> str:
        kept.update({**fields, **{name: text for name, text in lying.items() if name in fields}})
        high = "selected" if kept["priority"] == "high" else ""
        small_site.pages["/issue1"] = ISSUE.format(**{"remark": "", **kept, "high": high, "path": "/issue1"})
        return "/issue1"

    small_site.answers |= {"/issue": keep, "/issue1": keep}
    small_site.pages |= {"/issue": ISSUE.format(path="/issue", title="", high="", remark=""), "/": "<h1>Desk</h1>"}
    doing = [
        call("navigate", url="/issue"),
        call("fill", selector="Title", value="The lift is stuck"),
        call("select", selector="Priority", label="high"),
        call("click", selector="Save"),
        call("fill", selector="Remark", value="It rattles on the third floor"),
        call("click", selector="Add"),
        call("navigate", url="/"),
    ]
    assert all(one.success for one in run.record(doing))
    del small_site.pages["/issue1"]
    kept.clear()
    lying.update(lies)
    replayed = run.replay()
    assert (replayed["verdict"] == "passed") is not bool(lies), replayed
    assert (replayed["drift"]["found"] if told else "").count(told), replayed
    proven = [not one["unseen"] for one in replayed["writes"]]
    assert proven == [True] * 2 if not lies else not all(proven), replayed["writes"]


def test_an_answer_that_repeats_what_was_sent_again_proves_no_earlier_write(run: OneRun, small_site: SmallSite) -> None:
    words: set[str] = set()
    form = "<form method=post action={0}><label>{1} <input name=word></label><button>Keep</button></form>"
    small_site.pages |= {
        "/words": form.format("/words", "New"),
        "/notes": form.format("/notes", "Word"),
        "/": "Desk",
        "/stats": "",
    }

    def take(fields: Mapping[str, str]) -> tuple[int, str] | str:
        known = fields["word"] in words
        # A page that asks for more than its HTML says: that the words are gone when it is loaded again tells nothing.
        again = f"{small_site.pages['/notes']}<script>fetch('/stats')</script>"
        return "/" if known else (200, f"<p>There is no '{fields['word']}'.</p>{again}")

    swallows = False

    def keep(fields: Mapping[str, str]) -> str:
        words.update([] if swallows else [fields["word"]])
        return "/"

    small_site.answers |= {"/words": keep, "/notes": take}
    word = "works on the lifts"
    doing = [
        [call("navigate", url=url), call("fill", selector="input", value=word), call("click", selector="Keep")]
        for url in ("/words", "/notes")
    ]
    assert all(one.success for one in run.record([one for some in doing for one in some]))
    words.clear()
    swallows = True
    replayed = run.replay()
    assert replayed["verdict"] == "postcondition", replayed
    assert [bool(one["unseen"]) for one in replayed["writes"]] == [True, True]
