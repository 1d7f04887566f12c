"""A register of things whose pages look otherwise by seed, and which says what it was told, whatever it keeps.

After each write the page that follows repeats what was sent, as a message, a card, a table or a toast, once. What is
kept is the site's own truth; a lie drops, alters or swaps fields of one write, swallows it, or does it twice.
"""

from __future__ import annotations

import html
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from urllib.parse import parse_qsl

from tests.fakes.server import served
from tests.sites.serving import PageHandler

Thing = dict[str, str]
TEXTS = {"title": "Title", "amount": "Amount", "note": "Note", "owner": "Owner"}
KINDS = ("tool", "toy", "book")
STAGES = ("draft", "open", "closed")
FIELDS = (*TEXTS, "kind", "stage", "urgent", "active")
MESSAGES = (
    "",
    '<div class="alert alert-success">The thing “<a href="{url}">{title}</a>” was added.</div>',
    '<ul class=messagelist><li class=success>{title} ({amount}, {kind}), {note} <a href="{url}">See it</a></li></ul>',
    "<div class=snack><h4>Saved</h4><p>{title}</p><p>{amount}</p><p>{note}</p></div>",
    "<table class=receipt><tr><th>Title<td>{title}<tr><th>Amount<td>{amount}<tr><th>Note<td>{note}"
    '<tr><th>Kind<td>{kind}<tr><th>Urgent<td>{urgent}<tr><td colspan=2><a href="{url}">{title}</a></table>',
    '<div class=card data-id="{number}"><h2>{title}</h2><span>Amount</span> <b>{amount}</b><p>{note}</p></div>',
    "<p role=status>{title}, {amount}: saved</p>",
    "<script>document.addEventListener('DOMContentLoaded', () => {{ const box = document.createElement('div');"
    " box.innerHTML = {script}; document.body.prepend(box); }})</script>",
)
DETAILS = (
    "<h1>{title}</h1><dl><dt>Amount<dd>{amount}<dt>Note<dd>{note}<dt>Kind<dd>{kind}<dt>Stage<dd>{stage}</dl>",
    "<table><tr><th>Title<td>{title}<tr><th>Amount<td>{amount}<tr><th>Note<td>{note}<tr><th>Kind<td>{kind}</table>",
    "<h1>{title}</h1><p class=note>{note}</p><p>Amount: {amount}</p><p>Kind: {kind}</p>",
)
ROWS = (
    '<ul>{}</ul>', '<li><a href="/things/{number}">{title}</a> <span class=amount>{amount}</span></li>',
    "<table><tr><th>Title<th>Amount<th>Kind</tr>{}</table>",
    '<tr><td><a href="/things/{number}">{title}</a><td>{amount}<td>{kind}</tr>',
)  # fmt: skip


@dataclass(frozen=True)
class Lie:
    """What becomes of one write."""

    kind: str
    write: int = 0
    fields: tuple[str, ...] = ()


