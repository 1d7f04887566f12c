"""The pages of a drafted site, as HTML. Not responsible for: who asks for them."""

from __future__ import annotations

import html
import itertools
import random
from typing import Any

from tests.sites.drafted.site import FIELDS, KINDS, Drafted

LABELS = {"title": "Title", "text": "Text", "kind": "Kind", "amount": "Amount", "due": "Due day", "open": "Open"}
_NUMBERS = itertools.count(random.randrange(100, 900))


class Pages:
    """The pages of a site."""

    def __init__(self, site: Drafted, tokens: set[str]) -> None:
        self.site = site
        self.tokens = tokens

    def labelled(self, name: str, control: str, *, text: bool = False) -> str:
        """Give a control, written with ``{}`` where its attributes go, with its label in the site's way."""
        words, way = LABELS[name], self.site.ways["labels"]
        if way == "placeholder" and text:
            return f"<p>{control.format(f'placeholder={words}')}"
        if way in ("aria", "placeholder"):
            return f"<p>{control.format(f'aria-label={words!r}')}"
        if way == "for":
            id = f"f{next(_NUMBERS)}"
            return f"<p><label for={id}>{words}</label> {control.format(f'id={id}')}"
        return f"<p><label>{words} {control.format('')}</label>"

    def token(self) -> str:
        """Give a token that the site takes, another one each time; empty where it asks for none."""
        if self.site.ways["guard"] != "token":
            return ""
        token = f"{random.getrandbits(120):x}"
        self.tokens.add(token)
        return token

    def guard(self, thing: dict[str, Any]) -> str:
        """Give the hidden fields without which the site refuses a form."""
        way = self.site.ways["guard"]
        if way == "token":
            return f"<input type=hidden name=token value={self.token()}>"
        return f"<input type=hidden name=version value={thing.get('version', 0)}>" if way == "version" else ""

    def form(self, at: str, thing: dict[str, Any]) -> str:
        """Give the form of a thing, or of a new one, as it is sent to an address."""
        kind = " enctype=multipart/form-data" if self.site.ways["sent"] == "multipart" else ""
        auto = f" data-auto={thing['id']}" if "id" in thing and self.site.ways["edits"] == "auto" else ""
        return f'<form method=post action="{html.escape(at)}"{kind}{auto}>{self.fields(thing)}</form>'

    def new(self) -> str:
        """Give what makes a thing without leaving the list, where a site has that."""
        if self.site.ways["makes"] != "dialog":
            return ""
        form = "<div data-new></div>" if self.site.scripted else self.form("/things/new", {})
        return f"<details><summary>New</summary>{form}</details>"

    def fields(self, thing: dict[str, Any]) -> str:
        """Give the fields of a form, filled."""
        say = {name: html.escape(str(thing.get(name, "")), quote=True) for name in FIELDS}
        kinds = {"": "Choose", **KINDS}
        if self.site.ways["inputs"] == "radios":
            boxes = "".join(
                f"<label><input type=radio name=kind value={value}{' checked' if value == thing.get('kind') else ''}> "
                f"{words}</label> "
                for value, words in KINDS.items()
            )
            kind = f"<fieldset><legend>Kind</legend>{boxes}</fieldset>"
        else:
            options = "".join(
                f'<option value="{value}"{" selected" if value == thing.get("kind") else ""}>{words}'
                for value, words in kinds.items()
            )
            kind = self.labelled("kind", f"<select name=kind {{}}>{options}</select>")
        checked = " checked" if thing.get("open") else ""
        if self.site.ways["inputs"] == "switch":
            hidden = "style='position:absolute;opacity:0;width:0;height:0;margin:0'"
            open_ = (
                f"<p><label><input name=open type=checkbox{checked} {hidden}>"
                "<span style='display:inline-block;width:2em;height:1em;border:1px solid'></span> Open</label>"
            )
        else:
            open_ = f"<p><label><input name=open type=checkbox{checked}> Open</label>"
        steps = self.site.ways["makes"] == "steps"
        further = "<p><button type=button data-further>Next step</button></div><div hidden>" if steps else ""
        saves = "" if "id" in thing and self.site.ways["edits"] == "auto" else "<p><button>Save</button>"
        return (
            self.guard(thing)
            + ("<div>" if steps else "")
            + self.labelled("title", f'<input name=title value="{_plain(say["title"])}" {{}}>', text=True)
            + self.labelled("text", f"<textarea name=text {{}}>{_plain(say['text'])}</textarea>", text=True)
            + further
            + kind
            + self.labelled("amount", f'<input name=amount type=number step=any value="{say["amount"]}" {{}}>')
            + self.labelled("due", f'<input name=due type=date value="{say["due"]}" {{}}>')
            + open_
            + saves
            + ("</div>" if steps else "")
        )

    def act(self, act: str, called: str, words: str, more: str = "") -> str:
        """Give a button that does something."""
        if self.site.scripted:
            return f'<button type=button data-act={act} data-id="{html.escape(called)}"{more}>{words}</button>'
        at = html.escape(self.site.address(called, act))
        token = self.guard({}) if self.site.ways["guard"] == "token" else ""
        return f'<form method=post action="{at}">{token}<button{more}>{words}</button></form>'

    def pin(self, one: dict[str, Any]) -> str:
        """Give what pins a thing."""
        on, way = one["pinned"], self.site.ways["pins"]
        if way == "pressed":
            return self.act("pin", one["id"], "Pin", f" aria-pressed={'true' if on else 'false'}")
        if way == "words":
            return self.act("pin", one["id"], "Unpin" if on else "Pin")
        return self.act("pin", one["id"], "Pin", f' class="pin {"pinned" if on else "loose"}"')

    def remove(self, one: dict[str, Any]) -> str:
        """Give what removes a thing."""
        way = self.site.ways["removes"]
        if way == "menu":
            return f"<details><summary>More</summary>{self.act('remove', one['id'], 'Remove')}</details>"
        if way == "many":
            return ""
        if way == "asks" and not self.site.scripted:
            return f'<a href="{html.escape(self.site.address(one["id"], "remove"))}">Remove</a>'
        return self.act("remove", one["id"], "Remove")

    def edit(self, one: dict[str, Any]) -> str:
        """Give the link to the form of a thing."""
        return f'<a href="{html.escape(self.site.address(one["id"], "edit"))}">Edit</a>'

    def beside(self, one: dict[str, Any]) -> str:
        """Give what may be done to a thing, or that it was removed."""
        if one["removed"]:
            return "<i>Removed</i>"
        edit = "" if self.site.ways["edits"] == "inline" else self.edit(one)
        return f"{self.pin(one)} {edit} {self.remove(one)}"

    def listed(self, page: int) -> str:
        """Give a page of the list."""
        site, found = self.site, []
        for one in site.listed(page):
            title = html.escape(str(one["title"]))
            called = f'<a href="{html.escape(one["at"])}">{title}</a>' if one["at"] else f"<b>{title}</b>"
            said = [html.escape(one["written"][name]) for name in site.lists]
            if site.ways["removes"] == "many" and not one["removed"]:
                box = f'<input type=checkbox form=many name=id value="{html.escape(one["id"])}"'
                called = f'{box} aria-label="Choose {title}"> {called}'
            beside = self.beside(one) if not one["at"] or one["removed"] else self.pin(one)
            if site.ways["list"] == "table":
                found.append(f"<tr><td>{called}{''.join(f'<td>{each}' for each in said)}<td>{beside}</tr>")
            elif site.ways["list"] == "cards":
                told = "".join(f"<p>{LABELS[name]}: {each}" for name, each in zip(site.lists, said, strict=True))
                found.append(
                    f'<div class=card data-id="{html.escape(one["id"])}"><h2>{called}</h2>{told}{beside}</div>'
                )
            else:
                found.append(f"<li>{called} {' · '.join(said)} {beside}")
        heads = "".join(f"<th>{LABELS[name]}" for name in ("title", *site.lists))
        within = {"table": f"<table><thead><tr>{heads}<th></thead><tbody>", "cards": "<section>", "rows": "<ul>"}
        ends = {"table": "</table>", "cards": "</section>", "rows": "</ul>"}
        way = site.ways["list"]
        follows = site.ways["paged"] == "threes" and bool(site.listed(page + 1))
        more = f'<p><a href="/things?page={page + 1}">Next</a>' if follows else ""
        count = f" ({len(site.data())})" if site.ways["counts"] == "counts" else ""
        many = ""
        if site.ways["removes"] == "many":
            button = " type=button data-many" if site.scripted else ""
            token = self.guard({}) if site.ways["guard"] == "token" else ""
            many = f"<form id=many method=post action=/remove-many>{token}<button{button}>Remove chosen</button></form>"
        return f"<h1>Things{count}</h1>{self.new()}{within[way]}{''.join(found)}{ends[way]}{more}{many}"

    def binned(self) -> str:
        """Give the bin."""
        gone = [html.escape(str(one["title"])) for one in self.site.data(binned=True)]
        return f"<h1>Bin</h1><ul>{''.join(f'<li>{each}' for each in gone)}</ul>"

    def shown(self, called: str) -> str:
        """Give the page of a thing."""
        site = self.site
        one = next((each for each in site.data() if each["id"] == called), None)
        if one is None:
            return ""
        said = {name: html.escape(one["written"][name]) for name in site.shows}
        if site.ways["edits"] == "inline" and not one["removed"]:
            for name in ("text", "amount"):
                value, at = html.escape(str(one[name])), html.escape(called)
                said[name] += (
                    f' <button type=button data-inline={name} data-id="{at}" data-value="{value}" '
                    f'aria-label="Change {LABELS[name]}">✎</button>'
                )
        told = {
            "dl": "<dl>" + "".join(f"<dt>{LABELS[name]}<dd>{each}" for name, each in said.items()) + "</dl>",
            "table": "<table>" + "".join(f"<tr><th>{LABELS[n]}<td>{each}" for n, each in said.items()) + "</table>",
            "prose": "".join(f"<p>{LABELS[name]}: {each}" for name, each in said.items()),
        }[site.ways["page"]]
        seen = ""
        if site.ways["counts"] == "counts":
            site.things[called]["seen"] += 1
            seen = f"<p>Seen {site.things[called]['seen']} times; changed {random.randrange(1, 59)} seconds ago."
        return f"<h1>{html.escape(str(one['title']))}</h1>{told}{self.beside(one)}{seen}{self.notes(one)}"

    def notes(self, one: dict[str, Any]) -> str:
        """Give what was noted of a thing, and what notes more."""
        if self.site.ways["notes"] == "no" or one["removed"]:
            return ""
        said = "".join(f"<li>{html.escape(each)}" for each in one["notes"])
        at = html.escape(self.site.address(one["id"], "note"))
        token = self.guard({}) if self.site.ways["guard"] == "token" else ""
        return (
            f'<h2>Notes</h2><ul>{said}</ul><form method=post action="{at}" data-note="{html.escape(one["id"])}">{token}'
            "<label>Note <textarea name=note></textarea></label><button>Add note</button></form>"
        )

    def view(self, step: str, called: str, query: dict[str, str]) -> tuple[int, str, str]:
        """Give status and HTML of a view, and whose form it ends with: ``new`` for nobody's."""
        things = {one["id"]: one for one in self.site.data()}
        can = called in things and not things[called]["removed"]
        match step:
            case "home" | "about":
                return 200, "<h1>Welcome</h1><p>This is a place for things.", ""
            case "things":
                return 200, self.listed(int(query.get("page", "1"))), ""
            case "bin":
                return 200, self.binned(), ""
            case "new":
                return 200, "<h1>New thing</h1>", "new"
            case "edit" if can:
                return 200, "<h1>Change a thing</h1>", called
            case "thing" if called in things:
                return 200, self.shown(called), ""
            case "remove" if can:
                return 200, f"<h1>Remove it?</h1>{self.act('remove', called, 'Yes, remove')}", ""
        return 404, "<h1>There is nothing here</h1>", ""


def _plain(text: str) -> str:
    """Give a text as ``str.format`` leaves it."""
    return text.replace("{", "{{").replace("}", "}}")
