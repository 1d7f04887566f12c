"""Pages as they were recorded and as they have become, drawn by seed: each rule of evidence has honest and lying ones.

In the page as it was, an id marks what was acted on. In the page as it is now, ``data-right`` marks what a person would
act on, and nothing is marked where a replay has to stop. Neither attribute is evidence here: the site generates the id.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random

IT = "id=it-48213907"


@dataclass(frozen=True)
class Case:
    """A page before and after a change."""

    before: str
    after: str
    honest: bool
    """Whether the replay should go on; else it has to stop."""
    says: str
    given: str = ""
    """What is put in."""


LABELS = (
    "Title", "Author", "Price", "Colour", "Given name", "Überschrift", "Preis", "Prénom", "Città", "メールアドレス",
    "Postcode", "Delivery date", "Quantity", "Notes", "Company", "Straße und Hausnummer", "Vorname", "Telefon",
)  # fmt: skip
TYPES = ("text", "text", "text", "email", "number", "tel", "textarea", "select", "checkbox")
STYLES: Sequence[Callable[[str, str, str], str]] = (
    lambda label, field, at: f"<p><label for={at}>{label}</label> {field}</p>",
    lambda label, field, at: f"<div class=form-floating>{field}<label for={at}>{label}</label></div>",
    lambda label, field, at: f"<label><span>{label}</span> {field}</label><br>",
    lambda label, field, at: (
        f"<div class=ant-form-item><div class=ant-col><label for={at}>{label}</label></div>"
        f"<div class=ant-col><div class=input-wrap>{field}</div></div></div>"
    ),
    lambda label, field, at: f"<table><tr><th><label for={at}>{label}</label></th><td>{field}</td></tr></table>",
)
NEW_NAMES = ("post[{}]", "new_{}", "{}_field", "form.{}.value", "{}Input", "data-{}")


@dataclass(frozen=True)
class Drawn:
    """A field of a form."""

    label: str
    name: str
    type: str
    mark: str = ""

    def html(self, at: str) -> str:
        own = f"name='{self.name}' id='{at}' {self.mark}"
        if self.mark == IT:
            own, at = f"name='{self.name}' {IT}", "it-48213907"
        if self.type == "textarea":
            return f"<textarea {own}></textarea>"
        if self.type == "select":
            return f"<select {own}><option value=''>-<option value=a>A</select>"
        return f"<input type={self.type} {own}>"


def form(fields: Sequence[Drawn], style: int, *, depth: int = 0, extra: str = "", action: str = "/things/42") -> str:
    rows = []
    for place, one in enumerate(fields):
        at = "it-48213907" if one.mark == IT else f"f-{place}-90210733"
        rows.append(STYLES[style](one.label, one.html(at), at))
    inside = "".join(rows)
    whole = f"<form method=post action={action}>{extra}{inside}<button>Save</button></form>"
    return "<div>" * depth + whole + "</div>" * depth


def drawn_fields(random: Random, at_least: int = 2) -> list[Drawn]:
    labels = random.sample(LABELS, random.randrange(at_least, 7))
    words = random.sample(("title", "writer", "amount", "shade", "given", "town", "mail", "zip", "due", "memo"), 10)
    return [Drawn(label, words[place], random.choice(TYPES)) for place, label in enumerate(labels)]


def renamed(random: Random, *, every: bool) -> Case:
    """A field whose ``name`` attribute is another one now; with ``every``, as all of its form's are."""
    fields = drawn_fields(random)
    place = random.randrange(len(fields))
    style, depth = random.randrange(len(STYLES)), random.randrange(4)
    pattern = random.choice(NEW_NAMES)
    if every and random.random() < 0.4:
        fields[place] = replace(fields[place], type="password")
    told = fields[place]
    now = [
        replace(one, name=pattern.format(one.name)) if every or at == place else one for at, one in enumerate(fields)
    ]
    honest, says, extra = True, "renamed", ""
    lie = random.choice((*[""] * 8, "exchanged", "stands", "index", "another", "labels", "radio", "secret", "absent"))
    other = random.choice([at for at in range(len(fields)) if at != place])
    if lie == "exchanged":
        now = list(fields)
        now[place], now[other] = replace(told, name=fields[other].name), replace(fields[other], name=told.name)
    elif lie == "stands":
        extra = f"<input type=hidden name='{told.name}' value=x>"
    elif lie == "index":
        fields[place] = replace(told, name=f"{told.name}_{random.randrange(1, 5)}")
        now = list(fields)
        now[place] = replace(now[place], name=f"{told.name}_{random.randrange(5, 9)}")
    elif lie == "another":
        now[other] = replace(now[other], label="Something new" if every else now[other].label, name="something_new")
    elif lie == "labels":
        now[place], now[other] = (
            replace(now[place], label=fields[other].label),
            replace(now[other], label=told.label),
        )
    elif lie == "radio" and not every:
        fields[place] = replace(told, type="radio")
        now[place] = replace(now[place], type="radio")
    elif lie == "secret" and not every:
        fields[place] = replace(told, type="password")
        now[place] = replace(now[place], type="password")
    elif lie == "absent":
        now[place] = replace(now[place], name="")
    else:
        lie = ""
    if lie:
        honest, says = False, f"renamed, {lie}"
    before = [replace(one, mark=IT) if at == place else one for at, one in enumerate(fields)]
    if honest:
        now[place] = replace(now[place], mark="data-right")
    return Case(form(before, style), form(now, style, depth=depth, extra=extra), honest, says)


