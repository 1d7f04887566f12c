"""Things that a script draws without an id: what was sent of them is proven by their data, or they are gone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.messages_api import Reply, call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what a script writes")

PAGE = """<div id=app></div><script>
const app = document.getElementById("app"), $ = (one) => app.querySelector(one), $$ = (all) => [...app.querySelectorAll(all)];
const api = (method, path, body) =>
  fetch("/api" + path, { method, headers: { "content-type": "application/json" }, body: body && JSON.stringify(body) });
const list = (more) => `<ul>` + things.map((one) => `<li><span>${one.name}</span> ${more(one)}</li>`).join("") + `</ul>`;
let things, all = async () => (await api("GET", "/things")).json();
const draw = async () => { things = await all(); show(); };
const write = async (...what) => { await api(...what); draw(); };
SHOW
draw();
</script>"""  # noqa: E501


@dataclass(frozen=True)
class Way:
    """How a page lets its user change the second of three things, or make one."""

    show: str
    """What draws the things."""
    acts: tuple[Reply, ...]
    unseen: str
    """What is not seen again where the site loses it."""
    red: bool = True


def entered(name: str, text: str) -> tuple[Reply, Reply]:
    """Fill a field, and press Enter in it."""
    return call("fill", selector=name, value=text), call("press_key", key="Enter")


ADDED = (
    call("fill", selector="Name", value="Boat house"),
    call("select", selector="Size", label="L"),
    call("click", selector="Add"),
)
BUTTON = "li:nth-of-type(2) button"
ASKING = """function show() {
  app.innerHTML = list(() => `<button>Delete</button>`) + `ASKS`;
  let chosen; $$("li button").forEach((one, at) => { one.onclick = () => { chosen = things[at]; OPEN } });
  $(".yes").onclick = () => write("DELETE", "/things/" + chosen.id);
}"""
MENU = """function show() {
  app.innerHTML = list((one) => `<em>${one.state}</em> <button>State</button>`)
    + `<div role=menu hidden><div role=menuitem>open</div><div role=menuitem>done</div></div>`;
  let chosen; $$("li button").forEach((one, at) => { one.onclick = () => { chosen = things[at].id; $("div").hidden = false } });
  $$("[role=menuitem]").forEach((one) => { one.onclick = () => write("PATCH", "/things/" + chosen, { state: one.textContent }) });
}"""  # noqa: E501
STEPPER = """function show() {
  app.innerHTML = list((one) => `<b>${one.count}</b> <button aria-label=More>+</button>`);
  $$("button").forEach((one, at) => { one.onclick = () => write("PATCH", "/things/" + things[at].id, { count: things[at].count + 1 }) });
}"""  # noqa: E501
RENAME = """function show() {
  app.innerHTML = list(() => `<button>Rename</button>`);
  $$("li").forEach((one, at) => { one.querySelector("button").onclick = () => {
    one.innerHTML = `<input aria-label=Name>`;
    one.firstChild.value = things[at].name;
    one.firstChild.onkeydown = ({ key, target }) => key === "Enter" && write("PATCH", "/things/" + things[at].id, { name: target.value });
  } });
}"""  # noqa: E501
TAGS = """function show() {
  const [one] = things, tags = [...one.tags], chips = () => { $("div").textContent = tags.join(" ") };
  app.innerHTML = `<h1>${one.name}</h1><div></div><input aria-label=Tag><button>Save</button>`; chips();
  $("input").onkeydown = ({ key, target }) => { if (key === "Enter") { tags.push(target.value); target.value = ""; chips(); } };
  $("button").onclick = () => write("PATCH", "/things/" + one.id, { tags });
}"""  # noqa: E501
DRAG = """function show() {
  const cards = (state) => things.filter((one) => one.state === state).map((one) => `<p draggable=true data-id=${one.id}>${one.name}</p>`);
  app.innerHTML = ["open", "done"].map((state) => `<section aria-label=${state} style="min-height: 9em">${cards(state).join("")}</section>`).join("");
  let held; $$("p").forEach((one) => { one.ondragstart = () => { held = one.dataset.id } });
  $$("section").forEach((one) => { one.ondragover = (event) => event.preventDefault();
    one.ondrop = (event) => { event.preventDefault(); write("PATCH", "/things/" + held, { state: one.ariaLabel }) } });
}"""  # noqa: E501
NEW = """function show() {
  app.innerHTML = list((one) => one.size) + `<label>Name <input></label><label>Size <select><option>S<option>L</select></label><button>Add</button>`;
  $("button").onclick = () => write("POST", "/things", { name: $("input").value, size: $("select").value });
}"""  # noqa: E501
NAMED = NEW.replace("{ name", "{ id: crypto.randomUUID(), name")
WHOLE = NEW.replace('"POST", "/things", {', '"PUT", "/things", [...things, {').replace("value });", "value }]);")
DATED = """function show() {
  app.innerHTML = list((one) => one.day || "") + `<form><label>Name <input name=name></label><label>Day <input name=day></label><button type=button>Add</button></form>`;
  const [name, day] = $$("input");
  day.onblur = () => { if (day.value && !/^\\d\\d\\/\\d\\d\\/\\d{4}$/.test(day.value)) day.value = "01/02/2027" };
  $("button").onclick = () => write("POST", "/things", { name: name.value, day: day.value.replace(/(..)\\/(..)\\/(....)/, "$3-$1-$2") });
}"""  # noqa: E501
BOUNDED = """function show() {
  app.innerHTML = list((one) => "") + `<form><label>Name <input name=name></label><label>Count <input name=count></label><button type=button>Add</button></form>`;
  const [name, count] = $$("input");
  $("button").onclick = () => write("POST", "/things", { name: name.value, count: Math.min(50, +count.value) });
}"""  # noqa: E501
SYNC = """all = async () => (await (await api("POST", "/sync", { commands: [] })).json()).items;
function show() {
  app.innerHTML = list((one) => one.size) + `<label>Name <input></label><button>Add</button>`;
  $("button").onclick = () => write("POST", "/sync", { commands: [{ type: "add", args: { name: $("input").value } }] });
}"""
BULK = """function show() {
  app.innerHTML = `<button>Archive</button>` + list((one) => `<input type=checkbox aria-label="Select ${one.name}">`);
  $("button").onclick = () => write("POST", "/things/bulk", { ids: things.filter((_, at) => $$("input")[at].checked).map((one) => one.id), state: "archived" });
}"""  # noqa: E501
SORT = """function show() {
  app.innerHTML = list(() => `<button aria-label="Move up">^</button>`);
  $$("button").forEach((one, at) => { one.onclick = () => {
    const ids = things.map((one) => one.id);
    [ids[at - 1], ids[at]] = [ids[at], ids[at - 1]];
    write("PUT", "/things/order", { ids });
  } });
}"""
PIN = """function show() {
  app.innerHTML = list((one) => `<button>Pin</button>`);
  $$("button").forEach((one, at) => { one.onclick = () => write("POST", "/pin", { thing: things[at].id }) });
}"""
PIN_AT = PIN.replace('"/pin", { thing: things[at].id }', '"/things/" + things[at].id + "/pin", {}')
OWN = """const own = [[48213, "Alpha 7"], [48230, "Beta 8"], [48247, "Gamma 9"]];
function show() {
  const row = ([, name]) => `<li><span>${name}</span> <button>Pin</button></li>`;
  app.innerHTML = `<ul>` + own.map(row).join("") + `</ul>`;
  $$("button").forEach((one, at) => { one.onclick = () => write("POST", "/pins/" + own[at][0], {}) });
}"""
COUNTED = OWN.replace("<button>Pin</button>", "<button>Pin</button><button>More</button>").replace(
    "own[at][0]", "own[at >> 1][0]"
)
COUNT = """function show() {
  app.innerHTML = `<button>Sort</button>` + list(() => "");
  $("button").onclick = () => write("POST", "/event", { kind: "sort", user: things[0].id });
}"""
DIALOG = ASKING.replace("ASKS", "<dialog><p>Are you sure?</p><button class=yes>Delete</button></dialog>")
PART = ASKING.replace("ASKS", "<div hidden><p>Are you sure?</p><button class=yes>Yes</button></div>")
WAYS = {
    "asks in a dialog": Way(
        DIALOG.replace("OPEN", '$("dialog").showModal()'),
        (call("click", selector=BUTTON), call("click", selector=".yes")),
        "button 'Delete'",
    ),
    "asks in a part": Way(
        PART.replace("OPEN", '$("div").hidden = false'),
        (call("click", selector=BUTTON), call("click", selector=".yes")),
        "button 'Yes'",
    ),
    "menu": Way(
        MENU, (call("click", selector=BUTTON), call("click", selector='role=menuitem[name="done"]')), "menuitem 'done'"
    ),
    "stepper": Way(STEPPER, (call("click", selector=BUTTON),), "button 'More'"),
    "renamed": Way(
        RENAME, (call("click", selector=BUTTON), *entered("Name", "Boat house")), "Name"
    ),
    "tags": Way(
        TAGS,
        (
            *entered("Tag", "red"),
            *entered("Tag", "wooden"),
            call("click", selector="Save"),
        ),
        "Tag",
    ),
    "dragged": Way(DRAG, (call("drag", source="Beta", target="section[aria-label=done]"),), "'Beta'"),
    "several": Way(
        BULK,
        (
            call("check", selector="Select Alpha"),
            call("check", selector="Select Gamma"),
            call("click", selector="Archive"),
        ),
        "button 'Archive'",
    ),
    "moved": Way(SORT, (call("click", selector=BUTTON),), "button 'Move up'"),
    # What is not in the list may stand on another page of it.
    "new": Way(NEW, ADDED, "Name", red=False),
    "new, named by the page": Way(NAMED, ADDED, "Name", red=False),
    "the whole list": Way(WHOLE, ADDED, "Name"),
    "orders to one address": Way(SYNC, (ADDED[0], ADDED[2]), "Name"),
}  # fmt: skip

REMOVE = """function show() {
  app.innerHTML = list(() => `<button>Remove</button>`);
  $$("button").forEach((one, at) => { one.onclick = () => { const { id, name } = things[at]; write(SENT) } });
}"""
ASK_ONCE_MORE = "= ({ target }) => { if (target.textContent === 'Remove') return target.textContent = 'Sure?';"
STAYS = {
    "asked to be deleted": Way(
        REMOVE.replace("SENT", '"DELETE", `/things/${id}?name=${name}`'),
        (call("click", selector=BUTTON),),
        "button 'Remove'",
    ),
    "asked to be removed": Way(
        REMOVE.replace("SENT", '"POST", `/remove/${id}?id=${id}`'),
        (call("click", selector=BUTTON),),
        "button 'Remove'",
    ),
    # What a press has renamed that sent nothing is called as before on the next page, whatever was kept.
    "asked once more in its place": Way(
        REMOVE.replace("= () => {", ASK_ONCE_MORE).replace("SENT", '"DELETE", `/things/${id}`'),
        (call("click", selector=BUTTON), call("click", selector="Sure?")),
        "button 'Sure?'",
    ),
}

UNSEEN = {
    "of several": Way(
        BULK,
        (
            call("check", selector="Select Alpha"),
            call("check", selector="Select Gamma"),
            call("click", selector="Archive"),
        ),
        "button 'Archive'",
    ),
    "in an order": Way(SORT, (call("click", selector=BUTTON),), "button 'Move up'"),
    "of a card": Way(PIN, (call("click", selector=BUTTON),), "button 'Pin'"),
    "of a card, in its address": Way(PIN_AT, (call("click", selector=BUTTON),), "button 'Pin'"),
    "of a card whose data nobody fetched": Way(OWN, (call("click", selector=BUTTON),), "button 'Pin'"),
    "of all that is pressed in a card": Way(
        COUNTED,
        (call("click", selector=f"{BUTTON}:nth-of-type(1)"), call("click", selector=f"{BUTTON}:nth-of-type(2)")),
        "",
    ),
    # A script puts a date of its own in place of one that it cannot read, and bounds a number.
    "of another date": Way(DATED, (ADDED[0], call("fill", selector="Day", value="2013-06-11"), ADDED[2]), "Day"),
    "of a bounded number": Way(BOUNDED, (ADDED[0], call("fill", selector="Count", value="75"), ADDED[2]), "Count"),
    # What counts presses names the user.
    "of nothing there": Way(COUNT, (call("click", selector="Sort"),), ""),
}  # fmt: skip


@dataclass
class Things:
    """What a test may look into."""

    way: Way
    kept: dict[int, dict[str, Any]] = field(default_factory=dict)
    loses: bool = False
    loses_of: int = 0
    """The thing of several of which it loses what was sent."""

    def reset(self) -> None:
        """Keep what was there at first."""
        names = {48213: "Alpha", 48230: "Beta", 48247: "Gamma"}
        each = {"state": "open", "count": 1, "size": "M"}
        self.kept = {number: {"id": number, "name": name, "tags": ["old"], **each} for number, name in names.items()}


def told_of(kept: dict[int, dict[str, Any]]) -> str:
    """Give what is kept, in its order, but for what a page has drawn as an id."""
    return re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}", "", json.dumps([*kept.values()]))


@pytest.fixture
def things(request: pytest.FixtureRequest) -> Things:
    things = Things({**WAYS, **UNSEEN, **STAYS}[request.param])
    things.reset()
    return things


@pytest.fixture
def run(
    things: Things, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            if self.path == "/api/things":
                return self.tell([*things.kept.values()])
            page = PAGE.replace("SHOW", things.way.show) if self.path == "/things" else "<a href=/things>Things</a>"
            self.answer(200, page)

        def write(self) -> None:
            body = json.loads(self.body() or "{}")
            number = int(next(iter(re.findall(r"\d+", self.path)), 48264))
            known = things.kept if not things.loses else {one: dict(kept) for one, kept in things.kept.items()}
            if isinstance(body, list):
                known.update((one.get("id", 48264), one) for one in body)
                return self.tell({})
            if commands := body.get("commands"):
                known[48264] = {"id": 48264, "size": "M", **commands[0]["args"]}
            if self.path == "/api/sync":
                return self.tell({"items": [*things.kept.values()]})
            ids = body.pop("ids", ())
            if "id" in body:
                known[body["id"]] = body
                return self.tell({})
            if ids and body:
                for one in set(ids) - {things.loses_of}:
                    known[one].update(body)
            elif ids:
                known |= {one: known.pop(one) for one in ids}
            elif self.command == "DELETE":
                known.pop(number)
            else:
                known.setdefault(number, {"id": number, "state": "open", "tags": []}).update(body)
            self.tell(known.get(number, {}))

        do_POST = do_PUT = do_PATCH = do_DELETE = write

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        yield run


@pytest.mark.breadth(1, table=2)
@pytest.mark.parametrize("things", WAYS, indirect=True)
def test_it_is_proven_and_what_the_site_loses_is_reported(things: Things, run: OneRun) -> None:
    told = run.record(
        [call("navigate", url="/things"), *things.way.acts, call("navigate", url="/"), call("navigate", url="/things")]
    )
    assert all(one.success for one in told), told
    kept = things.kept
    things.reset()
    assert told_of(kept) != told_of(things.kept)
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [[]]), replayed
    assert told_of(things.kept) == told_of(kept)
    things.reset()
    things.loses = True
    replayed = run.replay()
    assert replayed["verdict"] == ("postcondition" if things.way.red else "passed"), replayed
    assert any(things.way.unseen in name for one in replayed["writes"] for name in one["unseen"]), replayed


@pytest.mark.parametrize("things", UNSEEN, indirect=True)
def test_a_press_whose_request_names_things_of_the_data_is_reported(things: Things, run: OneRun) -> None:
    told = run.record([call("navigate", url="/things"), *things.way.acts, call("navigate", url="/")])
    assert all(one.success for one in told), told
    things.reset()
    replayed = run.replay()
    unseen = [[things.way.unseen]] if things.way.unseen else []
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", unseen), replayed


@pytest.mark.parametrize("things", STAYS, indirect=True)
def test_data_that_names_a_thing_proves_nothing_of_its_deletion(things: Things, run: OneRun) -> None:
    things.loses = True
    told = run.record(
        [call("navigate", url="/things"), *things.way.acts, call("navigate", url="/"), call("navigate", url="/things")]
    )
    assert all(one.success for one in told), told
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [[things.way.unseen]])


@pytest.mark.parametrize("things", ["several"], indirect=True)
def test_of_several_things_each_has_to_be_as_it_was_sent(things: Things, run: OneRun) -> None:
    run.record(
        [call("navigate", url="/things"), *things.way.acts, call("navigate", url="/"), call("navigate", url="/things")]
    )
    things.reset()
    things.loses_of = 48247
    replayed = run.replay()
    assert replayed["verdict"] == "postcondition", replayed
    assert "state 'open'" in replayed["drift"]["found"], replayed["drift"]
