# ruff: noqa: E501
"""What is put into a field is read back: a generated table of fields, ways of putting in, and what pages do with it."""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from simulator.browser.find import Find
from simulator.browser.written import Became, NotTaken, fold, means
from simulator.errors import ToolError
from tests.browser.conftest import Answer

pytestmark = pytest.mark.asyncio(loop_scope="session")
FIELD = Find("css", "#f")
WORDS = "const get = () => el.isContentEditable ? el.innerText : el.value; const put = (t) => el.isContentEditable ? (el.textContent = t) : (el.value = t);"
CASES: dict[str, tuple[str, str, Became | str]] = {
    # name: attributes of the field, what its page does, and what became of it
    "plain": ("", "", "held"),
    "capitals": ("", "el.oninput = () => put(get().toUpperCase())", "held"),
    "drawn anew": ("", "el.oninput = () => { const v = get(); const n = el.cloneNode(true); el.replaceWith(n); if ('value' in n) n.value = v; else n.textContent = v; }", "held"),
    "cut by the page": ("", "el.oninput = () => put(get().slice(0, 2))", "changed"),
    "another text with it": ("", "el.oninput = () => put('No. 9: ' + get().replace(/^No. 9: /, ''))", "changed"),
    "emptied at once": ("", "el.oninput = () => put('')", "nothing"),
    "emptied in a moment": ("", "el.oninput = () => setTimeout(() => put(''), 30)", "nothing"),
    "emptied with a sentence": ("", "el.oninput = () => { said.textContent = `You may not write ${get()} here`; put(''); }", "nothing"),
    "set back": ("", "const old = get(); el.oninput = () => Promise.resolve().then(() => put(old))", "nothing"),
    "drawn anew and empty": ("", "el.oninput = () => { const n = el.cloneNode(); if ('value' in n) n.value = ''; el.replaceWith(n); }", "nothing"),
    "keys refused": ("", "el.addEventListener('beforeinput', (e) => e.preventDefault())", "nothing"),
    "something else": ("", "el.oninput = () => put('?')", "nothing"),
    "sent and emptied": ("", "el.onkeyup = () => { fetch('/take', {method: 'POST', body: get()}); put(''); }", "reacted"),
    "asked and emptied": ("", "el.onkeyup = () => { fetch('/ask?q=' + get()); put(''); }", "nothing"),
    "sent, refused and emptied": ("", "el.onkeyup = () => { fetch('/refuse', {method: 'POST', body: get()}); put(''); }", "nothing"),
    "leaves": ("", "el.onkeyup = () => el.remove()", "reacted"),
    "leads elsewhere": ("", "el.onkeyup = () => { location.href = '/other'; }", "reacted"),
    "disabled": ("disabled", "", "error"),
    "readonly": ("readonly", "", "error"),
}  # fmt: skip
TEXTS = {
    "text": "moss", "search": "moss", "tel": "4711", "url": "http://moss.example", "email": "moss@example.org",
    "number": "4711", "password": "mossy-hill", "textarea": "moss", "contenteditable": "moss",
}  # fmt: skip


@dataclass(frozen=True)
class Case:
    """One cell of the table."""

    type: str
    kind: str
    name: str

    @property
    def possible(self) -> bool:
        if self.type == "contenteditable" and self.name in ("capitals", "another text with it") and self.kind == "type":
            return False  # the caret goes to the beginning
        words = self.name in ("another text with it", "something else") and self.type == "number"
        plain = self.name in ("disabled", "readonly") and self.type == "contenteditable"
        # A script puts nothing between the keys that a user types: what is typed by key after it is another text.
        keyed = self.kind == "type" and self.name in ("drawn anew", "drawn anew and empty", "leaves", "leads elsewhere")
        return not (words or plain or keyed)

    @property
    def expected(self) -> str:
        if self.type == "password" and self.name == "capitals":
            return "changed"  # a secret is right letter by letter
        if self.kind == "type" and self.name == "readonly":
            return "nothing"  # keys are pressed in what takes none
        if self.kind == "type" and self.name == "another text with it":
            return "held"
        return CASES[self.name][2]

    @property
    def page(self) -> str:
        attributes, script, _ = CASES[self.name]
        field = {
            "textarea": f"<textarea id=f aria-label=Field {attributes}></textarea>",
            "contenteditable": f"<div id=f contenteditable role=textbox aria-label=Field {attributes}></div>",
        }.get(self.type, f"<input id=f type={self.type} aria-label=Field {attributes}>")
        return f"{field}<p id=said></p><script>{{ const el = document.getElementById('f'); {WORDS} {script} }}</script>"


TABLE = [case for cells in product(TEXTS, ("fill", "type"), CASES) if (case := Case(*cells)).possible]
SOME = random.Random(13).sample(TABLE, 48)


