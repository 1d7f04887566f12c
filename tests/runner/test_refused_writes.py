"""What the site refused was not written: nothing proves it, and what is sent again later and taken is the write."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

pytestmark = pytest.mark.promise("what a site refuses")

__all__ = ["run", "served_site", "small_site"]

TITLE, GOOD = "Bellows from the old forge", "21.00"
FORM = """<h1>New</h1>{said}<form method=post action=/things id=form>
<label>Title <input name=title value="{title}"></label>
<label>Price <input name=price value="{price}" {mark}></label>{beside}
<button>Save</button></form><p id=said></p><script>{script}</script>"""
MARKED = {"mark": "aria-invalid=true aria-describedby=why", "beside": "<p id=why>Say it in numbers</p>"}
BY_SCRIPT = """form.onsubmit = async (event) => { event.preventDefault();
  const it = await fetch("/things", {method: "POST", body: new URLSearchParams(new FormData(form))});
  if (it.redirected) location.href = it.url; else said.textContent = await it.text(); };"""
RECENT = "<h1>Looked for lately</h1><p>Bellows from the old forge</p>"
THING = "<h1>{title}</h1><dl><dt>Price</dt><dd>{price}</dd></dl>"


def form(**more: str) -> str:
    return FORM.format(**{"said": "", "title": "", "price": "", "mark": "", "beside": "", "script": "", **more})


Refuses = Callable[[Mapping[str, str]], tuple[int, str]]
WAYS: dict[str, tuple[str, Refuses]] = {
    "422 with the form": ("", lambda sent: (422, form(**sent, **MARKED))),
    "200 with a field marked": ("", lambda sent: (200, form(**sent, **MARKED))),
    "200 with an alert": ("", lambda sent: (200, form(**sent, said="<p role=alert>That is no price</p>"))),
    "422 to a script": (BY_SCRIPT, lambda sent: (422, "That is no price")),
}


class Register:
    """Takes a thing whose price is a number."""

    def __init__(self, site: SmallSite, way: str) -> None:
        self.site, self.lying = site, dict[str, str]()
        script, self.refuses = WAYS[way]
        site.pages |= {"/new": form(script=script), "/recent": RECENT}
        site.answers["/things"] = self.keep

    def keep(self, fields: Mapping[str, str]) -> str | tuple[int, str]:
        if not fields["price"][:1].isdigit():
            return self.refuses(fields)
        self.site.pages["/things/48213"] = THING.format(**{**fields, **self.lying})
        return "/things/48213"


def made(replayed: dict[str, Any]) -> list[tuple[str, int, list[str]]]:
    return [(one["url"], one["inputs"], one["unseen"]) for one in replayed["writes"]]


PUT_IN = [
    call("navigate", url="/new"),
    call("fill", selector="Title", value=TITLE),
    call("fill", selector="Price", value="twenty"),
    call("click", selector="Save"),
]


@pytest.mark.parametrize("way", WAYS)
def test_what_was_refused_is_proven_by_nothing(run: OneRun, small_site: SmallSite, way: str) -> None:
    """Another page shows the title for a reason of its own."""
    Register(small_site, way)
    run.record([*PUT_IN, call("navigate", url="/recent")])
    assert run.effects() == []


@pytest.mark.parametrize("way", WAYS)
def test_what_is_taken_at_last_is_the_write(run: OneRun, small_site: SmallSite, way: str) -> None:
    site = Register(small_site, way)
    run.record([*PUT_IN, call("fill", selector="Price", value=GOOD), call("click", selector="Save")])
    assert small_site.posts[-1][1] == {"title": TITLE, "price": GOOD}
    replayed = run.replay()
    assert (replayed["verdict"], made(replayed)) == ("passed", [("/things", 2, [])]), replayed
    for lie, field in (({"title": "Bellows"}, "Title"), ({"price": "20.95"}, "Price")):
        site.lying = lie
        replayed = run.replay()
        assert (replayed["verdict"], made(replayed)) == ("postcondition", [("/things", 2, [field])]), (lie, replayed)


APPLICATION = """<nav><a href=/new>New</a> <a href=/notes>Notes</a></nav><main></main><script>
const main = document.querySelector("main"), views = { "/new": ["title", "/save"], "/notes": ["note", "/keep"] };
const show = async () => {
  const [name, to] = views[location.pathname], kept = await (await fetch("/data" + location.pathname)).text();
  main.innerHTML = `${kept}<form><label>${name} <input name=${name}></label><p></p><button>Save</button></form>`;
  main.querySelector("form").onsubmit = async (event) => {
    event.preventDefault();
    const answer = await fetch(to, { method: "POST", body: new URLSearchParams(new FormData(event.target)) });
    if (answer.ok) await show();
    else main.querySelector("p").textContent = "There is such a one";
  };
};
for (const link of document.links) link.onclick = (event) => {
  event.preventDefault();
  history.pushState(null, "", link.href);
  show();
};
show();
</script>"""


def test_what_was_refused_holds_nothing_up_once_the_application_has_gone_on(run: OneRun, small_site: SmallSite) -> None:
    notes: list[str] = []

    def keep(fields: Mapping[str, str]) -> tuple[int, str]:
        notes.append(fields["note"])
        small_site.pages["/data/notes"] = "".join(f"<p>{note}</p>" for note in notes)
        return 200, ""

    small_site.pages |= {"/new": APPLICATION, "/notes": APPLICATION, "/data/new": "", "/data/notes": ""}
    small_site.answers |= {"/save": lambda fields: (422, ""), "/keep": keep}
    told = run.record(
        [
            call("navigate", url="/new"),
            call("fill", selector="title", value="The clock in the old kitchen"),
            call("click", selector="Save"),
            call("click", selector="Notes"),
            call("fill", selector="note", value="A clock out of the old kitchen"),
            call("click", selector="Save"),
        ]
    )
    assert all(one.success for one in told), told
    notes.clear()
    small_site.pages["/data/notes"] = ""
    replayed = run.replay()
    writes = [(one["url"], one["unseen"]) for one in replayed["writes"]]
    assert (replayed["verdict"], writes) == ("passed", [("/keep", [])]), replayed
