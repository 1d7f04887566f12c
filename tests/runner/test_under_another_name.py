"""A site that keeps what a user wrote under the name of somebody else: that is not what was recorded."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

__all__ = ["run", "served_site", "small_site"]
pytestmark = pytest.mark.promise("where what was sent is seen")

JOIN = """<form method=post action=/join><label>Name <input name=name></label>
<label>Password <input name=password type=password></label><button>Join</button></form>"""
SAY = "<form method=post action={say}><label>Say <textarea name=text></textarea></label><button>Say it</button></form>"
CARD = "<li>{text} <i>{name}</i></li>"
TEXT, ANOTHER = "It may be fetched at any time, ring twice", "Olaf Berg"


@pytest.mark.parametrize(
    ("talk", "verdict"),
    # Where nothing ties the text to what was written, that its user wrote it is not proven, and nobody says otherwise.
    [("/talks/48213", "postcondition"), ("/talk", "passed")],
    ids=["tied", "anywhere"],
)
def test_what_stood_beside_the_name_of_its_user_stands_beside_it_again(
    run: OneRun, small_site: SmallSite, talk: str, verdict: str
) -> None:
    user, lies = "", False

    def show(*said: str) -> None:
        others = CARD.format(text="Is it still there, and where?", name="Nora Lund")
        form = SAY.format(say=f"{talk}/say")
        small_site.pages[talk] = f"<p>Hello {user}</p><ul>{others}{''.join(said)}</ul>{form}"

    def join(fields: Mapping[str, str]) -> str:
        nonlocal user
        user = fields["name"]
        show()
        return talk

    def say(fields: Mapping[str, str]) -> str:
        show(CARD.format(text=fields["text"], name=ANOTHER if lies else user))
        return "/thanks"

    small_site.pages |= {"/join": JOIN}
    small_site.answers |= {"/join": join, f"{talk}/say": say}
    told = run.record(
        [
            call("navigate", url="/join"),
            call("fill", selector="Name", value="{{identity.display_name}}"),
            call("secure_fill", selector="Password", secret="password"),
            call("click", selector="Join"),
            call("fill", selector="Say", value=TEXT),
            call("click", selector="Say it"),
            call("navigate", url=talk),
        ]
    )
    assert all(one.success for one in told), told
    for options in ((), ("--identity", "fresh", "--seed", "3")):
        replayed = run.replay(*options)
        assert (replayed["verdict"], replayed["writes"][-1]["unseen"]) == ("passed", []), replayed
    lies = True
    replayed = run.replay()
    assert (replayed["verdict"], replayed["writes"][-1]["unseen"]) == (verdict, ["Say"]), replayed


ADD = """<form method=post action=/things/add><label>Title <input name=title></label>
<label>About <textarea name=about></textarea></label><button>Offer it</button></form>"""
OFFERS = {
    "a line": "<h1>{title}</h1><p>{about}</p><p>Offered by {name}</p>",
    "rows": """<h1>A thing</h1><table><tr><th>Title<td>{title}</tr><tr><th>About<td>{about}</tr>
        <tr><th>Seller<td><a href=/people/7>{name}</a></tr></table>""",
    "its head": """<main><article><header><h2>{title}</h2><small>by <b>{name}</b>, today</small></header>
        <p>{about}</p></article></main>""",
}


class Saying(dict[str, str]):
    """Pages, of which some say something once."""

    once: dict[str, str]

    def __init__(self, pages: Mapping[str, str]) -> None:
        super().__init__(pages)
        self.once = {}

    def __getitem__(self, path: str) -> str:
        return super().__getitem__(path) + self.once.pop(path, "")


@pytest.mark.parametrize("offer", OFFERS.values(), ids=OFFERS)
def test_what_stood_on_its_page_with_the_name_of_its_user_stands_there_with_it_again(
    run: OneRun, small_site: SmallSite, offer: str
) -> None:
    """What says who is logged in, or what was done just now, is no word of whose a thing is."""
    user, lies, number = "", False, 48212
    pages = small_site.pages = Saying(small_site.pages)

    def show(path: str, page: str) -> None:
        small_site.pages[path] = f"<div>Hello {user}</div>{page}<section>You write as {user}</section>"

    def join(fields: Mapping[str, str]) -> str:
        nonlocal user
        user = fields["name"]
        show("/things/new", ADD)
        return "/things/new"

    def add(fields: Mapping[str, str]) -> str:
        nonlocal number
        number += 1
        page = offer.format(**fields, name=ANOTHER if lies else user)
        show(f"/things/{number}", page)
        pages.once[f"/things/{number}"] = f"<p>Thank you, {user}!</p>"
        return f"/things/{number}"

    small_site.pages |= {"/join": JOIN}
    small_site.answers |= {"/join": join, "/things/add": add}
    told = run.record(
        [
            call("navigate", url="/join"),
            call("fill", selector="Name", value="{{identity.display_name}}"),
            call("secure_fill", selector="Password", secret="password"),
            call("click", selector="Join"),
            call("fill", selector="Title", value="A kettle that whistles"),
            call("fill", selector="About", value=TEXT),
            call("click", selector="Offer it"),
            call("navigate", url="/thanks"),
        ]
    )
    assert all(one.success for one in told), told
    for options in ((), ("--identity", "fresh", "--seed", "3")):
        replayed = run.replay(*options)
        assert (replayed["verdict"], replayed["writes"][-1]["unseen"]) == ("passed", []), replayed
    lies = True
    replayed = run.replay()
    assert replayed["verdict"] == "postcondition", replayed
    assert "to show what was put in for" in json.dumps(replayed["drift"]), replayed["drift"]
    assert replayed["writes"][-1]["unseen"], replayed
