"""Places that are known as those of a thing by other marks than its address: a value that is lost or altered is red."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pytest

from tests.fakes.messages_api import Reply, call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

__all__ = ["run", "served_site", "small_site"]
pytestmark = pytest.mark.promise("success that did not happen", quick=2)

Fields = dict[str, str]
ROWS = """<h1>Contacts</h1><table>
<tr><td>Ada Moor<td>ada@moor.example<td><button hx-get=/contact/4810/edit>Edit</button>
<tr><td>Ben Hale<td>{mail}
<td><button hx-get=/contact/4811/edit onclick="change(this.closest('tr'))">Edit</button></table>
<script>function change(row) {{
  row.cells[1].innerHTML = '<input aria-label=Mail><button>Save</button>';
  row.cells[1].lastChild.onclick = async () => {{
    const mail = row.cells[1].firstChild.value;
    await fetch('/contact/4811', {{ method: 'POST', body: new URLSearchParams({{ mail }}) }});
    row.cells[1].textContent = mail;
  }};
}}</script>"""
MARKS = """<h1>Bookmarks</h1><form method=post action=/sent><label>Address <input name=address></label>
<label>Title <input name=title></label><label>Note <input name=note></label><button>Add</button></form><ul>{}</ul>"""
FORM = """<h1>Change</h1><form method=post action=/sent><textarea name=text aria-label=Text>{text}</textarea>
<button>Save</button></form>"""
PLANT = """<h1>Plant</h1><form method=post action=/sent><label>Name <input name=name></label>
<label>Tags <input name=tags></label><label>Web <input name=web></label><button>Add</button></form>"""


NOTE = "<article><h2>{title}</h2><div>30th of May</div><div>{text}</div></article>"
NOTES = (
    """<h1>Notes</h1><form method=post action=/sent><label>Title <input name=title></label>
