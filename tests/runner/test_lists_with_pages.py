"""A list whose first page is full by now: the next user's own thing stands on another page, or nowhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest

from tests.fakes.messages_api import Reply, call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("never another element")

NEW = "<form method=post action=/things><label>Title <input name=title></label><button>Save</button></form>"
ROW = """<li><a href=/things/{n}>{title}</a> <span>{likes} likes</span>
<input type=checkbox name=n value={n} form=all aria-label="Choose {title}">
<form method=post action=/things/{n}/like><button>Like</button></form> <a href="?delete={n}">Delete</a>
<a href="?page=9&amp;do=delete&amp;id={n}">Remove</a></li>"""
SCRIPT = """<script>
const pages = document.querySelector("#pages"), list = document.querySelector("ul");
const turn = async (to) => {
  const shown = await (await fetch("/things?page=" + to, { headers: { accept: "text/html" } })).text();
  list.innerHTML = new DOMParser().parseFromString(shown, "text/html").querySelector("ul").innerHTML;
  draw(to);
};
const draw = (at) => {
  const numbers = Array.from({ length: Number(pages.dataset.last) }, (_, place) => place + 1);
  const shown = (n) => `<li><button ${n === at ? "aria-current=page" : ""}>${n}</button></li>`;
  pages.innerHTML = numbers.map(shown).join("");
  pages.querySelectorAll("button").forEach((one) => { one.onclick = () => turn(Number(one.textContent)); });
};
draw(1);
</script>"""
ONWARDS = """<script>
let at = 1;
const list = document.querySelector("ul");
const show = async (to, put) => {
  const shown = await (await fetch("/things?page=" + to, { headers: { accept: "text/html" } })).text();
  const rows = new DOMParser().parseFromString(shown, "text/html").querySelectorAll("ul > li");
  if (rows.length) put(...rows);
  at = to;
};
HOW
</script>"""
MORE = """document.querySelector("#more").onclick = () => show(at + 1, (...rows) => list.append(...rows));"""
NEXT = """
const turn = (by) => () => show(Math.max(1, at + by), (...rows) => list.replaceChildren(...rows));
document.querySelector("#next").onclick = turn(1);
document.querySelector("#prev").onclick = turn(-1);"""
WRITES = """document.querySelector("#more").onclick = () => fetch("/things/310/like", { method: "POST" });"""
SCROLLING = """
const seen = new IntersectionObserver((met) => {
  if (met.some((one) => one.isIntersecting)) show(at + 1, (...rows) => list.append(...rows));
});
seen.observe(document.querySelector("#end"));"""
IN_PART = (
    """