TITLES = ("Emma", "Persuasion", "Der Prozess", "坊っちゃん", "Ficciones", "Kim")
WORDS = ("by Jane Austen", "Like new", "Sold by the corner shop", "Hardback", "par Zola", "Gebunden", "In Leeds")
TIMES = (
    "yesterday",
    "5 minutes ago",
    "Nov 3, 2026",
    "today",
    "14:05",
    "26th November 2026 at 3:28pm",
    "3rd of May",
    "Nov 3, 2026 at 14:05 GMT",
    "42s",
    "5m ago",
    "1h 20min",
)
BOXES = ("<li>{}</li>", "<div class=card><div>{}</div></div>", "<article>{}</article>", "<tr><td>{}</td></tr>")


def card(title: str, words: Sequence[str], button: str, random: Random) -> str:
    price, votes = random.randrange(3, 90), random.randrange(2, 99)
    changing = f"<small>£{price}.50</small><em>{votes} votes</em><i>{random.choice(TIMES)}</i>"
    texts = "".join(f"<span>{word}</span>" for word in words)
    return f"<h3>{title}</h3>{texts}{changing}<button {button}>Edit</button>"


def same_title(random: Random) -> Case:
    """Cards of one title, told apart by words."""
    title, box = random.choice(TITLES), random.choice(BOXES)
    words = random.sample(WORDS, 5)
    mine, others = words[:2], [[words[2], words[3]], [words[2], words[4]]]
    around = "<table><tbody>{}</tbody></table>" if "tr" in box else "<section><h2>Things</h2>{}</section>"

    def page(cards: Sequence[tuple[Sequence[str], str]]) -> str:
        return around.format("".join(box.format(card(title, told, button, random)) for told, button in cards))

    before = [(mine, IT), *((one, "") for one in others)]
    random.shuffle(before)
    kind = random.choice(("same", "same", "lone", "gone", "other words", "alone", "shared"))
    if kind == "shared":  # what all of them show tells none from another
        before = [([*told, "In stock"], mark) for told, mark in before]
    after: list[tuple[Sequence[str], str]]
    if kind in ("same", "alone", "shared"):
        after = [(mine, "data-right"), *((one, "") for one in others if kind != "alone")]
        random.shuffle(after)
    elif kind == "lone":
        after = [(random.choice(others), "")]
    elif kind == "gone":
        after = [(one, "") for one in others]
    else:
        after = [([mine[0], words[4]], ""), (others[0], "")]
    return Case(page(before), page(after), kind in ("same", "alone", "shared"), f"a card of the same title, {kind}")


def members(random: Random) -> Case:
    """Stars of a rating without a name."""
    size, place = random.randrange(3, 8), 0
    place = random.randrange(size)
    star = random.choice(
        ("<i class=star {}></i>", "<span {}>★</span>", "<button type=button {}>☆</button>", "<b><u {}>★</u></b>")
    )
    style = "<style>.star{display:inline-block;width:20px;height:20px}</style>"
    called = random.choice(("Your rating", "Bewertung", "Service"))

    def stars(count: int, at: int, mark: str, name: str = called, many: int = 1) -> str:
        inside = "".join(star.format(mark if one == at else "") for one in range(count))
        group = f"<p>{name}</p><div>{inside}</div>" * many
        return (
            f"{style}<form method=post action=/rate><input type=hidden name=rating>{group}<button>Send</button></form>"
        )

    before = stars(size, place, IT)
    kind = random.choice(("same", "same", "size", "name", "two", "cards", "texts", "links"))
    right = "data-right"
    after = {
        "same": lambda: f"<main><p>New here</p><div>{stars(size, place, right)}</div></main>",
        "size": lambda: stars(size + 1, -1, ""),
        "name": lambda: stars(size, -1, "", "Somebody else's"),
        "two": lambda: stars(size, -1, "", many=2),
        "cards": lambda: (
            f"{style}<form method=post action=/rate><input type=hidden name=rating><p>{called}</p><div>"
            + "".join(f"<article><h3>{title}</h3>{star.format('')}</article>" for title in TITLES[:size])
            + "</div></form>"
        ),
        "texts": lambda: stars(size, -1, "").replace("★", "a").replace("☆", "b").replace("></i>", "> </i>Word"),
        "links": lambda: stars(size, -1, "").replace("<div>", "<div><a href=/x>").replace("</div>", "</a></div>"),
    }[kind]()
    if kind in ("texts", "links"):
        # What these have now is no group of alike members any more.
        after = after.replace("</div>", f"{star.format('title=more')}</div>")
    return Case(before, after, kind == "same", f"stars, {kind}")


