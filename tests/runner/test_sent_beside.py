"""What a script sends in words of its own was put in beside the button that was pressed: settings that are saved."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.messages_api import Reply, call
from tests.fakes.server import served
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what fields are given")

PAGE = """<h1>Settings</h1><div id=app></div><script>
(async () => {
  const app = document.getElementById("app"), one = (selector) => app.querySelector(selector);
  const known = await (await fetch("/api/settings")).json();
  const widget = WIDGET;
  app.innerHTML = `<TAG>${widget.html}<button>Save</button><p></p></TAG>`;
  widget.draw(known.kept);
  const save = async (event) => {
    event.preventDefault();
    const headers = { "content-type": "application/json" };
    await fetch("/api/settings", { method: "PATCH", headers, body: JSON.stringify({ kept: widget.read() }) });
    one("p").textContent = "Saved";
  };
  if (one("form")) one("form").onsubmit = save;
  else [...app.querySelectorAll("button")].at(-1).onclick = save;
})();
</script>"""


@dataclass(frozen=True)
class Widget:
    """A field that a script draws and reads."""

    html: str
    draw: str
    read: str
    acts: tuple[Reply, ...]
    first: Any
    called: str

    def __str__(self) -> str:
        """Say how it is called."""
        return self.called


NATIVE = "one('input').checked"
SAID = "one('button').getAttribute('aria-checked') === 'true'"
WIDGETS = {
    "box": Widget(
        "<label><input type=checkbox>Public</label>", f"{NATIVE} = !kept", f"!{NATIVE}",
        (call("click", selector="Public"),), True, "Public",
    ),
    "checked": Widget(
        "<label><input type=checkbox>Public</label>", f"{NATIVE} = !kept", f"!{NATIVE}",
        (call("check", selector="Public"),), True, "Public",
    ),
    "switch": Widget(
        "<button type=button role=switch aria-label=Public></button>",
        f"one('button').setAttribute('aria-checked', kept);"
        f"one('button').onclick = () => one('button').setAttribute('aria-checked', !({SAID}))",
        SAID, (call("click", selector="Public"),), False, "Public",
    ),
    "select": Widget(
        "<label>Digest <select><option value=0>Never</option><option value=1>Daily</option></select></label>",
        "one('select').value = kept", "Number(one('select').value)",
        (call("select", selector="Digest", label="Daily"),), 0, "Digest",
    ),
    "number": Widget(
        "<label>Rows <input type=number></label>", "one('input').value = kept", "Number(one('input').value)",
        (call("fill", selector="Rows", value="25"),), 10, "Rows",
    ),
    "list": Widget(
        "<span id=l>Digest</span><button type=button role=combobox aria-labelledby=l aria-haspopup=listbox></button>"
        "<ul role=listbox hidden><li role=option>Never<li role=option>Daily</ul>",
        "const set = (at) => { one('button').textContent = one('ul').children[at].textContent;"
        "  one('ul').hidden = true }; set(kept); one('button').onclick = () => { one('ul').hidden = false };"
        "[...one('ul').children].forEach((option, at) => { option.onclick = () => set(at) })",
        "Number(one('button').textContent === 'Daily')",
        (call("click", selector="Digest"), call("click", selector="Daily")), 0, "Digest",
    ),
}  # fmt: skip


@dataclass
class Settings:
    """What a test may look into."""

    widget: Widget
    tag: str
    kept: Any = None
    loses: bool = False
    sent: list[Any] = field(default_factory=list)


@pytest.fixture
def settings(request: pytest.FixtureRequest) -> Settings:
    name, tag = request.param
    return Settings(WIDGETS[name], tag, WIDGETS[name].first)


@pytest.fixture
def run(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    widget = settings.widget

    class Handler(PageHandler):
        def do_GET(self) -> None:
            if self.path == "/api/settings":
                return self.tell({"kept": settings.kept})
            if self.path != "/settings":
                return self.answer(200, "<h1>Home</h1><a href=/settings>Settings</a>")
            script = (
                f"{{ html: {json.dumps(widget.html)}, draw: (kept) => {{ {widget.draw} }}, read: () => {widget.read} }}"
            )
            self.answer(200, PAGE.replace("WIDGET", script).replace("TAG", settings.tag))

        def do_PATCH(self) -> None:
            settings.sent.append(json.loads(self.body())["kept"])
            if not settings.loses:
                settings.kept = settings.sent[-1]
            self.tell({"ok": True})

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        yield run


@pytest.mark.breadth(1, table=2)
@pytest.mark.parametrize("settings", [(name, tag) for name in WIDGETS for tag in ("form", "div")], indirect=True)
def test_it_is_proven_by_the_page_of_the_settings_and_red_where_the_site_loses_it(
    settings: Settings, run: OneRun
) -> None:
    first = settings.kept
    calls = [call("navigate", url="/settings"), *settings.widget.acts, call("click", selector="Save")]
    told = run.record([*calls, call("navigate", url="/")])
    assert all(one.success for one in told), told
    assert settings.kept != first
    put_in, settings.kept = settings.kept, first
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [[]]), replayed
    assert settings.sent == [put_in, put_in]
    settings.kept, settings.loses = first, True
    replayed = run.replay()
    assert replayed["verdict"] == "postcondition", replayed
    (write,) = replayed["writes"]
    assert settings.widget.called in write["unseen"]


TODOS = """<label><input type=checkbox>Only mine</label><ul><li><span>Alpha</span> <button>Done</button>
<li><span>Beta</span> <button>Done</button></ul><script>
for (const [at, one] of document.querySelectorAll("li").entries()) {
  const button = one.querySelector("button"), show = (done) => button.setAttribute("aria-pressed", done);
  fetch("/api/todos").then((answer) => answer.json()).then((all) => show(all[at]));
  button.onclick = async () => {
    const headers = { "content-type": "application/json" };
    await fetch("/api/todos", { method: "PATCH", headers, body: JSON.stringify({ at, done: true }) });
    show(true);
  };
}
</script>"""


def test_a_box_beside_a_list_is_not_sent_with_what_is_pressed_in_a_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    done = [False, False]

    class Handler(PageHandler):
        def do_GET(self) -> None:
            self.tell(done) if self.path == "/api/todos" else self.answer(200, TODOS)

        def do_PATCH(self) -> None:
            done[json.loads(self.body())["at"]] = not loses
            self.tell({})

    loses = False
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    with served(Handler) as url:
        run = OneRun(tmp_path, url, capsys, effect_ms=300)
        press = [call("check", selector="Only mine"), call("click", selector="li:nth-of-type(2) button")]
        told = run.record([call("navigate", url="/todos"), *press, call("navigate", url="/todos")])
        assert all(one.success for one in told), told
        assert done == [False, True]
        done[1], loses = False, True
        replayed = run.replay()
        assert replayed["verdict"] == "postcondition", replayed
        assert [one["unseen"] for one in replayed["writes"]] == [["button 'Done'"]]