async def play(stage: Any, site: Any, case: Case) -> None:
    site.routes["POST /take"], site.routes["/ask"] = Answer("ok"), Answer("ok")
    site.routes["POST /refuse"] = Answer("no", 422)
    site.page("/other", "<h1>Other</h1>")
    await stage.show(site, case.page)
    text = TEXTS[case.type]
    actor = stage.actor
    put = actor.fill if case.kind == "fill" else actor.type_text
    became, written = "", None
    try:
        # What is refused takes the whole time; what is taken has all that a busy machine needs.
        patience_ms = 700 if case.expected == "error" else 10_000
        written = (await put(FIELD, text, timeout_ms=patience_ms)).written
        became = written.became
    except NotTaken as refusal:
        became = refusal.report.written.became
    except ToolError as error:
        became = {"not_actionable": "error"}.get(error.type, error.type)
    assert became == case.expected, (case, written)
    read = "el => el.isContentEditable ? el.innerText : el.value"
    found = await actor.page.locator("#f").evaluate_all(f"found => found.map({read})")
    if became == "held":
        assert found, case
        assert means(found[0], text) or (case.kind == "type" and text in found[0]), case
    if written and written.reads is not None:
        assert fold(found[0]) == fold(written.reads), case
    if case.type == "password":
        assert written is None or written.reads is None
        assert text not in repr(stage.notes)


@pytest.mark.breadth(6)
@pytest.mark.parametrize("case", SOME, ids=lambda case: f"{case.type}-{case.kind}-{case.name}")
async def test_the_answer_is_what_the_page_holds(stage: Any, site: Any, case: Case) -> None:
    await play(stage, site, case)


@pytest.mark.slow
@pytest.mark.parametrize("case", TABLE, ids=lambda case: f"{case.type}-{case.kind}-{case.name}")
async def test_the_answer_is_what_the_page_holds_whole(stage: Any, site: Any, case: Case) -> None:
    await play(stage, site, case)


LIST = "<select id=f aria-label=Genre><option>None<option value=p>Poetry<option>Crime</select><ul id=made></ul>"
BOX = "<label><input type=checkbox id=f> News</label>"
FILE = "<label>Photo <input type=file id=f></label><div id=made></div>"
TAKE = "fetch('/take', {method: 'POST', body: 'x'})"
ADD = "made.append(Object.assign(document.createElement('li'), {textContent: %s}))"
OTHERS: list[tuple[str, str, str, Became]] = [
    ("select", LIST, "", "held"),
    ("select", LIST, "setTimeout(() => { el.value = 'None'; }, 20)", "nothing"),
    ("select", LIST, "el.value = 'Crime'", "nothing"),
    ("select", LIST, "setTimeout(() => { el.value = 'None'; }, 20); " + ADD % "'Poetry'", "reacted"),
    ("select", LIST, "setTimeout(() => { el.value = 'None'; }, 20); " + ADD % "'No Poetry here'", "nothing"),
    ("select", LIST, "location.href = '/other'", "reacted"),
    ("check", BOX, "", "held"),
    ("check", BOX, "el.checked = false", "nothing"),
    ("check", BOX, "setTimeout(() => { el.checked = false; }, 20)", "nothing"),
    ("check", BOX, TAKE + ".then(() => { el.checked = false; })", "nothing"),
    ("check", BOX, "el.closest('label').remove()", "reacted"),
    ("upload", FILE, "", "held"),
    ("upload", FILE, "el.value = ''", "nothing"),
    ("upload", FILE, "el.value = ''; made.textContent = 'note.txt is not a picture'", "nothing"),
    ("upload", FILE, ADD % "el.files[0].name" + "; el.value = ''", "reacted"),
    ("upload", FILE, ADD % "`${el.files[0].name} (5 bytes) \u00d7`" + "; el.value = ''", "reacted"),
    ("upload", FILE, TAKE + "; el.value = ''", "reacted"),
    ("upload", FILE, "fetch('/refuse', {method: 'POST', body: 'x'}); el.value = ''", "nothing"),
    ("upload", FILE, "made.innerHTML = `<img src='${URL.createObjectURL(el.files[0])}'>`; el.value = ''", "reacted"),
    (
        "upload",
        FILE,
        "const d = new DataTransfer(); d.items.add(new File(['ab'], 'small.txt')); el.files = d.files",
        "changed",
    ),
    ("upload", FILE.replace("id=f", "id=f disabled"), "", "nothing"),
]


@pytest.mark.breadth(5)
@pytest.mark.parametrize(("kind", "field", "script", "expected"), OTHERS)
async def test_lists_boxes_and_files(
    stage: Any, site: Any, tmp_path: Path, kind: str, field: str, script: str, expected: Became
) -> None:
    site.routes["POST /take"], site.routes["POST /refuse"] = Answer("ok"), Answer("no", 422)
    site.page("/other", "<h1>Other</h1>")
    await stage.show(
        site, f"{field}<script>const el = document.getElementById('f'); el.onchange = () => {{ {script} }};</script>"
    )
    note = tmp_path / "note.txt"
    note.write_text("Hello", "utf-8")
    actor = stage.actor
    put = {
        "select": lambda: actor.select(FIELD, "Poetry"),
        "check": lambda: actor.check(FIELD),
        "upload": lambda: actor.upload(FIELD, path=note, sha256="0" * 64),
    }[kind]
    if expected == "nothing":
        with pytest.raises(NotTaken) as refused:
            await put()
        assert refused.value.report.written.became == "nothing"
        return
    written = (await put()).written
    assert written.became == expected, written
    assert (written.reads == "small.txt (2 bytes)") == (expected == "changed")