HIDE = ("inert", "style='position:absolute;left:-4000px'", "style='opacity:0'", "style='height:0;overflow:hidden'")


def twins(random: Random) -> Case:
    """A form that stands twice for two layouts, one of which cannot be reached."""
    number = random.randrange(10, 99)
    what = random.choice(
        ("<button {}>Save</button>", "<button name=op value=save {}>Save</button>", "<input type=submit value=Save {}>")
    )
    hidden = f"<input type=hidden name=id value={number}>"

    def one(mark: str, *, id: str = hidden, action: str = f"/things/{number}/edit") -> str:
        return f"<form method=post action={action}>{id}{what.format(mark)}</form>"

    hide = random.choice(HIDE)
    kind = random.choice(("hidden", "hidden", "both", "other address", "other thing", "no address", "in a card"))
    right = "data-right" if kind == "hidden" else ""
    twin = {
        "other address": one("", action=f"/things/{number + 1}/edit"),
        "other thing": one("", id=f"<input type=hidden name=id value={number + 1}>"),
    }.get(kind, one(""))
    shown = one(right)
    if kind == "no address":
        shown = twin = f"<form method=post>{hidden}{what.format('')}</form>"
    if kind == "in a card":
        shown = f"<ul><li>Emma {shown}</li><li>Kim</li></ul>"
    aside = f"<div {'' if kind == 'both' else hide}>{twin}</div>"
    pair = [aside, shown]
    random.shuffle(pair)
    return Case(one(IT), "".join(pair), kind == "hidden", f"twins, {kind}, {hide}")


DEEDS = {"publish": ("Publish", "Veröffentlichen"), "delete": ("Delete", "Löschen"), "draft": ("Save draft", "Entwurf")}


def request(random: Random) -> Case:
    """A button of another name that sends the recorded request."""
    acts = random.sample(list(DEEDS), random.randrange(1, 4))
    mine = acts[0]
    secret = "<input type=hidden name=_token value=a8f3c2b1d4e5f6a7b8c9>"

    def page(
        told: Sequence[tuple[str, str, str]], *, hidden: str = f"{secret}<input type=hidden name=kind value=post>"
    ) -> str:
        buttons = "".join(f"<button name=op value={value} {mark}>{words}</button>" for value, words, mark in told)
        opened = f"<form aria-label=Post method=post action=/posts/{random.randrange(10, 99)}>{hidden}"
        return f"<h2>Post</h2>{opened}<label>Text <input name=text></label>{buttons}</form>"

    before = page([(one, DEEDS[one][0], IT if one == mine else "") for one in acts])
    kind = random.choice(("renamed", "renamed", "only one", "hidden", "override", "plain", "two"))
    after = {
        "renamed": lambda: page([(one, DEEDS[one][1], "data-right" if one == mine else "") for one in acts]),
        "only one": lambda: page([(next(one for one in DEEDS if one != mine), "Go", "")]),
        "hidden": lambda: page([(mine, "Go", "")], hidden=f"{secret}<input type=hidden name=kind value=page>"),
        "override": lambda: page(
            [(mine, "Go", "")],
            hidden=f"{secret}<input type=hidden name=_method value=delete><input type=hidden name=kind value=post>",
        ),
        "plain": lambda: page([(mine, "Go", "")]).replace(f"name=op value={mine}", ""),
        "two": lambda: page([(mine, "Go", ""), (mine, "Go on", "")]),
    }[kind]()
    return Case(before, after, kind == "renamed", f"another name, {kind}")


def retyped(random: Random) -> Case:
    """A field for a number that takes a text now, or the other way round."""
    fields = [replace(one, type="text") for one in drawn_fields(random)]
    place, style = random.randrange(len(fields)), random.randrange(len(STYLES))
    was, now = random.choice((("number", "text"), ("text", "number")))
    kind = random.choice(("retyped", "retyped", "password", "date", "file", "label", "name", "form", "code"))
    told = replace(fields[place], type=was)
    changed = replace(told, type=now)
    extra = {}
    if kind in ("password", "date", "file"):
        changed = replace(told, type=kind)
    elif kind == "label":
        changed = replace(changed, label="Something else")
    elif kind == "name":
        changed = replace(changed, name="elsewhere")
    elif kind == "form":
        extra = {"action": "/other/42"}
    elif kind == "code":
        changed = replace(changed, mark="autocomplete=one-time-code")
    if kind == "retyped":
        changed = replace(changed, mark="data-right")
    before = [replace(told, mark=IT) if at == place else one for at, one in enumerate(fields)]
    after = [changed if at == place else one for at, one in enumerate(fields)]
    return Case(
        form(before, style),
        form(after, style, depth=random.randrange(3), **extra),
        kind == "retyped",
        f"{was} to {now}, {kind}",
    )


