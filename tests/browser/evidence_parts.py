"""More families of pages: what is around an element says of what it is, also where it is the only one of its kind.

As in :mod:`tests.browser.evidence_families`; a lie has another thing, part or meaning in the place of the recorded one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from tests.browser.evidence_families import IT, Case

RIGHT = "data-right"
THINGS = (
    "Boats of Leeds",
    "Tide tables",
    "The ferry",
    "Crème brûlée",
    "Gulls at dawn",
    "Overtures",
    "東京の地図",
    "Straße 7",
)
USERS = ("Kim", "Lee", "Ann Moor", "Zoë", "Bob")
ACTS = ("Delete", "Reset", "Archive", "Send", "Buy now")

Page = Callable[[str, str, str], str]
"""Writes a page with a part that is called so, in which a button has such a name and marks."""


def _tabs(called: str, act: str, mark: str) -> str:
    return (
        f"<div role=tablist><button role=tab id=t1>{called}</button></div>"
        f"<div role=tabpanel aria-labelledby=t1><p>What is set here.</p><button {mark}>{act}</button></div>"
    )


def _menu(called: str, act: str, mark: str) -> str:
    others = [one for one in THINGS if one != called][:2]
    rows = "".join(
        f"<li>{one} <button aria-haspopup=menu aria-expanded={str(one == called).lower()}>More</button></li>"
        for one in (others[0], called, others[1])
    )
    return f"<ul>{rows}</ul><div role=menu><div role=menuitem>Show</div><div role=menuitem {mark}>{act}</div></div>"


def _two_rows(called: str, act: str, mark: str) -> str:
    other = next(one for one in THINGS if one != called)
    things = [(called, "Kim", mark), (other, "Lee", "")]
    rows = "".join(
        f"<tr><td><b>{thing}</b></td></tr><tr><td>by {user} <button {own}>{act}</button></td></tr>"
        for thing, user, own in things
    )
    return f"<table>{rows}</table>"


REWORDED: Sequence[Page] = (
    _tabs,
    lambda called, act, mark: (
        f"<div><h3><button aria-expanded=true>{called}</button></h3><div><button {mark}>{act}</button></div></div>"
    ),
    lambda called, act, mark: f"<details open><summary>{called}</summary><button {mark}>{act}</button></details>",
    lambda called, act, mark: (
        f"<fieldset><legend>{called}</legend><button type=button {mark}>{act}</button></fieldset>"
    ),
    lambda called, act, mark: f"<div><h2>{called}</h2><p>Words.</p><div><button {mark}>{act}</button></div></div>",
)
"""What a page may call otherwise: it is another one where that name is another one's by now."""
PARTS: Sequence[Page] = (
    lambda called, act, mark: f"<div role=dialog aria-label='{act} {called}?'><button {mark}>{act}</button></div>",
    lambda called, act, mark: (
        f"<p>Things</p><div role=dialog aria-label=Sure?><p>{called} will go.</p><button {mark}>{act}</button></div>"
    ),
    lambda called, act, mark: f"<div role=status>{called} was moved <button {mark}>{act}</button></div>",
    lambda called, act, mark: f"<p id=d1>{called}</p><button aria-describedby=d1 {mark}>{act}</button>",
    lambda called, act, mark: f"<ul><li><a href=/things/41>{called}</a> <button {mark}>{act}</button></li></ul>",
    lambda called, act, mark: f"<ol><li aria-current=step>{called}<li>The rest</ol><button {mark}>{act}</button>",
    _menu,
    _two_rows,
)


def named_parts(random: Random) -> Case:
    """A button that is the only one of its kind: the part around it is that of another thing, or stands elsewhere."""
    page = random.choice((*PARTS, *REWORDED))
    (one, other), act = random.sample(THINGS, 2), random.choice(ACTS)
    before = page(one, act, IT)
    if random.random() < 0.5:
        left = page(one, "Look", "") if page in REWORDED else ""
        return Case(before, page(other, act, "") + left, False, f"{act}: {one} is {other}")
    if page in REWORDED and random.random() < 0.5:
        return Case(before, page(other, act, RIGHT), True, f"{act}: {one} is called {other}")
    around = random.choice(("<div><div>{}</div></div>", "<p>A word of welcome.</p>{}", "{}<p>3 others</p>"))
    return Case(before, around.format(page(one, act, RIGHT)), True, f"{act} of {one}, elsewhere")


