"""Widgets as the known libraries build them: recorded, replayed on a changed copy, and stopped on what is another page.

The markup is written by hand, after what Radix, MUI, Ant Design, select2, flatpickr and ProseMirror put into a page.
"""

from __future__ import annotations

import pytest

from simulator.replay.drift import Drift
from simulator.tools.toolsets import registry_of
from tests.conformance.recorded import Theatre
from tests.conformance.table import Stage
from tests.conformance.test_unusual_elements import TELL, Case, clicks, replayed
from tests.small_run import SmallSite

pytestmark = pytest.mark.asyncio(loop_scope="session")


def options(*names: str) -> str:
    return ",".join(f"'{name}'" for name in names)


RADIX = """<main id=app><span id=lab>Fruit</span>
<button type=button role=combobox aria-expanded=false aria-labelledby=lab data-state=closed id=trigger>
<span style="pointer-events:none">Pick one</span></button></main><script>
  trigger.onpointerdown = () => setTimeout(() => {{
    const portal = document.createElement("div");
    portal.innerHTML = "<div role=listbox data-state=open tabindex=-1><div role=presentation></div></div>";
    for (const name of [{}]) {{
      const option = document.createElement("div");
      option.setAttribute("role", "option");
      option.innerHTML = `<span>${{name}}</span>`;
      option.onpointerup = () => {{ tell(name); portal.remove(); app.removeAttribute("aria-hidden"); }};
      portal.querySelector("[role=presentation]").append(option);
    }}
    app.setAttribute("aria-hidden", "true");
    document.body.append(portal);
  }}, 20);
</script>"""
MUI = """<label id=age>Age</label>
<div role=combobox tabindex=0 aria-haspopup=listbox aria-labelledby="age now" id=now>Ten</div>
<input aria-hidden=true tabindex=-1 value=10 style="opacity:0;position:absolute;bottom:0;pointer-events:none">
<script>
  now.onmousedown = () => {{
    const root = document.createElement("div");
    root.setAttribute("role", "presentation");
    root.style = "position:fixed;inset:0;z-index:1300";
    const listed = [{}].map((name) => `<li role=option tabindex=-1 data-value=${{name}}>${{name}}</li>`).join("");
    root.innerHTML = `<div aria-hidden=true style="position:fixed;inset:0"></div>
      <div style="position:absolute;top:50px"><ul role=listbox aria-labelledby=age>${{listed}}</ul></div>`;
    root.onclick = (event) => {{ if (event.target.dataset.value) tell(event.target.dataset.value); root.remove(); }};
    document.body.append(root);
  }};
</script>"""
ANT = """<div class=ant-select><div class=ant-select-selector>
<span><input role=combobox aria-owns=rc_0 type=search readonly style="opacity:0;width:2px"></span>
<span>Choose a city</span></div></div><script>
  document.querySelector(".ant-select-selector").onmousedown = () => {{
    const drop = document.createElement("div");
    drop.innerHTML = "<div role=listbox id=rc_0 style='height:0;width:0;overflow:hidden'></div><div></div>";
    for (const name of [{}]) {{
      drop.firstChild.innerHTML += `<div role=option aria-label=${{name}}>${{name}}</div>`;
      drop.lastChild.innerHTML += `<div class=ant-select-item title=${{name}}><div>${{name}}</div></div>`;
    }}
    drop.lastChild.onclick = (event) => {{ tell(event.target.textContent); drop.remove(); }};
    document.body.append(drop);
  }};
</script>"""
SELECT2 = """<select name=colour style="position:absolute;clip:rect(0 0 0 0);height:1px;width:1px"></select>
<span role=combobox aria-haspopup=true tabindex=0 aria-labelledby=shown id=box>
<span id=shown role=textbox aria-readonly=true title=Red>Red</span></span><script>
  const kept = document.querySelector("select");
  kept.innerHTML = [{0}].map((name) => `<option>${{name}}</option>`).join("");
  box.onmousedown = () => {{
    const drop = document.createElement("span");
    drop.innerHTML = "<input type=search role=searchbox aria-label=Search><ul role=listbox></ul>";
    const list = () => {{
      const said = drop.firstChild.value.toLowerCase();
      drop.lastChild.innerHTML = [...kept.options].filter((one) => one.value.toLowerCase().includes(said))
        .map((one) => `<li role=option id=r-${{Math.random().toString(36).slice(2, 6)}}>${{one.value}}</li>`).join("");
    }};
    drop.firstChild.oninput = list;
    drop.lastChild.onmouseup = (event) => {{ kept.value = event.target.textContent; tell(kept.value); drop.remove(); }};
    list();
    document.body.append(drop);
  }};
</script>"""
FLATPICKR = """<input placeholder="Pick a day" readonly id=day><script>
  const months = [{}];
  let shown = 0;
  day.onfocus = () => {{
    const calendar = document.createElement("div");
    const draw = () => {{
      const days = [...Array(28).keys()].map((at) =>
        `<span class=flatpickr-day aria-label="${{months[shown]}} ${{at + 1}}, 2026" tabindex=-1>${{at + 1}}</span>`);
      calendar.innerHTML =
        `<div><span>${{months[shown]}}</span><span class=next>Next</span></div><div>${{days.join(" ")}}</div>`;
      calendar.querySelector(".next").onclick = () => {{ shown++; draw(); }};
    }};
    calendar.onclick = (event) => {{
      const said = event.target.getAttribute("aria-label");
      if (said) {{ event.stopPropagation(); day.value = said; tell(said); calendar.remove(); }}
    }};
    draw();
    document.body.append(calendar);
  }};
</script>"""
FADING = """<input role=combobox aria-label=Genre readonly aria-expanded=false>
<ul role=listbox aria-label=Genres hidden></ul><script>
  const box = document.querySelector("[role=combobox]"), list = document.querySelector("ul");
  list.innerHTML = [{}].map((name) => `<li role=option>${{name}}</li>`).join("");
  box.onclick = () => {{ list.hidden = false; }};
  list.onmousedown = (event) => {{
    list.inert = true;
    setTimeout(() => {{ list.remove(); tell(event.target.textContent); }}, 400);
  }};
</script>"""
EDITOR = """<div role=toolbar aria-label=Format><button type=button aria-label=Bold>B</button></div>
<div contenteditable=true role=textbox aria-multiline=true aria-label={} class=ProseMirror style="min-height:40px">
<p><br></p></div>
<script>
  document.onkeydown = (event) => {{
    if (event.ctrlKey && event.key === "Enter") tell(document.querySelector(".ProseMirror").innerText.trim());
  }};
</script>"""
CALENDAR = """<label>{} <input></label><button>Send</button><script>
  const [day, send] = document.querySelectorAll("input,button");
  let known = "";
  day.onkeyup = () => {{ known = day.value; }};
  send.onpointerdown = () => {{ day.value = known; }};
  send.onclick = () => tell(day.value);
</script>"""
ADDED = """<button id=add>Add</button><button id=send>Send</button><form></form><script>
  const form = document.querySelector("form");
  add.onclick = () => {{ form.innerHTML = `<input aria-label=Title name="items[${{Date.now()}}][{}]">`; }};
  send.onclick = () => tell(form.elements[0].value);
</script>"""
PICKER = """<div><label for=s{0}>{0}</label></div><div><select id=s{0} style="position:absolute;width:1px;opacity:0">
<option>A<option>B</select><button type=button role=combobox onclick="tell('{0}')">Nothing selected</button></div>"""
TAGS, SERIES, SHELVES = map(PICKER.format, ("Tags", "Series", "Shelves"))
LEAVING = """<a href=/next>{}</a><script>
  onbeforeunload = (event) => {{ event.preventDefault(); }};
</script>"""
NEXT = TELL + "<h1>Next</h1><script>tell('left')</script>"
ALERT = """<button onclick="alert('{}'); tell('read')">Read</button>"""
SPAN = "<span id=s1 aria-label='{}' tabindex=0 onclick=\"tell('{}')\">*</span>"
ONE, TWO = SPAN.format("Rate one", "one"), SPAN.format("Rate two", "two")