def listed(random: Random) -> Case:
    """A field for a text or a number that is a list now, or has suggestions: one option has to be what is put in."""
    fields = [replace(one, type="text") for one in drawn_fields(random)]
    place, style = random.randrange(len(fields)), random.randrange(len(STYLES))
    numbers = random.random() < 0.4
    offered = ["1", "2", "3", "12"] if numbers else ["Crime", "Crime, true", "Krimi & Thriller", "Städte", "crime"]
    given = random.choice(offered)
    told = replace(fields[place], type="number" if numbers else "text", mark=IT)
    kind = random.choice((*["one"] * 4, "none", "two", "disabled", "several", "suggested", "label", "form", "drawn"))
    sent = random.choice((str.lower, lambda text: f"v-{text}", lambda text: text)) if not numbers else str
    options = [(sent(one), one) for one in offered]
    if kind == "none":
        options = [(value, words) for value, words in options if given not in (value, words)]
    elif kind == "two":
        options.append((f"x{len(options)}", given) if random.random() < 0.5 else (given, "Something else"))
    equal = sum(given in one for one in options)
    off = "disabled" if kind == "disabled" else ""
    inside = "".join(
        f"<option value='{value}' {off if given in (value, words) else ''}>{words}" for value, words in options
    )
    honest = kind in ("one", "suggested") and equal == 1
    mark = "data-right" if honest else ""
    label = "Something else" if kind == "label" else told.label
    own = f"name='{told.name}' id=it-48213907 {mark}"
    field = {
        "several": f"<select multiple {own}>{inside}</select>",
        "suggested": f"<input list=those {own}><datalist id=those>{inside}</datalist>",
        "drawn": f"<input role=combobox aria-expanded=false {own}>",
    }.get(kind, f"<select {own}><option value=''>-{inside}</select>")
    rows = [
        STYLES[style](label, field, "it-48213907")
        if at == place
        else STYLES[style](one.label, one.html(f"f-{at}"), f"f-{at}")
        for at, one in enumerate(fields)
    ]
    action = "/other/42" if kind == "form" else "/things/42"
    after = f"<form method=post action={action}>{''.join(rows)}<button>Save</button></form>"
    before = [told if at == place else one for at, one in enumerate(fields)]
    return Case(form(before, style), after, honest, f"a list, {kind}, {given}", given)


GROUPS = ("Condition", "Zustand", "Do you deliver?", "Format", "État")
ANSWERS = (("Yes", "No"), ("New", "Good", "Worn"), ("Ja", "Nein", "Vielleicht"), ("Hardback", "Paperback"))


def radios(random: Random) -> Case:
    """A radio button of a form all of whose names are others now."""
    names = random.sample(("condition", "delivers", "format", "notes", "title"), 4)
    pattern = random.choice(NEW_NAMES)
    answers = random.choice(ANSWERS)
    titles = random.sample(GROUPS, 2)
    groups = [(titles[0], names[0], answers), (titles[1], names[1], answers if random.random() < 0.5 else ANSWERS[0])]
    at, which = random.randrange(2), random.randrange(2)
    kind = random.choice(
        (
            *["all"] * 5,
            "own only",
            "exchanged",
            "parted",
            "values",
            "stands",
            "relabelled",
            "another",
            "unnamed",
            "one name",
        )
    )
    around = random.choice(("fieldset", "div"))

    def whole(groups: Sequence[tuple[str, str, Sequence[str]]], note: str, mark: str, values: str) -> str:
        rows = []
        for place, (title, name, labels) in enumerate(groups):
            buttons = "".join(
                f"<label><input type=radio name='{name}' value={sent(labels, number, values)} "
                f"{mark if (place, number) == (at, which) else ''}> {label}</label>"
                for number, label in enumerate(labels)
            )
            named = "" if kind == "unnamed" else f"<legend>{title}</legend>"
            given = "" if kind == "unnamed" else f"aria-label='{title}'"
            rows.append(
                f"<fieldset>{named}{buttons}</fieldset>"
                if around == "fieldset"
                else f"<div role=radiogroup {given}>{buttons}</div>"
            )
        rest = f"<label>Notes <input name='{note}'></label><button>Save</button>"
        return f"<form method=post action=/things/42><h2>Thing</h2>{''.join(rows)}{rest}</form>"

    new = [(title, pattern.format(name), labels) for title, name, labels in groups]
    note = pattern.format(names[2])
    numbered = random.random() < 0.4

    def sent(labels: Sequence[str], number: int, values: str) -> str:
        """Numbers are what the site counts with; words say what they are."""
        own = labels[::-1][number] if values == "exchanged" else labels[number]
        return str(number + (7 if values == "counted on" else 0)) if numbered else own.lower()

    before = whole(groups, names[2], IT, "")
    if kind == "values" and (numbered or (len(groups[at][2]) % 2 and which == 1)):
        kind = "all"  # numbers say nothing, and the one in the middle stays
    honest = kind in ("all", "own only") or (
        kind == "unnamed" and groups[0][2] != groups[1][2] and not {*groups[0][2]} & {*groups[1][2]}
    )
    right = "data-right" if honest else ""
    if kind == "own only":
        new[1 - at], note = groups[1 - at], names[2]
    elif kind == "exchanged":
        new = [(titles[1], *new[0][1:]), (titles[0], *new[1][1:])]
    elif kind == "relabelled":
        new[at] = (*new[at][:2], [f"Not {label}" for label in new[at][2]])
    elif kind == "another":
        new[at] = (*new[at][:2], [*new[at][2], "Other"])
    elif kind == "one name":
        new[1 - at] = (new[1 - at][0], new[at][1], new[1 - at][2])
    after = whole(new, note, right, {"values": "exchanged", "all": random.choice(("", "counted on"))}.get(kind, ""))
    if kind == "stands":
        after = after.replace("<h2>", f"<input type=hidden name='{names[at]}' value=1><h2>")
    elif kind == "parted":
        after = after.replace(f"name='{new[at][1]}'", "name='something'", 1)
    return Case(before, after, honest, f"radio buttons, {kind}")