<label>Text <input name=text></label><button>Add</button></form>{}"""
    + NOTE.format(title="Shears", text="Sharpen them.")
    + NOTE.format(title="Hoes", text="Oil the handles.")
)


@dataclass(frozen=True)
class Way:
    """Pages, what a user does on them, and what the site shows once it has kept something."""

    pages: Mapping[str, str]
    actions: tuple[Reply, ...]
    show: Callable[[Fields], Mapping[str, str]]
    altered: Fields
    """What it may keep in the place of what was sent."""
    lost: str = "postcondition"
    """The verdict where it keeps nothing; a list may have pages."""
    sent_to: str = "/sent"
    leads_to: str = "/"


def _marks(kept: Fields) -> Mapping[str, str]:
    entry = "<li data-id=5120><a href='{address}'>{title}</a> <em>{note}</em>".format(**kept)
    return {"/": MARKS.format(entry)}


def _plant(kept: Fields) -> Mapping[str, str]:
    tags = "".join(f"<li>#{one.strip()}" for one in kept["tags"].split(","))
    return {"/plants/48213": f"<h1>{kept['name']}</h1><ul>{tags}</ul><p><a href='{kept['web']}'>More of it</a>"}


def _wiki(kept: Fields) -> Mapping[str, str]:
    return {"/wiki/hills": f"<h1>hills</h1><p>{kept['text']}</p><a href=/wiki/hills/edit>Edit</a>"}


MORE = (
    '<h1>Tools</h1><button onclick="document.querySelector(`dialog`).showModal()">New tool</button><ul id=list>{}</ul>'
)
DIALOG = """<dialog><label>Name <input></label><label>Price <input></label><button>Create</button></dialog><script>
const [name, price] = document.querySelectorAll('input');
document.querySelector('dialog button').onclick = async () => {
  await fetch('/sent', { method: 'POST', body: new URLSearchParams({ name: name.value, price: price.value }) });
  document.querySelector('dialog').close();
};</script>"""


def _tools(kept: Fields) -> Mapping[str, str]:
    return {"/": MORE.format("<li data-i=92>{name} – {price} €".format(**kept)) + DIALOG}


ROOMS = """<h1>Rooms</h1><form method=post action=/sent><label>Room <select name=room><option>Oak room<option>Elm room
</select></label><label>Day <input type=date name=day></label><label>From <input type=time name=from></label>
<label>To <input type=time name=to></label><label>People <input type=number name=people></label><button>Book</button>
</form><table><tr><th>Room<th>Day<th>From and to<th>People{}</table>"""


def _rooms(kept: Fields) -> Mapping[str, str]:
    day = "{2}.{1}.{0}".format(*kept["day"].split("-"))
    row = "<tr id=b7012><td>{room}<td>" + day + "<td>{from}–{to}<td>{people}"
    return {"/": ROOMS.format(row.format(**kept))}


HILLS = {"text": "Hills are high, as editors say."}
WAYS = {
    "a row whose buttons ask for its thing": Way(
        {"/": ROWS.format(mail="ben@hale.example")},
        (
            call("click", selector="tr:nth-child(2) button"),
            call("fill", selector="Mail", value="benjamin@hale.example"),
            call("click", selector="Save"),
        ),
        lambda kept: {"/": ROWS.format(**kept)},
        {"mail": "else@where.example"},
        sent_to="/contact/4811",
    ),
    "the address of a new card": Way(
        {"/": MARKS.format("")},
        (
            call("fill", selector="Address", value="https://ferns.example/all"),
            call("fill", selector="Title", value="All about ferns"),
            call("fill", selector="Note", value="to be read in May"),
            call("click", selector="Add"),
        ),
        _marks,
        {"address": "https://evil.example/"},
        "passed",
    ),
    "a text of a new card": Way(
        {"/": MARKS.format("")},
        (
            call("fill", selector="Address", value="https://ferns.example/all"),
            call("fill", selector="Title", value="All about ferns"),
            call("fill", selector="Note", value="to be read in May"),
            call("click", selector="Add"),
        ),
        _marks,
        {"title": "Nothing on moss"},
        "passed",
    ),
    # Nothing stands between the title and the day but the end of a block.
    "a new card that says the user's name": Way(
        {"/": NOTES.format("")},
        (
            call("fill", selector="Title", value="Pruning by {{identity.username}}"),
            call("fill", selector="Text", value="Cut them back in March."),
            call("click", selector="Add"),
        ),
        lambda kept: {"/": NOTES.format(NOTE.format(**kept))},
        {"text": "Leave them alone."},
    ),
    "a name with its price in a new card": Way(
        {"/": MORE.format("<li data-i=91>Hoe – 9 €") + DIALOG},
        (
            call("click", selector="New tool"),
            call("fill", selector="Name", value="Garden shears"),
            call("fill", selector="Price", value="17.40"),
            call("click", selector="Create"),
        ),
        _tools,
        {"price": "99"},
        "passed",
    ),
    "a new row of dates and numbers": Way(
        {"/": ROOMS.format("")},
        (
            call("select", selector="Room", value="Elm room"),
            call("fill", selector="Day", value="2027-01-15"),
            call("fill", selector="From", value="09:30"),
            call("fill", selector="To", value="11:00"),
            call("fill", selector="People", value="12"),
            call("click", selector="Book"),
        ),
        _rooms,
        {"room": "Oak room"},
        "passed",
    ),
    "the page that a form goes on from": Way(
        {**_wiki(HILLS), "/wiki/hills/edit": FORM.format(**HILLS), "/": "<h1>Wiki</h1>"},
        (
            call("navigate", url="/wiki/hills"),
            call("click", selector="Edit"),
            call("fill", selector="Text", value="Hills are not so high."),
            call("click", selector="Save"),
        ),
        _wiki,
        {"text": "Something else entirely."},
        leads_to="/wiki/hills",
    ),
    "a page that was not there": Way(
        {"/wiki/hills/edit": FORM.format(text=""), "/": "<h1>Wiki</h1>"},
        (
            call("navigate", url="/wiki/hills"),
            call("navigate", url="/wiki/hills/edit"),
            call("fill", selector="Text", value="Hills are not so high."),
            call("click", selector="Save"),
        ),
        _wiki,
        {"text": "Something else entirely."},
        leads_to="/wiki/hills",
    ),
    "tags one beside the other": Way(
        {"/": PLANT},
        (
            call("fill", selector="Name", value="Hart's tongue"),
            call("fill", selector="Tags", value="garden, shade"),
            call("fill", selector="Web", value="https://ferns.example/tongue"),
            call("click", selector="Add"),
        ),
        _plant,
        {"tags": "garden, sun"},
        leads_to="/plants/48213",
    ),
    "where a link leads": Way(
        {"/": PLANT},
        (
            call("fill", selector="Name", value="Hart's tongue"),
            call("fill", selector="Tags", value="garden, shade"),
            call("fill", selector="Web", value="https://ferns.example/tongue"),
            call("click", selector="Add"),
        ),
        _plant,
        {"web": "https://evil.example/"},
        leads_to="/plants/48213",
    ),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_a_value_that_is_lost_or_altered_is_red(run: OneRun, small_site: SmallSite, way: Way) -> None:
    def keep(how: str) -> None:
        small_site.pages.clear()
        small_site.pages |= way.pages

        def take(fields: Mapping[str, str]) -> str:
            if how != "lost":
                small_site.pages.update(way.show({**fields, **(way.altered if how == "altered" else {})}))
            return way.leads_to

        small_site.answers[way.sent_to] = take

    keep("kept")
    told = run.record([call("navigate", url="/"), *way.actions, call("navigate", url=way.leads_to)])
    assert all(one.success for one in told), told
    for how, verdict in ("kept", "passed"), ("lost", way.lost), ("altered", "postcondition"):
        keep(how)
        replayed = run.replay()
        assert replayed["verdict"] == verdict, (how, replayed["drift"], replayed)
        (write,) = replayed["writes"]
        assert bool(write["unseen"]) == (how != "kept"), (how, replayed)


def test_the_list_that_a_form_goes_on_from_is_not_the_page_of_a_thing(run: OneRun, small_site: SmallSite) -> None:
    """What stands there may stand on another page of the list the next time."""
    listed = "<h1>Tools</h1><p>Old spade <a href='/tools/old-spade'>Change</a></p>"
    small_site.pages |= {"/tools": listed, "/tools/old-spade": FORM.format(text="Old spade")}
    small_site.answers["/sent"] = lambda fields: "/tools"
    changed = [
        call("navigate", url="/tools"),
        call("click", selector="Change"),
        call("fill", selector="Text", value="Old spade with a handle"),
        call("click", selector="Save"),
    ]
    small_site.answers["/sent"] = lambda fields: (
        small_site.pages.update({"/tools": listed.replace("Old spade", fields["text"], 1)}) or "/tools"  # type: ignore[func-returns-value]
    )
    run.record([*changed, call("navigate", url="/tools")])
    small_site.pages["/tools"] = listed
    small_site.answers["/sent"] = lambda fields: "/tools"
    again = run.replay()
    assert (again["verdict"], again["writes"][0]["unseen"]) == ("passed", ["Text"])