async def _filters(stage: Stage) -> None:
    await stage.did("click", selector="#box")
    await stage.did("fill", selector="role=searchbox", value="Bl")
    await stage.did("click", selector="role=option[name='Blue']")


async def _writes(stage: Stage) -> None:
    await stage.did("fill", selector="role=textbox[name='Body']", value="Dear Emma")
    await stage.did("press_key", key="Control+Enter")


async def _dates(stage: Stage) -> None:
    await stage.did("fill", selector="input", value="2026-06-04")
    await stage.did("click", selector="Send")


async def _adds(stage: Stage) -> None:
    await stage.did("click", selector="Add")
    await stage.did("fill", selector="Title", value="Emma")
    await stage.did("click", selector="Send")


async def _leaves(stage: Stage) -> None:
    await stage.did("click", selector="Next")
    await stage.did("wait_for", selector="role=heading[name='Next']")


PICKS = """<ul role=listbox aria-multiselectable=true>{}</ul><button onclick="tell(picked())">Send</button><script>
  const picked = () => [...document.querySelectorAll("[aria-selected=true]")].map((at) => at.textContent).sort();
  document.querySelector("ul").onclick = ({{ target: at }}) => (at.ariaSelected = String(at.ariaSelected !== "true"));
</script>"""
CHESS, DRAUGHTS, GO, LUDO = (
    f"<li role=option aria-selected={on}>{name}</li>"
    for name, on in (("Chess", "false"), ("Draughts", "true"), ("Go", "true"), ("Ludo", "false"))
)


async def _picks(stage: Stage) -> None:
    await stage.did("check", selector="Chess")
    await stage.did("check", selector="Draughts")
    await stage.did("check", selector="Go", checked=False)
    await stage.did("click", selector="Send")