SIGNS = "\ue001\ue8b6\uf013\uf0c7\U000f0001"


def signs(random: Random) -> Case:
    """A button with a sign of an icon font in its name, or without it."""
    words = random.choice(("Save", "Neu", "Edit item", "Suche"))
    sign, other = random.sample(SIGNS, 2)
    how = random.choice(("text", "before", "after"))

    def button(mark: str, icon: str, said: str = words) -> str:
        if how == "text" or not icon:
            return f"<button {mark}><i>{icon}</i> {said}</button>"
        return f"<style>.i::{how}{{content:'{icon}'}}</style><button {mark} class=i>{said}</button>"

    def page(inside: str) -> str:
        return f"<section aria-label=Tools><h2>Tools</h2><form method=post action=/go>{inside}</form></section>"

    kind = random.choice(("gone", "gone", "new", "another", "two", "words"))
    had = "" if kind == "new" else sign
    after = {
        "gone": lambda: button("data-right", ""),
        "new": lambda: button("data-right", sign),
        "another": lambda: button("", other),
        "two": lambda: button("", "") + button("", other),
        "words": lambda: button("", "", "Remove"),
    }[kind]()
    honest = kind in ("gone", "new")
    return Case(page(button(IT, had)), page(after), honest, f"a sign, {kind}, {how}")


def untouched(random: Random) -> Case:
    """A form that is filled or sent, whose other fields are as they were, or send what another one held."""
    fields = drawn_fields(random, at_least=3)
    style, depth = random.randrange(len(STYLES)), random.randrange(4)
    it = random.choice((-1, *range(len(fields))))
    others = [at for at in range(len(fields)) if at != it]
    one, other = random.sample(others, 2)
    now = list(fields)
    kind = random.choice(("exchanged", "exchanged", "handed on", "renamed", "resorted", "gone"))
    if kind == "exchanged":
        now[one], now[other] = (
            replace(fields[one], name=fields[other].name),
            replace(fields[other], name=fields[one].name),
        )
    elif kind == "handed on":
        now[one], now[other] = replace(fields[one], name="anything"), replace(fields[other], name=fields[one].name)
    elif kind == "renamed":
        now[one] = replace(fields[one], name="anything")
    elif kind == "gone":
        now[one] = replace(fields[one], name="")
    honest = kind not in ("exchanged", "handed on")
    right = "data-right" if honest else ""
    before = [replace(field, mark=IT) if at == it else field for at, field in enumerate(fields)]
    after = [replace(field, mark=right) if at == it else field for at, field in enumerate(now)]
    if kind == "resorted":
        random.shuffle(after)
    was, then = form(before, style), form(after, style, depth=depth)
    if it < 0:
        was, then = was.replace("<button>", f"<button {IT}>"), then.replace("<button>", f"<button {right}>")
    return Case(was, then, honest, f"other fields, {kind}")