def _feed(random: Random) -> str:
    things = random.sample(THINGS, random.randint(1, 3))
    return "".join(f"<div class=post><h3>{one}</h3><p>Words on {one}</p></div>" for one in things)


SHELLS: Sequence[Callable[[Random, str], str]] = (
    lambda random, mark: f"<div><div>{_feed(random)}</div><button {mark}>Load more</button></div>",
    lambda random, mark: (
        f"<main><h2>{random.choice(THINGS)}</h2></main><footer><button {mark}>Subscribe</button></footer>"
    ),
    lambda random, mark: (
        f"<header><h1>Shop</h1><button {mark}>Log out</button></header><main><h2>{random.choice(THINGS)}</h2></main>"
    ),
    lambda random, mark: f"<main><h2>{random.randint(2, 90)} results</h2><button {mark}>Filter</button></main>",
    lambda random, mark: (
        f"<main><div><h3>Newest</h3><a href=/things/4>{random.choice(THINGS)}</a></div>"
        f"<div><button {mark}>Join</button></div></main>"
    ),
    lambda random, mark: (
        f"<ul><li>Boats <time>{random.randint(2, 50)} minutes ago</time> {random.randint(2, 9)} votes"
        f" <button {mark}>Vote</button></ul>"
    ),
)


def other_content(random: Random) -> Case:
    """A control that the page has whatever it shows; and one in a list, of which the thing is gone."""
    if random.random() < 0.3:
        one, other = random.sample(THINGS, 2)
        shell = "<main><h1>Things</h1><ul><li>{} <button {}>Vote</button></ul></main>"
        return Case(shell.format(one, IT), shell.format(other, ""), False, f"the only thing {one} is {other}")
    shell_of = random.choice(SHELLS)
    return Case(shell_of(random, IT), shell_of(random, RIGHT), True, "other content around a control of the page")


def columns(random: Random) -> Case:
    """A control in a cell without a name, or of the name of others in its row: its column says which one it is."""
    heads = random.sample(("Price", "Stock", "Colour", "Weight"), 3)
    rows = random.sample(THINGS[:6], 3)
    control = random.choice(("<input {}>", "<input type=checkbox {}>", "<button {}>Change</button>"))
    row, head = random.choice(rows), random.choice(heads)

    def page(rows: Sequence[str], heads: Sequence[str], mark: str, gone: str = "") -> str:
        cells = lambda one: "".join(  # noqa: E731
            f"<td>{control.format(mark if (one, at) == (row, head) else '') if at != gone else 'none'}</td>"
            for at in heads
        )
        body = "".join(f"<tr><td>{one}</td>{cells(one)}</tr>" for one in rows)
        return f"<table><tr><th>Thing</th>{''.join(f'<th>{at}</th>' for at in heads)}</tr>{body}</table>"

    before = page(rows, heads, IT)
    if random.random() < 0.5:
        way = random.choice(("column", "row"))
        if way == "column":
            return Case(before, page(rows, heads, "", gone=head), False, f"no {head} is left to change")
        return Case(before, page([one for one in rows if one != row], heads, ""), False, f"{row} is gone")
    return Case(
        before, page(random.sample(rows, 3), random.sample(heads, 3), RIGHT), True, "columns and rows in another order"
    )


def exchanged(random: Random) -> Case:
    """Two controls side by side have exchanged what they say that they do; or have their places exchanged."""
    way = random.choice(
        ("data-action={}", "hx-post=/{}", "onclick='{}()'", "name=d value={}", "formaction=/{} name=go value=x")
    )
    one, other = random.sample(("approve", "reject", "hold", "share"), 2)
    sent = (str(random.randint(1, 4)), str(random.randint(5, 9))) if way.startswith("name") else (one, other)

    def page(first: str, second: str, *, turned: bool = False, mark: str = "") -> str:
        buttons = [
            f"<button {mark} {way.format(first)}>{one.title()}</button>",
            f"<button {way.format(second)}>{other.title()}</button>",
        ]
        return f"<form method=post action=/thing>{''.join(buttons[::-1] if turned else buttons)}</form>"

    before = page(*sent, mark=IT)
    if random.random() < 0.5:
        return Case(before, page(*sent[::-1]), False, f"{way}: {one} and {other} are exchanged")
    return Case(before, page(*sent, turned=True, mark=RIGHT), True, "buttons in another order")


