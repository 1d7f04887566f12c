"""Pages of a script that sends each change to one address, under names of its own: what was done is seen again, or red.

A page draws what the site has kept; what is sent names the thing in its body, if at all.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import pytest

from tests.fakes.messages_api import Reply, call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

__all__ = ["run", "served_site", "small_site"]
pytestmark = pytest.mark.promise("a write in whatever way it is sent")

PAGE = """<div id=app></div><script>
let S = {state};
const app = document.getElementById('app');
const send = async (data) => {{
  const answer = await fetch('/api', {{ method: 'POST', body: JSON.stringify(data) }});
  S = JSON.parse((await answer.text()).split('KEPT')[1]);
}};
const at = (selector) => app.querySelector(selector);
const row = (id, inner) => `<tr data-id=${{id}}>${{inner}}</tr>`;
function draw() {{ {draw} }}
draw();
</script>"""
SETTINGS = """app.innerHTML = `<h1>Settings</h1><form><label for=stockThreshold>Sold out from</label>
  <input type=number id=stockThreshold value=${S.stockThreshold}><label for=trackStock>Count what is there</label>
  <input type=checkbox id=trackStock ${S.trackStock ? 'checked' : ''}></form><button disabled>Update</button>`;
at('form').oninput = () => { at('button').disabled = false; };
at('form').onchange = at('form').oninput;
at('button').onclick = () => {
  at('button').disabled = true;
  send({ input: { stockThreshold: +at('#stockThreshold').value, trackStock: at('#trackStock').checked } });
};"""
State = dict[str, Any]


@dataclass(frozen=True)
class Way:
    """A page, what a user does on it, and what its site makes of what is sent."""

    state: State
    draw: str
    actions: tuple[Reply, ...]
    keep: Callable[[State, Any], None]
    alter: Callable[[State, Any], None] | None = None
    """Keeps something else."""


def _rows(state: State, sent: Any) -> None:
    state[str(sent["id"])] = sent["value"]


WAYS = {
    "a list in a row": Way(
        {"48213": "open", "48214": "open"},
        """app.innerHTML = '<h1>Tickets</h1><table>' + Object.entries(S).map(([id, now]) =>
          row(id, `<td>Ticket ${id}<td><select aria-label="State of ${id}">${['open', 'waiting', 'closed'].map((one) =>
          `<option ${one == now ? 'selected' : ''}>${one}`).join('')}</select>`)).join('') + '</table>';
        for (const el of app.querySelectorAll('select'))
          el.onchange = () => send({ id: el.closest('tr').dataset.id, value: el.value });""",
        (call("select", selector="State of 48214", value="closed"),),
        _rows,
        lambda state, sent: state.update({sent["id"]: "waiting"}),
    ),
    "a cell that is typed into": Way(
        {"48213": "Alder", "48214": "Birch"},
        """app.innerHTML = '<h1>Sheet</h1><table>' + Object.entries(S).map(([id, now]) => row(id,
          `<td contenteditable=true role=gridcell aria-label="Cell ${id}">${now}</td>`)).join('') + '</table>';
        for (const el of app.querySelectorAll('td'))
          el.onblur = () => send({ id: el.closest('tr').dataset.id, value: el.innerText.trim() });""",
        (call("fill", selector="Cell 48214", value="Blackthorn"), call("press_key", key="Tab")),
        _rows,
        lambda state, sent: state.update({sent["id"]: "Hawthorn"}),
    ),
    "radio buttons": Way(
        {"now": "daily"},
        """app.innerHTML = '<h1>Digest</h1><fieldset><legend>How often</legend>' +
          ['daily', 'weekly', 'never'].map((one) => `<label><input type=radio name=often value=${one}
          ${S.now == one ? 'checked' : ''}>${one}</label>`).join('');
        for (const el of app.querySelectorAll('input')) el.onchange = () => send({ value: el.value });""",
        (call("check", selector="weekly"),),
        lambda state, sent: state.update(now=sent["value"]),
        lambda state, sent: state.update(now="never"),
    ),
    "a range": Way(
        {"now": 50},
        """app.innerHTML = `<h1>Sound</h1><label>Volume <input type=range min=0 max=100 value=${S.now}></label>`;
        at('input').onchange = (event) => send({ level: +event.target.value });""",
        (call("fill", selector="Volume", value="80"),),
        lambda state, sent: state.update(now=sent["level"]),
        lambda state, sent: state.update(now=20),
    ),
    "a list of several, and a button": Way(
        {"now": []},
        """app.innerHTML = '<h1>Topics</h1><label>Topics <select multiple>' + ['ferns', 'moss', 'trees'].map((one) =>
          `<option ${S.now.includes(one) ? 'selected' : ''}>${one}`).join('') +
          '</select></label><button>Save</button>';
        at('button').onclick = () => send({ chosen: [...at('select').selectedOptions].map((one) => one.value) });""",
        (call("select", selector="Topics", value="moss"), call("click", selector="Save")),
        lambda state, sent: state.update(now=sent["chosen"]),
        lambda state, sent: state.update(now=["trees"]),
    ),
    "a field that is known by an id alone, and a button that is closed until it holds something else": Way(
        {"stockThreshold": 0, "trackStock": True},
        SETTINGS,
        (call("fill", selector="Sold out from", value="7"), call("click", selector="Update")),
        lambda state, sent: state.update(sent["input"]),
        lambda state, sent: state.update(sent["input"], stockThreshold=8),
    ),
    "a box that is known by an id alone, and such a button": Way(
        {"stockThreshold": 0, "trackStock": True},
        SETTINGS,
        (call("click", selector="Count what is there"), call("click", selector="Update")),
        lambda state, sent: state.update(sent["input"]),
    ),
    "a box that is sent beside another field, under a name of its own and the other way round": Way(
        {"stockThreshold": 0, "hidesPictures": False},
        SETTINGS.replace("trackStock: at('#trackStock').checked", "hidesPictures: !at('#trackStock').checked")
        .replace("S.trackStock", "!S.hidesPictures")
        .replace("Count what is there", "Pictures"),
        (
            call("click", selector="Pictures"),
            call("fill", selector="Sold out from", value="7"),
            call("click", selector="Update"),
        ),
        lambda state, sent: state.update(sent["input"]),
        lambda state, sent: state.update(sent["input"], hidesPictures=False),
    ),
    "a button that is another one then": Way(
        {"now": "Draft"},
        """app.innerHTML = `<h1>On ferns</h1><p>${S.now}</p>
          <button>${S.now == 'Draft' ? 'Publish' : 'Withdraw'}</button>`;
        at('button').onclick = () => send({ to: S.now == 'Draft' ? 'Published' : 'Draft' }).then(draw);""",
        (call("click", selector="Publish"),),
        lambda state, sent: state.update(now=sent["to"]),
    ),
    "a switch": Way(
        {"on": False},
        """app.innerHTML = `<h1>Settings</h1><button role=switch aria-checked=${S.on} aria-label="Mail me">o</button>`;
        at('button').onclick = () => { S.on = !S.on; draw(); send({ on: S.on }); };""",
        (call("click", selector="Mail me"),),
        lambda state, sent: state.update(on=sent["on"]),
    ),
    "a heart that is drawn full": Way(
        {"on": False},
        """app.innerHTML = `<h1>Old spade</h1><article data-id=48213><p>A spade.</p><button aria-label=Like>
          <svg width=20 height=20 fill="${S.on ? 'red' : 'none'}"><circle r=9 cx=10 cy=10></circle></svg>
          </button></article>`;
        at('button').onclick = () => { S.on = !S.on; draw(); send({ on: S.on }); };""",
        (call("click", selector="Like"),),
        lambda state, sent: state.update(on=sent["on"]),
    ),
}


class Site:
    """Keeps what is sent to it, or something else, or nothing."""

    def __init__(self, site: SmallSite, way: Way) -> None:
        self.site, self.way = site, way
        self.start("kept")
        site.answers["/api"] = self.take

    def start(self, how: str) -> None:
        """Begin anew; ``how`` says what becomes of what is sent from now on."""
        self.how, self.state = how, deepcopy(self.way.state)
        self.show()

    def show(self) -> None:
        self.site.pages["/"] = PAGE.format(state=json.dumps(self.state), draw=self.way.draw)

    def take(self, fields: Mapping[str, str]) -> tuple[int, str]:
        """Take a body that is JSON, which the small site reads as the name of a field."""
        if self.how != "lost":
            keep = self.way.keep if self.how == "kept" else self.way.alter
            assert keep is not None
            keep(self.state, json.loads(next(iter(fields))))
        self.show()
        return 200, "KEPT" + json.dumps(self.state)


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_what_a_script_sends_is_kept_or_the_replay_stops(run: OneRun, small_site: SmallSite, way: Way) -> None:
    site = Site(small_site, way)
    told = run.record([call("navigate", url="/"), *way.actions, call("navigate", url="/")])
    assert all(one.success for one in told), told
    assert site.state != way.state
    for how in ("kept", "lost", *(["altered"] if way.alter else [])):
        site.start(how)
        replayed = run.replay()
        assert replayed["verdict"] == ("passed" if how == "kept" else "postcondition"), (how, replayed)
        (write,) = replayed["writes"]
        assert bool(write["unseen"]) == (how != "kept"), (how, replayed)


def test_a_press_that_names_its_thing_in_its_body_is_told_where_nothing_shows_it(
    run: OneRun, small_site: SmallSite
) -> None:
    draw = """app.innerHTML = `<h1>Basket</h1><table>${row(48213, `<td><a href=/p/48213>Old spade</a><td>
      <span>${S.count}</span><button>More</button>`)}</table>`;
    at('button').onclick = () => send({ item: 48213, count: S.count + 1 }).then(draw);"""
    way = Way({"count": 1}, draw, (), lambda state, sent: state.update(count=sent["count"]))
    site = Site(small_site, way)
    told = run.record([call("navigate", url="/"), call("click", selector="More"), call("navigate", url="/")])
    assert all(one.success for one in told), told
    for how in ("kept", "lost"):
        site.start(how)
        replayed = run.replay()
        assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [["button 'More'"]])
    assert site.state == way.state
