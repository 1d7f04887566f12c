"""Lists that show a part of what they have until something is pressed: what is not in that part is not gone by that."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from tests.fakes.messages_api import Reply, call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

__all__ = ["run", "served_site", "small_site"]
pytestmark = pytest.mark.promise("what is pressed alone")

THINGS = {"48213": "The spade behind the mill", "48214": "The rake under the bridge", "48215": "The hoe by the well"}
LAST = "48215"
LIST = """<h1>Things</h1><ul id=list></ul><script>
const things = {things};
let most = {most};
const draw = () => {{
  const rows = Object.entries(things).slice(0, most).map(([id, name]) => `<li>${{{called}}} <button value=${{id}}
    onclick="drop(this.value)">Remove</button></li>`);
  list.innerHTML = rows.join("") + (most < 3 ? "<button onclick='most = 9; draw()'>Load more</button>" : "");
}};
const drop = async (id) => {{
  await fetch(`/remove/${{id}}`, {{ method: "POST", body: new URLSearchParams({{ id }}) }});
  delete things[id];
  draw();
}};
draw();
</script>"""
LINK = "`<a href=/things/${id}>${name}</a>`"
MORE = call("click", selector="Load more")


@pytest.mark.parametrize("called", [LINK, "name"], ids=["linked", "named"])
@pytest.mark.parametrize(("most", "proven"), [(2, False), (9, True)], ids=["in parts", "whole"])
def test_what_came_into_sight_by_an_act_is_not_gone_where_a_list_is_loaded_again(
    run: OneRun, small_site: SmallSite, called: str, most: int, proven: bool
) -> None:
    things, lies = dict(THINGS), False

    def show() -> None:
        small_site.pages["/list"] = LIST.format(things=json.dumps(things), most=most, called=called)

    def remove(_: Mapping[str, str]) -> tuple[int, str]:
        if not lies:
            things.pop(LAST)
        show()
        return 200, "{}"

    show()
    small_site.answers[f"/remove/{LAST}"] = remove
    turns = [
        call("navigate", url="/list"),
        *([] if proven else [MORE]),
        call("click", selector="li:nth-of-type(3) button"),
        call("navigate", url="/thanks"),
        call("navigate", url="/list"),
    ]
    told = run.record(turns)
    assert all(one.success for one in told), told
    assert (("disappearance", "kept", True) in run.effects()) is proven
    things = dict(THINGS)
    show()
    replayed = run.replay()
    unseen = [] if proven else ["button 'Remove'"]
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [unseen]), replayed
    things, lies = dict(THINGS), True
    show()
    lied = run.replay()
    assert lied["verdict"] == "postcondition" if proven else lied["writes"][0]["unseen"] == unseen, lied


@pytest.mark.parametrize("most", [2, 9], ids=["in parts", "whole"])
def test_what_a_list_still_shows_that_its_application_comes_back_to_no_visit_shows(
    run: OneRun, small_site: SmallSite, most: int
) -> None:
    routed = LIST.replace(
        "draw();\n</script>",
        "onhashchange = () => location.hash === '#/about' ? (list.textContent = 'A library of tools.') : draw();\n"
        "draw();\n</script>",
    )
    small_site.pages["/tools"] = routed.format(things=json.dumps(THINGS), most=most, called="name")
    small_site.answers[f"/remove/{LAST}"] = lambda _: (200, "{}")

    def more() -> list[Reply]:
        return [call("click", selector="Load more")] if most == 2 else []

    told = run.record(
        [
            call("navigate", url="/tools#/list"),
            *more(),
            call("navigate", url="/tools#/about"),
            call("navigate", url="/tools#/list"),
            call("navigate", url="/thanks"),
            call("navigate", url="/tools#/list"),
            *more(),
            call("click", selector="li:nth-of-type(3) button"),
            call("navigate", url="/thanks"),
            call("navigate", url="/tools#/list"),
        ]
    )
    assert all(one.success for one in told), told
    kept = [kind for kind, strength, _ in run.effects() if strength == "kept"]
    assert kept == [], kept  # the site has kept all


CHOOSE = """<h1>Things</h1><ul>{rows}</ul><button onclick="send()">Archive chosen</button><script>
const send = async () => {{
  const chosen = [...document.querySelectorAll(":checked")].map((box) => box.value).join(",");
  await fetch("/archive", {{ method: "POST", body: new URLSearchParams({{ chosen }}) }});
  location.reload();
}};
</script>"""
ROW = "<li><input type=checkbox value={id} aria-label='Choose {name}'> <a href=/things/{id}>{name}</a> {how}</li>"


@pytest.mark.parametrize("lies", [False, True])
def test_a_button_beside_a_list_is_not_gone_from_the_card_of_what_is_ticked(
    run: OneRun, small_site: SmallSite, lies: bool
) -> None:
    archived: set[str] = set()

    def show() -> None:
        rows = (ROW.format(id=id, name=name, how="(archived)" * (id in archived)) for id, name in THINGS.items())
        small_site.pages["/list"] = CHOOSE.format(rows="".join(rows))

    def archive(fields: Mapping[str, str]) -> tuple[int, str]:
        archived.update(() if lies else fields["chosen"].split(","))
        show()
        return 200, "{}"

    show()
    small_site.answers["/archive"] = archive
    told = run.record(
        [
            call("navigate", url="/list"),
            call("check", selector=f"Choose {THINGS[LAST]}"),
            call("click", selector="Archive chosen"),
            call("navigate", url="/thanks"),
            call("navigate", url="/list"),
        ]
    )
    assert all(one.success for one in told), told
    assert run.effects() == ([] if lies else [("state", "kept", True)])  # the card says that it is archived
    archived.clear()
    show()
    replayed = run.replay()
    unseen = [["button 'Archive chosen'"] if lies else []]
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", unseen), replayed