def forms_of_one_address(random: Random) -> Case:
    """Two forms that are sent to one place: one is gone, or what is sent out of sight is another's."""
    one, other = random.sample(("billing", "shipping", "gift", "office"), 2)
    is_field = random.random() < 0.5

    def form(kind: str, word: str, mark: str) -> str:
        field, button = (mark, "") if is_field else ("", mark)
        return (
            f"<form method=post action=/addresses><fieldset><legend>{kind.title()}</legend>"
            f"<input type=hidden name=kind value={word}><label>Street <input name=street {field}></label></fieldset>"
            f"<button {button}>Save</button></form>"
        )

    before = form(one, one, IT) + form(other, other, "")
    way = random.choice(("gone", "words", "order", "order"))
    if way == "gone":
        return Case(before, form(other, other, ""), False, f"only the form of {other} is left")
    if way == "words" and not is_field:
        return Case(before, form(one, other, "") + form(other, one, ""), False, "hidden words are exchanged")
    return Case(before, form(other, other, "") + form(one, one, RIGHT), True, "forms in another order")


def numbers_of_things(random: Random) -> Case:
    """Addresses by number, where each card has the number twice, or says it: exchanged with those of another card."""
    one, other = random.sample(THINGS[:6], 2)
    says = random.random() < 0.5
    first, second = random.randint(2, 40), random.randint(41, 80)

    def item(thing: str, number: int, to: int, mark: str) -> str:
        if says:
            return f"<tr><td><a href=/tickets/{to} {mark}>{number}. {thing}</a></td><td>Open</td></tr>"
        return f"<tr><td><a href=/show/{number}>{thing}</a></td><td><a href=/edit/{to} {mark}>Edit</a></td></tr>"

    def page(*items: str) -> str:
        return f"<table>{''.join(items)}</table>"

    before = page(item(one, first, first, IT), item(other, second, second, ""))
    if random.random() < 0.5:
        after = page(item(one, first, second, ""), item(other, second, first, ""))
        return Case(before, after, False, f"{one} and {other} lead to each other")
    if says:
        after = page(item(other, second, second, ""), item(one, first, first, RIGHT))
    else:
        after = page(item(other, first + 100, first + 100, ""), item(one, second + 100, second + 100, RIGHT))
    return Case(before, after, True, "another order, and other numbers where nothing says them")


def answers(random: Random) -> Case:
    """Comments in comments: each has a control of one name, and holds those of the answers to it."""
    users = random.sample(USERS, 4)

    def comment(user: str, mark: str, inner: str = "") -> str:
        kept = f"<ul>{inner}</ul>" if inner else ""
        return f"<li><b>{user}</b><p>Words of {user}</p><button {mark}>Reply</button>{kept}</li>"

    def page(*comments: str) -> str:
        return f"<ul>{''.join(comments)}</ul>"

    first, second, third, new = users
    is_outer = random.random() < 0.5
    before = page(comment(first, IT if is_outer else "", comment(second, "" if is_outer else IT)), comment(third, ""))
    if random.random() < 0.5:
        left = comment(new, "", comment(second, "")) if is_outer else comment(first, "", comment(new, ""))
        return Case(before, page(left, comment(third, "")), False, "a comment is gone, what was around it is left")
    inner = comment(new, "") + comment(second, "" if is_outer else RIGHT)
    return Case(
        before, page(comment(third, ""), comment(first, RIGHT if is_outer else "", inner)), True, "another order"
    )


PART_FAMILIES = {
    "parts that name": named_parts,
    "content around a control": other_content,
    "columns": columns,
    "exchanged controls": exchanged,
    "forms of one address": forms_of_one_address,
    "numbers of things": numbers_of_things,
    "answers to comments": answers,
}