def same_thing(random: Random) -> Case:
    """A card of a thing whose button, or whose link, is of the same thing still, or of another one."""
    box = random.choice(BOXES)
    titles = random.sample(TITLES, random.randrange(2, 5))
    it = random.randrange(len(titles))
    other = random.choice([at for at in range(len(titles)) if at != it])
    first = random.randrange(2, 90_000)
    ways = random.choice((("/things/{}", "/things/{}/pin"), ("/view?id={}", "/pin?id={}"), ("/t/{}/edit", "/pin")))
    first += 480_000 if ways[1] == "/pin" else 0
    acts = random.random() < 0.6 or ways[1] == "/pin"

    def card(title: str, thing: int, does: int, mark: str, *, leads: bool = True) -> str:
        link = f"<a href='{ways[0].format(thing if acts else does)}' {'' if acts else mark}>Look</a>" if leads else ""
        link += f"<a href='{ways[0].format(thing)}&all=yes'>All of it</a>" if leads and "?" in ways[0] else ""
        hidden = f"<input type=hidden name=thing value={does if acts else thing}>" if ways[1] == "/pin" else ""
        button = f"<button {mark if acts else ''}>Pin</button>"
        form = f"<form method=post action='{ways[1].format(does if acts else thing)}'>{hidden}{button}</form>"
        own = box.replace(">", f" {key}={keys[titles.index(title)]}>", 1) if key else box
        return own.format(f"<h3>{title}</h3>{link}{form}")

    def page(
        ids: Sequence[int], does: Sequence[int], mark: str, *, order: Sequence[int] = (), leads: bool = True
    ) -> str:
        cards = [
            card(title, ids[at], does[at], mark if at == it else "", leads=leads or not acts)
            for at, title in enumerate(titles)
        ]
        inside = "".join(cards[at] for at in order or range(len(cards)))
        return f"<table><tbody>{inside}</tbody></table>" if box.startswith("<tr") else f"<div>{inside}</div>"

    ids = [first + 7 * at for at in range(len(titles))]
    key = random.choice(("", "data-id", "data-pk"))
    kind = random.choice(("other", "other", "next", "shifted", "resorted", "bare", *(["all"] * 2 if key else [])))
    now, does, order, keys = list(ids), list(ids), list(range(len(ids))), list(ids)
    if kind == "other":
        does[it], does[other] = ids[other], ids[it]
    elif kind == "next":
        does[it] += 1
    elif kind == "shifted":
        now = does = [one + 100_000 for one in ids]
    elif kind == "all":
        now = does = [ids[other if at == it else it if at == other else at] for at in range(len(ids))]
    elif kind == "resorted":
        random.shuffle(order)
    honest = kind not in ("other", "next", "all")
    before = page(ids, ids, IT)
    keys = [one + 100_000 for one in ids] if kind == "shifted" else keys
    after = page(now, does, "data-right" if honest else "", order=order, leads=kind != "bare")
    return Case(before, after, honest, f"thing, {kind}, {key}")


def out_of_sight(random: Random) -> Case:
    """A form that sends more than it did out of sight: a word, or what the site draws."""
    fields, style = drawn_fields(random), random.randrange(len(STYLES))
    had = random.choice(("", "<input type=hidden name=lang value=en>", "<input type=hidden name=csrf value=a8f00c13>"))
    kind = random.choice(("word", "word", "token", "empty", "number", "guard"))
    value = {
        "word": "somebody-else",
        "token": "9f8e7d6c5b4a39281706",
        "empty": "",
        "number": "48213907",
        "guard": "abc",
    }
    name = "auth_token" if kind == "guard" else "owner"
    more = f"<input type=hidden name={name} value='{value[kind]}'>"
    right = "" if kind == "word" else "data-right"
    before, after = form(fields, style, extra=had), form(fields, style, extra=had + more)
    return Case(
        before.replace("<button>", f"<button {IT}>"),
        after.replace("<button>", f"<button {right}>"),
        kind != "word",
        f"hidden, {kind}",
    )


def headed(random: Random) -> Case:
    """Links in the headings of cards, under headings of sections: what comes before in the list is none around one."""
    box, titles = random.choice(BOXES[:3]), random.sample(TITLES, 4)
    first, second = random.sample(WORDS, 2)
    kind = random.choice(("same", "resorted", "twin", "twin", "sections", "sections"))
    button = random.choice(("", "<button>Pin</button>"))

    def section(name: str, links: Sequence[tuple[str, str]]) -> str:
        cards = (
            f"{button}<h3><a href='/things/{random.randrange(1, 10**6)}' {mark}>{it}</a></h3>" for it, mark in links
        )
        return f"<div><h2>{name}</h2><div>{''.join(map(box.format, cards))}</div></div>"

    others, it = titles[1:], (titles[0], IT)
    place = random.randrange(4)
    shown = [(one, "") for one in others]
    before = [*shown[:place], it, *shown[place:]]
    if kind == "sections":
        more = section(second, [(titles[0], ""), (others[0], "")])
        after = section(first, [(one, mark.replace(IT, "data-right")) for one, mark in before])
        return Case(
            section(first, before) + more, random.choice((after + more, more + after)), True, "headed, sections"
        )
    now = [(one, mark.replace(IT, "data-right")) for one, mark in before]
    if kind == "resorted":
        random.shuffle(now)
    elif kind == "twin":
        # One of the two stands where the recorded one did, and which one that is nobody knows.
        now = [(one, "") for one, _ in before]
        now.insert(random.choice([place, place + 1, 4]), (titles[0], ""))
    return Case(section(first, before), section(first, now), kind != "twin", f"headed, {kind}")


PARTS = ("Billing", "Shipping", "Owner")
GROUPED = ("To read", "Reading", "Finished", "Borrowed")
SHELLS = (
    "<nav><a href=/>Home</a></nav><main>{}</main>",
    "<div id=app><nav><a href=/>Home</a></nav><div class=page>{}</div></div>",
    "<div id=root><section><h1>Books</h1>{}</section></div>",
)
HEADS = ("<h3>{}</h3>", "<span>{}</span>")