@pytest.mark.parametrize(
    "field",
    ["<input id=f name=title>", "<input id=f type=checkbox>", "<button id=f>Send</button>", "<select id=f></select>"],
)
async def test_what_takes_no_file_is_given_none(stage: Any, site: Any, tmp_path: Path, field: str) -> None:
    await stage.show(site, field)
    note = tmp_path / "note.txt"
    note.write_text("Hello", "utf-8")
    with pytest.raises(ToolError, match="takes no file"):
        await stage.actor.upload(FIELD, path=note, sha256="0" * 64)
    assert [start.kind for start in stage.notes.started] == ["goto"]


@pytest.mark.parametrize("type", [*TEXTS, "date"])
@pytest.mark.parametrize(
    "script",
    [
        "name.onblur = () => put(first)",
        "el.onfocus = () => put(first)",
        "el.value = first; el.onfocus = () => el.setSelectionRange?.(99, 99)",
    ],
    ids=["as the last one is left", "as it is come to", "the caret"],
)
async def test_a_text_takes_the_place_of_what_the_page_writes_as_the_focus_comes(
    stage: Any, site: Any, type: str, script: str
) -> None:
    if type == "contenteditable" or ("Range" in script and type in ("number", "email", "date")):
        pytest.skip("editors keep a selection of their own, and these fields have no caret")
    field = "<textarea id=f></textarea>" if type == "textarea" else f"<input id=f type={type}>"
    first, text = ("2026-01-01", "2026-09-14") if type == "date" else ("9", TEXTS.get(type, ""))
    await stage.show(
        site,
        f"<input id=name>{field}<script>const el = document.getElementById('f'), first = '{first}'; {WORDS} {script}"
        "</script>",
    )
    await stage.actor.fill(Find("css", "#name"), "Anna")
    written = (await stage.actor.fill(FIELD, text)).written
    assert await stage.actor.page.locator("#f").input_value() == text
    assert (written.became, written.reads) == ("held", None)
    # Keys are pressed where the caret is.
    if type == "text" and "put" in script:
        await stage.actor.type_text(FIELD, "s")
        assert await stage.actor.page.locator("#f").input_value() in (f"{text}s", f"{first}s")


async def test_a_field_that_takes_a_text_once_it_is_pressed_is_pressed(stage: Any, site: Any) -> None:
    """A title is edited in place so: until it is pressed, the page sets it back."""
    await stage.show(
        site,
        "<input id=f value=Untitled><p id=said></p><script>let on = false, was = f.value; f.onclick = () => { on = true };"
        "f.oninput = () => { if (on) was = f.value; f.value = was; said.textContent += '.'; }</script>",
    )
    written = (await stage.actor.fill(FIELD, "Harbour figures")).written
    assert (written.became, written.reads) == ("held", None)
    assert await stage.actor.page.locator("#f").input_value() == "Harbour figures"


async def test_keys_go_where_text_is_taken(stage: Any, site: Any) -> None:
    await stage.show(site, "<button id=f>Send</button>")
    with pytest.raises(NotTaken, match="takes no text"):
        await stage.actor.type_text(FIELD, "moss")
    await stage.show(site, "<canvas id=f tabindex=0></canvas><script>f.onkeydown = (e) => e.preventDefault()</script>")
    assert (await stage.actor.type_text(FIELD, "moss")).written.note == "the page took the keys itself"
    await stage.show(
        site,
        "<textarea id=f style='opacity:0;width:1px;height:1px'></textarea><pre id=shown></pre><script>"
        "f.oninput = () => { shown.append(f.value); f.value = ''; }</script>",
    )
    assert (await stage.actor.type_text(FIELD, "moss")).written.became == "reacted"


async def test_an_enter_that_ends_a_text_may_empty_its_field(stage: Any, site: Any) -> None:
    await stage.show(site, "<form onsubmit='event.preventDefault(); f.value = String()'><input id=f></form>")
    written = (await stage.actor.type_text(FIELD, "moss\n")).written
    assert (written.became, written.reads) == ("reacted", "")


@pytest.mark.parametrize(
    ("drawn", "is_one"),
    [("<span id=f>Private</span>", False), ("<label>Private <input type=checkbox id=f></label>", True)],
)
async def test_what_is_no_box_is_not_cleared(stage: Any, site: Any, drawn: str, is_one: bool) -> None:
    await stage.show(site, drawn)
    if is_one:
        assert (await stage.actor.check(FIELD, False)).outcome.status == "done"
        return
    with pytest.raises(ToolError, match="Not a checkbox"):
        await stage.actor.check(FIELD, False)
    assert stage.notes.ended[-1].status == "failed"