@dataclass
class Receipts:
    """The site: how it looks, what it keeps, and how it lies."""

    seed: int
    url: str = ""
    lie: Lie | None = None
    things: dict[int, Thing] = field(default_factory=dict)
    shows_first: bool = False
    """Whether its forms show the first option where none is kept: no page tells that from the first one."""
    writes: int = 0
    false: set[int] = field(default_factory=set)
    """The writes after which it holds something else than it was told to."""
    _said: str = ""

    def __post_init__(self) -> None:
        draw = Random(f"receipts {self.seed}")
        self.lands = draw.choice(("detail", "edit", "list"))
        self.message = MESSAGES[self.seed % len(MESSAGES)]
        self.detail = draw.choice(DETAILS)
        self.rows = draw.choice((ROWS[:2], ROWS[2:]))
        self.name = draw.choice(("{}", "thing[{}]", "f_{}"))
        self.soft = draw.random() < 0.5
        """Whether what is not there is told with status 200."""

    def empty(self) -> None:
        """Begin anew, and lie no more."""
        self.things, self.false, self.writes, self.lie, self._said = {}, set(), 0, None, ""

    def take(self, sent: Thing, number: int | None) -> int:
        """Keep what was sent, truly or not, and say that it was kept."""
        lie = self.lie if self.lie and self.lie.write == self.writes else None
        number = number or 41 + len(self.things)
        before = self.things.get(number, {})
        kept = {name: sent.get(name, "") for name in FIELDS}
        held: Thing | None = dict(kept)
        if lie and lie.kind == "swallowed":
            held = before or None
        elif lie and held:
            held |= self._lied(lie, kept, before)
        if held:
            self.things[number] = held
            if lie and lie.kind == "doubled" and not before:
                self.things[number + 1] = dict(held)
        if held != kept:
            self.false.add(self.writes)
        self.writes += 1
        shown = {name: html.escape(text) for name, text in sent.items()}
        told = {**dict.fromkeys(FIELDS, ""), **shown, "url": f"/things/{number}", "number": number}
        script = json.dumps(f"<p>{told['title']}</p><p>{told['amount']}</p><p>{told['note']}</p>")
        self._said = self.message.format(**told, script=script)
        return number

    @staticmethod
    def _lied(lie: Lie, kept: Thing, before: Thing) -> Thing:
        if lie.kind == "swapped":
            one, other = lie.fields
            return {one: kept[other], other: kept[one]}
        if lie.kind == "dropped":
            return {name: before.get(name, "") for name in lie.fields}
        choices = {"kind": KINDS, "stage": STAGES, "urgent": ("", "yes"), "active": ("", "yes")}
        others = {name: [one for one in choices.get(name, ()) if one != kept[name]] for name in lie.fields}
        return {name: (found[0] if found else f"{kept[name]}7") for name, found in others.items()}

    def said(self) -> str:
        """Give the message that waits, once."""
        said, self._said = self._said, ""
        return said

    def form(self, action: str, thing: Thing) -> str:
        """Give the form of a thing; a new one is filled in part."""
        known = {"stage": "draft", "active": "yes", "owner": "nobody yet"} | thing

        def options(name: str, all_of: tuple[str, ...]) -> str:
            # Else a browser would show the first of them where nothing is kept.
            none = () if self.shows_first or known.get(name, all_of[0]) in all_of else ("",)
            return "".join(f"<option{' selected' if one == known.get(name) else ''}>{one}" for one in (*none, *all_of))

        rows = [
            f'<label>{label} <input name="{self.name.format(name)}" value="{html.escape(known.get(name, ""))}"></label>'
            for name, label in TEXTS.items()
        ]
        for name, all_of in (("kind", KINDS), ("stage", STAGES)):
            chosen = f'<select name="{self.name.format(name)}">{options(name, all_of)}</select>'
            rows.append(f"<label>{name.title()} {chosen}</label>")
        for name in ("urgent", "active"):
            ticked = " checked" if known.get(name) else ""
            box = f'<input type=checkbox name="{self.name.format(name)}" value=yes{ticked}>'
            rows.append(f"<label>{box} {name.title()}</label>")
        return f'<form method=post action="{action}" aria-label=Thing>{"".join(rows)}<button>Save</button></form>'


def _handler(site: Receipts) -> type[PageHandler]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            steps = self.path.strip("/").split("/")
            number = int(steps[1]) if len(steps) > 1 and steps[1].isdigit() else 0
            if self.path == "/new":
                return self.show(site.form("/new", {}))
            if self.path == "/things":
                outer, row = site.rows
                return self.show(outer.format("".join(row.format(number=at, **self.safe(at)) for at in site.things)))
            if number in site.things:
                if steps[2:] == ["edit"]:
                    return self.show(site.form(self.path, site.things[number]))
                return self.show(site.detail.format(**self.safe(number)) + f"<a href=/things/{number}/edit>Change</a>")
            self.show("<h1>There is no such thing</h1>", 200 if site.soft or self.path == "/" else 404)

        def do_POST(self) -> None:
            pairs = parse_qsl(self.body().decode(), keep_blank_values=True)
            sent = {name: dict(pairs).get(site.name.format(name), "") for name in FIELDS}
            steps = self.path.strip("/").split("/")
            number = site.take(sent, int(steps[1]) if len(steps) > 1 else None)
            own = f"/things/{number}"
            self.answer(303, location={"detail": own, "edit": f"{own}/edit", "list": "/things"}[site.lands])

        def safe(self, number: int) -> Thing:
            return {name: html.escape(text) for name, text in site.things[number].items()}

        def show(self, page: str, status: int = 200) -> None:
            self.answer(status, f"{site.said()}<nav><a href=/things>All things</a></nav><main>{page}</main>")

    return Handler


@contextmanager
def serving_receipts(seed: int) -> Iterator[Receipts]:
    """Serve a register as a seed draws it."""
    site = Receipts(seed)
    with served(_handler(site)) as url:
        site.url = url
        yield site