CASES = {
    "options that are picked": Case(
        PICKS.format(CHESS + DRAUGHTS + GO + LUDO),
        _picks,
        f"<main>{PICKS.format(LUDO + GO + DRAUGHTS + CHESS)}</main>",
        PICKS.format(DRAUGHTS + GO + LUDO),
        "target_missing",
    ),
    "radix": Case(
        RADIX.format(options("Apple", "Pear")),
        clicks("role=combobox[name='Fruit']", "role=option[name='Pear']"),
        "<h1>Shop</h1>" + RADIX.format(options("Pear", "Quince", "Apple")),
        RADIX.format(options("Apple", "Quince")),
        "target_missing",
    ),
    "mui": Case(
        MUI.format(options("Ten", "Twenty")),
        clicks("#now", "Twenty"),
        "<h1>Shop</h1>" + MUI.format(options("Twenty", "Ten")),
        MUI.format(options("Ten", "Thirty")),
        "target_missing",
    ),
    "ant": Case(
        ANT.format(options("Leeds", "York")),
        clicks("Choose a city", "York"),
        "<h1>Shop</h1>" + ANT.format(options("York", "Leeds")),
        ANT.format(options("Leeds", "Ripon")),
        "target_missing",
    ),
    "select2": Case(
        SELECT2.format(options("Red", "Blue", "Black")),
        _filters,
        "<h1>Shop</h1>" + SELECT2.format(options("Black", "Blue", "Red")),
        SELECT2.format(options("Red", "Black")),
        "target_missing",
    ),
    "flatpickr": Case(
        FLATPICKR.format(options("May", "June")),
        clicks("[placeholder='Pick a day']", ".next", "[aria-label='June 4, 2026']"),
        "<h1>Shop</h1>" + FLATPICKR.format(options("May", "June", "July")),
        FLATPICKR.format(options("May", "July")),
        "target_missing",
    ),
    "a list that fades out when it is pressed": Case(
        FADING.format(options("Crime", "Poetry")),
        clicks("role=combobox[name='Genre']", "role=option[name='Poetry']"),
        "<h1>Shop</h1>" + FADING.format(options("Poetry", "Travel", "Crime")),
        FADING.format(options("Crime", "Travel")),
        "target_missing",
    ),
    "prosemirror and a shortcut": Case(
        EDITOR.format("Body"),
        _writes,
        "<h1>Post</h1>" + EDITOR.format("Body"),
        EDITOR.format("Subject"),
        "target_missing",
    ),
    "a calendar that listens to keys alone": Case(
        CALENDAR.format("Day"),
        _dates,
        "<h1>Shop</h1>" + CALENDAR.format("Day"),
        CALENDAR.format("Month"),
        "target_missing",
    ),
    "one of several pickers that nothing is chosen in": Case(
        f"<form>{TAGS}{SERIES}</form>",
        clicks("#sSeries + button"),
        f"<form>{SERIES}{TAGS}</form>",
        f"<form>{TAGS}{SHELVES}</form>",
        "target_missing",
    ),
    "a field that a script adds": Case(
        ADDED.format("title"),
        _adds,
        "<h1>Shop</h1>" + ADDED.format("title"),
        ADDED.format("price"),
        "target_contradicted",
    ),
    "a page that asks before it is left": Case(
        LEAVING.format("Next"),
        _leaves,
        "<h1>Here</h1>" + LEAVING.format("Next"),
        LEAVING.format("Back"),
        "target_missing",
    ),
    "an alert": Case(
        ALERT.format("Done"),
        clicks("Read"),
        "<h1>Here</h1>" + ALERT.format("Well done"),
        ALERT.replace("alert", "confirm('Sure?'); alert").format("Done"),
        "postcondition",
    ),
    "a name without a role": Case(ONE + TWO, clicks("[aria-label='Rate two']"), TWO + ONE, ONE, "target_missing"),
}


@pytest.mark.breadth(2, table=-1)
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
async def test_a_widget_is_used_again_and_another_one_is_not(
    theatre: Theatre, small_site: SmallSite, case: Case
) -> None:
    small_site.answers["/did"] = lambda fields: (200, "")
    small_site.pages["/next"] = NEXT
    async with theatre.stage(registry_of(["browser"]), {}) as stage:
        await stage.open(TELL + case.body)
        await case.act(stage)
    done = list(small_site.posts)
    assert len(done) == 1
    assert done[0][1]["what"]

    await replayed(theatre, stage, case.changed)
    assert small_site.posts == done

    with pytest.raises(Drift) as drift:
        await replayed(theatre, stage, case.wrong)
    assert drift.value.report.verdict == case.verdict, drift.value.report
    assert case.verdict == "postcondition" or small_site.posts == []


async def test_the_label_of_a_field_that_nobody_sees_takes_no_text(theatre: Theatre) -> None:
    async with theatre.stage(registry_of(["browser"]), {}) as stage:
        await stage.open("<label for=t>Body</label><textarea id=t hidden></textarea><div contenteditable>Dear</div>")
        tree = str(await stage.did("read_page"))
        assert [line.partition(" [ref")[0] for line in tree.splitlines()] == ['- "Body"', '- textbox "Dear"']
        failure = await stage.refused("fill", selector="Body", value="Dear Emma")
    assert failure.message == "could not fill textbox 'Body': it is not visible"