const part = document.createElement("div");
part.style = "height: 9em; overflow: auto";
list.before(part);
part.append(list, document.querySelector("#end"));"""
    + SCROLLING
)
ALL = "<form id=all method=post action=/all><button>Like what is chosen</button></form>"
EACH = 4
"""How many things a page lists."""
PAGERS: dict[str, Callable[[int, int], str]] = {
    "numbers": lambda at, last: " ".join(
        f"<a href='/things?order=made&page={n}'>{n}</a>" if n != at else f"<b>{n}</b>" for n in range(1, last + 1)
    ),
    "rel": lambda at, last: f"<a rel=next href='/things?seite={at + 1}'>Weiter</a>" * (at < last),
    "arrow": lambda at, last: f"<a href='/things?ab={at * EACH}'>Ältere »</a>" * (at < last),
    "script": lambda at, last: f"<ul id=pages data-last={last}></ul>{SCRIPT}",
    "cursor": lambda at, last: f"<a href='/things?after=k{at + 1}x'>Show more</a>" * (at < last),
    "more": lambda at, last: "<button id=more>Load 4 more…</button>" + ONWARDS.replace("HOW", MORE),
    "next": lambda at, last: (
        "<button id=prev>← Previous</button><button id=next>Next →</button>" + ONWARDS.replace("HOW", NEXT)
    ),
    "scroll": lambda at, last: "<p style='height:90em'></p><p id=end>…</p>" + ONWARDS.replace("HOW", SCROLLING),
    "part": lambda at, last: "<p id=end style='margin-top:20em'>…</p>" + ONWARDS.replace("HOW", IN_PART),
    "writes": lambda at, last: "<button id=more>Show more</button>" + ONWARDS.replace("HOW", WRITES),
    "path": lambda at, last: f"<a href='/things/page/{at + 1}'>Older</a>" * (at < last),
}


@dataclass
class Things:
    """What a site keeps, the oldest first, and how it says where the next page of its list is."""

    pager: str
    kept: list[dict[str, int | str]] = field(default_factory=lambda: [{"title": "Oak shelf", "likes": 0}])
    leads: str = "list"
    swallows: bool = False
    asked: list[str] = field(default_factory=list)

    def fill_up(self, *titles: str) -> None:
        """Let others have made as many as fill two pages."""
        self.kept += [{"title": title, "likes": 0} for title in (*titles, *(f"Shelf {n}" for n in range(8)))]

    def likes(self) -> dict[str, int]:
        """Give how often things were liked, by their titles; those that were not left out."""
        return {str(one["title"]): int(one["likes"]) for one in self.kept if one["likes"]}


def handler_of(things: Things) -> type[PageHandler]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            things.asked.append(self.path)
            url = urlsplit(self.path)
            steps, asked = url.path.strip("/").split("/"), dict(parse_qsl(url.query))
            if steps[0] == "new":
                return self.answer(200, NEW)
            if len(steps) == 2:
                one = things.kept[int(steps[1]) - 310]
                return self.answer(200, f"<h1>{one['title']}</h1><p>{one['likes']} likes</p>")
            at = int(steps[2]) if len(steps) > 2 else int(asked.get("page", asked.get("seite", 1)))
            at = int(asked["ab"]) // EACH + 1 if "ab" in asked else at
            at = int(asked["after"].strip("kx")) if "after" in asked else at
            numbered = [*enumerate(things.kept, start=310)]
            rows = "".join(ROW.format(n=n, **one) for n, one in numbered[(at - 1) * EACH : at * EACH])
            pager = PAGERS[things.pager](at, -(-len(numbered) // EACH))
            self.answer(200, f"<h1>Things</h1><ul>{rows}</ul><nav>{pager}</nav>{ALL}<a href=/new>New</a>")

        def do_POST(self) -> None:
            steps, sent = self.path.strip("/").split("/"), dict(parse_qsl(self.body().decode()))
            if steps == ["all"]:
                things.kept[int(sent["n"]) - 310]["likes"] += 1  # type: ignore[operator]
                return self.answer(303, location=f"/things/{sent['n']}")
            if len(steps) > 1:
                things.kept[int(steps[1]) - 310]["likes"] += 1  # type: ignore[operator]
                return self.answer(303, location=f"/things/{steps[1]}")
            if not things.swallows:
                things.kept.append({"title": sent["title"], "likes": 0})
            lists = things.leads == "list" or things.swallows
            self.answer(303, location="/things" if lists else f"/things/{len(things.kept) + 309}")

    return Handler


def script(title: str, *, by_choice: bool = False) -> list[Reply]:
    """Make a thing, and like it in the list: by the button of its row, or by that for all that is chosen."""
    chosen = [call("check", selector="li:nth-of-type(2) input"), call("click", selector="Like what is chosen")]
    return [
        call("navigate", url="/new"),
        call("fill", selector="Title", value=title),
        call("click", selector='role=button[name="Save"]'),
        call("navigate", url="/things"),
        *(chosen if by_choice else [call("click", selector="li:nth-of-type(2) button")]),
    ]


def recorded(run: OneRun, title: str, *, by_choice: bool = False) -> None:
    told = run.record(script(title, by_choice=by_choice))
    assert [one.text for one in told if not one.success] == []


def rarely(*values: object) -> object:
    """Give a case that only all tests have."""
    return pytest.param(*values, marks=pytest.mark.slow)


OWN = "Lantern of {{identity.username}}"


@pytest.mark.parametrize("leads", ["list", rarely("thing")])
@pytest.mark.parametrize(
    "pager",
    [
        "numbers",
        "script",
        *(rarely(one) for one in PAGERS if one not in ("numbers", "script", "writes")),
    ],
)
def test_a_fresh_users_own_thing_is_found_on_another_page(
    pager: str, leads: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    things = Things(pager, leads=leads)
    with run_on(handler_of(things), tmp_path, monkeypatch, capsys) as run:
        recorded(run, OWN)
        things.fill_up()
        fresh = [run.replay("--identity", "fresh") for _ in range(2)]

    assert [one["verdict"] for one in fresh] == ["passed", "passed"], [one["drift"] for one in fresh]
    assert ["page 3 of the list" in one["turned"][0] for one in fresh] == [True, True]
    assert [*things.likes().values()] == [1, 1, 1]
    assert all(title.startswith("Lantern of") for title in things.likes())
    assert not any("delete" in path for path in things.asked)


def test_what_is_chosen_in_a_row_is_chosen_on_the_page_that_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    things = Things("numbers")
    with run_on(handler_of(things), tmp_path, monkeypatch, capsys) as run:
        recorded(run, OWN, by_choice=True)
        things.fill_up()
        fresh = run.replay("--identity", "fresh")

    assert (fresh["verdict"], len(fresh["turned"])) == ("passed", 1), fresh["drift"]
    assert ([*things.likes().values()], things.kept[-1]["likes"]) == ([1, 1], 1)


@pytest.mark.parametrize("mode", [rarely("strict"), "heal"])
@pytest.mark.parametrize("pager", ["numbers", rarely("script"), rarely("more"), rarely("scroll")])
def test_a_thing_that_is_nowhere_is_missing(
    pager: str, mode: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    things = Things(pager)
    with run_on(handler_of(things), tmp_path, monkeypatch, capsys) as run:
        recorded(run, OWN)
        things.fill_up()
        things.swallows = True
        fresh = run.replay("--identity", "fresh", "--mode", mode)

    assert fresh["verdict"] != "passed"
    assert [*things.likes().values()] == [1]


@pytest.mark.slow
def test_what_would_write_shows_no_more_of_a_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    things = Things("writes")
    with run_on(handler_of(things), tmp_path, monkeypatch, capsys) as run:
        recorded(run, OWN)
        things.fill_up()
        fresh = run.replay("--identity", "fresh")

    assert fresh["verdict"] == "target_missing"
    assert [*things.likes().values()] == [1]


@pytest.mark.parametrize("identity", ["same", rarely("reuse")])
@pytest.mark.parametrize(
    ("leads", "swallows"), [("list", False), ("thing", False), rarely("list", True), rarely("thing", True)]
)
def test_the_same_users_thing_is_no_older_one_of_that_title(
    leads: str,
    swallows: bool,
    identity: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    things = Things("numbers", leads=leads)
    with run_on(handler_of(things), tmp_path, monkeypatch, capsys) as run:
        recorded(run, OWN)
        first, older = things.kept
        older["likes"] = 0
        things.kept = [first]
        things.fill_up("Shelf 8", "Shelf 9", "Shelf 10", str(older["title"]))
        things.swallows = swallows
        again = run.replay("--identity", identity)

    own = leads == "thing" and not swallows
    liked = [one["likes"] for one in things.kept if one["title"] == older["title"]]
    assert liked == [0, *([int(own)] if not swallows else [])]
    assert (again["verdict"] == "passed") == own, again["drift"]