def acts(name: str, thing: int, how: int, mark: str) -> str:
    return (
        f"<form method=post action='/t/{thing}/act'><button {mark}>{name}</button></form>",
        f"<button type=button {mark}>{name}</button>",
        f"<button type=button aria-label='{name}' {mark}>x</button>",
    )[how]


def parts_of_things(random: Random) -> Case:
    """Things with the same parts, each of which has the same button: whose part it is only the thing says."""
    shell, box, how = random.choice(SHELLS), random.choice(BOXES[:3]), random.randrange(3)
    part_box = random.choice(("<li>{}</li>", "<div class=part>{}</div>", "<article>{}</article>"))
    titles, parts = random.sample(TITLES, random.randrange(2, 4)), random.sample(PARTS, 2)
    it, mine = random.randrange(len(titles)), random.randrange(2)
    head = random.choice(HEADS)

    def thing(at: int, mark: str, shown: Sequence[int] = (0, 1)) -> str:
        own = [
            f"<b>{parts[one]}</b>{acts('Change', at, how, mark if (at, one) == (it, mine) else '')}" for one in shown
        ]
        return box.format(head.format(titles[at]) + "<ul>" + "".join(map(part_box.format, own)) + "</ul>")

    def page(things: Sequence[str], before: str = "") -> str:
        return shell.format(f"{before}<div class=list>{''.join(things)}</div>")

    order = list(range(len(titles)))
    kind = random.choice(("same", "resorted", "parts resorted", "thing gone", "part gone", "said elsewhere"))
    honest = kind in ("same", "resorted", "parts resorted")
    if kind == "resorted":
        random.shuffle(order)
    now = [one for one in order if honest or one != it]
    shown = {one: (1, 0) if kind == "parts resorted" else (0, 1) for one in order}
    things = [thing(one, "data-right" if honest else "", shown[one]) for one in now]
    if kind == "part gone":
        things.insert(it, thing(it, "", (1 - mine,)))
    notice = f"<p>Removed: <b>{titles[it]}</b></p>" if kind == "said elsewhere" else ""
    return Case(page([thing(one, IT) for one in order]), page(things, notice), honest, f"parts, {kind}")


def words_elsewhere(random: Random) -> Case:
    """Cards of one title by words that the page shows elsewhere too: as filters, as a heading, in a notice."""
    shell, box, how = random.choice(SHELLS), random.choice((*BOXES[:3], "<div>{}</div>")), random.randrange(3)
    title, head = random.choice(TITLES), random.choice(HEADS)
    words = random.sample(WORDS, 4)
    things = [(0, words[:1]), (1, words[1:2]), (2, words[2:])][: random.randrange(2, 4)]
    it = random.randrange(len(things))
    nested = random.random() < 0.5
    filters = "<aside><ul>" + "".join(f"<li><a href='/f'>{word}</a></li>" for word in WORDS) + "</ul></aside>"
    before = random.choice(("", filters, f"<p class=crumbs>Books / <b>{words[0]}</b> / <b>{words[1]}</b></p>"))

    def card(thing: int, told: Sequence[str], mark: str) -> str:
        texts = head.format(title) + "".join(f"<span>{word}</span>" for word in told)
        button = acts("Delete", thing, how, mark)
        return box.format(f"<div>{texts}</div><div>{button}</div>" if nested else texts + button)

    def page(shown: Sequence[tuple[int, Sequence[str]]], mark: str, above: str = before) -> str:
        cards = (card(thing, told, mark if thing == it else "") for thing, told in shown)
        return shell.format(f"{above}<div class=list>{''.join(cards)}</div>")

    kind = random.choice(("same", "resorted", "gone", "lone", "lone", "heading", "notice"))
    honest = kind in ("same", "resorted")
    others = [one for one in things if one[0] != it]
    now = list(things) if honest else others if kind == "gone" else [random.choice(others)]
    if kind == "resorted":
        random.shuffle(now)
    mine = things[it][1]
    above = {
        "heading": f"<h2>{mine[0]}</h2>",
        "notice": f"<p>Deleted: <b>{title}</b> <i>{'</i> <i>'.join(mine)}</i></p>",
    }.get(kind, before)
    after = page(now, "data-right" if honest else "", above)
    return Case(page(things, IT), after, honest, f"words elsewhere, {kind}")


def groups_of_things(random: Random) -> Case:
    """Things of the same titles in groups, each below what the group is called."""
    shell, how = random.choice(SHELLS), random.randrange(3)
    around = random.choice(
        (
            "<section aria-label='{0}'>{1}</section>",
            "<article><h2>{0}</h2>{1}</article>",
            "<div><div><b>{0}</b></div>{1}</div>",
            "<h2>{0}</h2>{1}",
        )
    )
    titles = random.sample(TITLES, random.randrange(2, 4))
    groups = random.sample(GROUPED, random.randrange(2, 4))
    mine, it = random.randrange(len(groups)), random.randrange(len(titles))
    every = range(len(titles))

    def page(shown: Sequence[int], mark: str, lost: int = -1, format: str = around) -> str:
        told = []
        for group in shown:
            buttons = [acts("Delete", 9 * group + at, how, mark if (group, at) == (mine, it) else "") for at in every]
            cards = [f"<li><h4>{titles[at]}</h4>{buttons[at]}</li>" for at in every if (group, at) != (lost, it)]
            told.append(format.format(groups[group], f"<ul>{''.join(cards)}</ul>"))
        return shell.format("".join(told))

    order = list(range(len(groups)))
    kind = random.choice(("same", "regrouped", "thing gone", "group gone", "merged"))
    honest = kind in ("same", "regrouped")
    if kind == "regrouped":
        random.shuffle(order)
    other = random.choice([one for one in order if one != mine])
    after = {
        "thing gone": lambda: page([mine, other], "", lost=mine),
        "group gone": lambda: page([other], ""),
        "merged": lambda: page([other], "", format="<p>All groups</p>{1}"),
    }.get(kind, lambda: page(order, "data-right"))()
    return Case(page(range(len(groups)), IT), after, honest, f"groups, {kind}")


def links_of_a_card(random: Random) -> Case:
    """Links of a card: two have exchanged what they are called, or all lead elsewhere."""
    shell, box, titles = random.choice(SHELLS), random.choice(BOXES[:3]), random.sample(TITLES, random.randrange(1, 4))
    does = random.sample(("like", "report", "delete", "edit"), random.randrange(2, 4))
    it, drawn = random.randrange(len(titles)), random.random() < 0.5

    def page(names: Sequence[str], mark: str, only: int = -1, way: str = "/things/{}/{}") -> str:
        cards = []
        for at, title in enumerate(titles):
            called = names if only in (-1, at) else does
            marks = [mark if (at, name) == (it, does[0]) else "" for name in called]
            links = (
                f"<a href='{way.format(4 + at, to)}' "
                + (f"aria-label='{name}' {own}>x</a>" if drawn else f"{own}>{name}</a>")
                for to, name, own in zip(does, called, marks, strict=True)
            )
            cards.append(box.format(f"<h3>{title}</h3>" + " ".join(links)))
        return shell.format(f"<div class=list>{''.join(cards)}</div>")

    kind = random.choice(("same", "moved", "all exchanged", "one exchanged"))
    honest = kind in ("same", "moved")
    exchanged = [does[1], does[0], *does[2:]]
    after = {
        "same": lambda: page(does, "data-right"),
        "moved": lambda: page(does, "data-right", way="/t/{}/do/{}"),
        "all exchanged": lambda: page(exchanged, ""),
        "one exchanged": lambda: page(exchanged, "", it),
    }[kind]()
    return Case(page(does, IT), after, honest, f"links of a card, {kind}")


def numbered_choices(random: Random) -> Case:
    """A radio button or a box of a form whose choices are sent as numbers: all are others now, or two are exchanged."""
    labels = random.sample(("Spam", "Rude", "Off topic", "Other", "Gesperrt", "Autre"), random.randrange(2, 6))
    first, it = random.choice((0, 1, 7)), random.randrange(len(labels))
    numbers = [str(first + at) for at in range(len(labels))]

    def page(values: Sequence[str], mark: str, order: Sequence[int]) -> str:
        buttons = (
            f"<label><input type=radio name=reason value={values[at]} {mark if at == it else ''}> {labels[at]}</label>"
            for at in order
        )
        return f"<form method=post action=/flag><fieldset><legend>Why?</legend>{''.join(buttons)}</fieldset></form>"

    order = list(range(len(labels)))
    kind = random.choice(("same", "counted on", "resorted", "exchanged", "others exchanged"))
    now = list(numbers)
    if kind == "counted on":
        now = [str(int(one) + random.choice((1, 30))) for one in numbers]
    elif kind == "resorted":
        random.shuffle(order)
    elif kind != "same":
        rest = [at for at in order if at != it]
        one, other = (it, random.choice(rest)) if kind == "exchanged" or len(rest) < 2 else random.sample(rest, 2)
        now[one], now[other] = now[other], now[one]
    honest = now[it] == numbers[it] or kind == "counted on"
    after = page(now, "data-right" if honest else "", order)
    return Case(page(numbers, IT, range(len(labels))), after, honest, f"numbered choices, {kind}")


STRICT = {
    "numbered choices": numbered_choices,
    "links of a card": links_of_a_card,
    "parts of things": parts_of_things,
    "words elsewhere": words_elsewhere,
    "groups of things": groups_of_things,
    "headed": headed,
    "same thing": same_thing,
    "out of sight": out_of_sight,
    "untouched": untouched,
    "renamed": lambda random: renamed(random, every=False),
    "same title": same_title,
    "members": members,
    "twins": twins,
}
HEAL = {
    "same thing": same_thing,
    "out of sight": out_of_sight,
    "untouched": untouched,
    "renamed": lambda random: renamed(random, every=True),
    "request": request,
    "retyped": retyped,
    "listed": listed,
    "radios": radios,
    "signs": signs,
}
